"""The verdict turn: one of three words, alone or before a stop, and nothing that takes it back."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from halluvault_tasks.reading import verdict_turn
from halluvault_tasks.reading.answer_reader import AnswerReader
from halluvault_tasks.reading.base import Given
from halluvault_tasks.reading.parser import spacy_parser

QUESTION = "Was Ada Lovelace born in France?"
READ = {
    "yes": ["yes", "Yes.", "**Yes**", '"yes"', "Answer: yes", "Yes, she was born", "YES!\n\nShe"],
    "no": ["no", " No. She was", "Final answer: no", "(no)", "no\n"],
    "dont_know": ["don't know", "Don’t know.", "I don't know.", "do not know"],
    "unparseable": [
        "", "Yes or no", "yes, no", "No, yes", "Yes? No.", "not yes", "It is yes", "yesterday", "no one", "know",
        "maybe", "Yes, but not there", "I do know", "Oui.", "<yes>", "yes no don't know", "a" * 5_000, "yes" * 500,
    ],
}  # fmt: skip


@pytest.mark.parametrize(("kind", "text"), [(kind, text) for kind, texts in READ.items() for text in texts])
def test_a_verdict_is_read_strictly(kind: str, text: str) -> None:
    assert verdict_turn.read(text).kind == kind


@settings(max_examples=200, deadline=None)
@given(st.text(max_size=60))
def test_of_any_text_only_one_that_begins_with_a_verdict_gives_one(text: str) -> None:
    found = verdict_turn.read(text)
    assert 0 <= found.span.start <= found.span.end <= len(text)
    if found.kind != "unparseable":
        assert text[found.span.start : found.span.end].casefold().endswith(("yes", "no", "know"))


def test_the_verdict_answers_and_what_the_text_concludes_stays_beside_it() -> None:
    (found,) = AnswerReader(spacy_parser()).read([Given("She was not born in France.", QUESTION, verdict="Yes.")])
    assert found.answer.kind == "yes"
    assert [one.kind for one in found.conclusions] == ["no"]


def test_without_a_verdict_of_the_three_nothing_is_guessed_from_the_text() -> None:
    (found,) = AnswerReader(spacy_parser()).read([Given("Yes. She was.", QUESTION, verdict="Well, France")])
    assert found.answer.kind == "unparseable"
