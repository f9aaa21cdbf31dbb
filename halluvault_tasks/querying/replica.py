"""One replica of a model as a lane sees it, and the ways in which it may fail a lane."""

from typing import NamedTuple

from halluvault_tasks.errors import Unavailable, UserError
from halluvault_tasks.querying.feed import Work
from halluvault_tasks.querying.limiter import Limiter
from halluvault_tasks.querying.replies import Client, Reply

_UNSTATED = 4096


class IdentityChanged(UserError):
    """The server no longer serves the model that this evaluation was planned for."""


class ServerDown(Unavailable):
    """The server answers nothing, not even a harmless question."""


class Outcome(NamedTuple):
    """One prompt that is done: a reply, or a dead letter with its reason."""

    work: Work
    reply: Reply | None
    error: str


class Replica:
    """One base URL of the model.

    Args:
        client: how it is asked.
    """

    def __init__(self, client: Client) -> None:
        self.client = client
        self.stated: int | None = None
        """`max_concurrent_requests` as it says itself, None where it does not."""
        self.limiter = Limiter(_UNSTATED, known=False)
        self.open = 0
        self.up = True
        self.failures = 0
        self.cause: UserError | None = None
        self.unconfirmed_since = 0.0
        self.pending: list[Outcome] = []
        """Done by it and not stored, since it has not said since that it is still the planned model."""

    def admits(self, limit: int | None) -> None:
        """Take over what it says about its own limit."""
        if limit != self.stated:
            self.stated = limit
            self.limiter = Limiter(_UNSTATED if limit is None else limit, known=limit is not None)
