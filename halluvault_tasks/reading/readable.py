"""Whether anything can be read of a model's first answers: one of which nothing can be is not asked on for a month."""

from collections.abc import Sequence
from itertools import zip_longest

from halluvault_tasks.reading.answer_reader import AnswerReader
from halluvault_tasks.reading.base import ReaderInput
from halluvault_tasks.reading.parser import spacy_parser
from halluvault_tasks.reading.verdict_turn import read as read_verdict

_UNREAD = "unparseable"


def any_verdict(texts: Sequence[str], verdict_turn: bool, questions: Sequence[str] = ()) -> bool:
    """Whether a verdict can be read of at least one answer: yes, no, both, "don't know" or a refusal.

    The strict word of the verdict turn is looked for first; the parser, which takes seconds to load, only if that
    finds none, and never where the verdict was asked for in a turn of its own.

    Args:
        texts: answers to questions that ask for yes or no, without thoughts; replies to the verdict turn where there
            is one. Answers of other suites (`memory`, `pressure`) give no verdict, and do not belong here.
        verdict_turn: whether the prompt's last turn asks for nothing but the verdict.
        questions: of the answers, in their order; without them an answer that only repeats its question is not known
            for one.
    """
    if any(read_verdict(text).kind != _UNREAD for text in texts):
        return True
    if verdict_turn:
        return False
    given = [ReaderInput(text, question) for text, question in zip_longest(texts, questions, fillvalue="")]
    return any(one.answer.kind != _UNREAD for one in AnswerReader(spacy_parser()).read(given))
