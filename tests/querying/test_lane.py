"""A lane over clients whose servers live in this process: breaker, identities, replicas, conversations, cancelling.

The clients here are servers and clients in one, since what is tested is the lane's own behaviour; the real ones meet
simulated servers in test_stages.py.
"""

import asyncio
import threading
from collections import Counter
from collections.abc import Sequence
from time import monotonic

import pytest

from halluvault_tasks.querying import conversation, fleet
from halluvault_tasks.querying.conversation import ChatTurn
from halluvault_tasks.querying.feed import FeedItem
from halluvault_tasks.querying.lane import Lane, LanePlan
from halluvault_tasks.querying.progress import LaneProgress
from halluvault_tasks.querying.replica import IdentityChanged, Replica, ServerDown
from halluvault_tasks.querying.replies import Failure, FailureKind, Reply, ServerInfo
from halluvault_tasks.querying.retry_policy import Policy
from tests.querying.lanes import OTHER, PLANNED, Behaviour, Book, Served, broken, plain, reply, run


def test_every_prompt_is_answered_once_and_never_more_are_open_than_allowed() -> None:
    served, book = Served(), Book(plain(95))
    final = run([served], book, 95)
    assert book.texts() == {f"c{number}": f"q{number}" for number in range(95)}
    assert (final.done, final.dead, final.in_flight) == (95, 0, 0)
    assert 1 < served.most_open <= 8
    assert len(served.asked) == 95, "nothing was asked twice"


def test_lanes_that_share_a_server_share_its_budget_and_its_own_limit() -> None:
    served, book = Served(), Book(plain(60))
    served.admits, book.lanes = 6, 2
    run([served], book, 60, in_flight=40)
    assert served.most_open == 3


def test_replicas_get_their_parts_and_one_that_is_away_is_done_without() -> None:
    first, second = Served("http://a"), Served("http://b")
    second.reachable = False
    book = Book(plain(60))
    final = run([first, second], book, 60)
    assert final.dead == 0 and book.texts() == {f"c{number}": f"q{number}" for number in range(60)}
    assert second.asked == [] and first.most_open <= 4


def test_a_replica_that_comes_back_is_asked_again() -> None:
    first, second = Served("http://a"), Served("http://b")
    second.reachable = False
    book = Book(plain(400))

    def mend(now: LaneProgress) -> None:
        second.reachable = True

    first.behaviour = lambda served, prompt: reply(prompt)

    async def slow(prompt: str, seed: int | None = None, patience: int = 1) -> Reply:
        await asyncio.sleep(0.01)
        return await Served._answer(first, prompt)

    first.complete = slow  # type: ignore[method-assign]
    run([first, second], book, 400, mend)
    assert len(book.kept) == 400 and second.asked[0] == fleet.PROBE and len(second.asked) > 10


def test_the_breaker_spares_a_dead_server_and_a_probe_closes_it() -> None:
    served, book = Served(), Book(plain(40))
    state = Counter[str]()

    def ill(each: Served, prompt: str) -> Reply | Failure:
        state["asked"] += 1
        return broken() if state["asked"] <= 15 else reply(prompt)

    served.behaviour = ill
    final = run([served], book, 40)
    assert len(book.kept) == 40 and final.dead == 0
    # Eight may be open, and it takes five failures to see; after that only the probe asks.
    opened = served.asked.index(fleet.PROBE)
    assert opened <= 8 + 4
    assert set(served.asked[opened:15]) == {fleet.PROBE}


def test_a_server_that_stays_dead_stops_the_lane_and_buries_nothing() -> None:
    served, book = Served(behaviour=lambda each, prompt: broken()), Book(plain(20))
    with pytest.raises(ServerDown, match="m does not answer at http://a: HTTP 500"):
        run([served], book, 20, outage_seconds=0.05)
    assert book.kept == {}


def unforeseen(*prompts: str) -> Behaviour:
    """A client that raises on some prompts what no client should."""

    def answer(served: Served, prompt: str) -> Reply | Failure:
        if not prompts or prompt in prompts:
            raise RecursionError("nested too deep")
        return reply(prompt)

    return answer


def test_a_prompt_on_which_the_client_itself_fails_is_buried_alone() -> None:
    served, book = Served(behaviour=unforeseen("q3", "q9")), Book(plain(20))
    final = run([served], book, 20)
    assert (final.done, final.dead) == (20, 2)
    assert {case for case, text in book.texts().items() if text is None} == {"c3", "c9"}
    assert book.kept["c3"].error == "asking it fails: RecursionError: nested too deep"


def test_a_client_that_fails_on_a_harmless_question_too_ends_the_lane_and_buries_nothing() -> None:
    served, book = Served(behaviour=unforeseen()), Book(plain(20))
    with pytest.raises(RecursionError):
        run([served], book, 20)
    assert book.kept == {}


def test_a_poison_prompt_is_buried_alone_and_its_neighbours_live() -> None:
    def batch(each: Served, prompt: str) -> Reply | Failure:
        # A forward pass that fails takes the whole batch with it.
        return broken(424) if prompt in ("q3", "q9") or (poison_open(each) and each.open) else reply(prompt)

    def poison_open(each: Served) -> bool:
        return each.asked[-1] in ("q3", "q9")

    served, book = Served(behaviour=batch), Book(plain(50))
    final = run([served], book, 50)
    dead = {case for case, outcome in book.kept.items() if outcome.reply is None}
    assert dead == {"c3", "c9"} and final.dead == 2
    assert "4 attempts failed" in book.kept["c3"].error


def test_the_last_prompt_left_is_buried_only_after_the_server_answered_something_else() -> None:
    served = Served(behaviour=lambda each, prompt: reply(prompt) if prompt == fleet.PROBE else broken())
    book = Book(plain(1))
    final = run([served], book, 1)
    assert final.dead == 1 and fleet.PROBE in served.asked


def full(status: int = 503) -> Failure:
    return Failure(FailureKind.OVERLOADED, f"HTTP {status}: full", status)


@pytest.mark.parametrize("status", [429, 503, 529])
def test_a_full_gateway_is_held_against_no_prompt(status: int) -> None:
    admitted = [0.0]

    def a_few_a_second(each: Served, prompt: str) -> Reply | Failure:
        if monotonic() - admitted[0] < 0.008:
            return full(status)
        admitted[0] = monotonic()
        return reply(prompt)

    served, book = Served(behaviour=a_few_a_second), Book(plain(80))
    final = run([served], book, 80, policy=Policy(1, 5.0, 0.001, 0.005))
    assert final.dead == 0 and book.texts() == {f"c{number}": f"q{number}" for number in range(80)}
    assert final.failures["overloaded"] >= len(served.asked) - 80 - served.asked.count(fleet.PROBE) > 0


def test_what_a_gateway_says_of_a_server_that_answers_others_is_held_against_no_prompt() -> None:
    count = Counter[str]()

    def slow(each: Served, prompt: str) -> Reply | Failure:
        count["asked"] += 1
        return broken((502, 504)[count["asked"] % 2]) if count["asked"] % 5 in (1, 2, 3) else reply(prompt)

    book = Book(plain(60))
    final = run([Served(behaviour=slow)], book, 60, policy=Policy(1, 5.0, 0.001, 0.005))
    assert final.dead == 0 and len(book.kept) == 60


@pytest.mark.parametrize("failure", [full(), full(429), broken(502), broken(504)], ids=lambda each: str(each.status))
def test_a_prompt_that_is_turned_away_alone_while_others_are_answered_is_buried(failure: Failure) -> None:
    def picky(each: Served, prompt: str) -> Reply | Failure:
        return failure if prompt == "q1" else reply(prompt)

    served, book = Served(behaviour=picky), Book(plain(12))
    final = run([served], book, 12)
    assert final.dead == 1 and book.kept["c1"].reply is None
    assert "turned away 8 times while others were answered before and after it" in book.kept["c1"].error


def test_the_only_prompt_left_that_is_turned_away_is_buried_beside_a_harmless_one() -> None:
    served = Served(behaviour=lambda each, prompt: reply(prompt) if prompt == fleet.PROBE else full())
    final = run([served], Book(plain(1)), 1)
    assert final.dead == 1 and served.asked.count(fleet.PROBE) >= 8


def test_a_gateway_that_stays_full_stops_the_lane_and_buries_nothing() -> None:
    served, book = Served(behaviour=lambda each, prompt: full()), Book(plain(20))
    with pytest.raises(ServerDown, match=r"m has been full at http://a for 0\.2 s: HTTP 503: full"):
        run([served], book, 20, policy=Policy(2, 0.2, 0.001, 0.005), outage_seconds=0.1)
    assert book.kept == {}


def test_a_server_that_says_it_is_full_while_it_loads_is_waited_for_as_long_as_one_that_is_away() -> None:
    def loading(served: Served, prompt: str) -> Reply | Failure:
        return full() if len(served.asked) <= 11 else reply(prompt)

    served, book = Served(behaviour=loading), Book(plain(20))
    # Pauses that double from 10 ms: a prompt's own patience is long over when it has loaded.
    final = run([served], book, 20, policy=Policy(2, 0.02, 0.001, 0.005), outage_seconds=60.0)
    assert (final.done, final.dead) == (20, 0)


def test_a_gateway_that_admits_nobody_is_asked_ever_less_often() -> None:
    served = Served(behaviour=lambda each, prompt: full())
    with pytest.raises(ServerDown):
        run([served], Book(plain(20)), 20, policy=Policy(2, 0.6, 0.001, 0.005), outage_seconds=0.1)
    # Eight at once; then, with pauses that double from 10 ms, no more than seven fit into 0.6 s.
    assert len(served.asked) <= 8 + 7
    assert served.most_open == 8


def test_one_full_replica_leaves_the_work_to_the_other() -> None:
    first, second = Served("http://a", lambda each, prompt: full()), Served("http://b")
    book = Book(plain(60))
    final = run([first, second], book, 60, policy=Policy(2, 30.0, 0.001, 0.005))
    assert final.dead == 0 and len(book.kept) == 60 and len(first.asked) < len(second.asked)


def test_a_server_that_becomes_another_model_pauses_the_lane_and_what_it_said_is_asked_again() -> None:
    served, book = Served(), Book(plain(60))
    said_by_other: list[str] = []

    def swapped(each: Served, prompt: str) -> Reply | Failure:
        if len(each.asked) >= 25 and not said_by_other:
            each.identity = OTHER
        if each.identity == OTHER:
            said_by_other.append(prompt)
            return reply("from another model")
        return reply(prompt)

    notes = []

    def put_back(now: LaneProgress) -> None:
        if now.note:
            notes.append(now.note)
            served.identity = PLANNED

    served.behaviour = swapped
    final = run([served], book, 60, put_back)
    assert book.texts() == {f"c{number}": f"q{number}" for number in range(60)}
    assert said_by_other and final.dead == 0
    assert "is now m (sha 2, server v); this evaluation was planned for m (sha 1, server v)" in notes[0]
    assert len(book.changes) == 1, "one change, one incident"


def test_a_server_that_stays_another_model_stops_the_lane_and_nothing_of_it_is_kept() -> None:
    served, book = Served(), Book(plain(20))
    served.identity = OTHER
    with pytest.raises(IdentityChanged):
        run([served], book, 20, outage_seconds=0.05)
    assert book.kept == {} and len(book.changes) == 1
    assert served.asked == [], "another model is not even asked"


def test_a_change_that_ends_the_lane_is_told_though_the_database_was_busy_until_then() -> None:
    free = threading.Event()
    arrived: list[Served] = []

    class Busy(Book):
        def page(self) -> Sequence[FeedItem]:
            free.wait()
            return []

    class Pair(Served):
        async def healthy(self) -> bool:
            arrived.append(self)
            if len(arrived) > 1:
                return True  # is itself, another model, and so ends the lane
            try:
                return await asyncio.Event().wait()
            finally:  # the lane ends
                for _ in range(3):
                    await asyncio.sleep(0)
                free.set()

    servers, book = [Pair("http://a"), Pair("http://b")], Busy([])
    for each in servers:
        each.identity = OTHER
    with pytest.raises(IdentityChanged):
        run(servers, book, 20, outage_seconds=0.0)
    assert sorted(cause.message[:16] for cause in book.changes) == ["m at http://a is", "m at http://b is"]


def test_one_replica_that_changed_is_left_out_and_the_other_goes_on() -> None:
    first, second = Served("http://a"), Served("http://b", lambda each, prompt: reply("from another model"))
    second.identity = OTHER
    book = Book(plain(30))
    final = run([first, second], book, 30)
    assert final.dead == 0 and set(book.texts().values()) == {f"q{number}" for number in range(30)}
    assert [cause.message[:16] for cause in book.changes] == ["m at http://b is"]


def test_a_lane_that_is_stopped_closes_every_open_request() -> None:
    served, book = Served(), Book(plain(30))

    def stop(now: LaneProgress) -> None:
        if now.in_flight == 8:
            raise KeyError("stopped from outside")

    async def lane() -> None:
        served.hold = asyncio.Event()
        made = LanePlan("m", PLANNED, 8, Policy(4, 30.0))
        await Lane(made, [Replica(served)], book, 30, stop, tick_seconds=0.01).run()

    with pytest.raises(KeyError):
        asyncio.run(lane())
    assert served.cancelled == 8 and served.open == 0


TURNS = (ChatTurn("user", "Tell me about it."), ChatTurn("assistant", None), ChatTurn("user", "Was it so?"))


def test_a_conversation_is_walked_turn_by_turn_and_kept_whole() -> None:
    book = Book([FeedItem("c", "", TURNS)])
    replies = {"user: Tell me about it.": "Gladly.",
               "user: Tell me about it. | assistant: Gladly. | user: Was it so?": "Yes."}  # fmt: skip
    run([Served(behaviour=lambda each, prompt: reply(replies[prompt]))], book, 1)
    outcome = book.kept["c"]
    assert outcome.reply == Reply("Yes.", "stop", 2, 2, 0, 2, 2), "the last text, the whole exchange's tokens and times"
    assert outcome.work.attempts == 2
    assert conversation.transcript(TURNS, outcome.work.replies) == [
        {"role": "user", "content": "Tell me about it."},
        {"role": "assistant", "content": "Gladly."},
        {"role": "user", "content": "Was it so?"},
        {"role": "assistant", "content": "Yes."},
    ]


def test_a_conversation_goes_on_at_the_turn_that_failed() -> None:
    failed = Counter[str]()

    def once(each: Served, prompt: str) -> Reply | Failure:
        failed[prompt] += 1
        return broken() if failed[prompt] == 1 else reply("ok")

    served = Served(behaviour=once)
    book = Book([FeedItem("c", "", TURNS)])
    run([served], book, 1)
    assert [len(prompt.split(" | ")) for prompt in served.asked] == [1, 1, 3, 3]
    assert book.kept["c"].work.attempts == 4


@pytest.mark.parametrize(
    "text",
    ["{}", "[]", '[{"role":"user"}]', '[{"role":"user","content":null}]', '[{"role":"king","content":"x"}]',
     '[{"role":"user","content":"x"},{"role":"assistant","content":null}]'],
)  # fmt: skip
def test_what_is_no_conversation_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="chat prompt"):
        conversation.turns_of(text)


def test_a_server_that_is_too_busy_to_say_who_it_is_is_given_longer_each_time() -> None:
    served, book = Served(), Book(plain(60))
    given: list[float] = []

    async def busy(seconds: float = 10.0) -> ServerInfo:
        given.append(seconds)
        if 1 < len(given) < 5:
            raise Failure(FailureKind.RETRYABLE, f"no answer within {seconds:g} s", timed_out=True)
        return ServerInfo(PLANNED)

    served.info = busy  # type: ignore[method-assign]
    final = run([served], book, 60)
    assert final.dead == 0 and len(book.kept) == 60
    assert given[1:6] == [10.0, 20.0, 40.0, 80.0, 10.0][: len(given) - 1]
