"""Words for years, months and days in a question: they depend on nothing but the granularity."""

from typing import NamedTuple

from halluvault_tasks.temporal.units import Granularity
from halluvault_tasks.wikidata import days
from halluvault_tasks.wikidata.days import civil
from halluvault_tasks.wikidata.times import MONTH_NAMES

_FOUR_DIGITS = 1000
"""The first year of as many."""


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
            return year_text(unit)
        if self.granularity is Granularity.MONTH:
            year, month = divmod(unit, 12)
            return f"{MONTH_NAMES[month]} {year_text(year)}"
        found = civil(unit)
        return f"{found.day} {MONTH_NAMES[found.month - 1]} {year_text(found.year)}"

    def span(self, first: int, last: int) -> tuple[str, str]:
        """The names of a window's ends; of two months of one year the first is named without it."""
        if self.granularity is Granularity.MONTH and first // 12 == last // 12:
            return MONTH_NAMES[first % 12], self.name(last)
        return self.name(first), self.name(last)

    def decade(self, first: int, last: int) -> str:
        """The decade that a window of years is (`the 1940s`); empty where it is none, or one that may mean a century.

        People ask about decades. Strangers found other windows arbitrary.
        """
        if first < _FOUR_DIGITS or last != first + 9 or first % 10 or not first % 100:
            return ""
        return f"the {first}s"

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


def year_text(year: int) -> str:
    """A year for people: `1837`, `44 BC`; the first hundred years carry AD."""
    return f"AD {year}" if 1 <= year < 100 else days.year_text(year)
