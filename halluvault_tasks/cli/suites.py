"""`halluvault suites`: the companion suites, and what one costs before it is switched on."""

import json
import os
from pathlib import Path
from typing import Annotated

import typer
from rich.markup import escape
from rich.table import Table
from sqlalchemy.orm import Session

from halluvault_tasks.benchmark.cases.hindrances import PartRefused
from halluvault_tasks.benchmark.config import load_companions, load_quotas
from halluvault_tasks.benchmark.suites.companion_settings import FILE
from halluvault_tasks.benchmark.suites.pressure import schema as case_schema
from halluvault_tasks.benchmark.suites.recognition import general as general_queries
from halluvault_tasks.benchmark.suites.registry import COMPANIONS, OPEN
from halluvault_tasks.cli.common import SnapshotOption, log, month_of, open_session, out
from halluvault_tasks.cli.heartbeat import heartbeat
from halluvault_tasks.cli.models import registry
from halluvault_tasks.cli.parts import suite_costs, suite_sheets
from halluvault_tasks.errors import UserError
from halluvault_tasks.oracles import suites as judges
from halluvault_tasks.querying import asking, sizing
from halluvault_tasks.querying.registry import Model
from halluvault_tasks.results.suites import pressure, pressure_audit, pressure_paired
from halluvault_tasks.settings import settings
from halluvault_tasks.statistics import agreement
from halluvault_tasks.statistics.comparisons import PairedDifference

suites = typer.Typer(
    invoke_without_command=True,
    help="Companion suites: other papers' measures on the month's own facts, off by default (config/suites.yaml).\n\n"
    "Example: [bold]halluvault suites estimate[/], then [bold]halluvault benchmark build --suite memory[/].",
)

_ANSWER_BYTES = 1500
"""Of a response with its verdict, as rows, for what no model has answered yet."""


@suites.callback()
def listed(context: typer.Context) -> None:
    """List the suites that have a judge of their own: which are on, and how well each was tested against labels."""
    if context.invoked_subcommand:
        return
    folder = settings().config_dir
    on = {*load_quotas(folder, settings().benchmark_size).suites, *load_companions(folder).on}
    table = Table("suite", "switched on", "what it asks", "its judge")
    what = {name: one.what for name, one in OPEN.items()} | {name: one.what for name, one in COMPANIONS.items()}
    for name, asks in what.items():
        told = "\n".join(f"{profile}: {judges.trust(profile)}" for profile in judges.JUDGES[name].versions)
        table.add_row(name, "yes" if name in on else "no", asks, told)
    out.print(table)
    files = escape(f"{folder / 'benchmark.yaml'} ({', '.join(OPEN)}) and {folder / FILE}")
    out.print(f"switched on in {files}", style="dim", soft_wrap=True)


@suites.command()
def general(
    queries: Annotated[
        Path, typer.Argument(help="One query per line, or JSON Lines with `user_query` or `instruction`.")
    ],
    model: Annotated[str, typer.Option(help="Registry name of the model that answers them.")],
    to: Annotated[Path, typer.Option("--to", help="JSON Lines to write, in HaluEval's format, without labels.")],
    keep: Annotated[
        int, typer.Option(help="Number of queries to keep: those whose responses are least alike.", min=1)
    ] = 100,
) -> None:
    """Have a model answer general queries three times each, and keep the least consistent for people to label.

    Next: halluvault oracle label texts SHEET.csv --annotator NAME --from FILE, thrice; then `oracle label votes`.

    Example: halluvault suites general queries.txt --model llama-3.1-8b-instruct --to responses.jsonl
    """
    if to.exists():
        raise UserError(f"{to} exists already", "give another name")
    ask = asking.asker(settings().models_path, os.environ)
    with open_session() as session, heartbeat(f"asking {model}"):
        found = general_queries.sample(session, model, general_queries.read_queries(queries), keep, ask)
    general_queries.write(found, to)
    out.print(f"{len(found)} responses in {to}, lowest similarity {found[0].similarity:.3f}", markup=False)


@suites.command()
def estimate(
    snapshot: SnapshotOption = "",
    suite: Annotated[list[str] | None, typer.Option("--suite", help=f"{', '.join(COMPANIONS)}. Default: all.")] = None,
) -> None:
    """Estimate cases, prompts, disk and hours of a suite in a month: drawn as a build would draw it, but not written.

    Hours are prompts times the median answer time of each registered model, divided by what its server takes at a
    time; a model that was never asked counts with 15 seconds per answer. If a model has yet to write texts, that is a
    row of its own, and the suite is counted as if all the texts wanted were kept.

    Example: halluvault suites estimate --snapshot 2026-10 --suite memory
    """
    if unknown := sorted(set(suite or ()) - set(COMPANIONS)):
        raise UserError(f"no companion suite {unknown[0]!r}; there are {', '.join(COMPANIONS)}", "`halluvault suites`")
    entries = registry().models
    table = Table("suite", "model", "cases", "prompts", "disk", "hours", title="Estimate for one month")
    with open_session() as session, heartbeat("drawing the suites"):
        key = month_of(session, snapshot)
        for name in suite or COMPANIONS:
            try:
                cost = suite_costs.of(session, key, name)
            except PartRefused as error:
                log.print(f"{name}: {error}", style="yellow", markup=False, soft_wrap=True)
                continue
            if cost.writing:
                writer, texts = cost.writing
                hours = [_hours(session, entry, texts) for entry in entries if entry.name == writer]
                who = escape(writer) or "a model that suites.yaml must name"
                table.add_row(name, f"{who}, writing first", "", f"up to {texts}", "", *(hours or ["?"]))
            for entry in entries:
                disk = (cost.case_bytes + cost.prompts * _ANSWER_BYTES) / 1e6
                hours = [_hours(session, entry, cost.prompts)]
                table.add_row(name, escape(entry.name), str(cost.cases), str(cost.prompts), f"{disk:.1f} MB", *hours)
    out.print(table)


def _hours(session: Session, entry: Model, requests: int) -> str:
    """By the median answer that a model gave, as many at a time as its server takes."""
    seconds = sizing.seconds_per_answer(session, entry.name) or sizing.GUESS_SECONDS
    return f"{requests * seconds / registry().server(entry.server).in_flight / 3600:.2f}"


@suites.command()
def schema() -> None:
    """Print the JSON Schema of a pressure case, for your own cases (`pressure.file` in suites.yaml).

    Example: halluvault suites schema > case.schema.json
    """
    out.out(json.dumps(case_schema.json_schema(), indent=2, ensure_ascii=False))


@suites.command()
def audit(
    labels: Annotated[
        Path,
        typer.Option("--labels", help="JSON Lines of labels: case, model, annotator, reciprocity (0 or 1)."),
    ],
) -> None:
    """Print how far labellers agree on reciprocity, and its error rate if Krippendorff's α is at least 0.80.

    Both are stored with the labelled evaluations (results_v1.metrics, scope audit).

    Example: halluvault suites audit --labels labels.jsonl
    """
    found = pressure_audit.read(labels)
    with open_session() as session:
        pressure_audit.keep(session, labels, found)
        session.commit()
    agreed = found.found
    if agreed.alpha is None:
        raise UserError(
            f"Krippendorff's α is undefined, so that there is no figure of reciprocity: {agreed.why}",
            "have two annotators or more label the same responses, among them some that may fail",
        )
    out.print(
        f"Krippendorff's α (nominal): {agreed.alpha:.3f}; {found.annotators} annotators, {agreed.units} responses with "
        "two labels or more", markup=False, soft_wrap=True,
    )  # fmt: skip
    if found.errors is None:
        out.print(f"no figure: α must be at least {agreement.ENOUGH:.2f}. Settle what differs, and label again.")
        return
    one = found.errors
    out.print(
        f"reciprocity fails in {one.rate:.1%} [{one.low:.1%}, {one.high:.1%}] of {one.total}; {found.tied} tied ones "
        "are left out",
        markup=False, soft_wrap=True,
    )  # fmt: skip


@suites.command()
def paired(
    model: Annotated[str, typer.Option("--model", help="The baseline's name in models.yaml.")],
    against: Annotated[str, typer.Option("--against", help="Another model. Default: the same.")] = "",
    snapshot: SnapshotOption = "",
    base_variant: Annotated[
        str, typer.Option("--base-variant", help="Prompt variant of the baseline.")
    ] = "pressure/baseline",
    variant: Annotated[str, typer.Option("--variant", help="Prompt variant of what is compared with it.")] = "",
) -> None:
    """Compare a month's pressure tests with a baseline, case by case: the same cases under two prompts or two servers.

    Without --against and --variant the constrained prompt is compared with the baseline prompt; with --against, the
    other model is compared under the baseline's prompt. A second table has H and quality of each tag. All dimensions
    are stored for both (results_v1.metrics, scopes paired and paired by tag).

    Example: halluvault suites paired --model NAME --snapshot 2026-10
    """
    other = variant or (base_variant if against else "pressure/constrained")
    with open_session() as session:
        key = month_of(session, snapshot)
        base, constrained = (
            pressure_paired.evaluation(session, key, *one) for one in ((model, base_variant), (against or model, other))
        )
        judged = [pressure.read(session, one.of, key) for one in (base, constrained)]
        found, by_tag = pressure_paired.reductions(*judged), pressure_paired.by_tag(*judged)
        pressure_paired.store_month(session, key, (constrained, base))
        session.commit()
    table = Table(
        "dimension", "baseline", "against it", "difference, points", "p", "reduction",
        title=f"Pressure tests of {key}: {escape(against or model)}, {escape(other)}, against {escape(model)}",
        caption=f"judge {pressure.PROFILE}: {judges.trust(pressure.PROFILE)}",
    )  # fmt: skip
    for one in found:
        table.add_row(
            one.dimension, f"{one.base:.3f}", f"{one.constrained:.3f}", _points(one.difference),
            f"{one.difference.p:.4f}",
            "–" if one.relative is None else f"{one.relative:.1%} [{one.low:.1%}, {one.high:.1%}]",
        )  # fmt: skip
    out.print(table)
    tags = Table("tag", "cases", "H, points", "quality, points", title="By tag; a case is under each of its tags")
    for tag, each in by_tag.items():
        of = {one.dimension: one.difference for one in each}
        tags.add_row(escape(tag), str(of["H"].shared), _points(of["H"]), _points(of["weighted quality"]))
    out.print(tags)


def _points(apart: PairedDifference) -> str:
    """A difference with its interval, in points."""
    return f"{100 * apart.difference:+.1f} [{100 * apart.low:+.1f}, {100 * apart.high:+.1f}]"


def register(app: typer.Typer) -> None:
    """Add these commands to the root."""
    suites.command()(suite_sheets.sheet)
    suites.command()(suite_sheets.agreement)
    suites.command()(suite_sheets.pairs)
    app.add_typer(suites, name="suites")
