"""What a snapshot states between items, as arrays: what nearness, exclusion and hiding are worked out from."""

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray
from sqlalchemy import text
from sqlalchemy.orm import Session

from halluvault_tasks.knowledge import fame
from halluvault_tasks.knowledge import years as years_of
from halluvault_tasks.reasoning.rules import active_rules
from halluvault_tasks.reasoning.world import World
from halluvault_tasks.wikidata import properties as wd
from halluvault_tasks.wikidata.relation import Relation

Ints = NDArray[np.int64]
Bools = NDArray[np.bool_]

_STATED = "SELECT s, p, o, sid FROM statement WHERE snapshot = :snapshot AND o IS NOT NULL ORDER BY p, s, o"
_EVER = """
SELECT DISTINCT p, s, o FROM statement WHERE p = ANY(:properties) AND o IS NOT NULL
UNION SELECT p, s, o FROM deprecated_value WHERE p = ANY(:properties) AND o IS NOT NULL
"""
_FOLLOWS = "SELECT DISTINCT s, o FROM derived_fact WHERE snapshot = :snapshot AND rule = ANY(:rules)"
_DESCRIBED = "SELECT qid, label, description FROM entity WHERE snapshot = :snapshot"
_YEAR = re.compile(r"\b(?:1[0-9]{3}|20[0-9]{2})\b")
"""Of a description, the year of a work, or that of a birth."""
_HELD = 1 << 32
"""Above every item's number: two items make one key."""


def pair(s: Ints, o: Ints) -> Ints:
    """One number for each two items."""
    return s * _HELD + o


def both_ways(s: Ints, o: Ints) -> Ints:
    """The numbers of pairs and of the same turned round, ascending."""
    return np.unique(np.concatenate([pair(s, o), pair(o, s)]))


def among(wanted: Ints, known: Ints) -> Bools:
    """Which of these stand in an ascending list."""
    if not len(known):
        return np.zeros(len(wanted), dtype=bool)
    at = np.minimum(np.searchsorted(known, wanted), len(known) - 1)
    return np.asarray(known[at] == wanted)


@dataclass(frozen=True, eq=False)
class TrueFacts:
    """What is known of one relation.

    Attributes:
        s: subjects of its true facts, stated or derived.
        o: their objects, in the same order.
        ever: pairs of subject and object that any month states at any rank, or that follow by an active rule (`pair`).
    """

    s: Ints
    o: Ints
    ever: Ints


@dataclass(frozen=True, eq=False)
class StatedItems:
    """One snapshot between items.

    Attributes:
        s, p, o: its statements by property, hedged ones and every rank included.
        sid: their ids.
        known: relation whose values may be offered → what is known of it.
        backwards: relation → properties that say the same from the other end, by the rules of the snapshot.
        years: item → year that it is of, as it is stated, else said.
        labels: item → its name.
        descriptions: item → what it is said to be.
        fame: item → how well it is known, as a logarithm.
        world: names, types, containment.
    """

    s: Ints
    p: Ints
    o: Ints
    sid: Ints
    known: Mapping[Relation, TrueFacts]
    backwards: Mapping[Relation, tuple[int, ...]]
    years: Mapping[int, int]
    labels: Mapping[int, str]
    descriptions: Mapping[int, str]
    fame: Mapping[int, float]
    world: World

    @cached_property
    def joined(self) -> Ints:
        """Pairs that some statement joins, either way round, sorted."""
        return both_ways(self.s, self.o)

    def lands(self, item: int) -> tuple[int, ...]:
        """The countries in which a place lies: by its containers, else as stated, else as its description says."""
        if lands := self._lies_in(item):
            return lands
        named = self._regions.findall(self.descriptions.get(item, ""))
        return tuple(dict.fromkeys(land for name in named for land in self._by_name[name]))

    def _lies_in(self, item: int) -> tuple[int, ...]:
        country = self.world.containment.place_of(item).country
        return (country,) if country else self._countries.get(item, ())

    @cached_property
    def _countries(self) -> Mapping[int, tuple[int, ...]]:
        return self.values(wd.COUNTRY)

    @cached_property
    def _by_name(self) -> Mapping[str, tuple[int, ...]]:
        """Names of what contains something → the countries of all that are called so."""
        rows = np.isin(self.p, [wd.LOCATED_IN, wd.COUNTRY])
        of_country = set(self.o[self.p == wd.COUNTRY].tolist())
        lands: dict[str, set[int]] = defaultdict(set)
        for region in np.unique(self.o[rows]).tolist():
            if region in self.labels:
                lands[self.labels[region]].update((region,) if region in of_country else self._lies_in(region))
        return {name: tuple(sorted(countries)) for name, countries in lands.items() if len(countries) == 1}

    @cached_property
    def _regions(self) -> re.Pattern[str]:
        names = sorted(self._by_name, key=lambda name: (-len(name), name))
        return re.compile("|".join(rf"\b{re.escape(name)}\b" for name in names) or r"(?!)")

    def statements(self, p: int, s: int) -> tuple[int, ...]:
        """Statements of what a subject, if it is named, has for a property."""
        rows = self._by_property.get(p, slice(0, 0))
        own = self.s[rows] == s
        named = self.world.naming.marks
        return tuple(
            sid for sid, o in zip(self.sid[rows][own].tolist(), self.o[rows][own].tolist(), strict=True) if o in named
        )

    @cached_property
    def _by_property(self) -> Mapping[int, slice]:
        """Where the statements of a property stand."""
        properties, starts = np.unique(self.p, return_index=True)
        ends = [*starts[1:].tolist(), len(self.p)]
        return {p: slice(start, end) for p, start, end in zip(properties.tolist(), starts.tolist(), ends, strict=True)}

    def values(self, p: int) -> Mapping[int, tuple[int, ...]]:
        """Subject → what it is stated to have for a property."""
        rows = self._by_property.get(p, slice(0, 0))
        return _grouped(self.s[rows], self.o[rows])

    def holders(self, p: int) -> Mapping[int, tuple[int, ...]]:
        """Object → what is stated to have it for a property."""
        rows = self._by_property.get(p, slice(0, 0))
        return _grouped(self.o[rows], self.s[rows])


def _grouped(keys: Ints, values: Ints) -> Mapping[int, tuple[int, ...]]:
    grouped: dict[int, list[int]] = defaultdict(list)
    for key, value in zip(keys.tolist(), values.tolist(), strict=True):
        grouped[key].append(value)
    return {key: tuple(several) for key, several in grouped.items()}


def load(session: Session, snapshot: str, world: World, relations: Iterable[Relation]) -> StatedItems:
    """Read what a snapshot states between items.

    Args:
        session: open session; only read.
        snapshot: key of a snapshot that is derived.
        world: what it knows.
        relations: whose values may be offered.
    """
    wanted = sorted(set(relations))
    s, p, o, sid = _columns(session.execute(text(_STATED), {"snapshot": snapshot}).all(), 4)
    by = _columns(session.execute(text(_EVER), {"properties": [relation.pid for relation in wanted]}).all(), 3)
    rules: dict[Relation, list[int]] = defaultdict(list)
    backwards: dict[Relation, set[int]] = defaultdict(set)
    for rule in active_rules(session, snapshot):
        if rule.kind.truth and not rule.kind.draws:
            rules[rule.conclusion].append(rule.rule)
            if rule.kind.reads_back:
                backwards[rule.conclusion].add(rule.premises[0])
    known: dict[Relation, TrueFacts] = {}
    for relation in wanted:
        rows = (
            session.execute(text(_FOLLOWS), {"snapshot": snapshot, "rules": rules[relation]}).all()
            if rules[relation]
            else []
        )
        subjects, objects = _columns(rows, 2)
        seen = by[0] == relation.pid
        ever = np.unique(np.concatenate([pair(by[1][seen], by[2][seen]), pair(subjects, objects)]))
        order = np.lexsort((objects, subjects))
        known[relation] = TrueFacts(subjects[order], objects[order], ever)
    back = {relation: tuple(sorted(several)) for relation, several in backwards.items()}
    rows = session.execute(text(_DESCRIBED), {"snapshot": snapshot}).all()
    labels = {qid: label for qid, label, _ in rows if label}
    said = {qid: description for qid, _, description in rows if description}
    years = {qid: int(year[0]) for qid, told in said.items() if (year := _YEAR.search(told))}
    years |= years_of.load(session, snapshot)
    return StatedItems(s, p, o, sid, known, back, years, labels, said, fame.load(session, snapshot), world)


def _columns(rows: Iterable[object], width: int) -> tuple[Ints, ...]:
    found = np.array([tuple(row) for row in rows], dtype=np.int64).reshape(-1, width)  # type: ignore[arg-type]
    return tuple(found[:, column].copy() for column in range(width))
