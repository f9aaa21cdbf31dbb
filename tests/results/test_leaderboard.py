"""The index and the ranks of the leaderboard, held against their definition, answer by answer."""

import numpy as np
import pytest
from sqlalchemy import insert, text, update
from sqlalchemy.orm import Session

from halluvault_tasks.oracles import measured, profiles
from halluvault_tasks.results import comparing, leaderboard, views
from halluvault_tasks.results.stages import summarise
from halluvault_tasks.statistics import comparisons
from halluvault_tasks.storage import tables
from tests.oracles.material import SNAPSHOT
from tests.results.random_month import evaluation_of, publish

MODELS = {"e1": "real/one", "e2": "real/two", "e3": "real/three"}


@pytest.fixture(autouse=True)
def judged(session: Session) -> None:
    views.install(session)
    for seed, (evaluation, name) in enumerate(MODELS.items()):
        summarise(session, evaluation_of(session, evaluation=evaluation, name=name, seed=seed))
    publish(session)


def test_the_index_charges_three_for_a_wrong_answer_and_nothing_for_silence(session: Session) -> None:
    rows = session.execute(
        text(
            "SELECT v.correct, v.answer, v.category, v.sub_label, v.reasoning_faulty FROM verdict v"
            " JOIN cases c ON c.id = v.case_id WHERE v.evaluation_id = 'e1' AND v.profile = :profile"
            " AND c.suite IN ('relation', 'temporal')"
        ),
        {"profile": profiles.HEADLINE},
    ).all()

    def of(correct: bool | None, answer: str, category: str, why: str | None) -> float:
        if correct:
            return 1.0
        if answer in ("dont_know", "refusal") or (category == "unparseable" and why == "api_refusal"):
            return 0.0
        return -3.0

    plain = [of(*row[:4]) for row in rows]
    with_reasons = [-3.0 if row[0] and row[4] else worth for row, worth in zip(rows, plain, strict=True)]
    found = session.execute(
        text("SELECT * FROM results_v1.by_model WHERE evaluation_id = 'e1' AND profile = :profile"),
        {"profile": profiles.HEADLINE},
    ).one()
    assert found.index == pytest.approx(np.mean(plain))
    assert found.index_reasons == pytest.approx(np.mean(with_reasons))
    assert -3 <= found.index_low < found.index < found.index_high <= 1
    assert {1.0, 0.0, -3.0} == set(plain), "the random month has each"


def test_the_leaderboard_has_a_row_for_each_model_with_its_place(session: Session) -> None:
    measured.store(session)
    comparing.compare(session, SNAPSHOT)
    rows = leaderboard.of_month(session, SNAPSHOT)
    assert sorted(row.model for row in rows) == sorted(MODELS.values())
    indices = [row.index for row in rows]
    assert indices == sorted(indices, reverse=True) and rows[0].rank == 1
    for row in rows:
        assert row.rank_low is not None and row.rank_high is not None and row.rank is not None
        assert 1 <= row.rank_low <= row.rank <= row.rank_high <= len(rows)
        assert row.judge_precision is not None and 0.9 < row.judge_precision <= 1
        assert row.judge_recall is not None and 0 < row.judge_recall < 1


def test_a_model_that_was_asked_in_two_ways_has_the_row_of_the_common_way(session: Session) -> None:
    evaluation_of(session, evaluation="e4", name="real/one", seed=9)
    other = {"id": "v-other", "template": "a/b", "version": 1, "form": "chat", "context": "closed-book"}
    session.execute(insert(tables.prompt_variant), [other])
    session.execute(update(tables.evaluation).where(tables.evaluation.c.id == "e4").values(variant_id="v-other"))
    summarise(session, "e4")
    comparing.compare(session, SNAPSHOT)
    mine = [row for row in leaderboard.of_month(session, SNAPSHOT) if row.model == "real/one"]
    assert [row.evaluation_id for row in mine] == ["e1"]


def test_ranking_again_leaves_the_same_rows(session: Session) -> None:
    comparing.compare(session, SNAPSHOT)
    first = leaderboard.of_month(session, SNAPSHOT)
    comparing.compare(session, SNAPSHOT)
    assert leaderboard.of_month(session, SNAPSHOT) == first


def test_rank_intervals_hold_the_true_ranks() -> None:
    """Of four models, two of which are alike: simulated 200 times, all intervals at once hold in 95 %."""
    random, held, told_apart = np.random.default_rng(5), 0, 0
    skill = np.array([0.9, 0.8, 0.8, 0.6])
    for _ in range(200):
        groups = 300
        hard = random.normal(size=(groups, 1))
        right = random.random((groups, 4)) < 1 / (1 + np.exp(-(np.log(skill / (1 - skill)) + hard)))
        found = comparisons.rank_intervals(np.where(right, 1.0, -3.0), np.ones((groups, 4)))
        truth = [(1, 1), (2, 3), (2, 3), (4, 4)]
        held += all(one.low <= high and low <= one.high for one, (low, high) in zip(found, truth, strict=True))
        told_apart += found[3] == (4, 4)
    assert held >= 190 and told_apart >= 190


def test_who_cannot_be_told_apart_shares_all_places() -> None:
    same = np.tile(np.array([[1.0], [-3.0], [1.0]]), (4, 3))
    assert comparisons.rank_intervals(same, np.ones_like(same)) == [(1, 3)] * 3
    assert comparisons.rank_intervals(np.ones((0, 1)), np.ones((0, 1))) == [(1, 1)]
