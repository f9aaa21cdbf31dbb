"""The button on `report`; that a run has it, and its note, is in tests/dags/test_whole_month.py."""

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

LINKS = [("", ""), ("http://localhost:8080", ""), ("https://ops.example.org/air/flow/", "/air/flow")]


@pytest.mark.parametrize(("base_url", "prefix"), LINKS)
def test_the_button_of_report_leads_to_its_month_behind_any_base_path(
    airflow_home: Path, monkeypatch: pytest.MonkeyPatch, base_url: str, prefix: str
) -> None:
    from halluvault_airflow.links import ResultsLink

    monkeypatch.setenv("AIRFLOW__API__BASE_URL", base_url)
    told: dict[str, object] = {"snapshot": "2026-10.2"}
    ti: Any = SimpleNamespace(task_id="report", map_index=-1, xcom_pull=lambda **_: told)
    link = ResultsLink()
    assert link.get_link(None, ti_key=ti) == f"{prefix}/halluvault/month?snapshot=2026-10.2"
    told.clear()
    assert link.get_link(None, ti_key=ti) == f"{prefix}/halluvault/month"
