"""What a lane does with replies that answer nothing: refused by the API, silent, cut off in the thought."""

import logging
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from halluvault_tasks.querying import conversation
from halluvault_tasks.querying.conversation import ChatTurn
from halluvault_tasks.querying.feed import FeedItem
from halluvault_tasks.querying.progress import Unanswered
from halluvault_tasks.querying.replies import Failure, FailureKind, Finish, Reply
from tests.querying.lanes import Behaviour, Book, Served, plain, reply, run

TURNS = (ChatTurn("user", "Explain."), ChatTurn("assistant", None), ChatTurn("user", "Yes or no?", "verdict"))


def made(text: str, finish: str = "stop", **parts: Any) -> Reply:
    return Reply(text, finish, 10, 20, None, None, 5, **parts)


REFUSED = made("", "content_filter", refusal="I cannot help with this one.")
SILENT = made("", thought="Perhaps yes at first sight.", thought_tokens=7)
CUT = made("", "length", thought="Perhaps yes, perhaps no, perh", thought_tokens=20)


def by_turn(*replies: Reply | Failure) -> Behaviour:
    """Answers so in each turn, and the last so ever after."""

    def answer(served: Served, prompt: str) -> Reply | Failure:
        return replies[min(len(served.asked), len(replies)) - 1]

    return answer


@pytest.mark.parametrize("last", [REFUSED, SILENT], ids=["refused", "silent"])
@pytest.mark.parametrize("before", [(), (made("She was.", thought="Hm."),)], ids=["first turn", "verdict turn"])
def test_a_turn_that_answers_nothing_ends_the_exchange_and_is_delivered(before: tuple[Reply, ...], last: Reply) -> None:
    served, book = Served(behaviour=by_turn(*before, last)), Book([FeedItem("c", "", TURNS)])
    final = run([served], book, 1)
    [outcome] = book.kept.values()
    assert len(served.asked) == len(before) + 1, "nothing more is asked"
    assert outcome.reply is not None and (outcome.error, final.dead) == ("", 0)
    assert (outcome.reply.text, outcome.reply.refusal, outcome.reply.finish_reason) == (
        "", last.refusal, last.finish_reason,
    )  # fmt: skip
    transcript = conversation.transcript(TURNS, outcome.work.replies)
    assert [turn["content"] for turn in transcript] == [
        "Explain.", *(text for one in before for text in (one.text, "Yes or no?")), "",
    ]  # fmt: skip


def test_an_answer_cut_off_in_its_thought_is_asked_again_once_with_twice_the_tokens() -> None:
    served, book = Served(behaviour=by_turn(CUT, made("Yes."))), Book([FeedItem("c", "q")])
    final = run([served], book, 1)
    assert (served.asked, served.patience) == (["q", "q"], [1, 2])
    assert book.texts() == {"c": "Yes."} and final.unanswered == Unanswered()


@pytest.mark.parametrize(
    "then", [CUT, Failure(FailureKind.FATAL, "HTTP 422: `max_new_tokens` must be <= 512", 422)], ids=["cut", "refused"]
)
def test_one_that_is_cut_off_again_or_cannot_have_more_stays_cut_off(then: Reply | Failure) -> None:
    served, book = Served(behaviour=by_turn(CUT, then)), Book([FeedItem("c", "q")])
    final = run([served], book, 1)
    [outcome] = book.kept.values()
    assert (served.asked, served.patience) == (["q", "q"], [1, 2])
    assert outcome.reply == CUT and outcome.work.attempts == 2
    assert (final.dead, final.unanswered) == (0, Unanswered(cut_off=1))


def test_each_turn_has_its_own_second_chance_and_the_exchange_goes_on_from_text_alone() -> None:
    explained = made("She was born in 1952.", thought="Let me see.")
    served = Served(behaviour=by_turn(CUT, explained, CUT, made("yes", thought="So yes.")))
    book = Book([FeedItem("c", "", TURNS)])
    run([served], book, 1)
    assert served.patience == [1, 2, 1, 2]
    assert served.asked[2] == "user: Explain. | assistant: She was born in 1952. | user: Yes or no?"
    reply = book.kept["c"].reply
    assert reply is not None and (reply.text, reply.thought) == ("yes", "Let me see.\n\nSo yes.")


def test_a_free_turn_cut_at_its_limit_is_followed_by_the_next() -> None:
    served = Served(behaviour=by_turn(made("She was born in", "length"), made("yes")))
    book = Book([FeedItem("c", "", TURNS)])
    run([served], book, 1)
    assert served.patience == [1, 1] and book.texts() == {"c": "yes"}


def test_what_answers_nothing_is_counted_by_its_reason_and_said() -> None:
    replies = {"q0": REFUSED, "q1": REFUSED, "q2": SILENT, "q3": CUT}
    served = Served(behaviour=lambda each, prompt: replies.get(prompt, reply(prompt)))
    final = run([served], Book(plain(12)), 12)
    assert final.unanswered == Unanswered(refused=2, silent=1, cut_off=1)
    assert (final.done, final.dead) == (12, 0)
    assert final.line().endswith("; 2 refused by the API, 1 silent, 1 cut off before they answered")


def test_a_server_that_cuts_prompts_is_told_of_once_and_its_answers_are_kept(
    caplog: pytest.LogCaptureFixture,
) -> None:
    short = made("yes")._replace(prompt_tokens=12)
    items = [FeedItem(f"c{number}", "word " * 190) for number in range(20)]
    with caplog.at_level(logging.WARNING):
        final = run([Served(behaviour=lambda each, prompt: short)], Book(items), 20)
    assert final.done == 20 and final.remark == final.note
    assert caplog.messages == [f"m: {final.note}"]
    assert final.note.startswith("its server seems to cut prompts: that of case c")
    assert "has 190 words, of which it read 12 tokens" in final.note


texts = st.text(min_size=1).filter(lambda text: bool(text.strip()))


@given(st.lists(st.tuples(texts, st.none() | texts), min_size=1, max_size=4))
def test_no_thought_is_ever_sent_back(said: list[tuple[str, str | None]]) -> None:
    turns = (ChatTurn("user", "asked"), *(ChatTurn("assistant", None), ChatTurn("user", "asked")) * len(said))
    replies = [made(text, thought=thought) for text, thought in said]
    sent = conversation.messages(turns, replies)
    assert [message["content"] for message in sent if message["role"] == "assistant"] == [text for text, _ in said]
    assert {message["content"] for message in sent if message["role"] == "user"} == {"asked"}
    assert all(set(message) == {"role", "content"} for message in sent)


@given(st.lists(st.sampled_from([REFUSED, SILENT, CUT, made("yes"), made("ye", "length")]), min_size=1, max_size=3))
def test_an_exchange_is_over_with_its_last_turn_or_the_first_that_says_nothing(replies: list[Reply]) -> None:
    over = [conversation.over(TURNS, replies[: place + 1]) for place in range(len(replies))]
    assert over == [
        place + 1 >= 2 or not one.text or one.finish is Finish.REFUSED for place, one in enumerate(replies)
    ]  # fmt: skip
