"""What does not pass by itself stops its own lane at once, and what was answered before is kept."""

from collections import Counter
from datetime import UTC, datetime, timedelta

import pytest

from halluvault_tasks.errors import Unavailable
from halluvault_tasks.querying import fleet
from halluvault_tasks.querying.barred import Barred
from halluvault_tasks.querying.replies import Failure, FailureKind, Reply, UnknownShape
from halluvault_tasks.querying.retry_policy import Policy
from tests.querying.lanes import Behaviour, Book, Served, plain, reply, run


def barred(status: int = 402, said: str = "the account is empty", param: str = "") -> Failure:
    return Failure(FailureKind.BARRED, f"HTTP {status}: {said}", status, param=param)


def after(count: int, failure: Failure) -> Behaviour:
    """Answers so many prompts, and nothing ever after."""
    answered: list[str] = []

    def answer(served: Served, prompt: str) -> Reply | Failure:
        if len(answered) == count:
            return failure
        answered.append(prompt)
        return reply(prompt)

    return answer


def test_an_empty_account_stops_the_lane_at_once_and_what_was_answered_is_kept() -> None:
    served, book = Served(behaviour=after(30, barred())), Book(plain(200))
    said = "m answers nothing before somebody acts at http://a: HTTP 402: the account is empty"
    with pytest.raises(Barred, match=said) as stop:
        run([served], book, 200, flush_seconds=60.0)
    assert len(served.asked) <= 30 + 8, "what was open at most"
    assert not isinstance(stop.value, Unavailable), "trying again would be in vain"
    assert "fill up its account" in stop.value.way_out and "run the same command again" in stop.value.way_out
    assert book.texts() == {f"c{number}": f"q{number}" for number in range(30)}


def test_a_refused_parameter_is_named_with_what_leaves_it_out() -> None:
    failure = barred(400, "Unsupported value: 'temperature'", param="temperature")
    with pytest.raises(Barred, match="refuses a parameter") as stop:
        run([Served(behaviour=after(0, failure))], Book(plain(20)), 20)
    assert "omit: [temperature]" in stop.value.way_out


@pytest.mark.parametrize("status", [401, 403, 404])
def test_one_in_passing_among_good_answers_costs_nothing(status: int) -> None:
    refused = Counter[str]()

    def once(served: Served, prompt: str) -> Reply | Failure:
        refused[prompt] += 1
        return barred(status, "one moment") if prompt in ("q3", "q9") and refused[prompt] == 1 else reply(prompt)

    served, book = Served(behaviour=once), Book(plain(20))
    final = run([served], book, 20)
    assert (final.done, final.dead, len(served.asked)) == (20, 0, 22)


def test_a_burst_of_them_at_the_start_costs_nothing_either() -> None:
    def late(served: Served, prompt: str) -> Reply | Failure:
        return barred(403, "one moment") if len(served.asked) <= 8 else reply(prompt)

    served, book = Served(behaviour=late), Book(plain(20))
    final = run([served], book, 20)
    assert (final.done, final.dead) == (20, 0)


@pytest.mark.parametrize("status", [401, 403, 404])
def test_a_key_that_is_revoked_stops_the_lane_and_buries_nothing(status: int) -> None:
    served, book = Served(behaviour=after(20, barred(status, "no such key"))), Book(plain(100))
    with pytest.raises(Barred, match=f"HTTP {status}: no such key"):
        run([served], book, 100)
    assert book.texts() == {f"c{number}": f"q{number}" for number in range(20)}
    assert len(served.asked) <= 20 + 8 + 8 + 1, "each of those open once more, and a harmless one"


def test_a_prompt_that_alone_is_forbidden_is_buried_alone() -> None:
    def filtered(served: Served, prompt: str) -> Reply | Failure:
        return barred(403, "request blocked") if prompt == "q5" else reply(prompt)

    book = Book(plain(20))
    final = run([Served(behaviour=filtered)], book, 20)
    assert (final.done, final.dead) == (20, 1) and book.kept["c5"].error == "HTTP 403: request blocked"


def test_a_shape_that_nobody_knows_stops_the_lane_with_its_beginning() -> None:
    strange = UnknownShape('HTTP 200 in an unknown shape: \'{"output": [{"wor\'')
    served, book = Served(behaviour=after(0, strange)), Book(plain(100))
    with pytest.raises(Barred, match=r"answers in a shape that is not known at http://a: .*output"):
        run([served], book, 100)
    assert len(served.asked) <= 8 + 3, "those that were open, and a harmless one"
    assert book.kept == {}


def test_three_strange_answers_in_a_row_are_chance_where_a_harmless_question_is_answered() -> None:
    def now_and_then(served: Served, prompt: str) -> Reply | Failure:
        if prompt != fleet.PROBE and len(served.asked) % 10 in (3, 4, 5):
            return UnknownShape("HTTP 200 in an unknown shape: '[]'")
        return reply(prompt)

    book = Book(plain(60))
    final = run([Served(behaviour=now_and_then)], book, 60, in_flight=1, policy=Policy(20, 30.0, 0.0001, 0.0005))
    assert (final.done, final.dead) == (60, 0)


def test_a_wait_beyond_the_outage_ends_the_lane_and_says_until_when() -> None:
    tomorrow = Failure(FailureKind.OVERLOADED, "HTTP 429: daily limit", 429, 43_200.0)
    served, book = Served(behaviour=after(12, tomorrow)), Book(plain(100))
    with pytest.raises(Barred, match="is not to be asked again before 20") as stop:
        run([served], book, 100, outage_seconds=1800.0)
    until = datetime.now(UTC) + timedelta(hours=12)
    assert any(f"{when:%Y-%m-%d %H:%M} UTC: HTTP 429: daily limit" in stop.value.message
               for when in (until, until - timedelta(minutes=1)))  # fmt: skip
    assert stop.value.way_out == "run the same command again then: only what is missing is asked"
    assert book.texts() == {f"c{number}": f"q{number}" for number in range(12)}


def test_a_short_wait_is_waited_out_and_a_second_replica_outlasts_a_long_one() -> None:
    asked = Counter[str]()

    def once(served: Served, prompt: str) -> Reply | Failure:
        asked["all"] += 1
        return Failure(FailureKind.OVERLOADED, "HTTP 429: slow down", 429, 0.02) if asked["all"] == 3 else reply(prompt)

    assert run([Served(behaviour=once)], Book(plain(20)), 20, outage_seconds=0.0).dead == 0
    away = Served("http://a", after(0, Failure(FailureKind.OVERLOADED, "HTTP 429: daily limit", 429, 43_200.0)))
    book = Book(plain(30))
    final = run([away, Served("http://b")], book, 30)
    assert (final.done, final.dead) == (30, 0) and len(book.kept) == 30
