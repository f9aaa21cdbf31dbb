"""Granularity: which unit of time a day falls into, dates as text, and how units are named.

A unit is an integer. Year: the astronomical year (0 is 1 BC, −43 is 44 BC). Month: twelve times the year plus the
month from 0 (January 1837 is 22044). Day: the day number of `wikidata.days`.
"""

import calendar
import re
from datetime import date
from enum import StrEnum
from typing import NamedTuple

from halluvault_tasks.errors import UserError
from halluvault_tasks.wikidata.days import civil, day_number, year_text

_DATE = re.compile(r"([+-]?\d{1,12})(?:-(\d\d)(?:-(\d\d))?)?")


class Granularity(StrEnum):
    """The unit in which windows and time points count."""

    YEAR = "year"
    MONTH = "month"
    DAY = "day"


class DayBounds(NamedTuple):
    """A date as inclusive day numbers; None is unbounded."""

    earliest: int | None
    latest: int | None


def unit_of(day: int, granularity: Granularity) -> int:
    """The unit that a day number falls into."""
    match granularity:
        case Granularity.YEAR:
            return civil(day).year
        case Granularity.MONTH:
            found = civil(day)
            return found.year * 12 + found.month - 1
        case Granularity.DAY:
            return day


def last_complete(as_of: date, granularity: Granularity) -> int:
    """The last unit that is wholly over on the day `as_of` (which itself is not)."""
    return unit_of(as_of.toordinal(), granularity) - 1


def months_before(day: date, months: int) -> date:
    """The same day of the month, this many months earlier, or the month's last day."""
    index = day.year * 12 + day.month - 1 - months
    year, month = divmod(index, 12)
    return date(year, month + 1, min(day.day, calendar.monthrange(year, month + 1)[1]))


def parse_date(text: str) -> DayBounds:
    """Bounds of `1837`, `1837-06`, `1837-06-20` or `-0043` (44 BC); the empty string is unknown.

    Raises:
        UserError: it is no such date.
    """
    if not text.strip():
        return DayBounds(None, None)
    found = _DATE.fullmatch(text.strip())
    if found:
        year = int(found[1])
        month = int(found[2]) if found[2] else 0
        day = int(found[3]) if found[3] else 0
        if found[2] is None:
            return DayBounds(day_number(year), day_number(year + 1) - 1)
        if 1 <= month <= 12:
            first = day_number(year, month)
            last = day_number(year + month // 12, month % 12 + 1) - 1
            if found[3] is None:
                return DayBounds(first, last)
            if 1 <= day <= last - first + 1:
                return DayBounds(first + day - 1, first + day - 1)
    raise UserError(f"date {text[:40]!r} is not YYYY, YYYY-MM or YYYY-MM-DD (44 BC is -0043)")


def parse_point(value: object, granularity: Granularity) -> int:
    """A time point: an integer counts in the granularity, text is a date of just that precision.

    Raises:
        UserError: it is neither.
    """
    if isinstance(value, int) and not isinstance(value, bool):
        return value
    if isinstance(value, str) and value.strip():
        bounds = parse_date(value)
        if bounds.earliest is not None and bounds.latest is not None:
            first, last = unit_of(bounds.earliest, granularity), unit_of(bounds.latest, granularity)
            if first == last:
                return first
    raise UserError(f"time point {value!r} is neither an integer nor a date that names one {granularity}")


def point_text(unit: int, granularity: Granularity) -> str:
    """A unit for people: `1837`, `44 BC`, `1837-06`, `1837-06-20`."""
    match granularity:
        case Granularity.YEAR:
            return year_text(unit)
        case Granularity.MONTH:
            year, month = divmod(unit, 12)
            return f"{year:04d}-{month + 1:02d}"
        case Granularity.DAY:
            found = civil(unit)
            return f"{found.year:04d}-{found.month:02d}-{found.day:02d}"
