"""`halluvault oracle measure all`: every set of texts that a version of the reader was decided by, in one table."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated

import typer

from halluvault_tasks.cli.common import log, out
from halluvault_tasks.cli.heartbeat import heartbeat
from halluvault_tasks.cli.parts.measure import JsonOption, measure, reading_table, verdict_table, written
from halluvault_tasks.local import evidence
from halluvault_tasks.oracles import measured
from halluvault_tasks.oracles.measure import texts, whole
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
    keep: Annotated[
        bool, typer.Option("--keep", help="Write the shares into the package, for the view oracle_trust.")
    ] = False,
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
    out.print(verdict_table(found.verdicts, "Verdicts of replay/syntax: counts, percent, 95 % intervals (Wilson)"))
    out.print(reading_table(found.claims, found.answers))
    for each in found.verdicts:
        if each.unplaced:
            out.print(f"{each.name}: {each.unplaced} texts more, whose cases are not kept", markup=False)
    for name, why in found.skipped.items():
        log.print(f"{name} is not measured: {why}", style="yellow", markup=False, soft_wrap=True)
    if show:
        for name, several in found.convicted.items():
            for one in several:
                where = f"{name}, line {one.said.source}, {one.said.case}, {one.category} by {one.row}"
                verdict = f" [{one.said.verdict}]" if one.said.verdict else ""
                out.print(f"{where}: {one.said.question} | {one.said.text}{verdict}", markup=False, soft_wrap=True)
    if keep:
        measured.write(found.verdicts)
    written(json_file, found._asdict())
