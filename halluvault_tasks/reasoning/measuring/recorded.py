"""What a snapshot states between items, as arrays: what nearness, exclusion and hiding are worked out from."""

import re
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from sys import intern

import numpy as np
from numpy.typing import NDArray
from sqlalchemy import text
from sqlalchemy.orm import Session

from halluvault_tasks.knowledge import fame
from halluvault_tasks.knowledge import years as years_of
from halluvault_tasks.reasoning.measuring.ways import Ways
from halluvault_tasks.reasoning.records import Rule
from halluvault_tasks.reasoning.rules import active_rules
from halluvault_tasks.reasoning.world import World
from halluvault_tasks.storage import arrays
from halluvault_tasks.wikidata import properties as wd
from halluvault_tasks.wikidata.relation import Kind, Relation

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


def ascending(numbers: Ints) -> Ints:
    """Each number once, in order: of numbers of pairs `np.unique` takes twenty times as long, since they hash alike."""
    ordered = np.sort(numbers)
    first = np.ones(len(ordered), dtype=bool)
    first[1:] = ordered[1:] != ordered[:-1]
    return np.asarray(ordered[first])


def both_ways(s: Ints, o: Ints) -> Ints:
    """The numbers of pairs and of the same turned round, ascending."""
    return ascending(np.concatenate([pair(s, o), pair(o, s)]))


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
        ways: of a chain, by which its steps, each as it is ever known, lead from these subjects: one for each rule.
    """

    s: Ints
    o: Ints
    ever: Ints
    ways: tuple[Ways, ...] = ()

    @cached_property
    def leads(self) -> Mapping[int, Sequence[int]]:
        """Subject → its objects, as they are ever known."""
        return _grouped(*np.divmod(self.ever, _HELD))

    @cached_property
    def last(self) -> Ints:
        """Of each fact what the last step leads from, on the least way."""
        if not self.ways:
            return self.s
        ends = zip(self.s.tolist(), self.o.tolist(), strict=True)
        ways = ((s, *min(way for each in self.ways for way in each.to(s, o))) for s, o in ends)
        return np.array([way[-2] for way in ways], dtype=np.int64)

    def part(self, fame: Mapping[int, float], least: float) -> "TrueFacts":
        """Those both of whose ends are so well known."""
        if not least:
            return self
        known = np.array([fame.get(item, 0.0) >= least for item in [*self.s.tolist(), *self.o.tolist()]])
        both = known[: len(self.s)] & known[len(self.s) :]
        return replace(self, s=self.s[both], o=self.o[both])

    def between(self, s: int) -> frozenset[int]:
        """What lies between a subject and its objects; nothing but on the ways of a chain."""
        return frozenset().union(*(ways.between(s) for ways in self.ways))


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

    def statements(self, relation: Relation, s: int, most: int) -> tuple[int, ...]:
        """Statements, at most so many, of named values that a subject has for a relation; of a chain, of whole ways."""
        if relation.pid:
            return tuple(sid for o, sid in self._stated(relation.pid, s).items() if o in self.world.naming.marks)[:most]
        sids: dict[int, None] = {}
        for ways in self.known[relation].ways:
            for way in ways.whole.get(s, ()):
                ends = zip(ways.properties, (s, *way), way, strict=False)
                own = [self._stated(p, start).get(end) for p, start, end in ends]
                if None not in own and len(sids.keys() | set(own)) <= most:
                    sids |= dict.fromkeys(sid for sid in own if sid is not None)
        return tuple(sids)

    def _stated(self, p: int, s: int) -> Mapping[int, int]:
        """What a subject is stated to have for a property → the statement that says so."""
        rows = self._by_property.get(p, slice(0, 0))
        own = self.s[rows] == s
        return dict(zip(self.o[rows][own].tolist(), self.sid[rows][own].tolist(), strict=True))

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
    rules = [rule for rule in active_rules(session, snapshot) if rule.kind.truth and not rule.kind.draws]
    s, p, o, sid = _columns(arrays.integers(session, text(_STATED), 4, {"snapshot": snapshot}))
    backwards: dict[Relation, set[int]] = defaultdict(set)
    for rule in rules:
        if rule.kind.reads_back:
            backwards[rule.conclusion].add(rule.premises[0])
    back = {relation: tuple(sorted(several)) for relation, several in backwards.items()}
    known = _known(session, snapshot, set(relations), rules)
    rows = session.execute(text(_DESCRIBED), {"snapshot": snapshot}).all()
    # Labels and descriptions are read elsewhere, too: each text is kept once.
    labels = {qid: intern(label) for qid, label, _ in rows if label}
    said = {qid: intern(description) for qid, _, description in rows if description}
    years = {qid: int(year[0]) for qid, told in said.items() if (year := _YEAR.search(told))}
    years |= years_of.load(session, snapshot)
    return StatedItems(s, p, o, sid, known, back, years, labels, said, fame.load(session, snapshot), world)


def _known(
    session: Session, snapshot: str, relations: Collection[Relation], rules: Sequence[Rule]
) -> Mapping[Relation, TrueFacts]:
    """What is known of relations, and of the steps of those that are chains."""
    chains = {
        relation: [rule for rule in rules if rule.conclusion == relation]
        for relation in relations
        if relation.kind is Kind.CHAIN
    }
    steps = {Relation.of(p) for several in chains.values() for rule in several for p in rule.premises}
    stated = sorted((set(relations) - chains.keys()) | steps)
    by = _columns(arrays.integers(session, text(_EVER), 3, {"properties": [relation.pid for relation in stated]}))
    known: dict[Relation, TrueFacts] = {}
    for relation in stated:
        subjects, objects = _following(session, snapshot, rules, relation)
        seen = by[0] == relation.pid
        ever = ascending(np.concatenate([pair(by[1][seen], by[2][seen]), pair(subjects, objects)]))
        known[relation] = TrueFacts(subjects, objects, ever)
    for relation, several in chains.items():
        known[relation] = _chained(*_following(session, snapshot, rules, relation), several, known)
    return known


def _following(session: Session, snapshot: str, rules: Iterable[Rule], relation: Relation) -> tuple[Ints, Ints]:
    """Subjects and objects of the true facts of a relation, whichever rule they are of, in order."""
    numbers = [rule.rule for rule in rules if rule.conclusion == relation]
    subjects, objects = _columns(arrays.integers(session, text(_FOLLOWS), 2, {"snapshot": snapshot, "rules": numbers}))
    order = np.lexsort((objects, subjects))
    return subjects[order], objects[order]


def _chained(s: Ints, o: Ints, rules: Iterable[Rule], known: Mapping[Relation, TrueFacts]) -> TrueFacts:
    """What is known of a chain: its true facts, and what its steps, as they are ever known, lead to."""
    starts = np.unique(s).tolist()
    ways = tuple(Ways.of(rule.premises, [known[Relation.of(p)].leads for p in rule.premises], starts) for rule in rules)
    reached = [(start, way[-1]) for each in ways for start, several in each.whole.items() for way in several]
    ends = np.array(reached, dtype=np.int64).reshape(-1, 2)
    ever = ascending(np.concatenate([pair(s, o), pair(ends[:, 0], ends[:, 1])]))
    return TrueFacts(s, o, ever, ways)


def _columns(rows: Ints) -> tuple[Ints, ...]:
    return tuple(column.copy() for column in rows.T)
