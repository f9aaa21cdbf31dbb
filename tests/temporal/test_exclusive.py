"""Terms of what one holds at a time: where others leave no room, held against an enumeration of all that may be so."""

import random
from collections.abc import Iterator, Mapping
from itertools import product

import pytest

from halluvault_tasks.prolog.engine import Engine
from halluvault_tasks.temporal import formula as f
from halluvault_tasks.temporal.parsing import parse
from halluvault_tasks.temporal.run_in_prolog import Query, evaluate
from halluvault_tasks.temporal.sets import Interval, contains
from halluvault_tasks.temporal.timed import Point, Row, Span, Timed

LIFE = range(24)


def asked(engine: Engine, formula: str, known: Mapping[str, Timed], at: int) -> bool | None:
    (answer,) = evaluate(engine, [Query(parse(formula), at)], known)
    return answer.answer


def term(name: str, *rows: Row, others: tuple[Row, ...] = ()) -> Timed:
    return Timed(name, rows, Interval(LIFE[0], LIFE[-1]), None, "", others)


BLAIR, BROWN = Span(1997, 1997, 2007, 2007), Span(2007, 2007, 2010, 2010)


@pytest.mark.parametrize(
    ("year", "answer"),
    [(2008, True), (2010, True), (1999, False), (2006, False), (2007, True), (1997, None), (1996, None), (2011, None)],
)
def test_who_is_shown_by_another_not_to_have_held_it_is_a_no_and_nobody_else(
    engine: Engine, year: int, answer: bool | None
) -> None:
    brown = Timed("brown", (BROWN,), Interval(1951, None), None, "", (BLAIR,))
    assert asked(engine, "brown", {"brown": brown}, year) is answer


@pytest.mark.parametrize(("year", "answer"), [(1983, True), (1985, False), (1984, None), (1987, None)])
def test_a_prize_is_a_no_where_the_years_beside_it_are_given_too(
    engine: Engine, year: int, answer: bool | None
) -> None:
    others = tuple(Point(each, each) for each in (1984, 1985, 1986))
    golding = Timed("golding", (Point(1983, 1983),), Interval(None, None), None, "", others)
    assert asked(engine, "golding", {"golding": golding}, year) is answer


def terms_of(row: Row) -> Iterator[frozenset[int]]:
    """Every way in which a term may have been: its times."""
    assert isinstance(row, Span)
    assert None not in row
    s1, s2, e1, e2 = (end or 0 for end in row)
    for start, end in product(range(s1, s2 + 1), range(e1, e2 + 1)):
        if start <= end:
            yield frozenset(range(start, end + 1))


def worlds(rows: tuple[Row, ...], others: tuple[Row, ...]) -> Iterator[frozenset[int]]:
    """Every set of times at which it may have been held: the stated terms, and any time of the life that others leave.

    Somebody else's term takes what lies between its first and its last unit, whatever these were; what is stated stays.
    """
    for mine, *theirs in product(product(*map(terms_of, rows)), *map(terms_of, others)):
        stated = frozenset().union(*mine)
        taken = frozenset().union(*(frozenset(sorted(each)[1:-1]) for each in theirs))
        if not stated & taken:
            yield stated
            yield stated | (frozenset(LIFE) - taken)
            for moment in LIFE:
                if moment not in taken:
                    yield stated | {moment}


def drawn_span(rng: random.Random) -> Span:
    start = rng.randint(2, 14)
    end = start + rng.randint(1, 7)
    return Span(start, start + rng.randint(0, 1), end, end + rng.randint(0, 1))


@pytest.mark.parametrize("seed", range(40))
def test_answers_hold_in_every_world_that_the_terms_leave_open(engine: Engine, seed: int) -> None:
    rng = random.Random(seed)
    rows, others = (drawn_span(rng),), tuple(drawn_span(rng) for _ in range(rng.randint(1, 2)))
    possible = set(worlds(rows, others))
    formulas = ["p", "N p", "!p", "F[1,3] p", "G[1,3] p", "F[0,4] !p"]
    known = {"p": term("p", *rows, others=others)}
    points = list(range(1, 20))
    queries = [Query(parse(text), at) for text in formulas for at in points]
    for query, answer in zip(queries, evaluate(engine, queries, known), strict=True):
        assert query.at is not None
        if answer.answer is not None:
            assert all(holds(query.formula, query.at, world) is answer.answer for world in possible), query


def holds(formula: f.Formula, at: int, times: frozenset[int]) -> bool:
    """The definition, for formulas over one atom."""
    match formula:
        case f.Atom():
            return at in times
        case f.Not(arg=arg):
            return not holds(arg, at, times)
        case f.Next(arg=arg):
            return holds(arg, at + 1, times)
        case f.Finally(first=first, last=last, arg=arg):
            return any(holds(arg, at + step, times) for step in range(first, last + 1))
        case f.Globally(first=first, last=last, arg=arg):
            return all(holds(arg, at + step, times) for step in range(first, last + 1))
        case _:
            raise AssertionError(formula)


def test_what_others_held_narrows_the_possible_times_alone(engine: Engine) -> None:
    mine, theirs = Span(3, 3, 8, 8), Span(8, 8, 15, 15)
    queries = [Query(parse("p"))]
    (narrowed,) = evaluate(engine, queries, {"p": term("p", mine, others=(theirs,))})
    (open_,) = evaluate(engine, queries, {"p": term("p", mine)})
    assert narrowed.certain == open_.certain == (Interval(3, 8),)
    gone = [unit for unit in LIFE if contains(open_.possible, unit) and not contains(narrowed.possible, unit)]
    assert gone == list(range(9, 15))
