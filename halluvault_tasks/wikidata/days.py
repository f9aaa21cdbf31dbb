"""Days as integers, so that bounds of any year compare, subtract and fit one Postgres column.

A *day number* is the proleptic Gregorian ordinal (`date.toordinal`: 0001-01-01 is 1), carried on below 1
for years before: astronomical year 0 is 1 BC (XSD 1.1). Python's `date` stops at year 1, history does not.
"""

from typing import NamedTuple


class Civil(NamedTuple):
    """A proleptic Gregorian date; `year` is astronomical (0 = 1 BC, -43 = 44 BC)."""

    year: int
    month: int
    day: int


def year_text(year: int) -> str:
    """An astronomical year as English prints it: `1812`, and `44 BC` for −43."""
    return str(year) if year > 0 else f"{1 - year} BC"


_ERA = 146_097  # days in 400 Gregorian years
_SHIFT = 306  # days from 0000-03-01 to 0001-01-01


def day_number(year: int, month: int = 1, day: int = 1) -> int:
    """Day number of a proleptic Gregorian date (`date.toordinal` continued below year 1)."""
    y = year - (month <= 2)
    era, year_of_era = divmod(y, 400)
    day_of_year = (153 * (month + (-3 if month > 2 else 9)) + 2) // 5 + day - 1
    return era * _ERA + year_of_era * 365 + year_of_era // 4 - year_of_era // 100 + day_of_year - _SHIFT + 1


def full_years(start: int, end: int) -> int:
    """Full years from one day (number) to a later one."""
    first, last = civil(start), civil(end)
    return last.year - first.year - ((last.month, last.day) < (first.month, first.day))


def civil(number: int) -> Civil:
    """The date of a day number; inverse of `day_number`."""
    era, day_of_era = divmod(number + _SHIFT - 1, _ERA)
    year_of_era = (day_of_era - day_of_era // 1460 + day_of_era // 36_524 - day_of_era // 146_096) // 365
    day_of_year = day_of_era - (365 * year_of_era + year_of_era // 4 - year_of_era // 100)
    shifted = (5 * day_of_year + 2) // 153
    month = shifted + (3 if shifted < 10 else -9)
    return Civil(era * 400 + year_of_era + (month <= 2), month, day_of_year - (153 * shifted + 2) // 5 + 1)
