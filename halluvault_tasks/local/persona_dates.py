"""Dates as a simulated model writes and mistakes them; knows no calendar, no lexicon, no interval."""

from typing import NamedTuple

from halluvault_tasks.wikidata.times import MONTH_NAMES


class Date(NamedTuple):
    """A date as far as it is known: month and day are 0 where they are not."""

    year: int
    """Astronomical: −43 is 44 BC."""
    month: int
    day: int

    def later(self, years: int) -> "Date":
        """The same day that many years later; 29 February becomes the 28th."""
        day = 28 if (self.month, self.day) == (2, 29) else self.day
        return Date(self.year + years, self.month, day)


def parse(text: str, precision: int) -> Date:
    """Read `1812-02-07`, `1812-02`, `1812` or `-0043-03-15`; parts finer than the precision are left out.

    Raises:
        ValueError: no date.
    """
    negative = text.startswith("-")
    parts = [int(part) for part in text.lstrip("+-").split("T")[0].split("-")] + [0, 0]
    year = -parts[0] if negative else parts[0]
    return Date(year, parts[1] if precision >= 10 else 0, parts[2] if precision >= 11 else 0)


def year_text(year: int) -> str:
    """`1812`, `44 BC`."""
    return str(year) if year > 0 else f"{1 - year} BC"


def renderings(date: Date) -> tuple[str, ...]:
    """Ways to write a date, the finest first; the last is the year alone."""
    year = year_text(date.year)
    forms = []
    if date.month and date.day:
        month = MONTH_NAMES[date.month - 1]
        forms += [f"{date.day} {month} {year}", f"{month} {date.day}, {year}"]
        if date.year > 0:
            forms.append(f"{date.year:04d}-{date.month:02d}-{date.day:02d}")
    if date.month:
        forms.append(f"{MONTH_NAMES[date.month - 1]} {year}")
    return (*forms, year)
