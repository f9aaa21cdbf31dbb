"""Partitions by snapshot: created when a pull starts, dropped at once when a month is retired."""

import re
import time

import psycopg2.errors
from sqlalchemy import Table, text
from sqlalchemy.exc import OperationalError
from sqlalchemy.orm import Session

from halluvault_tasks.errors import UserError
from halluvault_tasks.storage.tables import PARTITIONED, SHARDED
from halluvault_tasks.wikidata import snapshot_keys

_PATIENCE_SECONDS = 60.0


def partition_name(table: Table, snapshot: str) -> str:
    """Name of a table's partition for one snapshot, e.g. `statement_2026_10`.

    Raises:
        ValueError: the key is not `YYYY-MM` or `YYYY-MM.N` (it becomes part of an SQL name).
    """
    if not re.fullmatch(snapshot_keys.PATTERN, snapshot):
        raise ValueError(f"snapshot {snapshot!r} is not YYYY-MM or YYYY-MM.N")
    return f"{table.name}_{snapshot.replace('-', '_').replace('.', '_r')}"


def create_partitions(session: Session, snapshot: str) -> None:
    """Make every partition of a snapshot that does not exist yet. Idempotent; the caller commits."""
    for table in PARTITIONED:
        name = partition_name(table, snapshot)
        if session.scalar(text("SELECT to_regclass(:name)"), {"name": name}):
            continue
        # What is derived is partitioned once more, by shard, so that a shard can be attached whole.
        below = " PARTITION BY LIST (shard)" if table in SHARDED else ""
        # Attached, because PARTITION OF would lock out the readers of every month, and meet them crosswise.
        session.execute(text(f"CREATE TABLE {name} (LIKE {table.name} INCLUDING ALL){below}"))
        session.execute(text(f"ALTER TABLE {table.name} ATTACH PARTITION {name} FOR VALUES IN ('{snapshot}')"))


def wait_for_readers(session: Session) -> None:
    """Have every partitioned table to oneself until the transaction ends; what it has done so far is rolled back.

    Asked for half a second at a time, so that others do not queue up behind, and nobody waits for each other.

    Raises:
        UserError: others have been reading them for a minute.
    """
    names = ", ".join(f"ONLY {table.name}" for table in PARTITIONED)
    until = time.monotonic() + _PATIENCE_SECONDS
    while True:
        session.rollback()
        session.execute(text("SET LOCAL lock_timeout = '500ms'"))
        try:
            session.execute(text(f"LOCK TABLE {names} IN ACCESS EXCLUSIVE MODE"))
        except OperationalError as error:
            if not isinstance(error.orig, psycopg2.errors.LockNotAvailable):
                raise
            if time.monotonic() > until:
                raise UserError(
                    f"other sessions have read the months for {_PATIENCE_SECONDS:.0f} s, so none can be dropped",
                    "run it again when no pull, derivation or benchmark is running",
                ) from error
        else:
            session.execute(text("SET LOCAL lock_timeout = 0"))
            return


def drop_partitions(session: Session, snapshot: str) -> None:
    """Drop all partitions of a snapshot with their rows. Idempotent; the caller commits."""
    for table in PARTITIONED:
        session.execute(text(f"DROP TABLE IF EXISTS {partition_name(table, snapshot)}"))
