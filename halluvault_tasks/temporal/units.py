"""Granularity: which unit of time a day falls into, dates as text, and how units are named, in a question too.

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
from halluvault_tasks.wikidata.times import MONTH_NAMES

_DATE = re.compile(r"([+-]?\d{1,12})(?:-(\d\d)(?:-(\d\d))?)?")
_FOUR_DIGITS = 1000
"""The first year of as many."""


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
            year, month, _ = civil(day)
            return year * 12 + month - 1
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
    match = _DATE.fullmatch(text.strip())
    if match:
        year = int(match[1])
        month = int(match[2]) if match[2] else 0
        day = int(match[3]) if match[3] else 0
        if match[2] is None:
            return DayBounds(day_number(year), day_number(year + 1) - 1)
        if 1 <= month <= 12:
            first = day_number(year, month)
            last = day_number(year + month // 12, month % 12 + 1) - 1
            if match[3] is None:
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
            year, month, day = civil(unit)
            return f"{year:04d}-{month:02d}-{day:02d}"


class UnitWords(NamedTuple):
    """Words of a granularity.

    Args:
        granularity: which.
        noun: `year`, `month`, `day`.
        on: the preposition: `in` a year or month, `on` a day.
        letter: names the unit that is looked for.
    """

    granularity: Granularity
    noun: str
    on: str
    letter: str

    def name(self, unit: int) -> str:
        """A unit's name: `1837`, `44 BC`, `June 1837`, `20 June 1837`."""
        if self.granularity is Granularity.YEAR:
            return spoken_year(unit)
        if self.granularity is Granularity.MONTH:
            year, month = divmod(unit, 12)
            return f"{MONTH_NAMES[month]} {spoken_year(year)}"
        day = civil(unit)
        return f"{day.day} {MONTH_NAMES[day.month - 1]} {spoken_year(day.year)}"

    def span(self, first: int, last: int) -> tuple[str, str]:
        """The names of a window's ends; of two months of one year the first is named without it."""
        if self.granularity is Granularity.MONTH and first // 12 == last // 12:
            return MONTH_NAMES[first % 12], self.name(last)
        return self.name(first), self.name(last)

    def decade(self, first: int, last: int) -> str:
        """The decade that a window of years is (`the 1940s`); empty where it is none, or means a century rather.

        People ask about decades. Strangers found other windows arbitrary.
        """
        century = not first % 100 and first != 2000
        if first < _FOUR_DIGITS or last != first + 9 or first % 10 or century:
            return ""
        return f"the {first}s"

    def whole_year(self, first: int, last: int) -> str:
        """The year that a window of months is; empty where it is none."""
        if self.granularity is not Granularity.MONTH or first % 12 or last != first + 11:
            return ""
        return spoken_year(first // 12)

    def sayable(self, unit: int) -> bool:
        """Whether the name means one unit to everybody.

        Before AD 1 nobody can tell by which calendar a month or day is counted, and before 1000 its name looks like a
        slip ("March 182").
        """
        match self.granularity:
            case Granularity.YEAR:
                return True
            case Granularity.MONTH:
                return unit >= 12 * _FOUR_DIGITS
            case Granularity.DAY:
                return civil(unit).year >= _FOUR_DIGITS


_WORDS = {
    Granularity.YEAR: UnitWords(Granularity.YEAR, "year", "in", "Y"),
    Granularity.MONTH: UnitWords(Granularity.MONTH, "month", "in", "M"),
    Granularity.DAY: UnitWords(Granularity.DAY, "day", "on", "D"),
}


def unit_words(granularity: Granularity) -> UnitWords:
    """The words of a granularity."""
    return _WORDS[granularity]


def spoken_year(year: int) -> str:
    """A year for people: `1837`, `44 BC`; the first hundred years carry AD."""
    return f"AD {year}" if 1 <= year < 100 else year_text(year)
