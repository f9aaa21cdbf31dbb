"""No text breaks the readers: whatever is generated or mutated is read, and the work grows with its length alone."""

from collections.abc import Sequence
from functools import cache

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from halluvault_tasks.reading.answer_reader import AnswerReader
from halluvault_tasks.reading.base import ReaderInput, Reading
from halluvault_tasks.reading.markup import LIMIT
from halluvault_tasks.reading.names import EntityName, Names
from halluvault_tasks.reading.parser import Parse, spacy_parser
from halluvault_tasks.reading.syntax import predicates
from halluvault_tasks.reading.syntax.reader import SyntaxReader
from tests.reading.material import book, file
from tests.reading.shapes import UNITS

QUESTION = "Is this statement true? “Jaws was directed by Ada Lovelace.”"
TOPIC = 1
_NAMES = {
    "Ada Lovelace": "human", "Lord Byron": "human", "Jack": "human", "Jaws": "work,screen", "London": "place",
    "Paris": "place", "Nobel Prize": "award", "Arsenal": "team", "Oxford University": "school", "actor": "occupation",
    "president": "position", "Henrietta": "asteroid", "Japan": "country,place", "Golden Globe Award": "award",
}  # fmt: skip
WORDS = [
    *_NAMES, '"Jaws"', "‘Jaws’", "'Jack'",
    '"Nobel Prize" award', 'the "Jack" award', '"Golden Globe" award', "award", "won", "was born",
    "in 1815", "(born 1939)", "(1815–1852)", "10 December 1815", "before", "after", "until", "who", "whose", "she",
    "his", "her father", "the film", "directed", "by", ", England", ".", "!", "?", "-", "—", ";", ":", "\n", "\n\n",
    "| a | b |\n", "|---|---|\n", "1. ", "- ", "> ", "# ", "```\n", "`x`", "$\\frac{1}{2}$", "\\boxed{yes}", "**",
    "*", "_", "(", ")", "[", "]", "{", "}", '"', "'", "“", "”", "‘", "’", "Yes.", "No,", "not", "never", "neither",
    "nor", "but", "rather than", "if", "would", "might", "Japanese", "Ada\u0301", "e\u0301", "שלום", "مرحبا", "漢字",
    "😀", "\u202e", "\u200b", "<b>", "</b>", "&amp;", "http://a.b/c?d=e", "1,234.5", "3 < 5", "1815 + 37 = 1852",
    "aged 36", "at the age of 36", "from 1990 to 1995", "Answer:", "Statement 2:", "co-founder", "mother-in-law",
    "(ICC)", "in Danvers, Mass., she", "Mr. Smith", "J. R. R.", "studied at", "'s", "won't", "is", "the", "of", "and",
    "def f(x):\n    return x", "It was", "that", "because", "\t", "\r\n", "\x00",
]  # fmt: skip
SENTENCES = [
    "Ada Lovelace, the daughter of Lord Byron, was born in London on 10 December 1815 and died in 1852.",
    'Yes. Jaws (1975) was directed by Ada Lovelace, who won the "Nobel Prize" award; not by Jack.',
    "1. Jack, an actor from Japan, studied at Oxford University from 1990 to 1995.\n2. So the statement is false.",
    "| Name | Born |\n|---|---|\n| Jack | 1815 |\n\nBorn: 1815\nDirected by: Jack",
    "It was in 1852 that she died, not in 1853, so “Ada Lovelace was alive in 1853” is wrong.",
]


@cache
def syntax() -> SyntaxReader:
    named = [
        EntityName(qid, name, (), frozenset(kinds.split(","))) for qid, (name, kinds) in enumerate(_NAMES.items(), 1)
    ]
    return SyntaxReader(Names(named), book(), predicates.demonyms(file()), spacy_parser())


def read(text: str) -> list[Reading]:
    given = ReaderInput(text, QUESTION, TOPIC, frozenset(range(1, 5)))
    return [*syntax().read([given]), *AnswerReader(spacy_parser()).read([given])]


def check(text: str) -> None:
    for reading in read(text):
        spans = [
            reading.answer.span,
            *(
                one.span
                for part in (reading.claims, reading.steps, reading.conclusions, reading.unread)
                for one in part
            ),
        ]
        assert all(0 <= start <= end <= len(text) for start, end in spans), text


FRAGMENTS = st.lists(st.sampled_from(WORDS), max_size=30).flatmap(
    lambda words: st.sampled_from(["", " "]).map(lambda between: between.join(words))
)


@st.composite
def mutated(draw: st.DrawFn) -> str:
    """A sentence with pieces put in, cut out, doubled or turned."""
    text = draw(st.sampled_from(SENTENCES))
    for _ in range(draw(st.integers(1, 6))):
        start = draw(st.integers(0, len(text)))
        end = min(len(text), start + draw(st.integers(0, 12)))
        piece = draw(st.sampled_from(["", text[start:end] * 2, text[start:end][::-1], text[start:end].swapcase()]))
        text = text[:start] + (piece or draw(st.sampled_from(WORDS))) + text[end:]
    return text


THOROUGH = settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.too_slow])


@pytest.mark.parametrize(
    "text",
    [
        'She won the "Golden Globe" award.', '"Golden Globe" award', 'She won the ("Golden Globe") award in 1990.',
        'She won the "Jack" award.', '"Jack" award', 'the "Ada Lovelace" award went to "Jaws"',
        'Was "Jack" award-winning',
        "", " ", "\n", ".", '"', "“", "(", "\u0301", "\u202e", "Ada\u0301 Lovelace was born in 1815.",
        "שלום Ada Lovelace",
        "| a |", "|", "||", "$$", "\\(", "{", "```", "- ", "1.",
    ],
)  # fmt: skip
def test_a_fragment_is_read(text: str) -> None:
    check(text)


@given(FRAGMENTS)
@THOROUGH
def test_whatever_is_put_together_is_read(text: str) -> None:
    check(text)


@given(mutated())
@THOROUGH
def test_a_sentence_that_was_mangled_is_read(text: str) -> None:
    check(text)


@given(st.text(max_size=200))
@THOROUGH
def test_any_characters_are_read(text: str) -> None:
    check(text)


class Counting:
    """The real parser, which counts what it is given."""

    name, identity = "spacy", ""

    def __init__(self) -> None:
        self.characters = 0

    def parse(self, sentences: Sequence[str]) -> list[Parse]:
        self.characters += sum(map(len, sentences))
        return spacy_parser().parse(sentences)


@pytest.mark.parametrize("unit", [*UNITS, *SENTENCES])
def test_eight_kilobytes_are_read_whole_and_each_character_is_parsed_a_few_times_at_most(unit: str) -> None:
    parser = Counting()
    text = (unit * (8_000 // len(unit) + 1))[:8_000]
    given = ReaderInput(text, QUESTION, TOPIC)
    reader = SyntaxReader(Names(()), book(), {}, parser)
    reader.read([given])
    AnswerReader(parser).read([given])
    assert parser.characters <= 4 * LIMIT
