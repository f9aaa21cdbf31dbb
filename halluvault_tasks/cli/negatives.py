"""`halluvault negatives`: statements that people found to be false, as grounds for a "No"."""

from pathlib import Path
from typing import Annotated

import typer
from rich.table import Table

from halluvault_tasks.cli.common import day_checked, log, open_session, out
from halluvault_tasks.reasoning import checked_negatives as checked

negatives = typer.Typer(no_args_is_help=True, help="Statements that people found to be false, as grounds for a No.")


@negatives.command("import")
def import_file(
    file: Annotated[Path, typer.Argument(help="Tab separated: subject, property, object (Q1, P2, Q3), one per line.")],
    source: Annotated[str, typer.Option(help="Who checked it; the proof of every question quotes it.")],
    checked_on: Annotated[str, typer.Option(help="The day of the check, YYYY-MM-DD; if several, the last.")],
) -> None:
    """Store statements that people found to be false; the next `derive run` of any month derives them as negations.

    One that some month states or derives, at any rank, is withdrawn for good, since nobody knows which of the two is
    right. On a property whose statements hold only for a time it counts only as of the day of the check. Repeating an
    import changes nothing.

    Example: halluvault negatives import negatives.tsv --source "CoDEx-S" --checked-on 2020-09-16
    """
    day = day_checked(checked_on)
    triples = checked.read(file)
    with open_session() as session:
        found = checked.store(session, triples, source=source, checked_on=day)
    log.print(
        f"{file}: {found.read:,} statements, {found.new:,} of them new, {found.withdrawn:,} withdrawn, since a month "
        "states or derives them",
        markup=False,
        soft_wrap=True,
    )


@negatives.command("list")
def listed() -> None:
    """Count the stored statements, by property and source.

    Example: halluvault negatives list
    """
    with open_session() as session:
        found = checked.listing(session)
    table = Table("property", "source", "checked on", box=None, pad_edge=False)
    for heading in ("imported", "withdrawn"):
        table.add_column(heading, justify="right")
    for one in found:
        table.add_row(f"P{one.p}", one.source, str(one.checked_on), f"{one.imported:,}", f"{one.withdrawn:,}")
    out.print(table)
    if not found:
        log.print("nothing was imported; `halluvault negatives import` does")


def register(app: typer.Typer) -> None:
    """Add these commands to the root."""
    app.add_typer(negatives, name="negatives")
