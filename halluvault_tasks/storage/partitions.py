"""Partitions by snapshot: made when a pull starts, dropped in a moment when a month is retired."""

import re

from sqlalchemy import Table, text
from sqlalchemy.orm import Session

from halluvault_tasks.storage.tables import PARTITIONED, SHARDED
from halluvault_tasks.wikidata import keys


def partition_name(table: Table, snapshot: str) -> str:
    """Name of a table's partition for one snapshot, e.g. `statement_2026_10`.

    Raises:
        ValueError: the key is not `YYYY-MM` or `YYYY-MM.N` (it becomes part of an SQL name).
    """
    if not re.fullmatch(keys.PATTERN, snapshot):
        raise ValueError(f"snapshot {snapshot!r} is not YYYY-MM or YYYY-MM.N")
    return f"{table.name}_{snapshot.replace('-', '_').replace('.', '_r')}"


def create_partitions(session: Session, snapshot: str) -> None:
    """Make every partition of a snapshot that does not exist yet. Idempotent; the caller commits."""
    for table in PARTITIONED:
        # What is derived is partitioned once more, by shard, so that a shard can be attached whole.
        below = " PARTITION BY LIST (shard)" if table in SHARDED else ""
        session.execute(
            text(
                f"CREATE TABLE IF NOT EXISTS {partition_name(table, snapshot)} PARTITION OF {table.name} "
                f"FOR VALUES IN ('{snapshot}'){below}"
            )
        )


def drop_partitions(session: Session, snapshot: str) -> None:
    """Drop all partitions of a snapshot with their rows. Idempotent; the caller commits."""
    for table in PARTITIONED:
        session.execute(text(f"DROP TABLE IF EXISTS {partition_name(table, snapshot)}"))
