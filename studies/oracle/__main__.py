"""`python -m studies.oracle`: plant faults with known labels, and count what each oracle profile finds."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.markup import escape
from rich.table import Table

from halluvault_tasks import cli
from halluvault_tasks.cli.common import SnapshotOption, log, out
from halluvault_tasks.cli.heartbeat import heartbeat
from halluvault_tasks.cli.parts.measure import SampleOption, month
from halluvault_tasks.errors import UserError
from halluvault_tasks.oracles import stages
from halluvault_tasks.oracles.embedding import SentenceBert
from halluvault_tasks.oracles.scorer import Scorer
from halluvault_tasks.oracles.unjudged import UnstoredText
from halluvault_tasks.settings import settings
from studies.oracle import planting, plots, report, store
from studies.oracle import run as study_run

study = typer.Typer(
    no_args_is_help=True,
    help="Plant faults with known labels in answers to a benchmark's questions, and count what each oracle profile "
    "finds. All figures are on planted faults, not on model output.",
)

PartArgument = Annotated[
    str,
    typer.Argument(
        help="development (run it as often as you like), kept_back (other properties, entities and styles; once per "
        "oracle version), or hand_written."
    ),
]


def _part(name: str) -> planting.PartName:
    if name not in planting.PARTS:
        raise UserError(f"there is no part {name!r}; the parts are {', '.join(planting.PARTS)}", "name one of them")
    return name


@study.command()
def run(
    part: PartArgument = "development",
    use_sample: SampleOption = True,
    snapshot: SnapshotOption = "",
    seed: Annotated[int, typer.Option(help="Of plan and texts.")] = planting.SEED,
    limit: Annotated[int, typer.Option(help="Judge only the first so many, without storing; 0: all.", min=0)] = 0,
    json_file: Annotated[Path | None, typer.Option("--json", help="Write all figures there.")] = None,
) -> None:
    """Judge one part with every profile and print precision, recall and categories beside baselines.

    Needs a benchmark: the bundled sample's by default, which starts an embedded Postgres; no model is asked.

    Example: python -m studies.oracle run development --json development.json
    """
    name = _part(part)
    embed = SentenceBert(settings().embedding_model)
    hash_ = store.oracle_hash(settings().config_dir, settings().prolog_dir, embed.name)
    with month(use_sample, snapshot) as made:
        log.print(f"judging part {name} …", style="dim")

        def judge(items: Sequence[UnstoredText]) -> list[dict[str, Any]]:
            return stages.judge(items, Scorer(made.session, made.snapshot, embed))

        with heartbeat(f"judging part {name}"):
            found = study_run.run(made.session, made.snapshot, name, judge=judge, hash_=hash_, seed=seed, limit=limit)
    if found.repeated:
        log.print(
            f"part {name} has been run with this oracle version (at {found.ran_at:%Y-%m-%d %H:%M} UTC); "
            "these are its figures, nothing was judged again",
            style="yellow",
        )
    _print(found)
    if json_file:
        json_file.write_text(json.dumps(study_run.as_json(found), indent=1, default=str) + "\n", encoding="utf-8")


@study.command(name="report")
def write_report(
    directory: Annotated[Path, typer.Argument(help="Where report.md, study.json and pictures are written.")],
    use_sample: SampleOption = True,
    oracle_version: Annotated[str, typer.Option(help="First digits of a version; empty: the newest run's.")] = "",
) -> None:
    """Write the stored runs of one oracle version as Markdown, JSON and SVG pictures; nothing is judged.

    Example: python -m studies.oracle report oracle-study
    """
    with month(use_sample, "") as made:
        runs = store.kept(made.session, oracle_version)
    if not runs:
        raise UserError(f"no run of the study is stored{f' for {oracle_version}' if oracle_version else ''}",
                        "`python -m studies.oracle run development` makes one")  # fmt: skip
    directory.mkdir(parents=True, exist_ok=True)
    pictures: dict[str, str] = {}
    for each in runs:
        pictures[each.part] = f"{each.part}.svg"
        drawn = plots.recall_by_fault(report.judged(each), each.part)
        (directory / pictures[each.part]).write_text(drawn, encoding="utf-8")
    (directory / "report.md").write_text(report.markdown(runs, pictures), encoding="utf-8")
    content = json.dumps([study_run.as_json(each) for each in runs], indent=1, default=str, ensure_ascii=False)
    (directory / "study.json").write_text(content + "\n", encoding="utf-8")
    out.print(f"{', '.join(each.part for each in runs)}: {directory / 'report.md'}", markup=False)


@study.command()
def texts(
    part: PartArgument = "development",
    use_sample: SampleOption = True,
    snapshot: SnapshotOption = "",
    seed: Annotated[int, typer.Option(help="Of plan and texts.")] = planting.SEED,
) -> None:
    """Print the planted responses of a part as JSON lines: case, question, text, fault, planted category.

    Example: python -m studies.oracle texts development > development.jsonl
    """
    with month(use_sample, snapshot) as made:
        for one in planting.plant(made.session, made.snapshot, _part(part), seed):
            typer.echo(json.dumps(one._asdict() | {"fault": one.fault.value}, ensure_ascii=False))


def _print(found: store.Study) -> None:
    reports = found.figures["reports"]
    out.print(f"[bold]{found.responses} responses[/], part {found.part}, on planted faults, not on model output")
    out.print(f"oracle version {found.oracle_hash[:16]}, plan {found.plan_hash[:16]}, snapshot {found.snapshot}")
    table = Table(
        "profile", "precision", "recall", "right answer: precision", "recall", "category", "false alarms", "verbose",
        "coverage", title="Rates with 95 % intervals (Wilson, clustered by seed fact)",
    )  # fmt: skip
    for each in reports:
        whole, right = each["all"], each["right_answer"]
        table.add_row(
            escape(each["profile"]),
            *map(_rate, (whole["precision"], whole["recall"], right["precision"], right["recall"], whole["category"])),
            *map(_rate, (whole["false_alarms"], each["verbose"])),
            "–" if whole["coverage"] is None else f"{100 * whole['coverage']:.0f} %",
        )
    out.print(table)
    judged = report.judged(found)
    table = Table("fault", "n", *(escape(each["profile"]) for each in judged), title="Flagged / category right")
    for position, row in enumerate(judged[0]["faults"] if judged else []):
        cells = [each["faults"][position] for each in judged]
        table.add_row(row["key"], str(row["total"]), *(f"{cell['flagged']} / {cell['category']}" for cell in cells))
    out.print(table)


def _rate(rate: dict[str, Any] | None) -> str:
    if rate is None:
        return "–"
    return f"{100 * rate['rate']:.1f} [{100 * rate['low']:.1f}–{100 * rate['high']:.1f}]"


if __name__ == "__main__":
    cli.run(study)
