"""Fields that each line of a task's log bears, so that a log store can be asked for a month, a model or a shard."""

from collections.abc import Mapping
from contextlib import suppress
from typing import Any

import structlog

from halluvault_airflow import month
from halluvault_tasks.errors import UserError

NAMES = ("snapshot", "evaluation", "model", "domain", "shard", "shards")
"""Arguments of tasks that become fields, besides Airflow's own dag_id, run_id, task_id, map_index and try_number."""


def bind(context: Mapping[str, Any]) -> None:
    """Bind them for the rest of the task; every task's `pre_execute`.

    Args:
        context: of Airflow, its task's arguments rendered.
    """
    structlog.contextvars.bind_contextvars(**fields(context))


def fields(context: Mapping[str, Any]) -> dict[str, str | int]:
    """The run's month, and of the task's arguments those in `NAMES` that are plain values."""
    found: dict[str, str | int] = {}
    with suppress(UserError):  # said by the task that needs it
        found["snapshot"] = month.of_context(context)
    given = getattr(context["ti"].task, "op_kwargs", None) or {}
    return found | {name: given[name] for name in NAMES if isinstance(given.get(name), (str, int))}
