"""Drops old months: their rows go at once, what was published about them stays."""

from collections import defaultdict
from typing import NamedTuple

from sqlalchemy import delete, func, select, update
from sqlalchemy.orm import Session

from halluvault_tasks.errors import UserError
from halluvault_tasks.knowledge import dump_staging, snapshots
from halluvault_tasks.knowledge.snapshots import SnapshotRow
from halluvault_tasks.storage import leases, partitions, tables
from halluvault_tasks.storage.leases import LeasedWork

_WITHOUT_PARTITIONS = (
    tables.property,
    tables.rule,
    tables.composable,
    tables.derivation_manifest,
)
"""Small tables that a month fills before its benchmark, apart from the partitioned ones."""


def beyond(session: Session, keep: int) -> list[str]:
    """Exact keys of what retention lets go, oldest first: all pulls of every source's published months but the newest.

    Args:
        session: open session.
        keep: months kept of each source, at least 1; one that was dropped already counts, and is not named again.
    """
    gone, rows = snapshots.dropped(session), snapshots.listing(session)
    published: dict[str, set[str]] = defaultdict(set)
    for row in rows:
        if row.status == "published":
            published[row.source].add(row.month)
    oldest_kept = {
        source: sorted(months, reverse=True)[keep - 1] for source, months in published.items() if len(months) > keep
    }
    old = [
        row
        for row in rows
        if row.month < oldest_kept.get(row.source, "") and row.snapshot not in gone and row.status != "pulling"
    ]
    return [row.snapshot for row in sorted(old, key=lambda row: (row.month, row.revision))]


class Dropped(NamedTuple):
    """What became of a snapshot."""

    snapshot: str
    benchmark_kept: bool
    """Its benchmark and results stay, and so does its row; else nothing of it is left."""


def drop(session: Session, snapshot: str) -> Dropped:
    """Drop a snapshot's raw bodies, entities, statements, derived and temporal facts; commits.

    A month with a benchmark keeps it, with its proofs, responses and verdicts: they need nothing that is dropped. A
    month without one goes altogether, the newest one too: the next is then compared with the one before.

    Args:
        session: open session.
        snapshot: exact key.

    Raises:
        UserError: there is no such snapshot, or something is at work on it; or the next month needs it: it is the
            newest published of its source, and has a benchmark; or responses of it are not judged yet, which needs its
            rows.
    """
    row = snapshots.get(session, snapshot)
    with leases.held(session, LeasedWork(snapshot, ""), wait=False):
        return _dropped(session, row)


def _dropped(session: Session, row: SnapshotRow) -> Dropped:
    snapshot = row.snapshot
    asked = session.scalar(select(func.count()).where(tables.benchmark_part.c.snapshot == snapshot))
    newest = next(
        (other for other in snapshots.listing(session) if other.source == row.source and other.status == "published"),
        None,
    )
    if asked and newest is not None and newest.snapshot == snapshot:
        raise UserError(
            f"snapshot {snapshot} is the newest published one from {row.source}: the next month is compared with it",
            "pull and publish a newer month first; `halluvault snapshot list` shows what there is",
        )
    if waiting := _unjudged(session, snapshot):
        raise UserError(
            f"{waiting} responses of {snapshot} are not judged yet, and judging needs its rows",
            f"`halluvault score run --snapshot {snapshot}` first",
        )
    partitions.wait_for_readers(session)
    partitions.drop_partitions(session, snapshot)
    dump_staging.forget(session, snapshot)
    session.execute(delete(tables.temporal_fact).where(tables.temporal_fact.c.snapshot == snapshot))
    if asked:  # its counts stay, too: later months are judged by them
        session.execute(
            update(tables.snapshot)
            .where(tables.snapshot.c.snapshot == snapshot)
            .values(dropped_at=func.clock_timestamp())
        )
    else:
        for table in (*_WITHOUT_PARTITIONS, tables.key_count, tables.snapshot):
            session.execute(delete(table).where(table.c.snapshot == snapshot))
    session.commit()
    return Dropped(snapshot, bool(asked))


def _unjudged(session: Session, snapshot: str) -> int:
    """Delivered responses of a month without any verdict."""
    response, evaluation, verdict = tables.response, tables.evaluation, tables.verdict
    judged = select(verdict.c.case_id).where(
        verdict.c.evaluation_id == response.c.evaluation_id,
        verdict.c.case_id == response.c.case_id,
        verdict.c.sample == response.c.sample,
    )
    return (
        session.scalar(
            select(func.count())
            .select_from(response.join(evaluation, evaluation.c.id == response.c.evaluation_id))
            .where(evaluation.c.snapshot == snapshot, response.c.status == "delivered", ~judged.exists())
        )
        or 0
    )
