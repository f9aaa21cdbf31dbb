"""Watches a month go through Airflow, stage by stage, until both DAGs are done."""

import time
from collections.abc import Callable
from typing import Any

from halluvault_tasks.errors import UserError
from halluvault_tasks.local.airflow import AirflowApi

REFRESH, EVALUATE = "halluvault_refresh", "halluvault_evaluate"
_DONE = {"success", "skipped"}
_QUIET_SECONDS = 600.0
"""Without any task at work this long, nothing will come: what a killed scheduler or worker had is missed sooner."""
_SETTLED_SECONDS = 30
_WORK_SECONDS = 6 * 3600.0
"""A task at work may take this long before it counts as hung."""


def wait_for_dags(api: AirflowApi, seconds: float = 300.0) -> None:
    """Wait until the dag-processor has delivered both DAGs.

    Raises:
        UserError: a DAG file does not import, or nothing came in time.
    """
    deadline = time.monotonic() + seconds
    while not all(api.has_dag(dag) for dag in (REFRESH, EVALUATE)):
        api.look()
        if errors := api.import_errors():
            raise UserError(f"a DAG does not import: {errors[0]}", "fix the file under dags/")
        if time.monotonic() > deadline:
            raise UserError(f"Airflow has not seen the DAGs after {seconds:.0f} s", "read dag-processor.log")
        time.sleep(0.5)


def month(api: AirflowApi, report: Callable[[str], None], running: Callable[[str], None]) -> None:
    """Follow both DAGs' first runs to their end.

    Args:
        api: Airflow's API; both DAGs are unpaused already.
        report: called with one line for each finished task (all its mapped parts together).
        running: called at every look with what is running now.

    Raises:
        UserError: a run failed, one of them ran more than once, or nothing moved any more.
    """
    told: set[str] = set()
    last_change, fingerprint = time.monotonic(), ""
    while True:
        api.look_after_scheduler()
        runs = {dag: api.runs(dag) for dag in (REFRESH, EVALUATE)}
        tasks = {dag: [task for run in runs[dag] for task in api.tasks(dag, run["dag_run_id"])] for dag in runs}
        for dag, instances in tasks.items():
            for name in dict.fromkeys(task["task_id"] for task in instances):
                parts = [task for task in instances if task["task_id"] == name]
                key = f"{dag}.{name}"
                if key not in told and all(part["state"] in _DONE for part in parts):
                    told.add(key)
                    report(_line(dag, name, parts))
        running(_running(tasks))
        _check(runs, tasks)
        ended = all(found and all(run["state"] == "success" for run in found) for found in runs.values())
        # A companion suite that is published announces the month again: its run may not be there yet.
        if ended and (not _suites(tasks) or time.monotonic() - last_change > _SETTLED_SECONDS):
            return
        seen = str([[(t["task_id"], t["map_index"], t["state"], t["try_number"]) for t in ts] for ts in tasks.values()])
        if seen != fingerprint:
            last_change, fingerprint = time.monotonic(), seen
        states = {task["state"] for instances in tasks.values() for task in instances}
        at_work = bool(states & {"running", "up_for_retry"})
        quiet = time.monotonic() - last_change
        if quiet > (_WORK_SECONDS if at_work else _QUIET_SECONDS):
            raise UserError(
                f"no progress for {quiet:.0f} s ({_running(tasks)})",
                "run the same command again; if that does not help, read airflow/scheduler.log in the state directory",
            )
        time.sleep(1.0)


def _check(runs: dict[str, list[dict[str, Any]]], tasks: dict[str, list[dict[str, Any]]]) -> None:
    for dag, found in runs.items():
        expected = 1 if dag == REFRESH else 1 + _suites(tasks)
        if len(found) > expected:
            raise UserError(
                f"{dag} ran {len(found)} times; {expected} a month at most were expected", "read scheduler.log"
            )
        if any(run["state"] == "failed" for run in found):
            failed = [task for task in tasks[dag] if task["state"] == "failed"]
            names = ", ".join(sorted({task["task_id"] for task in failed})) or "no task"
            raise UserError(f"{dag} failed at {names}", "the incidents below say why; logs are under airflow/logs")


def _suites(tasks: dict[str, list[dict[str, Any]]]) -> int:
    """Companion suites that are built."""
    return sum(task["task_id"] == "suite" for task in tasks[REFRESH])


def _line(dag: str, name: str, parts: list[dict[str, Any]]) -> str:
    if all(part["state"] == "skipped" for part in parts):
        return f"{dag.removeprefix('halluvault_'):9} {name}  nothing to do: the month is published"
    seconds = sum(part["duration"] or 0.0 for part in parts)
    many = f" ×{len(parts)}" if len(parts) > 1 else ""
    again = sum(max((part["try_number"] or 1) - 1, 0) for part in parts)
    retried = f", {again} retried" if again else ""
    return f"{dag.removeprefix('halluvault_'):9} {name}{many}  {seconds:.1f} s{retried}"


def _running(tasks: dict[str, list[dict[str, Any]]]) -> str:
    now = [t["task_id"] for instances in tasks.values() for t in instances if t["state"] in {"running", "queued"}]
    return ", ".join(dict.fromkeys(now)) or "between two tasks"
