"""Which part of what a nearness draws is asked: what somebody might believe, one object for each idea.

A part needs no sheet of its own, since all of it was read, but a chance of its own (semantics.md §1.10.2): what can
never be true, or looks so, hides nothing, and without it the rest is likelier to be true. So most conditions leave out
what is far alone, and keep what nothing is known of.
"""

import re
from abc import ABC, abstractmethod
from dataclasses import dataclass

import numpy as np

from halluvault_tasks.reasoning.measuring.likeness import CommonMarks, LikenessFeature
from halluvault_tasks.reasoning.measuring.recorded import Bools, Ints, StatedItems, TrueFacts

_UNKNOWN = -(10**6)


@dataclass(frozen=True, kw_only=True)
class AskedCondition(ABC):
    """What two facts must fulfil, for the subject of the first to be asked with the value of the second.

    Attributes:
        of: the properties for whose facts it counts; none: whatever the nearness draws.
    """

    of: tuple[int, ...] = ()

    @abstractmethod
    def holds(self, recorded: StatedItems, known: TrueFacts, first: Ints, second: Ints) -> Bools:
        """Of each two facts whether they do.

        Args:
            recorded: the snapshot.
            known: the facts.
            first: numbers of facts.
            second: as many numbers of facts of near subjects.
        """


@dataclass(frozen=True)
class SubjectsAlike(AskedCondition):
    """The subjects have something in common; `if_known`: or nothing is known of one."""

    feature: LikenessFeature
    if_known: bool = False

    def holds(self, recorded: StatedItems, known: TrueFacts, first: Ints, second: Ints) -> Bools:
        """By what both subjects have."""
        marks = self.feature.marks(recorded, known.s.tolist())
        return CommonMarks(marks, known.s, known.s, bare=self.if_known).of(first, second)


@dataclass(frozen=True)
class ValuesAlike(AskedCondition):
    """The values have something in common; `if_known`: or nothing is known of one."""

    feature: LikenessFeature
    if_known: bool = False

    def holds(self, recorded: StatedItems, known: TrueFacts, first: Ints, second: Ints) -> Bools:
        """By what both values have."""
        marks = self.feature.marks(recorded, known.o.tolist())
        return CommonMarks(marks, known.o, known.o, bare=self.if_known).of(first, second)


@dataclass(frozen=True)
class Fitting(AskedCondition):
    """The value has something in common with the subject, unless nothing is known of one: both are of one country."""

    feature: LikenessFeature

    def holds(self, recorded: StatedItems, known: TrueFacts, first: Ints, second: Ints) -> Bools:
        """By what the first's subject has, and the second's value."""
        marks = self.feature.marks(recorded, [*known.s.tolist(), *known.o.tolist()])
        return CommonMarks(marks, known.s, known.o, bare=True).of(first, second)


@dataclass(frozen=True)
class Apart(AskedCondition):
    """The value has nothing in common with the subject: twin towns lie in two countries."""

    feature: LikenessFeature

    def holds(self, recorded: StatedItems, known: TrueFacts, first: Ints, second: Ints) -> Bools:
        """By what the first's subject has, and the second's value."""
        marks = self.feature.marks(recorded, [*known.s.tolist(), *known.o.tolist()])
        return ~CommonMarks(marks, known.s, known.o, bare=False).of(first, second)


@dataclass(frozen=True)
class Aged(AskedCondition):
    """The value was so many years old when the subject began, as far as both years are known."""

    least: int
    most: int

    def holds(self, recorded: StatedItems, known: TrueFacts, first: Ints, second: Ints) -> Bools:
        """By the years of the two."""
        subject, value = (
            np.array([recorded.years.get(item, _UNKNOWN) for item in ends.tolist()])[numbers]
            for ends, numbers in ((known.s, first), (known.o, second))
        )
        age = subject - value
        within = (self.least <= age) & (age <= self.most)
        return np.asarray(within | (subject == _UNKNOWN) | (value == _UNKNOWN))


@dataclass(frozen=True)
class CalledSo(AskedCondition):
    """The description of the value says one of some words, or there is none."""

    words: tuple[str, ...]

    def holds(self, recorded: StatedItems, known: TrueFacts, first: Ints, second: Ints) -> Bools:
        """By the description of the second's value: whoever else has it may well be known for another trade."""
        says = re.compile(rf"\b(?:{'|'.join(self.words)})", re.IGNORECASE)
        told = (recorded.descriptions.get(value, "") for value in known.o.tolist())
        return np.array([not text or says.search(text) is not None for text in told])[second]
