"""What the snapshot states about the entities of a batch of responses, fetched with a few queries a batch."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from typing import NamedTuple

from sqlalchemy import bindparam, text
from sqlalchemy.dialects.postgresql import ARRAY
from sqlalchemy.orm import Session
from sqlalchemy.types import Integer

from halluvault_tasks.reasoning import usable
from halluvault_tasks.reasoning.records import Rule

DATED = (569, 570, 571, 576, 577, 580, 582, 585, 1619)
"""Properties whose value is a date that a response may give."""

TERMS = (39, 26, 166)
"""Properties whose statements are dated by qualifiers (semantics.md section 2.3)."""

_CLIMB = (131, 171, 279, 361, 5135)
_DEPTH = 16

_CLOSURE = f"""
WITH RECURSIVE up(item, depth) AS (
  SELECT unnest(:items), 0
  UNION
  SELECT st.o, up.depth + 1 FROM up JOIN statement st ON st.snapshot = :snapshot AND st.s = up.item
   AND st.p = ANY(:climb) AND st.kind = 'item'
  WHERE up.depth < {_DEPTH})
SELECT DISTINCT item FROM up WHERE item IS NOT NULL
"""  # noqa: S608 (constants of this module)

_FACTS = f"""
SELECT st.p, st.s, st.o, min(st.sid) AS sid, bool_or({usable.USABLE}) AS usable,
       bool_or(CASE WHEN st.p = ANY(:bound) THEN {usable.STANDING_TIME_BOUND} ELSE {usable.STANDING_TIMELESS} END)
         AS standing
FROM statement st
WHERE st.snapshot = :snapshot AND st.kind = 'item' AND st.p = ANY(:properties) AND (st.s = ANY(:items)
   OR (st.o = ANY(:ends) AND st.p = ANY(:backward)))
GROUP BY st.p, st.s, st.o
"""  # noqa: S608 (constants of this package)

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


class Fact(NamedTuple):
    """A statement between two items, the least of those that say it."""

    sid: int
    usable: bool
    standing: bool


class Value(NamedTuple):
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
class Facts:
    """Statements about the entities of a batch."""

    items: dict[tuple[int, int], dict[int, Fact]] = field(default_factory=dict)
    """(p, s) → object → statement."""

    values: dict[tuple[int, int], list[Value]] = field(default_factory=dict)
    terms: dict[tuple[int, int, int], list[TermDates]] = field(default_factory=dict)


def _ints(query: str, *names: str) -> object:
    return text(query).bindparams(*(bindparam(name, type_=ARRAY(Integer)) for name in names))


def fetch(
    session: Session, snapshot: str, entities: Iterable[int], rules: Iterable[Rule], more: Collection[int]
) -> Facts:
    """Read what is stated about entities, and about what lies above them.

    Args:
        session: open session.
        snapshot: key.
        entities: that claims and cases speak of.
        rules: the active rules; their premises are read.
        more: further properties that claims may mean.
    """
    items = sorted(set(entities) - {0})
    listed = list(rules)
    properties = sorted({p for rule in listed for p in rule.premises} | {p for p in more if p > 0} | set(_CLIMB) | {17})
    bound = sorted({p for rule in listed for p in rule.support.get("time_bound", ())})
    climbed = session.scalars(
        _ints(_CLOSURE, "items", "climb"),
        {"snapshot": snapshot, "items": items, "climb": list(_CLIMB)},  # type: ignore[call-overload]
    ).all()
    # One step further, for chains of two different relations (a parent's parent, an author's birthplace).
    every = sorted(set(items) | set(climbed))
    found = Facts()
    today = usable.today(session, snapshot)
    backward = sorted({p for rule in listed if rule.kind in ("inverse", "symmetric") for p in rule.premises})
    for step in range(2):
        bind = {
            "snapshot": snapshot, "today": today, "items": every, "ends": items if step == 0 else [],
            "properties": properties, "bound": bound, "backward": backward,
        }  # fmt: skip
        rows = session.execute(_ints(_FACTS, "items", "ends", "properties", "bound", "backward"), bind).all()  # type: ignore[call-overload]
        for p, s, o, sid, is_usable, standing in rows:
            found.items.setdefault((p, s), {})[o] = Fact(sid, is_usable, standing)
        near = {o for (p, s), objects in found.items.items() for o in objects if s in items} - set(every)
        every = sorted(near)
        if not every:
            break
    _fetch_values(session, snapshot, items, found)
    return found


def _fetch_values(session: Session, snapshot: str, items: list[int], found: Facts) -> None:
    values: dict[tuple[int, int], list[Value]] = defaultdict(list)
    bind = {"snapshot": snapshot, "items": items, "properties": [*DATED, 1086]}
    for row in session.execute(_ints(_VALUES, "items", "properties"), bind):  # type: ignore[call-overload]
        values[row.p, row.s].append(Value(row.sid, row.earliest, row.latest, row.amount))
    found.values = dict(values)
    terms: dict[tuple[int, int, int], list[TermDates]] = defaultdict(list)
    bind["properties"] = list(TERMS)
    for row in session.execute(_ints(_TERMS, "items", "properties"), bind):  # type: ignore[call-overload]
        terms[row.p, row.s, row.o].append(
            TermDates(
                row.sid,
                (row.start_earliest, row.start_latest),
                (row.end_earliest, row.end_latest),
                (row.point_earliest, row.point_latest),
            )
        )
    found.terms = dict(terms)


class Inverses(NamedTuple):
    """How properties can be read from their other end, by the active rules."""

    symmetric: frozenset[int]
    of: Mapping[int, frozenset[int]]
    """p → properties q with: q(a, b) gives p(b, a)."""

    gives: Mapping[int, frozenset[int]]
    """p → properties q with: p(a, b) gives q(b, a), so that p is false where q is."""


def inverses(rules: Iterable[Rule]) -> Inverses:
    """Read them off the active rules."""
    listed = list(rules)
    given: dict[int, set[int]] = defaultdict(set)
    for rule in listed:
        if rule.kind == "inverse" and not rule.sex:  # whose child somebody is does not tell whose father
            given[rule.conclusion].add(rule.premises[0])
    gives: dict[int, set[int]] = defaultdict(set)
    for p, qs in given.items():
        for q in qs:
            gives[q].add(p)
    return Inverses(
        frozenset(rule.conclusion for rule in listed if rule.kind == "symmetric"),
        {p: frozenset(qs) for p, qs in given.items()},
        {p: frozenset(qs) for p, qs in gives.items()},
    )


def place_slots(rules: Iterable[Rule]) -> dict[int, int]:
    """Conclusion of a chain that climbs from a place → the property of that place (born in today's … → P19)."""
    return {rule.conclusion: rule.chain[0] for rule in rules if rule.repeats}
