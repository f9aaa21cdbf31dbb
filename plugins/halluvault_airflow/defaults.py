"""Retries, owner and deadline that every HalluVault DAG has."""

from collections.abc import Mapping
from datetime import timedelta
from typing import Any

from airflow.sdk import (
    DeadlineAlert,
    DeadlineReference,
    ExceptionRetryPolicy,
    RetryAction,
    RetryRule,
    SyncCallback,
)

from halluvault_airflow import log_fields
from halluvault_airflow.incidents import task_failed

OWNER = "halluvault"

LONG: Mapping[str, Any] = {"execution_timeout": timedelta(hours=24), "retries": 10}
"""Further arguments of tasks that may take half a day. What ends them from outside costs a try each: a worker or
scheduler that is started again, an API server away for longer than `task_instance_heartbeat_timeout`."""


def default_args() -> dict[str, Any]:
    """Arguments of every task: patient with what passes, quick to fail on what a person must fix."""
    return {
        "owner": OWNER,
        # At least one, also because a task may start before the API server listens.
        "retries": 3,
        "retry_delay": timedelta(seconds=10),
        "retry_exponential_backoff": 2.0,
        "max_retry_delay": timedelta(minutes=10),
        "retry_policy": ExceptionRetryPolicy(
            rules=[
                RetryRule(
                    exception="halluvault_tasks.errors.Unavailable",
                    action=RetryAction.RETRY,
                    reason="a server that does not answer may come back by itself",
                ),
                RetryRule(
                    exception=["halluvault_tasks.errors.UserError", ValueError],
                    action=RetryAction.FAIL,
                    reason="a person must fix this; trying again would only hide it",
                ),
            ]
        ),
        "on_failure_callback": task_failed,
        "pre_execute": log_fields.bind,
    }


def deadline(hours: float) -> DeadlineAlert:
    """An incident when the run is still going `hours` after it was queued (a partitioned run has no logical date)."""
    return DeadlineAlert(
        reference=DeadlineReference.DAGRUN_QUEUED_AT,
        # Seconds, not a timedelta: Airflow 3.3.2 cannot clear a run whose deadline holds one (apache/airflow#70368),
        # and reads plain seconds as well.
        interval=hours * 3600,  # type: ignore[arg-type]
        callback=SyncCallback("halluvault_airflow.incidents.deadline_missed", kwargs={"hours": hours}),
    )
