"""A companion suite that is switched on: built once the month stands, announced, evaluated at its temperatures."""

import shutil
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
import yaml
from sqlalchemy import text
from sqlalchemy.orm import Session

from halluvault_tasks.benchmark.freeze import parts
from halluvault_tasks.local import row_counts
from halluvault_tasks.settings import REPOSITORY, settings

if TYPE_CHECKING:
    from airflow.dag_processing.dagbag import BundleDagBag

MONTH = "2026-10"


@pytest.fixture
def switched_on(tmp_path: Path) -> Path:
    """The demo's configuration with a small suite."""
    directory = shutil.copytree(REPOSITORY / "config" / "demo", tmp_path / "config")
    file = directory / "suites.yaml"
    content = yaml.safe_load(file.read_text(encoding="utf-8"))
    capitals = [one for one in content["memory"]["relations"] if one["property"] == 36]
    content["memory"] |= {"enabled": True, "relations": capitals, "k": [2], "sets": 30, "permuted_sets": 2}
    file.write_text(yaml.safe_dump(content), encoding="utf-8")
    return directory


def _run(dag: Any, **conf: object) -> tuple[str, dict[str, set[str]]]:
    run = dag.test(run_conf={"snapshot": MONTH, "models": [], **conf}, logical_date=None)
    states: dict[str, set[str]] = {}
    for ti in run.get_task_instances():
        states.setdefault(ti.task_id, set()).add(str(ti.state))
    return str(run.state), states


def test_a_suite_that_is_on_is_built_after_the_month_and_evaluated_and_a_second_run_adds_nothing(
    dagbag: "BundleDagBag",
    servers: dict[str, str],
    session: Session,
    configure: Callable[..., None],
    switched_on: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    from airflow.dag_processing.dagbag import BundleDagBag

    assert "suite" not in dagbag.dags["halluvault_refresh"].task_dict, "by default a month has no such task"
    configure(**servers | {"config_dir": str(switched_on)})
    folder = REPOSITORY / "dags"
    bag = BundleDagBag(dag_folder=folder, bundle_path=folder, bundle_name="dags-folder")
    refresh, evaluate = bag.dags["halluvault_refresh"], bag.dags["halluvault_evaluate"]
    for dag in (refresh, evaluate):
        # `dag.test` of Airflow 3.3.2 looks a deadline up by its definition instead of its key, and Postgres refuses.
        monkeypatch.setattr(dag, "deadline", None)
    settings.cache_clear()
    state, tasks = _run(refresh)
    assert (state, tasks["publish"], tasks["suite"]) == ("success", {"success"}, {"success"})
    session.rollback()
    assert {part.suite: part.published for part in parts.of_month(session, MONTH)}["memory"]

    state, _ = _run(evaluate, models=["simulated/careful"])
    assert state == "success"
    session.rollback()
    found = session.execute(
        text("SELECT variant, n FROM results_v1.metrics WHERE suite = 'memory' AND metric = 'internal_hallucination'"
             " AND scope = 'sets' AND key LIKE '%strategy 1' ORDER BY variant")
    ).all()  # fmt: skip
    assert [row.variant.rpartition(", ")[2] for row in found] == ["temperature 0", "temperature 0.95"]
    assert all(row.n > 0 for row in found)

    before = row_counts.count(session)
    session.rollback()
    state, tasks = _run(refresh)
    assert (state, tasks["suite"]) == ("success", {"skipped"})
    assert _run(evaluate, models=["simulated/careful"])[0] == "success"
    session.rollback()
    assert row_counts.added(before, row_counts.count(session)) == {}
