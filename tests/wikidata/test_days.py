from datetime import date

from hypothesis import given
from hypothesis import strategies as st

from halluvault_tasks.wikidata.days import Civil, civil, day_number


@given(st.dates())
def test_day_numbers_are_pythons_ordinals(day: date) -> None:
    assert day_number(day.year, day.month, day.day) == day.toordinal()
    assert civil(day.toordinal()) == (day.year, day.month, day.day)


@given(st.integers(-5_000_000_000, 5_000_000_000))
def test_every_day_number_has_one_date(number: int) -> None:
    assert day_number(*civil(number)) == number


def test_the_year_before_1_is_0() -> None:
    assert civil(0) == Civil(0, 12, 31)
    assert civil(day_number(-43, 3, 15)) == Civil(-43, 3, 15)
