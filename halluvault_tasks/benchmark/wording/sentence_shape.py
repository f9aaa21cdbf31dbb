"""The shape of a sentence: a question with its names and numbers taken out.

Two questions of one shape are one question to whoever has learned what the shape asks: "Was X born in N?".
"""

import re
from collections.abc import Iterable
from itertools import pairwise

from halluvault_tasks.benchmark.wording.sentences import FRAME

NAME, NUMBER = "X", "N"

_MONTHS = (
    "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November",
    "December",
)  # fmt: skip
_COUNTS = (
    "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve", "thirteen",
    "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen", "twenty", "thirty", "forty", "fifty",
    "sixty", "seventy", "eighty", "ninety",
)  # fmt: skip
_COUNT = "|".join(_COUNTS)

_TITLE = re.compile(r"[“‘][^“”‘’]*(?:’[^“”‘’\s][^“”‘’]*)*[”’]")
_NUMBER = re.compile(rf"\b\d[\d,.]*(?:st|nd|rd|th|s)?\b|\b(?:{'|'.join(_MONTHS)})\b|\b(?:{_COUNT})(?:-(?:{_COUNT}))?\b")
_TOKEN = re.compile(r"['’]s\b|['’](?=\s|$)|\w+(?:[-.'’&/](?!s\b)\w+)*\.?(?=\s\w)|\w+(?:[-.'’&/](?!s\b)\w+)*|[^\w\s]")
_LINKS = frozenset(("of", "the", "de", "del", "du", "da", "di", "la", "le", "van", "von", "der", "and", "&", "-", "–"))
_OPENINGS = frozenset((
    "Are", "As", "At", "By", "Can", "Could", "Did", "Do", "Does", "Ever", "From", "Had", "Has", "Have", "In", "Is",
    "On", "The", "Was", "Were", "When", "Will", "With",
))  # fmt: skip
_DESCRIBED = re.compile(rf"{NAME} , (?:the|an?) [^?.,]*?(?: ,|(?= [?.]))")


def shape(question: str, names: Iterable[str]) -> str:
    """A question without names, titles, descriptions of who is named, numbers and months.

    Args:
        question: as it is asked.
        names: of what it is about; others are known by their capitals and quotation marks.
    """
    text = question.removeprefix(FRAME)
    framed = FRAME if text != question else ""
    if framed:
        text = text.removeprefix("“").removesuffix("”")
    for name in sorted(filter(None, names), key=len, reverse=True):
        text = text.replace(name, NAME)
    tokens = _TOKEN.findall(_NUMBER.sub(NUMBER, _TITLE.sub(NAME, text)))
    return framed + _DESCRIBED.sub(NAME, " ".join(_merged(tokens)))


def _merged(tokens: list[str]) -> list[str]:
    """The tokens with each run of names, or of numbers, as one."""
    names = [token != NUMBER and token[0].isupper() for token in tokens]
    # What a sentence begins with is written large, whether it is a name or not.
    names[:1] = [tokens[0] == NAME or (tokens[0] not in _OPENINGS and names[1:2] == [True])] if tokens else []
    for at in range(1, len(tokens) - 1):
        names[at] |= tokens[at] in _LINKS and names[at - 1] and names[at + 1]
    said = [NAME if name else token for name, token in zip(names, tokens, strict=True)]
    return [one for before, one in pairwise(["", *said]) if one != before or one not in (NAME, NUMBER)]
