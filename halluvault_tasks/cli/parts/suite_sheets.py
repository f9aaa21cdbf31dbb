"""`halluvault suites sheet`, `agreement` and `pairs`: what a person reads who has not seen verdict or proof."""

from pathlib import Path
from typing import Annotated

import typer
from rich.table import Table

from halluvault_tasks.benchmark.export import pair_sheet
from halluvault_tasks.cli.common import SnapshotOption, month_of, open_session, out
from halluvault_tasks.errors import UserError
from halluvault_tasks.results import suite_sheets
from halluvault_tasks.statistics.shares import ShareRate

SuiteOption = Annotated[str, typer.Option("--suite", help=f"{', '.join(suite_sheets.WAYS)}.")]


def sheet(
    file: Annotated[
        Path, typer.Argument(help="Sheet to write; FILE.key.jsonl beside it says which responses they are.")
    ],
    suite: SuiteOption,
    count: Annotated[int, typer.Option(help="How many responses.", min=1)] = 200,
    seed: Annotated[int, typer.Option(help="Of the draw.")] = suite_sheets.SEED,
    snapshot: SnapshotOption = "",
    annotator: Annotated[
        str,
        typer.Option(
            "--audited-by",
            help="Who labels reciprocity; only audited cases of `pressure`, with FILE.labels.jsonl to fill in for "
            "`halluvault suites audit`.",
        ),
    ] = "",
) -> None:
    """Write a blind sheet of judged responses, without model or verdict, under a rubric that says how to label them.

    Example: halluvault suites sheet recognition.md --suite recognition
    """
    if annotator and suite != "pressure":
        raise UserError(f"no case of {suite!r} is audited", "give --suite pressure, or no --audited-by")
    beside = file.with_name(file.name + ".labels.jsonl") if annotator else _key_of(file)
    for path in (file, beside):
        if path.exists():
            raise UserError(f"{path} exists already", "give another name")
    grading = "audited" if annotator else ""
    with open_session() as session:
        items = suite_sheets.draw(session, month_of(session, snapshot), suite, count, seed, grading=grading)
    if annotator:
        suite_sheets.write_audited(items, annotator, file, beside)
        out.print(f"{len(items)} responses in {file}; labels go into {beside}", markup=False, soft_wrap=True)
        return
    suite_sheets.write(items, suite, file, _key_of(file))
    out.print(f"{len(items)} responses in {file}; their key is {_key_of(file)}", markup=False, soft_wrap=True)


def agreement(
    file: Annotated[Path, typer.Argument(help="The sheet; its key file is beside it.")],
    answers: Annotated[Path, typer.Argument(help="One line per response: its number, a tab, the label or labels.")],
    suite: SuiteOption,
) -> None:
    """Print how far the suite's judge agrees with a person's labels, by dimension of the rubric.

    Example: halluvault suites agreement recognition.md answers.tsv --suite recognition
    """
    if suite not in suite_sheets.WAYS:
        raise UserError(f"no rubric for the suite {suite!r}", f"give one of {', '.join(suite_sheets.WAYS)}")
    with open_session() as session:
        found = suite_sheets.agree(session, suite, _key_of(file), answers)
    table = Table(
        "dimension", "profile", "responses", "judge agrees", "Cohen's κ", title=f"Judge of {suite}, and a person"
    )
    for one in found:
        kappa = "–" if one.kappa is None else f"{one.kappa:.2f}"
        table.add_row(one.dimension, one.profile, str(sum(one.pairs.values())), _share(one.same), kappa)
    out.print(table)
    for one in found:
        apart = Table("person", "judge", "responses", title=f"{one.profile}, {one.dimension}")
        for (person, judge), count in sorted(one.pairs.items()):
            apart.add_row(person, judge, str(count))
        out.print(apart)


def pairs(
    file: Annotated[Path, typer.Argument(help="Markdown sheet to write.")],
    count: Annotated[int, typer.Option(help="How many pairs.", min=1)] = 100,
    seed: Annotated[
        int, typer.Option(help="Of the draw: the same part and seed give the same sheet.")
    ] = suite_sheets.SEED,
    snapshot: SnapshotOption = "",
) -> None:
    """Write a sheet of recognition pairs to read: right member, false member and what is known, evenly over patterns.

    Example: halluvault suites pairs pairs.md --count 100
    """
    if file.exists():
        raise UserError(f"{file} exists already", "give another name")
    with open_session() as session:
        found = pair_sheet.draw(session, month_of(session, snapshot), count, seed)
    file.write_text(pair_sheet.sheet(found), encoding="utf-8")
    out.print(f"{len(found)} pairs in {file}", markup=False, soft_wrap=True)


def _key_of(file: Path) -> Path:
    return file.with_name(file.name + ".key.jsonl")


def _share(rate: ShareRate | None) -> str:
    return "–" if rate is None else f"{rate.rate:.1%} [{rate.low:.1%}, {rate.high:.1%}]"
