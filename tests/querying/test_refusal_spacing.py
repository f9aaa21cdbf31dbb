"""The spacing of requests, held against a leaky bucket's arithmetic instead of a clock."""

import heapq
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from halluvault_tasks.querying.refusal_spacing import Pacer


def through(rate: float, burst: int, latency: float, prompts: int, workers: int, seed: int = 1) -> tuple[float, int]:
    """A client with so many workers, behind nginx's `limit_req`: seconds it took, and how many were turned away."""
    random, pacer = Random(seed), Pacer()
    now, left, open_, turned_away, done = 0.0, prompts, 0, 0, 0
    excess, admitted = 0.0, -1e9
    events: list[tuple[float, int, str, float]] = []

    def add(after: float, what: str, sent: float) -> None:
        heapq.heappush(events, (now + after, len(events) + done + turned_away, what, sent))

    while done < prompts:
        while left and open_ < workers and not pacer.delay(now):
            pacer.reserve(now)
            left, open_ = left - 1, open_ + 1
            add(random.uniform(0, 0.003), "arrives", now)
        ready = now + pacer.delay(now) + 1e-6 if left and open_ < workers else float("inf")
        if not events or ready < events[0][0]:
            now = ready
            continue
        now, _order, what, sent = heapq.heappop(events)
        if what == "arrives":
            held = max(0.0, excess - rate * (now - admitted) + 1) if admitted > -1e8 else 0.0
            if held > burst:
                add(0.001, "turned away", sent)
            else:
                excess, admitted = held, now
                add(latency * random.uniform(0.7, 1.3), "answered", sent)
        else:
            open_ -= 1
            if what == "answered":
                done += 1
                pacer.answered()
            else:
                left, turned_away = left + 1, turned_away + 1
                pacer.refused(sent, now)
    return now, turned_away


@pytest.mark.parametrize("burst", [0, 4])
@pytest.mark.parametrize("latency", [0.02, 0.3, 1.0])
def test_a_gateway_that_admits_eight_a_second_is_kept_busy_with_few_refusals(burst: int, latency: float) -> None:
    seconds, turned_away = through(8, burst, latency, 240, 16)
    assert (240 - burst) / 8 / (seconds - latency) >= 0.93
    assert turned_away <= 240 // 2


def test_pauses_double_to_half_a_minute_while_nobody_is_admitted_and_end_with_an_answer() -> None:
    pacer, now, pauses = Pacer(), 100.0, []
    for _ in range(20):
        pacer.refused(now, now)
        pauses.append(pacer.delay(now))
        now += pauses[-1]
    assert pauses == sorted(pauses) and pauses[0] <= 0.02 and pauses[-1] == 30.0
    pacer.answered()
    assert pacer.delay(now) == 0.0


def test_a_burst_is_one_sign_and_retry_after_is_waited_for() -> None:
    pacer = Pacer()
    for _ in range(50):
        pacer.refused(sent=1.0, now=2.0)
    assert pacer.delay(2.0) == pytest.approx(0.01)
    pacer.refused(sent=1.0, now=2.0, retry_after=7.0)
    assert pacer.delay(2.0) == pytest.approx(7.0)


def test_a_server_without_a_free_place_is_not_spaced_out_while_it_answers() -> None:
    pacer = Pacer()
    for now in range(50):
        pacer.refused(float(now), float(now), own=True)
        pacer.answered()
        assert pacer.delay(float(now)) == 0.0 and pacer.interval == 0.0
    for now in range(50, 60):
        pacer.refused(float(now), float(now), own=True)
    assert pacer.delay(59.0) > 1.0, "but if it answers nobody, it is left alone for longer and longer"


@given(
    st.lists(
        st.tuples(st.sampled_from(["refused", "own", "answered", "reserve"]), st.floats(0, 40), st.floats(0, 100)),
        max_size=100,
    )
)
def test_whatever_comes_spacing_and_waits_stay_within_their_bounds(events: list[tuple[str, float, float]]) -> None:
    pacer, now, asked = Pacer(), 1.0, 0.0
    for what, passed, seconds in events:
        now += passed
        if what == "answered":
            pacer.answered()
        elif what == "reserve":
            pacer.reserve(now)
        else:
            asked = max(asked, seconds)
            pacer.refused(now, now, seconds, own=what == "own")
        assert 0.0 <= pacer.interval <= 30.0
        assert 0.0 <= pacer.delay(now) <= max(30.0, asked) + 31.0 * len(events)
