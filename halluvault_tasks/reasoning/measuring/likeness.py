"""What items may have in common, by which they are near and their values alike: one object for each idea."""

import re
from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import product

import numpy as np
import scipy  # of its parts each is imported where it is first used: some take a second

from halluvault_tasks.reasoning.measuring.recorded import Bools, Ints, StatedItems, among, pair
from halluvault_tasks.wikidata import properties as wd

_WORD = re.compile(r"[a-z]{4,}")
_NAME = re.compile(r"\b[A-Z][a-z]+\b")
_FEW_CONTINENTS = 2  # France is said to lie on five

Marks = Mapping[int, tuple[object, ...]]
"""Item → what it has of a feature."""


class LikenessFeature(ABC):
    """Something that items have in common."""

    @abstractmethod
    def marks(self, recorded: StatedItems, items: Iterable[int]) -> Marks:
        """What each item has of it; an item that has nothing is left out."""


@dataclass(frozen=True)
class Has(LikenessFeature):
    """A value of one of several properties."""

    properties: tuple[int, ...]

    def marks(self, recorded: StatedItems, items: Iterable[int]) -> Marks:
        """The values, whichever property states them."""
        return _joined([recorded.values(p) for p in self.properties], items)


@dataclass(frozen=True)
class Of(LikenessFeature):
    """What states the item as its value of one of several properties: the films of an actor."""

    properties: tuple[int, ...]

    def marks(self, recorded: StatedItems, items: Iterable[int]) -> Marks:
        """The things that state it."""
        return _joined([recorded.holders(p) for p in self.properties], items)


@dataclass(frozen=True)
class Through(LikenessFeature):
    """What the values of a property have: the country of a birthplace."""

    first: LikenessFeature
    then: LikenessFeature

    def marks(self, recorded: StatedItems, items: Iterable[int]) -> Marks:
        """All that its values have of the second feature."""
        own = self.first.marks(recorded, items)
        theirs = self.then.marks(recorded, {value for values in own.values() for value in values})  # type: ignore[misc]
        return {
            item: marks
            for item, values in own.items()
            if (marks := tuple(dict.fromkeys(mark for value in values for mark in theirs.get(value, ()))))  # type: ignore[call-overload]
        }


@dataclass(frozen=True)
class OfClass(LikenessFeature):
    """A class that it is stated to be of."""

    def marks(self, recorded: StatedItems, items: Iterable[int]) -> Marks:
        """Its classes."""
        types = recorded.world.containment.types
        return {item: tuple(sorted(types[item])) for item in items if types.get(item)}


@dataclass(frozen=True)
class Years(LikenessFeature):
    """The time that it is of: two stretches, one of which has whatever lies within half of their length."""

    width: int

    def marks(self, recorded: StatedItems, items: Iterable[int]) -> Marks:
        """Both stretches."""
        half = self.width // 2
        return {
            item: (("from", year // self.width), ("half", (year + half) // self.width))
            for item in items
            if (year := recorded.years.get(item)) is not None
        }


@dataclass(frozen=True)
class Lands(LikenessFeature):
    """The country in which it lies, by its containers, as it is stated, or as it is said."""

    def marks(self, recorded: StatedItems, items: Iterable[int]) -> Marks:
        """One country, or what is stated, or those of the regions that its description names."""
        return {item: lands for item in items if (lands := recorded.lands(item))}


@dataclass(frozen=True)
class Continents(LikenessFeature):
    """The continent of its country, or of whose citizen somebody is, if that lies on one or two."""

    def marks(self, recorded: StatedItems, items: Iterable[int]) -> Marks:
        """All of them."""
        lands = Either((Lands(), Has((wd.CITIZENSHIP,)))).marks(recorded, items)
        of = recorded.values(wd.CONTINENT)
        few = {land: several for land, several in of.items() if len(several) <= _FEW_CONTINENTS}
        return {
            item: marks
            for item, several in lands.items()
            if (marks := tuple(dict.fromkeys(one for land in several for one in few.get(land, ()))))  # type: ignore[call-overload]
        }


@dataclass(frozen=True)
class WiderArea(LikenessFeature):
    """The same, and the official languages of that country."""

    def marks(self, recorded: StatedItems, items: Iterable[int]) -> Marks:
        """All of them."""
        items = list(items)
        lands = Either((Lands(), Has((wd.CITIZENSHIP,))))
        return Either((Continents(), Through(lands, Has((wd.OFFICIAL_LANGUAGE,))))).marks(recorded, items)


@dataclass(frozen=True)
class Neighbours(LikenessFeature):
    """The region and those that it borders on: what two share that do, or that have a neighbour in common."""

    def marks(self, recorded: StatedItems, items: Iterable[int]) -> Marks:
        """None of a country, nor of what has no neighbours."""
        countries = recorded.holders(wd.COUNTRY)
        sides = (recorded.values(wd.BORDER), recorded.holders(wd.BORDER))
        return {
            item: (item, *beside)
            for item in items
            if item not in countries
            and (beside := sorted({one for side in sides for one in side.get(item, ())} - countries.keys()))
        }


@dataclass(frozen=True)
class Described(LikenessFeature):
    """Words of its description: American, actor. It states nothing that hiding takes away."""

    def marks(self, recorded: StatedItems, items: Iterable[int]) -> Marks:
        """Its words of some length."""
        return {
            item: marks
            for item in items
            if (marks := tuple(dict.fromkeys(_WORD.findall(recorded.descriptions.get(item, "").lower()))))
        }


@dataclass(frozen=True)
class DescribedNames(LikenessFeature):
    """Names in its description, above all of a nation: American. It states nothing that hiding takes away."""

    def marks(self, recorded: StatedItems, items: Iterable[int]) -> Marks:
        """Its words that are written large."""
        return {
            item: marks
            for item in items
            if (marks := tuple(dict.fromkeys(_NAME.findall(recorded.descriptions.get(item, "")))))
        }


@dataclass(frozen=True)
class LabelWords(LikenessFeature):
    """Words of its name: the offices of governors."""

    def marks(self, recorded: StatedItems, items: Iterable[int]) -> Marks:
        """Its words of some length."""
        return {
            item: marks
            for item in items
            if (marks := tuple(dict.fromkeys(_WORD.findall(recorded.labels.get(item, "").lower()))))
        }


@dataclass(frozen=True)
class DistinctiveWords(LikenessFeature):
    """What of its names sets it apart: two of one series share it."""

    def marks(self, recorded: StatedItems, items: Iterable[int]) -> Marks:
        """The words, and each name as a whole."""
        known = recorded.world.naming.marks
        return {item: tuple(sorted(known[item])) for item in items if item in known}


@dataclass(frozen=True)
class Either(LikenessFeature):
    """Any of several features, whichever tells it: a country by citizenship or by birthplace."""

    features: tuple[LikenessFeature, ...]

    def marks(self, recorded: StatedItems, items: Iterable[int]) -> Marks:
        """What it has of all of them."""
        items = list(items)
        each = [feature.marks(recorded, items) for feature in self.features]
        return {
            item: marks for item in items if (marks := tuple(dict.fromkeys(m for by in each for m in by.get(item, ()))))
        }


@dataclass(frozen=True)
class All(LikenessFeature):
    """Several features at once: of a country, a trade and a time."""

    features: tuple[LikenessFeature, ...]

    def marks(self, recorded: StatedItems, items: Iterable[int]) -> Marks:
        """Every combination of them."""
        items = list(items)
        each = [feature.marks(recorded, items) for feature in self.features]
        return {item: tuple(product(*(by[item] for by in each))) for item in items if all(item in by for by in each)}


def _joined(sources: Iterable[Mapping[int, tuple[int, ...]]], items: Iterable[int]) -> Marks:
    sources = list(sources)
    return {
        item: marks
        for item in items
        if (marks := tuple(dict.fromkeys(value for source in sources for value in source.get(item, ()))))
    }


def marks_of(
    marks: Sequence[Marks], items: Ints, columns: dict[object, int] | None = None
) -> "scipy.sparse.csr_matrix":
    """Items × what they have of the features, 1 where they have it.

    Args:
        marks: of each feature.
        items: rows.
        columns: which mark is which column, filled here; given where other items are to have the same.
    """
    columns = {} if columns is None else columns
    row, column = [], []
    for at, item in enumerate(items.tolist()):
        for number, of_feature in enumerate(marks):
            for mark in of_feature.get(item, ()):
                row.append(at)
                column.append(columns.setdefault((number, mark), len(columns)))
    shape = (len(items), max(1, len(columns)))
    return scipy.sparse.csr_matrix((np.ones(len(row), dtype=np.float32), (row, column)), shape=shape)


class CommonMarks:
    """Which facts have something in common, by one end of the first and one of the second.

    Args:
        marks: what each item has.
        first: of each fact, the item that counts where it is the first of two.
        second: the same where it is the second.
        bare: whether what has nothing is like everything.
    """

    def __init__(self, marks: Marks, first: Ints, second: Ints, *, bare: bool) -> None:
        (left, self._first), (right, self._second) = (
            np.unique(items, return_inverse=True) for items in (first, second)
        )
        columns: dict[object, int] = {}
        one, other = (marks_of([marks], items, columns) for items in (left, right))
        width = len(columns) or 1
        for having in (one, other):
            having.resize(having.shape[0], width)
        self._bare = tuple(bare & (np.asarray(having.sum(axis=1)).ravel() == 0) for having in (one, other))
        common = scipy.sparse.csr_matrix(one @ other.T)
        self._has = np.sort(pair(*(part.astype(np.int64) for part in common.nonzero())))

    def of(self, first: Ints, second: Ints) -> Bools:
        """Whether it is so of each two facts, by their numbers."""
        left, right = self._first[first], self._second[second]
        return np.asarray(self._bare[0][left] | self._bare[1][right] | among(pair(left, right), self._has))
