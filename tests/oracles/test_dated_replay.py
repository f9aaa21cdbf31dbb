"""Replays of questions about a year or an age, held against Python's own calendar."""

from datetime import date
from decimal import Decimal
from types import SimpleNamespace
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from halluvault_tasks.oracles import asked, dated_replay
from halluvault_tasks.oracles.asked import CaseToJudge
from halluvault_tasks.oracles.together import MOST, together
from halluvault_tasks.reading.base import Claim, ClaimTriple, DateInterval, TextSpan

FILM, DIRECTOR, OTHER = 1, 2, 3
DAYS = st.dates(date(1600, 1, 1), date(2000, 1, 1))


def premise(p: int, s: int, **value: Any) -> dict[str, Any]:
    return {"sid": p, "property": p, "subject": {"qid": s}, "object": value}


def case(p: int, counted: int, premises: list[dict[str, Any]]) -> CaseToJudge:
    fact = {"rule": "composite", "kind": "composite", "p": p, "s": DIRECTOR, "o": counted, "truth": True}
    columns = {"id": "c", "question": "?", "gold": "yes", "relation": "same", "mutation": "original", "group_id": "g"}
    return asked.case_of(
        SimpleNamespace(**columns, fact=fact, premises=premises, rule_kind="composite", subject=DIRECTOR)
    )


def said(p: int, s: int, o: int = 0, day: date | None = None, denied: bool = False) -> tuple[Claim, ClaimTriple]:
    days = DateInterval(day.toordinal(), day.toordinal(), 11) if day else None
    triple = ClaimTriple(p, s, o)
    return Claim(TextSpan(0, 1), 0, (triple,), "", "", denied, (), ("syntax",), days), triple


@given(DAYS, DAYS, st.integers(0, 2))
def test_an_age_is_reckoned_from_the_dates_that_a_response_gives(one: date, other: date, off: int) -> None:
    born, died = sorted((one, other))
    age = died.year - born.year - ((died.month, died.day) < (born.month, born.day))
    known = case(570, age + off, [premise(569, DIRECTOR, date="1500-01-01"), premise(570, DIRECTOR, date="1500-02-01")])
    assert known.aged and known.o == 0
    told = [said(569, DIRECTOR, day=born), said(570, DIRECTOR, day=died)]
    expected = "no" if off else "yes"
    assert dated_replay.replay(known, told) == (expected, expected)
    assert dated_replay.replay(known, told[:1]).own == "undetermined", "who gives one date has not shown an age"


@given(DAYS, st.integers(20, 90), st.integers(-1, 1))
def test_an_age_that_a_response_states_takes_the_place_of_what_the_dates_give(died: date, age: int, off: int) -> None:
    known = case(570, age, [premise(569, DIRECTOR, date="1500-01-01"), premise(570, DIRECTOR, date=died.isoformat())])
    claim, triple = said(570, DIRECTOR)
    expected = "no" if off else "yes"
    assert dated_replay.replay(known, [(claim._replace(amount=Decimal(age + off)), triple)]) == (expected, expected)


@given(DAYS, st.integers(-1, 1))
def test_a_year_is_read_off_the_date_that_a_response_gives_else_off_the_proof(day: date, off: int) -> None:
    known = case(569, day.year + off, [premise(569, DIRECTOR, date=day.isoformat(), precision=11)])
    expected = "no" if off else "yes"
    assert dated_replay.replay(known, [said(569, DIRECTOR, day=day)]) == (expected, expected)
    assert dated_replay.replay(known, []) == ("undetermined", expected)
    assert dated_replay.replay(known, [said(569, DIRECTOR, day=day, denied=True)]).fill == "undetermined"


def test_who_names_another_director_speaks_of_another_persons_birth() -> None:
    proof = [premise(57, FILM, qid=DIRECTOR), premise(569, DIRECTOR, date="1930-05-31", precision=11)]
    known = case(569, 1930, proof)
    assert known.named_by == {(57, FILM)}
    assert dated_replay.replay(known, [said(57, FILM, OTHER)]) == ("undetermined", "undetermined")
    told = [said(57, FILM, OTHER), said(569, OTHER, day=date(1940, 1, 1))]
    assert dated_replay.replay(known, told) == ("no", "no")


@given(st.dictionaries(st.text(max_size=5), st.integers(0, 2 * MOST), max_size=8))
def test_every_evaluation_is_scored_once_and_large_ones_alone(sizes: dict[str, int]) -> None:
    groups = together(sizes)
    assert [one for group in groups for one in group] == list(sizes)
    assert all(len(group) == 1 or sum(sizes[one] for one in group) <= MOST for group in groups)
