"""A dump into a snapshot: two passes over the file, then the same plan, gates and freezing as for a query service."""

import hashlib
import logging
from collections.abc import Mapping, Sequence
from contextlib import closing
from datetime import date
from pathlib import Path

from sqlalchemy import select, update
from sqlalchemy.orm import Session

from halluvault_tasks.errors import UserError
from halluvault_tasks.knowledge import (
    dump,
    dump_read,
    dump_staging,
    snapshots,
    source_dates,
    source_names,
    stages,
    tail,
)
from halluvault_tasks.knowledge.assemble import Assembly
from halluvault_tasks.knowledge.config import Domains
from halluvault_tasks.knowledge.dump_answers import DumpAnswers
from halluvault_tasks.knowledge.progress import PullProgress, Report
from halluvault_tasks.knowledge.snapshots import SnapshotRow
from halluvault_tasks.storage import leases, runs, tables
from halluvault_tasks.wikidata.snapshot_keys import parse_key

_log = logging.getLogger(__name__)
_SNAPSHOT = tables.snapshot
_MEGABYTE = 1 << 20
_READER = 2
"""Version of what the passes keep: another one's is not gone on with."""
_FAR = 45
"""Days before a month begins. Dumps are made weekly and take days; more is an old file, or the wrong one."""


def date_of(path: Path, given: str, snapshot: str = "") -> date:
    """The date of a dump's data: the one given, else what the dump states at its top.

    Args:
        path: the dump.
        given: `YYYY-MM-DD`, or empty.
        snapshot: key of the month that it is pulled for; a dump far older than that month must be meant.

    Raises:
        UserError: neither is there, the given text is no date or one still to come, or what the dump states is far
            older than the month.
    """
    day = source_dates.given_as(given) or dump.find(path).stated_date()
    if day is None:
        raise UserError(
            f"{path.name} does not state the date of its data", "give it: --as-of YYYY-MM-DD, or HALLUVAULT_AS_OF"
        )
    month = parse_key(snapshot).month if snapshot else ""
    if month and not given and (date.fromisoformat(f"{month}-01") - day).days > _FAR:
        raise UserError(
            f"{path.name} goes to {day}, long before {month} begins",
            f"if that is meant: --as-of {day} (or HALLUVAULT_AS_OF); else give a newer dump, or --snapshot {day:%Y-%m}",
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

    Whatever kills it leaves the snapshot unfrozen and empty; a rerun goes on in the middle of the file.

    Args:
        session: open session.
        snapshot: `YYYY-MM`, or `YYYY-MM.N` for another pull of a month.
        path: the dump.
        domains: the configuration.
        as_of: date of the data.
        source: name recorded for the source, by which months are compared; empty takes the file's name, without a date
            in it.
        progress: told how far each pass and step has come, passes in megabytes.

    Raises:
        UserError: the file cannot be read to its end, changed while it was read, or is another than the one that
            this frozen snapshot was made of; or a gate failed.
    """
    file = dump.find(path)
    source = source or source_names.of_file(session, path, snapshot)
    row = stages.open_snapshot(session, snapshot, source=source, as_of=as_of, live=False)
    with leases.held(session, stages.pulling(row.snapshot)):
        row = snapshots.get(session, row.snapshot)
        if row.status != "pulling":
            _require_same(session, row, file)
            _require_day(row, as_of)
        else:
            # Nothing is there of a dump whose pull was killed, so that the date is the one of this file.
            session.execute(update(_SNAPSHOT).where(_SNAPSHOT.c.snapshot == row.snapshot).values(as_of=as_of))
            session.commit()
            try:
                complete(session, row.snapshot, file=file, domains=domains, progress=progress)
            except UserError:
                # Nothing of a dump is there before all of it is: what failed keeps no month for itself.
                session.rollback()
                dump_staging.forget(session, row.snapshot)
                stages.forget_if_empty(session, row.snapshot)
                raise
            stages.check_gates(session, row.snapshot, limits=domains.gates)
            stages.freeze(session, row.snapshot)
        return stages.publish_snapshot(session, row.snapshot)


def complete(
    session: Session,
    snapshot: str,
    *,
    file: dump.Dump,
    domains: Domains,
    progress: Report | None = None,
) -> None:
    """Read a dump into the tables of a snapshot that is being pulled.

    Both passes commit what they keep from time to time; the rows themselves come in one transaction at the end.
    """
    with runs.stage(session, snapshot, "complete", file.path.name, stages.pulling(snapshot)) as summary:
        kept = tail.before(session, snapshot)
        made_of = _made_of(file, domains, kept)
        shelf = dump_staging.Shelf(session, snapshot, made_of)
        try:
            survey, details = _read(file, shelf, domains, kept, progress)
        except dump.DumpChanged:
            _log.warning("%s is not the file of which a part was read before: read from its start", file.path.name)
            shelf.start_over(made_of)
            survey, details = _read(file, shelf, domains, kept, progress)
        answers = DumpAnswers(shelf, details, snapshot, full=survey.full, report=progress)
        with closing(Assembly(session, answers, domains)) as assembly:
            assembly.gather()
            # One transaction from here on: what was kept goes when the rows are there.
            dump_staging.forget(session, snapshot)
            session.execute(update(_SNAPSHOT).where(_SNAPSHOT.c.snapshot == snapshot).values(source_hash=survey.sha256))
            stages.write(
                session,
                snapshot,
                assembly,
                triples=survey.triples,
                shows_statements=survey.full,
                asked=domains.asked(),
            )
        summary.update({"triples": survey.triples, "wanted": len(survey.wanted), "sha256": survey.sha256})


def _read(
    file: dump.Dump,
    shelf: dump_staging.Shelf,
    domains: Domains,
    kept: Mapping[str, Sequence[int]],
    progress: Report | None,
) -> tuple[dump_read.Survey, dump_read.Details]:
    reading = dump_read.DumpReading(file, shelf, domains)
    survey = reading.survey(_told(progress, "first pass"), kept)
    _log.info("%s: %d triples, %d entities wanted", file.path.name, survey.triples, len(survey.wanted))
    return survey, reading.details(_told(progress, "second pass"), survey)


def _made_of(file: dump.Dump, domains: Domains, kept: Mapping[str, Sequence[int]]) -> str:
    """What decides what the passes keep; that the file is the same is seen from its bytes."""
    asked = domains.model_dump_json(exclude={"gates", "batches"})
    return hashlib.sha256(repr((_READER, file.path.name, asked, sorted(kept.items()))).encode()).hexdigest()


def _require_same(session: Session, row: SnapshotRow, file: dump.Dump) -> None:
    """A snapshot is of one file: that one changed since, or an endpoint's answers, would be another snapshot."""
    before = session.scalar(select(_SNAPSHOT.c.source_hash).where(_SNAPSHOT.c.snapshot == row.snapshot))
    way_out = f"pull a new revision: --snapshot {row.month}.N"
    if before is None:
        raise UserError(
            f"snapshot {row.snapshot} is {row.status} from {row.source}, not from {file.path.name}", way_out
        )
    if before != (now := file.sha256()):
        raise UserError(
            f"snapshot {row.snapshot} was made of another {file.path.name} (sha256 {before[:12]}…, now {now[:12]}…)",
            way_out,
        )


def _require_day(row: SnapshotRow, as_of: date) -> None:
    if row.as_of != as_of:
        raise UserError(
            f"snapshot {row.snapshot} is {row.status} with data as of {row.as_of}, not {as_of}",
            f"leave --as-of and HALLUVAULT_AS_OF out, or pull a new revision: --snapshot {row.month}.N",
        )


def _told(progress: Report | None, stage: str) -> dump_read.Report:
    def report(done: int, total: int) -> None:
        if progress:
            progress(PullProgress(stage, "", done // _MEGABYTE, max(1, total // _MEGABYTE)))

    return report
