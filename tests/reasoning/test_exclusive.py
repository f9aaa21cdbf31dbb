"""What one holds at a time: when another's term shows that somebody did not hold it, and which seats are such."""

from dataclasses import replace

import pytest

from halluvault_tasks.reasoning.grounds import Licence, LicenceKind, Reason, Refusal
from halluvault_tasks.reasoning.licence.held import license_other_holder
from halluvault_tasks.reasoning.rule_typing.seats import SeatFigures
from halluvault_tasks.reasoning.world import World
from halluvault_tasks.reasoning.world.terms import Incumbents, Term
from halluvault_tasks.wikidata.days import day_number
from tests.reasoning.licence_worlds import persons

POSITION, STATE, PRIZE = 39, 35, 166
OFFICE, LAND, MEDAL = 100, 101, 102
ADA, BEN, CAT, DAN = 1, 2, 3, 4


def term(holder: int, start: tuple[int, int, int], end: tuple[int, int, int]) -> Term:
    first, last = day_number(*start), day_number(*end)
    return Term(holder, holder, (first, first), (last, last), False)


def given(holder: int, year: int) -> Term:
    days = day_number(year, 1, 1), day_number(year, 12, 31)
    return Term(holder, holder, days, days, True)


ADA_TO_BEN = (term(ADA, (1950, 3, 1), (1955, 6, 1)), term(BEN, (1955, 6, 1), (1960, 1, 1)))


def known(*terms: Term, seat: tuple[int, int] = (POSITION, OFFICE)) -> World:
    return replace(persons(), terms=Incumbents({seat: terms}))


def asked(of: World, who: int, first: int, last: int, p: int = POSITION) -> Licence | Refusal:
    s, o = (LAND, who) if p == STATE else (who, MEDAL if p == PRIZE else OFFICE)
    return license_other_holder(of, p, s, o, day_number(first, 1, 1), day_number(last, 12, 31))


def test_whom_another_left_no_room_did_not_hold_it() -> None:
    found = asked(known(*ADA_TO_BEN), BEN, 1952, 1954)
    assert isinstance(found, Licence)
    assert (found.reason, found.sid, found.reason.kind) == (Reason.HELD, ADA, LicenceKind.PROVED)


@pytest.mark.parametrize(
    ("who", "first", "last", "code"),
    [
        (BEN, 1955, 1955, "open"),  # he followed in that year
        (BEN, 1950, 1950, "open"),  # before Ada, somebody else may have
        (BEN, 1940, 1945, "open"),
        (ADA, 1952, 1952, "open"),  # her own
    ],
)
def test_where_nobody_else_held_it_throughout_nothing_is_shown(who: int, first: int, last: int, code: str) -> None:
    found = asked(known(*ADA_TO_BEN), who, first, last)
    assert isinstance(found, Refusal)
    assert found.code == code


def test_of_a_country_the_other_end_holds_it() -> None:
    assert isinstance(asked(known(*ADA_TO_BEN, seat=(STATE, LAND)), BEN, 1952, 1952, STATE), Licence)


def test_an_office_that_is_not_reviewed_shows_nothing() -> None:
    found = license_other_holder(known(*ADA_TO_BEN), POSITION, BEN, 555, 1, 2)
    assert isinstance(found, Refusal)
    assert found.code == "not exclusive"


def test_two_at_once_show_nothing_of_a_third() -> None:
    both = known(*ADA_TO_BEN, term(CAT, (1951, 1, 1), (1953, 12, 31)))
    assert isinstance(asked(both, DAN, 1952, 1952), Refusal)
    assert isinstance(asked(both, DAN, 1957, 1957), Licence), "Ben's term is his alone"


def test_a_prize_needs_the_years_beside_it() -> None:
    prizes = known(given(ADA, 1983), given(BEN, 1984), given(CAT, 1985), given(DAN, 1987), seat=(PRIZE, MEDAL))
    assert isinstance(asked(prizes, 9, 1984, 1984, PRIZE), Licence)
    assert isinstance(asked(prizes, ADA, 1984, 1984, PRIZE), Refusal), "she got it the year before"
    assert isinstance(asked(prizes, 9, 1985, 1985, PRIZE), Refusal), "nobody is known to have got it in 1986"
    assert isinstance(asked(prizes, 9, 1984, 1985, PRIZE), Refusal), "two years"


def test_a_prize_that_two_shared_shows_nothing_of_its_year() -> None:
    shared = (given(ADA, 1983), given(BEN, 1984), given(DAN, 1984), given(CAT, 1985))
    assert isinstance(asked(known(*shared, seat=(PRIZE, MEDAL)), 9, 1984, 1984, PRIZE), Refusal)


@pytest.mark.parametrize(
    ("figures", "verdict"),
    [((5, 4, 5), "active"), ((10, 9, 9), "active"), ((10, 9, 8), "refused"), ((3, 1, 3), "candidate")],
)
def test_a_seat_is_exclusive_where_its_terms_keep_apart(figures: tuple[int, int, int], verdict: str) -> None:
    assert SeatFigures(*figures).verdict == verdict
