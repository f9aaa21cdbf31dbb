"""Which subjects have all their objects stated: a number counts them, and they reach it (semantics.md §1.10)."""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import date
from functools import cached_property
from typing import Any, NamedTuple

from sqlalchemy import text
from sqlalchemy.orm import Session

from halluvault_tasks.reasoning import counted_lists
from halluvault_tasks.reasoning.world.containment import Containment
from halluvault_tasks.reasoning.world.slots import Known, Slots
from halluvault_tasks.wikidata import properties as wd

_NUMBERS = """
SELECT s, min(amount) AS number, min(sid) AS sid FROM statement
WHERE snapshot = :snapshot AND p = :p AND kind = 'quantity'
GROUP BY s HAVING count(DISTINCT amount) = 1 AND bool_and(NOT hedged) AND min(amount) >= 1
    AND s NOT IN (SELECT s FROM deprecated_value WHERE snapshot = :snapshot AND p = :p)
"""
_BACK = "SELECT o AS s, s AS o FROM statement WHERE snapshot = :snapshot AND p = ANY(:properties) AND o IS NOT NULL"


class CompleteList(NamedTuple):
    """All objects of one subject and property."""

    values: Mapping[int, int]
    """Item → statement id."""

    why: str
    """Who counted them, in words."""

    only: frozenset[int] = frozenset()
    """Classes of what was counted; empty: whatever the property has."""


@dataclass(frozen=True, eq=False)
class Lists:
    """The complete lists of a snapshot."""

    of: Mapping[tuple[int, int], CompleteList] = field(default_factory=dict)
    """(p, s) → its list."""

    @cached_property
    def properties(self) -> frozenset[int]:
        """Those of which some subject has one."""
        return frozenset(p for p, _ in self.of)


class ListedProperty(NamedTuple):
    """What its rule says of a property."""

    p: int
    counted_by: int
    relations: frozenset[str]
    only: frozenset[int]
    lasting: bool
    back: frozenset[int]
    """Properties that say the same at the object."""

    @classmethod
    def of(cls, p: int, support: Mapping[str, Any], back: Iterable[int]) -> "ListedProperty":
        """As its rule tells (`Rule.support`)."""
        return cls(
            p,
            int(support["counted_by"]),
            frozenset(support["relations"]),
            frozenset(support["only"]),
            bool(support["lasting"]),
            frozenset(back),
        )


class _Number(NamedTuple):
    number: int
    why: str


def load(
    session: Session, snapshot: str, listed: Iterable[ListedProperty], slots: Slots, places: Containment, day: int
) -> Lists:
    """Read the counts, and keep those that are reached.

    Args:
        session: open session.
        snapshot: key of a snapshot whose rules are typed.
        listed: the properties that may be counted.
        slots: what is stated of them.
        places: classes of items.
        day: of the snapshot, as a day number.
    """
    found: dict[tuple[int, int], CompleteList] = {}
    for one in listed:
        back: dict[int, set[int]] = defaultdict(set)
        if one.back:
            rows = session.execute(text(_BACK), {"snapshot": snapshot, "properties": sorted(one.back)})
            for s, o in rows:
                back[s].add(o)
        for s, counted in _numbers(session, snapshot, one, slots, day).items():
            values = _reached(one, slots.known.get((one.p, s)), places, counted.number)
            if values and back[s] <= values.keys():
                found[one.p, s] = CompleteList(values, counted.why, one.only)
    return Lists(found)


def _numbers(session: Session, snapshot: str, one: ListedProperty, slots: Slots, day: int) -> Mapping[int, _Number]:
    """Subject → its one number; those of which sources tell several have none."""
    told: dict[int, set[int]] = defaultdict(set)
    why: dict[int, str] = {}
    if one.counted_by:
        for row in session.execute(text(_NUMBERS), {"snapshot": snapshot, "p": one.counted_by}):
            told[row.s].add(int(row.number) if row.number == int(row.number) else 0)
            why[row.s] = f"P{one.counted_by} of Q{row.s} is {row.number:.0f}"
    for count in counted_lists.of_property(session, one.p, one.relations):
        if one.lasting or day <= count.checked_on.toordinal() or _over(slots, count.s, count.checked_on):
            told[count.s].add(count.number)
            why.setdefault(count.s, f"people counted {count.number} ({count.source}, {count.checked_on})")
    return {
        s: _Number(next(iter(numbers)), why[s]) for s, numbers in told.items() if len(numbers) == 1 and 0 not in numbers
    }


def _over(slots: Slots, s: int, on: date) -> bool:
    """Somebody who was dead on that day gets nothing more."""
    ends = slots.ends(wd.DEATH, s)
    return bool(ends) and max(ends) < on.toordinal()


def _reached(one: ListedProperty, known: Known | None, places: Containment, number: int) -> Mapping[int, int]:
    """The stated values where they are as many as were counted, all of good standing; else none."""
    if known is None or known.distinct != len(known.items) or known.none_sid:
        return {}
    if not one.only:
        return known.items if len(known.items) == number else {}
    counted = {o: sid for o, sid in known.items.items() if places.types.get(o, frozenset()) & one.only}
    return counted if len(counted) == number else {}
