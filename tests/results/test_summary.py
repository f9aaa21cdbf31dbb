"""The results views against an independent computation from the verdict rows, and who may read them."""

import random
from typing import Any

import duckdb
import psycopg2
import pytest
from sqlalchemy import delete, insert, make_url, select, text
from sqlalchemy.dialects.postgresql import insert as upsert
from sqlalchemy.orm import Session

from halluvault_tasks.errors import UserError
from halluvault_tasks.oracles import groups, paper, profiles
from halluvault_tasks.results import views
from halluvault_tasks.results.stages import CONSTANT_BOTH, summarise
from halluvault_tasks.statistics.shares import wilson
from halluvault_tasks.storage import roles, tables
from tests.conftest import PASSWORDS
from tests.oracles.material import SNAPSHOT, fill

CATEGORIES = ("normal", "error_knowledge", "error_inference", "both", "unattributed", "unparseable", "review")


@pytest.fixture(autouse=True)
def installed(session: Session) -> None:
    views.install(session)
    session.commit()


def more_cases(session: Session, count: int) -> list[str]:
    """Cases beyond the hand-written four, so that rates are not all 0, ½ and 1."""
    seed = random.Random(5)
    ids = [f"x{number:03d}" for number in range(count)]
    session.execute(
        upsert(tables.cases).on_conflict_do_nothing(),
        [
            {
                "id": case,
                "question": f"Question {case}?",
                "gold": seed.choice(["yes", "no"]),
                "group_id": f"gx{number // 3}",
                "mutation": "original",
                "relation": seed.choice(["same", "contradictory", "contrary"]),
                "suite": "relation",
            }
            for number, case in enumerate(ids)
        ],
    )
    session.execute(
        upsert(tables.benchmark_case).on_conflict_do_nothing(),
        [
            {
                "snapshot": SNAPSHOT,
                "case_id": case,
                "domain": seed.choice(["people", "culture", "geography"]),
                "rule_kind": seed.choice(["inverse", "transitive", "F"]),
                "fact": {},
                "premises": [],
                "proof": "",
            }
            for case in ids
        ],
    )
    session.commit()
    return ids


def judge_at_random(
    session: Session, evaluation: str, profile: str, version: str = paper.VERSION, seed: int = 1
) -> None:
    """A verdict row of every category for the evaluation's delivered responses."""
    chance = random.Random(seed)
    golds = dict(session.execute(select(tables.cases.c.id, tables.cases.c.gold)).all())
    rows = []
    for case in session.scalars(
        select(tables.response.c.case_id)
        .where(tables.response.c.evaluation_id == evaluation, tables.response.c.status == "delivered")
        .order_by(tables.response.c.case_id)
    ):
        answer = random.Random(f"{case}{seed}").choice([
            "yes",
            "no",
            "yes",
            "no",
            "dont_know",
            "refusal",
            "unparseable",
        ])
        category, faulty = chance.choice(CATEGORIES[:5] + CATEGORIES[6:]), chance.choice([True, False])
        if answer == "unparseable":
            category, faulty = "unparseable", None
        elif answer in paper.ABSTENTIONS:
            category, faulty = "normal", None
        rows.append({
            "evaluation_id": evaluation, "case_id": case, "sample": 1, "profile": profile, "profile_version": version,
            "answer": answer, "correct": answer == golds[case] if answer in ("yes", "no") else None,
            "category": category, "reasoning_faulty": faulty, "detail": {},
        })  # fmt: skip
    session.execute(insert(tables.verdict), rows)
    session.commit()


def evaluation_of(session: Session, dead: int = 0) -> str:
    fill(session, [("c1", "Yes.")])
    ids = more_cases(session, 396)
    every = ["c1", "c2", "c3", "c4", *ids]
    answers = [(case, None if number < dead else "Yes.") for number, case in enumerate(every)]
    evaluation = fill(session, answers)
    for seed, (profile, version) in enumerate(profiles.CURRENT.items(), 1):
        judge_at_random(session, evaluation, profile, version, seed=seed)
    return evaluation


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
    rows = session.execute(select(tables.result).where(tables.result.c.evaluation_id == evaluation)).all()
    for row in rows:
        assert sum(row._mapping[category] for category in CATEGORIES) == row.delivered
        assert row.abstained <= row.normal
        yes_no = row.right_sound + row.right_faulty + row.wrong_sound + row.wrong_faulty
        assert row.said_yes <= yes_no <= row.delivered - row.abstained - row.unparseable
    for profile in {row.profile for row in rows}:
        whole = next(row for row in rows if row.profile == profile and row.scope == "model")
        assert (whole.planned, whole.delivered) == (400, 397)
        for scope in ("domain", "rule"):
            parts = [row for row in rows if row.profile == profile and row.scope == scope]
            for column in ("planned", "delivered", "both", "said_yes", "wrong_faulty", "abstained"):
                assert sum(row._mapping[column] for row in parts) == whole._mapping[column]


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
    dump = "SELECT string_agg(r::text, ',' ORDER BY profile, scope, key) FROM result r"
    counts = summarise(session, evaluation)
    before = session.scalar(text(dump))
    assert summarise(session, evaluation) == counts
    assert session.scalar(text(dump)) == before
    assert counts.rows == session.scalar(text("SELECT count(*) FROM result"))


def test_responses_without_a_verdict_are_no_results(session: Session) -> None:
    evaluation = evaluation_of(session)
    session.execute(delete(tables.verdict).where(tables.verdict.c.case_id == "x001"))
    session.commit()
    with pytest.raises(UserError, match=r"400 responses .* only 399 are judged"):
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
    session.execute(delete(tables.result).where(tables.result.c.profile_version == paper.VERSION))
    assert session.scalars(
        text("SELECT profile_version FROM results_by_model WHERE profile = :profile"), {"profile": paper.JUDGED}
    ).all() == ["0.10"]
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
            "SELECT relname FROM pg_class WHERE relkind IN ('r', 'v', 'p') AND relnamespace = 'public'::regnamespace"
        )
        for name in [row[0] for row in cursor.fetchall()]:
            if name in views.NAMES:
                cursor.execute(f"SELECT count(*) FROM {name}")
            else:
                with pytest.raises(psycopg2.errors.InsufficientPrivilege):
                    cursor.execute(f"SELECT count(*) FROM {name}")
        with pytest.raises(psycopg2.errors.InsufficientPrivilege):
            cursor.execute("DELETE FROM incidents")
        with pytest.raises(psycopg2.errors.InsufficientPrivilege):
            cursor.execute("SELECT * FROM simulation.planted")
    reader.close()
