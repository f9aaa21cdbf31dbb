"""Of a state people ask while it lasted and soon after."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from halluvault_tasks.temporal.kinds import LIFE, RUN
from halluvault_tasks.temporal.parsing import parse
from halluvault_tasks.temporal.sensible import SOON, Extent, sensible
from halluvault_tasks.wikidata.days import civil, day_number, full_years

KELLEY = {"k": Extent(LIFE, 1920, 1920, 1999, 1999)}
WAR = {"w": Extent(RUN, 1939, 1939, 1945, 1945)}


@pytest.mark.parametrize(
    ("formula", "at", "asked"),
    [
        ("k", 1917, False),  # before the birth
        ("k", 1925, False),  # a child: nobody asks whether it still lived
        ("k", 1999 - SOON - 1, False),  # long before the death
        ("k", 1999 - SOON, True),
        ("k", 1999, False),  # for a part of the year
        ("N k", 1999, True),  # 2000
        ("!k", 1999 + SOON, True),
        ("k", 1999 + SOON + 1, False),
        ("F[1,10] k", 1900, False),
        ("!F[1,10] k", 1990, False),
        ("k & w", 1944, False),
    ],
)
def test_a_life_is_asked_about_soon_before_its_end_and_soon_after(formula: str, at: int, asked: bool) -> None:
    assert sensible(parse(formula), at, KELLEY | WAR) is asked


def test_a_window_meets_what_is_asked_to_last_in_it() -> None:
    assert sensible(parse("G[1,4] w"), 1939, WAR)
    assert not sensible(parse("G[1,4] w"), 1950, WAR)


@given(st.integers(1, 700_000), st.integers(0, 40_000))
def test_a_birthday_is_what_adds_a_year(born: int, lived: int) -> None:
    age, first = full_years(born, born + lived), civil(born)
    assert 0 <= age <= lived // 365
    if (first.month, first.day) != (2, 29):
        assert day_number(first.year + age, first.month, first.day) <= born + lived
        assert born + lived < day_number(first.year + age + 1, first.month, first.day)
