"""Slots that hold one value and nothing else, so that it can be asked for by a question that wants a name or a date.

A value is the only one if the licence's view of the snapshot says so (`licence.slot`, semantics.md §1.1), or, of a
property that is not functional there, if somebody wrote down why a subject has one and the month bears it out. In both
cases nothing else may be recorded for the slot: at no rank, in no month, of no source.
"""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from sqlalchemy import text
from sqlalchemy.orm import Session

from halluvault_tasks.reasoning.grounds import Refusal
from halluvault_tasks.reasoning.licence.slot import convicting, settled
from halluvault_tasks.reasoning.records import Premise
from halluvault_tasks.reasoning.rule_typing.support import wilson
from halluvault_tasks.reasoning.sole_values import certain_year
from halluvault_tasks.reasoning.world import World
from halluvault_tasks.wikidata import properties as wd
from halluvault_tasks.wikidata.calendars import plain_day, widened_years
from halluvault_tasks.wikidata.days import civil
from halluvault_tasks.wikidata.times import DAY, YEAR

_LEAST_SUBJECTS = 200
_LOWER_BOUND = 0.97
"""Of the share of subjects with one value, of a property that has one by no nature (semantics.md §1.1)."""

_EVER = """
SELECT p, s, count(*) AS number, min(earliest) AS first, max(latest) AS last, bool_and(kind = 'time') AS dated FROM (
    SELECT DISTINCT p, s, kind, o, earliest, latest, amount, unit, text FROM statement WHERE p = ANY(:properties)
    UNION
    SELECT p, s, CASE WHEN o IS NULL THEN 'deprecated ' || guid ELSE 'item' END, o, NULL, NULL, NULL, NULL, NULL
    FROM deprecated_value WHERE p = ANY(:properties)
) AS seen GROUP BY p, s
"""
"""What was recorded for each slot at any rank and in any month; unknown and no value count."""

_NOW = """
SELECT DISTINCT ON (p, s) sid, guid, s, p, o, kind, earliest, latest, precision, amount, julian,
    bool_or(hedged) OVER slot AS hedged, bool_or(end_earliest IS NOT NULL OR end_latest IS NOT NULL) OVER slot AS ended,
    max(greatest(start_latest, point_latest)) OVER slot AS since
FROM statement WHERE snapshot = :snapshot AND p = ANY(:properties) AND kind IN ('item', 'time', 'quantity')
WINDOW slot AS (PARTITION BY p, s) ORDER BY p, s, precision DESC NULLS LAST, sid
"""

_SHARES = """
SELECT p, count(*) AS subjects, count(*) FILTER (WHERE number = 1) AS single FROM (
    SELECT p, s, count(*) AS number FROM (
        SELECT DISTINCT p, s, kind, o, earliest, latest, amount, unit, text FROM statement
        WHERE snapshot = :snapshot AND p = ANY(:properties)
        UNION
        SELECT p, s, 'deprecated ' || guid, o, NULL, NULL, NULL, NULL, NULL
        FROM deprecated_value WHERE snapshot = :snapshot AND p = ANY(:properties)
    ) AS seen GROUP BY p, s
) AS slots GROUP BY p
"""


class _Slot(NamedTuple):
    """A slot's finest statement, and what else is known of the slot."""

    premise: Premise
    number: int
    """Of values ever recorded."""
    first: int | None
    last: int | None
    """Days within which all its dates lie."""
    hedged: bool
    ended: bool
    since: int | None


class DatedValue(NamedTuple):
    """A date, as precisely as it may be asked for.

    Attributes:
        earliest, latest: days that it may be, as it is printed.
        precision: Wikidata's: 9 year, 11 day.
    """

    premise: Premise
    earliest: int
    latest: int
    precision: int

    @property
    def julian(self) -> bool:
        """Whether a day is printed in the Julian calendar."""
        return self.precision == DAY and self.premise.p in (self.premise.julian or ())


@dataclass(frozen=True, eq=False)
class SingleSlots:
    """The slots of some properties that hold one value.

    Attributes:
        world: what the snapshot knows.
        slots: (p, s) → what is recorded.
        reviewed: properties that are no functional ones, of which the month bears out that a subject has one value.
        citizenships: person → countries, at any rank.
    """

    world: World
    slots: Mapping[tuple[int, int], _Slot]
    reviewed: frozenset[int]
    citizenships: Mapping[int, frozenset[int]]

    def subjects(self, p: int) -> list[int]:
        """Subjects of which anything is recorded for a property, ascending."""
        return self._subjects.get(p, [])

    @cached_property
    def _subjects(self) -> dict[int, list[int]]:
        found: dict[int, list[int]] = {}
        for p, s in sorted(self.slots):
            found.setdefault(p, []).append(s)
        return found

    def item(self, p: int, s: int) -> Premise | None:
        """The statement of the one item of a slot; None where there may be another."""
        slot = self._only(p, s)
        if slot is None or slot.premise.kind != "item" or slot.premise.o == s:
            return None
        if p in self.world.slots.functional:
            licensed = convicting(self.world, p, s)
            return slot.premise if not isinstance(licensed, Refusal) and licensed.value == slot.premise.o else None
        lasts = not slot.ended and (slot.since is None or slot.since <= self.world.slots.recorded)
        return slot.premise if lasts and p in self.reviewed else None

    def number(self, p: int, s: int) -> Premise | None:
        """The statement of the one whole positive number of a slot."""
        slot = self._only(p, s)
        if slot is None or slot.premise.amount is None or isinstance(convicting(self.world, p, s), Refusal):
            return None
        amount = slot.premise.amount
        return slot.premise if amount == int(amount) and amount > 0 else None

    def day(self, p: int, s: int) -> DatedValue | None:
        """The one day of a slot, undisputed and the same to everybody who looks it up.

        A stated 1 January may be any day of its year, and of an old one from January to March the year is doubtful
        (`calendars.widened_days`). Days between the two calendars' times are asked only where a country is known that
        kept the Gregorian one.
        """
        slot = self._only(p, s)
        if slot is None or slot.premise.kind != "time" or slot.premise.precision != DAY or not self._dated(p, s):
            return None
        premise = slot.premise
        assert premise.earliest is not None
        if not plain_day(premise.earliest, p in (premise.julian or ()), self.citizenships.get(s, frozenset())):
            return None
        return DatedValue(premise, premise.earliest, premise.earliest, DAY)

    def corroborated(self, p: int, s: int) -> bool:
        """Whether a slot's date is stated to the day, or in more than one way."""
        slot = self.slots.get((p, s))
        return slot is not None and (slot.premise.precision == DAY or slot.number > 1)

    def year(self, p: int, s: int) -> DatedValue | None:
        """The year in which all dates ever stated of a slot lie, by whichever calendar they were counted."""
        slot = self.slots.get((p, s))
        if slot is None or slot.hedged or slot.first is None or slot.last is None or slot.premise.kind != "time":
            return None
        by_day = slot.premise.precision == DAY
        # A bare year is a name, the same in every calendar; a day near its edge may be another year's.
        first, last = widened_years(slot.first, slot.last) if by_day else (slot.first, slot.last)
        year = civil(first).year
        if civil(last).year != year or year <= 0 or not self._dated(p, s):
            return None
        if by_day and p in self.world.slots.functional and certain_year(self.world, p, s) != year:
            return None
        premise = slot.premise
        assert premise.earliest is not None
        assert premise.latest is not None
        return DatedValue(premise, premise.earliest, premise.latest, YEAR)

    def _only(self, p: int, s: int) -> _Slot | None:
        slot = self.slots.get((p, s))
        return slot if slot is not None and slot.number == 1 and not slot.hedged else None

    def _dated(self, p: int, s: int) -> bool:
        """Whether the date of a slot is one that a question may rest on."""
        slot = self.slots[p, s]
        if p in self.world.slots.functional:
            licensed = settled(self.world, p, s)
            return not isinstance(licensed, Refusal) and licensed.earliest is not None and licensed.latest is not None
        return p in self.reviewed and slot.last is not None and slot.last <= self.world.slots.recorded


def load(
    session: Session, snapshot: str, world: World, properties: Collection[int], reviewed: Mapping[int, bool]
) -> SingleSlots:
    """Read the slots of some properties.

    Args:
        session: open session; only read.
        snapshot: key.
        world: what it knows.
        properties: whose values may be asked for.
        reviewed: those that are no functional ones and of which somebody wrote down why there is one value → whether
            that is so by nature; else the month must show it.
    """
    bind = {"snapshot": snapshot, "properties": sorted({*properties, *reviewed})}
    ever = {(row.p, row.s): row for row in session.execute(text(_EVER), bind)}
    slots: dict[tuple[int, int], _Slot] = {}
    for row in session.execute(text(_NOW), bind):
        seen = ever[row.p, row.s]
        slots[row.p, row.s] = _Slot(
            Premise(*row[:11]),
            seen.number,
            seen.first if seen.dated else None,
            seen.last if seen.dated else None,
            row.hedged,
            row.ended,
            row.since,
        )
    shares = {row.p: (row.single, row.subjects) for row in session.execute(text(_SHARES), bind)}
    borne = frozenset(p for p, by_nature in reviewed.items() if by_nature or _borne_out(*shares.get(p, (0, 0))))
    citizens: dict[int, set[int]] = {}
    for s, o in session.execute(
        text("SELECT s, o FROM statement WHERE snapshot = :snapshot AND p = :p AND o IS NOT NULL"),
        {"snapshot": snapshot, "p": wd.CITIZENSHIP},
    ):
        citizens.setdefault(s, set()).add(o)
    return SingleSlots(world, slots, borne, {s: frozenset(of) for s, of in citizens.items()})


def _borne_out(single: int, subjects: int) -> bool:
    return subjects >= _LEAST_SUBJECTS and wilson(single, subjects)[0] >= _LOWER_BOUND
