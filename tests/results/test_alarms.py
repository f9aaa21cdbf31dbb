"""What a year tells of: no rise that was none, a rise in its month, and another model behind an unchanged name."""

from datetime import date
from typing import Any

import pytest

from benchmarks import year_alarms
from halluvault_tasks.results.alerts import AnswersChanged, beyond_chance, other_answers


def test_years_of_steady_models_tell_of_no_rise_and_a_rise_is_told_in_its_month() -> None:
    counts = year_alarms.simulated(12, seed=1, worse_by=0.3)
    assert counts.false <= 0.05 * counts.years
    assert counts.found >= 0.9 * counts.years


def test_what_counts_in_a_month_counts_for_a_year_and_for_all_models() -> None:
    assert beyond_chance([0.004], 0.05) == [True]
    assert beyond_chance([0.005], 0.05) == [False]
    assert beyond_chance([0.004, 0.5, 0.5, 0.5], 0.05) == [False] * 4
    assert beyond_chance([], 0.05) == []


def answers(same: int, before: int, shared: int = 250) -> dict[str, Any]:
    return {
        "model": "m", "previous_month": date(2026, 5, 1), "shared": shared, "same": same, "shared_before": 250,
        "same_before": before,
    }  # fmt: skip


@pytest.mark.parametrize(
    ("same", "before", "told"),
    [(225, 250, True), (240, 245, False), (220, 228, False), (100, 250, True), (250, 100, False)],
)
def test_a_model_that_answers_in_other_answers_is_told_of_where_it_did_not_do_so_before(
    same: int, before: int, told: bool
) -> None:
    assert [one.kind for one in other_answers([answers(same, before)], AnswersChanged())] == ["answers_changed"] * told


def test_a_few_questions_tell_nothing() -> None:
    assert list(other_answers([answers(1, 250, shared=2)], AnswersChanged())) == []
