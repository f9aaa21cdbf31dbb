"""The month of a run: one rule for both DAGs, so that no task ever derives it from a date of its own."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from halluvault_tasks.errors import UserError
from halluvault_tasks.wikidata.snapshot_keys import parse_key


def resolve(
    params: Mapping[str, Any],
    partition_key: str | None,
    interval_start: datetime | None,
    interval_end: datetime | None,
) -> str:
    """The snapshot key a run works on.

    Args:
        params: the run's parameters; a non-empty `snapshot` wins.
        partition_key: key of the partition that the schedule or the asset event gave the run.
        interval_start: start of the data interval; its month counts only if the interval has a length, because
            a hand-made run of a cron schedule gets an empty interval at the last tick, and that names no month.
        interval_end: end of the data interval.

    Returns:
        `YYYY-MM` or `YYYY-MM.N`.

    Raises:
        UserError: none of the three names a month, or the winning one is no key.
    """
    stated = params.get("snapshot") or ""
    key, source = stated, "params.snapshot"
    if not key and partition_key:
        key, source = partition_key, "the partition key"
    if not key and interval_start is not None and interval_end is not None and interval_end > interval_start:
        key, source = interval_start.strftime("%Y-%m"), "the data interval"
    if not key:
        raise UserError(
            f"no month to work on: params.snapshot is {stated!r}, the partition key is {partition_key!r} and the "
            f"data interval is {interval_start} to {interval_end}",
            'trigger the run with --conf \'{"snapshot": "YYYY-MM"}\' or with a partition key YYYY-MM',
        )
    try:
        parse_key(str(key))
    except UserError as error:
        refused = f"{source} says {key!r}, which is not a month YYYY-MM or YYYY-MM.N"
        raise UserError(refused, "correct it, run again") from error
    return str(key).strip()


def of_context(context: Mapping[str, Any]) -> str:
    """`resolve` on a task's Airflow context; keys that Airflow leaves out count as absent."""
    return resolve(
        context.get("params") or {},
        context.get("partition_key"),
        context.get("data_interval_start"),
        context.get("data_interval_end"),
    )
