"""`python -m studies.strata`: draw cases by strata for any answerer, and read its answers back."""

import csv
import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.table import Table

from halluvault_tasks import cli
from halluvault_tasks.cli.common import SnapshotOption, month_of, open_session, out
from halluvault_tasks.errors import UserError
from halluvault_tasks.knowledge import snapshots
from studies.strata import answers, curve, draw
from studies.strata.answers import Key

study = typer.Typer(no_args_is_help=True, help="Measure what each stratum of difficulty is worth.")

KEY = "key.tsv"
"""Golds and features, beside the folders of prompts; no answerer may see it."""

FolderOption = Annotated[Path, typer.Option("--folder", help="Of a draw.")]
SeedOption = Annotated[int, typer.Option(help="Another one draws others.")]


@study.command("draw")
def draw_cases(
    folder: Annotated[Path, typer.Option("--folder", help="Where to; it must not exist.")],
    count: Annotated[int, typer.Option("--n", help="Cases, each of another fact.", min=1)] = 400,
    snapshot: SnapshotOption = "",
    seed: SeedOption = 1,
) -> None:
    """Draw cases evenly from the strata and write them as prompts, one file a case, and a key.

    FOLDER/closed-book/CASE.json and FOLDER/with-evidence/CASE.json are conversations: the answerer gives the turns
    whose content is null, one case a context, and has to see nothing else. Its answers are lines of JSON: case,
    answerer, context, verdict (the second turn as it was said) and explanation (the first).

    Example: python -m studies.strata draw --folder strata-2026-10 --n 400
    """
    if folder.exists():
        raise UserError(f"{folder} is there already", "name a folder that is not")
    with open_session() as session:
        month = month_of(session, snapshot)
        as_of = snapshots.get(session, month).as_of
        chosen = draw.of_month(session, month, count, seed)
    for context in draw.CONTEXTS:
        (folder / context).mkdir(parents=True)
        for one in chosen:
            text = json.dumps(draw.conversation(one, context, as_of), ensure_ascii=False, indent=1)
            (folder / context / f"{one.asked.id}.json").write_text(text + "\n", encoding="utf-8")
    _write(folder / KEY, [draw.key_of(one) for one in sorted(chosen, key=lambda one: one.asked.id)])
    out.print(_drawn(chosen, month))


@study.command("read")
def read_answers(
    files: Annotated[list[Path], typer.Argument(help="Answers, JSONL.")],
    folder: FolderOption,
    seed: SeedOption = 1,
) -> None:
    """Read answers back: print and write right ones by stratum and by each feature, the curve, and what to look up.

    Writes FOLDER/rates.tsv, FOLDER/curve.svg and, unless it is there, FOLDER/look-up.tsv, whose findings `looked-up`
    counts.

    Example: python -m studies.strata read answers.jsonl --folder strata-2026-10
    """
    key = _key(folder)
    given = answers.read(files, key)
    if not given:
        raise UserError("there is no answer in these files", "name files with a line of JSON for each answer")
    found = answers.rates(given, key)
    _write(folder / "rates.tsv", [one._asdict() for one in found])
    curve.draw(found, folder / "curve.svg")
    if not (folder / "look-up.tsv").exists():  # it may be filled in
        _write(folder / "look-up.tsv", answers.to_look_up(given, key, seed))
    table = Table("answerer", "context", "feature", "level", "answers", "right", "95 % interval", "don't know")
    for one in found:
        interval = f"{100 * one.low:.1f} – {100 * one.high:.1f} %"
        table.add_row(
            one.answerer, one.context, one.feature, one.level, str(one.answers), f"{100 * one.share:.1f} %", interval,
            str(one.abstained),
        )  # fmt: skip
    out.print(table)


@study.command("looked-up")
def count_findings(sheet: Annotated[Path, typer.Argument(help="look-up.tsv, filled in.")]) -> None:
    """Count what was found of gold answers.

    Example: python -m studies.strata looked-up strata-2026-10/look-up.tsv
    """
    counted = answers.looked_up(sheet)
    done = sum(number for finding, number in counted.items() if finding)
    told = ", ".join(f"{finding} {counted[finding]}" for finding in answers.FINDINGS)
    out.print(f"of {done} golds looked up: {told}; {counted['']} not looked up yet")


def _key(folder: Path) -> Key:
    path = folder / KEY
    if not path.exists():
        raise UserError(f"{path} is missing", "name a folder that `python -m studies.strata draw` wrote")
    with path.open(encoding="utf-8", newline="") as file:
        return {row["case"]: row for row in csv.DictReader(file, delimiter="\t")}


def _write(path: Path, rows: Iterable[Mapping[str, Any]]) -> None:
    listed = list(rows)
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, list(listed[0]) if listed else [], delimiter="\t", lineterminator="\n")
        writer.writeheader()
        writer.writerows(listed)


def _drawn(chosen: list[draw.DrawnCase], month: str) -> Table:
    table = Table("suite", "stratum", "design", "gold", "cases", title=f"{len(chosen)} cases of {month}")
    for cell in sorted({one.cell for one in chosen}):
        table.add_row(*cell, str(sum(one.cell == cell for one in chosen)))
    return table


if __name__ == "__main__":
    cli.run(study)
