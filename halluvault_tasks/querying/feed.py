"""Hands a shard's prompts to the workers: new ones page by page, failed ones again after their wait.

A prompt stays listed until its answer is stored, because a reply may have to be discarded (the server turned out to be
another model) and the prompt asked again.
"""

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable, Sequence
from typing import NamedTuple

from halluvault_tasks.querying.conversation import ChatTurn
from halluvault_tasks.querying.replies import Reply


class FeedItem(NamedTuple):
    """One prompt to ask, once for each sample."""

    case_id: str
    text: str
    turns: tuple[ChatTurn, ...] = ()
    """Of a chat prompt; empty for a plain one."""
    fault: str = ""
    """Why it cannot be asked at all."""
    sample: int = 1
    seed: int | None = None
    """Of its sampling; None: as registered."""


class PromptWork:
    """One prompt and what has become of it so far."""

    __slots__ = (
        "alone", "attempts", "barred", "batch_failures", "began", "cut", "epoch", "error", "excused", "failed",
        "first_failure", "item", "last_failure", "replies", "round", "seen", "turned_away", "waits",
    )  # fmt: skip

    def __init__(self, item: FeedItem) -> None:
        self.item = item
        self.restart()

    def restart(self) -> None:
        """Forget everything but the prompt."""
        self.attempts = 0
        self.replies: list[Reply] = []
        self.round = self.epoch = 0
        self.fresh()

    def fresh(self) -> None:
        """A whole new budget; attempts are still counted."""
        self.failed = self.barred = self.waits = self.batch_failures = 0
        self.cut: Reply | None = None
        """The reply to this turn that was cut off before it answered."""
        self.alone = 0
        """How often it was the only one refused between two answers."""
        self.began = self.first_failure = self.last_failure = 0.0
        self.seen = 0.0
        """When any prompt had last been answered, at the time it was sent."""
        self.turned_away = 0.0
        """When it was sent and refused; 0 if its last attempt failed otherwise."""
        self.error = ""
        """With what message."""
        self.excused = 0.0
        """Seconds that pressure cost it, which do not count against it."""

    @property
    def patience(self) -> int:
        """How many times the usual tokens its next reply may have."""
        return 1 if self.cut is None else 2


class Feed:
    """Hands out work, the repeated before the new.

    Args:
        page: the next prompts; an empty page is the last.
        low: below how many waiting prompts the next page is fetched.
    """

    def __init__(self, page: Callable[[], Awaitable[Sequence[FeedItem]]], low: int = 500) -> None:
        self._page = page
        self._low = low
        self._ready: deque[PromptWork] = deque()
        self._waiting: deque[asyncio.Future[None]] = deque()
        self._wanted = asyncio.Event()
        self._exhausted = False
        self.open = 0
        """Prompts fetched and not settled."""

    async def fill(self) -> None:
        """Fetch page after page, each when the one before is nearly used up."""
        while page := await self._page():
            self.open += len(page)
            self._ready.extend(map(PromptWork, page))
            self._wake(len(page))
            while len(self._ready) >= self._low:
                self._wanted.clear()
                await self._wanted.wait()
        self._exhausted = True
        self._end_if_done()

    async def next(self) -> PromptWork | None:
        """The next prompt to ask; None once everything is settled."""
        while not self._ready:
            if self._exhausted and not self.open:
                return None
            turn = asyncio.get_running_loop().create_future()
            self._waiting.append(turn)
            await turn
        work = self._ready.popleft()
        if len(self._ready) < self._low:
            self._wanted.set()
        return work

    def again(self, work: PromptWork, seconds: float = 0.0, last: bool = False) -> None:
        """Hand a prompt out again after a wait, ahead of new ones or behind all that are ready."""
        if seconds > 0:
            asyncio.get_running_loop().call_later(seconds, self.again, work, 0.0, last)
            return
        if last:
            self._ready.append(work)
        else:
            self._ready.appendleft(work)
        self._wake(1)

    def settle(self, count: int) -> None:
        """Take stored prompts off the books."""
        self.open -= count
        self._end_if_done()

    @property
    def ready(self) -> int:
        """Prompts that wait for a worker."""
        return len(self._ready)

    @property
    def all_fetched(self) -> bool:
        """Whether no page is left."""
        return self._exhausted

    def _end_if_done(self) -> None:
        if self._exhausted and not self.open:
            self._wake(len(self._waiting))

    def _wake(self, count: int) -> None:
        while count > 0 and self._waiting:
            turn = self._waiting.popleft()
            if not turn.done():
                turn.set_result(None)
                count -= 1
