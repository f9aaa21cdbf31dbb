"""How long generation takes: batching paced by tokens, or a fixed latency.

As in the imitated server, a request reserves memory for its prompt and its new tokens before it may run, requests
wait in one queue, first come first served, the prefill of newcomers holds everybody up, and a decoding step takes
longer the more sequences it serves.

Scheduling decides when newcomers join a running batch: `continuous`, whenever memory allows; `v3`, as TGI's router for
shards that cannot mix prefill and decoding lets them in, in groups that are worth the stop; `static`, when the batch
has ended, as when a shard claims its whole memory.
"""

import asyncio
from collections import deque
from collections.abc import Callable
from math import ceil
from typing import NamedTuple, Protocol

_TINY = 1e-6
_FOR_EVER = 2**31

RESERVED_NEW_TOKENS = 1024
"""A request reserves no more than this for its new tokens; longer ones are continued by the server itself."""


SCHEDULINGS = ("continuous", "v3", "static")


class Pacing(NamedTuple):
    """Times and memory; the defaults are small, so that a demo is quick and times still have a server's shape."""

    prefill_seconds: float = 0.002
    """Of one prefill, however many requests it takes in."""
    step_seconds: float = 0.0001
    """Of one decoding step: one token for every running sequence."""
    sequence_seconds: float = 0.000004
    """Added to a step for each running sequence."""
    batch_tokens: int = 131_072
    """Tokens (prompt and reserved new ones) that may be in memory at once: TGI's max_batch_total_tokens."""
    latency_seconds: float | None = None
    """Where it is set, every answer takes exactly this long from its start on, and nothing above counts."""
    scheduling: str = "continuous"
    """One of `SCHEDULINGS`."""
    max_waiting_tokens: int = 20
    """`v3`: steps after which newcomers join however few they are."""
    waiting_served_ratio: float = 0.3
    """`v3`: before that, they join only if there is at least this many for each running sequence."""
    prefill_tokens: int = 4096
    """`v3`: prompt tokens of one prefill at most: TGI's max_batch_prefill_tokens."""

    def step(self, running: int) -> float:
        """Seconds of a decoding step with so many sequences."""
        return max(1e-9, self.step_seconds + self.sequence_seconds * running)


class Timing(NamedTuple):
    """What one request waited and worked, seconds."""

    queue_seconds: float
    inference_seconds: float


class BatchFailed(Exception):
    """The forward pass failed: every request of the batch fails with it."""


class Job:
    """One sequence to generate.

    Args:
        input_tokens: length of its prompt.
        reserved: new tokens that memory is reserved for.
        tokens: new tokens that it will really have.
        advance: told each time how many of them exist; None where nobody streams.
    """

    __slots__ = ("advance", "done", "produced", "prompt", "queued", "started", "tokens", "weight")

    def __init__(
        self, input_tokens: int, reserved: int, tokens: int, advance: Callable[[int], None] | None = None
    ) -> None:
        self.weight = input_tokens + min(reserved, RESERVED_NEW_TOKENS)
        self.prompt = input_tokens
        self.tokens = tokens
        self.advance = advance
        self.produced = 0
        self.queued = 0.0
        self.started = 0.0
        self.done: asyncio.Future[float] | None = None


class JobRunner(Protocol):
    """What runs jobs."""

    async def run(self, job: Job) -> Timing:
        """Run one job to its end; cancelling the call frees its place.

        Raises:
            BatchFailed: the batch that it was in failed.
        """

    def fail(self, reason: str) -> None:
        """Fail every job that is running now, as an error of the forward pass does."""


def make(pacing: Pacing) -> JobRunner:
    """The engine for a pacing."""
    return Batching(pacing) if pacing.latency_seconds is None else FixedLatency(pacing)


class _Running:
    """Who runs, and how a job fails."""

    def __init__(self, pacing: Pacing) -> None:
        self.running: list[Job] = []
        self.pacing = pacing

    def fail(self, reason: str) -> None:
        """Fail every job that is running now, as an error of the forward pass does."""
        for job in self.running:
            if job.done is not None and not job.done.done():
                job.done.set_exception(BatchFailed(reason))
        self.running.clear()


class FixedLatency(_Running):
    """Every answer takes the same time from its start."""

    def __init__(self, pacing: Pacing) -> None:
        super().__init__(pacing)
        # All take equally long, so they end in the order of their starts, and one timer does for all.
        self._ending: deque[Job] = deque()

    async def run(self, job: Job) -> Timing:
        """Wait for the latency."""
        loop, seconds = asyncio.get_running_loop(), self.pacing.latency_seconds or 0.0
        job.started = loop.time()
        job.done = loop.create_future()
        self.running.append(job)
        if job.advance is not None:
            for count in range(1, job.tokens):
                loop.call_later(seconds * count / job.tokens, job.advance, count)
        self._ending.append(job)
        if len(self._ending) == 1:
            loop.call_later(seconds, self._end, loop)
        try:
            ended = await job.done
        finally:
            if job in self.running:
                self.running.remove(job)
        return Timing(0.0, ended - job.started)

    def _end(self, loop: asyncio.AbstractEventLoop) -> None:
        now, seconds = loop.time(), self.pacing.latency_seconds or 0.0
        while self._ending and self._ending[0].started + seconds <= now + _TINY:
            job = self._ending.popleft()
            if job.done is not None and not job.done.done():
                if job.advance is not None:
                    job.advance(job.tokens)
                job.done.set_result(now)
        if self._ending:
            loop.call_later(self._ending[0].started + seconds - now, self._end, loop)


class Batching(_Running):
    """One task steps the batch while there is work, and sleeps from event to event."""

    def __init__(self, pacing: Pacing) -> None:
        super().__init__(pacing)
        self.waiting: deque[Job] = deque()
        self._task: asyncio.Task[None] | None = None
        self._nudge: asyncio.Future[None] | None = None
        self._steps = 0
        """Decoding steps since newcomers last joined, and one: the router's `waiting_tokens`."""
        self._joined = False
        """Whether newcomers joined a running batch since the last decoding step."""

    async def run(self, job: Job) -> Timing:
        """Queue, be prefilled, be decoded token by token."""
        loop = asyncio.get_running_loop()
        job.queued = loop.time()
        job.done = loop.create_future()
        self.waiting.append(job)
        self._wake()
        if self._task is None or self._task.done():
            self._task = loop.create_task(self._work(loop))
        try:
            ended = await job.done
        finally:
            for place in (self.running, self.waiting):
                if job in place:  # its client has gone
                    place.remove(job)
                    self._wake()
        return Timing(job.started - job.queued, ended - job.started)

    async def _work(self, loop: asyncio.AbstractEventLoop) -> None:
        while self.waiting or self.running:
            alone = not self.running
            if newcomers := self._admit(loop.time()):
                await asyncio.sleep(self.pacing.prefill_seconds)
                self._produce(newcomers, 1, loop.time())
                self._steps, self._joined = 1, not alone
                continue
            if not self.running:
                break
            step = self.pacing.step(len(self.running))
            steps = min(1 if job.advance is not None else job.tokens - job.produced for job in self.running)
            steps = min(steps, self._until_some_join())
            began = loop.time()
            await self._pause(loop, steps * step)
            passed = (loop.time() - began) / step
            if passed < steps - _TINY:
                # Who comes or goes does so between two steps.
                await asyncio.sleep((max(1, ceil(passed - _TINY)) - passed) * step)
                passed = (loop.time() - began) / step
            # A timer may be late: then the batch has come further than asked.
            most = max((job.tokens - job.produced for job in self.running), default=0)
            done = min(int(passed + _TINY), most)
            self._steps, self._joined = self._steps + done, self._joined and not done
            self._produce(list(self.running), done, loop.time())

    def _admit(self, now: float) -> list[Job]:
        """Take from the queue what memory and scheduling let in; a job too large for memory runs alone."""
        least = self._least_to_join()
        if len(self.waiting) < least:
            return []
        used = sum(job.weight for job in self.running)
        prefill = 0
        newcomers: list[Job] = []
        for job in self.waiting:
            alone = not self.running and not newcomers
            used, prefill = used + job.weight, prefill + job.prompt
            if not alone and used > self.pacing.batch_tokens:
                break
            if not alone and self.pacing.scheduling == "v3" and prefill > self.pacing.prefill_tokens:
                break
            newcomers.append(job)
        if len(newcomers) < least:
            return []
        for job in newcomers:
            job.started = now
            self.running.append(self.waiting.popleft())
        return newcomers

    def _least_to_join(self) -> int:
        """How many newcomers must fit for any to be let in now."""
        running, pace = len(self.running), self.pacing
        if not running or pace.scheduling == "continuous":
            return 1
        if pace.scheduling == "static" or self._joined:
            return len(self.waiting) + 1
        if self._steps >= pace.max_waiting_tokens:
            return 1
        return max(1, int(running * pace.waiting_served_ratio))

    def _until_some_join(self) -> int:
        """Steps until those who wait are let in however few they are."""
        if self.pacing.scheduling != "v3" or not self.waiting:
            return _FOR_EVER
        if self._joined:
            return 1
        left = self.pacing.max_waiting_tokens - self._steps
        return left if left > 0 else _FOR_EVER  # then it is memory that keeps them out

    def _produce(self, jobs: list[Job], count: int, now: float) -> None:
        for job in jobs:
            if job.done is None or job.done.done():
                continue
            job.produced = min(job.tokens, job.produced + count)
            if job.advance is not None and count:
                job.advance(job.produced)
            if job.produced >= job.tokens:
                job.done.set_result(now)
                self.running.remove(job)

    async def _pause(self, loop: asyncio.AbstractEventLoop, seconds: float) -> None:
        self._nudge = loop.create_future()
        timer = loop.call_later(max(0.0, seconds), self._wake)
        try:
            await self._nudge
        finally:
            timer.cancel()
            self._nudge = None

    def _wake(self) -> None:
        if self._nudge is not None and not self._nudge.done():
            self._nudge.set_result(None)
