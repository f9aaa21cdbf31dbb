"""What each line of a task's log is found by."""

from contextvars import copy_context
from types import SimpleNamespace

import structlog
from halluvault_airflow import log_fields


def test_a_tasks_lines_bear_its_month_model_and_shard_and_no_other_argument() -> None:
    given = {"model": "m", "shard": 3, "evaluation": "e1", "prompt": "Was Ada born?", "shards": ["no", "number"]}
    context = {"params": {}, "partition_key": "2026-10", "ti": SimpleNamespace(task=SimpleNamespace(op_kwargs=given))}

    def run() -> object:
        structlog.contextvars.clear_contextvars()
        log_fields.bind(context)
        return structlog.contextvars.merge_contextvars(None, "info", {"event": "said"})

    line = copy_context().run(run)  # apart from what tasks run in this process have bound
    assert line == {"event": "said", "snapshot": "2026-10", "model": "m", "shard": 3, "evaluation": "e1"}
