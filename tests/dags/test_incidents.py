"""What fails while nobody watches is written down, with the way out."""

from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace

import pytest
from halluvault_airflow import incidents
from sqlalchemy import select
from sqlalchemy.orm import Session

from halluvault_tasks.errors import UserError
from halluvault_tasks.storage import incidents as store
from halluvault_tasks.storage.tables import incident


def _rows(session: Session) -> list[dict[str, object]]:
    session.rollback()
    return [dict(row) for row in session.execute(select(incident).order_by(incident.c.id)).mappings()]


def _context(**more: object) -> dict[str, object]:
    ti = SimpleNamespace(dag_id="halluvault_refresh", task_id="pull_domain", run_id="r1", map_index=3)
    return {"ti": ti, "params": {}, "partition_key": "2026-10", **more}


def test_a_failed_task_becomes_an_incident_with_the_users_way_out(
    airflow_home: Path, database_url: str, session: Session, configure: Callable[..., None]
) -> None:
    configure(database_url=database_url)
    incidents.task_failed(_context(exception=UserError("domain 'art' is not in domains.yaml", "correct the name")))
    row = _rows(session)[-1]
    assert (row["kind"], row["snapshot"]) == ("task_failed", "2026-10")
    assert row["where"] == "halluvault_refresh.pull_domain[3] r1"
    assert row["message"] == "domain 'art' is not in domains.yaml"
    assert str(row["way_out"]).startswith("correct the name; then run what failed again: airflow dags clear")


def test_a_worker_that_vanished_is_an_incident_too(
    airflow_home: Path, database_url: str, session: Session, configure: Callable[..., None]
) -> None:
    configure(database_url=database_url)
    incidents.task_failed(_context())
    assert "killed" in str(_rows(session)[-1]["message"])


def test_a_missed_deadline_is_an_incident(
    airflow_home: Path, database_url: str, session: Session, configure: Callable[..., None]
) -> None:
    configure(database_url=database_url)
    run = {"dag_id": "halluvault_evaluate", "dag_run_id": "asset__2026-10", "partition_key": "2026-10", "conf": None}
    incidents.deadline_missed(hours=72, context={"dag_run": run, "deadline": {}})
    row = _rows(session)[-1]
    assert (row["kind"], row["where"]) == ("deadline_missed", "halluvault_evaluate asset__2026-10")
    assert "72 hours" in str(row["message"])


def test_a_database_that_is_away_hides_nothing(
    airflow_home: Path, configure: Callable[..., None], caplog: pytest.LogCaptureFixture
) -> None:
    configure(database_url="postgresql+psycopg2://nobody@127.0.0.1:1/nowhere")
    incidents.task_failed(_context(exception=OSError("disk full")))
    assert "could not write the incident for halluvault_refresh.pull_domain" in caplog.text


def test_a_failure_that_its_stage_has_written_is_not_written_twice(
    airflow_home: Path, database_url: str, session: Session, configure: Callable[..., None]
) -> None:
    configure(database_url=database_url)
    store.record(session, "gate_failed", "check_gates", "snapshot 2026-10 fails its gates", "look at it", "2026-10")
    before = len(_rows(session))
    incidents.task_failed(_context(exception=UserError("snapshot 2026-10 fails its gates", "look at it")))
    assert len(_rows(session)) == before
    incidents.task_failed(_context(exception=UserError("snapshot 2026-10 fails otherwise")))
    assert len(_rows(session)) == before + 1
