"""The page's lines over the months: gaps where a model was not asked, rings where it changed beyond chance."""

from datetime import date
from typing import Any

from halluvault_tasks.results import page
from halluvault_tasks.results.drawing import Gap, MonthPoint

JULY, AUGUST, SEPTEMBER = (date(2026, month, 1) for month in (7, 8, 9))


def row(model: str, month: date, p: float | None = None, rate: float | None = 0.1) -> dict[str, Any]:
    return {
        "model": model, "month": month, "hallucination_rate": rate, "rate_low": 0.05, "rate_high": 0.2,
        "no_rate_reason": "12 % unread", "previous_month": JULY, "change": 0.4, "shared": 90, "p": p,
    }  # fmt: skip


def test_a_month_in_which_a_model_alone_was_not_asked_is_a_gap_and_one_before_its_first_is_nothing() -> None:
    asked = [row("always", month) for month in (JULY, AUGUST, SEPTEMBER)]
    lines = page._lines([*asked, row("away", JULY), row("away", SEPTEMBER), row("late", SEPTEMBER, rate=None)])
    assert [type(point) for point in lines["always"]] == [MonthPoint] * 3
    assert lines["away"][1] == Gap("2026-08", "not asked") and len(lines["away"]) == 3
    assert lines["late"] == [Gap("2026-09", "12 % unread")]


def test_a_change_is_told_where_a_year_of_months_and_all_models_do_not_explain_it() -> None:
    ps = {"real": 0.0005, "perhaps": 0.004, "none": 0.9}
    lines = page._lines([row(model, AUGUST, p) for model, p in ps.items()])
    told = {model: line[0].changed for model, line in lines.items() if isinstance(line[0], MonthPoint)}
    assert told == {
        "real": "+40.0 points since 2026-07 on 90 questions that persist", "perhaps": "", "none": "",
    }  # fmt: skip
