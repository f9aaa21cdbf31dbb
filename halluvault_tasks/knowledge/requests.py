"""What a pull asks of a source: one value for each kind of question, with the ids that it is about.

How it is put is the source's own affair: `queries` renders it as SPARQL, `dump_answers` looks it up in what a dump
holds. A request can be cut into the same question about fewer ids.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import ClassVar, Generic, Self, TypeVar

_Id = TypeVar("_Id", int, str)


@dataclass(frozen=True)
class _Request(Generic[_Id]):
    ids: Sequence[_Id]

    sign: ClassVar[str] = "Q"
    """What stands before an id, as people know it."""

    def batches(self, size: int) -> list[Self]:
        """The same about at most `size` ids at a time, in order."""
        return [replace(self, ids=self.ids[start : start + size]) for start in range(0, len(self.ids), size)]

    def halves(self) -> tuple[Self, Self]:
        """The same about the first half of its ids, and about the rest."""
        middle = len(self.ids) // 2
        return replace(self, ids=self.ids[:middle]), replace(self, ids=self.ids[middle:])

    def named(self) -> tuple[str, ...]:
        """Its ids as people know them."""
        return tuple(f"{self.sign}{number}" for number in self.ids)


@dataclass(frozen=True)
class KnownItems(_Request[int]):
    """Which items the source knows, and what those stand for that were merged into another."""


@dataclass(frozen=True)
class PropertyTerms(_Request[int]):
    """Label, datatype, inverse and classes of properties."""

    sign = "P"


@dataclass(frozen=True)
class PropertyConstraints(_Request[int]):
    """The constraints of properties, with their separators."""

    sign = "P"


@dataclass(frozen=True)
class Subclasses(_Request[int]):
    """What lies directly below classes."""


@dataclass(frozen=True)
class ClassMembers(_Request[int]):
    """Members of classes with enough sitelinks, or without that figure."""

    mode: str
    """How they belong to it, a key of `properties.MEMBERSHIP`."""
    sitelinks: int
    """Least number."""


@dataclass(frozen=True)
class TailMembers(_Request[int]):
    """Members of classes that have some sitelinks, but few: those whose number ends in certain digits."""

    mode: str
    sitelinks: tuple[int, int]
    """Fewest and most."""
    ending: str
    """Last digits; empty asks for all."""


@dataclass(frozen=True)
class ListedItems(_Request[int]):
    """Single items, as members of classes are told of: those that the source has."""


@dataclass(frozen=True)
class SubjectStatements(_Request[int]):
    """Every statement of subjects, of any rank."""

    properties: Sequence[int]


@dataclass(frozen=True)
class SubjectTimes(_Request[int]):
    """The full time values of subjects' statements."""

    properties: Sequence[int]


@dataclass(frozen=True)
class SubjectQuantities(_Request[int]):
    """The full quantity values of subjects' statements."""

    properties: Sequence[int]


@dataclass(frozen=True)
class StatementQualifiers(_Request[str]):
    """Times and hedges that qualify statements."""

    sign = ""


@dataclass(frozen=True)
class EntityTerms(_Request[int]):
    """What is known of entities besides statements: names, types, sitelinks, heirs of the merged ones."""


NumberedRequest = (
    KnownItems
    | PropertyTerms
    | PropertyConstraints
    | Subclasses
    | ClassMembers
    | TailMembers
    | ListedItems
    | SubjectStatements
    | SubjectTimes
    | SubjectQuantities
    | EntityTerms
)
"""Requests about items or properties."""

Request = NumberedRequest | StatementQualifiers
"""Whatever the plan asks."""


@dataclass(frozen=True)
class StoreSamples(_Request[str]):
    """Which kinds of triples a store has (`store_shape.SAMPLES`): one of each."""

    sign = ""


@dataclass(frozen=True)
class MembersBySitelinks(_Request[int]):
    """Members of a class too large to be asked for at once: those with one of these numbers of sitelinks, its ids."""

    mode: str
    of_class: int

    sign = "sitelinks = "


@dataclass(frozen=True)
class MembersWithoutSitelinks(_Request[int]):
    """Members of classes without a number of sitelinks in the source."""

    mode: str


@dataclass(frozen=True)
class ItemsInTail(_Request[int]):
    """Which of the items are members of a class too large to be asked for at once, with few sitelinks."""

    mode: str
    of_class: int
    sitelinks: tuple[int, int]


ServiceRequest = Request | StoreSamples | MembersBySitelinks | MembersWithoutSitelinks | ItemsInTail
"""Whatever a service is asked: what the plan asks, or parts of it where that is too much for the service."""
