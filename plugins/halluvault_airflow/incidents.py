"""Failures that nobody watches become `incident` rows: a task out of retries, a missed deadline.

A failed gate and a changed identity are written by their stages, so that they are reported without Airflow, too.

Both callbacks are found by their import path: task callbacks run in the task's process (or in the dag-processor
if the worker was killed), the deadline's in an executor. They never raise: a callback's own failure must not hide
the one it reports, so it goes to the log.
"""

import logging
from collections.abc import Mapping
from datetime import timedelta
from typing import Any, NamedTuple

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from halluvault_airflow import month
from halluvault_airflow.database import results
from halluvault_tasks.errors import UserError
from halluvault_tasks.storage import incidents
from halluvault_tasks.storage.tables import incident
from halluvault_tasks.wikidata.snapshot_keys import parse_key

log = logging.getLogger(__name__)


_PASSED_OVER = frozenset({"halluvault_evaluate"})
"""DAGs whose later tasks go on without what failed, so that they must run again, too; none does its work twice."""


class Failure(NamedTuple):
    """What an incident row says."""

    kind: str
    message: str
    way_out: str


def describe(error: object, dag_id: str, task_id: str, run_id: str) -> Failure:
    """Kind, message and way out of a failed task.

    Args:
        error: the exception; a `UserError` brings its own way out, anything else gets the general one.
        dag_id: of the failed task.
        task_id: of the failed task.
        run_id: of the failed run.
    """
    # Not `airflow tasks clear`: it selects by logical date, which partitioned runs do not have.
    failed = "" if dag_id in _PASSED_OVER else "--only-failed "
    again = f"then run what failed again: airflow dags clear {dag_id} --run-id '{run_id}' {failed}-y"
    if isinstance(error, UserError):
        return Failure("task_failed", error.message, f"{error.way_out or 'fix what the message names'}; {again}")
    if error is None:
        text = "the task's process ended without saying why (killed, out of memory, or the machine went away)"
    else:
        text = f"{type(error).__name__}: {error}" if isinstance(error, BaseException) else str(error)
    return Failure("task_failed", text, f"read the log of {task_id} in run {run_id}, fix the cause, {again}")


def task_failed(context: Mapping[str, Any]) -> None:
    """Task callback (`on_failure_callback`): write an incident once no retry is left."""
    ti = context["ti"]
    try:
        failure = describe(context.get("exception"), ti.dag_id, ti.task_id, ti.run_id)
        index = -1 if ti.map_index is None else ti.map_index
        where = f"{ti.dag_id}.{ti.task_id}{f'[{index}]' if index >= 0 else ''} {ti.run_id}"
        with results() as session:
            if not _told(session, failure.message):
                incidents.record(session, failure.kind, where, failure.message, failure.way_out, _month(context))
    except Exception:
        log.exception("could not write the incident for %s.%s", ti.dag_id, ti.task_id)


def deadline_missed(hours: float, context: Mapping[str, Any] | None = None) -> None:
    """Deadline callback: the run is still going after the time an operator allows it.

    Args:
        hours: the time allowed since the run was queued.
        context: what Airflow tells about the run: `dag_run` with its ids and partition key.
    """
    run = dict((context or {}).get("dag_run") or {})
    dag_id, run_id = run.get("dag_id", "a HalluVault DAG"), run.get("run_id") or run.get("dag_run_id", "")
    try:
        with results() as session:
            incidents.record(
                session,
                "deadline_missed",
                f"{dag_id} {run_id}".strip(),
                f"not finished {hours:g} hours after it was queued",
                "look at its grid for the task that runs or waits; every task resumes where it stopped, so a stuck "
                "one may be cleared",
                _month({"params": run.get("conf"), "partition_key": run.get("partition_key")}),
            )
    except Exception:
        log.exception("could not write the incident for the missed deadline of %s %s", dag_id, run_id)


def _told(session: Session, message: str) -> bool:
    """Whether the stage itself has just written this failure (gates and identities do): one failure, one row."""
    found = select(incident.c.id).where(
        incident.c.message == incidents.told(message),
        incident.c.kind != "task_failed",
        incident.c.at > func.now() - timedelta(minutes=10),
    )
    return session.execute(found).first() is not None


def _month(context: Mapping[str, Any]) -> str | None:
    try:
        return parse_key(month.of_context(context)).row  # as in the tables, by which alerts look for it
    except UserError:
        return None
