"""`halluvault pull` and `halluvault snapshot`: Wikidata into an immutable month, and what changed since."""

from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated

import typer
from rich.markup import escape
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TaskID, TextColumn, TimeElapsedColumn
from rich.table import Table
from sqlalchemy.orm import Session

from halluvault_tasks.cli.common import log, open_session, out
from halluvault_tasks.knowledge import batches, diff, months, snapshots, stages, summary
from halluvault_tasks.knowledge.client import WikidataClient
from halluvault_tasks.knowledge.config import load_domains
from halluvault_tasks.settings import settings

snapshot_app = typer.Typer(no_args_is_help=True, help="List, show, compare and publish snapshots.")

KeyArgument = Annotated[str, typer.Argument(help="YYYY-MM (its highest published revision) or YYYY-MM.N.")]


def pull(
    snapshot: Annotated[
        str, typer.Option(help="Month YYYY-MM, or YYYY-MM.N to pull a month anew; empty: the last closed month.")
    ] = "",
    endpoint: Annotated[str, typer.Option(help="SPARQL endpoint; empty: HALLUVAULT_SPARQL_ENDPOINT.")] = "",
    source: Annotated[
        str, typer.Option(help="Name recorded for the source; empty: HALLUVAULT_SOURCE, else the endpoint's URL.")
    ] = "",
    as_of: Annotated[
        str,
        typer.Option(
            help="Date YYYY-MM-DD of the data; empty: HALLUVAULT_AS_OF, else what a local source states, else today."
        ),
    ] = "",
    domains: Annotated[Path | None, typer.Option(help="Another domains.yaml.")] = None,
    gap: Annotated[
        float | None, typer.Option(min=0, help="Seconds between requests; default 1 for a public endpoint, else 0.")
    ] = None,
    deadline: Annotated[float, typer.Option(min=1, help="Seconds for one whole answer.")] = 75.0,
) -> None:
    """Pull a month into an immutable snapshot, gate it, freeze it and publish it.

    It may be killed and started again: only what is missing is asked for. A month that is published stays as it is.

    Example: halluvault pull --snapshot 2026-10
    """
    url = endpoint or settings().sparql_endpoint
    client = WikidataClient(url, settings().contact, deadline=deadline, gap=gap)
    configuration = load_domains(domains or settings().config_dir / "domains.yaml")
    today = datetime.now(UTC).date()
    day = stages.date_of(client, as_of or settings().as_of, today)
    key = months.parse_key(snapshot or months.last_closed_month(today)).row
    with open_session() as session, _bars() as bars:
        row = stages.pull(
            session,
            key,
            client=client,
            domains=configuration,
            source=source or settings().source or url,
            as_of=day,
            progress=_reporter(bars),
        )
        bars.stop()
        log.print(f"{client.requests} request(s) sent to {url}", markup=False)
        _show(session, row)


@snapshot_app.command("list")
def list_snapshots() -> None:
    """List every snapshot, newest first."""
    table = Table("snapshot", "status", "as of", "source", "content hash")
    with open_session() as session:
        for row in snapshots.listing(session):
            table.add_row(row.snapshot, row.status, str(row.as_of), escape(row.source), row.content_hash or "")
    out.print(table)


@snapshot_app.command()
def show(key: Annotated[str, typer.Argument(help="Empty: the newest published.")] = "") -> None:
    """Show what a snapshot holds: domains, statements, gates, and what its source lacked."""
    with open_session() as session:
        _show(session, _any_status(session, key))


@snapshot_app.command("diff")
def show_diff(before: KeyArgument, after: KeyArgument) -> None:
    """Show what changed between two snapshots, property by property.

    Example: halluvault snapshot diff 2026-09 2026-10
    """
    table = Table("property", "label")
    for heading in ("added", "removed", "value changed", "rank changed"):
        table.add_column(heading, justify="right")
    with open_session() as session:
        a, b = _any_status(session, before), _any_status(session, after)
        if a.content_hash and a.content_hash == b.content_hash:
            out.print(f"{a.snapshot} and {b.snapshot} hold the same rows ({a.content_hash})")
            return
        rows = diff.compare(session, a.snapshot, b.snapshot)
    for row in rows:
        table.add_row(f"P{row.pid}", escape(row.label), *map(str, row[2:]))
    counts = zip(*(row[2:] for row in rows), strict=True) if rows else [(0,)] * 4
    table.add_section()
    table.add_row("all", "", *(str(sum(column)) for column in counts))
    out.print(table)


@snapshot_app.command()
def publish(key: KeyArgument) -> None:
    """Publish a frozen snapshot: from now on its month means this one, if its revision is the highest."""
    with open_session() as session:
        row = stages.publish_snapshot(session, _any_status(session, key).snapshot)
    out.print(f"{row.snapshot} is {row.status}")


def _any_status(session: Session, key: str) -> snapshots.SnapshotRow:
    """The snapshot a person means: the published one, or else the one of exactly that key."""
    if key:
        exact = months.parse_key(key).row
        rows = snapshots.listing(session)
        if not any(row.month == months.parse_key(key).month and row.status == "published" for row in rows):
            return snapshots.get(session, exact)
    return snapshots.find(session, key)


def _show(session: Session, row: snapshots.SnapshotRow) -> None:
    figures = summary.of(session, row.snapshot)
    table = Table("domain")
    for heading in ("seeds", "entities", "statements", "dated", "label-less"):
        table.add_column(heading, justify="right")
    for domain in figures.domains:
        table.add_row(domain.name, *map(str, domain[1:]))
    table.add_section()
    table.add_row("all", *map(str, figures.total[1:]))
    out.print(table)
    notes = snapshots.notes(session, row.snapshot)
    for line in summary.remarks(notes):
        out.print(line, markup=False, soft_wrap=True)
    out.print(
        f"snapshot {row.snapshot} is {row.status}, as of {row.as_of}, from {row.source}", markup=False, soft_wrap=True
    )
    if row.content_hash:
        out.print(f"content hash {row.content_hash}", markup=False, soft_wrap=True)


def _bars() -> Progress:
    return Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        console=log,
        disable=not log.is_terminal,
    )


def _reporter(bars: Progress) -> batches.Report:
    """Bars on a terminal; elsewhere one line whenever a step ends."""
    tasks: dict[tuple[str, str], TaskID] = {}
    told: set[str] = set()

    def report(progress: batches.Progress) -> None:
        name = f"{progress.stage} {progress.domain}".strip()
        if not log.is_terminal:
            if progress.done == progress.total and name not in told:
                told.add(name)
                log.print(f"{name}: {progress.total} batch(es)", markup=False)
            return
        key = (progress.stage, progress.domain)
        if key not in tasks:
            tasks[key] = bars.add_task(name, total=progress.total)
        bars.update(tasks[key], completed=progress.done, total=progress.total)

    return report


def register(app: typer.Typer) -> None:
    """Add these commands to the root."""
    app.command()(pull)
    app.add_typer(snapshot_app, name="snapshot")
