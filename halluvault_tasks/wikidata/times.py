"""Wikidata's times as bounds: [earliest, latest] day numbers that contain every moment the value may mean.

What the RDF export does (Wikibase `JulianDateTimeValueCleaner`, RDF dump format): years before Christ are
astronomical (XSD 1.1: 0000 is 1 BC); a Julian date of day precision is already converted to Gregorian; a coarser
one is not, and stands as it was typed, first month and first day where those are unknown.

A month of the Julian calendar is therefore converted here. A year, decade or century is left as a *name*: "in
1066" means the year that people called 1066, in the data and in an English question alike.
"""

import re
from typing import NamedTuple

from halluvault_tasks.wikidata.days import Civil, day_number
from halluvault_tasks.wikidata.iris import JULIAN

MONTH_NAMES = (
    "January", "February", "March", "April", "May", "June",
    "July", "August", "September", "October", "November", "December",
)  # fmt: skip

DAY, MONTH, YEAR, DECADE, CENTURY = 11, 10, 9, 8, 7

_DATETIME = re.compile(r"(-(?=\d)|\+?(?=\d{4}))(\d{1,12})-(\d\d)-(\d\d)T\d\d:\d\d:\d\d(?:\.0+)?(?:Z|[+-]00:00)?")
# Of years before Christ some engines leave out leading zeros (Virtuoso); after Christ such a year may be a short form.
_MONTH_DAYS = (31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)
_INTEGER = 2**31 - 1  # of Postgres's `integer`: some 5.8 million years either way


class TimeBounds(NamedTuple):
    """A closed interval of days; None where unbounded."""

    earliest: int | None
    latest: int | None


UNBOUNDED = TimeBounds(None, None)


class Moment(NamedTuple):
    """A time as the source writes it; `year` is astronomical, month and day 0 where not given."""

    year: int
    month: int
    day: int


def parse(text: str) -> Moment | None:
    """Read an `xsd:dateTime` (also with `+` and with `00` parts, as some exports write); None when malformed."""
    match = _DATETIME.fullmatch(text)
    if match is None:
        return None
    sign, year, month, day = match.groups()
    return Moment(-int(year) if sign == "-" else int(year), int(month), int(day))


def is_before_christ(text: str) -> bool:
    """Whether a time, readable or not, is of the years before Christ; the year 0 is 1 BC."""
    return text.startswith(("-", "0000", "+0000"))


def julian_day_number(year: int, month: int, day: int) -> int:
    """Day number of a date of the (proleptic) Julian calendar; `year` is astronomical."""
    y = year - (month <= 2)
    day_of_year = (153 * (month + (-3 if month > 2 else 9)) + 2) // 5 + day - 1
    # Julian 0001-01-01 is Gregorian 0000-12-30, day number -1.
    return y * 365 + y // 4 + day_of_year - 307


def julian_date(number: int) -> Civil:
    """The (proleptic) Julian date of a day number; inverse of `julian_day_number`."""
    days = number + 307
    y = (4 * days + 3) // 1461
    day_of_year = days - (y * 365 + y // 4)
    shifted = (5 * day_of_year + 2) // 153
    month = shifted + (3 if shifted < 10 else -9)
    return Civil(y + (month <= 2), month, day_of_year - (153 * shifted + 2) // 5 + 1)


def bounds(moment: Moment, precision: int, calendar: int) -> TimeBounds | None:
    """The days that a time value may mean.

    Args:
        moment: as `parse` gives it; Gregorian already when `precision` is a day or finer.
        precision: Wikidata's number: 11 and above day, 10 month, 9 year, 8 decade, 7 century, 6 millennium, below
            that powers of ten of years (5: ten thousand years).
        calendar: item number of the calendar model.

    Returns:
        Bounds, each end None where it does not fit Postgres's integer; None when the parts contradict the
        precision (day precision without a day, a 13th month).
    """
    if not 0 <= precision <= 14:
        return None
    year, month, day = moment
    if precision >= MONTH and not 1 <= month <= 12:
        return None
    if precision >= DAY:
        if not 1 <= day <= _MONTH_DAYS[month - 1]:
            return None
        number = day_number(year, month, day)
        return _fitting(number, number)
    if precision == MONTH:
        count = julian_day_number if calendar == JULIAN else day_number
        following = (year, month + 1) if month < 12 else (year + 1, 1)
        return _fitting(count(year, month, 1), count(*following, 1) - 1)
    first, last = _years(year, precision)
    return _fitting(day_number(first), day_number(last + 1) - 1)


def _years(year: int, precision: int) -> tuple[int, int]:
    """First and last astronomical year of a value of year precision or coarser."""
    if precision == YEAR:
        return year, year
    span = 10 ** (YEAR - precision)
    if year > 0:
        return _era_years(year, span)
    first, last = _era_years(1 - year, span)  # in years BC, which count backwards
    return 1 - last, 1 - first


def _era_years(year: int, span: int) -> tuple[int, int]:
    floor = year // span * span
    if span == 10:  # the 1930s are 1930 to 1939; the first decade has no year 0
        return max(floor, 1), floor + 9
    # "19th century" is 1801 to 1900 to some and 1800 to 1899 to others, and both habits are in the data.
    ceiling = -(-year // span) * span
    if span <= 1000:
        return max(min(floor, ceiling - span + 1), 1), max(floor + span - 1, ceiling)
    return max(year - span, 1), year + span  # geological figures: give or take one unit


def _fitting(first: int, last: int) -> TimeBounds:
    return TimeBounds(first if abs(first) <= _INTEGER else None, last if abs(last) <= _INTEGER else None)
