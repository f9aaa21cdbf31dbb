"""What may be written of a wanted answer letter by letter: for harnesses that compare texts.

It is less than `open/linked` takes for right: forms of a name that the case does not hold are missing.
"""

from halluvault_tasks.benchmark.suites.open.fact import OpenFact, WantedDate, WantedNames
from halluvault_tasks.wikidata.days import Civil, civil, year_text
from halluvault_tasks.wikidata.times import DAY, MONTH, MONTH_NAMES, julian_date


def texts(fact: OpenFact) -> list[list[str]]:
    """Of each thing that is wanted its texts, of which one is enough; of several things each must be named."""
    wanted = fact.wanted
    if isinstance(wanted, WantedNames):
        return [list(dict.fromkeys(one.names)) for one in wanted.items]
    if isinstance(wanted, WantedDate):
        ways = (civil, julian_date) if wanted.julian else (civil,)
        days = [wanted.earliest] if wanted.precision == DAY else [wanted.earliest, wanted.latest]
        return [
            list(dict.fromkeys(one for way in ways for day in days for one in _written(way(day), wanted.precision)))
        ]
    return [[str(number) for number in range(wanted.low, wanted.high + 1)]]


def _written(date: Civil, precision: int) -> list[str]:
    year, month = year_text(date.year), MONTH_NAMES[date.month - 1]
    if precision == DAY:
        iso = [f"{date.year:04d}-{date.month:02d}-{date.day:02d}"] if date.year > 0 else []
        return [f"{date.day} {month} {year}", f"{month} {date.day}, {year}", *iso]
    return [f"{month} {year}", f"{month}, {year}"] if precision == MONTH else [year]
