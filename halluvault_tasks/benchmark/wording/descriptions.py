"""What of an entity's description can stand in apposition: its first part, and which nouns say what somebody is."""

import re
from collections import Counter
from collections.abc import Collection, Iterable
from typing import NamedTuple

from halluvault_tasks.benchmark.wording.articles import head

_OFTEN = 3
"""Descriptions that must end in a noun: "mystery" is the end of one, "English mystery and detective writer"."""


_SCENES = frozenset({"stage", "film", "television", "theatre"})
"""Where somebody acts or directs; a small source may hold "stage and film actor" alone."""


class Words(NamedTuple):
    """Words of descriptions of people, in small letters.

    Attributes:
        nouns: what people are said to be: actor, king. "Character" is none, although somebody may be one: it stands
            before a noun ("character actor") more often.
        before: what stands before a noun more often than it is one: "film", "theatre".
    """

    nouns: frozenset[str] = frozenset()
    before: frozenset[str] = frozenset()


def words_of_people(descriptions: Iterable[str]) -> Words:
    """What these descriptions say people are."""
    whole = [each.split(" and ") for each in descriptions if "," not in each]
    heads = Counter(head(part).lower() for parts in whole for part in parts)
    before = Counter(word.lower() for parts in whole for part in parts for word in _before_head(part))
    # Of "American stage and film actor" the first part ends in what stands before the noun of the last.
    last = Counter(head(parts[-1]).lower() for parts in whole)
    sure = {word: last[word] if before[word] else number for word, number in heads.items()}
    return Words(
        frozenset(word for word, number in sure.items() if number >= max(_OFTEN, before[word] + 1)) - _SCENES,
        frozenset(word for word, number in before.items() if number > max(1, heads[word] - 1)),
    )


def _before_head(description: str) -> list[str]:
    """The words before a description's noun."""
    words = description.split()
    noun = head(description)
    return words[: words.index(noun)] if noun in words else []


_IN_AND = re.compile(r"[\w -]+ in and (?=\S)")
"""Of "city in and state capital of Nebraska" the end alone says where."""


_PRAISE = re.compile(
    r"(?<![\w-])(?:famous|noted|notable|prominent|renowned|well-known|celebrated|acclaimed|influential|eminent|"
    r"distinguished|legendary|iconic|\w+-born,?|"
    r"(?:(?:\w+ )?(?:award|prize)|oscar|grammy|emmy)[- ](?:winning|nominated)) ",
    re.IGNORECASE,
)
"""Says nothing of who is meant: "German prominent mathematician", "Academy Award-winning French composer"."""

_AMERICAN = re.compile(r"^(?:US-American|USA?) (?=[a-z])")

_ONE_WORD = re.compile(r"\b(screen|song|film|script|play)[ -](writer|maker|wright)")
"""A screen writer is a screenwriter."""

_STATE_OF = re.compile(r"\bthe (?:[A-Z][\w.]+ )?(?:federated |federal )?state of (?=[A-Z])(?!Washington|New York)")
"""Hanover is the capital city of Lower Saxony, which needs no "German federated state of"."""


def gist(description: str) -> str:
    """A description up to its first comma, without praise and years in parentheses: "British actor, …"."""
    text = _PRAISE.sub("", re.sub(r" ?\([^()]*\d{3,4}[^()]*\)", "", description))
    text = _STATE_OF.sub("", _AMERICAN.sub("American ", _ONE_WORD.sub(r"\1\2", text)))
    first = _IN_AND.sub("", re.split(r"[,;]", text)[0].strip())
    return first if " " in first else first[:1].lower() + first[1:]


def first_trade(text: str, known: Collection[str]) -> str:
    """The description up to its first trade; all of it where none of these is.

    "English theatre and film director" of "English theatre and film director and producer".
    """
    ends = [found.start() for found in re.finditer(" and | from | known as ", text)]
    firsts = (short for end in ends if " of " not in (short := text[:end]) and head(short).lower() in known)
    return next(firsts, text)


_OF_SEVERAL_KINDS = re.compile(r"((?:[A-Z][\w’'-]* )*)((?:[a-z-]+, )*[a-z-]+,? and [a-z-]+) ([a-z-]+)")


def plain_trade(text: str, said: Words) -> str:
    """A trade without the kinds of it that somebody worked in: "American actor" of "American stage and film actor"."""
    several = _OF_SEVERAL_KINDS.fullmatch(text)
    if not several or several[3] not in said.nouns:
        return text
    kinds = re.split(r",? and |, ", several[2])
    return text if any(kind in said.nouns for kind in kinds) else f"{several[1]}{several[3]}"


def year_made(description: str | None) -> str:
    """The year with which a work's description begins: "2000 American film …"; empty: none."""
    told = re.match(r"(\d{4}) \D", description or "")
    return told[1] if told else ""


_CAPITAL = r"[A-Z][\w.'’-]*"
_MAKER = re.compile(
    r"\d{4} (?:[^,;() ]+ )*?(?:directed|[^,;() ]+(?<!e[dn])) by (?!The )"
    rf"({_CAPITAL}(?: (?:{_CAPITAL}|d[aeiu]|del|der|l[ae]|v[ao]n))*)(?:(?:;|,(?! [A-Z])).*)?"
)


def maker(description: str | None) -> str:
    """Who alone made a work: "1975 film by Steven Spielberg"; empty: the description says something else."""
    told = _MAKER.fullmatch(description or "")
    return told[1] if told else ""
