"""Rates, bands and counts in the results views against an independent computation from the verdict rows."""

from collections import Counter
from typing import Any

import duckdb
import pytest
from sqlalchemy import delete, insert, select, text
from sqlalchemy.orm import Session

from halluvault_tasks.oracles import groups, paper, profiles
from halluvault_tasks.results import figures, tally, unsupported, views
from halluvault_tasks.results.stages import summarise
from halluvault_tasks.statistics.shares import wilson
from halluvault_tasks.storage import tables
from tests.oracles.material import SNAPSHOT, fill
from tests.results.random_month import CATEGORIES, evaluation_of


@pytest.fixture(autouse=True)
def installed(session: Session) -> None:
    views.install(session)
    session.commit()


def in_duckdb(session: Session, key: str) -> dict[Any, tuple[Any, ...]]:
    """Counts and shares by `key` in another engine, straight from the verdict rows."""
    rows = session.execute(
        text(
            "SELECT v.profile, b.domain, b.rule_kind, v.answer, c.gold, v.category,"
            " coalesce(v.reasoning_faulty, false) FROM verdict v JOIN benchmark_case b USING (case_id)"
            " JOIN cases c ON c.id = v.case_id"
        )
    ).all()
    with duckdb.connect() as database:
        database.execute(
            "CREATE TABLE v (profile TEXT, domain TEXT, rule_kind TEXT, answer TEXT, gold TEXT, category TEXT,"
            " faulty BOOL, answered BOOL AS (answer NOT IN ('dont_know', 'refusal', 'unparseable')),"
            " decided BOOL AS (answer IN ('yes', 'no')),"
            " hallucinated BOOL AS (category NOT IN ('normal', 'unparseable', 'review')))"
        )
        database.executemany("INSERT INTO v VALUES (?, ?, ?, ?, ?, ?, ?)", [tuple(row) for row in rows])
        found = database.execute(
            f"SELECT profile, {key},"
            " CASE WHEN 10 * count_if(category = 'unparseable') <= count(*) THEN count_if(hallucinated) / count(*) END,"
            " CASE WHEN 10 * count_if(category = 'unparseable') <= count(*)"
            " THEN count_if(category <> 'normal') / count(*) END,"
            " count_if(category = 'unparseable') / count(*),"
            " count_if(answered) / count(*), count_if(hallucinated) / nullif(count_if(answered), 0),"
            " count_if(answer = gold) / count(*), count_if(answer = 'yes') / nullif(count_if(decided), 0), count(*),"
            " count_if(answer = gold AND faulty), count_if(answer = gold AND NOT faulty),"
            " count_if(decided AND answer <> gold AND faulty), count_if(decided AND answer <> gold AND NOT faulty)"
            f" FROM v GROUP BY profile, {key}"
        ).fetchall()
    return {(profile, part): tuple(figures) for profile, part, *figures in found}


COLUMNS = (
    "hallucination_rate, band_high, unparseable::float8 / delivered, answered_share, rate_among_answered, accuracy,"
    " yes_rate, delivered, right_faulty, right_sound, wrong_faulty, wrong_sound"
)


@pytest.mark.parametrize(
    ("view", "column", "key"),
    [
        ("results_by_model", "''", "''"),
        ("results_by_domain", "domain", "domain"),
        ("results_by_rule", "rule_kind", "rule_kind"),
    ],
)
def test_a_views_figures_are_those_of_another_engine(session: Session, view: str, column: str, key: str) -> None:
    evaluation = evaluation_of(session)
    summarise(session, evaluation)
    shown = {
        (row[0], row[1]): tuple(row[2:])
        for row in session.execute(
            text(f"SELECT profile, {column}, {COLUMNS} FROM {view} WHERE profile <> :baseline"),
            {"baseline": profiles.CONSTANT.constant},
        )
    }
    expected = in_duckdb(session, key)
    assert shown.keys() == expected.keys()
    for each in expected:
        assert shown[each] == pytest.approx(expected[each]), each


def test_categories_add_up_to_what_was_delivered_and_parts_to_the_whole(session: Session) -> None:
    evaluation = evaluation_of(session, dead=3)
    summarise(session, evaluation)
    found: dict[tuple[str, str], dict[str, dict[str, Any]]] = {}
    for row in session.execute(select(tables.result).where(tables.result.c.suite == "headline")).mappings():
        found.setdefault((row["profile"], row["scope"]), {}).setdefault(row["key"], {})[row["metric"]] = row
    categories = [*CATEGORIES[:3], "both_errors", *CATEGORIES[4:]]
    scopes = {scope: len(parts) for (_, scope), parts in found.items()}
    assert min(scopes[scope] for scope in ("domain", "rule", "kind")) > 1, "the whole has parts"
    for (profile, scope), parts in found.items():
        if scope in ("model", "domain", "rule", "kind"):
            for metrics in parts.values():
                delivered = metrics["delivered"]["hits"]
                assert sum(metrics[category]["hits"] for category in categories) == delivered
                unread = metrics["unread_share"]["hits"]
                assert unread == metrics["unparseable"]["hits"]
                assert metrics["api_refused"]["hits"] + metrics["no_answer"]["hits"] <= unread
                assert metrics["abstained"]["hits"] <= metrics["normal"]["hits"]
                cross = [metrics[f"{a}_{b}"]["hits"] for a in ("right", "wrong") for b in ("sound", "faulty")]
                assert metrics["yes_rate"]["hits"] <= sum(cross) == metrics["yes_rate"]["n"]
        whole = found[profile, "model"][""]
        assert (whole["delivered"]["n"], whole["delivered"]["hits"]) == (400, 397)
        for metric in whole if scope in ("domain", "rule", "kind") else ("delivered", "hallucination_rate"):
            if scope != "macro" and metric not in ("group_all_right", *figures.MEANS, *unsupported.OWNED):
                for column in ("hits", "n"):
                    assert sum(part[metric][column] for part in parts.values()) == whole[metric][column]


def test_the_rates_of_yes_and_no_questions_and_of_groups_are_counted_as_defined(session: Session) -> None:
    evaluation = evaluation_of(session)
    summarise(session, evaluation)
    rows = session.execute(
        text(
            "SELECT c.gold, c.group_id, v.answer FROM verdict v JOIN cases c ON c.id = v.case_id"
            " WHERE v.profile = :profile"
        ),
        {"profile": paper.JUDGED},
    ).all()
    shown = session.execute(
        text("SELECT * FROM results_v1.by_model WHERE profile = :profile"), {"profile": paper.JUDGED}
    ).one()
    for gold, rate in (("yes", shown.tpr), ("no", shown.tnr)):
        answers = [row.answer for row in rows if row.gold == gold and row.answer in ("yes", "no")]
        assert rate == pytest.approx(answers.count(gold) / len(answers))
    by_group: dict[str, list[bool]] = {}
    for row in rows:
        by_group.setdefault(row.group_id, []).append(row.answer == row.gold)
    assert shown.group_all_right == pytest.approx(sum(map(all, by_group.values())) / len(by_group))


def test_what_the_snapshot_neither_supports_nor_denies_widens_the_band(session: Session) -> None:
    evaluation = fill(session, [("c1", "Yes."), ("c2", "No."), ("c3", "Yes.")])

    def claims(*statuses: str) -> dict[str, Any]:
        side = {"role": "side", "status": "unverifiable"}
        return {"claims": [side, *({"role": "premise", "status": status} for status in statuses)]}

    told = {
        "c1": ("normal", claims("supported", "unverifiable")),
        "c2": ("normal", claims("supported")),
        "c3": ("error_knowledge", claims("contradicted", "unverifiable")),
    }
    session.execute(
        insert(tables.verdict),
        [
            {"evaluation_id": evaluation, "case_id": case, "sample": 1, "profile": profile,
             "profile_version": version, "answer": "yes", "category": category, "detail": detail}
            for case, (category, detail) in told.items() for profile, version in profiles.CURRENT.items()
        ],
    )  # fmt: skip
    judged = tally.of_evaluation(session, evaluation, SNAPSHOT)[profiles.HEADLINE, profiles.CURRENT[profiles.HEADLINE]]
    planned = Counter({judged.names[0]: 3}) + Counter(dict.fromkeys(judged.names[1:], 0))
    found = {row.metric: row for row in figures.of_tally(judged, planned) if row.scope == "model"}
    assert (found["unsupported_share"].hits, found["unsupported_share"].n) == (2, 5), "side claims are no premises"
    assert found["hallucination_rate"].value == pytest.approx(1 / 3)
    assert found["unsupported_high"].value == pytest.approx(2 / 3), "the convicted one counts once"
    session.rollback()


def test_above_one_per_cent_undelivered_there_is_no_rate(session: Session) -> None:
    for dead, shown in ((4, True), (5, False)):
        summarise(session, evaluation_of(session, dead=dead))
        found = session.execute(
            text("SELECT hallucination_rate, rate_low, macro_rate, undelivered_share, accuracy FROM results_by_model")
        ).all()
        assert all((row.hallucination_rate is not None) == shown for row in found)
        assert all((row.rate_low is not None) == (row.macro_rate is not None) == shown for row in found)
        assert all(row.undelivered_share == pytest.approx(dead / 400) for row in found)
        assert all(row.accuracy is not None for row in found)


def test_the_constant_oracle_condemns_every_answer_and_no_refusal(session: Session) -> None:
    summarise(session, evaluation_of(session))
    row = session.execute(
        text("SELECT * FROM results_by_model WHERE profile = :profile"), {"profile": profiles.CONSTANT.constant}
    ).one()
    assert row.both_errors == row.delivered - row.abstained - row.unparseable
    assert row.hallucination_rate == row.answered_share
    assert row.rate_among_answered == 1


def test_groups_are_consistent_exactly_where_no_wording_contradicts_another(session: Session) -> None:
    evaluation = evaluation_of(session)
    rows = session.execute(
        text(
            "SELECT c.group_id, c.relation, c.gold, v.answer FROM verdict v JOIN cases c ON c.id = v.case_id"
            " WHERE v.evaluation_id = :evaluation AND v.profile = :profile"
        ),
        {"evaluation": evaluation, "profile": paper.JUDGED},
    ).all()
    expected = {}
    for group in {row.group_id for row in rows}:
        decided = [row for row in rows if row.group_id == group and row.answer in ("yes", "no")]
        firm = {
            (row.answer == "yes") != (row.relation == "contradictory") for row in decided if row.relation != "contrary"
        }
        both_yes = True in firm and any(row.relation == "contrary" and row.answer == "yes" for row in decided)
        if len(decided) < 2:
            expected[group] = "not assessable"
        elif len(firm) == 2 or both_yes:
            expected[group] = "inconsistent"
        elif all(row.answer == row.gold for row in decided):
            expected[group] = "consistent, right"
        else:
            expected[group] = "consistent, stable misbelief"
    assert groups.store(session, evaluation) == len(expected)
    shown = dict(session.execute(text("SELECT group_id, verdict FROM results_by_group")).all())
    assert shown == expected
    assert len(set(expected.values())) == 4


def test_baselines_are_computed_from_the_gold_answers(session: Session) -> None:
    evaluation_of(session)
    golds = session.scalars(select(tables.cases.c.gold)).all()
    yes = golds.count("yes") / len(golds)
    rows = session.execute(
        text("SELECT strategy, hallucination_rate, accuracy, yes_rate FROM results_baselines WHERE profile = :profile"),
        {"profile": paper.GATED},
    ).all()
    found = {row.strategy: tuple(row[1:]) for row in rows}
    assert found["always yes"] == pytest.approx((1 - yes, yes, 1))
    assert found["coin"] == (0.5, 0.5, 0.5)
    assert found["always refuse"] == (0, 0, None)


def test_a_rate_of_zero_still_has_an_upper_end(session: Session) -> None:
    evaluation = fill(session, [(case, "I don't know.") for case in ("c1", "c2", "c3", "c4")])
    session.execute(delete(tables.benchmark_case).where(tables.benchmark_case.c.case_id.like("x%")))
    session.execute(
        insert(tables.verdict),
        [
            {"evaluation_id": evaluation, "case_id": case, "sample": 1, "profile": profile,
             "profile_version": version, "answer": "dont_know", "category": "normal", "detail": {}}
            for case in ("c1", "c2", "c3", "c4") for profile, version in profiles.CURRENT.items()
        ],
    )  # fmt: skip
    summarise(session, evaluation)
    row = session.execute(
        text("SELECT * FROM results_by_model WHERE profile = :profile"), {"profile": paper.GATED}
    ).one()
    assert (row.hallucination_rate, row.rate_high) == (0, pytest.approx(wilson(0, 3).high))
    assert (row.answered_share, row.rate_among_answered, row.yes_rate) == (0, None, None)
