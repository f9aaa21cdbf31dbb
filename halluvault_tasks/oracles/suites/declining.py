"""Whether a reply declines, by the reader of answers, for suites whose cases are no yes/no questions."""

from collections.abc import Sequence

from halluvault_tasks.reading import base
from halluvault_tasks.reading.answer_reader import AnswerReader
from halluvault_tasks.reading.parser import spacy_parser

_DECLINES = ("dont_know", "refusal")


def kinds(asked: Sequence[tuple[str, str]]) -> list[str]:
    """Of each reply to a question: `dont_know` or `refusal`, or nothing.

    Args:
        asked: reply and question.
    """
    readings = AnswerReader(spacy_parser()).read([base.ReaderInput(text, question) for text, question in asked])
    return [one.answer.kind if one.answer.kind in _DECLINES else "" for one in readings]
