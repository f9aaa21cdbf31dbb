"""The verdict turn: one of three words, whatever wraps it, and nothing that takes it back."""

import json
import unicodedata
from pathlib import Path

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from halluvault_tasks.querying import thoughts
from halluvault_tasks.reading import verdict_turn
from halluvault_tasks.reading.answer_reader import AnswerReader
from halluvault_tasks.reading.base import ReaderInput
from halluvault_tasks.reading.markup import LIMIT
from halluvault_tasks.reading.parser import spacy_parser
from tests.reading.wrapping import Wrap, bold, full_width, wrapped, wraps

QUESTION = "Was Ada Lovelace born in France?"
READ = {
    "yes": [
        "yes", "Yes.", "**Yes**", '"yes"', "Answer: yes", "Yes, she was born", "YES!\n\nShe", "Yes, it is.",
        "Yes, that is correct.", "Yes.\n\nExplanation: she was born in Paris.", '{"verdict": true}',
    ],
    "no": [
        "no", " No. She was", "Final answer: no", "(no)", "no\n", "No, it is not.", "No, she wasn’t.",
        "My answer is no.", "No. Ada was not born in France; she was born in London.",
        "No — she was born in London.", "> No", "- No", "No (she was born in London).", "No, that is not correct.",
        "No, that is incorrect.", "A: No", "«No»", "[no]", '{"answer": false}', "{'answer': 'no'}", "{answer: no}",
        '[{"answer": ["no"]}]', '{"verdict": "no", "sure": 0.9}', '"{\\"verdict\\": \\"no\\"}"',
        '```json\n{"answer": "no"}\n```\nShe was born in London.', "no&nbsp;", "❌ No", '{"yes_or_no": "no"}',
        "The answer to this question is no.", "Answer\n\nNo", "N\u200bo", "the verdict - no", "**Answer:** No",
        "**Answer**: **No**", "No<|im_", "no<|im_end",
    ],
    "dont_know": [
        "don't know", "Don’t know.", "I don't know.", "do not know", "donʼt know", "don`t know", "don´t know",
        "I do not know the answer.", "dont know", "Don't know for sure", '{"verdict": "dont_know"}',
        "I really don't know.", "don&#39;t know",
    ],
    "unparseable": [
        "", "Yes or no", "yes, no", "No, yes", "Yes? No.", "not yes", "It is yes", "yesterday", "no one", "know",
        "no longer", "maybe", "Yes, but not there", "I do know", "Oui.", "<yes>", "yes no don't know", "a" * 5_000,
        "yes" * 500, "I'd say no", "No, wait, yes", "No, wait", "No, it is.", "Yes, it is not.",
        "No, it is not false.", "Yes, not there.", "No, that is true.", "Yes/No", '["no", "yes"]', '{"no": "yes"}',
        '{"answer": "no", "verdict": "yes"}', "№", "no<|im_end|>yes", "<b>no</b><b>yes</b>", "~~Yes~~ No",
        "<!-- yes --> no", '{"answer": null}', "true", "None", '{"sure": true}', "No. However, she was.",
        "I don't know, maybe yes", "Yes." + " Born there." * 300 + " No.",
    ],
}  # fmt: skip
WORDS = [
    ("yes", "yes"), ("Yes", "yes"), ("no", "no"), ("No", "no"), ("NO", "no"), ("don't know", "dont_know"),
    ("I don’t know", "dont_know"), ("Donʼt know", "dont_know"), (full_width("No"), "no"), (full_width("yes"), "yes"),
    (bold("Yes"), "yes"),
]  # fmt: skip


@pytest.mark.parametrize(("kind", "text"), [(kind, text) for kind, texts in READ.items() for text in texts])
def test_a_verdict_is_read_strictly(kind: str, text: str) -> None:
    assert verdict_turn.read(text).kind == kind


@settings(max_examples=500)
@given(st.sampled_from(WORDS), wraps())
def test_what_wraps_a_verdict_does_not_change_it(word: tuple[str, str], several: list[Wrap]) -> None:
    text = wrapped(word[0], several)
    assert verdict_turn.read(text).kind == word[1]


@settings(max_examples=500)
@given(
    st.lists(st.tuples(st.sampled_from(["yes", "No", "don't know"]), wraps()), min_size=2, max_size=3),
    st.sampled_from([
        " ",
        "\n",
        ". ",
        ", ",
        "; ",
        " / ",
        " - ",
        "<br>",
        "<|im_end|>",
        "\n\n",
        "|",
        " wait, ",
    ]),
    wraps(),
)
def test_two_different_verdicts_never_become_one(
    words: list[tuple[str, list[Wrap]]], between: str, several: list[Wrap]
) -> None:
    assume(len({word for word, _ in words}) > 1)
    text = wrapped(between.join(wrapped(word, inner) for word, inner in words), several)
    assert verdict_turn.read(text).kind == "unparseable"


@settings(max_examples=300)
@given(st.text(max_size=60))
def test_of_any_text_only_one_that_begins_with_a_verdict_gives_one(text: str) -> None:
    found = verdict_turn.read(text)
    assert 0 <= found.span.start <= found.span.end <= len(text)
    if found.kind != "unparseable":
        said = unicodedata.normalize("NFKC", text[found.span.start : found.span.end]).casefold()
        assert said.endswith(("yes", "no", "know"))


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('```json\n{"verdict": "No."}\n```', "No"),
        ("\ufeff**Ｎｏ**<|im_end|>", "Ｎｏ"),
        ('{"answer": false}', "false"),
        ('{"answer": "I don\\u2019t know"}', "I don\\u2019t know"),
    ],
)
def test_the_span_of_a_verdict_is_that_of_its_word_as_it_was_stored(text: str, said: str) -> None:
    start, end = verdict_turn.read(text).span
    assert text[start:end] == said


@pytest.mark.parametrize(
    "unit", ["{", '{"a": ', "[", "<b>", "```\n", "\\boxed{", "**", "Answer: ", "“", "<|x|>", "\u0301", "\\u0041"]
)
def test_a_hostile_reply_to_the_verdict_turn_is_unparseable(unit: str) -> None:
    assert verdict_turn.read(unit * (LIMIT // len(unit))).kind == "unparseable"


def test_every_reply_of_the_verdict_turn_that_servers_were_seen_to_give_is_read(shared_data: Path) -> None:
    seen = {}
    for file in sorted((shared_data / "servers").glob("*.json")):
        one = json.loads(file.read_text())
        if one["area"] == "verdict turn" or one["id"] == "think-09-tag-in-verdict-turn":
            content = one["given"]["reply"]["json"]["choices"][0]["message"]["content"]
            seen[file.stem] = (
                verdict_turn.read(thoughts.split(content).answer).kind,
                one["expected"].partition(":")[0],
            )
    assert len(seen) > 8
    assert {name: read for name, (read, _) in seen.items()} == {name: wanted for name, (_, wanted) in seen.items()}


def test_the_verdict_answers_and_what_the_text_concludes_stays_beside_it() -> None:
    (found,) = AnswerReader(spacy_parser()).read([ReaderInput("She was not born in France.", QUESTION, verdict="Yes.")])
    assert found.answer.kind == "yes"
    assert [one.kind for one in found.conclusions] == ["no"]


def test_without_a_verdict_of_the_three_nothing_is_guessed_from_the_text() -> None:
    (found,) = AnswerReader(spacy_parser()).read([ReaderInput("Yes. She was.", QUESTION, verdict="Well, France")])
    assert found.answer.kind == "unparseable"
