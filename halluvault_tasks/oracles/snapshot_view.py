"""What the snapshot states about the entities of a batch of responses, read once and kept for the next batches."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from typing import NamedTuple

from sqlalchemy import text
from sqlalchemy.orm import Session

from halluvault_tasks.reasoning import usable
from halluvault_tasks.reasoning.records import Rule
from halluvault_tasks.wikidata import properties as wd
from halluvault_tasks.wikidata.relation import Predicate

_DEPTH = 16
_MOST = 200_000
"""Statements that are kept from batch to batch: some 60 MB."""

_AHEAD = 1000
"""Entities that are read at once."""

_Slots = dict[tuple[Predicate, int], dict[int, "ItemStatement"]]
"""(p, s) → object → the statement that says it."""

_FACTS = usable.with_over(f"""
SELECT st.p, st.s, st.o, min(st.sid) AS sid, bool_or({usable.USABLE}) AS usable,
       bool_or(CASE WHEN st.p = ANY(:bound) THEN {usable.STANDING_TIME_BOUND} ELSE {usable.STANDING_TIMELESS} END)
         AS standing
FROM statement st
WHERE st.snapshot = :snapshot AND st.kind = 'item' AND st.p = ANY(:properties) AND (st.s = ANY(:items)
   OR (st.o = ANY(:ends) AND st.p = ANY(:backward)))
GROUP BY st.p, st.s, st.o
""")  # noqa: S608 (constants of this package)

_VALUES = """
SELECT p, s, sid, earliest, latest, amount FROM statement
WHERE snapshot = :snapshot AND kind IN ('time', 'quantity', 'unknown') AND s = ANY(:items) AND p = ANY(:properties)
ORDER BY p, s, sid
"""

_TERMS = """
SELECT p, s, o, sid, start_earliest, start_latest, end_earliest, end_latest, point_earliest, point_latest
FROM statement WHERE snapshot = :snapshot AND kind = 'item' AND NOT hedged AND s = ANY(:items) AND p = ANY(:properties)
ORDER BY p, s, o, sid
"""


class ItemStatement(NamedTuple):
    """A statement between two items, the least of those that say it."""

    sid: int
    usable: bool
    standing: bool


class LiteralValue(NamedTuple):
    """A date or number."""

    sid: int
    earliest: int | None
    latest: int | None
    amount: Decimal | None


class TermDates(NamedTuple):
    """The dates of one term, as day bounds; None is unknown."""

    sid: int
    start: tuple[int | None, int | None]
    end: tuple[int | None, int | None]
    point: tuple[int | None, int | None]


@dataclass
class BatchStatements:
    """Statements about the entities of a batch."""

    items: _Slots = field(default_factory=dict)
    """Only to be read: batches share what is in it."""

    values: dict[tuple[int, int], list[LiteralValue]] = field(default_factory=dict)
    terms: dict[tuple[int, int, int], list[TermDates]] = field(default_factory=dict)


class SnapshotView:
    """Reads of a snapshot what batches of responses need, each statement once: it never changes while it is judged by.

    What a batch gets is the same in whatever company it comes.

    Args:
        session: open session; it is only read.
        snapshot: key.
        rules: the active rules; their premises are read.
        more: further properties that claims may mean.
        expected: entities in the order in which batches will speak of them: they are read ahead, many at once, since a
            query costs about as much for one.
    """

    def __init__(
        self,
        session: Session,
        snapshot: str,
        rules: Iterable[Rule],
        more: Collection[int],
        expected: Iterable[int] = (),
    ) -> None:
        listed = list(rules)
        self._expected = list(dict.fromkeys(expected))
        self._turn = {item: turn for turn, item in enumerate(self._expected)}
        properties = {p for rule in listed for p in rule.premises} | set(more) | {*wd.CLIMBED, wd.COUNTRY}
        # What an inverse without a property says is read, and looked up, as the property.
        backward = {
            p
            for rule in listed
            if rule.kind.family in ("inverse", "symmetric") and rule.conclusion.pid
            for p in rule.premises
        }
        self._session, self._backward = session, frozenset(backward)
        self._bind = {
            "snapshot": snapshot,
            "today": usable.today(session, snapshot),
            "over": usable.over(session, snapshot),
            "properties": sorted(properties),
            "bound": sorted({p for rule in listed for p in rule.support.get("time_bound", ())}),
            "backward": sorted(backward),
        }
        self._of: dict[int, _Slots] = {}
        """Subject → its statements."""
        self._kept = 0
        """How many those are."""
        self._about: dict[int, _Slots] = {}
        """Object → statements that are read from that end; of what a response may name. So are the two beside it."""
        self._values: dict[int, dict[tuple[int, int], list[LiteralValue]]] = {}
        self._terms: dict[int, dict[tuple[int, int, int], list[TermDates]]] = {}

    def fetch(self, entities: Iterable[int]) -> BatchStatements:
        """What is stated about entities that claims and cases speak of, and about what lies above them."""
        if self._kept > _MOST:
            for kept in (self._of, self._about, self._values, self._terms):
                kept.clear()
            self._kept = 0
        items = sorted(set(entities) - {0})
        self._learn_ahead(items)
        every = self._above(items)
        found = BatchStatements()
        for item in every | self._near(items):
            found.items.update(self._of[item])
        for item in items:
            for slot, objects in self._about[item].items():
                found.items[slot] = found.items.get(slot, {}) | objects
            found.values |= self._values[item]
            found.terms |= self._terms[item]
        return found

    def _learn_ahead(self, items: Sequence[int]) -> None:
        """Read what is not known of items, and with it what batches will speak of next."""
        if new := [item for item in items if item not in self._about]:
            first = min((self._turn[item] for item in new if item in self._turn), default=len(self._expected))
            ahead = [item for item in self._expected[first : first + _AHEAD] if item not in self._about]
            self._learn(sorted({*new, *ahead} - {0}))

    def _learn(self, items: list[int]) -> None:
        """Read what is stated about items, about what lies above them, and one step further.

        The step is for chains of two different relations (a parent's parent, an author's birthplace).
        """
        bind = {"snapshot": self._bind["snapshot"], "items": items}
        self._read(items, items)
        self._above(items)
        self._read(self._near(items), [])
        self._values |= {item: defaultdict(list) for item in items}
        for row in self._session.execute(text(_VALUES), bind | {"properties": [*wd.DATES, wd.ATOMIC_NUMBER]}):
            self._values[row.s][row.p, row.s].append(LiteralValue(row.sid, row.earliest, row.latest, row.amount))
        self._terms |= {item: defaultdict(list) for item in items}
        for row in self._session.execute(text(_TERMS), bind | {"properties": list(wd.DATED_BY_QUALIFIERS)}):
            dates = TermDates(
                row.sid,
                (row.start_earliest, row.start_latest),
                (row.end_earliest, row.end_latest),
                (row.point_earliest, row.point_latest),
            )
            self._terms[row.s][row.p, row.s, row.o].append(dates)

    def _read(self, items: Iterable[int], ends: list[int]) -> None:
        """Read statements whose subject is one of `items`, and those to be read backwards from one of `ends`."""
        subjects, objects = set(items) - self._of.keys(), set(ends)
        if not subjects and not objects:
            return
        rows = self._session.execute(text(_FACTS), self._bind | {"items": sorted(subjects), "ends": ends}).all()
        self._of |= {item: {} for item in subjects}
        self._about |= {item: {} for item in ends}
        for p, s, o, sid, is_usable, standing in rows:
            said = ItemStatement(sid, is_usable, standing)
            if s in subjects:
                self._of[s].setdefault((p, s), {})[o] = said
                self._kept += 1
            if o in objects and p in self._backward:
                self._about[o].setdefault((p, s), {})[o] = said

    def _near(self, items: Iterable[int]) -> set[int]:
        """What stands in the statements about items."""
        return {o for item in items for objects in self._of[item].values() for o in objects}

    def _above(self, items: Iterable[int]) -> set[int]:
        """Items with what lies above them, up to `_DEPTH` steps; what is not yet read of it is."""
        every, edge = set(items), set(items)
        for _ in range(_DEPTH):
            edge = {o for item in edge for p in wd.CLIMBED for o in self._of[item].get((p, item), ())} - every
            every |= edge
            self._read(edge, [])
        return every


class Inverses(NamedTuple):
    """How properties can be read from their other end, by the active rules."""

    symmetric: Collection[Predicate]
    of: Mapping[Predicate, Collection[int]]
    """p → properties q with: q(a, b) gives p(b, a)."""

    gives: Mapping[Predicate, Collection[int]]
    """p → properties q with: p(a, b) gives q(b, a), so that p is false where q is."""


def inverses(rules: Iterable[Rule]) -> Inverses:
    """Read them off the active rules."""
    symmetric: set[Predicate] = set()
    of: dict[Predicate, set[int]] = defaultdict(set)
    gives: dict[Predicate, set[int]] = defaultdict(set)
    for rule in rules:
        if not rule.kind.reads_back:  # whose child somebody is does not tell whose father
            continue
        premise, conclusion = rule.premises[0], rule.conclusion
        if conclusion.pid == premise:
            symmetric.add(premise)
            continue
        of[conclusion.predicate].add(premise)
        if conclusion.pid:
            gives[premise].add(conclusion.pid)
    return Inverses(symmetric, of, gives)


def place_slots(rules: Iterable[Rule]) -> dict[Predicate, int]:
    """Conclusion of a chain that climbs from a place → the property of that place (born in today's … → P19)."""
    return {rule.conclusion.predicate: place for rule in rules if (place := rule.kind.climbs_from(rule))}
