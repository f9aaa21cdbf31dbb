"""Which figures are stored and which are shown: no row twice, the newest version, each suite's own apart."""

from datetime import timedelta
from typing import Any

import pytest
from sqlalchemy import delete, insert, text
from sqlalchemy.orm import Session

from halluvault_tasks.errors import UserError
from halluvault_tasks.oracles import paper, profiles
from halluvault_tasks.results import read, store, views
from halluvault_tasks.results.figures import Figure
from halluvault_tasks.results.stages import summarise
from halluvault_tasks.results.store import ResultSet
from halluvault_tasks.storage import tables
from tests.oracles.material import SNAPSHOT
from tests.results.random_month import evaluation_of, judge_at_random, publish


@pytest.fixture(autouse=True)
def installed(session: Session) -> None:
    views.install(session)
    session.commit()


def test_a_figure_that_is_no_number_is_named_and_a_suites_own_metrics_stay(session: Session) -> None:
    evaluation = evaluation_of(session)
    bad = Figure("memory", "task", "hop 2", "auroc", float("nan"), None, None, None, 4, 2, None)
    with pytest.raises(UserError, match="auroc of memory, task 'hop 2' has the value nan"):
        store.put(session, ResultSet(evaluation, "memory", "1"), [bad], ("auroc",))
    store.put(session, ResultSet(evaluation, "memory", "1"), [bad._replace(value=0.75)], ("auroc",))
    summarise(session, evaluation)
    row = session.execute(text("SELECT * FROM results_v1.metrics WHERE metric = 'auroc'")).one()
    assert (row.suite, row.scope, row.key, row.value) == ("memory", "task", "hop 2", 0.75)


def _recall(session: Session) -> None:
    """A published part of ten cases, r0 to r9, whose answer is yes."""
    part = {"snapshot": SNAPSHOT, "suite": "recall"}
    session.execute(
        insert(tables.benchmark_part).values(
            **part, seed=1, config_hash="c", content_hash="h", counts={}, published=True
        )
    )
    for number in range(10):
        case = {"id": f"r{number}", "question": f"Recalled {number}?", "gold": "yes", "group_id": f"gr{number}"}
        session.execute(insert(tables.cases).values(**case, mutation="original", relation="same", suite="recall"))
        session.execute(
            insert(tables.benchmark_case).values(
                **part, case_id=f"r{number}", domain="people", rule_kind="inverse", fact={}, premises=[], proof=""
            )
        )


def _answer_no(session: Session, evaluation: str) -> None:
    """Ten wrong responses to those, judged by every profile."""
    for number in range(10):
        session.execute(
            insert(tables.response).values(
                evaluation_id=evaluation, case_id=f"r{number}", status="delivered", text="No.", attempts=1
            )
        )
        session.execute(
            insert(tables.verdict),
            [
                {"evaluation_id": evaluation, "case_id": f"r{number}", "sample": 1, "profile": profile,
                 "profile_version": version, "answer": "no", "correct": False, "category": "unattributed",
                 "detail": {}}
                for profile, version in profiles.CURRENT.items()
            ],
        )  # fmt: skip


def test_another_suite_has_a_rate_of_its_own_and_leaves_the_headline_as_it_is(session: Session) -> None:
    evaluation = evaluation_of(session)
    summarise(session, evaluation)

    def shown(scope: str) -> Any:
        return session.execute(
            text(f"SELECT * FROM _result_newest WHERE scope {scope} 'suite' ORDER BY profile, scope, key")
        ).all()

    def beside() -> Any:
        return [read.baselines(session, SNAPSHOT), read.groups(session, SNAPSHOT), read.models(session, SNAPSHOT)]

    headline, around = shown("<>"), beside()
    assert {row.key for row in shown("=")} == {"relation", "temporal"}
    _recall(session)
    summarise(session, evaluation)
    assert shown("<>") == headline, "not asked yet"
    _answer_no(session, evaluation)
    session.execute(
        insert(tables.group_verdict).values(
            evaluation_id=evaluation, group_id="gr1", sample=1, members=1, decided=1, verdict="inconsistent", against=[]
        )
    )
    summarise(session, evaluation)
    assert shown("<>") == headline
    assert beside() == around
    assert session.scalars(text("SELECT DISTINCT suites FROM results_by_model")).all() == [["relation", "temporal"]]
    found = {row.key: row for row in read.suites(session, SNAPSHOT, profiles.HEADLINE)}
    assert (found["recall"].delivered, found["recall"].rate.rate) == (10, 1.0)
    assert read.source(session, SNAPSHOT).questions == "400 questions, beside them 10 of recall"
    for table in (tables.group_verdict, tables.verdict, tables.response):
        mine = table.c.group_id == "gr1" if table is tables.group_verdict else table.c.case_id.like("r%")
        session.execute(delete(table).where(mine))
    for table in (tables.benchmark_case, tables.benchmark_part):
        session.execute(delete(table).where(table.c.suite == "recall"))
    session.execute(delete(tables.cases).where(tables.cases.c.suite == "recall"))
    session.commit()


def test_summarising_again_changes_nothing_and_adds_no_row(session: Session) -> None:
    evaluation = evaluation_of(session)
    dump = "SELECT string_agg(r::text, ',' ORDER BY profile, suite, scope, key, metric) FROM result r"
    counts = summarise(session, evaluation)
    before = session.scalar(text(dump))
    assert summarise(session, evaluation) == counts
    assert session.scalar(text(dump)) == before
    assert counts.rows == session.scalar(text("SELECT count(*) FROM result"))


def test_responses_without_a_verdict_are_no_results(session: Session) -> None:
    evaluation = evaluation_of(session)
    session.execute(delete(tables.verdict).where(tables.verdict.c.case_id == "x004"))
    session.commit()
    with pytest.raises(UserError, match=r"responses .* arrived for relation, but only \d+ are judged"):
        summarise(session, evaluation)


def test_only_the_newest_version_of_a_profile_is_shown(session: Session) -> None:
    evaluation = evaluation_of(session)
    for version in ("0.9", "0.10"):
        judge_at_random(session, evaluation, paper.JUDGED, version)
    summarise(session, evaluation)
    shown = session.scalars(
        text("SELECT profile_version FROM results_by_model WHERE profile = :profile"), {"profile": paper.JUDGED}
    ).all()
    assert shown == [paper.VERSION]
    session.execute(delete(tables.result_set).where(tables.result_set.c.profile_version == paper.VERSION))
    assert session.scalars(
        text("SELECT profile_version FROM results_by_model WHERE profile = :profile"), {"profile": paper.JUDGED}
    ).all() == ["0.10"]
    session.rollback()


def test_an_identity_that_has_no_figures_yet_leaves_the_older_ones_current(session: Session) -> None:
    summarise(session, evaluation_of(session))
    older = dict(session.execute(text("SELECT * FROM model")).mappings().one())
    session.execute(
        insert(tables.model),
        older | {"id": "m-newer", "model_sha": "newer", "first_seen": older["first_seen"] + timedelta(days=1)},
    )
    asked = dict(session.execute(text("SELECT * FROM evaluation")).mappings().one())
    session.execute(insert(tables.evaluation), asked | {"id": "e-newer", "model_id": "m-newer"})
    publish(session)
    current = text("SELECT evaluation_id FROM results_v1._evaluation WHERE is_current")
    assert session.scalars(current).all() == ["e1"], "nothing is known of the newer one"
    figures = dict(session.execute(text("SELECT * FROM result_set LIMIT 1")).mappings().one())
    session.execute(insert(tables.result_set), figures | {"evaluation_id": "e-newer"})
    assert session.scalars(current).all() == ["e-newer"]
    session.rollback()
