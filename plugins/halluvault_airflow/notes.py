"""The note of a run: what it changed, on the run itself, where an operator reads it in Airflow's list of runs.

Airflow 3.3 lets no task write its run's note, and its REST API needs a login. So the task leaves the text as an XCom,
and this listener, which Airflow calls when a run ends, puts it on the run within Airflow's own transaction. A note
written by a person stays; whatever goes wrong here is a line in the log.
"""

import logging
from typing import Any

from airflow.listeners import hookimpl

log = logging.getLogger(__name__)

KEY = "note"
"""XCom of the text."""

AUTHOR = "halluvault"
"""Who a note is by, so that a later end of the same run replaces its own and nobody else's."""

TASKS = {"halluvault_refresh": "publish", "halluvault_evaluate": "report"}
"""DAG → the task that says what changed."""


@hookimpl
def on_dag_run_success(dag_run: Any) -> None:
    """A run has ended well."""
    put(dag_run)


@hookimpl
def on_dag_run_failed(dag_run: Any) -> None:
    """A run has failed: what had changed by then is still worth a note."""
    put(dag_run)


def put(dag_run: Any) -> None:
    """Put what the run's task says on the run; never raises."""
    if dag_run.dag_id not in TASKS:
        return
    try:
        from airflow.models.dagrun import DagRun
        from airflow.utils.session import create_session
        from sqlalchemy.orm import object_session

        session = object_session(dag_run)
        if session is not None:  # the scheduler's own, which nobody else may commit
            _put(session, dag_run)
        else:  # a run of `dag.test`
            with create_session(scoped=False) as own:
                _put(own, own.get(DagRun, dag_run.id))
    except Exception:
        log.exception("could not put the note on %s %s", dag_run.dag_id, dag_run.run_id)


def _put(session: Any, dag_run: Any) -> None:
    from airflow.models.xcom import XComModel

    there = dag_run.dag_run_note
    if there is not None and there.user_id != AUTHOR:
        return
    said = XComModel.get_many(
        run_id=dag_run.run_id, dag_ids=dag_run.dag_id, task_ids=TASKS[dag_run.dag_id], key=KEY
    ).with_only_columns(XComModel.value)
    found = session.execute(said).first()
    if found is None:
        return
    content = str(XComModel.deserialize_value(found))
    if there is None:
        dag_run.note = (content, AUTHOR)
    else:
        there.content = content
