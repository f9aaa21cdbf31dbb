"""What keeps a fact, a pair or a text from being asked about: members with a sentence each, counted in statistics.

`PartRefused` says why there is no part at all.
"""

import re
from collections import Counter
from collections.abc import Mapping
from enum import Enum
from typing import NamedTuple, Self

from halluvault_tasks.errors import UserError


class Hindrance(Enum):
    """Why something is not asked about. Statistics store the names, readers see the sentences.

    A name is never changed: months that are frozen have it. `{}` in a sentence stands for a detail.
    """

    # What it would be called.
    NO_LABEL = "no label"
    LABEL_NO_NAME = "label is no name"
    AMBIGUOUS_NAME = "ambiguous name"
    TITLE_IN_NAME = "a title in the name"
    INVENTED = "stated to be a person and an invented one at once"
    TITLE_IN_DESCRIPTION = "a title in the description: held when?"
    PLURAL_GROUP = "a group named in the plural"
    PLURAL_CLASS = "a class named in the plural"
    COMMA_IN_NAME = "a comma in a name"
    NAME_OF_ANOTHER_PAIR = "a name that another pair has"
    NAMES_ALIKE = "names begin alike"
    NAME_GIVES_AWAY = "one name gives the other away"
    NAMES_BLUR = "names blur the question"
    DIRECTION_TOLD = "names or types tell which way round it is"
    BOTH_DESCRIBED = "two of a story who are both described"
    OTHER_MAKERS = "two works whose descriptions credit different makers"
    RIGHT_HOLDS_WRONG = "{}: a right answer's name holds a wrong one's"

    # How it would be worded.
    NO_WORDING = "no wording of {}"
    WRONG_KIND = "wrong kind of subject or object"
    TOO_LONG = "more than {} words"
    READINGS = "more than one reading"
    STILL_SO = "is still so: nobody would ask whether it ever was"
    HOLLOW = "a class or area and the next above it: nobody would ask"
    OUT_OF_TIME = "a time before it began, or long after its end: nobody would ask"
    TERM = "a term: it is shown to be false outside of somebody's life alone, and nobody would ask"
    PREMISE_LABEL = "premise without label"
    PREMISE_VALUE = "premise without value"
    PREMISE_WORDING = "premise without wording"

    # Whether it is decided.
    TOO_NEW = "not yet in two snapshots, or held back this month"
    PRESUPPOSED = "presupposes {}"
    POSTHUMOUS = "a work of long after somebody's death"
    CROWDED = "more are stated than have a part in it in these words"
    BEFORE_ITS_MAKER = "a work of before its maker's time"
    NO_PARENT = "somebody who cannot be a parent, by what else is stated"
    SEVERAL_RIGHT = "more than one may be right"
    UNDATED = "no start or end is stated"
    UNSURE_DATE = "a date that no claim could be convicted by"
    OVER = "the left end is over"
    NO_SINGLE_VALUE = "no single value that is known for sure"
    NOT_FOR_NO = "not asked for No"
    CANNOT_BE_SEEN = "found to be false, which nobody can tell by looking"
    UNJOINED_PLACE = "found to be false of a place that nothing joins with the person"
    FALSE_THAT_DAY = "found to be false as of its day only"
    PROOF_REFUSED = "proof refused"
    UNLICENSED = "no longer licensed: {}"

    # What it would be asked beside.
    REPEATED = "the month asks it in the same words already"
    ONE_WAY = "decided one way only"
    UNPAIRED = "false, without true facts of the same words, subject and object beside it"
    TRUE_ALONE = "true, and asked only beside what is shown to be false"
    UNEXCHANGED = "within a decade, without another event to exchange decades with"
    STORY_ASKED = "about somebody or something of which a story is asked already"
    STORY_UNMATCHED = "a story without one of the other answer in the same words"
    LOOKS_ITS_ANSWER = "looks true or false to somebody who does not know it (peers, frequency, nearness, names)"
    GUESSED = "an answer that somebody guesses who knows the wordings and nothing else"
    TOO_FEW_PAIRS = "fewer pairs than a set has: {}"

    # Documents and what a served model made of them.
    FEW_STATEMENTS = "subject: too few statements with words"
    EMPTY_DOCUMENT = "document: empty"
    FEW_REPHRASINGS = "document: not rephrased often enough"
    NO_TEXT = "rephrasing: no text"
    SAME_TEXT = "rephrasing: a text again"
    UNLIKE_TEXT = "rephrasing: BERTScore below the threshold"

    OTHER = "{}"
    """What an older version counted and this one does not know."""

    def __call__(self, detail: str = "") -> "Unasked":
        """This hindrance, of something."""
        return Unasked(self, detail)


class Unasked(NamedTuple):
    """That something is not asked about, and why.

    Attributes:
        detail: what its sentence is about, where it has a place for that.
    """

    hindrance: Hindrance
    detail: str = ""

    @property
    def sentence(self) -> str:
        """For people."""
        return self.hindrance.value.replace("{}", self.detail)

    @property
    def key(self) -> str:
        """As statistics store it: the member's name, and the detail if it has one."""
        return f"{self.hindrance.name} {self.detail}".rstrip()

    @classmethod
    def of(cls, key: str) -> Self:
        """Out of statistics; an older version stored sentences."""
        name, _, detail = key.partition(" ")
        if name in Hindrance.__members__:
            return cls(Hindrance[name], detail)
        return next(
            (
                cls(hindrance, found[1] if found.re.groups else "")
                for hindrance, told in _TOLD
                if (found := told.fullmatch(key))
            ),
            cls(Hindrance.OTHER, key),
        )


_TOLD = tuple(
    (hindrance, re.compile(re.escape(hindrance.value).replace(r"\{\}", "(.+)")))
    for hindrance in Hindrance
    if hindrance is not Hindrance.OTHER
)


def by_sentence(dropped: Mapping[Unasked, int]) -> dict[str, int]:
    """Counts for people, the most frequent first."""
    return {unasked.sentence: number for unasked, number in _ordered(dropped)}


def by_hindrance(dropped: Mapping[Unasked, int]) -> dict[str, int]:
    """Counts of each hindrance, whatever its details, the most frequent first; the first details stand for all."""
    together: dict[Hindrance, Counter[str]] = {}
    for unasked, number in dropped.items():
        together.setdefault(unasked.hindrance, Counter())[unasked.detail] += number
    counted = {}
    for hindrance, details in together.items():
        names = [detail for detail, _ in sorted(details.items(), key=lambda item: (-item[1], item[0]))]
        more = " and others" if len(names) > _MOST_DETAILS else ""
        counted[Unasked(hindrance, ", ".join(names[:_MOST_DETAILS]) + more)] = details.total()
    return by_sentence(counted)


_MOST_DETAILS = 3


def _ordered(dropped: Mapping[Unasked, int]) -> list[tuple[Unasked, int]]:
    return sorted(dropped.items(), key=lambda item: (-item[1], item[0].sentence))


class PartRefused(UserError):
    """One suite's part of a month cannot be frozen; the others are none the worse for it."""
