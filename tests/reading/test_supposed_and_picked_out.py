"""What a sentence supposes, doubts, asks itself or leaves to others is not said; what it picks out is its clause's."""

import pytest

from halluvault_tasks.reading.answer_reader import AnswerReader
from halluvault_tasks.reading.base import ReaderInput
from halluvault_tasks.reading.parser import spacy_parser
from halluvault_tasks.reading.text import cut
from tests.reading.material import read, stated

READER = AnswerReader(spacy_parser())
BORN, DIED = "P569(Ann Lee, 1952)", "P570(Ann Lee, 1990)"
ASKED, STATEMENT = "Was Ann Lee born in 1955?", "Is this statement true? “Ann Lee was born in 1955.”"


def answer(text: str, question: str = ASKED) -> str:
    (reading,) = READER.read([ReaderInput(text, question)])
    return reading.answer.kind


@pytest.mark.parametrize(
    "text",
    [
        "It was in 1990 that [Ann Lee|human] died.",
        "It was during 1990 that [Ann Lee|human] died.",
        "1990 was when [Ann Lee|human] died.",
        "1990 is the year in which [Ann Lee|human] died.",
        "The year when [Ann Lee|human] died is 1990.",
        "It was [Ann Lee|human], not [Bob Bell|human], who died in 1990.",
        "Having died in 1990, [Ann Lee|human] was no longer alive.",
        "[Ann Lee|human] had passed away in 1990.",
        "I am certain that [Ann Lee|human] died in 1990.",
        "The year of death of [Ann Lee|human] is 1990.",
        "Neither 1989 nor 1991, but 1990 is the year in which [Ann Lee|human] died.",
    ],
)
def test_a_clause_has_the_time_and_the_name_that_are_picked_out_of_it(text):
    assert DIED in stated(text)


def test_what_a_cleft_denies_is_denied():
    assert stated("It isn't [Ann Lee|human] who died in 1990.") == {f"not {DIED}"}
    assert not stated("It was not in 1990 that [Ann Lee|human] died.")


def test_a_place_that_is_set_apart_by_not_is_denied():
    claims = read("[Bonn|place] is a city in [Japan|country], not in [Peru|country].", focus=frozenset([17]))
    assert {(one.object, one.negative) for one in claims if not one.unread} == {("Japan", False), ("Peru", True)}


@pytest.mark.parametrize(
    "text",
    [
        "Had [Ann Lee|human] been born in 1955, she would have been sixty then.",
        "I doubt very much that [Ann Lee|human] was born in 1955.",
        "We can rule out that [Ann Lee|human] was born in 1955.",
        "I was tempted to say that [Ann Lee|human] was born in 1955.",
        "Anyone who says that [Ann Lee|human] was born in 1955 is mistaken.",
        "That [Ann Lee|human] was born in 1955 is what would have to be true.",
        "In 1955, the birth of [Ann Lee|human] was already three years past.",
        "[Ann Lee|human] passed away in 1990, so she was not alive in July 1955.",
        "[Ann Lee|human] lived through 1955 and beyond.",
        "[Ann Lee|human] would have to have been born in 1955 to be older.",
        "Claim: [Ann Lee|human] was born in 1955",
        "The rumor that [Ann Lee|human] was born in 1955 is unfounded.",
        "The question puts the birth of [Ann Lee|human] in 1955.",
        "[Ann Lee|human] was born in 1952, not as late or as early as the year 1955.",
        "[Ann Lee|human] was born in 1952 and would be 103 in 2055.",
        "1955 comes after 1952, the year in which [Ann Lee|human] was born.",
    ],
)
def test_a_date_that_is_not_given_to_a_birth_by_who_speaks_convicts_nobody(text):
    assert not any("1955" in one or "1925" in one or "2055" in one for one in stated(text))


@pytest.mark.parametrize(
    "text",
    [
        "I recall that [Ann Lee|human] was born in 1952.",
        "[Ann Lee|human] was born in 1952 and would have three children.",
        "Premise 1: [Ann Lee|human] was born in 1952.",
        "Claim 2: [Ann Lee|human] was born in 1952.",
        "Had it been [Bob Bell|human], I would agree; but [Ann Lee|human] was born in 1952.",
        "She cannot have been born in 1955, because [Ann Lee|human] was born in 1952.",
    ],
)
def test_what_is_said_plainly_beside_a_supposition_is_said(text):
    assert BORN in stated(text)


@pytest.mark.parametrize(
    "text",
    [
        "No. Had Ann Lee been born in 1955, the year would be right; but she was born in 1952.",
        "No. A living Ann Lee born in 1955 would have been seventy.",
        "No. Ann Lee can hardly have been born in 1955, as she turned three that year.",
        "No. Did it happen in 1955? No. In 1952? Yes, that is when Ann Lee was born.",
        "No. 1955? No. 1952? Yes, that is the year Ann Lee was born.",
        "No. By 1955 Ann Lee had already been born, in 1952.",
        "No. It's an easy mistake to make, but Ann Lee was born in 1952.",
        "No (confidence: high). Year of birth: 1952.",
        "<answer>No</answer><reason>Ann Lee was born in 1952</reason>",
        "Hmm, was it 1955? No, wait, it was 1952. Yes, 1952. So my answer is no.",
        "The answer follows from the year, hence: no.",
        "answer: no\nsubject: Ann Lee\nbirth: 1952",
        "The final answer is: $\\boxed{No}$",
    ],
)
def test_an_answer_stands_beside_what_is_supposed_and_what_the_text_asks_itself(text):
    assert answer(text) == "no"


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("False – Ann Lee was born in 1952.", "no"),
        ("False: she was born in 1952.", "no"),
        ("True: Ann Lee was born in 1955.", "yes"),
        ("That's a true statement.", "yes"),
        ("The statement that Ann Lee was born in 1955 is false.", "no"),
        ("Right, let me think about it.", "unparseable"),
    ],
)
def test_true_or_false_at_the_start_judges_a_statement(text, kind):
    assert answer(text, STATEMENT) == kind


def test_a_word_that_is_only_mentioned_denies_nothing():
    asked = "Is this statement true? “Ann Lee was not born in 1955.”"
    assert answer('So the sentence with the "not" is right, and my answer is yes.', asked) == "yes"
    assert answer("Yes. The same sentence without “not” would be false.", asked) == "yes"


def test_a_formula_that_is_said_not_to_hold_is_no_false_step():
    (reading,) = READER.read([
        ReaderInput("No. 1886 ≤ 1990 holds, but 1990 ≤ 1988 does not.", "Was Ann Lee alive in 1990?")
    ])
    assert reading.steps == ()


def test_a_line_with_a_key_goes_on_with_none():
    assert [one.text for one in cut("answer: no\nsubject: Ann Lee").sentences] == ["answer: no", "subject: Ann Lee"]
