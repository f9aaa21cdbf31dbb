"""The results views against an independent computation from the verdict rows, and who may read them."""

from collections import Counter
from datetime import timedelta
from typing import Any

import duckdb
import psycopg2
import pytest
from sqlalchemy import delete, insert, make_url, select, text
from sqlalchemy.orm import Session

from halluvault_tasks.errors import UserError
from halluvault_tasks.oracles import groups, paper, profiles
from halluvault_tasks.results import figures, read, store, tally, unsupported, views
from halluvault_tasks.results.figures import Figure
from halluvault_tasks.results.stages import CONSTANT_BOTH, summarise
from halluvault_tasks.results.store import ResultSet
from halluvault_tasks.statistics.shares import wilson
from halluvault_tasks.storage import roles, tables
from tests.conftest import PASSWORDS
from tests.oracles.material import SNAPSHOT, fill
from tests.results.random_month import CATEGORIES, evaluation_of, judge_at_random, publish


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
            " count_if(hallucinated) / count(*), count_if(category <> 'normal') / count(*),"
            " count_if(answered) / count(*), count_if(hallucinated) / nullif(count_if(answered), 0),"
            " count_if(answer = gold) / count(*), count_if(answer = 'yes') / nullif(count_if(decided), 0), count(*),"
            " count_if(answer = gold AND faulty), count_if(answer = gold AND NOT faulty),"
            " count_if(decided AND answer <> gold AND faulty), count_if(decided AND answer <> gold AND NOT faulty)"
            f" FROM v GROUP BY profile, {key}"
        ).fetchall()
    return {(profile, part): tuple(figures) for profile, part, *figures in found}


COLUMNS = (
    "hallucination_rate, band_high, answered_share, rate_among_answered, accuracy, yes_rate, delivered,"
    " right_faulty, right_sound, wrong_faulty, wrong_sound"
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
            {"baseline": CONSTANT_BOTH},
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
                assert metrics["unread_share"]["hits"] == metrics["unparseable"]["hits"] + metrics["review"]["hits"]
                assert metrics["abstained"]["hits"] <= metrics["normal"]["hits"]
                cross = [metrics[f"{a}_{b}"]["hits"] for a in ("right", "wrong") for b in ("sound", "faulty")]
                assert metrics["yes_rate"]["hits"] <= sum(cross) == metrics["yes_rate"]["n"]
        whole = found[profile, "model"][""]
        assert (whole["delivered"]["n"], whole["delivered"]["hits"]) == (400, 397)
        for metric in whole if scope in ("domain", "rule", "kind") else ("delivered", "hallucination_rate"):
            if scope != "macro" and metric not in ("group_all_right", *unsupported.OWNED):
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
        text("SELECT * FROM results_by_model WHERE profile = :profile"), {"profile": CONSTANT_BOTH}
    ).one()
    assert row.both_errors == row.delivered - row.abstained - row.unparseable
    assert row.hallucination_rate == row.answered_share
    assert row.rate_among_answered == 1


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


def test_the_reader_reads_the_views_and_nothing_else(session: Session) -> None:
    assert roles.grant(session, views.NAMES) == []
    session.commit()
    url = make_url(session.get_bind().url)  # type: ignore[union-attr]
    reader = psycopg2.connect(
        host=url.host, port=url.port, dbname=url.database, user=roles.READER, password=PASSWORDS[roles.READER]
    )
    reader.autocommit = True
    with reader.cursor() as cursor:
        cursor.execute(
            "SELECT CASE n.nspname WHEN 'public' THEN relname ELSE n.nspname || '.' || relname END"
            " FROM pg_class c JOIN pg_namespace n ON n.oid = relnamespace"
            " WHERE relkind IN ('r', 'v', 'p') AND n.nspname IN ('public', 'results_v1')"
        )
        for name in [row[0] for row in cursor.fetchall()]:
            if name in views.NAMES:
                cursor.execute(f"SELECT count(*) FROM {name}")
            else:
                with pytest.raises(psycopg2.errors.InsufficientPrivilege):
                    cursor.execute(f"SELECT count(*) FROM {name}")
        for forbidden in (
            "DELETE FROM incidents",
            "UPDATE results_v1.by_model SET model = ''",
            "CREATE TABLE results_v1.mine ()",
            "CREATE TABLE public.mine ()",
        ):
            with pytest.raises((psycopg2.errors.InsufficientPrivilege, psycopg2.errors.ObjectNotInPrerequisiteState)):
                cursor.execute(forbidden)
        with pytest.raises(psycopg2.errors.InsufficientPrivilege):
            cursor.execute("SELECT * FROM simulation.planted")
    reader.close()
