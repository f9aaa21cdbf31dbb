"""`halluvault oracle label texts` and `votes`: what people say of a companion suite's texts."""

from pathlib import Path
from typing import Annotated

import typer
from rich.markup import escape
from rich.table import Table
from sqlalchemy.orm import Session

from halluvault_tasks.benchmark.suites.recognition import general
from halluvault_tasks.cli.common import SnapshotOption, log, month_of, open_session, out
from halluvault_tasks.errors import UserError
from halluvault_tasks.results import annotation_sheets, suite_annotations
from halluvault_tasks.results.suite_annotations import TextToLabel

SuiteOption = Annotated[str, typer.Option("--suite", help="Companion suite whose responses are labelled.")]
FromOption = Annotated[
    Path | None, typer.Option("--from", help="What `halluvault suites general` wrote, in place of a suite's responses.")
]


def texts(
    file: Annotated[Path, typer.Argument(help="CSV file to write.")],
    annotator: Annotated[str, typer.Option(help="Who fills it in; only decides the order of the rows.")],
    suite: SuiteOption = "",
    source: FromOption = None,
    count: Annotated[int, typer.Option(help="How many texts.", min=1)] = 200,
    seed: Annotated[
        int, typer.Option(help="Seed of the choice: all labellers need the same one.")
    ] = annotation_sheets.SEED,
    snapshot: SnapshotOption = "",
) -> None:
    """Write a sheet of texts without model or verdict; fill in `hallucination` (Yes or No) and the words at fault.

    Example: halluvault oracle label texts anna.csv --annotator anna --suite memory_external
    """
    if source is not None:
        found = _of_file(source)[:count]
    else:
        with open_session() as session:
            found = suite_annotations.items(session, *_asked(session, snapshot, suite), count, seed)
    suite_annotations.write(found, file, annotator, seed)
    out.print(f"{len(found)} texts in {file}", markup=False)


def votes(
    sheets: Annotated[list[Path], typer.Argument(help="One filled sheet per labeller.")],
    suite: SuiteOption = "",
    source: FromOption = None,
    gold: Annotated[
        Path | None,
        typer.Option(help="A sheet known to be right: labellers who agree with less than 80 % of it do not count."),
    ] = None,
    to: Annotated[
        Path | None, typer.Option("--to", help="With --from: write the majority's labels, in HaluEval's format.")
    ] = None,
    keep: Annotated[
        bool, typer.Option("--keep", help="With --suite: store the labels for the suite's figures.")
    ] = False,
    snapshot: SnapshotOption = "",
) -> None:
    """Print how far labellers agree (Fleiss' κ) and what most of them say.

    Example: halluvault oracle label votes anna.csv ben.csv carl.csv --suite memory_external --keep
    """
    with open_session() as session:
        of_file = _of_file(source) if source is not None else None
        found = of_file or suite_annotations.items(session, *_asked(session, snapshot, suite), 10**9, 0)
        known = {one.id: one for one in found}
        read = [suite_annotations.read(path, known) for path in sheets]
        agreement = suite_annotations.agree(read, suite_annotations.read(gold, known) if gold else None)
        if (keep or to is not None) and len(agreement.admitted) < suite_annotations.LEAST_LABELLERS:
            _print(agreement, len(sheets))
            raise UserError(
                f"{len(agreement.admitted)} labellers are admitted, of the three that HELMA has: nothing is stored",
                "have another one label; without --keep and --to the agreement alone is printed",
            )
        if keep and of_file is None:
            kept = suite_annotations.keep(session, known, read, agreement)
            session.commit()
            log.print(f"kept: {kept} labels; `halluvault results summarise` computes the figures anew", markup=False)
    _print(agreement, len(sheets))
    if to is not None and source is not None:
        said = {known[item].key[1]: (label, _spans(read, item, label)) for item, label in agreement.labels.items()}
        lines = general.write(general.read(source), to, said)
        out.print(f"{lines} labelled responses in {to}", markup=False)
    faults = [fault for one in read for fault in one.faults]
    for fault in faults:
        log.print(fault, style="yellow", markup=False, soft_wrap=True)
    if faults:
        raise typer.Exit(1)


def _asked(session: Session, snapshot: str, suite: str) -> tuple[str, str]:
    if not suite:
        raise UserError("neither --suite nor --from is given", "name a companion suite, or a file")
    return month_of(session, snapshot), suite


def _of_file(file: Path) -> list[TextToLabel]:
    return [TextToLabel(("general", one.id), one.query, one.response) for one in general.read(file)]


def _spans(sheets: list[suite_annotations.Sheet], item: str, label: str) -> list[str]:
    """The words that those marked who are with the majority, each once."""
    mine = [one.labels[item] for one in sheets if item in one.labels and one.labels[item].label == label]
    return list(dict.fromkeys(span for one in mine for spans in one.spans.values() for span in spans))


def _print(found: suite_annotations.SheetAgreement, sheets: int) -> None:
    table = Table("", "", title="Labels of texts", show_header=False)
    table.add_row("labellers admitted", f"{len(found.admitted)} of {sheets}")
    for name, share in sorted(found.agreed.items()):
        table.add_row(f"{escape(name)} agrees with the known sheet", f"{100 * share:.1f} %")
    table.add_row("texts that all labelled", str(found.items))
    table.add_row("Fleiss' κ", "–" if found.kappa is None else f"{found.kappa:.3f}")
    yes = sum(label == suite_annotations.YES for label in found.labels.values())
    table.add_row("hallucination, by most", f"{yes} of {len(found.labels)}")
    table.add_row("ties, without a label", str(found.ties))
    out.print(table)
