"""Old months let go: their rows dropped in a moment, what was published about them kept."""

from typing import NamedTuple

from sqlalchemy import delete, func, select, update
from sqlalchemy.orm import Session

from halluvault_tasks.errors import UserError
from halluvault_tasks.knowledge import snapshots
from halluvault_tasks.knowledge.snapshots import SnapshotRow
from halluvault_tasks.storage import leases, partitions, tables
from halluvault_tasks.storage.leases import Work

_WITHOUT_PARTITIONS = (
    tables.property,
    tables.rule,
    tables.composable,
    tables.derivation_manifest,
    tables.temporal_fact,
)
"""Tables that a month fills before its benchmark, apart from the partitioned ones."""


class Dropped(NamedTuple):
    """What became of a snapshot."""

    snapshot: str
    benchmark_kept: bool
    """Its benchmark and results stay, and so does its row; else nothing of it is left."""


def drop(session: Session, snapshot: str) -> Dropped:
    """Drop a snapshot's raw bodies, entities, statements and derived facts; commits.

    A month with a benchmark keeps it, with its proofs, responses and verdicts: they rest on nothing that is dropped. A
    month without one goes altogether.

    Args:
        session: open session.
        snapshot: exact key.

    Raises:
        UserError: there is no such snapshot, or something is at work on it; or the next month needs it: it is the
            newest published of its source.
    """
    row = snapshots.get(session, snapshot)
    with leases.held(session, Work(snapshot, ""), wait=False):
        return _dropped(session, row)


def _dropped(session: Session, row: SnapshotRow) -> Dropped:
    snapshot = row.snapshot
    newest = next(
        (other for other in snapshots.listing(session) if other.source == row.source and other.status == "published"),
        None,
    )
    if newest is not None and newest.snapshot == snapshot:
        raise UserError(
            f"snapshot {snapshot} is the newest published one from {row.source}: the next month is held against it",
            "pull and publish a newer month first; `halluvault snapshot list` shows what there is",
        )
    asked = session.scalar(select(func.count()).where(tables.benchmark_part.c.snapshot == snapshot))
    partitions.wait_for_readers(session)
    partitions.drop_partitions(session, snapshot)
    if asked:
        session.execute(
            update(tables.snapshot)
            .where(tables.snapshot.c.snapshot == snapshot)
            .values(dropped_at=func.clock_timestamp())
        )
    else:
        for table in (*_WITHOUT_PARTITIONS, tables.snapshot):
            session.execute(delete(table).where(table.c.snapshot == snapshot))
    session.commit()
    return Dropped(snapshot, bool(asked))
