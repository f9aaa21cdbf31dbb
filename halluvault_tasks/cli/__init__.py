"""The `halluvault` command: every stage by hand, for engineers who work without Airflow.

Results go to stdout, everything else to stderr. A `UserError` is one line and exit status 2; `--debug` adds the
traceback.
"""

import importlib
import pkgutil
import sys

import typer

from halluvault_tasks.cli import common
from halluvault_tasks.errors import UserError

app = typer.Typer(
    name="halluvault",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode="rich",
    help="Measure how often and how language models contradict facts.\n\n"
    "A month by hand: [bold]pull[/] → [bold]derive run[/] → [bold]temporal run[/] → [bold]benchmark build[/] → "
    "[bold]evaluate[/] → [bold]results show[/]. Each may be killed and run again.",
)


@app.callback()
def _root(debug: bool = typer.Option(False, "--debug", help="Show tracebacks of errors.")) -> None:
    common.state.debug = debug


def _register() -> None:
    for module in sorted(m.name for m in pkgutil.iter_modules(__path__) if m.name != "common"):
        importlib.import_module(f"{__name__}.{module}").register(app)


def main() -> None:
    """Entry point of the console script."""
    _register()
    try:
        app()
    except UserError as error:
        if common.state.debug:
            raise
        common.log.print(f"halluvault: {error}", style="bold red", markup=False, highlight=False, soft_wrap=True)
        sys.exit(2)
