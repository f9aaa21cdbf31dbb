"""The licence's answers: a statement is false for a reason, or nothing shows that it is."""

from collections.abc import Iterable
from enum import IntEnum, StrEnum
from typing import NamedTuple


class LicenceKind(StrEnum):
    """What a "No" rests on (semantics.md §1.10), the strongest first."""

    PROVED = "proved"
    """Something stated rules the claim out."""

    LIST = "list"
    """The subject's objects are shown to be complete, and this is none of them."""

    MEASURED = "measured"
    """Foils of its class were measured to be false. It decides an answer and convicts no claim."""

    @classmethod
    def weakest(cls, kinds: Iterable["LicenceKind"]) -> "LicenceKind":
        """What several that stand or fall together rest on; of none, what needs no licence is proved."""
        return max(kinds, key=list(cls).index, default=cls.PROVED)


class Reason(IntEnum):
    """Why something is false; the `reason` of a negation.value row."""

    OTHER_VALUE = 1
    """The subject has another value and can have one only."""

    PLACE_LEVEL = 2
    """So, and both places lie in different units of one level."""

    PLACE_COUNTRY = 3
    """So, and both places lie in different present countries."""

    CONVERSE = 4
    """The converse is stated, and the relation runs one way."""

    REFLEXIVE = 5
    """Nothing has this relation to itself."""

    NO_VALUE = 6
    """It is stated that there is no value."""

    BOUNDS = 7
    """The date or number lies outside the known bounds."""

    CHECKED = 8
    """People found it to be false."""

    LIST = 9
    """The subject's objects are complete, and it is none of them."""

    MEASURED = 10
    """It is of a class of foils that was measured."""

    HELD = 11
    """Another held it throughout, and one does at a time."""

    @property
    def kind(self) -> LicenceKind:
        """What such a licence rests on."""
        return {Reason.LIST: LicenceKind.LIST, Reason.MEASURED: LicenceKind.MEASURED}.get(self, LicenceKind.PROVED)


class Licence(NamedTuple):
    """p(s, o) is false."""

    reason: Reason
    sid: int
    """The statement that rules it out; 0 for a reflexive use."""

    why: str
    """In words, with ids."""

    difference: "Difference | None" = None
    counted: int = 0
    """Of a complete list, how many there are."""


class Refusal(NamedTuple):
    """Nothing shows that p(s, o) is false. It may still be."""

    code: str
    why: str


class Difference(NamedTuple):
    """Two things are different values: for places, the containers that prove it."""

    reason: Reason
    left: int = 0
    right: int = 0
    level: int = 0
    """The shared type of both containers; 0 where they are countries."""
    by_premises: bool = False
    """What the case rests on leads into the one container, and the other is the value itself: no chain is rebuilt."""
