"""What the English of a query leaves open: each other reading, and that nothing is asked on which they differ."""

import pytest

from halluvault_tasks.temporal import formula as f
from halluvault_tasks.temporal.parsing import parse
from halluvault_tasks.temporal.readings import FILLING, century, filling, may_be_a_century, others
from halluvault_tasks.temporal.sets import Interval
from halluvault_tasks.temporal.timed import Point, Row, Span, Timed

LIVED = {"p": Timed("p", (Span(1900, 1900, 1950, 1950),)), "q": Timed("q", (Span(1920, 1921, 1960, 1960),))}
FILLED = filling(LIVED)


@pytest.mark.parametrize(
    ("formula", "readings"),
    [
        ("p", []),
        ("!p", []),
        ("F[1,9] p", ["F[2,8] p"]),
        ("G[1,9] !p", ["G[2,8] !p"]),
        ("G[1,9] p", ["G[2,8] p", "G[0,10] p"]),
        ("F[1,9] !p", ["F[2,8] !p", "F[0,10] !p"]),
        ("!G[1,9] p", ["!G[2,8] p", "!G[0,10] p"]),
        ("p | q", ["p & !q | !p & q"]),
        ("F[1,9] (p | q)", ["F[2,8] (p | q)", "F[1,9] p & !F[1,9] q | !F[1,9] p & F[1,9] q"]),
    ],
)
def test_each_other_reading_has_a_formula(formula: str, readings: list[str]) -> None:
    assert others(parse(formula), FILLED) == [parse(one) for one in readings]


def test_both_of_two_states_are_read_as_holding_all_through_the_unit() -> None:
    assert others(parse("p & q"), FILLED) == [f.And(f.Atom(FILLING + "p"), f.Atom(FILLING + "q"))]


@pytest.mark.parametrize(
    ("formula", "at", "wide"),
    [
        ("F[0,9] p", 2000, "F[0,99] p"),
        ("!G[10,19] !p", 1990, "!G[10,109] !p"),
        ("F[0,9] p", 1990, None),
        ("F[0,8] p", 2000, None),
    ],
)
def test_the_first_decade_of_a_century_may_be_the_century(formula: str, at: int, wide: str | None) -> None:
    found = century(parse(formula)) if may_be_a_century(parse(formula), at) else None
    assert found == (parse(wide) if wide else None)


@pytest.mark.parametrize("formula", ["F[1,2] p", "G[0,9] p", "p & r"])
def test_what_has_a_reading_without_a_formula_is_not_asked(formula: str) -> None:
    assert others(parse(formula), FILLED) is None


@pytest.mark.parametrize(
    "rows",
    [
        (Point(1900, 1900),),
        (Span(1900, 1900, 1901, 1901),),
        (Span(None, None, 1950, 1950),),
        (Span(1900, 1900, 1910, 1910), Span(1920, 1920, 1930, 1930)),
    ],
)
def test_what_may_fill_no_unit_or_has_several_terms_fills_none(rows: tuple[Row, ...]) -> None:
    assert filling({"p": Timed("p", rows)}) == {}


def test_a_state_fills_the_units_between_those_it_begins_and_ends_in() -> None:
    assert FILLED["p"].rows == (Span(1901, 1901, 1949, 1949),)
    assert filling({"p": Timed("p", (Span(1, 2, 9, 9),), Interval(0, 20))})["p"].open_within == Interval(0, 20)
