from datetime import date

import pytest

from halluvault_tasks.wikidata.calendars import widened_days
from halluvault_tasks.wikidata.days import civil


@pytest.mark.parametrize(
    ("day", "first", "last"),
    [
        (date(1950, 1, 1), (1950, 1, 1), (1950, 12, 31)),
        (date(1850, 1, 1), (1849, 12, 19), (1851, 1, 13)),  # and 13 days either way
        (date(1700, 1, 1), (1699, 1, 1), (1701, 12, 31)),  # England began the year in March
        (date(1950, 1, 2), (1950, 1, 2), (1950, 1, 2)),
    ],
)
def test_a_stated_first_of_january_may_be_any_day_of_its_year(
    day: date, first: tuple[int, int, int], last: tuple[int, int, int]
) -> None:
    number = day.toordinal()
    assert tuple(map(civil, widened_days(number, number))) == (first, last)
