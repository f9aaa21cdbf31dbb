"""One replica of a model as a lane sees it, and the ways in which it may fail."""

from collections import deque
from typing import NamedTuple

from halluvault_tasks.errors import Unavailable, UserError
from halluvault_tasks.querying.feed import PromptWork
from halluvault_tasks.querying.limiter import Limiter
from halluvault_tasks.querying.refusal_spacing import Pacer
from halluvault_tasks.querying.replies import Client, Reply
from halluvault_tasks.querying.token_spacing import TokenPacer
from halluvault_tasks.querying.transport import INFO_SECONDS

_BARRED_IN_A_ROW, _STRANGE_IN_A_ROW = 2, 3
_UNSTATED = 4096
_OF_LATE = 0.995


class IdentityChanged(UserError):
    """The server no longer serves the model that this evaluation was planned for."""


class ServerDown(Unavailable):
    """The server answers nothing, not even a harmless question."""


class PromptOutcome(NamedTuple):
    """One prompt that is done: a reply, or a dead letter with its reason."""

    work: PromptWork
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
        self.pacer = Pacer()
        self.tokens = TokenPacer()
        self.open = 0
        self._sent: deque[float] = deque(maxlen=_UNSTATED)
        self.answered = 0.0
        """When it last answered (monotonic)."""
        self.most_admitted = 0.0
        """How many were open at most when one was sent that was answered, of late."""
        self.turned_away: set[PromptWork] = set()
        """By pressure, since it last answered."""
        self.up = True
        self.failures = self.barred = self.strange = 0
        """Its own failures, refusals that may pass, and answers of an unknown shape, each since it last answered."""
        self.cause: UserError | None = None
        self.unconfirmed_since = 0.0
        self.info_seconds = INFO_SECONDS
        """How long it may take to say who it is: longer each time it did not, as it may be busy with an answer."""
        self.pending: list[PromptOutcome] = []
        """Done by it and not stored, since it has not said since that it is still the planned model."""

    @property
    def doubtful(self) -> bool:
        """Whether what it says may be its answer to everything, which a harmless question shows."""
        return self.barred >= _BARRED_IN_A_ROW or self.strange >= _STRANGE_IN_A_ROW

    def delay(self, now: float) -> float:
        """Seconds until it may be asked again."""
        return max(self.pacer.delay(now), self.tokens.delay(now))

    def opened(self, now: float) -> None:
        """Count a request that is being sent."""
        self.pacer.reserve(now)
        self.tokens.sending(now)
        self.open += 1
        self._sent.append(now)

    def closed(self) -> None:
        """Count one that ended, however it did."""
        self.open -= 1

    def open_before(self, when: float) -> int:
        """Open requests that were certainly sent before a time."""
        late = next((place for place, sent in enumerate(reversed(self._sent)) if sent < when), len(self._sent))
        return max(0, self.open - late)

    def succeeded(self, tokens: int, seconds: float, opened: int, now: float) -> None:
        """Count an answer to a request that was the last of `opened` open ones when it was sent.

        A prompt that was the only one to be turned away between two answers failed alone; where several were, or
        nobody had been answered before, it says nothing about them.
        """
        if len(self.turned_away) == 1 and self.answered:
            self.turned_away.pop().alone += 1
        self.turned_away.clear()
        self.answered = now
        self.failures = self.barred = self.strange = 0
        self.most_admitted = max(float(opened), _OF_LATE * self.most_admitted)
        self.limiter.answered(tokens, seconds, self.open, now)
        self.pacer.answered()

    def admits(self, limit: int | None) -> None:
        """Take over what it says about its own limit."""
        if limit != self.stated:
            self.stated = limit
            self.limiter = Limiter(_UNSTATED if limit is None else limit, known=limit is not None)
