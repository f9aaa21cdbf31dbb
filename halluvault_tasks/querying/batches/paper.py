"""A client's requests put on paper: written down in place of being sent, and answered with what was written back.

So a batch needs no dialect of its own: the client builds each request and reads each answer as ever.
"""

from collections.abc import Awaitable, Callable, Mapping
from typing import Any, NamedTuple

from halluvault_tasks.querying.failures import ReplyBody, refused
from halluvault_tasks.querying.replies import Reply
from halluvault_tasks.querying.transport import Transport, fields_of

Asking = Callable[[], Awaitable[Reply]]
"""One question to the client."""


class PaperAnswer(NamedTuple):
    """What came back to a request."""

    status: int
    """Of HTTP."""
    body: str
    """JSON."""


class _Written(Exception):
    """Ends a question that is written down: nobody answers it now."""

    def __init__(self, payload: Mapping[str, Any]) -> None:
        super().__init__()
        self.payload = payload


class PaperTransport(Transport):
    """The way to a server, on which a question may stay on paper; anything else goes there."""

    _on_paper = False
    _answer: PaperAnswer | None = None

    async def written(self, asking: Asking) -> Mapping[str, Any]:
        """The request of a question, which is not sent."""
        self._on_paper = True
        try:
            await asking()
        except _Written as written:
            return written.payload
        finally:
            self._on_paper = False
        raise AssertionError("a client answers without asking")

    async def read(self, asking: Asking, answer: PaperAnswer) -> Reply:
        """The reply that a client reads in an answer.

        Raises:
            Failure: there is none in it.
        """
        self._on_paper, self._answer = True, answer
        try:
            reply = await asking()
        finally:
            self._on_paper, self._answer = False, None
        return reply._replace(total_ms=None)  # what it took, a batch does not say

    async def post(self, path: str, payload: Mapping[str, Any]) -> ReplyBody:
        """Write it down, or read what was written back.

        Raises:
            Failure: as `Transport.post`.
        """
        if not self._on_paper:
            return await super().post(path, payload)
        if self._answer is None:
            raise _Written(payload)
        answer = ReplyBody(self._answer.status, {}, self._answer.body.encode())
        if answer.status != 200:
            raise refused(answer, fields_of(payload))
        return answer
