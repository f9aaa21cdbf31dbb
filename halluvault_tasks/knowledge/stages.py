"""The stages of a pull: open, metadata, domains, complete, gates, freeze, publish.

Each can be killed and run again. `pull_*` only store raw bodies; `complete` fetches what those still point at and
normalises everything in one transaction. On a frozen snapshot every stage is a no-op. Two processes on one snapshot
take turns.
"""

from collections import deque
from contextlib import closing
from datetime import date
from typing import NamedTuple

from sqlalchemy import delete, func, select, update
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.orm import Session

from halluvault_tasks.errors import UserError
from halluvault_tasks.knowledge import (
    diff,
    held_back,
    key_counts,
    load,
    metadata,
    plan,
    pull_gates,
    pulled_vs_written,
    snapshots,
    source_names,
    tail,
)
from halluvault_tasks.knowledge.assemble import Assembly, require_known
from halluvault_tasks.knowledge.client import WikidataClient, is_local
from halluvault_tasks.knowledge.config import Domains, Gates
from halluvault_tasks.knowledge.endpoint_answers import EndpointAnswers, stored
from halluvault_tasks.knowledge.progress import Report
from halluvault_tasks.knowledge.pull_gates import GateReport
from halluvault_tasks.knowledge.snapshots import SnapshotRow
from halluvault_tasks.storage import incidents, leases, partitions, runs, tables
from halluvault_tasks.storage.leases import LeasedWork
from halluvault_tasks.wikidata import snapshot_keys

_SNAPSHOT = tables.snapshot
_CHANCES = 3


class PullCounts(NamedTuple):
    """What one pull stage has stored; JSON-safe."""

    part: str
    """Domain, `metadata` or `complete`."""
    batches: int
    """Raw bodies stored of this part, earlier runs included."""
    asked: int
    """Requests answered in this run; 0 when everything was there."""
    rows: int
    """Rows in those bodies."""
    seeds: int = 0
    entities: int = 0
    statements: int = 0


def open_snapshot(
    session: Session, snapshot: str, *, source: str, as_of: date, live: bool | None = None, today: date | None = None
) -> SnapshotRow:
    """Make a snapshot's row and partitions. Idempotent.

    Args:
        session: open session; committed.
        snapshot: `YYYY-MM`, or `YYYY-MM.N` for another pull of a month. A month that is there from another source (a
            demo's) gets a revision of its own for this one.
        source: name of the source: an endpoint's URL or a file's name.
        as_of: date of the source's data.
        live: whether the source is a public service that only knows the present; None tells from `source`.
        today: decides which month is the last closed one; None asks the database's clock.

    Raises:
        UserError: the key is malformed; the source's name is a path; the revision that it names exists with another
            source; the month is not over yet; or a month other than the last closed one is asked of a live source,
            which cannot travel in time.
    """
    source_names.require_no_path(source)
    key = _for_source(session, snapshot_keys.parse_key(snapshot), source)
    live = not is_local(source) if live is None else live
    existing = session.execute(select(_SNAPSHOT.c.source).where(_SNAPSHOT.c.snapshot == key.row)).scalar()
    if existing is None:
        _require_over(session, key.month, today)
        if live:
            _require_closed(session, key.month, source, today)
        values = {
            "snapshot": key.row,
            "month": key.month,
            "revision": key.revision or 1,
            "as_of": as_of,
            "source": source,
            "notes": {"live": live},
        }
        session.execute(insert(_SNAPSHOT).values(values).on_conflict_do_nothing())
        partitions.create_partitions(session, key.row)
        session.commit()
    row = snapshots.get(session, key.row)
    if row.source != source:
        raise UserError(
            f"snapshot {row.snapshot} is {row.status} from source {row.source!r}, not {source!r}",
            f"pull a new revision: --snapshot {row.month}.{_next_revision(session, row.month)}; or, if that one was a "
            f"mistake: halluvault snapshot drop {row.snapshot}",
        )
    return row


def _for_source(session: Session, key: snapshot_keys.SnapshotKey, source: str) -> snapshot_keys.SnapshotKey:
    """The revision that a bare month means for a source: its own highest, else the first that is free."""
    rows = [row for row in snapshots.listing(session) if row.month == key.month]
    if key.revision is not None or not rows:
        return key
    own = next((row.revision for row in rows if row.source == source), None)
    return key._replace(revision=own or _next_revision(session, key.month))


def pull_metadata(
    session: Session, snapshot: str, *, client: WikidataClient, domains: Domains, report: Report | None = None
) -> PullCounts:
    """Store the metadata of every property in the configuration, and look up every item that it names.

    Raises:
        UserError: a live source does not have one of them.
    """
    if _closed(session, snapshot, client):
        return _counts(session, snapshot, "metadata", 0)
    with runs.stage(session, snapshot, "pull_metadata", work=pulling(snapshot)) as summary:
        answers = EndpointAnswers(session, snapshot, client, floor=domains.batches.floor, report=report)
        metadata.fetch(answers, domains)
        plan.configured(answers, domains)
        if not client.local:
            require_known(answers, domains, client.endpoint)
        counts = _counts(session, snapshot, "metadata", answers.asked)
        summary.update(counts._asdict())
    return counts


def pull_domain(
    session: Session,
    snapshot: str,
    domain: str,
    *,
    client: WikidataClient,
    domains: Domains,
    report: Report | None = None,
) -> PullCounts:
    """Store one domain's seeds, their statements, full values and qualifiers."""
    domains.require(domain)
    if _closed(session, snapshot, client):
        return _counts(session, snapshot, domain, 0)
    with runs.stage(session, snapshot, "pull_domain", domain, pulling(snapshot)) as summary:
        answers = EndpointAnswers(session, snapshot, client, floor=domains.batches.floor, report=report)
        wanted = plan.PullPlan(answers, domains, tail.before(session, snapshot))
        seeds = [seed.qid for seed in wanted.seeds(domain)]
        deque(wanted.of_seeds(domain, seeds), maxlen=0)  # stored as they come; `complete` makes rows of them
        counts = _counts(session, snapshot, domain, answers.asked)._replace(seeds=len(seeds))
        summary.update(counts._asdict())
    return counts


def complete(
    session: Session, snapshot: str, *, client: WikidataClient, domains: Domains, report: Report | None = None
) -> PullCounts:
    """Store chains, labels and types of all that is mentioned, then normalise every body into the tables.

    Batches that were given up get two more chances, each after a rest, before the gates count them.
    """
    if _closed(session, snapshot, client):
        return _complete_counts(session, snapshot, 0)
    with runs.stage(session, snapshot, "complete", work=pulling(snapshot)) as summary:
        answers = EndpointAnswers(session, snapshot, client, floor=domains.batches.floor, report=report)
        with closing(_assembled(session, answers, domains)) as assembly:
            answers.forget_stale_quarantine()
            shows = answers.shape.statements.shown
            write(session, snapshot, assembly, asked=domains.asked(), shows_statements=shows)
        counts = _complete_counts(session, snapshot, answers.asked)
        summary.update(counts._asdict())
    return counts


def write(session: Session, snapshot: str, assembly: Assembly, **more: object) -> None:
    """Move what was gathered into a snapshot's tables and note its figures; commits, unless it is frozen by now.

    Args:
        session: open session.
        snapshot: exact key.
        assembly: its walk is done.
        more: further figures.

    Raises:
        UserError: what arrives in the database is not what was gathered.
    """
    if snapshots.hold(session, snapshot) == "pulling":
        snapshots.note(session, snapshot, {"complete": {**assembly.finish(session), **more}}, drop="gates")
    session.commit()


def check_gates(session: Session, snapshot: str, *, limits: Gates) -> GateReport:
    """Measure the gates and record their figures and limits; a failure also writes an incident.

    Args:
        session: open session; committed.
        snapshot: exact key.
        limits: the settings of now, not of the pull: a person may adjust them and check again, without pulling.

    Raises:
        UserError: a gate failed, or the snapshot is not complete. What was published before stays published.
    """
    notes = snapshots.notes(session, snapshot)
    if snapshots.get(session, snapshot).status != "pulling":
        return GateReport.of(notes["gates"])
    if "complete" not in notes:
        raise UserError(f"snapshot {snapshot} is not complete", f"halluvault pull --snapshot {snapshot}")
    with runs.stage(session, snapshot, "check_gates", work=pulling(snapshot)) as summary:
        measured = pull_gates.measure(session, snapshots.get(session, snapshot), limits)
        report = measured.report
        summary.update(report._asdict())
        snapshots.note(session, snapshot, {"gates": report._asdict(), "limits": limits.model_dump()})
        key_counts.store(session, snapshot, measured.counts, measured.held)
        if report.passed and report.held and list(report.held) != notes.get("gates", {}).get("held"):
            incidents.add(session, "held_back", "check_gates", *held_back.told(snapshot, report.held), snapshot)
        session.commit()
        if not report.passed:
            message = f"snapshot {snapshot} fails its gates: {'; '.join(report.failures())}"
            way_out = (
                "nothing was published and the last good snapshot stays; look at the source, then pull again: what "
                "was quarantined is asked again. If the world changed: adjust gates in domains.yaml (`accepted` takes "
                "single classes and properties), clear check_gates"
            )
            incidents.record(session, "gate_failed", "check_gates", message, way_out, snapshot)
            raise UserError(message, way_out)
    return report


def freeze(session: Session, snapshot: str) -> SnapshotRow:
    """Check the rows against what was pulled, hash them and close the snapshot for good, in one transaction.

    Raises:
        UserError: its gates have not passed; or its rows are not those that its bodies give (an incident is written).
    """
    row = snapshots.get(session, snapshot)
    if row.status != "pulling":
        return row
    if not snapshots.notes(session, snapshot).get("gates", {}).get("passed"):
        raise UserError(f"snapshot {snapshot} has not passed its gates", f"halluvault pull --snapshot {snapshot}")
    with runs.stage(session, snapshot, "freeze", work=pulling(snapshot)) as summary:
        if snapshots.hold(session, snapshot) != "pulling":
            return snapshots.get(session, snapshot)
        _require_account(session, snapshot)
        content_hash = load.content_hash(session, snapshot)
        before = snapshots.predecessor(session, row)
        summary["compared_with"] = before.snapshot if before else ""
        summary["changes"] = diff.store(session, before.snapshot, snapshot) if before else 0
        session.execute(
            update(_SNAPSHOT)
            .where(_SNAPSHOT.c.snapshot == snapshot, _SNAPSHOT.c.status == "pulling")
            .values(status="frozen", content_hash=content_hash, frozen_at=func.clock_timestamp())
        )
        summary["content_hash"] = content_hash
    return snapshots.get(session, snapshot)


def publish_snapshot(session: Session, snapshot: str) -> SnapshotRow:
    """Let the snapshot be what its month means from now on.

    Raises:
        UserError: it is not frozen yet.
    """
    row = snapshots.get(session, snapshot)
    if row.status == "pulling":
        raise UserError(f"snapshot {snapshot} is still being pulled", f"halluvault pull --snapshot {snapshot}")
    if row.status == "frozen":
        session.execute(
            update(_SNAPSHOT)
            .where(_SNAPSHOT.c.snapshot == snapshot, _SNAPSHOT.c.status == "frozen")
            .values(status="published", published_at=func.clock_timestamp())
        )
        session.commit()
    return snapshots.get(session, snapshot)


def pull(
    session: Session,
    snapshot: str,
    *,
    client: WikidataClient,
    domains: Domains,
    source: str,
    as_of: date,
    progress: Report | None = None,
) -> SnapshotRow:
    """Every stage in order, from an endpoint to a published snapshot."""
    row = open_snapshot(session, snapshot, source=source, as_of=as_of, live=not client.local)
    with leases.held(session, pulling(row.snapshot)):
        try:
            pull_metadata(session, row.snapshot, client=client, domains=domains, report=progress)
        except UserError:
            # A page, a wrong path, a ban: what never answered has no snapshot.
            session.rollback()
            forget_if_empty(session, row.snapshot)
            raise
        # `complete` asks for whatever no `pull_domain` has stored: one walk, which normalises while the service works.
        complete(session, row.snapshot, client=client, domains=domains, report=progress)
        check_gates(session, row.snapshot, limits=domains.gates)
        freeze(session, row.snapshot)
        return publish_snapshot(session, row.snapshot)


def pulling(snapshot: str) -> LeasedWork:
    """What one pull of a snapshot has to itself, all its stages."""
    return LeasedWork(snapshot, "pull")


def forget_if_empty(session: Session, snapshot: str) -> None:
    """Drop a snapshot of which nothing was pulled; commits."""
    filled = select(tables.pull_batch.c.snapshot).where(tables.pull_batch.c.snapshot == snapshot).exists()
    empty = session.execute(
        delete(_SNAPSHOT)
        .where(_SNAPSHOT.c.snapshot == snapshot, _SNAPSHOT.c.status == "pulling", ~filled)
        .returning(_SNAPSHOT.c.snapshot)
    ).first()
    if empty is not None:
        partitions.drop_partitions(session, snapshot)
    session.commit()


def _assembled(session: Session, answers: EndpointAnswers, domains: Domains) -> Assembly:
    chances = _CHANCES
    while True:
        answers.given_up.clear()
        answers.read.clear()
        assembly = Assembly(session, answers, domains)
        assembly.gather()
        chances -= 1
        if not (answers.given_up and chances):
            return assembly
        assembly.close()
        answers.client.breathe()


def _require_account(session: Session, snapshot: str) -> None:
    failures = pulled_vs_written.failures(session, snapshot, snapshots.notes(session, snapshot)["complete"])
    if failures:
        session.rollback()
        message = f"snapshot {snapshot} does not hold what was pulled: {'; '.join(failures)}"
        way_out = f"halluvault pull --snapshot {snapshot}: it rebuilds the rows from the stored answers"
        incidents.record(session, "gate_failed", "freeze", message, way_out, snapshot)
        raise UserError(message, way_out)


def _closed(session: Session, snapshot: str, client: WikidataClient) -> bool:
    """Whether nothing may be pulled any more; refuses a live client once another month is the last closed one.

    That holds for every stage of a pull, however it was opened: one that is resumed later would mix two states of the
    source under one date.
    """
    row = snapshots.get(session, snapshot)
    if row.status != "pulling":
        return True
    if not client.local:
        _require_closed(session, row.month, client.endpoint, None)
        if not snapshots.notes(session, snapshot).get("live"):
            snapshots.note(session, snapshot, {"live": True})
            session.commit()
    return False


def _require_over(session: Session, month: str, today: date | None) -> None:
    """A month that has not ended would come before all others as the newest, with data of another month."""
    closed = snapshots.last_closed(session, today)
    if month > closed:
        raise UserError(
            f"month {month} is not closed yet; a snapshot is of {closed}, the last closed month, or of one before",
            f"--snapshot {closed}",
        )


def _require_closed(session: Session, month: str, source: str, today: date | None) -> None:
    closed = snapshots.last_closed(session, today)
    if month != closed:
        raise UserError(
            f"snapshot month {month} cannot be pulled from {source}: a live endpoint knows only the present",
            f"pull the last closed month: --snapshot {closed}",
        )


def _next_revision(session: Session, month: str) -> int:
    highest = session.scalar(select(func.max(_SNAPSHOT.c.revision)).where(_SNAPSHOT.c.month == month))
    return int(highest or 0) + 1


def _counts(session: Session, snapshot: str, part: str, asked: int) -> PullCounts:
    mine = stored(session, snapshot, None if part == "metadata" else part)
    return PullCounts(part, mine.batches, asked, mine.rows)


def _complete_counts(session: Session, snapshot: str, asked: int) -> PullCounts:
    mine = stored(session, snapshot)
    seeds, entities = session.execute(
        select(func.count().filter(tables.entity.c.seed), func.count()).where(tables.entity.c.snapshot == snapshot)
    ).one()
    statements = session.scalar(
        select(func.count()).select_from(tables.statement).where(tables.statement.c.snapshot == snapshot)
    )
    return PullCounts("complete", mine.batches, asked, mine.rows, int(seeds), int(entities), int(statements or 0))
