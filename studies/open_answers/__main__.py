"""`python -m studies.open_answers`: judge answers of files, draw a blind sheet of them, and read its labels back."""

from collections import Counter
from pathlib import Path
from typing import Annotated

import typer
from rich.table import Table

from halluvault_tasks import cli
from halluvault_tasks.cli.common import SnapshotOption, month_of, open_session, out
from halluvault_tasks.errors import UserError
from halluvault_tasks.results.suite_sheets import Agreed
from studies.open_answers import answers, labelled
from studies.open_answers.answers import JudgedAnswer

study = typer.Typer(no_args_is_help=True, help="Hold the judge of open answers against blind labels.")

Files = Annotated[
    list[Path], typer.Argument(help=f"Answers by tabs: {', '.join(answers.COLUMNS)}; one file an answerer.")
]
Folder = Annotated[Path, typer.Option("--folder", help="Of the sheet.")]


def _judged(files: list[Path], snapshot: str) -> list[JudgedAnswer]:
    with open_session() as session:
        return answers.judge(session, month_of(session, snapshot), answers.read(files))


@study.command("verdicts")
def verdicts(
    files: Files, snapshot: SnapshotOption = "", only: Annotated[str, typer.Option(help="Show those.")] = ""
) -> None:
    """Print how many answers have which verdict, by answerer, and with --only the answers of one.

    Example: python -m studies.open_answers verdicts small.tsv large.tsv --only unjudged
    """
    judged = _judged(files, snapshot)
    counts = Counter((one.given.answerer, one.label) for one in judged)
    table = Table("answerer", "verdict", "answers")
    for (answerer, label), count in sorted(counts.items()):
        table.add_row(answerer, label, str(count))
    out.print(table)
    for one in judged:
        if one.label == only:
            told = f"{one.given.question} | {one.gold} | {one.answer} | {one.verdict['detail']['via']}"
            out.print(told, markup=False, soft_wrap=True)


@study.command("sheet")
def sheet(
    files: Files,
    folder: Folder,
    count: Annotated[int, typer.Option("--n", help="Answers on it.", min=1)] = 300,
    snapshot: SnapshotOption = "",
    seed: Annotated[int, typer.Option(help="Another one draws others.")] = 1,
) -> None:
    """Write a blind sheet of answers with its rubric, without answerer or verdict, and a key beside it.

    Example: python -m studies.open_answers sheet small.tsv large.tsv --folder labels --n 300
    """
    if folder.exists():
        raise UserError(f"{folder} is there already", "name a folder that is not")
    chosen = answers.sheet(_judged(files, snapshot), count, seed)
    answers.write(chosen, folder)
    out.print(f"{len(chosen)} answers in {folder / 'sheet.md'}", markup=False, soft_wrap=True)


@study.command("agreement")
def agreement(
    files: Files,
    folder: Folder,
    labels: Annotated[Path, typer.Option(help="One line an answer: number, tab, label.")],
    snapshot: SnapshotOption = "",
) -> None:
    """Print how far the judge agrees with a sheet's labels, and where it does not.

    Example: python -m studies.open_answers agreement small.tsv --folder labels --labels labels.tsv
    """
    found, apart = answers.agreement(_judged(files, snapshot), folder, labels)
    _print(found)
    for label, one in apart:
        told = (
            f"{label} / {one.label}: {one.given.question} | {one.gold} | {one.answer} | {one.verdict['detail']['via']}"
        )
        out.print(told, markup=False, soft_wrap=True)


@study.command("held")
def held(snapshot: SnapshotOption = "") -> None:
    """Print how far this version of the judge agrees with the labels that are kept with the study.

    Their questions are of `wikidata-merged`: give a month of it, whatever its part `open` asks.

    Example: python -m studies.open_answers held --snapshot 2022-12
    """
    with open_session() as session:
        found = labelled.hold(session, month_of(session, snapshot), labelled.read())
    _print(found.agreed)
    for one, said in found.apart:
        told = f"{one.label} / {said}: {one.case.question} | {one.gold} | {one.said.text}"
        out.print(told, markup=False, soft_wrap=True)


def _print(found: Agreed) -> None:
    table = Table("label", "judge", "answers")
    for (label, judge), count in sorted(found.pairs.items()):
        table.add_row(label, judge, str(count))
    out.print(table)
    if found.same is not None:
        share = f"{found.same.rate:.1%} [{found.same.low:.1%}, {found.same.high:.1%}]"
        out.print(f"of what is judged the judge agrees with {share}", markup=False, soft_wrap=True)


if __name__ == "__main__":
    cli.run(study)
