"""`halluvault lists`: how many objects people found things to have, so that complete lists are grounds for a "No"."""

from pathlib import Path
from typing import Annotated

import typer
from rich.markup import escape
from rich.table import Table

from halluvault_tasks.cli.common import day_checked, log, open_session, out
from halluvault_tasks.reasoning import counted_lists as counted

lists = typer.Typer(no_args_is_help=True, help="Counts that show a list to be complete, as grounds for a No.")


@lists.command("import")
def import_file(
    file: Annotated[
        Path,
        typer.Argument(help=f"Tab separated, first line: {', '.join(counted.COLUMNS)}; more columns are left alone."),
    ],
    source: Annotated[str, typer.Option(help="Who counted; the proof of every question quotes it.")],
    checked_on: Annotated[str, typer.Option(help="The day of the check, YYYY-MM-DD; if several, the first.")],
) -> None:
    """Store how many objects people found subjects to have. `derive run` and `benchmark build` use them from then on.

    Where what a month states of a subject reaches the number exactly, the list is complete: what is like its members
    and not among them is false. Which properties and relations count so, config/rules.yaml says (`listed`). A subject
    with several numbers has none. Repeating an import changes nothing.

    Example: halluvault lists import complete.tsv --source "LM-KBC 2023" --checked-on 2023-05-31
    """
    day = day_checked(checked_on)
    counts = counted.read(file)
    with open_session() as session:
        found = counted.store(session, counts, source=source, checked_on=day)
    log.print(
        f"{file}: {found.read:,} counts, {found.new:,} of them new; {found.contradicting:,} subjects of this source "
        "have several numbers for one relation, which count for nothing",
        markup=False,
        soft_wrap=True,
    )


@lists.command("list")
def listed() -> None:
    """Count the stored numbers, by property, relation and source.

    Example: halluvault lists list
    """
    with open_session() as session:
        found = counted.listing(session)
    table = Table("property", "relation", "source", "checked on", box=None, pad_edge=False)
    table.add_column("counts", justify="right")
    for one in found:
        table.add_row(f"P{one.p}", escape(one.relation), escape(one.source), str(one.checked_on), f"{one.counts:,}")
    out.print(table)
    if not found:
        log.print("nothing was imported; `halluvault lists import` does")


def register(app: typer.Typer) -> None:
    """Add these commands to the root."""
    app.add_typer(lists, name="lists")
