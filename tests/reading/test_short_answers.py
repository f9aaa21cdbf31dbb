"""Answers that leave out most of what was asked, and what is no such answer."""

import pytest

from halluvault_tasks.reading.answer_reader import AnswerReader
from halluvault_tasks.reading.base import ReaderInput
from halluvault_tasks.reading.parser import spacy_parser

READER = AnswerReader(spacy_parser())
ALIVE = "Was Alan Turing still alive in 1940?"
ENDED = "Did the Pacific War end in 1945?"
BORN = "Was Marie Curie born in Paris?"
DENIED = "Is this statement true? “Bruce Willis was not born in Japan.”"
GOING = "Was the First Indochina War still going on in 1957?"
OVER = "Was the First Indochina War over by 1952?"


def read(text: str, about: str) -> str:
    (reading,) = READER.read([ReaderInput(text, about)])
    return reading.answer.kind


@pytest.mark.parametrize(
    ("about", "text", "kind"),
    [
        (ENDED, "It did.", "yes"),
        (ENDED, "The war did not.", "no"),
        (BORN, "She wasn't.", "no"),
        (BORN, "Curie was not.", "no"),
        (BORN, "Indeed she was.", "yes"),
        ("Has Tom Hanks ever been married to Rita Wilson?", "He has.", "yes"),
        ("Does sodium have the atomic number 11?", "Sodium does.", "yes"),
        (DENIED, "He was not.", "yes"),
        (DENIED, "He was.", "no"),
        (DENIED, "It is.", "yes"),
    ],
)
def test_a_subject_and_the_question_s_auxiliary_answer_it(about: str, text: str, kind: str) -> None:
    assert read(text, about) == kind


@pytest.mark.parametrize(
    ("about", "text"),
    [
        (BORN, "Pierre Curie was."),
        (BORN, "She did."),
        (BORN, "She may have been."),
        (BORN, "Was she?"),
        (BORN, "Was Pierre born in Paris? He was."),
        (BORN, "Pierre was born in Paris. She was not."),
        (BORN, "Some say she was."),
        (ENDED, "The Korean War did not."),
        (ENDED, "The European war did."),
        (DENIED, "The statement was."),
    ],
)
def test_another_subject_or_auxiliary_and_what_answers_something_else_are_no_short_answer(
    about: str, text: str
) -> None:
    assert read(text, about) == "unparseable"


def test_a_no_before_a_short_answer_is_no_second_negation() -> None:
    for text in ["No, she wasn't.", "No, she was not.", "Nope. She wasn't."]:
        assert read(text, BORN) == "no", text


def test_what_who_answers_thinks_is_the_answer() -> None:
    for text, kind in [
        ("I think so.", "yes"),
        ("I would say so.", "yes"),
        ("I don't think so.", "no"),
        ("I think not.", "no"),
        ("I hope so.", "unparseable"),
        ("They think so.", "unparseable"),
        ("I once thought so, but she was born in Warsaw.", "unparseable"),
    ]:
        assert read(text, BORN) == kind, text


def test_an_answer_in_fenced_json_is_read_and_code_is_not() -> None:
    for text, kind in [
        ('```json\n{"answer": "yes", "why": "He died in 1954."}\n```', "yes"),
        ('So:\n```\n{\n  "question": "Was he?",\n  "answer": false\n}\n```', "no"),
        ('```python\nanswer = "yes"\n```', "unparseable"),
        ('```\nno\n```\n{"answer": "yes"}', "contradictory"),
        ("```\nNo.\n```", "no"),
    ]:
        assert read(text, ALIVE) == kind, text


@pytest.mark.parametrize(
    ("about", "text", "kind"),
    [
        (ALIVE, "He died in 1954, so he was still alive.", "unparseable"),
        (ALIVE, "He was therefore no longer alive.", "unparseable"),
        (OVER, "The war ended in 1954. So it was not over.", "no"),
        (ALIVE, "He was still alive.", "unparseable"),
        (ALIVE, "His mother was therefore still alive.", "unparseable"),
        (ALIVE, "He was therefore still alive when the war began.", "unparseable"),
        (ALIVE, "He was not alive in 1960, so he was not alive then.", "unparseable"),
        (BORN, "She was therefore born.", "unparseable"),
    ],
)
def test_what_leaves_out_the_date_answers_nothing(about: str, text: str, kind: str) -> None:
    assert read(text, about) == kind


@pytest.mark.parametrize(
    ("about", "text", "kind"),
    [
        (GOING, "The war was still ongoing in 1957.", "yes"),
        (GOING, "The First Indochina War was no longer ongoing in 1957.", "no"),
        (GOING, "The Vietnam War was ongoing in 1957.", "unparseable"),
        (GOING, "Talks were ongoing in 1957.", "unparseable"),
        (OVER, "The First Indochina War was over by 1952.", "yes"),
        (OVER, "The war lasted over 7 years, and by 1952 little was left.", "unparseable"),
        (OVER, "The Korean War was over by 1952.", "unparseable"),
    ],
)
def test_what_was_going_on_was_ongoing_and_what_was_over_was_over(about: str, text: str, kind: str) -> None:
    assert read(text, about) == kind
