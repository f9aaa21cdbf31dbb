"""A model of which nothing can be read is stopped after its first answers, and nothing that was stored is lost."""

from collections.abc import Sequence

import pytest

from halluvault_tasks.errors import Unavailable
from halluvault_tasks.querying.first_answers import FirstAnswer, Unreadable
from halluvault_tasks.querying.replies import Reply
from tests.querying.lanes import Book, Served, plain, reply, run


def a_yes(answers: Sequence[FirstAnswer]) -> bool:
    return any("yes" in one.text for one in answers)


def silent(finish: str = "stop", **parts: str) -> Reply:
    return Reply("", finish, 1, 300, 0, 1, 1, **parts)  # type: ignore[arg-type]


def test_a_model_of_which_nothing_can_be_read_stops_with_three_of_its_replies() -> None:
    served = Served(behaviour=lambda each, prompt: reply(f"{prompt}\nPerhaps\u202e so. " + "word " * 100))
    book = Book(plain(400))
    with pytest.raises(Unreadable, match="m: nothing can be read in its first 50 answers, such as “q") as stop:
        run([served], book, 400, readable=a_yes)
    assert stop.value.message.count("Perhaps\\u202e so. word word") == 3 and "\n" not in stop.value.message
    assert "models check --model m" in stop.value.way_out and not isinstance(stop.value, Unavailable)
    assert 50 <= len(book.kept) < 400
    assert len(served.asked) - len(book.kept) <= 8, "all is kept but what was open"


def test_one_readable_answer_among_the_first_lets_the_lane_go_on_and_none_is_looked_at_again() -> None:
    looked: list[int] = []

    def readable(answers: Sequence[FirstAnswer]) -> bool:
        looked.append(len(answers))
        return a_yes(answers)

    served = Served(behaviour=lambda each, prompt: reply("yes" if prompt == "q7" else "hm"))
    final = run([served], Book(plain(200)), 200, readable=readable)
    assert final.done == 200 and looked == [50]


def test_a_silent_model_stops_without_anybody_saying_what_is_readable() -> None:
    with pytest.raises(Unreadable, match=r"such as \(nothing, finish_reason stop\); \(nothing"):
        run([Served(behaviour=lambda each, prompt: silent())], Book(plain(200)), 200)


@pytest.mark.parametrize(("count", "stops"), [(19, False), (20, True), (49, True)])
def test_a_short_run_is_looked_at_in_its_end_unless_it_is_too_short_to_tell(count: int, stops: bool) -> None:
    book = Book(plain(count))
    served = Served(behaviour=lambda each, prompt: silent())
    if stops:
        with pytest.raises(Unreadable, match=f"first {count} answers"):
            run([served], book, count)
    else:
        assert run([served], book, count).done == count
    assert len(book.kept) == count, "and is stored either way"


def test_what_the_api_refuses_is_no_unreadable_answer() -> None:
    served = Served(behaviour=lambda each, prompt: silent("content_filter", refusal="no"))
    final = run([served], Book(plain(120)), 120)
    assert (final.done, final.unanswered.refused) == (120, 120)
