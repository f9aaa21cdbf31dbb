"""What the next month will ask of database and disk, by models.yaml and the settings (`storage.preconditions`)."""

import os

from halluvault_tasks.errors import UserError
from halluvault_tasks.querying import pools, registry
from halluvault_tasks.settings import settings
from halluvault_tasks.storage.preconditions import MonthNeed

PARALLELISM = 32
"""Airflow's default of tasks at a time."""


def month_need(parallelism: int = PARALLELISM) -> MonthNeed:
    """Of a month in Airflow.

    Args:
        parallelism: tasks that Airflow runs at a time, 0 for any number; no more run than the pools have slots, or a
            derivation shards.
    """
    try:
        known = pools.pools(registry.load_models(settings().models_path, os.environ))
        slots = max(sum(pool.slots for pool in known), settings().derive_shards)
    except UserError:
        slots = parallelism  # said by what asks models
    return MonthNeed(min(parallelism or slots, slots), settings().state_dir)
