"""The age at which a response says that somebody died, held against Python's own calendar."""

from datetime import date, timedelta
from decimal import Decimal

from hypothesis import given
from hypothesis import strategies as st

from halluvault_tasks.oracles.snapshot_view import BatchStatements, Inverses
from halluvault_tasks.oracles.statuses import Statuses
from halluvault_tasks.reading.base import Claim, ClaimTriple, TextSpan
from halluvault_tasks.reasoning.world import World
from halluvault_tasks.reasoning.world.slots import Bounds, Functional, Slots
from halluvault_tasks.wikidata.days import day_number
from tests.reading.material import stated

WHO, BIRTH, DEATH = 7, 569, 570
# A stated 1 January may be any day of its year (semantics.md section 2.7).
DAYS = st.dates(date(1930, 1, 2), date(1999, 12, 31)).filter(lambda day: (day.month, day.day) != (1, 1))
SLACK = range(-1, 2)  # days at every end that a date may be off


def statuses(born: date | None, died: date) -> Statuses:
    given = {DEATH: died} | ({BIRTH: born} if born else {})
    days = {p: day_number(day.year, day.month, day.day) for p, day in given.items()}
    bounds = {(p, WHO): Bounds(p, 1, ((day, day),)) for p, day in days.items()}
    world = World(slots=Slots(functional={BIRTH: Functional(), DEATH: Functional()}, bounds=bounds))
    return Statuses(world, BatchStatements(), Inverses((), {}, {}), [], day_number(2019, 8, 1))


def claim(age: int, denied: bool = False) -> Claim:
    triples = (ClaimTriple(DEATH, WHO, 0),)
    return Claim(TextSpan(0, 1), 0, triples, "", str(age), denied, (), ("syntax",), amount=Decimal(age))


def years(born: date, died: date) -> int:
    return died.year - born.year - ((died.month, died.day) < (born.month, born.day))


@given(DAYS, DAYS, st.integers(0, 2))
def test_an_age_is_contradicted_where_no_dates_a_day_off_give_it(one: date, other: date, off: int) -> None:
    born, died = sorted((one, other))
    age = years(born, died) + off
    possible = {years(born + timedelta(a), died + timedelta(b)) for a in SLACK for b in SLACK}
    expected = "supported" if age in possible else "contradicted"
    assert statuses(born, died).judge(claim(age)).status == expected
    turned = {"supported": "contradicted", "contradicted": "supported"}[expected]
    assert statuses(born, died).judge(claim(age, denied=True)).status == turned


def test_an_age_whose_birth_is_not_known_is_decided_by_nothing() -> None:
    assert statuses(None, date(1990, 1, 1)).judge(claim(20)).status == "unverifiable"


def test_the_age_of_a_death_is_read_and_no_age_of_anything_else() -> None:
    for text in ["died at the age of 80", "died in 1990, aged 80", "died aged 80", "died at age 80 in [Rome|place]"]:
        assert "P570(Ann Lee, 80)" in stated(f"[Ann Lee|human] {text}.")
    for text in [
        "married at the age of 80",
        "was 80 when her father died",
        "died 80 days later",
        "died at 80 Main Street",
    ]:
        assert "P570(Ann Lee, 80)" not in stated(f"[Ann Lee|human] {text}.")
