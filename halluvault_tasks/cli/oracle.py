"""`halluvault oracle`: how far the oracles can be trusted, on real text, on planted faults and on people's labels."""

import json
import tempfile
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.markup import escape
from rich.table import Table

from halluvault_tasks.cli.common import SnapshotOption, log, open_session, out
from halluvault_tasks.cli.heartbeat import heartbeat
from halluvault_tasks.cli.parts.measure import SampleOption, measure, month
from halluvault_tasks.errors import UserError
from halluvault_tasks.knowledge import snapshots
from halluvault_tasks.oracles import labels, labels_report, stages
from halluvault_tasks.oracles.embedding import SentenceBert
from halluvault_tasks.oracles.study import planting, plots, report, store
from halluvault_tasks.oracles.study import run as study_run
from halluvault_tasks.settings import settings

oracle = typer.Typer(no_args_is_help=True, help="How far the oracles can be trusted.")
study = typer.Typer(
    no_args_is_help=True,
    help="Plant faults with known labels in answers to a benchmark's questions, and count what each oracle profile "
    "finds. All figures are on planted faults, not on model output.",
)
oracle.add_typer(study, name="study")
oracle.add_typer(measure, name="measure")
label = typer.Typer(
    no_args_is_help=True,
    help="Blind double annotation: sheets for two people, and what their labels say about the oracles. The categories "
    f"are {', '.join(labels.CATEGORIES)}; docs/oracle-study.md says what each means.",
)
oracle.add_typer(label, name="label")

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

    Example: halluvault oracle study run development --json /tmp/development.json
    """
    name = _part(part)
    embed = SentenceBert(settings().embedding_model)
    hash_ = store.oracle_hash(settings().config_dir, settings().prolog_dir, embed.name)
    with month(use_sample, snapshot) as made:
        log.print(f"judging part {name} …", style="dim")
        judge = partial(stages.judge, made.session, made.snapshot, embed=embed)
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


@study.command()
def ablate(
    use_sample: SampleOption = True,
    snapshot: SnapshotOption = "",
    seed: Annotated[int, typer.Option(help="Of plan, texts and the words dropped.")] = planting.SEED,
    limit: Annotated[int, typer.Option(help="Judge a sample of so many; 0: all.", min=0)] = 400,
) -> None:
    """Judge the development part with 100, 75, 50, 25 and 0 % of the oracle's wordings, and keep the curve.

    Example: halluvault oracle study ablate --limit 400
    """
    chosen = settings()
    embed = SentenceBert(chosen.embedding_model)
    hash_ = store.oracle_hash(chosen.config_dir, chosen.prolog_dir, embed.name)
    with month(use_sample, snapshot) as made, tempfile.TemporaryDirectory() as scratch:

        def judge(items: Sequence[stages.Item], directory: Path) -> list[dict[str, Any]]:
            log.print(f"judging with {directory.name} …", style="dim")
            with heartbeat(f"judging with {directory.name}"):
                return stages.judge(made.session, made.snapshot, items, embed=embed, config_dir=directory)

        found = study_run.ablate(
            made.session, made.snapshot, judge=judge, hash_=hash_, config_dir=chosen.config_dir,
            scratch=Path(scratch), seed=seed, limit=limit,
        )  # fmt: skip
    table = Table("wordings left", "profile", "precision", "recall", "category", title=report.NOTICE)
    for point in found.figures["points"]:
        rates = (_rate(point["figures"][name]) for name in ("precision", "recall", "category"))
        table.add_row(f"{100 * point['share']:.0f} %", escape(point["profile"]), *rates)
    out.print(table)


@study.command(name="report")
def write_report(
    directory: Annotated[Path, typer.Argument(help="Where report.md, study.json and pictures are written.")],
    use_sample: SampleOption = True,
    oracle_version: Annotated[str, typer.Option(help="First digits of a version; empty: the newest run's.")] = "",
) -> None:
    """Write the stored runs of one oracle version as Markdown, JSON and SVG pictures; nothing is judged.

    Example: halluvault oracle study report /tmp/oracle-study
    """
    with month(use_sample, "") as made:
        runs = store.kept(made.session, oracle_version)
    if not runs:
        raise UserError(f"no run of the study is stored{f' for {oracle_version}' if oracle_version else ''}",
                        "`halluvault oracle study run development` makes one")  # fmt: skip
    directory.mkdir(parents=True, exist_ok=True)
    pictures: dict[str, str] = {}
    curve: list[dict[str, Any]] = []
    for each in runs:
        pictures[each.part] = f"{each.part}.svg"
        if each.part == "ablation":
            curve = each.figures["points"]
            drawn = plots.ablation(curve, each.part)
        else:
            drawn = plots.recall_by_fault(report.judged(each), each.part)
        (directory / pictures[each.part]).write_text(drawn, encoding="utf-8")
    parts = [each for each in runs if each.part != "ablation"]
    (directory / "report.md").write_text(report.markdown(parts, curve, pictures), encoding="utf-8")
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

    Example: halluvault oracle study texts development > development.jsonl
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


@label.command()
def sheet(
    file: Annotated[Path, typer.Argument(help="CSV file to write.")],
    annotator: Annotated[str, typer.Option(help="Who fills it in; decides the order of the rows, nothing else.")],
    count: Annotated[int, typer.Option(help="How many responses.", min=1)] = 400,
    seed: Annotated[int, typer.Option(help="Of the choice: both annotators need the same.")] = planting.SEED,
    model_names: Annotated[
        list[str] | None, typer.Option("--model", help="Registry name; several may be given.")
    ] = None,
    snapshot: SnapshotOption = "",
) -> None:
    """Write a sheet of responses without model, verdict or planted label; fill in the column `category`.

    Example: halluvault oracle label sheet anna.csv --annotator anna, then the same with ben.csv --annotator ben
    """
    with open_session() as session:
        key = snapshots.find(session, snapshot).snapshot
        chosen = labels.choose(session, key, count=count, seed=seed, models=model_names or ())
    if file.exists():
        raise UserError(f"{file} exists already, and may hold somebody's work", "give another name")
    labels.write_sheet(chosen, file, annotator, seed)
    real = sum(one.real for one in chosen)
    out.print(f"{len(chosen)} responses of {key} in {file}, {real} of them by real models", markup=False)


@label.command()
def read(
    one: Annotated[Path, typer.Argument(help="The first annotator's sheet.")],
    other: Annotated[Path, typer.Argument(help="The second annotator's sheet.")],
    snapshot: SnapshotOption = "",
    json_file: Annotated[Path | None, typer.Option("--json", help="Write all figures there.")] = None,
) -> None:
    """Print how far two annotators agree, and each oracle profile's TPR and TNR where they do.

    Rows that cannot be used are named; the exit status is then 1. Rates corrected for the oracle's errors appear only
    with 200 agreed labels on real responses, 50 of the model, and TPR + TNR - 1 surely above 0.3.

    Example: halluvault oracle label read anna.csv ben.csv
    """
    with open_session() as session:
        key = snapshots.find(session, snapshot).snapshot
        known = {shown.item: shown for shown, _ in labels.everything(session, key)}
        sheets = [labels.read_sheet(path, known) for path in (one, other)]
        found = labels_report.report(session, key, sheets[0], sheets[1], known)
    _print_labels(found)
    if json_file:
        json_file.write_text(json.dumps(study_run.as_json(found), indent=1) + "\n", encoding="utf-8")
    faults = [fault for each in sheets for fault in each.faults]
    for fault in faults:
        log.print(fault, style="yellow", markup=False, soft_wrap=True)
    if faults:
        raise typer.Exit(1)


def _print_labels(found: labels_report.LabelReport) -> None:
    agreed = found.agreement
    out.print(
        f"{agreed.items} responses labelled by both, {agreed.same} alike; {found.real} agreed labels on real ones"
    )
    table = Table("labels", "Krippendorff's α", "Cohen's κ", title="Agreement of the two annotators")
    table.add_row("categories", _figure(agreed.alpha), _figure(agreed.kappa))
    table.add_row("hallucination or not", _figure(agreed.alpha_binary), _figure(agreed.kappa_binary))
    out.print(table)
    table = Table("profile", "version", "responses", "TPR", "TNR", "category", title="Oracles, where both agree")
    for each in found.qualities:
        rates = (_rate(study_run.as_json(rate)) for rate in (each.tpr, each.tnr, each.category))
        table.add_row(escape(each.profile), each.version, str(each.items), *rates)
    table.add_row("constant hallucination", "baseline", "", "100.0", "0.0", "")
    out.print(table)
    table = Table("model", "profile", "measured", "corrected", title="Rates corrected after Rogan and Gladen")
    for profile, one in found.corrected:
        shown = one.reason
        if one.rate is not None and one.low is not None and one.high is not None:
            shown = f"{100 * one.rate:.1f} [{100 * one.low:.1f}–{100 * one.high:.1f}]"
        table.add_row(escape(one.model), escape(profile), f"{100 * one.measured:.1f}", escape(shown))
    out.print(table)


def _figure(value: float | None) -> str:
    return "–" if value is None else f"{value:.3f}"


def _rate(rate: dict[str, Any] | None) -> str:
    if rate is None:
        return "–"
    return f"{100 * rate['rate']:.1f} [{100 * rate['low']:.1f}–{100 * rate['high']:.1f}]"


def register(app: typer.Typer) -> None:
    """Add these commands to the root."""
    app.add_typer(oracle, name="oracle")
