"""What every command shares: the consoles, the session, and the month it works on."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from types import SimpleNamespace
from typing import Annotated

import typer
from rich.console import Console
from sqlalchemy.orm import Session

from halluvault_tasks.cli.parts.consoles import console
from halluvault_tasks.settings import settings
from halluvault_tasks.storage import sessions

# A pipe or a log has no width; 80 columns would fold every table, but more may be asked for.
_ASKED = os.environ.get("COLUMNS", "")
_WIDTH = None if Console().is_terminal else max(140, int(_ASKED) if _ASKED.isdecimal() else 0)

out = console(width=_WIDTH)
"""Results, on stdout."""

log = console(stderr=True, width=_WIDTH)
"""Progress and messages, on stderr."""

state = SimpleNamespace(debug=False)

SnapshotOption = Annotated[
    str, typer.Option("--snapshot", help="Month YYYY-MM (its highest published revision) or YYYY-MM.N; empty: newest.")
]


@contextmanager
def open_session() -> Iterator[Session]:
    """A session on `HALLUVAULT_DATABASE_URL`."""
    with sessions.session(settings().require_database()) as session:
        yield session
