"""Foils followed month by month: what refutes them, what that says of their class, and what closes it."""

from collections.abc import Callable, Iterator
from datetime import date
from pathlib import Path

import pytest
from reasoning_worlds import PROLOG_DIR, RULES_FILE, fill, statement
from scipy import stats
from sqlalchemy import delete, select
from sqlalchemy.orm import Session

from halluvault_tasks.knowledge import snapshots
from halluvault_tasks.reasoning import stages
from halluvault_tasks.reasoning.following import registry, step
from halluvault_tasks.reasoning.following.registry import FollowedClass
from halluvault_tasks.reasoning.following.waiting import MOST, FollowedMonth, waited
from halluvault_tasks.reasoning.measuring.classes import Chance, MeasuredClass, MeasuredFile, MissingValues, ReadSheet
from halluvault_tasks.reasoning.measuring.nearness import BY_NAME
from halluvault_tasks.storage.tables import followed_foil, followed_month, incident

NEAR = "the husband or wife of a colleague"
VERSION = BY_NAME[NEAR].version
SHEET = ReadSheet(
    attempt=1, version=VERSION, read_on="2026-11-28", reader="somebody", kind="people", foils=100, decided=100, false=0,
    planted=100, recognised=100,
)  # fmt: skip
SPOUSES = MeasuredClass(
    relation="P26",  # type: ignore[arg-type]
    near=NEAR, version=VERSION, pi=Chance(snapshot="x", share=0.0, high=0.001, subjects=300, objects=100),
    m=MissingValues(high=0.5, floor=0.25), sheets=(SHEET,),
)  # fmt: skip
MEASURED = MeasuredFile(classes=(SPOUSES,))
OF = FollowedClass(SPOUSES.name, VERSION)
PEOPLE = range(100, 140)
HUMAN = {one: [5] for one in range(100, 180)}


def couples(*more: tuple[int, int]) -> list[dict[str, object]]:
    return [statement(s, 26, s + 40) for s in PEOPLE] + [statement(s, 26, o) for s, o in more]


@pytest.fixture
def clean(session: Session) -> Iterator[None]:
    yield
    session.rollback()
    for table in (followed_foil, followed_month, incident):
        session.execute(delete(table))
    session.commit()


Month = Callable[..., str]


@pytest.fixture
def month(session: Session, next_snapshot: Callable[[], str], tmp_path: Path, clean: None) -> Month:
    """Writes and derives a month a year after the one before."""
    years = iter(range(2026, 2040))

    def write(*more: tuple[int, int], began: int | None = None) -> str:
        key = next_snapshot()
        rows = couples(*more)
        if began:
            rows[-1] |= statement(*more[-1][:1], 26, more[-1][1], start_year=began)
        fill(session, key, rows, types=HUMAN, as_of=date(next(years), 10, 31))
        stages.type_rules(session, key, rules_file=RULES_FILE)
        stages.derive_shard(session, key, prolog_dir=PROLOG_DIR, scratch=tmp_path, anew=True)
        session.commit()
        return key

    return write


def registered(session: Session, key: str, *pairs: tuple[int, int], asked: bool = False) -> int:
    number = registry.register(session, snapshots.get(session, key), OF, SPOUSES.relation, pairs, asked=asked)
    session.commit()
    return number


def test_a_foil_is_registered_once_and_remembers_that_it_was_asked(session: Session, month: Month) -> None:
    key = month()
    assert registered(session, key, (100, 150), (101, 151)) == 2
    assert registered(session, key, (100, 150), asked=True) == 0
    (one,) = registry.standing(session, "written by hand")
    assert (one.registered, one.asked, one.refuted) == (2, 1, 0)


def test_a_later_month_refutes_what_it_states_from_either_end_and_not_what_began_since(
    session: Session, month: Month
) -> None:
    first = month()
    registered(session, first, (100, 150), (101, 151), (102, 152), (103, 153))
    assert step.follow(session, first, MEASURED).followed == 0, "nothing is looked for in the month of its own"
    later = month((100, 150), (151, 101), (102, 152), began=2027)
    for _ in range(2):  # a run that was killed is run again
        counts = step.follow(session, later, MEASURED)
        assert (counts.followed, counts.refuted) == (4, 2)
        found = session.execute(
            select(followed_foil.c.s, followed_foil.c.later).where(followed_foil.c.refuted == later)
        )
        assert dict(found.all()) == {100: False, 101: False, 102: True}
    (one,) = registry.standing(session, "written by hand")
    assert one.months == (FollowedMonth(pytest.approx(365 / 365.25), 4, 2, 2, 1, 40),)


def test_a_class_of_which_too_much_turns_out_true_is_closed_with_one_incident(session: Session, month: Month) -> None:
    first = month()
    registered(session, first, *((s, s + 41) for s in PEOPLE if s < 130))
    later = month(*((s, s + 41) for s in range(100, 106)))
    for _ in range(2):
        counts = step.follow(session, later, MEASURED)
        assert counts.closed == (SPOUSES.name,)
    told = session.execute(select(incident.c.kind, incident.c.where, incident.c.message)).all()
    assert [(kind, where) for kind, where, _ in told] == [("class_closed", f"class {SPOUSES.name}")]
    assert "of its foils are false" in told[0].message
    closed = registry.closed(session, "written by hand", MEASURED)
    assert [one.name for one in MEASURED.licensed] == [SPOUSES.name]
    assert not MEASURED.without(closed).licensed, "so that nothing of it is asked"


def test_a_month_that_refutes_many_at_once_is_named(session: Session, month: Month) -> None:
    first = month()
    registered(session, first, *((s, s + 41) for s in PEOPLE if s < 139))
    later = month(*((s, s + 41) for s in range(100, 120)))
    step.follow(session, later, MEASURED)
    (why,) = registry.closed(session, "written by hand", MEASURED).values()
    assert why == "one month refuted foils of 20 subjects at once, of 39 foils: a source changed"


def test_another_version_of_a_class_is_another_class(session: Session, month: Month) -> None:
    first = month()
    row = snapshots.get(session, first)
    registry.register(
        session, row, FollowedClass(SPOUSES.name, VERSION + 1), SPOUSES.relation, [(s, s + 41) for s in range(100, 130)]
    )
    step.follow(session, month(*((s, s + 41) for s in range(100, 120))), MEASURED)
    assert not registry.closed(session, "written by hand", MEASURED)


@pytest.mark.parametrize(("events", "added"), [(0, 50), (1, 80), (12, 40)])
def test_the_bounds_are_those_of_two_counts_of_one_time(events: int, added: int) -> None:
    months = [FollowedMonth(0.5, 5000, events, events, added, 1000)]
    found = waited(months, missing=0.25)
    scale = 0.25 * 1000 / 5000
    low = stats.beta.ppf(0.05, events, added + 1) if events else 0.0
    high = stats.beta.ppf(0.95, events + 1, added)
    assert found.low == pytest.approx(low / (1 - low) * scale)
    assert found.high == pytest.approx(high / (1 - high) * scale)
    assert found.q == pytest.approx(events / added * scale)
    assert found.low <= found.q <= found.high
    assert found.added == pytest.approx(added / (0.25 * 1000 * 0.5))


def test_where_nothing_was_added_nothing_is_known() -> None:
    found = waited([FollowedMonth(1.0, 5000, 0, 0, 0, 1000)], missing=0.25)
    assert (found.q, found.low, found.high) == (None, 0.0, 1.0)
    assert waited([], missing=0.25).high == 1.0
    assert found.low <= MOST


def test_a_class_that_is_licensed_registers_its_foils_in_that_month(session: Session, month: Month) -> None:
    first = month()
    assert step.follow(session, first, MEASURED).registered == registry.registered(session, "written by hand").get(
        OF, 0
    )
    assert step.follow(session, first, MEASURED).registered == 0, "once"
