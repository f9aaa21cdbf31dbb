"""The `halluvault` command: every stage by hand, for engineers who work without Airflow.

Results go to stdout, everything else to stderr. A `UserError` is one line and exit status 2; `--debug` adds the
traceback.
"""

import errno
import importlib
import io
import logging
import os
import sys
import tempfile
from functools import cache
from importlib import metadata

import typer

from halluvault_tasks.cli import common
from halluvault_tasks.errors import UserError
from halluvault_tasks.settings import settings

app = typer.Typer(
    name="halluvault",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode="rich",
    help="Measure how often and how language models contradict facts.\n\n"
    "A month by hand: [bold]pull[/] → [bold]derive run[/] → [bold]temporal run[/] → [bold]benchmark build[/] → "
    "[bold]evaluate[/] → [bold]results show[/]. Any of them can be killed and run again.",
)


def _version(wanted: bool) -> None:
    if wanted:
        common.out.print(f"halluvault {metadata.version('halluvault')}", highlight=False)
        raise typer.Exit


@app.callback()
def _root(
    debug: bool = typer.Option(False, "--debug", help="Show tracebacks of errors."),
    _: bool = typer.Option(False, "--version", callback=_version, is_eager=True, help="Print the version and end."),
) -> None:
    common.state.debug = debug


MODULES = {
    "benchmark": ("benchmark",),
    "dags": ("dags",),
    "database": ("db",),
    "demo": ("demo",),
    "doctor": ("doctor",),
    "evaluate": ("evaluate",),
    "knowledge": ("pull",),
    "lists": ("lists",),
    "metrics": ("metrics",),
    "models": ("models",),
    "negatives": ("negatives",),
    "oracle": ("oracle",),
    "pools": ("pools",),
    "query": ("query",),
    "reasoning": ("rules", "derive"),
    "results": ("results", "report"),
    "scoring": ("score",),
    "snapshots": ("snapshot",),
    "suites": ("suites",),
    "temporal": ("temporal",),
}
"""Which commands each module of this package adds."""

_OF_FILES = {errno.ENOSPC, errno.EDQUOT, errno.EROFS, errno.EACCES, errno.EPERM, errno.ENOTDIR, errno.EISDIR, errno.EIO}


def register(command: str | None = None) -> None:
    """Add the commands to `app`: of every module, or only of the one that has `command`.

    Each module imports what its room needs, some of it heavy; one command should not wait for all.
    """
    for module in [module for module, names in MODULES.items() if command in names] or MODULES:
        _add(module)


@cache
def _add(module: str) -> None:
    # Once: typer makes every command again for each line, and makes one that was added ten times ten times.
    importlib.import_module(f"{__name__}.{module}").register(app)


def main() -> None:
    """Entry point of the console script."""
    for stream in (sys.stdout, sys.stderr):
        # A locale without UTF-8 cannot show most labels: they are escaped, and never end a command.
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
    warnings = logging.StreamHandler()
    warnings.setLevel(logging.WARNING)  # what is said below that is for a command's progress (`heartbeat`)
    logging.basicConfig(handlers=[warnings], format="%(message)s")
    os.umask(0o077)  # reports, exports, logs, state: for their owner, unless that person says otherwise
    register(next((word for word in sys.argv[1:] if not word.startswith("-")), None))
    run(app)


def run(commands: typer.Typer) -> None:
    """Run a command line; a `UserError`, and what a disk or a file refuses, is one line and exit status 2."""
    try:
        commands()
    except OSError as error:
        if common.state.debug or error.errno not in _OF_FILES:
            raise
        # A write that fails does not say where, as an open that fails does.
        lies = f" (state is in {settings().state_dir}, scratch in {tempfile.gettempdir()})"
        what = f": {error.filename}" if error.filename else lies
        way_out = "make room, or let this user in there, then run the same command again"
        common.log.print(
            f"halluvault: {error.strerror}{what} → {way_out}", style="bold red", markup=False, soft_wrap=True
        )
        sys.exit(2)
    except UserError as error:
        if common.state.debug:
            raise
        common.tell(error)
        sys.exit(2)
