"""`halluvault results show`, `halluvault report`."""

from pathlib import Path
from typing import Annotated

import typer
from rich.markup import escape

from halluvault_tasks.cli.common import SnapshotOption, open_session, out
from halluvault_tasks.cli.scoring import NamesOption, evaluations
from halluvault_tasks.errors import UserError
from halluvault_tasks.knowledge import snapshots
from halluvault_tasks.oracles import profiles
from halluvault_tasks.results import report as reports
from halluvault_tasks.results import show as shown
from halluvault_tasks.results import stages
from halluvault_tasks.settings import settings

results = typer.Typer(no_args_is_help=True, help="Rates of a month, and how they are made.")

ProfileOption = Annotated[str, typer.Option("--profile", help="Oracle profile of the tables by domain and rule.")]


@results.command()
def show(snapshot: SnapshotOption = "", profile: ProfileOption = profiles.HEADLINE) -> None:
    """Print hallucination rates by model, by domain and by rule, with 95 % intervals.

    Example: halluvault results show --snapshot 2026-10 --profile paper/anchored
    """
    known = (*profiles.CURRENT, stages.CONSTANT_BOTH)
    if profile not in known:
        raise UserError(f"unknown profile {profile!r}", f"choose one of {', '.join(known)}")
    with open_session() as session:
        key = snapshots.find(session, snapshot).snapshot
        for table in (*shown.tables(session, key, profile), shown.rule_table(session, key, profile)):
            out.print(table)


@results.command()
def summarise(model_names: NamesOption = None, snapshot: SnapshotOption = "") -> None:
    """Compute the rows behind the views again from the verdicts, as `evaluate` and the DAG do at their end.

    Example: halluvault results summarise --model simulated/careful
    """
    with open_session() as session:
        key = snapshots.find(session, snapshot).snapshot
        for evaluation_id, name in evaluations(session, key, model_names or ()):
            counts = stages.summarise(session, evaluation_id)
            out.print(f"{escape(name)}: {counts.verdicts} verdicts, {counts.rows} rows")


def report(
    snapshot: SnapshotOption = "",
    path: Annotated[
        Path | None, typer.Option("--to", help="File to write. Default: report-MONTH.html in the state directory.")
    ] = None,
) -> None:
    """Write a month's report: one HTML file with pictures, tables and method, readable anywhere.

    Example: halluvault report --snapshot 2026-10 --to october.html
    """
    with open_session() as session:
        key = snapshots.find(session, snapshot).snapshot
        target = path or settings().state_dir / f"report-{key}.html"
        out.print(str(reports.write_report(session, key, target)), markup=False, soft_wrap=True)


def register(app: typer.Typer) -> None:
    """Add these commands to the root."""
    app.add_typer(results, name="results")
    app.command()(report)
