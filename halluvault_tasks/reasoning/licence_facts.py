"""What a snapshot says that may rule something out: values of every rank, containment, classes, names, ends.

`licence` decides by these alone; they are read once for a build or a batch and never changed.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from typing import NamedTuple

from halluvault_tasks.reasoning.grounds import Place

UP = (131, 361, 279, 171, 276, 17, 30, 31, 397, 403, 706)
"""Properties whose object is above their subject: containment, class, taxon, the body orbited or flowed into."""

DOWN = (150, 527, 355, 398)
"""Properties whose object is below their subject."""

LINKS = (1365, 1366, 460, 1889)
"""Replaces, replaced by, said to be the same as, different from: too close to be opposed."""


HISTORIC_TYPES = frozenset({3_024_240, 19_953_632, 28_171_280, 1_620_908})
"""Historical country, former administrative entity, ancient civilisation, historical region."""


@dataclass(frozen=True)
class Functional:
    """An active functional property."""

    place: bool = False
    event: int = 0


class Known(NamedTuple):
    """What is recorded for one subject and property, at every rank, hedged or not."""

    distinct: int
    """Distinct values of any kind; unknown and no value count."""

    items: Mapping[int, int]
    """Item values that may ground an answer (not hedged, not deprecated) → statement id."""

    young: frozenset[int] = frozenset()
    """Statement ids that began within the recording lag, or later."""

    none_sid: int = 0
    """Statement of "no value"."""


@dataclass(frozen=True)
class Bounds:
    """A date or number known for one subject and property."""

    sid: int
    distinct: int
    earliest: int | None = None
    latest: int | None = None
    amount: Decimal | None = None
    unit: int | None = None
    hedged: bool = False


@dataclass
class LicenceFacts:
    """What a licence needs to know of a snapshot; read by `licence_load`, or written down in a test."""

    functional: Mapping[int, Functional] = field(default_factory=dict)
    asymmetric: frozenset[int] = frozenset()
    irreflexive: frozenset[int] = frozenset()
    known: Mapping[tuple[int, int], Known] = field(default_factory=dict)
    """(p, s) → what is recorded in this snapshot."""

    seen: Mapping[tuple[int, int], frozenset[int]] = field(default_factory=dict)
    """(p, s) → items recorded in any month at any rank."""

    bounds: Mapping[tuple[int, int], Bounds] = field(default_factory=dict)
    types: Mapping[int, frozenset[int]] = field(default_factory=dict)
    tokens: Mapping[int, frozenset[str]] = field(default_factory=dict)
    """Item → folded words of label and aliases; absent for an item without a label."""

    up: Mapping[int, frozenset[int]] = field(default_factory=dict)
    """Item → items one step above it, at any rank and date."""

    links: Mapping[int, frozenset[int]] = field(default_factory=dict)
    """Item → items linked to it by LINKS, both directions."""

    inside: Mapping[int, Mapping[int, int]] = field(default_factory=dict)
    """Place → present P131 containers → statement id."""

    located: frozenset[int] = frozenset()
    """Items with any P131 statement."""

    countries: Mapping[int, Mapping[int, int]] = field(default_factory=dict)
    """Place → present P17 countries → statement id."""

    ended: frozenset[int] = frozenset()
    """Items with an end (P576, P582 …), or replaced (P1366)."""

    young_events: frozenset[tuple[int, int]] = frozenset()
    """(p, s) whose event has a date within the recording lag, or none, or one that may lie there."""

    _subjects: dict[int, list[int]] = field(default_factory=dict)
    _ever: dict[int, list[int]] = field(default_factory=dict)
    _above: dict[int, frozenset[int]] = field(default_factory=dict)
    places: dict[int, Place] = field(default_factory=dict)
    """Memory of `places.place_of`."""

    _nested: list[frozenset[int]] = field(default_factory=list)

    def subjects(self, p: int) -> list[int]:
        """Subjects of which anything is recorded for a property, ascending."""
        if not self._subjects:
            for property_, subject in sorted(self.known):
                self._subjects.setdefault(property_, []).append(subject)
        return self._subjects.get(p, [])

    def subjects_ever(self, p: int) -> list[int]:
        """Subjects of which an item was recorded for a property in some month, ascending."""
        if not self._ever:
            for property_, subject in sorted(self.seen):
                self._ever.setdefault(property_, []).append(subject)
        return self._ever.get(p, [])

    def above(self, item: int) -> frozenset[int]:
        """Everything above an item (itself left out unless it lies on a cycle)."""
        if item not in self._above:
            reached: set[int] = set()
            frontier = set(self.up.get(item, ()))
            while frontier:
                reached |= frontier
                frontier = {upper for one in frontier for upper in self.up.get(one, ())} - reached
            self._above[item] = frozenset(reached)
        return self._above[item]

    def related(self, left: int, right: int) -> bool:
        """The same, above, below, or linked."""
        known = self._above  # asked for every pair of candidates: a call less for each counts
        return (
            left == right
            or right in (known[left] if left in known else self.above(left))
            or left in (known[right] if right in known else self.above(right))
            or right in self.links.get(left, ())
            or left in self.links.get(right, ())
        )

    def nested_types(self) -> frozenset[int]:
        """Types of which one member lies inside another (human settlement, territorial entity …)."""
        if not self._nested:
            nested = (
                self.types.get(item, frozenset()) & self.types.get(upper, frozenset())
                for item in self.inside
                for upper in self.above(item) - {item}
            )
            self._nested.append(frozenset().union(*nested))
        return self._nested[0]

    def historic(self, item: int) -> bool:
        """It is over, or of a type of things that are."""
        return item in self.ended or bool(self.types.get(item, frozenset()) & HISTORIC_TYPES)

    def ever_seen(self, p: int, s: int, o: int) -> bool:
        """(s, p, o) was recorded in some month at some rank, hedged or not."""
        return o in self.seen.get((p, s), ())
