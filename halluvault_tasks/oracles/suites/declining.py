"""Whether a reply declines, by the reader of answers, for suites whose cases are no yes/no questions."""

from collections.abc import Sequence
from functools import cache

from halluvault_tasks.reading import base
from halluvault_tasks.reading.answer_reader import AnswerReader
from halluvault_tasks.reading.parser import spacy_parser

_DECLINES = ("dont_know", "refusal")


@cache
def _reader() -> AnswerReader:
    return AnswerReader(spacy_parser())


def read(asked: Sequence[tuple[str, str]]) -> list[str]:
    """Of each reply to a question: `dont_know` or `refusal`, or nothing.

    Args:
        asked: reply and question.
    """
    if not asked:
        return []
    readings = _reader().read([base.Given(text, question) for text, question in asked])
    return [one.answer.kind if one.answer.kind in _DECLINES else "" for one in readings]
