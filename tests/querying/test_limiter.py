"""The adaptive limit, held against a server's arithmetic instead of a clock."""

from hypothesis import given
from hypothesis import strategies as st

from halluvault_tasks.querying.limiter import Limiter


class Server:
    """Admits so many at once, batches so many of them, and answers round by round of one second."""

    def __init__(self, admits: int, batch: int) -> None:
        self.admits, self.batch = admits, batch

    def round(self, limiter: Limiter, now: float) -> int:
        """One round of a client that keeps the limit open; returns how many were answered."""
        sent = limiter.limit
        for _ in range(max(0, sent - self.admits)):
            limiter.refused(now + 0.01)
        answered = min(sent, self.admits)
        waited = max(0, answered - self.batch) / self.batch  # rounds of the batch that the last one waits
        for place in range(answered):
            queue = round(1000 * waited * place / max(1, answered))
            limiter.replied(1.0 + waited, queue, 1000, now + 1.0)
        return answered


def test_alone_on_a_server_that_states_its_limit_the_first_round_is_full() -> None:
    limiter = Limiter(32, known=True)
    assert Server(admits=32, batch=32).round(limiter, 0.0) == 32
    assert limiter.limit == 32


def test_a_server_that_states_nothing_is_filled_by_doubling() -> None:
    limiter = Limiter(256, known=False)
    rounds = [Server(admits=1000, batch=1000).round(limiter, float(now)) for now in range(5)]
    assert rounds == [32, 64, 128, 256, 256]


def test_a_limit_found_out_by_refusals_is_held_near_it() -> None:
    limiter, server = Limiter(256, known=False), Server(admits=50, batch=50)
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


def test_a_queue_inside_the_server_lowers_the_limit_until_it_is_short() -> None:
    limiter, server = Limiter(400, known=True), Server(admits=400, batch=100)
    for now in range(40):
        server.round(limiter, 10.0 * now)
    assert 70 <= limiter.limit <= 170


def test_short_waits_are_no_queue() -> None:
    limiter = Limiter(64, known=True)
    for now in range(200):
        limiter.replied(0.01, 5, 5, float(now))
    assert limiter.limit == 64


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
            st.tuples(st.just("reply"), st.integers(0, 5000), st.integers(0, 5000)),
            st.tuples(st.just("refused"), st.just(0), st.just(0)),
            st.tuples(st.just("bound"), st.integers(1, 500), st.just(0)),
        ),
        max_size=200,
    ),
)
def test_whatever_comes_the_limit_stays_between_one_and_its_bound(
    cap: int, known: bool, events: list[tuple[str, int, int]]
) -> None:
    limiter = Limiter(cap, known)
    for now, (event, first, second) in enumerate(events):
        if event == "reply":
            limiter.replied(first / 1000, first, second, float(now))
        elif event == "refused":
            limiter.refused(float(now))
        else:
            cap = first
            limiter.bound(cap)
        assert 1 <= limiter.limit <= cap
