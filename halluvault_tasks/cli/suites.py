"""`halluvault suites`: the companion suites, and what one costs before it is switched on."""

import json
from typing import Annotated, NamedTuple

import typer
from rich.markup import escape
from rich.table import Table
from sqlalchemy.orm import Session

from halluvault_tasks.benchmark import companions, config
from halluvault_tasks.benchmark.cases import COMPANIONS, CompanionName
from halluvault_tasks.benchmark.freeze.parts import PartRefused
from halluvault_tasks.benchmark.material import Material
from halluvault_tasks.benchmark.prompts import templates, variants
from halluvault_tasks.benchmark.suites import registry as registry_of
from halluvault_tasks.cli.common import SnapshotOption, log, open_session, out
from halluvault_tasks.cli.heartbeat import heartbeat
from halluvault_tasks.cli.models import registry
from halluvault_tasks.errors import UserError
from halluvault_tasks.knowledge import snapshots
from halluvault_tasks.querying import sizing
from halluvault_tasks.settings import settings

suites = typer.Typer(
    invoke_without_command=True,
    help="Companion suites: measures of other papers on the month's own facts, off by default (config/suites.yaml).\n\n"
    "Example: [bold]halluvault suites estimate[/], then [bold]halluvault benchmark build --suite memory[/].",
)

_WHAT: dict[CompanionName, str] = {
    "memory": "pairs that a model knows singly, matched in sets (memory consistency, internal)",
    "recognition": "whether a text holds what is not factual, in pairs of a right and a false one (HELMA)",
}
_ANSWER_BYTES = 1500
"""Of a response with its verdict, as rows, for what no model has answered yet."""


@suites.callback()
def listed(context: typer.Context) -> None:
    """List the suites: which are on, and which months have a part."""
    if context.invoked_subcommand:
        return
    on = companions.load(settings().config_dir).on
    table = Table("suite", "switched on", "what it asks")
    for name in COMPANIONS:
        table.add_row(name, "yes" if name in on else "no", _WHAT[name])
    out.print(table)
    out.print(f"switched on in {escape(str(settings().config_dir / companions.FILE))}", style="dim")


class Cost(NamedTuple):
    """What a suite would cost in a month."""

    cases: int
    prompts: int
    """Of one model: every case in every variant that it has a prompt in, at every temperature."""
    case_bytes: int


@suites.command()
def estimate(
    snapshot: SnapshotOption = "",
    suite: Annotated[list[str] | None, typer.Option("--suite", help=f"{', '.join(COMPANIONS)}. Default: all.")] = None,
) -> None:
    """Say cases, prompts, disk and hours of a suite in a month; it is drawn as a build would draw it, and not written.

    Hours are prompts times the median answer of each registered model, by as many at a time as its server takes; of a
    model that was never asked, 15 seconds an answer are taken.

    Example: halluvault suites estimate --snapshot 2026-10 --suite memory
    """
    if unknown := sorted(set(suite or ()) - set(COMPANIONS)):
        raise UserError(f"no companion suite {unknown[0]!r}; there are {', '.join(COMPANIONS)}", "`halluvault suites`")
    entries = registry().models
    table = Table("suite", "model", "cases", "prompts", "disk", "hours", title="What a month would take")
    with open_session() as session, heartbeat("drawing the suites"):
        key = snapshots.find(session, snapshot).snapshot
        for name in suite or COMPANIONS:
            try:
                cost = _cost(session, key, name)
            except PartRefused as error:
                log.print(f"{name}: {error}", style="yellow", markup=False, soft_wrap=True)
                continue
            for entry in entries:
                seconds = sizing.seconds_per_answer(session, entry.name) or sizing.GUESS_SECONDS
                home = registry().server(entry.server)
                hours = cost.prompts * seconds / home.in_flight / 3600
                disk = (cost.case_bytes + cost.prompts * _ANSWER_BYTES) / 1e6
                table.add_row(
                    name, escape(entry.name), str(cost.cases), str(cost.prompts), f"{disk:.1f} MB", f"{hours:.2f}"
                )
    out.print(table)


def _cost(session: Session, snapshot: str, name: str) -> Cost:
    configured = config.load(settings().config_dir, settings().benchmark_size)
    material = Material(session, snapshots.get(session, snapshot), configured.lexicon)
    (wanted,) = registry_of.chosen([name])
    made = wanted.make(material, wanted.configured(configured), frozenset(), None)
    needed = [templates.needs(variants.parse(name).template) for name in wanted.variants]
    asked = sum(texts <= set(case.fact) for texts in needed for case in made.cases)
    prompts = asked * len(made.counts.get("temperatures", (None,)))
    size = sum(
        len(case.question) + len(case.proof) + len(json.dumps([case.fact, case.premises])) for case in made.cases
    )
    return Cost(len(made.cases), prompts, size)


def register(app: typer.Typer) -> None:
    """Add these commands to the root."""
    app.add_typer(suites, name="suites")
