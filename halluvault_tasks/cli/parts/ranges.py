"""A range of months on the command line: the months that it lacks are named before anything is done."""

from typing import Annotated

import typer
from sqlalchemy.orm import Session

from halluvault_tasks.cli.common import log
from halluvault_tasks.querying import backfill

ExistingOption = Annotated[
    bool, typer.Option("--existing", help="Skip months of a range that do not exist, instead of refusing.")
]


def require_whole(session: Session, wanted: str, *, existing: bool, done: str, published: bool = True) -> None:
    """Say which months a range lacks, and why.

    Args:
        session: open session.
        wanted: months as `backfill.months` takes them.
        existing: whether these may be left out.
        done: what would be done to a month, such as `asked`.
        published: whether a month needs a published benchmark; else a frozen one will do.

    Raises:
        typer.Exit: with 3, where a month is lacking that may not be left out.
    """
    lacking = backfill.lacking(session, wanted, published=published)
    for month in lacking:
        log.print(f"{month.month} cannot be {done}: {month.why} ({month.way_out})", markup=False, soft_wrap=True)
    if lacking and not existing:
        log.print(f"nothing was {done}; --existing leaves these months out", style="yellow")
        raise typer.Exit(3)
