"""What a snapshot says that may rule something out: values of every rank, containment, classes, names, ends.

`licence` decides from these alone; they are read once for a build or a batch and never changed.
"""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date
from decimal import Decimal
from typing import NamedTuple

from halluvault_tasks.reasoning.grounds import Place

_NOTHING: frozenset[int] = frozenset()

HISTORIC_TYPES = frozenset({
    3_024_240,
    19_953_632,
    28_171_280,
    1_620_908,
    19_832_712,
    15_893_266,
    22_674_925,
    15_661_340,
    2_577_883,
})
"""Historical country, former administrative entity, ancient civilisation, historical region, historical administrative
division, former entity, former populated place, ancient city, occupied territory; with all classes below them."""

COUNTRY_TYPES = frozenset({6_256, 3_624_078})
"""Country, sovereign state."""

SETTLEMENT_TYPES = frozenset({486_972, 515, 3_957, 532, 15_284, 1_549_591, 56_061})
"""Human settlement, city, town, village, municipality, big city, administrative territorial entity; with all below."""

UNSETTLED_TYPES = frozenset({15_324, 8_502, 271_669, 1_656_682})
"""Body of water, mountain, landform, event; with all classes below them. P17 alone does not place them."""


@dataclass(frozen=True)
class Functional:
    """An active functional property, and of which subjects it is one (semantics.md §1.1)."""

    place: bool = False
    event: int = 0
    classes: frozenset[int] | None = None
    """Types of which a subject must have one; None: any subject will do."""

    never: frozenset[int] = frozenset()
    """Types of which it may have none."""

    no_later_than: bool = False
    """A value bounds the event from above alone."""

    described: bool = False
    """A value in the year with which the subject's description begins, and no other, bounds it from below, too."""

    credited: bool = False
    """Of subjects alone whose description credits the one stated value."""

    seconded_by: frozenset[int] = frozenset()
    """Properties of which one must give the same year before a question depends on the date; empty: none needs to."""


class Checked(NamedTuple):
    """A statement that people found to be false."""

    id: int
    source: str
    checked_on: date

    since: bool
    """It was checked on the snapshot's day or since: what was never true by then was not true on that day."""


class Known(NamedTuple):
    """What is recorded for one subject and property, at every rank, hedged or not."""

    distinct: int
    """Distinct values of any kind; unknown and no value count."""

    items: dict[int, int]
    """Item values that may ground an answer (not hedged, not deprecated) → statement id."""

    young: frozenset[int] = frozenset()
    """Statement ids that began within the recording lag, or later."""

    none_sid: int = 0
    """Statement of "no value"."""


@dataclass(frozen=True)
class Bounds:
    """The dates or numbers known for one subject and property."""

    sid: int
    """The least of their statements."""

    distinct: int
    """Distinct values of any kind and rank; unknown and no value count."""

    spans: tuple[tuple[int | None, int | None], ...] = ()
    """The distinct dates, as their first and last possible days."""

    amount: Decimal | None = None
    """A number; of several the last."""

    unit: int | None = None
    hedged: bool = False
    """One of them is said with a doubt."""


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
    """Item → what of its label and aliases sets it apart (`names.marks`); absent for an item without a label."""

    classes: frozenset[int] = frozenset()
    """Items that have instances (P31)."""

    up: Mapping[int, frozenset[int]] = field(default_factory=dict)
    """Item → items one step above it, at any rank and date."""

    links: Mapping[int, frozenset[int]] = field(default_factory=dict)
    """Item → items linked to it by CONFUSABLE, both directions."""

    inside: Mapping[int, Mapping[int, int]] = field(default_factory=dict)
    """Place → present P131 containers → statement id."""

    countries: Mapping[int, Mapping[int, int]] = field(default_factory=dict)
    """Place → present P17 countries → statement id."""

    settled: frozenset[int] = frozenset()
    """Settlements and administrative units with exactly one P17 at any rank: it alone places them."""

    ended: frozenset[int] = frozenset()
    """Items with an end (P576, P582 …), replaced (P1366), or of a class of things that are over."""

    renewed: frozenset[int] = frozenset()
    """Items that follow or replace another, or are followed or replaced (P155, P156, P1365, P1366): of what was
    founded again or renamed there is more than one founding."""

    recorded: int = 10**9
    """Last day before the recording lag; a date after it denies nothing."""

    seconded: frozenset[tuple[int, int]] = frozenset()
    """(p, s) whose value another statement of the snapshot, or the description, supports (`Functional.seconded_by`,
    `Functional.described`, `Functional.credited`)."""

    disputed: frozenset[tuple[int, int]] = frozenset()
    """(p, s) whose date differs from the span in the description, whose other end is right: Stalin, 1878 to 1953."""

    checked: Mapping[tuple[int, int, int], Checked] = field(default_factory=dict)
    """(p, s, o) that people found to be false, and that nothing has contradicted so far."""

    time_bound: frozenset[int] = frozenset()
    """Properties of `checked` whose statements hold for a time: false as of the day of the check alone."""

    young_events: frozenset[tuple[int, int]] = frozenset()
    """(p, s) whose event has a date within the recording lag, or none, or one that may lie there."""

    sexes: Mapping[int, frozenset[int]] = field(default_factory=dict)
    """Father or mother → the sexes stated (P21), with a doubt or not."""

    # Memory, and none of what `dataclasses.replace` takes over: other facts are worked out anew.
    _subjects: dict[int, list[int]] = field(default_factory=dict, init=False)
    _ever: dict[int, list[int]] = field(default_factory=dict, init=False)
    _members: dict[int, Counter[int]] = field(default_factory=dict, init=False)
    _above: dict[int, frozenset[int]] = field(default_factory=dict, init=False)
    places: dict[int, Place] = field(default_factory=dict, init=False)
    """Memory of `disjoint_places.place_of`."""

    levels: dict[int, Mapping[int, int]] = field(default_factory=dict, init=False)
    """Memory of `disjoint_places.levels_of`."""

    barred: dict[int, set[int]] = field(default_factory=dict, init=False)
    """Memory of `alternatives`."""

    _nested: list[frozenset[int]] = field(default_factory=list, init=False)

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

    def members(self, p: int) -> Counter[int]:
        """Item → how many are stated to lie directly below it by p."""
        if p not in self._members:
            known = (self.known[p, subject].items for subject in self.subjects(p))
            self._members[p] = Counter(o for items in known for o in items)
        return self._members[p]

    def above(self, item: int) -> frozenset[int]:
        """Everything above an item (itself left out unless it lies on a cycle)."""
        if item not in self._above:
            reached: set[int] = set()
            frontier = list(self.up.get(item, ()))
            while frontier:
                one = frontier.pop()
                if one not in reached:
                    reached.add(one)
                    if one in self._above:
                        reached |= self._above[one]
                    else:
                        frontier += self.up.get(one, ())
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

    def has_one(self, p: int, s: int) -> bool:
        """Whether s has one value of the functional property p: by its class, or by its description."""
        one, types = self.functional[p], self.types.get(s, _NOTHING)
        if one.described and (p, s) in self.seconded:
            return True
        if one.credited and (p, s) not in self.seconded:
            return False
        return (one.classes is None or not one.classes.isdisjoint(types)) and one.never.isdisjoint(types)

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
        return item in self.ended or not HISTORIC_TYPES.isdisjoint(self.types.get(item, _NOTHING))

    def ever_seen(self, p: int, s: int, o: int) -> bool:
        """(s, p, o) was recorded in some month at some rank, hedged or not."""
        return o in self.seen.get((p, s), ())
