"""The rehearsed year's bad input, one line each, and what it says was shown."""

import json
from pathlib import Path

import pytest

from benchmarks import year, year_page
from halluvault_tasks.local import demo


def test_a_year_that_is_not_over_is_refused_in_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    assert year.main(["--months", "3", "--last", "2999-01"]) == 2
    assert year.main(["--months", "3", "--last", "2026-13"]) == 2
    said = capsys.readouterr().err.splitlines()
    assert len(said) == 2 and "--last 2999-01 is not over yet" in said[0] and "neither YYYY-MM" in said[1]


def test_two_drills_in_one_folder_are_refused_in_one_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with demo.locked(tmp_path, "drill"):
        assert year.main(["--months", "3", "--last", "2026-09", "--state", str(tmp_path)]) == 2
    [said] = capsys.readouterr().err.splitlines()
    assert "another drill" in said and "--state" in said


def test_a_folder_with_another_drill_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "drill.json").write_text(json.dumps({"months": 3, "seed": 2, "last": "2026-09"}))
    assert year.main(["--months", "3", "--last", "2026-09", "--seed", "1", "--state", str(tmp_path)]) == 2
    assert "holds another drill: months 3, seed 2, last 2026-09" in capsys.readouterr().err


def line(
    month: str, *alerts: str, unexplained: int = 0, model: str = "steady", reconfigured: str = ""
) -> dict[str, object]:
    rate = {"rate": 0.05, "low": 0.03, "high": 0.08}
    return year_page.YearLine(
        month, "2026-09-30", 200, 190, {"its evidence left": 10}, unexplained, unexplained, 10, "passed", {model: rate},
        list(alerts), [], reconfigured,
    )._asdict()  # fmt: skip


def test_what_was_to_be_noticed_is_held_against_what_was_told() -> None:
    rose, other = "rate_rose: simulated/worse: …", "answers_changed: simulated/swapped: …"
    plan = year.QUARTER
    whole = [line("2026-07"), line("2026-08", rose), line("2026-09", other, reconfigured="made by …")]
    assert all(year.shown(plan, "2026-07", whole).values())
    late = [line("2026-07"), line("2026-08"), line("2026-09", rose, unexplained=11, model="away")]
    assert not any(year.shown(plan, "2026-07", late).values())


def test_the_page_has_a_line_for_each_month_and_every_reason() -> None:
    page = year_page.written([line("2026-07"), line("2026-08", "rate_rose: x")])
    assert page.splitlines()[0].split() == [
        "month", "data", "cases", "kept", "gone", "of", "chance", "new", "gates", "steady",
    ]  # fmt: skip
    assert "5.0 [3.0, 8.0]" in page and "10 × its evidence left" in page and "rate_rose: x" in page


def test_ways_are_held_together_and_every_kind_must_be_killed() -> None:
    kills = [{"victim": victim} for victim in year.VICTIMS for _ in range(2)]
    hand = {"hash": "a", "dropped_with_months": {"2026-07": 10.0, "2026-08": 20.0, "2026-09": 21.0}, "kills": []}
    airflow = {**hand, "kills": kills, "evaluations": {"2026-07": 1}}
    found = year.compared({"by hand": hand, "through Airflow": airflow}, 2, 16)
    assert len(found) == 4 and all(found.values())
    worse = {**airflow, "hash": "b", "dropped_with_months": {"2026-07": 1.0, "2026-08": 2.0, "2026-09": 3.0}}
    found = year.compared({"by hand": hand, "through Airflow": {**worse, "kills": kills[2:]}}, 2, 16)
    assert [told for told, held_true in found.items() if held_true] == [
        "what goes with old months grows no more (by hand)"
    ]
