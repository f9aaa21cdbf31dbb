"""`halluvault oracle measure all`: every set of texts that a version of the reader was decided by, in one table."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated

import typer
from rich.markup import escape
from rich.table import Column, Table

from halluvault_tasks.cli.common import log, out
from halluvault_tasks.cli.heartbeat import heartbeat
from halluvault_tasks.cli.parts.measure import JsonOption, measure, percent, written
from halluvault_tasks.local import evidence
from halluvault_tasks.oracles.measure import texts, whole
from halluvault_tasks.oracles.measure.rates import HitShare, share
from halluvault_tasks.settings import settings

TextsOption = Annotated[Path, typer.Option("--texts", help="Folder of the sets.")]


def state() -> Path:
    """Where evidence, parses and what was measured with them are kept."""
    return settings().state_dir / "oracle-texts"


@contextmanager
def opened(folder: Path) -> Iterator[dict[str, str]]:
    """Where the months of a folder's evidence are, by name."""
    sets = texts.load(folder)
    with evidence.opened(state(), [folder / f"{name}.jsonl.gz" for name in sets.evidence]) as urls:
        yield urls


@measure.command(name="all")
def every(
    json_file: JsonOption = None,
    folder: TextsOption = texts.FOLDER,
    show: Annotated[bool, typer.Option(help="Print the sound texts that are convicted, too.")] = False,
) -> None:
    """Judge every set of texts that a version was decided by, on the evidence kept with it: one table, in minutes.

    Needs no database: an embedded Postgres holds the evidence. Parses are kept, so that a second time is quicker.

    Example: halluvault oracle measure all --json today.json
    """
    doing = "starting"

    def tell(what: str) -> None:
        nonlocal doing
        doing = what

    with heartbeat(lambda: doing), opened(folder) as urls, evidence.months(urls) as months:
        whole.keep_parses(state())
        found = whole.measure(whole.Bench(folder, texts.load(folder), months), tell)
    _print(found)
    if show:
        for name, several in found.convicted.items():
            for one in several:
                where = f"{name}, line {one.said.source}, {one.said.case}, {one.category} by {one.row}"
                verdict = f" [{one.said.verdict}]" if one.said.verdict else ""
                out.print(f"{where}: {one.said.question} | {one.said.text}{verdict}", markup=False, soft_wrap=True)
    written(json_file, found._asdict())


def _print(found: whole.WholeMeasure) -> None:
    table = Table(
        Column("texts", no_wrap=True), "n", "sound: convicted", "faulty: found", "right, reasons faulty: found",
        "convicted: rightly", title="Verdicts of replay/syntax: counts, percent, 95 % intervals (Wilson)",
    )  # fmt: skip
    for one in found.verdicts:
        shares = (one.sound_convicted, one.recall, one.right_faulty_found, one.precision)
        table.add_row(escape(one.name), str(one.n), *map(_counted, shares))
    out.print(table)
    table = Table("claims and answers", "read rightly")
    for name, each in found.claims.items():
        table.add_row(f"{escape(name)}: labelled claims found", _counted(each.recall))
        table.add_row(f"{escape(name)}: claims given", _counted(each.precision))
    for name, read in found.answers.items():
        for draw, hits in read.by_draw.items():
            table.add_row(f"{escape(name)}: {escape(draw)}", _counted(hits))
        for label, counted in (("contradictory", read.contradictory), ("abstain", read.abstain)):
            table.add_row(f"{escape(name)}: labelled {label}", _counted(share(counted.found, counted.of)))
    out.print(table)
    for one in found.verdicts:
        if one.unplaced:
            out.print(f"{one.name}: {one.unplaced} texts more, whose cases are not kept", markup=False)
    for name, why in found.skipped.items():
        log.print(f"{name} is not measured: {why}", style="yellow", markup=False, soft_wrap=True)


def _counted(found: HitShare | None) -> str:
    return f"{found.hits} of {found.of}: {percent(found)}" if found else "–"
