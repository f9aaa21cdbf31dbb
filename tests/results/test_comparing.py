"""Models compared on the questions that both answered, and a model with itself a month before."""

from typing import Any

import numpy as np
import pytest
from sqlalchemy import delete, insert, select, text, update
from sqlalchemy.orm import Session

from halluvault_tasks.benchmark.export import reading
from halluvault_tasks.oracles import profiles
from halluvault_tasks.results import comparing, read, views
from halluvault_tasks.results.stages import summarise
from halluvault_tasks.statistics.comparisons import paired
from halluvault_tasks.statistics.shares import codes
from halluvault_tasks.storage import partitions, tables
from tests.oracles.material import SNAPSHOT
from tests.results.random_month import evaluation_of, publish

LATER = "2026-11"


@pytest.fixture(autouse=True)
def judged(session: Session) -> None:
    views.install(session)
    for seed, (evaluation, name) in enumerate([("e1", "real/one"), ("e2", "real/two")]):
        summarise(session, evaluation_of(session, evaluation=evaluation, name=name, seed=seed, dead=seed * 2))
    publish(session)


def wrong(session: Session, evaluation: str) -> dict[str, tuple[str, float]]:
    rows = session.execute(
        text(
            "SELECT case_id, group_id, (category NOT IN ('normal', 'unparseable', 'review'))::int FROM verdict"
            " JOIN cases ON id = case_id WHERE evaluation_id = :evaluation AND profile = :profile"
            " AND suite IN ('relation', 'temporal')"
        ),
        {"evaluation": evaluation, "profile": profiles.HEADLINE},
    )
    return {case: (group, float(error)) for case, group, error in rows}


def test_two_models_are_compared_on_the_questions_that_both_answered(session: Session) -> None:
    counts = comparing.compare(session, SNAPSHOT)
    one, two = wrong(session, "e1"), wrong(session, "e2")
    shared = sorted(set(one) & set(two))
    expected = paired(
        codes([one[case][0] for case in shared]),
        np.array([one[case][1] - two[case][1] for case in shared]),
    )
    row = session.execute(
        text("SELECT * FROM results_v1.pairs WHERE profile = :profile AND suite = 'headline'"),
        {"profile": profiles.HEADLINE},
    ).one()
    assert expected is not None
    assert (row.model_a, row.model_b, row.shared, row.is_current) == ("real/one", "real/two", 398, True)
    assert (row.difference, row.difference_low, row.difference_high) == pytest.approx(expected[:3])
    assert row.p == pytest.approx(expected.p, abs=0.02)
    assert row.p_adjusted >= row.p
    assert counts.models == 3 * len(profiles.CURRENT), "headline, relation and temporal of each profile"
    assert counts.months == 0


def test_of_many_models_each_is_compared_with_its_neighbours_by_name_whatever_their_rates() -> None:
    assert len(comparing._places(range(comparing.ALL_PAIRS))) == 40 * 39 / 2, "of few, every two"
    many = comparing._places(range(1000))
    assert len(many) == 1000 * 10 - 55 and len(set(many)) == len(many)
    assert {place for pair in many for place in pair} == set(range(1000))
    assert all(0 < b - a <= comparing.NEIGHBOURS for a, b in many)


def test_how_many_pairs_are_in_memory_at_a_time_changes_no_figure(
    session: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    for seed, name in enumerate(["three", "four"], 2):
        evaluation_of(session, evaluation=f"e{seed + 1}", name=f"real/{name}", seed=seed)
    version = profiles.CURRENT[profiles.HEADLINE]
    several = [comparing.JudgedEvaluation(f"e{n}", profiles.HEADLINE, version) for n in range(1, 5)]
    together = comparing.of_models(session, several)
    monkeypatch.setattr(comparing, "_AT_ONCE", 1)
    assert len(together) == 3 * 6 and comparing.of_models(session, several) == together


def test_comparing_again_adds_no_row(session: Session) -> None:
    dump = "SELECT string_agg(c::text, ',' ORDER BY kind, suite, profile) FROM comparison c"
    counts = comparing.compare(session, SNAPSHOT)
    before = session.scalar(text(dump))
    assert comparing.compare(session, SNAPSHOT) == counts
    assert session.scalar(text(dump)) == before


def copy_month(session: Session) -> None:
    """The same questions a month later, less ten and with two new ones; the first model answers as before."""
    partitions.create_partitions(session, LATER)

    def again(table: Any, where: Any, **changed: Any) -> None:
        rows = [dict(row) | changed for row in session.execute(select(table).where(where)).mappings()]
        session.execute(insert(table), rows)

    again(tables.snapshot, tables.snapshot.c.snapshot == SNAPSHOT, snapshot=LATER, month=LATER)
    again(tables.benchmark_part, tables.benchmark_part.c.snapshot == SNAPSHOT, snapshot=LATER)
    again(tables.benchmark_case, tables.benchmark_case.c.snapshot == SNAPSHOT, snapshot=LATER)
    again(tables.evaluation, tables.evaluation.c.id == "e1", id="e9", snapshot=LATER)
    again(tables.response, tables.response.c.evaluation_id == "e1", evaluation_id="e9")
    again(tables.verdict, tables.verdict.c.evaluation_id == "e1", evaluation_id="e9")
    for table in (tables.verdict, tables.response):
        of_case = table.c.case_id
        session.execute(delete(table).where(table.c.evaluation_id == "e1", of_case.in_(["x003", "x004"])))
        session.execute(delete(table).where(table.c.evaluation_id == "e9", of_case.between("x010", "x019")))
    session.execute(
        delete(tables.benchmark_case).where(
            tables.benchmark_case.c.snapshot == LATER, tables.benchmark_case.c.case_id.between("x010", "x019")
        )
    )
    session.commit()


def test_a_month_is_held_against_the_one_before_on_persisting_questions_with_new_ones_apart(session: Session) -> None:
    copy_month(session)
    for evaluation in ("e1", "e9"):
        summarise(session, evaluation)
    publish(session, LATER)
    counts = comparing.compare(session, LATER)
    assert (counts.models, counts.months) == (0, 3 * len(profiles.CURRENT))
    row = session.execute(
        text("SELECT * FROM results_v1.trend WHERE profile = :profile AND suite = 'headline' AND snapshot = :month"),
        {"profile": profiles.HEADLINE, "month": LATER},
    ).one()
    assert (row.model, str(row.month), str(row.previous_month)) == ("real/one", "2026-11-01", "2026-10-01")
    assert (row.change, row.p, row.shared, row.new_questions) == (0, 1, 388, 2), (
        "the same answers to the same questions"
    )
    now = wrong(session, "e9")
    assert row.new_rate == pytest.approx((now["x003"][1] + now["x004"][1]) / 2)
    first = session.execute(
        text("SELECT * FROM results_v1.trend WHERE suite = 'headline' AND snapshot = :month"), {"month": SNAPSHOT}
    ).all()
    assert first
    assert {one.previous_month for one in first} == {None}


def test_one_model_or_none_is_no_comparison_and_no_failure(session: Session) -> None:
    session.execute(delete(tables.result_set).where(tables.result_set.c.evaluation_id == "e2"))
    session.commit()
    assert comparing.compare(session, SNAPSHOT) == (0, 0)
    session.execute(delete(tables.result_set))
    session.commit()
    assert comparing.compare(session, SNAPSHOT) == (0, 0)


def test_a_revision_takes_its_months_place_when_it_is_judged_and_not_before(session: Session) -> None:
    newer = f"{SNAPSHOT}.2"
    partitions.create_partitions(session, newer)
    for table in (tables.snapshot, tables.benchmark_part, tables.benchmark_case):
        of_month = select(table).where(table.c.snapshot == SNAPSHOT)
        changed = {"snapshot": newer} | ({"revision": 2} if table is tables.snapshot else {})
        session.execute(insert(table), [dict(row) | changed for row in session.execute(of_month).mappings()])
    session.commit()
    shown = text(f"SELECT DISTINCT snapshot FROM results_v1.by_model WHERE is_current AND snapshot LIKE '{SNAPSHOT}%'")
    assert session.scalars(shown).all() == [SNAPSHOT] == [read.meant(session, SNAPSHOT)]
    assert reading.meant(session, SNAPSHOT) == newer == read.meant(session, newer), "what is asked, and what it is"
    session.execute(update(tables.evaluation).where(tables.evaluation.c.id == "e2").values(snapshot=newer))
    session.commit()
    summarise(session, "e2")
    assert session.scalars(shown).all() == [newer] == [read.meant(session, SNAPSHOT)]
    assert read.meant(session, f"{SNAPSHOT}.1") == SNAPSHOT
