"""A dump into a snapshot: two passes over the file, then the same plan, gates and freezing as for a query service."""

import logging
from contextlib import closing
from datetime import date
from pathlib import Path
from typing import cast

from sqlalchemy import select, update
from sqlalchemy.orm import Session

from halluvault_tasks.errors import UserError
from halluvault_tasks.knowledge import dump, dump_read, snapshots, stages
from halluvault_tasks.knowledge.assemble import Assembly
from halluvault_tasks.knowledge.batches import Batches
from halluvault_tasks.knowledge.config import Domains
from halluvault_tasks.knowledge.dump_answers import DumpAnswers
from halluvault_tasks.knowledge.dump_shelf import Shelf
from halluvault_tasks.knowledge.progress import Progress, Report
from halluvault_tasks.knowledge.snapshots import SnapshotRow
from halluvault_tasks.storage import leases, runs, tables

_log = logging.getLogger(__name__)
_SNAPSHOT = tables.snapshot
_MEGABYTE = 1 << 20


def date_of(path: Path, given: str) -> date:
    """The date of a dump's data: the one given, else what the dump states at its top.

    Raises:
        UserError: neither is there, or the given text is no date.
    """
    try:
        day = date.fromisoformat(given) if given else dump.find(path).stated_date()
    except ValueError as error:
        raise UserError(f"as_of {given!r} is no date; it must be YYYY-MM-DD", "for example 2026-11-20") from error
    if day is None:
        raise UserError(
            f"{path.name} does not say to which day its data goes", "say it: --as-of YYYY-MM-DD, or HALLUVAULT_AS_OF"
        )
    return day


def pull(
    session: Session,
    snapshot: str,
    *,
    path: Path,
    domains: Domains,
    as_of: date,
    source: str = "",
    progress: Report | None = None,
) -> SnapshotRow:
    """Every stage in order, from a dump's file to a published snapshot.

    Whatever kills it leaves the snapshot unfrozen and empty; a rerun begins with the first pass again.

    Args:
        session: open session.
        snapshot: `YYYY-MM`, or `YYYY-MM.N` for another pull of a month.
        path: the dump.
        domains: the configuration.
        as_of: date of the data.
        source: name recorded for the source, by which months are compared; empty takes the file's name.
        progress: told how far each pass and step has come, passes in megabytes.

    Raises:
        UserError: the file cannot be read to its end, changed while it was read, or is another than the one that
            this snapshot was begun with; or a gate failed.
    """
    file = dump.find(path)
    row = stages.open_snapshot(session, snapshot, source=source or path.name, as_of=as_of, live=False)
    with leases.held(session, stages.pulling(row.snapshot)):
        if snapshots.get(session, row.snapshot).status == "pulling":
            complete(session, row.snapshot, file=file, domains=domains, progress=progress)
            stages.check_gates(session, row.snapshot, limits=domains.gates)
            stages.freeze(session, row.snapshot)
        return stages.publish_snapshot(session, row.snapshot)


def complete(
    session: Session, snapshot: str, *, file: dump.Dump, domains: Domains, progress: Report | None = None
) -> None:
    """Read a dump into the tables of a snapshot that is being pulled, in one transaction."""
    with runs.stage(session, snapshot, "complete", file.path.name, stages.pulling(snapshot)) as summary:
        # One transaction from here to the end of `write`: the shelf's tables live no longer.
        shelf = Shelf(session)
        found = dump_read.survey(dump.Stream(file), shelf, domains, _told(progress, "first pass"))
        _identify(session, snapshot, file, found.sha256)
        _log.info("%s: %d triples, %d entities wanted", file.path.name, found.triples, len(found.wanted))
        details = dump_read.collect(dump.Stream(file), shelf, found, domains, _told(progress, "second pass"))
        # It answers what Batches answers, and asks nobody.
        answers = cast(Batches, DumpAnswers(shelf, details, snapshot, progress))
        with closing(Assembly(session, answers, domains)) as assembly:
            assembly.gather()
            stages.write(session, snapshot, assembly, triples=found.triples, shows_statements=found.full)
        summary.update({"triples": found.triples, "wanted": len(found.wanted), "sha256": found.sha256})


def _identify(session: Session, snapshot: str, file: dump.Dump, sha256: str) -> None:
    """A snapshot is of one file: a rerun with another would be another snapshot."""
    before = session.scalar(select(_SNAPSHOT.c.source_hash).where(_SNAPSHOT.c.snapshot == snapshot))
    if before is not None and before != sha256:
        raise UserError(
            f"snapshot {snapshot} was begun with another {file.path.name} (sha256 {before[:12]}…, now {sha256[:12]}…)",
            f"pull a new revision: --snapshot {snapshots.get(session, snapshot).month}.N",
        )
    # Apart from the reading's own transaction: what a killed run was begun with is remembered.
    with session.get_bind().engine.begin() as connection:
        connection.execute(update(_SNAPSHOT).where(_SNAPSHOT.c.snapshot == snapshot).values(source_hash=sha256))


def _told(progress: Report | None, stage: str) -> dump_read.Report:
    def report(done: int, total: int) -> None:
        if progress:
            progress(Progress(stage, "", done // _MEGABYTE, max(1, total // _MEGABYTE)))

    return report
