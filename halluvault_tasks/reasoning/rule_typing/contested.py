"""Statements of functional properties that support nothing, since another one contradicts or outranks them.

A functional property has exactly one true value. Where two are recorded and neither contains the other, one of them is
wrong, and nothing says which: then no answer may depend on either (semantics.md §1.1, §1.2). An outranked value is one
that editors have put behind a better one.
"""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from itertools import combinations

from sqlalchemy import Row, text
from sqlalchemy.orm import Session

from halluvault_tasks.reasoning.world.containment import Containment
from halluvault_tasks.wikidata import properties as wd

_COMPETING = """
SELECT p, s, sid, o, kind, rank FROM statement WHERE snapshot = :snapshot AND p = ANY(:properties) AND (p, s) IN (
    SELECT p, s FROM statement WHERE snapshot = :snapshot AND p = ANY(:properties) GROUP BY p, s HAVING count(*) > 1)
ORDER BY p, s, sid
"""

_ABOVE = """
SELECT s AS low, o AS high, p FROM statement
WHERE snapshot = :snapshot AND kind = 'item' AND NOT hedged AND p = ANY(:up) AND s = ANY(:items)
UNION SELECT o, s, p FROM statement
WHERE snapshot = :snapshot AND kind = 'item' AND NOT hedged AND p = ANY(:down) AND o = ANY(:items)
"""


_Statement = Row[tuple[int, ...]]
"""Property, subject, number, object, kind, rank."""


def contested(session: Session, snapshot: str, functional: Iterable[int]) -> dict[int, tuple[int, ...]]:
    """Item statements that may not ground an answer, by property.

    Of a subject's statements only those of best rank count, and none at all unless the values of best rank (hedged,
    unknown and no value included) contain one another or are said to be the same.

    Args:
        session: open session.
        snapshot: key of a snapshot whose statements are in.
        functional: the reviewed functional properties, whatever their verdict.

    Returns:
        PID → statement ids, ascending; a property without any is left out.
    """
    slots: dict[tuple[int, int], list[_Statement]] = defaultdict(list)
    bind = {"snapshot": snapshot, "properties": sorted(functional)}
    for row in session.execute(text(_COMPETING), bind):
        slots[row.p, row.s].append(row)
    best = {slot: _best(rows) for slot, rows in slots.items()}
    containment = _containers(session, snapshot, best.values())
    grounds = {row.sid for rows in best.values() if _agree(containment, rows) for row in rows}
    ungrounded: dict[int, list[int]] = defaultdict(list)
    for (p, _), rows in slots.items():
        ungrounded[p] += [row.sid for row in rows if row.kind == "item" and row.sid not in grounds]
    return {p: tuple(sorted(sids)) for p, sids in sorted(ungrounded.items()) if sids}


def _best(rows: Sequence[_Statement]) -> list[_Statement]:
    preferred = [row for row in rows if row.rank == "preferred"]
    return preferred or list(rows)


def _agree(containment: Containment, rows: Sequence[_Statement]) -> bool:
    items = {row.o for row in rows if row.kind == "item"}
    # "Unknown" or "none" beside a value: editors do not agree that there is this one.
    if len({row.kind for row in rows}) > 1:
        return False
    return all(containment.related(left, right) for left, right in combinations(sorted(items), 2))


def _containers(session: Session, snapshot: str, best: Iterable[Sequence[_Statement]]) -> Containment:
    """Only what lies above these values, followed step by step: the rest of the snapshot says nothing about them."""
    up: dict[int, set[int]] = defaultdict(set)
    same: dict[int, set[int]] = defaultdict(set)
    asked: set[int] = set()
    frontier = {row.o for rows in best for row in rows if row.o}
    bind = {"snapshot": snapshot, "up": [*wd.CONTAINERS, *wd.SAME], "down": [*wd.PARTS, *wd.SAME]}
    while frontier:
        asked |= frontier
        for row in session.execute(text(_ABOVE), {**bind, "items": sorted(frontier)}):
            (same if row.p in wd.SAME else up)[row.low].add(row.high)
        frontier = {high for highs in up.values() for high in highs} - asked
    return Containment(
        up={low: frozenset(highs) for low, highs in up.items()},
        links={low: frozenset(highs) for low, highs in same.items()},
    )
