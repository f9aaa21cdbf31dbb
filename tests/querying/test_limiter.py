"""The adaptive limit, held against a server's arithmetic instead of a clock."""

from collections.abc import Callable
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from halluvault_tasks.querying.limiter import Limiter


class Server:
    """Admits so many at once, and answers round by round of one second."""

    def __init__(self, admits: int) -> None:
        self.admits = admits

    def round(self, limiter: Limiter, now: float) -> int:
        """One round of a client that keeps the limit open; returns how many were answered."""
        sent = limiter.limit
        for _ in range(max(0, sent - self.admits)):
            limiter.refused(now + 0.01)
        answered = min(sent, self.admits)
        for _ in range(answered):
            limiter.answered(20, 1.0, sent, now + 1.0)
        return answered


def serve(
    limiter: Limiter, answers: int, lengths: tuple[int, int], batch: int, static: bool,
    step: Callable[[int], float] = lambda running: 0.03, seed: int = 1,
) -> tuple[float, list[int]]:  # fmt: skip
    """A server that gives every running sequence a token a step, and a client that keeps the limit open.

    Args:
        limiter: of the client.
        answers: how many prompts there are.
        lengths: least and most tokens of an answer.
        batch: how many sequences run at once; the others wait in the server.
        static: whether a batch admits nobody until it ends.
        step: seconds of a step with so many sequences.
        seed: of the lengths.

    Returns:
        Tokens a second, and the limit after each answer.
    """
    random = Random(seed)
    now, sent, done, tokens, open_ = 0.0, 0, 0, 0, 0
    waiting: list[list[float]] = []
    running: list[list[float]] = []
    limits: list[int] = []
    while done < answers:
        while open_ < limiter.limit and sent < answers:
            waiting.append([random.randint(*lengths), 0, now])
            sent, open_ = sent + 1, open_ + 1
        if not static or not running:
            while waiting and len(running) < batch:
                running.append(waiting.pop(0))
        now += step(len(running))
        for each in list(running):
            each[1] += 1
            if each[1] >= each[0]:
                running.remove(each)
                done, tokens = done + 1, tokens + int(each[0])
                limiter.answered(int(each[0]), now - each[2], open_, now)
                open_ -= 1
                limits.append(limiter.limit)
    return tokens / now, limits


class Constant(Limiter):
    """A bare loop: always the same number in flight."""

    @property
    def limit(self) -> int:
        return self._cap


@pytest.mark.parametrize("static", [False, True], ids=["continuous", "static"])
@pytest.mark.parametrize("lengths", [(4, 4), (10, 310)], ids=["short", "long"])
@pytest.mark.parametrize("cap", [16, 128])
@pytest.mark.parametrize("batch", [32, 1000])
def test_requests_that_wait_inside_the_server_cost_no_throughput(
    static: bool, lengths: tuple[int, int], cap: int, batch: int
) -> None:
    answers = 40 * cap
    ours, _limits = serve(Limiter(cap, known=True), answers, lengths, batch, static)
    bare, _limits = serve(Constant(cap, known=True), answers, lengths, batch, static)
    assert ours >= 0.95 * bare


@pytest.mark.parametrize("static", [False, True], ids=["continuous", "static"])
def test_an_unstated_limit_is_doubled_only_while_more_tokens_a_second_come(static: bool) -> None:
    _rate, limits = serve(Limiter(1024, known=False), 6000, (20, 60), 50, static)
    assert max(limits[2000:]) <= 200, "50 run at once: more in flight bring nothing"
    _rate, limits = serve(Limiter(256, known=False), 6000, (20, 60), 1000, static)
    assert max(limits) == 256 and limits[3000] >= 200


def test_a_limit_that_brings_no_more_than_a_lower_one_is_lowered_and_one_that_does_is_kept() -> None:
    _rate, limits = serve(Limiter(400, known=True), 20_000, (4, 4), 100, False)
    assert limits[-1] < 300
    # A step takes longer the more run, so that twice as many bring a third more.
    ours, limits = serve(Limiter(256, known=True), 20_000, (4, 4), 1000, False, lambda running: 0.01 * running**0.6)
    bare, _limits = serve(Constant(256, known=True), 20_000, (4, 4), 1000, False, lambda running: 0.01 * running**0.6)
    assert limits[-1] >= 200 and ours >= 0.97 * bare


def test_alone_on_a_server_that_states_its_limit_the_first_round_is_full() -> None:
    limiter = Limiter(32, known=True)
    assert Server(admits=32).round(limiter, 0.0) == 32
    assert limiter.limit == 32


def test_a_limit_found_out_by_refusals_is_held_near_it() -> None:
    limiter, server = Limiter(256, known=False), Server(admits=50)
    rounds = [server.round(limiter, 2.0 * now) for now in range(40)]
    assert sum(rounds[10:]) >= 0.85 * 50 * 30
    assert limiter.limit <= 64


def test_a_burst_of_refusals_cuts_once_and_to_seven_tenths() -> None:
    limiter = Limiter(100, known=True)
    for _ in range(50):
        limiter.refused(10.0)
    assert limiter.limit == 70
    limiter.refused(20.0)
    assert limiter.limit == 49


def test_what_is_admitted_already_is_not_cut() -> None:
    limiter = Limiter(100, known=True)
    limiter.refused(10.0, admitted=90)
    assert limiter.limit == 90
    limiter.refused(20.0, admitted=200)
    assert limiter.limit == 90


def test_a_neighbour_that_leaves_gives_its_part_back_at_once() -> None:
    limiter = Limiter(4096, known=True)
    limiter.bound(24)
    assert limiter.limit == 24
    limiter.bound(12)
    assert limiter.limit == 12
    limiter.bound(24)
    assert limiter.limit == 24


@given(
    cap=st.integers(1, 500),
    known=st.booleans(),
    events=st.lists(
        st.one_of(
            st.tuples(st.just("answered"), st.integers(0, 5000), st.integers(0, 600)),
            st.tuples(st.just("refused"), st.integers(0, 600), st.just(0)),
            st.tuples(st.just("bound"), st.integers(1, 500), st.just(0)),
        ),
        max_size=400,
    ),
)
def test_whatever_comes_the_limit_stays_between_one_and_its_bound(
    cap: int, known: bool, events: list[tuple[str, int, int]]
) -> None:
    limiter = Limiter(cap, known)
    for now, (event, first, second) in enumerate(events):
        if event == "answered":
            limiter.answered(first, first / 1000, second, float(now))
        elif event == "refused":
            limiter.refused(float(now), first)
        else:
            cap = first
            limiter.bound(cap)
        assert 1 <= limiter.limit <= cap
