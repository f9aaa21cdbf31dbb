"""What is known of an event's or a state's dates: the form in which atoms enter Prolog.

Bounds, closed and open atoms and `as_of` follow semantics.md §2.1–2.3. All times are units of one granularity.
"""

from datetime import date
from typing import NamedTuple, TypeAlias

from halluvault_tasks.errors import UserError
from halluvault_tasks.temporal.sets import Interval
from halluvault_tasks.temporal.units import DayBounds, Granularity, last_complete, months_before, unit_of

RECORDING_LAG = 12
"""Months before `as_of` on which no "No" rests: facts may not have been written down yet."""


class Span(NamedTuple):
    """One term: start in [s1, s2], end in [e1, e2], start ≤ end; None is unknown."""

    s1: int | None
    s2: int | None
    e1: int | None
    e2: int | None


class Point(NamedTuple):
    """One event without extent, somewhere in [first, last]."""

    first: int
    last: int


Row: TypeAlias = Span | Point


class Cutoff(NamedTuple):
    """Where knowledge ends: nothing is certain after `complete`, everything is possible after `recorded`."""

    complete: int
    recorded: int


class Timed(NamedTuple):
    """An atom's dates.

    Args:
        name: the atom's name in formulas.
        rows: its terms.
        open_within: None when there are no other terms; else others may exist within this interval.
        cutoff: None when all is settled; else where knowledge ends.
        note: for people, stands as a comment in programs.
        others: what others held of it, of which one holds it at a time; empty: several may (semantics.md §2.3). With
            `open_within` alone.
    """

    name: str
    rows: tuple[Row, ...]
    open_within: Interval | None = None
    cutoff: Cutoff | None = None
    note: str = ""
    others: tuple[Row, ...] = ()


def cutoff(as_of: date, granularity: Granularity, lag_months: int = RECORDING_LAG) -> Cutoff:
    """Where knowledge of a source of the date `as_of` ends."""
    return Cutoff(last_complete(as_of, granularity), last_complete(months_before(as_of, lag_months), granularity))


def span(start: DayBounds, end: DayBounds, granularity: Granularity) -> Span:
    """A term from the bounds of its start and end.

    Raises:
        UserError: it ends before it starts, whatever the true dates are.
    """
    if start.earliest is not None and end.latest is not None and start.earliest > end.latest:
        first, last = unit_of(start.earliest, granularity), unit_of(end.latest, granularity)
        raise UserError(f"it ends (at the latest {last}) before it starts (at the earliest {first})")
    return Span(*(None if day is None else unit_of(day, granularity) for day in (*start, *end)))


def settled(rows: tuple[Row, ...], open_within: Interval | None, limit: Cutoff) -> bool:
    """Whether every term, known or not, has a closed end by what is recorded (§2.2)."""
    ends = [row.last if isinstance(row, Point) else row.e2 for row in rows]
    if open_within is not None:
        ends.append(open_within.last)
    return all(end is not None and end <= limit.recorded for end in ends)


def timed(
    name: str,
    rows: tuple[Row, ...],
    *,
    open_within: Interval | None = None,
    limit: Cutoff | None = None,
    note: str = "",
) -> Timed:
    """An atom, with the cut-off dropped where it does not matter."""
    if limit is not None and settled(rows, open_within, limit):
        limit = None
    return Timed(name, rows, open_within, limit, note)
