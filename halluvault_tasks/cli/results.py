"""`halluvault results`, `halluvault report`."""

import json
from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer
from rich.markup import escape
from sqlalchemy.orm import Session

from halluvault_tasks.cli.common import SnapshotOption, log, month_of, open_session, out
from halluvault_tasks.cli.parts import mitigation
from halluvault_tasks.cli.scoring import NamesOption, evaluations
from halluvault_tasks.oracles import profiles, suites
from halluvault_tasks.results import alerts as alerting
from halluvault_tasks.results import comparing, figures, headlines, leaderboard, read, regression_gate, stages
from halluvault_tasks.results import report as reports
from halluvault_tasks.results import show as shown
from halluvault_tasks.results.export import formats
from halluvault_tasks.results.items import shown as item_tables
from halluvault_tasks.results.items import stages as item_stages
from halluvault_tasks.settings import settings
from halluvault_tasks.untrusted import visible

results = typer.Typer(no_args_is_help=True, help="Rates of a month, and how they are computed.")

_PAIRS_SHOWN = 30

ProfileOption = Annotated[str, typer.Option("--profile", help="Oracle profile of the tables by domain and rule.")]


@results.command()
def show(
    snapshot: SnapshotOption = "",
    profile: ProfileOption = profiles.HEADLINE,
    every: Annotated[
        bool, typer.Option("--all", help="All tables: by oracle, suite, domain and rule, and the companion suites.")
    ] = False,
    as_json: Annotated[bool, typer.Option("--json", help="The leaderboard's rows as JSON.")] = False,
) -> None:
    """Print the leaderboard of a month; with --all every rate by model, suite, domain and rule, with 95 % intervals.

    Examples: halluvault results show --snapshot 2026-10;
    halluvault results show --all --profile paper/anchored
    """
    if profile != profiles.CONSTANT.constant:
        profiles.named(profile)
    with open_session() as session:
        key = _judged(session, snapshot)
        if as_json:
            rows = [asdict(row) for row in leaderboard.of_month(session, key)]
            out.print_json(json.dumps({"snapshot": key, "leaderboard": rows}))
            return
        out.print(shown.board(session, key))
        if not every and profile == profiles.HEADLINE:
            log.print("--all: by oracle, suite, domain and rule, and companion suites", style="dim", markup=False)
            return
        for table in (*shown.tables(session, key, profile), shown.rule_table(session, key, profile)):
            out.print(table)


@results.command()
def summarise(model_names: NamesOption = None, snapshot: SnapshotOption = "") -> None:
    """Recompute the rows behind the views from the verdicts, as `evaluate` and the DAG do at their end.

    Example: halluvault results summarise --model simulated/careful
    """
    with open_session() as session:
        key = month_of(session, snapshot)
        for evaluation_id, name in evaluations(session, key, model_names or ()):
            counts = stages.summarise(session, evaluation_id)
            out.print(f"{escape(name)}: {counts.verdicts} verdicts, {counts.rows} rows")


@results.command()
def compare(snapshot: SnapshotOption = "") -> None:
    """Compare the models of a month pairwise, and each with the previous month, as the DAG does at its end.

    Example: halluvault results compare --snapshot 2026-10
    """
    with open_session() as session:
        key = _judged(session, snapshot)
        counts = comparing.compare(session, key)
        without = headlines.of_month(session, key)
        otherwise = comparing.otherwise_judged(session, key)
        pairs = leaderboard.pairs(session, key, _PAIRS_SHOWN + 1)
    if pairs:
        out.print(shown.compared(pairs[:_PAIRS_SHOWN]))
    if len(pairs) > _PAIRS_SHOWN:
        log.print(f"the {_PAIRS_SHOWN} surest; all are in results_v1.pairs", style="dim", markup=False)
    for one in without:
        log.print(f"not compared: {one}", markup=False, soft_wrap=True)
    for other in otherwise:
        log.print(f"not compared: {other} → {other.way_out(key)}", markup=False, soft_wrap=True)
    out.print(
        f"{counts.models} comparisons of two models, of all suites and oracles, {counts.months} with the month before"
    )


@results.command()
def items(
    snapshot: SnapshotOption = "",
    variant: Annotated[
        str, typer.Option("--variant", help="Prompt and route, as in the views; empty: that of most models.")
    ] = "",
) -> None:
    """Estimate how hard strata and properties are, and how able the models; from 30 models on, single questions, too.

    A logistic model with a floor: who does not know is right half of the time. Replaces the month's figures, which the
    view `results_v1.items`, the page and the report show. Real models count alone where there is one.

    Example: halluvault results items --snapshot 2026-10
    """
    with open_session() as session:
        found = item_stages.measure(session, _judged(session, snapshot), variant)
    for table in item_tables.tables(found):
        out.print(table)
    for note in item_tables.notes(found):
        out.print(note, markup=False, soft_wrap=True)


@results.command()
def gate(
    model: Annotated[str, typer.Option("--model", help="Model to be judged: NAME, or NAME@MONTH.")],
    baseline: Annotated[
        list[str], typer.Option("--baseline", help="Model to compare with: NAME or NAME@MONTH; may be repeated.")
    ],
    max_regression: Annotated[
        float, typer.Option("--max-regression", help="How much higher the rate may be: 0.02 is two points.")
    ] = 0.02,
    snapshot: SnapshotOption = "",
    profile: ProfileOption = profiles.HEADLINE,
    suite: Annotated[str, typer.Option("--suite", help="The headline, or one suite.")] = figures.HEADLINE,
    variant: Annotated[str, typer.Option("--variant", help="Prompt variant, if a model was asked in several.")] = "",
) -> None:
    """Exit 0 if the model is shown to be no worse, 1 if it is shown to be worse, 3 if more questions are needed.

    Exit 4: one of the two has no rate, since too little was delivered or read. Exit 2 is bad input. With several
    baselines p is adjusted after Holm.

    Example: halluvault results gate --model new --baseline old --max-regression 0.02
    """
    with open_session() as session:
        terms = regression_gate.GateTerms(max_regression, profile, suite, snapshot, variant)
        judged = regression_gate.judge(session, model, baseline, terms)
    if suites.planted_only(suite):
        log.print(f"suite {suite}: {suites.trust(profile)}", markup=False, soft_wrap=True)
    for one in judged:
        out.print(visible(f"{model}: {one}"), markup=False, soft_wrap=True)
    raise typer.Exit(int(regression_gate.outcome(judged)))


@results.command()
def alerts(snapshot: SnapshotOption = "") -> None:
    """Print what config/alerts.yaml would report for a month; nothing is sent or stored.

    Example: halluvault results alerts --snapshot 2026-10
    """
    path = settings().config_dir / "alerts.yaml"
    rules = alerting.load(path).alerts
    if not path.exists():
        log.print(f"there is no {path}, so no alert: config/alerts.yaml of the source is one to begin with",
                  style="yellow", markup=False, soft_wrap=True)  # fmt: skip
    with open_session() as session:
        found = alerting.judge(session, _judged(session, snapshot), rules)
    for one in found:
        out.print(f"{one.kind}: {one.message} → {one.way_out}", markup=False, soft_wrap=True)
    out.print(f"{len(found)} alerts")


@results.command()
def export(
    to: Annotated[str, typer.Option("--to", help=f"One of {', '.join(formats.FORMATS)}.")],
    output: Annotated[Path, typer.Option("--output", help="Folder to write; an earlier export there is replaced.")],
    snapshot: SnapshotOption = "",
) -> None:
    """Write a month's results as files: metrics, pairs, trend, cost, cases, responses, verdicts; or logs for inspect.

    A bundle holds the questions, answers, verdicts and figures, and verify.py, which recomputes every rate without
    HalluVault: for whoever doubts them.

    Examples: halluvault results export --to parquet --output october;
    halluvault results export --to bundle --output check && python3 check/verify.py --proofs 20
    """
    with open_session() as session:
        written = formats.export(session, _judged(session, snapshot), to, output)
    for name, rows in written.rows.items():
        out.print(visible(f"{name}: {rows} rows"), markup=False, soft_wrap=True)
    out.print(visible(f"in {written.folder}"), markup=False, soft_wrap=True)


def report(
    snapshot: SnapshotOption = "",
    path: Annotated[
        Path | None,
        typer.Option("--output", "--to", help="File to write. Default: report-MONTH.html in the state directory."),
    ] = None,
    kind: Annotated[str, typer.Option("--format", help="html, or md: short, for a pull request.")] = "html",
) -> None:
    """Write a month's report: one HTML file with pictures, tables and method, readable anywhere; or Markdown.

    Example: halluvault report --snapshot 2026-10 --output october.html
    """
    with open_session() as session:
        key = _judged(session, snapshot)
        target = path or settings().state_dir / f"report-{key}.{kind}"
        out.print(str(reports.write_report(session, key, target, kind)), markup=False, soft_wrap=True)


def _judged(session: Session, snapshot: str) -> str:
    """Exact key of the month whose results are meant; says so where a newer revision waits for its own."""
    key, newest = read.meant(session, snapshot), month_of(session, snapshot)
    if key != newest:
        log.print(f"{newest} has no results yet; this is {key}", markup=False, soft_wrap=True)
    return key


def register(app: typer.Typer) -> None:
    """Add these commands to the root."""
    mitigation.register(results)
    app.add_typer(results, name="results")
    app.command()(report)
