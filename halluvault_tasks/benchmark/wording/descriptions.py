"""What of an entity's description can stand in apposition: its first part, and which nouns say what somebody is."""

import re
from collections import Counter
from collections.abc import Iterable

from halluvault_tasks.benchmark.wording.articles import head

_OFTEN = 3
"""Descriptions that must end in a noun: "mystery" is the end of one, "English mystery and detective writer"."""


def nouns_of_people(descriptions: Iterable[str]) -> frozenset[str]:
    """The nouns, in small letters, that people are said to be: actor, king.

    "Character" is none, although somebody may be one: it stands before a noun ("character actor") more often.
    """
    said = [part for each in descriptions if "," not in each for part in each.split(" and ")]
    heads = Counter(head(each).lower() for each in said)
    before = Counter(word.lower() for each in said for word in _before_head(each))
    return frozenset(word for word, number in heads.items() if number >= max(_OFTEN, before[word] + 1))


def _before_head(description: str) -> list[str]:
    """The words before a description's noun."""
    words = description.split()
    noun = head(description)
    return words[: words.index(noun)] if noun in words else []


def gist(description: str) -> str:
    """A description up to its first comma, without years in parentheses: "British actor" of "British actor, …"."""
    text = re.sub(r" ?\([^()]*\d{3,4}[^()]*\)", "", description)
    first = re.split(r"[,;]", text)[0].strip()
    return first if " " in first else first[:1].lower() + first[1:]
