from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from halluvault_tasks.wikidata.days import civil, day_number
from halluvault_tasks.wikidata.iris import GREGORIAN, JULIAN
from halluvault_tasks.wikidata.times import Moment, TimeBounds, bounds, julian_date, julian_day_number, parse


def between(text: str, precision: int, calendar: int = GREGORIAN) -> tuple[str, str]:
    moment = parse(text)
    assert moment is not None
    found = bounds(moment, precision, calendar)
    assert found is not None and found.earliest is not None and found.latest is not None
    return tuple("{}-{:02d}-{:02d}".format(*civil(day)) for day in found)


@pytest.mark.parametrize(
    ("text", "precision", "calendar", "first", "last"),
    [
        ("1812-02-07T00:00:00Z", 11, GREGORIAN, "1812-2-07", "1812-2-07"),
        ("1812-02-01T00:00:00Z", 10, GREGORIAN, "1812-2-01", "1812-2-29"),
        ("1945-01-01T00:00:00Z", 9, GREGORIAN, "1945-1-01", "1945-12-31"),
        ("+1914-00-00T00:00:00Z", 9, GREGORIAN, "1914-1-01", "1914-12-31"),
        ("1978-00-00T00:00:00Z", 9, GREGORIAN, "1978-1-01", "1978-12-31"),
        ("1930-01-01T00:00:00Z", 8, GREGORIAN, "1930-1-01", "1939-12-31"),
        ("1999-12-31T23:00:00Z", 11, GREGORIAN, "1999-12-31", "1999-12-31"),
        # Caesar's death, 15 March 44 BC Julian, stands in RDF as the Gregorian day of the astronomical year -43.
        ("-0043-03-13T00:00:00Z", 11, JULIAN, "-43-3-13", "-43-3-13"),
        ("-0043-01-01T00:00:00Z", 9, JULIAN, "-43-1-01", "-43-12-31"),
        # Some engines leave out leading zeros before Christ.
        ("-043-01-01T00:00:00Z", 9, JULIAN, "-43-1-01", "-43-12-31"),
        ("-43-01-01T00:00:00Z", 9, JULIAN, "-43-1-01", "-43-12-31"),
        ("-3-01-01T00:00:00.000Z", 9, JULIAN, "-3-1-01", "-3-12-31"),
        ("0000-01-01T00:00:00Z", 9, JULIAN, "0-1-01", "0-12-31"),  # 1 BC
        ("-0039-01-01T00:00:00Z", 8, JULIAN, "-48-1-01", "-39-12-31"),  # the 40s BC: 49 to 40 BC
        ("-0003-01-01T00:00:00Z", 8, JULIAN, "-8-1-01", "0-12-31"),  # 9 to 1 BC
        ("0005-01-01T00:00:00Z", 8, JULIAN, "1-1-01", "9-12-31"),
        # February 1700 had 29 days in the Julian calendar, and ended on 11 March of the Gregorian.
        ("1700-02-01T00:00:00Z", 10, JULIAN, "1700-2-11", "1700-3-11"),
        # A century holds both habits of counting: 1801 to 1900, and 1800 to 1899.
        ("1850-01-01T00:00:00Z", 7, GREGORIAN, "1800-1-01", "1900-12-31"),
        ("1900-01-01T00:00:00Z", 7, GREGORIAN, "1801-1-01", "1999-12-31"),
        ("-0043-01-01T00:00:00Z", 7, JULIAN, "-99-1-01", "0-12-31"),  # the 1st century BC
        ("0050-01-01T00:00:00Z", 7, JULIAN, "1-1-01", "100-12-31"),
    ],
)
def test_a_time_means_all_days_of_its_precision(
    text: str, precision: int, calendar: int, first: str, last: str
) -> None:
    def padded(day: str) -> str:
        head, month, rest = day.rsplit("-", 2)
        return f"{head}-{int(month):02d}-{rest}"

    assert between(text, precision, calendar) == (padded(first), padded(last))


@pytest.mark.parametrize(
    ("text", "precision"),
    [
        ("+1914-00-00T00:00:00Z", 11),
        ("1914-13-01T00:00:00Z", 10),
        ("1914-02-32T00:00:00Z", 11),
        ("1914-01-01T00:00:00Z", 15),
    ],
)
def test_parts_that_contradict_the_precision_mean_nothing(text: str, precision: int) -> None:
    moment = parse(text)
    assert moment is not None
    assert bounds(moment, precision, GREGORIAN) is None


@pytest.mark.parametrize("text", ["", "1914", "1914-01-01", "http://x/.well-known/genid/1", "191-01-01T00:00:00Z"])
def test_what_is_no_date_time_is_not_read(text: str) -> None:
    assert parse(text) is None


def test_a_year_beyond_the_tables_is_unbounded() -> None:
    assert bounds(Moment(-13_798_000_000, 1, 1), 3, GREGORIAN) == TimeBounds(None, None)


years = st.integers(-4000, 4000)


@given(years, st.integers(1, 12), st.integers(1, 28))
def test_julian_days_agree_with_the_julian_day_formula(year: int, month: int, day: int) -> None:
    # Meeus, Astronomical Algorithms, ch. 7, for the Julian calendar; 0001-01-01 Gregorian is JD 1721425.5.
    y, m = (year - 1, month + 12) if month <= 2 else (year, month)
    formula = (1461 * (y + 4716)) // 4 + (153 * (m + 1)) // 5 + day - 1524
    assert julian_day_number(year, month, day) == formula - 1_721_425


@given(st.integers(-2_000_000, 2_000_000))
def test_a_julian_date_leads_back_to_its_day(number: int) -> None:
    assert julian_day_number(*julian_date(number)) == number


@pytest.mark.parametrize(
    ("gregorian", "julian"),
    [((1643, 1, 4), (1642, 12, 25)), ((1582, 10, 15), (1582, 10, 5)), ((1700, 3, 11), (1700, 2, 29)),
     ((-43, 3, 13), (-43, 3, 15))],
)  # fmt: skip
def test_a_day_has_the_julian_date_that_history_gives_it(
    gregorian: tuple[int, int, int], julian: tuple[int, int, int]
) -> None:
    assert julian_date(day_number(*gregorian)) == julian


@given(st.dates(min_value=date(1, 1, 1)), st.sampled_from([10, 9, 8, 7, 6]))
def test_a_coarser_precision_never_loses_the_day(day: date, precision: int) -> None:
    found = bounds(Moment(day.year, day.month, day.day), precision, GREGORIAN)
    assert found is not None
    assert found.earliest <= day.toordinal() <= found.latest


@given(years, st.integers(6, 9))
def test_bounds_of_a_year_hold_the_year_on_either_side_of_christ(year: int, precision: int) -> None:
    found = bounds(Moment(year, 1, 1), precision, JULIAN)
    assert found is not None
    assert found.earliest <= day_number(year, 1, 1) and day_number(year, 12, 31) <= found.latest
    assert (found.earliest > 0) == (year > 0) == (found.latest > 0)  # no era runs into the other


@given(years)
def test_decades_part_the_years(year: int) -> None:
    found = bounds(Moment(year, 1, 1), 8, GREGORIAN)
    assert found is not None
    first, last = civil(found.earliest).year, civil(found.latest).year
    assert all(bounds(Moment(other, 1, 1), 8, GREGORIAN) == found for other in (first, last))
