"""What every command shares: the consoles, the session, and the month it works on."""

import os
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, date, datetime
from types import SimpleNamespace
from typing import Annotated, TypeVar

import typer
from rich.console import Console
from sqlalchemy.orm import Session

from halluvault_tasks.cli.parts.consoles import console
from halluvault_tasks.errors import DatabaseAway, UserError
from halluvault_tasks.querying.outage import Teller
from halluvault_tasks.settings import settings
from halluvault_tasks.storage import sessions

_T = TypeVar("_T")

# A pipe or a log has no width; 80 columns would fold every table, but more may be asked for.
_ASKED = os.environ.get("COLUMNS", "")
_WIDTH = None if Console().is_terminal else max(140, int(_ASKED) if _ASKED.isdecimal() else 0)

out = console(width=_WIDTH)
"""Results, on stdout."""

log = console(stderr=True, width=_WIDTH)
"""Progress and messages, on stderr."""

state = SimpleNamespace(debug=False)


def tell(error: UserError) -> None:
    """One line on stderr that says what went wrong, and the way out."""
    log.print(f"halluvault: {error}", style="bold red", markup=False, highlight=False, soft_wrap=True)


def end_with(faults: Sequence[UserError]) -> None:
    """End a command that has done all that it could: a line for each fault, if there are any, and exit status 2."""
    for line in {str(fault): fault for fault in faults}.values():
        tell(line)
    if faults:
        raise typer.Exit(2)


SnapshotOption = Annotated[
    str, typer.Option("--snapshot", help="Month YYYY-MM (its highest published revision) or YYYY-MM.N; empty: newest.")
]


def month_of(session: Session, snapshot: str) -> str:
    """Exact key of what `--snapshot` means for commands on questions; empty: the newest with a frozen benchmark.

    Raises:
        UserError: there is none such.
    """
    from halluvault_tasks.benchmark.export import reading  # late: it brings all that makes questions

    return reading.meant(session, snapshot)


@contextmanager
def open_session() -> Iterator[Session]:
    """A session on `HALLUVAULT_DATABASE_URL`."""
    with sessions.session(settings().require_database()) as session:
        yield session


_PATIENCE_SECONDS = 1800.0
"""For a Postgres that went away: as long as for a model server by default."""
_LOOK_SECONDS = 1.0
_OUTAGES = 100
"""For one step: a step that makes Postgres fail each time must not be retried for ever."""


def durably(step: Callable[[Session], _T], *, pause: Callable[[float], object] = time.sleep, first: bool = False) -> _T:
    """Do a step in a session of its own; if Postgres goes away during it, report, wait and do it again.

    Args:
        step: may be broken off anywhere and done again, as every stage may.
        pause: waits so many seconds; what it raises ends the waiting.
        first: nobody has seen the database yet, so that its URL may be wrong; waited for is only one that is starting.

    Raises:
        Away: it stayed away for half an hour, or went away again and again; or it was never there.
        UserError: what the step raises.
    """
    for outage in range(_OUTAGES + 1):
        try:
            with open_session() as session:
                return step(session)
        except DatabaseAway as error:
            if outage == _OUTAGES or (first and not error.starting):
                raise
        _until_back(pause)
    raise AssertionError("the last outage is raised")


def _until_back(pause: Callable[[float], object]) -> None:
    teller = Teller("Postgres", _PATIENCE_SECONDS)
    while True:
        try:
            with open_session():
                return
        except DatabaseAway as error:
            if teller.waited > _PATIENCE_SECONDS:
                raise
            teller.tell(error.message)
            pause(_LOOK_SECONDS)


def day_checked(text: str) -> date:
    """The day on which people checked what is imported (`--checked-on`).

    Raises:
        UserError: it is no date, or still to come.
    """
    try:
        day = date.fromisoformat(text)
    except ValueError as error:
        raise UserError(f"--checked-on {text!r} is not a date", "write it YYYY-MM-DD") from error
    if day > datetime.now(UTC).date():
        raise UserError(f"--checked-on {day} is still to come", "give the day on which people checked")
    return day
