"""`halluvault rules measure`, `read` and `headline`: how often foils would err, and the sheets that readers judge."""

from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated, Literal

import typer
from rich.table import Table
from rich.text import Text
from sqlalchemy.orm import Session

from halluvault_tasks.benchmark.export import class_sheets
from halluvault_tasks.benchmark.selection.material import Material
from halluvault_tasks.benchmark.wording.lexicon import load_lexicon
from halluvault_tasks.cli.common import SnapshotOption, log, month_of, open_session, out
from halluvault_tasks.cli.heartbeat import heartbeat
from halluvault_tasks.errors import UserError
from halluvault_tasks.knowledge import snapshots
from halluvault_tasks.reasoning.measuring import classes, measurement, missing, recorded, sheets
from halluvault_tasks.reasoning.measuring.classes import (
    FOILS,
    MOST_RISK,
    HeadlineReading,
    MeasuredClass,
    MeasuredFile,
    ReadSheet,
)
from halluvault_tasks.reasoning.measuring.measures import Measures
from halluvault_tasks.reasoning.measuring.nearness import BY_NAME, NEARNESSES, Nearness
from halluvault_tasks.reasoning.measuring.sheets import AnsweredSheet
from halluvault_tasks.reasoning.world.loading import load_world
from halluvault_tasks.settings import settings
from halluvault_tasks.wikidata.relation import Relation

Kind = Literal["people", "model"]


KeysOption = Annotated[
    Path | None, typer.Option("--keys", help="Where the keys of sheets are; readers must not see them.")
]
AttemptOption = Annotated[
    int, typer.Option("--attempt", min=1, max=len(FOILS), help="Of the sheets; each draws fresh foils.")
]
SaveOption = Annotated[bool, typer.Option("--save", help="Store what was found in config/measured.yaml.")]


def measure(
    snapshot: SnapshotOption = "",
    complete: Annotated[
        Path | None,
        typer.Option(help="TSV of complete counts, with the columns subject, property and objects (Q1, P2, 3)."),
    ] = None,
    only: Annotated[
        list[str] | None, typer.Option("--class", help="Only a relation (P161, P57/P19) or a class by its whole name.")
    ] = None,
    sheet_dir: Annotated[
        Path | None, typer.Option("--sheets", help="Write a sheet for every class whose risk passes.")
    ] = None,
    attempt: AttemptOption = 1,
    key_dir: KeysOption = None,
    save: SaveOption = False,
) -> None:
    """Measure how often foils of each class would be a false "No"; write the sheets that readers judge.

    Prints for each class how often a true fact would be offered as false were it not known (π), how many true values
    the snapshot lacks (m), both as upper bounds, and whether it may be asked. Readers fill the column `answer` of a
    sheet: yes, no or undecided; `rules read` counts them.

    Example: halluvault rules measure --complete counts.tsv --sheets sheets --class P161
    """
    path = settings().config_dir / classes.FILE
    stored = classes.load(path)
    with open_session() as session:
        key = snapshots.find(session, snapshot).snapshot
        with heartbeat(f"measuring {key}"):
            found = _merged(stored, _measure(session, key, complete, only or []), whole=not only)
        out.print(_table(found, only or []))
        if sheet_dir:
            _write(session, key, _chosen(found.classes, only or []), attempt, sheet_dir, _keys(key_dir))
    _keep(path, found, save=save)


def read(
    sheet_dir: Annotated[Path, typer.Argument(help="Folder of read sheets.")],
    reader: Annotated[str, typer.Option(help="Who read them.")],
    reader_kind: Annotated[Kind, typer.Option(help="People or a language model.")] = "people",
    key_dir: KeysOption = None,
    save: SaveOption = False,
) -> None:
    """Count the answers of read sheets, and say which foils were said to hold.

    Example: halluvault rules read sheets --reader "two colleagues" --save
    """
    path = settings().config_dir / classes.FILE
    found = _count(classes.load(path), sheets.read(sheet_dir, _keys(key_dir)), reader, reader_kind)
    _keep(path, found, save=save)


def headline(
    sheet_dir: Annotated[Path, typer.Argument(help="Folder to write the sheet into.")],
    snapshot: SnapshotOption = "",
    attempt: AttemptOption = 1,
    key_dir: KeysOption = None,
) -> None:
    """Write a sheet of 1,500 foils of a frozen month's measured cases, with 300 true ones among them.

    Example: halluvault rules headline sheets --snapshot 2026-10
    """
    with open_session() as session:
        key = month_of(session, snapshot)
        lexicon, stored = settings().config_dir / "lexicon.yaml", classes.load(settings().config_dir / classes.FILE)
        drawn = class_sheets.of_headline(
            Material(session, snapshots.get(session, key), load_lexicon(lexicon), stored), attempt
        )
    path = sheets.write(drawn.lines, sheet_dir, _keys(key_dir))
    log.print(
        f"{path}: {drawn.foils} foils among {len(drawn.lines)} lines; {key} asks {drawn.asked} of them",
        markup=False,
    )


def _keys(key_dir: Path | None) -> Path:
    return key_dir or settings().state_dir / "sheet-keys"


def explain(p: int) -> None:
    """Print the classes that a property is part of with their figures, and who read what."""
    for one in classes.load(settings().config_dir / classes.FILE).of(p):
        verdict = one.verdict
        style = "green" if verdict.licensed else "red"
        out.print(Text.assemble((one.name, "bold"), "  ", ("asked" if verdict.licensed else "not asked", style)))
        out.print(f"  reason    {verdict.why}", markup=False, soft_wrap=True)
        out.print(f"  π         {one.pi.share:.3%}, at most {one.pi.high:.3%}, of {one.pi.snapshot}", markup=False)
        out.print(f"  m         at most {one.m.high:.2f}", markup=False)
        out.print(f"  m · π     at most {one.risk:.3%}; at 2 π {2 * one.risk:.3%}", markup=False)
        for read in one.sheets:
            out.print(
                f"  sheet {read.attempt}   {read.reader} ({read.kind}), {read.read_on}: {read.false} of {read.decided} "
                f"decided foils hold; {read.recognised} of {read.planted} true statements recognised",
                markup=False,
                soft_wrap=True,
            )


def _measure(session: Session, key: str, complete: Path | None, only: list[str]) -> list[MeasuredClass]:
    every = [(nearness, relation) for nearness in NEARNESSES for relation in nearness.relations]
    chosen = [(nearness, relation) for nearness, relation in every if _asked_for(relation, nearness.name, only)]
    if not chosen:
        names = ", ".join(sorted(str(relation) for _, relation in every))
        raise UserError(f"no class is called {', '.join(only)}", f"give --class one of {names}")
    counts = measurement.counts_of(session, key)
    if complete:
        counts = missing.joined_counts(counts, missing.read_counts(complete))
    world, ends = load_world(session, key), measurement.both_ends_of(session, key)

    def figures(several: list[tuple[Nearness, Relation]]) -> list[MeasuredClass]:
        known = recorded.load(session, key, world, {relation for _, relation in several})
        return measurement.measured(known, key, several, ends, counts)

    found = figures(chosen)
    families = {BY_NAME[one.near].family for one in found if one.pi.pooled}
    if only and families:  # what is pooled needs its whole family
        found = figures([(one, relation) for one, relation in every if one.family in families])
        found += figures([(one, relation) for one, relation in chosen if one.family not in families])
    return [one for one in found if _asked_for(one.relation, one.near, only)]


def _asked_for(relation: Relation, near: str, only: list[str]) -> bool:
    return not only or str(relation) in only or f"{relation}, {near}" in only


def _chosen(found: tuple[MeasuredClass, ...], only: list[str]) -> list[MeasuredClass]:
    return [one for one in found if one.risk <= MOST_RISK and one.enough and _asked_for(one.relation, one.near, only)]


def _merged(stored: MeasuredFile, fresh: list[MeasuredClass], *, whole: bool) -> MeasuredFile:
    """The file with fresh figures; sheets stay, and so do classes that were not measured now."""
    old = {one.name: one for one in stored.classes}
    now = {
        one.name: one.model_copy(update={"sheets": old[one.name].sheets if one.name in old else ()}) for one in fresh
    }
    kept = {} if whole else old
    ordered = sorted((kept | now).values(), key=lambda one: (len(one.relation.properties), one.relation, one.near))
    return stored.model_copy(update={"classes": tuple(ordered)})


def _table(found: MeasuredFile, only: list[str]) -> Table:
    table = Table(box=None, pad_edge=False)
    table.add_column("class", overflow="fold")
    for heading in ("π", "at most", "m at most", "risk", "at 2 π", "subjects", "objects"):
        table.add_column(heading, justify="right")
    table.add_column("verdict", overflow="fold")
    for one in sorted(found.classes, key=lambda one: one.risk):
        if _asked_for(one.relation, one.near, only):
            verdict = one.verdict
            table.add_row(
                Text(one.name),
                f"{one.pi.share:.3%}",
                f"{one.pi.high:.3%}",
                f"{one.m.high:.2f}",
                f"{one.risk:.3%}",
                f"{2 * one.risk:.3%}",
                f"{one.pi.subjects:,}",
                f"{one.pi.objects:,}",
                Text(("asked: " if verdict.licensed else "not asked: ") + verdict.why),
            )
    return table


def _write(session: Session, key: str, several: list[MeasuredClass], attempt: int, sheet_dir: Path, keys: Path) -> None:
    """A sheet for each class."""
    lexicon = load_lexicon(settings().config_dir / "lexicon.yaml")
    material = Material(session, snapshots.get(session, key), lexicon)
    measures = Measures(several, lambda relations: recorded.load(session, key, material.world, relations))
    known = material.neighbourhood.with_measures(measures)
    for one in several:
        wanted = FOILS[attempt - 1]
        try:
            drawn = class_sheets.of_class(material, known, one, attempt, wanted)
        except UserError as error:
            log.print(f"{one.name}: {error}", markup=False, soft_wrap=True)
            continue
        path = sheets.write(drawn.lines, sheet_dir, keys)
        short = "" if drawn.foils == wanted else f"; {wanted} are needed"
        log.print(
            f"{path}: {one.name}: {drawn.foils} foils among {len(drawn.lines)} lines{short}",
            markup=False,
            soft_wrap=True,
        )


def _count(stored: MeasuredFile, readings: list[AnsweredSheet], reader: str, kind: Kind) -> MeasuredFile:
    read_on = datetime.now(UTC).date().isoformat()
    found = stored
    for reading in readings:
        false, true = reading.counted(true=False), reading.counted(true=True)
        log.print(
            f"{reading.name}: of {false.total()} foils {false['yes']} said to hold, {false['undecided']} undecided; of "
            f"{true.total()} true statements {true['yes']} recognised",
            markup=False,
            soft_wrap=True,
        )
        for line, answer in reading.lines:
            if not line.key.true and answer == "yes":
                log.print(f"  said to hold: {line.question}", markup=False, soft_wrap=True)
        found = (
            _with_headline(found, reading, reader, kind, read_on)
            if reading.key.kind == "headline"
            else (_with_sheet(found, reading, reader, kind, read_on))
        )
    return found


def _with_sheet(found: MeasuredFile, reading: AnsweredSheet, reader: str, kind: Kind, read_on: str) -> MeasuredFile:
    key, false, true = reading.key, reading.counted(true=False), reading.counted(true=True)
    sheet = ReadSheet(
        attempt=key.attempt,
        version=key.version,
        read_on=read_on,
        reader=reader,
        kind=kind,
        foils=false.total(),
        decided=false.total() - false["undecided"],
        false=false["yes"],
        planted=true.total(),
        recognised=true["yes"],
    )
    if not any((one.relation, one.near) == (key.relation, key.near) for one in found.classes):
        raise UserError(
            f"{reading.name}: the class {key.relation}, {key.near} is not in {classes.FILE}",
            "`halluvault rules measure --save` first",
        )
    return found.model_copy(
        update={
            "classes": tuple(
                one.model_copy(update={"sheets": (*one.sheets, sheet)})
                if (one.relation, one.near) == (key.relation, key.near)
                else one
                for one in found.classes
            )
        }
    )


def _with_headline(found: MeasuredFile, reading: AnsweredSheet, reader: str, kind: Kind, read_on: str) -> MeasuredFile:
    false = reading.counted(true=False)
    thirds = [reading.counted(true=True, third=third) for third in range(3)]
    read = HeadlineReading(
        month=reading.key.month,
        read_on=read_on,
        reader=reader,
        kind=kind,
        foils=false.total(),
        decided=false.total() - false["undecided"],
        false=false["yes"],
        planted=tuple(third.total() for third in thirds),
        caught=tuple(third["yes"] for third in thirds),
    )
    log.print(read.verdict.why)
    return found.model_copy(update={"headline": (*found.headline, read)})


def _keep(path: Path, found: MeasuredFile, *, save: bool) -> None:
    if save:
        classes.store(path, found)
        log.print(f"{path}: {len(found.classes)} classes, {len(found.licensed)} asked", markup=False)
    else:
        log.print(f"nothing stored; --save stores it in {path}", markup=False)
