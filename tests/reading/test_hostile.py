"""Hostile shapes: what reaches the parser has a bound however long the response is, and every one gets a reading."""

from collections.abc import Sequence

import pytest

from halluvault_tasks.reading.answer_reader import AnswerReader
from halluvault_tasks.reading.base import ReaderInput
from halluvault_tasks.reading.markup import LIMIT
from halluvault_tasks.reading.parser import Parse, spacy_parser
from halluvault_tasks.reading.text import LONGEST, cut
from tests.reading.shapes import UNITS, filled

QUESTION = "Was Ada Lovelace born in France?"


class Counting:
    """The real parser, which counts what it is given."""

    name, identity = "spacy", ""

    def __init__(self) -> None:
        self.sentences: list[str] = []

    def parse(self, sentences: Sequence[str]) -> list[Parse]:
        self.sentences += sentences
        return spacy_parser().parse(sentences)


def test_there_are_93_shapes() -> None:
    assert len(set(UNITS)) == len(UNITS) == 93


@pytest.mark.parametrize("unit", UNITS)
def test_a_hostile_shape_is_read_and_little_of_it_reaches_the_parser(unit: str) -> None:
    parser = Counting()
    (found,) = AnswerReader(parser).read([ReaderInput(filled(unit, 100_000), QUESTION)])
    assert found.answer.kind in ("yes", "contradictory", "dont_know", "no", "unparseable")
    assert found.unread or unit == "\n", "empty lines are nothing to read"
    assert sum(map(len, parser.sentences)) <= LIMIT + len(QUESTION)
    assert all(len(one) <= LONGEST for one in parser.sentences)


@pytest.mark.parametrize("unit", UNITS)
def test_what_is_read_of_a_long_response_is_what_is_read_of_its_beginning(unit: str) -> None:
    short, long = cut(filled(unit, LIMIT)), cut(filled(unit, 30_000))
    assert long.sentences == short.sentences
