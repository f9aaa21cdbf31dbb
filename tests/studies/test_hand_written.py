"""What people wrote by hand: enough of it, varied, and labelled without contradiction."""

from collections import Counter
from collections.abc import Sequence
from typing import Any

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from halluvault_tasks.local.personas.fault_kinds import (
    FAULTS,
    RIGHT_FAULTS,
    SOUND_FAULTS,
    UNUSUAL_SOUND,
    WRONG_FAULTS,
)
from halluvault_tasks.oracles.unjudged import UnstoredText
from halluvault_tasks.storage.tables import benchmark_case
from studies.oracle import facts, hand_written, planting, run
from studies.oracle.plan import PLANTED

_LIKELY = {"normal", "error_knowledge", "error_inference", "both", "unattributed", "unparseable"}


def test_there_are_two_hundred_and_no_two_say_the_same_at_length() -> None:
    responses = hand_written.load()
    assert len(responses) >= 200
    long = [response.text for response in responses if len(response.text) > 30]
    assert len(long) == len(set(long))
    assert len({response.style for response in responses}) >= 40
    assert {response.category for response in responses} == _LIKELY


def test_answers_and_categories_agree_with_the_fault() -> None:
    responses = hand_written.load()
    assert {response.fault for response in responses} >= RIGHT_FAULTS | WRONG_FAULTS, "each is judged below"
    for response in responses:
        if response.fault in RIGHT_FAULTS:
            assert response.right, response
        if response.fault in WRONG_FAULTS:
            assert response.right is False, response
        hallucinated = response.category not in ("normal", "unparseable")
        assert hallucinated == (response.fault in FAULTS), response


def test_the_shares_that_must_not_flatter_are_kept() -> None:
    faults = Counter(response.fault for response in hand_written.load())
    faulty = sum(faults[fault] for fault in FAULTS)
    sound = sum(faults[fault] for fault in SOUND_FAULTS)
    assert sum(faults[fault] for fault in RIGHT_FAULTS) / faulty >= 0.4
    assert sum(faults[fault] for fault in UNUSUAL_SOUND) / sound >= 0.3
    assert set(faults) == set(PLANTED)


def test_every_one_finds_its_question_and_leaves_the_benchmark_as_it_was(sample, sample_session: Session) -> None:
    before = sample_session.scalar(select(func.count()).select_from(benchmark_case))
    planted = planting.plant(sample_session, sample.snapshot, "hand_written")
    assert len(planted) == len(hand_written.load())
    assert len({(one.case_id, one.sample) for one in planted}) == len(planted)
    by_id = {case.id: case for case in facts.load_cases(sample_session, sample.snapshot)}
    for one, response in zip(planted, hand_written.load(), strict=True):
        assert by_id[one.case_id].gold == response.gold
        assert hand_written.fact_of(by_id[one.case_id]) == response.fact
        assert one.right == response.right
    run.run(sample_session, sample.snapshot, "hand_written", judge=_silent, hash_="hand")
    assert sample_session.scalar(select(func.count()).select_from(benchmark_case)) == before


def _silent(items: Sequence[UnstoredText]) -> list[dict[str, Any]]:
    row = {"profile": "silent", "profile_version": "1", "answer": "unparseable", "correct": None, "detail": {}}
    row |= {"category": "unparseable", "edge_similarity": None, "node_similarity": None}
    return [row | {"case_id": item.case_id, "sample": item.sample} for item in items]
