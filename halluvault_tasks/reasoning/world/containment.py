"""Where things lie: their classes and containers, present and past, and what is above what (semantics.md §1.3)."""

import re
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, NamedTuple

from sqlalchemy import Row, text
from sqlalchemy.orm import Session

from halluvault_tasks.reasoning import usable
from halluvault_tasks.reasoning.classes import (
    COUNTRY_TYPES,
    DIVISION_TYPES,
    HISTORIC_TYPES,
    SETTLEMENT_TYPES,
    SOVEREIGN_STATE,
    UNSETTLED_TYPES,
    above,
    below,
)
from halluvault_tasks.wikidata import properties as wd

_NOTHING: frozenset[int] = frozenset()

_PRESENT = f"""
SELECT st.p, st.s, st.o, min(st.sid) AS sid FROM statement st
WHERE {usable.PRESENT} AND st.p IN {(*wd.PLACING, wd.ADMINISTERS)}
GROUP BY st.p, st.s, st.o
"""  # noqa: S608 (constants of this package)

_COUNTRIES = f"""
SELECT s FROM (
    SELECT s, coalesce(o, 0) AS o FROM statement WHERE snapshot = :snapshot AND p = {wd.COUNTRY}
    UNION SELECT s, coalesce(o, 0) FROM deprecated_value WHERE snapshot = :snapshot AND p = {wd.COUNTRY}) AS seen
GROUP BY s HAVING count(*) = 1
"""  # noqa: S608 (constants of this package)

_CLASSES = f"""
SELECT DISTINCT s, o FROM statement WHERE snapshot = :snapshot AND p = {wd.SUBCLASS_OF} AND kind = 'item'
"""  # noqa: S608 (constants of this package)

_NEIGHBOURS = """
SELECT s, o, p FROM statement WHERE snapshot = :snapshot AND p = ANY(:properties) AND o IS NOT NULL
UNION SELECT s, o, p FROM deprecated_value WHERE snapshot = :snapshot AND p = ANY(:properties) AND o IS NOT NULL
"""


@dataclass(frozen=True)
class Place:
    """The present containers of a place, up to its country."""

    country: int
    """0: the chain is not complete; `gap` says why."""

    chain: frozenset[int] = frozenset()
    """Every container strictly above the place, country included."""

    historic: bool = False
    whole: bool = True
    """Every step up to the country is stated; False where the last known container only has a country (P17)."""

    gap: str = ""


class ContainmentStep(NamedTuple):
    """A statement of containment, from whichever end."""

    p: int
    low: int
    high: int
    sid: int

    @property
    def stated(self) -> tuple[int, int]:
        """Its subject and object: a container is stated to have a unit."""
        return (self.high, self.low) if self.p == wd.ADMINISTERS else (self.low, self.high)


def _shortest(
    start: int, goal: int, edges: Callable[[int], Iterator[ContainmentStep]]
) -> tuple[ContainmentStep, ...]:  # fmt: skip
    """A shortest way upward; empty where there is none."""
    came: dict[int, ContainmentStep] = {}
    frontier = [start]
    while frontier and goal not in came and goal != start:
        steps = [edge for low in frontier for edge in edges(low)]
        frontier = []
        for edge in steps:
            if edge.high not in came and edge.high != start:
                came[edge.high] = edge
                frontier.append(edge.high)
    way = []
    while goal != start and goal in came:
        way.append(came[goal])
        goal = came[goal].low
    return tuple(reversed(way))


@dataclass(frozen=True, eq=False)
class Containment:
    """Where things lie, by class and by place."""

    types: Mapping[int, frozenset[int]] = field(default_factory=dict)
    """Item → the classes of which it is one (P31)."""

    superclasses: Mapping[int, frozenset[int]] = field(default_factory=dict)
    """Class → the classes stated directly above it (P279), with a doubt or not."""

    up: Mapping[int, frozenset[int]] = field(default_factory=dict)
    """Item → items one step above it (`wd.ABOVE`, `wd.BELOW`), at any rank and date."""

    units: Mapping[int, frozenset[int]] = field(default_factory=dict)
    """Place → what it lies in as a place (P131), or what is said to have it as a unit (P150), at any rank and date."""

    links: Mapping[int, frozenset[int]] = field(default_factory=dict)
    """Item → items linked to it by `wd.CONFUSABLE`, both directions."""

    inside: Mapping[int, Mapping[int, int]] = field(default_factory=dict)
    """Place → present containers → statement id: P131, or P150 of a unit that itself is stated to lie in nothing."""

    turned: frozenset[int] = frozenset()
    """Of these, the statements of P150."""

    countries: Mapping[int, Mapping[int, int]] = field(default_factory=dict)
    """Place → present P17 countries → statement id."""

    settled: frozenset[int] = frozenset()
    """Settlements and administrative units with exactly one P17 at any rank: it alone places them."""

    ended: frozenset[int] = frozenset()
    """Items with an end (P576, P582 …), replaced (P1366), or of a class of things that are over."""

    # Memory, which `dataclasses.replace` does not take over: another containment is worked out anew.
    _above: dict[int, frozenset[int]] = field(default_factory=dict, init=False)
    _places: dict[int, Place] = field(default_factory=dict, init=False)
    _levels: dict[int, Mapping[int, int]] = field(default_factory=dict, init=False)

    @cached_property
    def classes(self) -> frozenset[int]:
        """Items that have instances (P31)."""
        return frozenset().union(*self.types.values())

    @cached_property
    def unsettled_types(self) -> frozenset[int]:
        """Classes of waters, mountains, landforms and events."""
        return below(UNSETTLED_TYPES, self.superclasses)

    @cached_property
    def division_types(self) -> frozenset[int]:
        """Classes that divide a country, as long as no unit of one that is not over is stated to lie in another.

        What is above a unit in other ways counts for nothing here: of the contiguous United States one source says that
        they lie in Kansas, since their midpoint does.
        """
        within = {item: {*self.units.get(item, ()), *self.inside.get(item, ())} for item in {*self.units, *self.inside}}
        nested = (
            self.types.get(item, _NOTHING) & self.types.get(upper, _NOTHING)
            for item in within
            for upper in above(within, item) - {item}
            if not self.historic(item) and not self.historic(upper)
        )
        return below(DIVISION_TYPES, self.superclasses).difference(*nested)

    @cached_property
    def nested_types(self) -> frozenset[int]:
        """Types of which one member lies inside another (human settlement, territorial entity …)."""
        nested = (
            self.types.get(item, _NOTHING) & self.types.get(upper, _NOTHING)
            for item in self.inside
            for upper in self.above(item) - {item}
        )
        return frozenset().union(*nested) - self.division_types

    def above(self, item: int) -> frozenset[int]:
        """Everything above an item (itself left out unless it lies on a cycle)."""
        if item not in self._above:
            reached: set[int] = set()
            frontier = list(self.up.get(item, ()))
            while frontier:
                upper = frontier.pop()
                if upper not in reached:
                    reached.add(upper)
                    if upper in self._above:
                        reached |= self._above[upper]
                    else:
                        frontier += self.up.get(upper, ())
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

    def historic(self, item: int) -> bool:
        """It is over, or of a type of things that are."""
        return item in self.ended or not HISTORIC_TYPES.isdisjoint(self.types.get(item, _NOTHING))

    def place_of(self, item: int) -> Place:
        """The chain of present containers of a place, up to one country; `gap` says what it lacks."""
        if item not in self._places:
            self._places[item] = self._chain(item)
        return self._places[item]

    def levels_of(self, item: int) -> Mapping[int, int]:
        """Type → the one container of that type; a type whose members contain each other is no level."""
        if item not in self._levels:
            containers: dict[int, list[int]] = defaultdict(list)
            for container in self.place_of(item).chain:
                for kind in self.types.get(container, _NOTHING) - self.nested_types:
                    containers[kind].append(container)
            self._levels[item] = {kind: only[0] for kind, only in containers.items() if len(only) == 1}
        return self._levels[item]

    def way(self, start: int, goal: int) -> tuple[ContainmentStep, ...]:
        """A shortest chain of present containment from a place to a container of it."""
        return _shortest(start, goal, self._edges)

    def climb(self, start: int, goal: int) -> tuple[ContainmentStep, ...]:
        """The same through areas alone; empty where they do not lead there."""
        return _shortest(start, goal, self._areas)

    def _edges(self, low: int) -> Iterator[ContainmentStep]:
        """The steps upward from a place: those of containment first."""
        yield from self._areas(low)
        for high, sid in sorted(self.countries.get(low, {}).items()):
            yield ContainmentStep(wd.COUNTRY, low, high, sid)

    def _areas(self, low: int) -> Iterator[ContainmentStep]:
        for high, sid in sorted(self.inside.get(low, {}).items()):
            yield ContainmentStep(wd.ADMINISTERS if sid in self.turned else wd.LOCATED_IN, low, high, sid)

    def _chain(self, item: int) -> Place:
        reached, frontier = {item}, [item]
        tops: set[int] = set()
        countries: set[int] = set()
        historic, gap = False, ""
        while frontier:
            unit = frontier.pop()
            historic |= self.historic(unit)
            countries |= set(self.countries.get(unit, ()))
            above = self.inside.get(unit, {})
            if not above:
                top, lack = self._top(unit, item)
                gap = gap or lack
                if not top:
                    return self._by_country(item, countries, historic, lack)
                tops.add(top)
            frontier += [upper for upper in above if upper not in reached]
            reached |= set(above)
        if len(tops) != 1:
            return Place(0, gap=f"Q{item}'s chain ends at {len(tops)} countries")
        (top,) = tops
        if countries - {top} - reached:
            return Place(0, gap=f"Q{item}'s chain is assigned to several countries")
        return Place(top, frozenset((reached | {top}) - {item}), historic or self.historic(top), whole=not gap)

    def _top(self, unit: int, item: int) -> tuple[int, str]:
        """The country of the last unit in the chain of an item, and what the chain lacks up to there; 0: none."""
        if self._is_country(unit):
            return unit, ""
        country = self._sole_country(unit) if unit != item else 0
        lack = f"the chain ends at Q{unit}"
        return (country, lack) if country else (0, f"{lack}, in no country or in several")

    def _is_country(self, item: int) -> bool:
        return bool(self.types.get(item, _NOTHING) & COUNTRY_TYPES) or item in self.countries.get(item, ())

    def _sole_country(self, item: int) -> int:
        """The country that alone places a settlement or a unit (P17); 0 if none does."""
        stated = self.countries.get(item, {})
        if item not in self.settled or len(stated) != 1:
            return 0
        (country,) = stated
        return country if self._is_country(country) else 0

    def _by_country(self, item: int, countries: set[int], historic: bool, gap: str) -> Place:
        """A place whose chain of containment is broken, by its country alone, where that is all that is said of it."""
        country = self._sole_country(item)
        if not country or countries - {country}:
            return Place(0, gap=gap)
        return Place(country, frozenset({country}), historic or self.historic(country), whole=False)


def sets(pairs: Iterable[tuple[int, int]]) -> dict[int, frozenset[int]]:
    """Key → its values."""
    values: dict[int, set[int]] = defaultdict(set)
    for key, value in pairs:
        values[key].add(value)
    return {key: frozenset(of_key) for key, of_key in values.items()}


def load(session: Session, snapshot: str, entities: Sequence[Row[Any]]) -> Containment:
    """Read it, in a few queries.

    Args:
        session: open session.
        snapshot: key of a snapshot whose statements are in.
        entities: `naming.entities` of it.
    """
    bind = {"snapshot": snapshot, "today": usable.today(session, snapshot)}
    superclasses = sets(session.execute(text(_CLASSES), bind).tuples())
    alike: dict[frozenset[int], frozenset[int]] = {}  # one object for all of the same types
    types = {row.qid: alike.setdefault(own, own) for row in entities for own in (frozenset(row.types),)}
    ended = frozenset(usable.over(session, snapshot))
    present: dict[int, dict[int, dict[int, int]]] = {p: defaultdict(dict) for p in (*wd.PLACING, wd.ADMINISTERS)}
    for p, s, o, sid in session.execute(text(_PRESENT), bind).all():
        low, high = (o, s) if p == wd.ADMINISTERS else (s, o)
        if high not in ended:  # what is over contains nothing any more, whether or not the statement says so
            present[p][low][high] = sid
    # Counties are often stated to lie in nothing, while their state is stated to have them.
    had = {
        unit: containers
        for unit, containers in present[wd.ADMINISTERS].items()
        if len(containers) == 1 and unit not in present[wd.LOCATED_IN] and unit not in ended
    }
    countries = dict(present[wd.COUNTRY])
    settled = _settled(session.scalars(text(_COUNTRIES), bind), types, superclasses)
    neighbours = _neighbours(session, snapshot)
    return Containment(
        types=types,
        superclasses=superclasses,
        up=neighbours.up,
        units=neighbours.units,
        links=neighbours.links,
        inside=had | present[wd.LOCATED_IN],
        turned=frozenset(sid for containers in had.values() for sid in containers.values()),
        countries=countries,
        settled=settled - _elsewhere(entities, settled, countries, ended),
        ended=ended,
    )


class _Neighbours(NamedTuple):
    up: Mapping[int, frozenset[int]]
    units: Mapping[int, frozenset[int]]
    links: Mapping[int, frozenset[int]]


def _neighbours(session: Session, snapshot: str) -> _Neighbours:
    """What is one step above each item, and what is linked to it."""
    bind = {"snapshot": snapshot, "properties": [*wd.ABOVE, *wd.BELOW, *wd.CONFUSABLE]}
    near = session.execute(text(_NEIGHBOURS), bind).all()
    up = [(s, o) for s, o, p in near if p in wd.ABOVE] + [(o, s) for s, o, p in near if p in wd.BELOW]
    units = [(s, o) for s, o, p in near if p == wd.LOCATED_IN] + [(o, s) for s, o, p in near if p == wd.ADMINISTERS]
    return _Neighbours(
        sets(up), sets(units), sets(pair for s, o, p in near if p in wd.CONFUSABLE for pair in ((s, o), (o, s)))
    )


def _settled(
    items: Iterable[int], types: Mapping[int, frozenset[int]], superclasses: Mapping[int, frozenset[int]]
) -> frozenset[int]:
    """Those that are settlements or units, and neither waters nor mountains."""
    kinds, others = below(SETTLEMENT_TYPES, superclasses), below(UNSETTLED_TYPES, superclasses)
    return frozenset(
        item for item in items if not kinds.isdisjoint(types.get(item, ())) and others.isdisjoint(types.get(item, ()))
    )


def _elsewhere(
    entities: Iterable[Row[Any]],
    settled: Collection[int],
    stated: Mapping[int, Mapping[int, int]],
    ended: Collection[int],
) -> frozenset[int]:
    """Places whose description names another present country than the one that is stated of them.

    A source may hold one of several countries alone, and that the one of before: of Metz, a "commune in Moselle,
    France", the real file has Germany.
    """
    by_qid = {row.qid: row for row in entities}
    labels = {
        row.label for row in by_qid.values() if row.label and SOVEREIGN_STATE in row.types and row.qid not in ended
    }
    if not labels:
        return frozenset()
    countries = _any_of(labels)
    elsewhere: set[int] = set()
    for place in settled:
        description = by_qid[place].description or ""
        (country,) = stated.get(place) or (0,)
        if countries.search(description) and not _names(by_qid.get(country), description):
            elsewhere.add(place)
    return frozenset(elsewhere)


def _names(entity: Row[Any] | None, description: str) -> bool:
    """Whether a description calls an entity by one of its names."""
    names = {entity.label, *entity.aliases} - {None} if entity else set()
    return bool(names) and _any_of(names).search(description) is not None


def _any_of(names: Iterable[str]) -> re.Pattern[str]:
    """Any of these names as a whole word."""
    return re.compile("|".join(rf"\b{re.escape(name)}\b" for name in sorted(names)))
