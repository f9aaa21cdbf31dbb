"""Dates as a simulated model writes them; knows no calendar, no lexicon, no interval."""

from halluvault_tasks.local.personas.fault_kinds import KnownDate
from halluvault_tasks.wikidata.times import MONTH_NAMES


def year_text(year: int) -> str:
    """`1812`, `44 BC`."""
    return str(year) if year > 0 else f"{1 - year} BC"


def renderings(date: KnownDate) -> tuple[str, ...]:
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
