"""`halluvault oracle`: how far the oracles can be trusted, on real text and on people's labels."""

import json
from collections import Counter
from difflib import get_close_matches
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.markup import escape
from rich.table import Table

from halluvault_tasks.cli.common import SnapshotOption, log, month_of, open_session, out
from halluvault_tasks.cli.heartbeat import heartbeat
from halluvault_tasks.cli.parts.all_sets import TextsOption, opened, state
from halluvault_tasks.cli.parts.examiner import examiner
from halluvault_tasks.cli.parts.measure import JsonOption, measure, plain, written
from halluvault_tasks.cli.parts.texts import texts, votes
from halluvault_tasks.errors import UserError
from halluvault_tasks.oracles.measure import ablation
from halluvault_tasks.oracles.measure import pieces as of_pieces
from halluvault_tasks.oracles.measure import texts as measured_texts
from halluvault_tasks.results import annotation_report, annotation_sheets

oracle = typer.Typer(no_args_is_help=True, help="How far the oracles can be trusted.")
oracle.add_typer(measure, name="measure")
measure.command()(examiner)
label = typer.Typer(
    no_args_is_help=True,
    help="Blind double annotation: sheets for two people, and what their labels say about the oracles. The categories "
    f"are {', '.join(annotation_sheets.CATEGORIES)}; docs/oracle-study.md says what each means.",
)
oracle.add_typer(label, name="label")
label.command()(texts)
label.command()(votes)


@label.command()
def sheet(
    file: Annotated[Path, typer.Argument(help="CSV file to write.")],
    annotator: Annotated[str, typer.Option(help="Who fills it in; only decides the order of the rows.")],
    count: Annotated[int, typer.Option(help="How many responses.", min=1)] = 400,
    seed: Annotated[
        int, typer.Option(help="Seed of the choice: both annotators need the same one.")
    ] = annotation_sheets.SEED,
    model_names: Annotated[
        list[str] | None, typer.Option("--model", help="Registry name; several may be given.")
    ] = None,
    snapshot: SnapshotOption = "",
) -> None:
    """Write a sheet of responses without model, verdict or planted label; fill in the column `category`.

    As evenly by domain as possible; the papers set their thresholds on thirty per domain.

    Example: halluvault oracle label sheet anna.csv --annotator anna, then the same with ben.csv --annotator ben
    """
    with open_session() as session:
        key = month_of(session, snapshot)
        chosen = annotation_sheets.choose(session, key, count=count, seed=seed, models=model_names or ())
    if file.exists():
        raise UserError(f"{file} exists already, and may hold somebody's work", "give another name")
    annotation_sheets.write_sheet(chosen, file, annotator, seed)
    real = sum(one.real for one in chosen)
    out.print(f"{len(chosen)} responses of {key} in {file}, {real} of them by real models", markup=False)
    by_domain = Counter(one.domain for one in chosen)
    out.print(", ".join(f"{domain} {number}" for domain, number in sorted(by_domain.items())), markup=False)


@label.command()
def read(
    one: Annotated[Path, typer.Argument(help="The first annotator's sheet.")],
    other: Annotated[Path, typer.Argument(help="The second annotator's sheet.")],
    snapshot: SnapshotOption = "",
    json_file: Annotated[Path | None, typer.Option("--json", help="Write all figures there.")] = None,
    keep: Annotated[
        bool,
        typer.Option("--keep", help="Store the figures on real responses, for the report and the view oracle_trust."),
    ] = False,
) -> None:
    """Print how far two annotators agree, and each oracle profile's TPR and TNR where they do.

    Rows that cannot be used are named; the exit status is then 1. Rates corrected for the oracle's errors appear only
    with 200 agreed labels on real responses, 50 of the model, and a lower bound of TPR + TNR - 1 above 0.3.

    Example: halluvault oracle label read anna.csv ben.csv
    """
    with open_session() as session:
        key = month_of(session, snapshot)
        known = {shown.item: shown for shown in annotation_sheets.everything(session, key)}
        sheets = [annotation_sheets.read_sheet(path, known) for path in (one, other)]
        found = annotation_report.report(session, key, sheets[0], sheets[1], known)
        kept = annotation_report.keep(session, key, found) if keep else 0
        session.commit()
    _print_labels(found)
    if keep:
        log.print(f"kept: figures on {kept} real responses of {key}", markup=False)
    if json_file:
        json_file.write_text(json.dumps(plain(found), indent=1) + "\n", encoding="utf-8")
    faults = [fault for each in sheets for fault in each.faults]
    for fault in faults:
        log.print(fault, style="yellow", markup=False, soft_wrap=True)
    if faults:
        raise typer.Exit(1)


@oracle.command()
def ablate(
    pieces: Annotated[list[str] | None, typer.Option("--rule", help="Only this; may be given several times.")] = None,
    together: Annotated[bool, typer.Option(help="Take those of --rule out all at once.")] = False,
    workers: Annotated[int, typer.Option(help="Processes.", min=1)] = 2,
    folder: TextsOption = measured_texts.FOLDER,
    json_file: JsonOption = None,
) -> None:
    """Take each piece of reading out, alone, and print what that changes in the sets of `oracle measure all`.

    What changes nothing is to be deleted, and then all is to be tried again. A run that is stopped goes on.

    Example: halluvault oracle ablate --rule syntax.nearness.passes_over
    """
    every = of_pieces.every()
    if unknown := sorted(set(pieces or ()) - every.keys()):
        near = ", ".join(get_close_matches(unknown[0], every, 5, 0))
        raise UserError(f"there is no piece {unknown[0]!r} of reading", f"names like it: {near}")
    wanted = [tuple(pieces)] if pieces and together else [(name,) for name in pieces or sorted(every)]
    doing = "starting"

    def tell(what: str) -> None:
        nonlocal doing
        doing = what

    with heartbeat(lambda: doing), opened(folder) as urls:
        found = ablation.Ablation(state(), folder, urls).run(wanted, workers, tell)
    table = Table("without", "set", "of", "changed", "better", "worse", "lines, some", title="What each piece changes")
    for effect in found:
        name = escape(", ".join(effect.pieces))
        if effect.fault:
            table.add_row(name, escape(effect.fault), str(effect.spoken), *"–––", "")
        for set_name, each in effect.changes.items():
            table.add_row(name, escape(set_name), *map(str, each[:4]), ", ".join(map(str, each.lines)))
    out.print(table)
    idle = [one for one in found if not one.changes and not one.fault]
    out.print(f"{len(idle)} of {len(found)} change nothing; with how many texts each says anything of:")
    for one in idle:
        out.print(f"  {', '.join(one.pieces)}: {one.spoken}", markup=False, soft_wrap=True)
    written(json_file, {"pieces": found})


def _print_labels(found: annotation_report.LabelReport) -> None:
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
        rates = (_rate(plain(rate)) for rate in (each.tpr, each.tnr, each.category))
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
