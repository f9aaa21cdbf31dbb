"""When a statement is known to be false: the one function behind every "No" (semantics.md §1.2-1.4).

Wikidata is an open world, so absence shows nothing. `license_no` says that p(s, o) is false only because something
else is stated that rules it out, and says what. Derivation, oracles and audit all ask here; the Prolog side only joins
what was licensed here (`alternatives`) with the subjects it was licensed for.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from typing import NamedTuple

from halluvault_tasks.knowledge.days import civil, day_number
from halluvault_tasks.reasoning.grounds import Difference, Licence, Reason, Refusal
from halluvault_tasks.reasoning.places import HISTORIC_TYPES, Place, chain_of, different_places

__all__ = ["Difference", "Licence", "Reason", "Refusal"]
"""Answers of this room, importable beside the questions."""

UP = (131, 361, 279, 171, 276, 17, 30, 31, 397, 403, 706)
"""Properties whose object is above their subject: containment, class, taxon, the body orbited or flowed into."""

DOWN = (150, 527, 355, 398)
"""Properties whose object is below their subject."""

LINKS = (1365, 1366, 460, 1889)
"""Replaces, replaced by, said to be the same as, different from: too close to be opposed."""


_NOTHING: frozenset[int] = frozenset()
_OTHER_VALUE = Difference(Reason.OTHER_VALUE)


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
class World:
    """What a licence needs to know of a snapshot; loaded by `world.load_world`, or written down in a test."""

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
    _places: dict[int, Place] = field(default_factory=dict)
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

    def place(self, item: int) -> Place:
        """The chain of present containers of a place."""
        if item not in self._places:
            self._places[item] = chain_of(self, item)
        return self._places[item]

    def ever_seen(self, p: int, s: int, o: int) -> bool:
        """(s, p, o) was recorded in some month at some rank, hedged or not."""
        return o in self.seen.get((p, s), ())


def different(world: World, left: int, right: int, place: bool) -> Difference | Refusal:
    """Whether having `left` as the only value rules out `right`: same type, unrelated, no common name token.

    Args:
        world: the snapshot.
        left: the true value.
        right: the value to rule out.
        place: both are places, so that they must be positively disjoint.
    """
    if world.related(left, right):
        return Refusal("related", f"Q{left} and Q{right} are the same, one above the other, or linked")
    if world.types.get(left, _NOTHING).isdisjoint(world.types.get(right, _NOTHING)):
        return Refusal("type", f"Q{left} and Q{right} share no type")
    mine, theirs = world.tokens.get(left), world.tokens.get(right)
    if not mine or not theirs:
        return Refusal("unnamed", f"Q{right if mine else left} has no label, so names cannot be compared")
    if not mine.isdisjoint(theirs):
        return Refusal("name", f"both names contain {min(mine & theirs)!r}")
    return different_places(world, left, right) if place else _OTHER_VALUE


def sole_value(world: World, p: int, s: int) -> tuple[int, int] | Refusal:
    """The one value of a functional property and its statement id, if it can rule out others."""
    if p not in world.functional:
        return Refusal("not functional", f"P{p} is not known to be functional")
    known = world.known.get((p, s))
    if known is None:
        return Refusal("no value", f"nothing is known of Q{s} and P{p}")
    if known.distinct != 1 or len(known.items) != 1:
        return Refusal("several values", f"Q{s} has {known.distinct} values of P{p}, or none that grounds an answer")
    (value, sid), *_ = known.items.items()
    if sid in known.young or (p, s) in world.young_events:
        return Refusal("young", f"P{p} of Q{s} is not shown to be older than the recording lag")
    return value, sid


def license_no(world: World, p: int, s: int, o: int) -> Licence | Refusal:
    """Whether the snapshot shows that p(s, o) is false.

    Args:
        world: the snapshot.
        p: property number.
        s: subject's item number.
        o: object's item number.

    Returns:
        The licence with its reason, or why there is none (which does not make p(s, o) true).
    """
    if world.ever_seen(p, s, o):
        return Refusal("seen", f"Q{o} was recorded for Q{s} and P{p}")
    if s == o:
        if p in world.irreflexive:
            return Licence(Reason.REFLEXIVE, 0, f"nothing has P{p} to itself")
        return Refusal("reflexive", f"P{p} of itself is not known to be impossible")
    known = world.known.get((p, s))
    if known and known.none_sid and known.distinct == 1:
        return Licence(Reason.NO_VALUE, known.none_sid, f"Q{s} is stated to have no P{p}")
    if (converse := _converse(world, p, s, o)) is not None:
        return converse
    sole = sole_value(world, p, s)
    if isinstance(sole, Refusal):
        return sole
    value, sid = sole
    found = different(world, value, o, world.functional[p].place)
    if isinstance(found, Refusal):
        return found
    why = f"P{p} of Q{s} is Q{value} and only that"
    if found.left:
        level = f" (both Q{found.level})" if found.level else " (countries)"
        why += f"; Q{value} lies in Q{found.left}, Q{o} in Q{found.right}{level}"
    return Licence(found.reason, sid, why, found)


def _converse(world: World, p: int, s: int, o: int) -> Licence | None:
    if p not in world.asymmetric:
        return None
    other = world.known.get((p, o))
    sid = other.items.get(s) if other else None
    if other is None or sid is None or sid in other.young or _leads_to(world, p, s, o):
        return None
    return Licence(Reason.CONVERSE, sid, f"Q{o} has P{p} Q{s}, and P{p} runs one way")


def runs_one_way(world: World, p: int, s: int, o: int) -> bool:
    """Whether p(o, s) is false because p(s, o), which is true, runs one way (semantics.md §1.4).

    Wider than what `license_no` sees: p(s, o) may be derived, through an inverse or a chain, and stated nowhere.
    """
    return p in world.asymmetric and s != o and not world.ever_seen(p, o, s) and not _leads_to(world, p, o, s)


def _leads_to(world: World, p: int, start: int, end: int) -> bool:
    """`end` can be reached from `start` over p: then both directions are claimed, and neither is denied."""
    reached, frontier = {start}, [start]
    while frontier:
        known = world.known.get((p, frontier.pop()))
        fresh = set(known.items if known else ()) - reached
        if end in fresh:
            return True
        reached |= fresh
        frontier += fresh
    return False


_CALENDAR_REFORM = day_number(1923, 3, 1)  # Greece, the last country to leave the Julian calendar
_ENGLISH_NEW_YEAR = day_number(1752)
_CALENDAR_DAYS = 13


def _widened(earliest: int, latest: int) -> tuple[int, int]:
    """Bounds as far as old calendars may shift them (semantics.md §2.7)."""
    if earliest < _CALENDAR_REFORM:
        begin = civil(earliest)
        # In England the year began on 25 March: 30 January 1648 is 1649 for us, and either may be recorded.
        shift = 366 if earliest < _ENGLISH_NEW_YEAR and (begin.month, begin.day) < (3, 25) else _CALENDAR_DAYS
        earliest, latest = earliest - shift, latest + shift
    return earliest, latest


def license_date(world: World, p: int, s: int, earliest: int, latest: int) -> Licence | Refusal:
    """Whether the date p of s is known to lie outside [earliest, latest] (day numbers, inclusive)."""
    bounds = _sole_bounds(world, p, s)
    if isinstance(bounds, Refusal):
        return bounds
    if bounds.earliest is None or bounds.latest is None:
        return Refusal("no value", f"Q{s} has no bounded date P{p}")
    first, last = _widened(bounds.earliest, bounds.latest)
    if latest < first or last < earliest:
        return Licence(Reason.BOUNDS, bounds.sid, f"P{p} of Q{s} lies within days {first} to {last}")
    return Refusal("overlap", f"P{p} of Q{s} may lie there")


def license_amount(world: World, p: int, s: int, amount: Decimal, unit: int | None = None) -> Licence | Refusal:
    """Whether the number p of s is known to be another one (same unit)."""
    bounds = _sole_bounds(world, p, s)
    if isinstance(bounds, Refusal):
        return bounds
    if bounds.amount is None or bounds.unit != unit:
        return Refusal("no value", f"Q{s} has no number P{p} in that unit")
    if bounds.amount != amount:
        return Licence(Reason.BOUNDS, bounds.sid, f"P{p} of Q{s} is {bounds.amount}")
    return Refusal("overlap", f"P{p} of Q{s} is that number")


def _sole_bounds(world: World, p: int, s: int) -> Bounds | Refusal:
    if p not in world.functional:
        return Refusal("not functional", f"P{p} is not known to be functional")
    bounds = world.bounds.get((p, s))
    if bounds is None:
        return Refusal("no value", f"Q{s} has no date or number P{p}")
    if bounds.distinct != 1 or bounds.hedged:
        return Refusal("several values", f"Q{s} has {bounds.distinct} values of P{p}, or a hedged one")
    return bounds


def same_kind(world: World, items: Iterable[int]) -> dict[int, list[int]]:
    """Type → the items of it, ascending."""
    groups: dict[int, list[int]] = {}
    for item in sorted(set(items)):
        for kind in sorted(world.types.get(item, ())):
            groups.setdefault(kind, []).append(item)
    return groups
