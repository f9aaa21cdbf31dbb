"""Companion suites that are switched on: built once the month stands, announced, each asked in its own ways."""

import re
import shutil
from collections.abc import Callable
from math import sqrt
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
import yaml
from sqlalchemy import text
from sqlalchemy.orm import Session

from halluvault_tasks.benchmark.export import reading
from halluvault_tasks.benchmark.freeze import part_lookup
from halluvault_tasks.benchmark.suites.recognition.suite import SUITE as RECOGNITION
from halluvault_tasks.local import planted_vs_measured, processes, row_counts
from halluvault_tasks.local.personas.suite_replies import RATES
from halluvault_tasks.results import page_mitigation, page_suites
from halluvault_tasks.settings import REPOSITORY, settings
from halluvault_tasks.storage import sessions
from tests.conftest import simulators
from tests.dags.conftest import DEMO, two_domains

if TYPE_CHECKING:
    from airflow.dag_processing.dagbag import BundleDagBag

MONTH = "2026-10"


@pytest.fixture
def switched_on(tmp_path: Path) -> Path:
    """The demo's configuration with two domains and small suites, of which one needs a model whose server is away."""
    directory = shutil.copytree(DEMO, tmp_path / "config")
    two_domains(directory)
    content = yaml.safe_load((directory / "suites.yaml").read_text(encoding="utf-8"))
    capitals = [one for one in content["memory"]["relations"] if one["property"] == 36]
    content["memory"] |= {"enabled": True, "relations": capitals, "k": [2], "sets": 30, "permuted_sets": 2}
    content["recognition"] |= {"enabled": True, "pairs": 24}
    content["pressure"] |= {"enabled": True, "cases": 6}
    content["memory_external"] |= {"enabled": True, "rephraser": "away", "documents": 4, "rephrasings": 2, "tries": 4}
    (directory / "suites.yaml").write_text(yaml.safe_dump(content), encoding="utf-8")
    served = yaml.safe_load((directory / "models.yaml").read_text(encoding="utf-8"))
    nowhere = f"http://127.0.0.1:{processes.free_port()}"
    served["servers"].append({"name": "gone", "pool": "gone", "slots": 1, "in_flight": 8, "attempts": 1})
    served["models"].append({"name": "away", "dialect": "tgi", "server": "gone", "base_urls": [nowhere]})
    (directory / "models.yaml").write_text(yaml.safe_dump(served), encoding="utf-8")
    return directory


def _run(dag: Any, alone: str | None = None, **conf: object) -> tuple[str, dict[str, set[str]]]:
    """A run's state, and those of its tasks; `alone` names the task that runs, where the others are marked success."""
    others = re.compile(rf"(?!{alone}$).*") if alone else None
    if "variant" in dag.params:
        conf.setdefault("variant", "")  # `dag.test` keeps in the DAG what a run was given, for the next run
    conf = {"snapshot": MONTH, "models": [], **conf}
    run = dag.test(run_conf=conf, logical_date=None, mark_success_pattern=others)
    states: dict[str, set[str]] = {}
    for ti in run.get_task_instances():
        states.setdefault(ti.task_id, set()).add(str(ti.state))
    return str(run.state), states


def test_suites_that_are_on_are_built_after_the_month_all_asked_and_scored_and_a_second_run_adds_nothing(
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
    monkeypatch.setattr(refresh.task_dict["suite"], "retries", 0)
    settings.cache_clear()
    state, tasks = _run(refresh)
    # The generator that is away is an incident; the month stands, and the other suites with it.
    assert (state, tasks["publish"], tasks["suite"]) == ("failed", {"success"}, {"success", "failed"})
    session.rollback()
    standing = {part.suite for part in part_lookup.of_month(session, MONTH) if part.published}
    assert {"relation", "memory", "recognition", "pressure"} <= standing and "memory_external" not in standing
    told = session.execute(text("SELECT kind, message, way_out FROM incident")).all()
    assert [row.kind for row in told] == ["part_refused"], "told once: by the part, not by its task again"
    assert "away" in told[0].message and told[0].way_out

    state, _ = _run(evaluate, models=["simulated/overconfident"])
    assert state == "success"
    session.rollback()
    found = session.execute(
        text("SELECT variant, n FROM results_v1.metrics WHERE suite = 'memory' AND metric = 'internal_hallucination'"
             " AND scope = 'sets' AND key LIKE '%strategy 1' ORDER BY variant")
    ).all()  # fmt: skip
    assert [row.variant.rpartition(", ")[2] for row in found] == ["temperature 0", "temperature 0.95"]
    assert all(row.n > 0 for row in found)
    _check_recognition(session, servers["database_url"])
    _check_pressure(session)

    # A mitigating prompt goes the same way; nothing is planted that it changes, and the page says so.
    assert _run(evaluate, models=["simulated/overconfident"], variant="halluvault/system")[0] == "success"
    session.rollback()
    [row] = page_mitigation.of(session, MONTH).prompts
    assert row.mitigation.startswith("halluvault/system") and row.against.startswith("halluvault/two-turn")
    assert row.every.before > 0.2
    for gain in (row.every, row.failed):
        assert gain.difference.difference == 0 and gain.difference.low < 0 < gain.difference.high
    assert row.mitigation in page_suites.suites(session, MONTH)

    before = row_counts.count(session)
    session.rollback()
    assert _run(refresh)[1]["suite"] == {"skipped", "failed"}
    assert _run(evaluate, models=["simulated/overconfident"])[0] == "success"
    session.rollback()
    assert set(row_counts.added(before, row_counts.count(session))) <= {"incident"}
    session.rollback()
    _check_frozen_later(session, refresh, evaluate, switched_on)


def _check_frozen_later(session: Session, refresh: Any, evaluate: Any, config: Path) -> None:
    """A part that is frozen once the month is evaluated has the scheduler evaluate the month, which asks it alone."""
    from airflow import settings as airflow_settings
    from airflow.jobs.job import Job
    from airflow.jobs.scheduler_job_runner import SchedulerJobRunner
    from airflow.models.asset import AssetEvent
    from airflow.models.dag import DagModel
    from airflow.models.dagrun import DagRun
    from sqlalchemy import select, update

    scheduler = SchedulerJobRunner(job=Job())
    with airflow_settings.Session() as airflow:
        airflow.execute(update(DagModel).values(is_paused=False))
        airflow.commit()
        scheduler._create_dagruns_for_partitioned_asset_dags(airflow)
        airflow.commit()
        assert not scheduler._create_dagruns_for_partitioned_asset_dags(airflow), "nothing is announced any more"
        runs = set(airflow.scalars(select(DagRun.run_id)))

    file = config / "suites.yaml"
    file.write_text(file.read_text(encoding="utf-8").replace("rephraser: away", "rephraser: simulated/careful"))
    assert _run(refresh, alone="suite")[1]["suite"] == {"success", "skipped"}
    session.rollback()
    [part] = part_lookup.of_month(session, MONTH, ["memory_external"])
    cases = part.statistics.cases
    assert part.published and cases > 0
    with airflow_settings.Session() as airflow:
        assert scheduler._create_dagruns_for_partitioned_asset_dags(airflow) == {"halluvault_evaluate"}
        airflow.commit()
        started = airflow.scalars(
            select(DagRun).where(DagRun.dag_id == "halluvault_evaluate", DagRun.run_id.not_in(runs))
        ).all()
        assert [(one.run_type, one.partition_key) for one in started] == [("asset_triggered", MONTH)]
        [event] = started[0].consumed_asset_events
        assert isinstance(event, AssetEvent)
        assert (event.source_task_id, event.extra) == ("suite", {"suite": "memory_external", "cases": cases})

    before = session.scalar(text("SELECT count(*) FROM response")) or 0
    session.rollback()
    assert _run(evaluate, models=["simulated/overconfident"])[0] == "success"
    session.rollback()
    assert session.scalar(text("SELECT count(*) FROM response")) == before + cases
    [figure] = session.execute(
        text("SELECT value, n FROM results_v1.metrics WHERE suite = 'memory_external' AND scope = 'documents'"
             " AND metric = 'mean_consistency'")
    ).all()  # fmt: skip
    assert figure.value > 0 and figure.n == len({case.group_id for case in reading.every(session, MONTH, [part.suite])})


def _check_recognition(session: Session, database_url: str) -> None:
    """Every way of asking was asked; what was planted is found, no more and no less, at the planted rate."""
    rows = session.execute(
        text("SELECT split_part(variant, ' ', 1) AS way, sum(hits) AS right, sum(n) AS n FROM results_v1.metrics WHERE"
             " suite = 'recognition' AND scope = 'task' AND metric = 'recognised' AND profile = 'recognition/strict'"
             " AND is_current GROUP BY 1 ORDER BY 1")
    ).all()  # fmt: skip
    assert [row.way for row in rows] == sorted(way.split("/chat")[0] for way in RECOGNITION.variants)
    with sessions.session(simulators(database_url)) as simulation:
        compared = {one.profile: one for one in planted_vs_measured.compare(simulation, session, MONTH)}
    strict = compared["recognition/strict"]
    assert (strict.missed, strict.false_alarms, strict.same_category) == (0, 0, strict.cases)
    rates = RATES["overconfident"]
    planted_rate = rates.misjudged + rates.failed
    # A member's fault is drawn once, whichever way it is asked about.
    members = max(int(row.n) for row in rows)
    wrong = 1 - float(sum(row.right for row in rows)) / float(sum(row.n for row in rows))
    assert members >= 60
    assert abs(wrong - planted_rate) < 3 * sqrt(planted_rate * (1 - planted_rate) / members)


def _check_pressure(session: Session) -> None:
    """Every class was asked under both prompts, and what is planted makes some cases fail and lets others pass."""
    rows = session.execute(
        text("SELECT split_part(variant, ' ', 1) AS way, count(DISTINCT key) AS classes FROM results_v1.metrics WHERE"
             " suite = 'pressure' AND scope = 'class' AND is_current AND n > 0 GROUP BY 1 ORDER BY 1")
    ).all()  # fmt: skip
    assert [row.way for row in rows] == ["pressure/baseline", "pressure/constrained"]
    assert all(row.classes >= 12 for row in rows)
    rates = session.scalars(
        text("SELECT value FROM results_v1.metrics WHERE suite = 'pressure' AND scope = 'pressure'"
             " AND metric = 'pressure_h'")
    ).all()  # fmt: skip
    assert rates and all(0 < rate < 1 for rate in rates)
    # A figure that every suite has stands beside one of the same name that this suite brings.
    shared = text("SELECT DISTINCT scope FROM results_v1.metrics WHERE suite = 'pressure' AND metric = 'unread_share'")
    assert {"suite", "pressure"} <= set(session.scalars(shared))
