"""`halluvault oracle measure examiner`: a cross-examiner, or readers in its place, on labelled claims."""

from pathlib import Path
from typing import Annotated

import typer
from rich.markup import escape
from rich.table import Table

from halluvault_tasks.cli.common import log, open_session, out
from halluvault_tasks.cli.heartbeat import heartbeat
from halluvault_tasks.cli.models import registry
from halluvault_tasks.cli.parts.measure import JsonOption, percent, written
from halluvault_tasks.errors import UserError
from halluvault_tasks.oracles.cross_examination import trial
from halluvault_tasks.oracles.cross_examination.trial import LabelledSet, TrialFigures
from halluvault_tasks.oracles.measure.rates import HitShare


def examiner(
    read: Annotated[
        list[Path] | None,
        typer.Option("--read", help="A filled-in sheet, in place of the examiner; may be given several times."),
    ] = None,
    sheet: Annotated[
        Path | None,
        typer.Option("--sheet", help="Write two blank sheets, FILE.1.tsv and FILE.2.tsv, and ask nobody."),
    ] = None,
    file: Annotated[Path, typer.Option("--claims", help="Labelled claims.")] = trial.FILE,
    json_file: JsonOption = None,
) -> None:
    """Ask the examiner of models.yaml about labelled claims, half of them misread: its sensitivity and specificity.

    What it answers is stored, and stands beside every rate of its profile; what is answered is not asked again. A sheet
    has every claim one way round, the second the other; a line is ID.says or ID.otherwise, and behind a tabulator yes
    or no.

    Examples: halluvault oracle measure examiner; halluvault oracle measure examiner --read one.tsv --read two.tsv
    """
    given = trial.load(file)
    if sheet is not None:
        _write_sheets(given, sheet)
        return
    if read:
        who, found = ", ".join(path.name for path in read), trial.of_sheets(given, read)
    else:
        registered = registry()
        who = registered.examiner.model if registered.examiner else ""
        with open_session() as session, heartbeat("asking the examiner"):
            found = trial.ask(session, registered, given)
    _print(who, found)
    written(json_file, {"examiner": who, **found._asdict()})


def _write_sheets(given: LabelledSet, sheet: Path) -> None:
    for number in "12":
        path = sheet.with_name(f"{sheet.name}.{number}.tsv")
        if path.exists():
            raise UserError(f"{path} exists already, and may hold somebody's work", "give another name")
        rows = [("id", "question", "text", "asked"), *trial.sheet(given, number)]
        path.write_text("".join("\t".join(map(_cell, row)) + "\n" for row in rows), encoding="utf-8")
        log.print(f"{len(rows) - 1} questions in {path}", markup=False)


def _print(who: str, found: TrialFigures) -> None:
    table = Table("", "", title=f"{escape(who)}: {found.answered} of {found.claims} labelled claims answered")
    table.add_row("sensitivity: what the text says, upheld", _counted(found.sensitivity))
    table.add_row("specificity: what was misread, not upheld", _counted(found.specificity))
    for how, hits in found.by_kind.items():
        table.add_row(f"  rightly, of those {escape(how)}", _counted(hits))
    for pair, count in found.by_answers.items():
        table.add_row(f"  answered {escape(pair).replace('_', ' ')}", str(count))
    out.print(table)


def _counted(found: HitShare | None) -> str:
    return f"{found.hits} of {found.of}: {percent(found)}" if found else "–"


def _cell(text: str) -> str:
    return text.replace("\t", " ").replace("\n", " / ")
