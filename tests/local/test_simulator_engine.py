"""Continuous batching against a token-by-token count of the same rules, in a time that a loop only pretends to pass."""

import asyncio
import selectors
from collections.abc import Awaitable, Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from halluvault_tasks.local.simulator.engine import (
    SCHEDULINGS,
    BatchFailed,
    Batching,
    FixedLatency,
    Job,
    Pacing,
    Timing,
)


class Pretended(selectors.SelectSelector):
    """A selector that waits for nothing: the clock of its loop is put forward instead."""

    now = 0.0

    def select(self, timeout: float | None = None) -> Any:
        self.now += timeout or 0.0
        return super().select(0)


def pretend(work: Callable[[], Awaitable[Any]]) -> Any:
    clock = Pretended()
    loop = asyncio.SelectorEventLoop(clock)
    loop.time = lambda: clock.now  # type: ignore[method-assign]
    loop._clock_resolution = 1e-9  # type: ignore[attr-defined]
    try:
        return loop.run_until_complete(work())
    finally:
        loop.close()


PACE = Pacing(
    prefill_seconds=0.5, step_seconds=0.1, sequence_seconds=0.02, batch_tokens=100,
    max_waiting_tokens=4, prefill_tokens=40,
)  # fmt: skip


JobSpec = tuple[int, int, int, float]
"""Prompt tokens, reserved new tokens, new tokens, when it is asked."""


def counted(jobs: list[JobSpec], pace: Pacing) -> list[float]:
    """When each job ends: the rules applied one token at a time."""
    queue = sorted(range(len(jobs)), key=lambda n: jobs[n][3])
    running, now = dict[int, int](), 0.0
    ended = [0.0] * len(jobs)
    weight = [prompt + min(1024, reserved) for prompt, reserved, _tokens, _asked in jobs]
    waited, joined = 0, False
    while queue or running:
        if not running:
            now = max(now, jobs[queue[0]][3])
        here = [n for n in queue if jobs[n][3] <= now]
        least = 1
        if running and pace.scheduling == "static":
            least = len(here) + 1
        elif running and pace.scheduling == "v3":
            least = max(1, int(len(running) * pace.waiting_served_ratio)) if waited < pace.max_waiting_tokens else 1
            least = len(here) + 1 if joined else least
        new: list[int] = []
        for n in here:
            together = (*running, *new, n)
            if len(together) > 1 and sum(weight[m] for m in together) > pace.batch_tokens:
                break
            too_long = sum(jobs[m][0] for m in (*new, n)) > pace.prefill_tokens
            if pace.scheduling == "v3" and len(together) > 1 and too_long:
                break
            new.append(n)
        if len(new) < least:
            new = []
        if new:
            queue = [n for n in queue if n not in new]
            now += pace.prefill_seconds
            waited, joined = 1, bool(running)
            running.update(dict.fromkeys(new, 0))
        else:
            now += pace.step_seconds + pace.sequence_seconds * len(running)
            waited, joined = waited + 1, False
        for n in new or list(running):
            running[n] += 1
            if running[n] == jobs[n][2]:
                ended[n] = now
                del running[n]
    return ended


async def ends(engine: Batching | FixedLatency, jobs: list[Job], asked: list[float] | None = None) -> list[float]:
    loop = asyncio.get_running_loop()

    async def one(job: Job, at: float) -> float:
        if at:
            await asyncio.sleep(at)
        await engine.run(job)
        return loop.time()

    return await asyncio.gather(*(one(job, at) for job, at in zip(jobs, asked or [0.0] * len(jobs), strict=True)))


# Odd fractions: nobody comes at the very moment at which a step ends.
_ASKED = st.one_of(st.just(0.0), st.integers(1, 400).map(lambda n: n * 0.0731 + 0.000137))
_JOBS = st.lists(
    st.tuples(st.integers(1, 60), st.integers(1, 60), st.integers(1, 30), _ASKED),
    min_size=1,
    max_size=12,
    unique_by=lambda job: job[3] or object(),
)


@given(_JOBS, st.sampled_from(SCHEDULINGS))
def test_every_job_ends_when_a_count_token_by_token_says(jobs: list[JobSpec], scheduling: str) -> None:
    pace = PACE._replace(scheduling=scheduling)
    asked = [job[3] for job in jobs]
    found = pretend(lambda: ends(Batching(pace), [Job(*job[:3]) for job in jobs], asked))
    assert found == pytest.approx(counted(jobs, pace), abs=1e-4)


@given(_JOBS, st.sampled_from(SCHEDULINGS))
def test_being_watched_changes_no_time(jobs: list[JobSpec], scheduling: str) -> None:
    pace = PACE._replace(scheduling=scheduling)
    told: list[list[int]] = [[] for _job in jobs]
    watched = [Job(*job[:3], told[n].append) for n, job in enumerate(jobs)]
    found = pretend(lambda: ends(Batching(pace), watched, [job[3] for job in jobs]))
    assert found == pytest.approx(counted(jobs, pace), abs=1e-4)
    assert [counts[-1] for counts in told] == [job[2] for job in jobs]
    assert all(counts == sorted(set(counts)) for counts in told)


def test_a_step_takes_longer_the_more_it_serves_and_still_gains() -> None:
    alone, together = (
        max(pretend(lambda count=count: ends(Batching(PACE), [Job(1, 1, 20) for _ in range(count)])))
        for count in (1, 10)
    )
    assert alone < together < 10 * alone


def test_what_memory_does_not_hold_waits_in_order_and_the_wait_is_told() -> None:
    async def work() -> list[Timing]:
        engine = Batching(PACE)
        return await asyncio.gather(*(engine.run(Job(30, 30, 10)) for _ in range(3)))

    first, second, third = pretend(work)
    assert first.queue_seconds == 0
    assert second.queue_seconds == pytest.approx(first.inference_seconds)
    assert third.queue_seconds == pytest.approx(2 * first.inference_seconds)


def test_a_failed_batch_fails_who_runs_and_not_who_waits() -> None:
    async def work() -> list[object]:
        engine = Batching(PACE)
        jobs = [asyncio.ensure_future(engine.run(Job(20, 20, 10))) for _ in range(4)]
        await asyncio.sleep(1.0)
        engine.fail("CUDA out of memory")
        return await asyncio.gather(*jobs, return_exceptions=True)

    found = pretend(work)
    assert [type(each) for each in found] == [BatchFailed, BatchFailed, Timing, Timing]


def test_a_job_that_is_given_up_leaves_its_place() -> None:
    async def work() -> Timing:
        engine = Batching(PACE)
        first = asyncio.ensure_future(engine.run(Job(90, 10, 10_000)))
        second = asyncio.ensure_future(engine.run(Job(90, 10, 5)))
        await asyncio.sleep(10.0)
        first.cancel()
        timing = await second
        assert not engine.running and not engine.waiting
        return timing

    # The prefill, and whole steps until the one in which the first leaves is over.
    assert pretend(work).queue_seconds == pytest.approx(0.5 + 80 * 0.12)


@given(st.lists(st.floats(0, 3), max_size=20))
def test_a_fixed_latency_is_kept_however_many_ask(asked: list[float]) -> None:
    found = pretend(lambda: ends(FixedLatency(Pacing(latency_seconds=0.5)), [Job(1, 1, 7) for _ in asked], asked))
    assert found == pytest.approx([at + 0.5 for at in asked], abs=1e-5)
