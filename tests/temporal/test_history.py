"""Which dated statements make which atoms, with which bounds."""

from datetime import date
from typing import Any

import pytest
from sqlalchemy import insert
from sqlalchemy.orm import Session

from halluvault_tasks.errors import UserError
from halluvault_tasks.storage import partitions, tables
from halluvault_tasks.temporal.history import HistoryAtom, load, widened
from halluvault_tasks.temporal.kinds import LIFE
from halluvault_tasks.temporal.sets import Interval
from halluvault_tasks.temporal.timed import Cutoff, Point, Span, cutoff, span, timed
from halluvault_tasks.temporal.units import DayBounds, Granularity, last_complete, months_before, parse_date, unit_of
from halluvault_tasks.wikidata.days import day_number

KEY = "2026-10"


def _statement(sid: int, s: int, p: int, *, when: str = "", o: int | None = None, **more: Any) -> dict[str, Any]:
    row: dict[str, Any] = dict.fromkeys(tables.statement.c.keys())
    row |= {"snapshot": KEY, "sid": sid, "guid": f"g{sid}", "s": s, "p": p, "o": o, "rank": "normal"}
    row |= {"kind": "item" if o is not None else "time", "hedged": False}
    row |= {"unknown_qualifiers": [], "absent_qualifiers": []}
    row["earliest"], row["latest"] = parse_date(when)
    for name in ("start", "end", "point"):
        row[f"{name}_earliest"], row[f"{name}_latest"] = parse_date(more.pop(name, ""))
    return row | more


@pytest.fixture
def read(session: Session) -> Any:
    def run(*statements: dict[str, Any], granularity: Granularity = Granularity.YEAR) -> dict[str, HistoryAtom]:
        partitions.drop_partitions(session, KEY)
        partitions.create_partitions(session, KEY)
        items = {row["s"] for row in statements} | {row["o"] for row in statements if row["o"]}
        session.execute(
            insert(tables.entity),
            [
                {"snapshot": KEY, "qid": qid, "label": None if qid == 13 else f"item {qid}", "domain": "people"}
                for qid in sorted(items)
            ],
        )
        session.execute(insert(tables.statement), list(statements))
        return load(session, KEY, date(2026, 10, 15), granularity, 12).atoms

    yield run
    session.rollback()


def test_a_life_is_one_closed_span(read: Any) -> None:
    atoms = read(_statement(1, 5, 569, when="1812-02-07"), _statement(2, 5, 570, when="1870-06-09"))
    life = atoms["life_Q5"]
    assert life.timed.rows == (Span(1812, 1812, 1870, 1870),)
    assert (life.timed.open_within, life.timed.cutoff) == (None, None)
    assert (life.kind, life.qid, life.p, life.sids) == (LIFE, 5, 569, (1, 2))
    moments = {name: atom.timed.rows for name, atom in atoms.items() if name != "life_Q5"}
    assert moments == {"birth_Q5": (Point(1812, 1812),), "death_Q5": (Point(1870, 1870),)}


@pytest.mark.parametrize(("start", "end", "kind"), [(580, 582, "run"), (571, 576, "existence"), (569, 570, "life")])
def test_start_and_end_on_the_item_make_a_state(read: Any, start: int, end: int, kind: str) -> None:
    atoms = read(_statement(1, 5, start, when="1939-09"), _statement(2, 5, end, when="1945"))
    assert atoms[f"{kind}_Q5"].timed.rows == (Span(1939, 1939, 1945, 1945),)


def test_without_an_end_only_the_beginning_is_an_event(read: Any) -> None:
    atoms = read(_statement(1, 5, 569, when="1950-05-05"), _statement(2, 6, 571, when="1901"))
    assert atoms["birth_Q5"].timed.rows == (Point(1950, 1950),)
    assert atoms["founding_Q6"].timed.rows == (Point(1901, 1901),)
    assert len(atoms) == 2


def test_an_unknown_end_stays_open_to_the_right(read: Any) -> None:
    atoms = read(_statement(1, 5, 569, when="1812-05-05"), _statement(2, 5, 570, kind="unknown"))
    assert atoms["life_Q5"].timed.rows == (Span(1812, 1812, None, None),)
    assert atoms["life_Q5"].timed.cutoff == Cutoff(2025, 2024)


@pytest.mark.parametrize(
    "second",
    [
        {"p": 569, "when": "1813-05-05"},
        {"p": 570, "when": "1871"},
    ],
)
def test_two_values_close_nothing(read: Any, second: dict[str, Any]) -> None:
    atoms = read(
        _statement(1, 5, 569, when="1812-05-05"), _statement(2, 5, 570, when="1870-05-05"), _statement(3, 5, **second)
    )
    assert "life_Q5" not in atoms


def test_a_deprecated_value_closes_nothing(read: Any, session: Session) -> None:
    partitions.create_partitions(session, KEY)
    atoms = read(_statement(1, 5, 569, when="1812-05-05"), _statement(2, 5, 570, when="1870-05-05"))
    assert "life_Q5" in atoms
    session.execute(insert(tables.deprecated_value).values(snapshot=KEY, guid="old", s=5, p=570, o=None))
    assert "life_Q5" not in load(session, KEY, date(2026, 10, 15), Granularity.YEAR, 12).atoms


def test_hedged_statements_ground_nothing(read: Any) -> None:
    assert (
        read(_statement(1, 5, 569, when="1812-05-05", hedged=True), _statement(2, 5, 570, when="1870", hedged=True))
        == {}
    )


def test_an_end_before_the_start_makes_no_atom(read: Any) -> None:
    assert "life_Q5" not in read(_statement(1, 5, 569, when="1870-05-05"), _statement(2, 5, 570, when="1812-05-05"))


def test_an_item_without_a_label_is_no_atom(read: Any) -> None:
    assert read(_statement(1, 13, 585, when="1900"), _statement(2, 5, 39, o=13, start="1900", end="1905")) == {}


def test_the_earliest_publication_counts(read: Any) -> None:
    atoms = read(_statement(1, 5, 577, when="1980-06-20"), _statement(2, 5, 577, when="1979"))
    assert atoms["publication_Q5"].timed.rows == (Point(1979, 1979),)
    assert atoms["publication_Q5"].sids == (1, 2)


def test_a_decade_keeps_its_bounds(read: Any) -> None:
    decade = {"earliest": day_number(1930), "latest": day_number(1940) - 1}
    assert read(_statement(1, 5, 585, **decade))["event_Q5"].timed.rows == (Point(1930, 1939),)


def test_a_position_held_twice_is_one_open_atom_within_the_life(read: Any) -> None:
    atoms = read(
        _statement(1, 5, 569, when="1837-03-18"),
        _statement(2, 5, 570, when="1908-06-24"),
        _statement(3, 5, 39, o=7, start="1885-03-04", end="1889-03-04"),
        _statement(4, 5, 39, o=7, start="1893-03-04", end="1897-03-04"),
        _statement(5, 5, 39, o=8, start="1900-05-05"),
        _statement(6, 5, 39, o=9),
    )
    twice = atoms["position_Q5_Q7"]
    assert twice.timed.rows == (Span(1885, 1885, 1889, 1889), Span(1893, 1893, 1897, 1897))
    assert twice.timed.open_within == Interval(1837, 1908)
    assert (twice.p, twice.o, twice.sids) == (39, 7, (3, 4))
    assert atoms["position_Q5_Q8"].timed.rows == (Span(1900, 1900, 1837, 1908),), "no end lies outside the life"
    assert "position_Q5_Q9" not in atoms


def test_a_living_persons_terms_are_open_everywhere(read: Any) -> None:
    atoms = read(
        _statement(1, 5, 569, when="1961-08-04"), _statement(2, 5, 39, o=7, start="2009-01-20", end="2017-01-20")
    )
    position = atoms["position_Q5_Q7"]
    assert position.timed.open_within == Interval(None, None)
    assert position.timed.cutoff == Cutoff(2025, 2024)


@pytest.mark.parametrize(
    ("rows", "within", "settled"),
    [
        ((Span(2000, 2000, 2024, 2024),), None, True),
        ((Span(2000, 2000, 2024, 2025),), None, False),
        ((Span(2000, 2000, 2001, None),), None, False),
        ((Point(2000, 2024), Point(2020, 2025)), None, False),
        ((Point(2000, 2024),), Interval(None, 2024), True),
        ((Point(2000, 2024),), Interval(1990, 2025), False),
        ((Point(2000, 2024),), Interval(1990, None), False),
        ((), Interval(1990, 2000), True),
    ],
)
def test_knowledge_ends_nowhere_for_what_was_over_by_what_is_recorded(
    rows: tuple[Span | Point, ...], within: Interval | None, settled: bool
) -> None:
    limit = Cutoff(2025, 2024)
    assert timed("p", rows, open_within=within, limit=limit).cutoff == (None if settled else limit)


def test_nothing_is_denied_of_the_last_twelve_months() -> None:
    assert cutoff(date(2026, 10, 15), Granularity.MONTH) == Cutoff(2026 * 12 + 8, 2025 * 12 + 8)
    assert cutoff(date(2026, 10, 15), Granularity.YEAR, lag_months=24) == Cutoff(2025, 2023)


def test_a_term_may_end_on_the_day_on_which_it_starts_and_no_sooner() -> None:
    day, before = parse_date("1900-05-05"), parse_date("1900-05-04")
    assert span(day, day, Granularity.DAY) == Span(*day, *day)
    assert span(day, DayBounds(None, None), Granularity.DAY) == Span(*day, None, None)
    assert span(DayBounds(None, None), day, Granularity.YEAR) == Span(None, None, 1900, 1900)
    with pytest.raises(UserError, match=r"ends .* before it starts"):
        span(day, before, Granularity.YEAR)


def test_months_and_days_are_units_too(read: Any) -> None:
    facts = (_statement(1, 5, 580, when="1939-09-01"), _statement(2, 5, 582, when="1945-05"))
    assert read(*facts, granularity=Granularity.MONTH)["run_Q5"].timed.rows == (
        Span(1939 * 12 + 8, 1939 * 12 + 8, 1945 * 12 + 4, 1945 * 12 + 4),
    )
    day = read(*facts, granularity=Granularity.DAY)["run_Q5"].timed.rows[0]
    assert day.s1 == date(1939, 9, 1).toordinal()


@pytest.mark.parametrize(
    ("written", "years"),
    [
        ("1812-02-07", (1812, 1812)),
        ("1812-01-10", (1811, 1812)),
        ("1812-12-25", (1812, 1813)),
        ("1950-01-01", (1950, 1950)),
        ("1812", (1812, 1812)),
        ("1812-01", (1811, 1812)),
        ("1700-02-28", (1699, 1701)),
        ("1700-03-24", (1699, 1701)),
        ("1700-03-25", (1700, 1700)),
        ("1752-02-01", (1752, 1752)),
        ("-0043-03-15", (-44, -42)),
    ],
)
def test_dates_near_a_years_edge_widen_where_calendars_differ(written: str, years: tuple[int, int]) -> None:
    bounds = widened(parse_date(written))
    assert bounds.earliest is not None
    assert bounds.latest is not None
    assert (unit_of(bounds.earliest, Granularity.YEAR), unit_of(bounds.latest, Granularity.YEAR)) == years


@pytest.mark.parametrize(
    ("written", "first", "last"),
    [
        ("1812-02-07", "1812-01-25", "1812-02-20"),
        ("1812-06", "1812-05-19", "1812-07-13"),
        ("1812", "1811-12-19", "1813-01-13"),
        ("1950-05-05", "1950-05-05", "1950-05-05"),
        ("1922-12-31", "1922-12-18", "1923-01-13"),
        ("1700-05-05", "1700-04-22", "1700-05-18"),
        ("1700-02-28", "1699-01-01", "1701-12-31"),
        ("1700", "1699-12-19", "1701-03-24"),
    ],
)
def test_in_months_and_days_every_old_date_widens_by_the_calendars_gap(written: str, first: str, last: str) -> None:
    found = widened(parse_date(written), Granularity.DAY)
    assert found == widened(parse_date(written), Granularity.MONTH)
    assert found == (parse_date(first).earliest, parse_date(last).latest)


def test_an_unknown_date_does_not_widen() -> None:
    assert widened(DayBounds(None, None)) == DayBounds(None, None)


def test_a_unit_is_complete_only_when_it_is_over() -> None:
    assert last_complete(date(2026, 12, 31), Granularity.YEAR) == 2025
    assert last_complete(date(2026, 10, 1), Granularity.MONTH) == 2026 * 12 + 8
    assert months_before(date(2024, 2, 29), 12) == date(2023, 2, 28)
