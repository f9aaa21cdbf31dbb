"""`halluvault snapshot`: the months that were pulled: listed, shown, compared, published, dropped."""

from typing import Annotated

import typer
from rich.markup import escape
from rich.table import Table
from sqlalchemy.orm import Session

from halluvault_tasks.cli.common import log, open_session, out
from halluvault_tasks.errors import UserError
from halluvault_tasks.knowledge import diff, endpoint_answers, retire, snapshots, stages, summary
from halluvault_tasks.wikidata import snapshot_keys

app = typer.Typer(no_args_is_help=True, help="List, show, compare, publish and drop snapshots.")

KeyArgument = Annotated[str, typer.Argument(help="YYYY-MM (its highest published revision) or YYYY-MM.N.")]

_MOST = 200


@app.command("list")
def list_snapshots() -> None:
    """List every snapshot, newest first: its source and date, and whether it is being pulled, frozen or published."""
    table = Table("snapshot", "status", "as of", "source", "content hash")
    with open_session() as session:
        gone = snapshots.dropped(session)
        for row in snapshots.listing(session):
            status = f"{row.status}, rows dropped" if row.snapshot in gone else row.status
            table.add_row(row.snapshot, status, str(row.as_of), escape(row.source), row.content_hash or "")
    out.print(table)


@app.command()
def show(key: Annotated[str, typer.Argument(help="Empty: the newest published.")] = "") -> None:
    """Show what a snapshot contains: domains, statements, gates, and what its source lacked.

    Example: halluvault snapshot show 2026-10
    """
    with open_session() as session:
        show_row(session, any_status(session, key))


@app.command("diff")
def show_diff(
    before: KeyArgument,
    after: KeyArgument,
    of: Annotated[
        str, typer.Option("--property", help="List each changed statement of this property, such as P36.")
    ] = "",
) -> None:
    """Show what changed between two snapshots, property by property, or statement by statement.

    Statements are matched by their names in Wikidata. "Value changed" counts changed dates, too; "merged" means the
    same fact under another number, because its subject or value was merged into another item.

    Examples: halluvault snapshot diff 2026-09 2026-10;  halluvault snapshot diff 2026-09 2026-10 --property P36
    """
    with open_session() as session:
        a, b = any_status(session, before), any_status(session, after)
        gone = {a.snapshot, b.snapshot} & snapshots.dropped(session)
        if gone and not diff.is_stored(session, a.snapshot, b.snapshot):
            raise UserError(f"the rows of {', '.join(sorted(gone))} were dropped: nothing can be compared with them")
        if a.content_hash and a.content_hash == b.content_hash:
            out.print(f"{a.snapshot} and {b.snapshot} hold the same rows ({a.content_hash})")
            return
        if of:
            _show_changes(session, a.snapshot, b.snapshot, of)
            return
        rows = diff.compare(session, a.snapshot, b.snapshot)
        versions = [snapshots.normaliser(session, row.snapshot) for row in (a, b)]
    table = Table("property", "label")
    for heading in ("added", "removed", "value changed", "rank changed", "merged"):
        table.add_column(heading, justify="right")
    for row in rows:
        table.add_row(f"P{row.pid}", escape(row.label), *map(str, row[2:]))
    counts = zip(*(row[2:] for row in rows), strict=True) if rows else [(0,)] * 5
    table.add_section()
    table.add_row("all", "", *(str(sum(column)) for column in counts))
    out.print(table)
    if versions[0] != versions[1]:
        log.print(
            f"{a.snapshot} was made by normaliser {versions[0]} and {b.snapshot} by {versions[1]}: texts are compared "
            f"as {max(versions)} makes them",
            soft_wrap=True,
        )


def _show_changes(session: Session, before: str, after: str, of: str) -> None:
    if not (of[:1] == "P" and of[1:].isdigit()):
        raise UserError(f"property {of!r} is not P and a number, such as P36")
    found = diff.changes(session, before, after, int(of[1:]), _MOST + 1)
    table = Table("change", "subject", "before", "after", "statement")
    for row in found[:_MOST]:
        table.add_row(*map(escape, (row.change, row.subject, row.before, row.after, row.guid)))
    out.print(table)
    if len(found) > _MOST:
        out.print(f"the first {_MOST} only; the table statement_change has all of them")


@app.command()
def publish(key: KeyArgument) -> None:
    """Publish a frozen snapshot: from now on its month refers to this one, if its revision is the highest.

    `halluvault pull` does so by itself; in Airflow the month is published with its benchmark.
    """
    with open_session() as session:
        row = stages.publish_snapshot(session, any_status(session, key).snapshot)
    out.print(f"{row.snapshot} is {row.status}")


@app.command()
def drop(
    key: Annotated[str, typer.Argument(help="Exact key: YYYY-MM for its first revision, or YYYY-MM.N.")] = "",
    keep: Annotated[
        int | None, typer.Option("--keep", min=1, help="Drop all but this many newest months of each source.")
    ] = None,
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask.")] = False,
) -> None:
    """Drop an old month's raw answers, entities, statements and derived facts at once; this cannot be undone.

    A month with a benchmark keeps it, with proofs, responses and verdicts. The newest published month of a source
    cannot be dropped once it has one, since the next is compared with it; nor can one with unjudged responses.

    Examples: halluvault snapshot drop 2025-10 --yes;  halluvault snapshot drop --keep 12 --yes
    """
    if bool(key) == bool(keep):
        raise UserError(
            "drop takes a month, or --keep with a number of months: one or the other", "halluvault snapshot drop --help"
        )
    if keep:
        _drop_beyond(keep, yes)
        return
    exact = snapshot_keys.parse_key(key).row
    with open_session() as session:
        row = snapshots.get(session, exact)
        if not yes:
            typer.confirm(f"Drop the rows of {row.snapshot} ({row.status}, from {row.source})?", abort=True, err=True)
        done = retire.drop(session, exact)
    kept = "its benchmark and results stay" if done.benchmark_kept else "nothing of it is left"
    out.print(f"{done.snapshot} is dropped; {kept}")


def _drop_beyond(keep: int, yes: bool) -> None:
    """Drop the months beyond retention; those that cannot be dropped yet are named and do not stop the others."""
    refused = []
    with open_session() as session:
        found = retire.beyond(session, keep)
        if not found:
            out.print(f"nothing to drop: no source has more than {keep} month{'s' * (keep > 1)} with their rows")
            return
        if not yes:
            typer.confirm(f"Drop the rows of {', '.join(found)}?", abort=True, err=True)
        for exact in found:
            try:
                done = retire.drop(session, exact)
            except UserError as error:
                session.rollback()
                refused.append(error)
                continue
            out.print(f"{done.snapshot} is dropped")
    if refused:
        raise UserError("; ".join(error.message for error in refused), refused[0].way_out)


def any_status(session: Session, key: str) -> snapshots.SnapshotRow:
    """The snapshot a person means: the published one, or else the one of exactly that key."""
    if key:
        exact = snapshot_keys.parse_key(key).row
        rows = snapshots.listing(session)
        if not any(row.month == snapshot_keys.parse_key(key).month and row.status == "published" for row in rows):
            return snapshots.get(session, exact)
    return snapshots.find(session, key)


def show_row(session: Session, row: snapshots.SnapshotRow) -> None:
    """Print what one snapshot holds."""
    figures = summary.of(session, row.snapshot)
    table = Table("domain")
    for heading in ("seeds", "entities", "statements", "dated", "label-less"):
        table.add_column(heading, justify="right")
    for domain in figures.domains:
        table.add_row(domain.name, *map(str, domain[1:]))
    table.add_section()
    table.add_row("all", *map(str, figures.total[1:]))
    out.print(table)
    for line in summary.remarks(snapshots.notes(session, row.snapshot)):
        out.print(line, markup=False, soft_wrap=True)
    if row.status == "pulling":
        stored = endpoint_answers.stored(session, row.snapshot)
        out.print(f"{stored.batches} answers with {stored.rows} rows are stored so far", markup=False)
        for given_up in endpoint_answers.quarantined(session, row.snapshot):
            out.print(f"given up, asked again by the next pull: {given_up}", markup=False, soft_wrap=True)
    out.print(
        f"snapshot {row.snapshot} is {row.status}, as of {row.as_of}, from {row.source}", markup=False, soft_wrap=True
    )
    if row.content_hash:
        out.print(f"content hash {row.content_hash}", markup=False, soft_wrap=True)
        out.print(f"made by normaliser {snapshots.normaliser(session, row.snapshot)}", markup=False)


def register(root: typer.Typer) -> None:
    """Add these commands to the root."""
    root.add_typer(app, name="snapshot")
