"""How far a recorded date may be off, since sources used other calendars and new-year days (semantics.md §2.7)."""

from collections.abc import Collection
from typing import NamedTuple

from halluvault_tasks.wikidata.days import civil, day_number
from halluvault_tasks.wikidata.times import julian_date

_GREGORIAN_EVERYWHERE = 1923  # Greece, the last country in Europe to change, did so in that year
_NEW_YEAR_ON_1_JANUARY = 1752  # in England; before, the year began on 25 March
_LADY_DAY_EVE = (3, 24)
_CALENDAR_GAP = 13  # days between the calendars in 1923
_MONTH = 31  # days; a date whose bounds lie further apart has the precision of a year or less


class CalendarDays(NamedTuple):
    """Inclusive day numbers."""

    earliest: int
    latest: int


def widened_years(earliest: int, latest: int) -> CalendarDays:
    """Bounds for a question about years: a date near a year's edge may belong to the neighbouring year.

    That is a date of month precision or finer within 13 days of the edge before 1923, or from 1 January to 24 March
    before 1752. The second is meant for English dates; nothing in a statement tells those apart, so all are widened,
    which only makes fewer queries decided. A bare year stays: it names a year.
    """
    if latest - earliest > _MONTH:
        return CalendarDays(earliest, latest)
    first, last = civil(earliest), civil(latest)
    low, high = first.year, last.year
    if first.year < _GREGORIAN_EVERYWHERE and earliest < day_number(first.year, 1, 1) + _CALENDAR_GAP:
        low -= 1
    if last.year < _GREGORIAN_EVERYWHERE and latest >= day_number(last.year + 1, 1, 1) - _CALENDAR_GAP:
        high += 1
    if first.year < _NEW_YEAR_ON_1_JANUARY and (first.month, first.day) <= _LADY_DAY_EVE:
        low, high = min(low, first.year - 1), max(high, first.year + 1)
    return CalendarDays(
        earliest if low == first.year else day_number(low, 1, 1),
        latest if high == last.year else day_number(high + 1, 1, 1) - 1,
    )


def widened_days(earliest: int, latest: int) -> CalendarDays:
    """Bounds for a question about months or days.

    Every date before 1923 may be 13 days off either way, a date from 1 January to 24 March before 1752 a year either
    way, and a bare year before 1752 may have run on to 24 March of the next. A stated 1 January may be any day of its
    year: of 1 January there are twice as many births as of any other day, since tools write a year so.
    """
    first, last = civil(earliest), civil(latest)
    new_year = earliest == latest and (first.month, first.day) == (1, 1)
    low = earliest - _CALENDAR_GAP if first.year < _GREGORIAN_EVERYWHERE else earliest
    high = day_number(first.year, 12, 31) if new_year else latest
    high += _CALENDAR_GAP if last.year < _GREGORIAN_EVERYWHERE else 0
    if latest - earliest > _MONTH:
        if last.year < _NEW_YEAR_ON_1_JANUARY:
            high = max(high, day_number(last.year + 1, *_LADY_DAY_EVE))
    elif first.year < _NEW_YEAR_ON_1_JANUARY and (first.month, first.day) <= _LADY_DAY_EVE:
        low = min(low, day_number(first.year - 1, 1, 1))
        high = max(high, day_number(first.year + 2, 1, 1) - 1)
    return CalendarDays(low, high)


_JULIAN_UNTIL = 1581  # the last year that was Julian everywhere
_GREGORIAN_SINCE = frozenset({
    30, 145, 174193, 161885, 142, 183, 43287, 38, 172579, 29, 40, 28513, 31, 55, 39, 35, 20, 34, 16, 408, 664, 27, 45,
    155, 414, 96, 298, 32, 36, 213,
})  # fmt: skip
"""Countries that counted by the Gregorian calendar in all of 1753 to 1923, by their items: the United States, Britain,
France, Germany, Italy, Spain, Austria and others of the west."""


def plain_day(day: int, julian: bool, countries: Collection[int]) -> bool:
    """Whether everybody who knows a day prints it alike, but for slips.

    Not so of a stated 1 January, nor of what may be counted by either calendar: before 1924 outside of countries that
    are known to have kept the Gregorian one, before 1582 where no calendar is stated, and in old years that began in
    March.

    Args:
        day: number, as stated.
        julian: whether it is stated in the Julian calendar.
        countries: of the person; empty: none is known.
    """
    printed = julian_date(day) if julian else civil(day)
    if (printed.month, printed.day) == (1, 1):
        return False
    if printed.year <= _JULIAN_UNTIL:
        return julian and (printed.month, printed.day) > _LADY_DAY_EVE
    if julian or printed.year <= _NEW_YEAR_ON_1_JANUARY:
        return False
    return printed.year > _GREGORIAN_EVERYWHERE or (bool(countries) and _GREGORIAN_SINCE.issuperset(countries))
