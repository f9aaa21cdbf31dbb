"""Spacing by tokens a minute, held against the arithmetic of windows and buckets instead of a clock."""

import heapq
from collections import Counter
from collections.abc import Callable
from random import Random
from typing import NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st

from halluvault_tasks.querying.progress import LaneProgress
from halluvault_tasks.querying.refusal_spacing import Pacer
from halluvault_tasks.querying.replies import RateLimit, Reply
from halluvault_tasks.querying.token_spacing import TokenPacer
from tests.querying.lanes import Book, Served, plain, run


class Window:
    """Grants so many tokens in each minute, counted as a request comes in."""

    def __init__(self, limit: int) -> None:
        self.limit, self.ends, self.left = limit, 60.0, float(limit)

    def admits(self, tokens: int, now: float) -> bool:
        while now >= self.ends:
            self.ends, self.left = self.ends + 60.0, float(self.limit)
        admitted = tokens <= self.left
        self.left -= tokens * admitted
        return admitted

    def says(self, now: float) -> RateLimit:
        return RateLimit(self.limit, int(self.left), self.ends - now)


class Bucket:
    """Holds so many tokens, and is filled with as many a minute, steadily."""

    def __init__(self, limit: int) -> None:
        self.limit, self.left, self.at = limit, float(limit), 0.0

    def admits(self, tokens: int, now: float) -> bool:
        self.left, self.at = min(self.limit, self.left + (now - self.at) * self.limit / 60), now
        admitted = tokens <= self.left
        self.left -= tokens * admitted
        return admitted

    def says(self, now: float) -> RateLimit:
        return RateLimit(self.limit, int(self.left), (self.limit - self.left) * 60 / self.limit)


class Ran(NamedTuple):
    seconds: float
    refused: int
    tokens: int


def asked(server: Window | Bucket, prompts: int, workers: int, cost: Callable[[Random], int], latency: float) -> Ran:
    """A client with so many workers: it is told with each answer what the server said as it admitted the request."""
    random, pacer, refusals = Random(1), TokenPacer(), Pacer()
    now, left, open_, refused, spent, order = 0.0, prompts, 0, 0, 0, 0
    events: list[tuple[float, int, float, int, RateLimit, bool]] = []
    while left or events:
        while left and open_ < workers and not max(pacer.delay(now), refusals.delay(now)):
            pacer.sending(now)
            refusals.reserve(now)
            left, open_, order, tokens = left - 1, open_ + 1, order + 1, cost(random)
            admitted = server.admits(tokens, now)
            spent += tokens * admitted
            done = now + (latency * random.uniform(0.5, 1.5) if admitted else 0.01)
            heapq.heappush(events, (done, order, now, tokens, server.says(now), admitted))
        ready = now + max(pacer.delay(now), refusals.delay(now)) + 1e-6 if left and open_ < workers else float("inf")
        if not events or ready < events[0][0]:
            now = ready
            continue
        now, _order, sent, tokens, said, admitted = heapq.heappop(events)
        open_ -= 1
        left, refused = left + (not admitted), refused + (not admitted)
        pacer.told(said, sent, now, tokens * admitted)
        if admitted:
            refusals.answered()
        else:
            refusals.refused(sent, now)
    return Ran(now, refused, spent)


@pytest.mark.parametrize("server", [Window, Bucket])
@pytest.mark.parametrize("limit", [6_000, 60_000])
@pytest.mark.parametrize("latency", [0.3, 3.0])
@pytest.mark.parametrize("workers", [4, 24])
def test_a_server_that_grants_tokens_by_the_minute_is_kept_busy_and_hardly_ever_refuses(
    server: type[Window] | type[Bucket], limit: int, latency: float, workers: int
) -> None:
    ran = asked(server(limit), 1200, workers, lambda random: random.randint(300, 900), latency)
    assert ran.refused <= 60, "5 %: what went out before the first answer, and what costs more than usual"
    by_tokens = (ran.tokens / limit - 1) * 60  # a minute's are there at the start
    assert max(by_tokens, 1200 * latency / workers) >= 0.85 * ran.seconds


def test_a_server_that_says_nothing_of_tokens_is_not_spaced() -> None:
    pacer = TokenPacer()
    for now in range(100):
        pacer.sending(float(now))
        pacer.told(None, float(now), now + 0.5, 700)
        assert pacer.delay(now + 0.5) == 0.0


def test_what_does_not_fit_in_what_is_left_waits_until_all_are_granted_again() -> None:
    pacer = TokenPacer()
    pacer.sending(1.0)
    pacer.told(RateLimit(None, 900, 20.0), 1.0, 2.0, 400)
    now, sent = 2.0, list[float]()
    while (now := now + pacer.delay(now)) < 22.0:
        pacer.sending(now)
        sent.append(now)
    assert len(sent) == 2, "two of 400 fit into 900"
    assert now == 22.0 and sent[1] - sent[0] > 5.0, "apart from each other"


def test_a_lane_sends_nothing_while_nothing_is_left() -> None:
    spent = Reply("yes", "stop", 500, 200, None, None, 1, rate=RateLimit(60_000, 0, 3600.0))
    served, ticks = Served(behaviour=lambda each, prompt: spent), Counter[str]()

    def stop(now: LaneProgress) -> None:
        ticks["done"] += 1
        if ticks["done"] == 20:
            raise KeyError("stopped from outside")

    with pytest.raises(KeyError):
        run([served], Book(plain(100)), 100, stop)
    assert len(served.asked) <= 8, "what was open when the first answer came"


@given(
    st.integers(0, 5000), st.floats(0.1, 60), st.integers(1, 900), st.lists(st.floats(0.0, 5.0), min_size=1)
)  # fmt: skip
def test_until_all_are_granted_again_no_more_is_sent_than_is_left(
    left: int, reset: float, cost: int, pauses: list[float]
) -> None:
    pacer, now, sent = TokenPacer(), 10.0, 0
    pacer.sending(9.0)
    pacer.told(RateLimit(None, left, reset), 9.0, now, cost)
    for pause in pauses:
        now += pause
        assert 0.0 <= pacer.delay(now) <= reset + 1e-9
        if not pacer.delay(now) and now < 10.0 + reset:
            pacer.sending(now)
            sent += cost
    assert sent <= left
