"""How a question is put: as itself, or as a statement that is to be judged."""

from functools import lru_cache
from typing import NamedTuple

import re2

from halluvault_tasks.reading import english
from halluvault_tasks.reading.text import cut

_WORD = re2.compile(r"\p{L}+")


class FramedQuestion(NamedTuple):
    """A question and its frame.

    Attributes:
        text: what is asked or stated.
        statement: the statement that is to be judged; empty for a polar question.
        several: several statements are to be judged together.
        inverted: it asks whether the statement is false.
    """

    text: str
    statement: str
    several: bool
    inverted: bool


@lru_cache(maxsize=4096)
def framed(question: str) -> FramedQuestion:
    """A question without its frame ("Is this statement true?")."""
    sentences = cut(question).sentences
    frame = frozenset(_WORD.findall(sentences[0].text.casefold())) if sentences else frozenset()
    several = any(f"{noun}s" in frame for noun in english.STATED)
    statement = ""
    if frame & (english.TRUE | english.FALSE) and (several or frame & english.STATED):
        quotes = [one.text[quote.start : quote.end] for one in sentences for quote in one.quotes]
        statement = " ".join(one.text for one in sentences[1:]).strip('" ') or max(quotes, key=len, default="")
    text = statement or " ".join(one.text for one in sentences)
    return FramedQuestion(text, statement, several, bool(statement and frame & english.FALSE))
