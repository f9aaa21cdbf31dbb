"""A lane's finished prompts on their way to the database.

A batch is stored only after its replica has confirmed that it is still the planned model; what another model may have
given is asked again. The database is read and written in a thread of its own, so that no query ever delays a request.
"""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from time import monotonic
from typing import Protocol, TypeVar

from halluvault_tasks.querying.feed import Feed, FeedItem
from halluvault_tasks.querying.fleet import Fleet
from halluvault_tasks.querying.progress import LaneProgress, LaneTally
from halluvault_tasks.querying.replica import IdentityChanged, PromptOutcome, Replica

_T = TypeVar("_T")

_FLUSH_ROWS, _FLUSH_SPACING = 50, 1.0
"""This many finished prompts are stored without waiting longer, once this many seconds have passed since last time."""
_FLUSH_SPACINGS, _RAREST_FLUSH_SECONDS = 120, 15.0
_MOST_UNSAVED = 4000
"""Finished prompts kept while the database does not answer; beyond them the lane waits."""


class Books(Protocol):
    """What a lane reads and keeps; every call is made in the lane's one database thread."""

    def page(self) -> Sequence[FeedItem]:
        """The next prompts to ask; empty at the end."""

    def store(self, outcomes: Sequence[PromptOutcome]) -> None:
        """Keep outcomes for good."""

    def beat(self, now: LaneProgress) -> int:
        """Say where the lane stands; returns how many lanes are on this server, itself included."""

    def changed(self, cause: IdentityChanged) -> None:
        """Record that a replica became another model."""


class Keeper:
    """Keeps what is done, and counts it.

    Args:
        books: where outcomes go, and prompts come from.
        flush_seconds: how often finished prompts are stored.
        tick_seconds: how often a last confirmation that does not come is asked for.
    """

    def __init__(self, books: Books, flush_seconds: float, tick_seconds: float) -> None:
        self.tally = LaneTally()
        self.feed = Feed(lambda: self.in_thread(books.page))
        self._books = books
        self._seconds = flush_seconds
        self._tick = tick_seconds
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="books")
        self._changes: list[IdentityChanged] = []
        self._unsaved = self._pending = 0
        self._flushed = monotonic()
        self._flushable = asyncio.Event()
        self._saved = asyncio.Event()
        self._finished = False

    async def in_thread(self, call: Callable[..., _T], *arguments: object) -> _T:
        """Read or write books, one call at a time."""
        return await asyncio.get_running_loop().run_in_executor(self._thread, call, *arguments)

    async def close(self) -> None:
        """Record what is left to be recorded, and wait for the write that is under way."""
        await self._record_changes()
        # So that nobody uses its connection twice.
        await asyncio.get_running_loop().run_in_executor(None, self._thread.shutdown)

    async def room(self) -> None:
        """Wait while more is done than can be stored."""
        while self._unsaved >= _MOST_UNSAVED:
            self._saved.clear()
            await self._saved.wait()

    def settle(self, replica: Replica, outcome: PromptOutcome) -> None:
        """Take a prompt that is done by a replica."""
        replica.pending.append(outcome)
        self.tally.add(outcome.reply)
        self._unsaved += 1
        self._pending += 1
        if (self._pending >= _FLUSH_ROWS and monotonic() - self._flushed >= _FLUSH_SPACING) or self._only_unsaved:
            self.soon()

    def soon(self) -> None:
        """Store what is done without waiting longer."""
        self._flushable.set()

    def finish(self) -> None:
        """End `keep` once nothing is left."""
        self._finished = True
        self.soon()

    async def keep(self, fleet: Fleet, after: Callable[[], Awaitable[None]]) -> None:
        """Store what is done every few seconds, and at once when nothing else is left.

        Args:
            fleet: confirms what its replicas did.
            after: is called each time it has been stored.
        """
        # Soon at first, so that even a run that is killed early has got somewhere; then every few seconds.
        pause = min(0.25, self._seconds)
        while not self._finished:
            with suppress(TimeoutError):
                async with asyncio.timeout(pause):
                    await self._flushable.wait()
            # Each flush asks who the server is: rarely, where every request has to be waited for.
            spacing = fleet.spacing
            most = max(self._seconds, min(_FLUSH_SPACINGS * spacing, _RAREST_FLUSH_SECONDS))
            pause = min(max(pause * 2, most / 4 if spacing else 0.0), most)
            self._flushable.clear()
            await self.flush(fleet)
            await after()
            if self._only_unsaved:
                # The last replies are not confirmed yet: ask for that a few times per second, not without pause.
                await asyncio.sleep(self._tick)
                self.soon()

    async def flush(self, fleet: Fleet) -> None:
        """Store what is done and confirmed now.

        Raises:
            UserError: from `Fleet.confirm`.
        """
        ready: list[PromptOutcome] = []
        self._pending, self._flushed = 0, monotonic()
        for replica in fleet.replicas:
            # Taken before the question: what comes while it is under way belongs to the next confirmation.
            batch, replica.pending = replica.pending, []
            if not batch:
                continue
            confirmed = await fleet.confirm(replica)
            if confirmed:
                ready += batch
            elif confirmed is None:
                replica.pending[:0] = batch
            else:
                self._take_back(batch)
        await self._record_changes()
        if ready:
            await self.in_thread(self._books.store, ready)
            self._unsaved -= len(ready)
            self._saved.set()
            self.feed.settle(len(ready))

    def other_model(self, replica: Replica, cause: IdentityChanged) -> None:
        """A replica has become another model: what it said since it was confirmed is not kept."""
        batch, replica.pending = replica.pending, []
        self._take_back(batch)
        self._changes.append(cause)
        self.soon()

    @property
    def _only_unsaved(self) -> bool:
        return 0 < self._unsaved == self.feed.open and self.feed.all_fetched

    def _take_back(self, batch: Sequence[PromptOutcome]) -> None:
        """Another model may have given these: ask again."""
        for outcome in batch:
            self.tally.take_back(outcome.reply)
            self._unsaved -= 1
            outcome.work.restart()
            self.feed.again(outcome.work)
        self._saved.set()

    async def _record_changes(self) -> None:
        while self._changes:
            # A cancelled write that still waits for the thread would never run, and the lane ends for this very reason.
            await asyncio.shield(self.in_thread(self._books.changed, self._changes.pop(0)))
