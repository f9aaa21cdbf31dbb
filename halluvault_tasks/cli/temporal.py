"""`halluvault temporal`: questions about time, from a snapshot or from files of one's own."""

import json
from datetime import date
from pathlib import Path
from typing import Annotated

import typer
from sqlalchemy.orm import Session

from halluvault_tasks.cli.common import SnapshotOption, log, open_session, out
from halluvault_tasks.cli.heartbeat import heartbeat
from halluvault_tasks.errors import UserError
from halluvault_tasks.knowledge import snapshots
from halluvault_tasks.reasoning.stages import exclusive_seats, settled_dates
from halluvault_tasks.settings import settings
from halluvault_tasks.temporal import drawing, files, sets, stages
from halluvault_tasks.temporal import explain as explaining
from halluvault_tasks.temporal import formula as formulas
from halluvault_tasks.temporal.encode import library, program
from halluvault_tasks.temporal.generate import TemporalConfig
from halluvault_tasks.temporal.run_in_prolog import answers, open_engine
from halluvault_tasks.temporal.shapes import DEEPEST
from halluvault_tasks.temporal.timed import RECORDING_LAG, Cutoff, cutoff
from halluvault_tasks.temporal.units import Granularity, parse_point, point_text

temporal = typer.Typer(
    no_args_is_help=True,
    help="Metric Temporal Logic over dated facts, answered in Prolog.\n\n"
    "Formulas: F[0,40] p (at some time), G[30,50] p (at all times), N p (next), p U[10,20] q (until), !p, p & q, "
    'p | q, parentheses; names in "double quotes" if they are not identifiers.',
)

EventsOption = Annotated[
    Path, typer.Option("--events", help="CSV with columns name,start,end; dates 1837, 1837-06, 1837-06-20, -0043.")
]
GranularityOption = Annotated[
    Granularity,
    typer.Option(
        help="What windows and `at` count: years (astronomical), months (12 × year + month − 1), day numbers."
    ),
]
AsOfOption = Annotated[
    str, typer.Option("--as-of", help="YYYY-MM-DD: nothing is known after this day; default: nothing is clipped.")
]
LagOption = Annotated[
    int, typer.Option("--lag", min=0, help="Months before --as-of that no false answer may depend on.")
]
_SHOWN = {"yes": "true", "no": "false", "undecided": "null"}
OpenOption = Annotated[bool, typer.Option("--open", help="Events may have terms that the file does not list.")]


@temporal.command()
def run(
    snapshot: SnapshotOption = "",
    count: Annotated[
        int, typer.Option(min=0, help="Number of facts to make, half of them true.")
    ] = TemporalConfig().count,
    depth: Annotated[int, typer.Option(min=0, max=DEEPEST, help="Deepest nesting.")] = TemporalConfig().depth,
    seed: Annotated[int, typer.Option(help="Same seed, same facts.")] = TemporalConfig().seed,
    granularity: Annotated[
        Granularity, typer.Option(help="Unit of windows, and of the times that questions name.")
    ] = TemporalConfig().granularity,
) -> None:
    """Make temporal facts from a snapshot's dated statements, replacing those it has.

    They use dates of which a thing has only one, according to the rules of `derive run`; run that first.

    Example: halluvault temporal run --snapshot 2026-10
    """
    from halluvault_tasks.cli.parts.configuration import require  # late: it brings what reads each file of config/

    require(settings().config_dir)
    with open_session() as session, heartbeat("making temporal facts"):
        key = _snapshot(session, snapshot)
        config = TemporalConfig(count=count, depth=depth, seed=seed, granularity=granularity)
        counts = stages.derive_temporal(
            session,
            key,
            config=config,
            prolog_dir=settings().prolog_dir,
            settled=settled_dates(session, key),
            exclusive=exclusive_seats(session, key),
        )
    short = ", ".join(f"{operator} {missing}" for operator, missing in counts.shortfall.items())
    out.print(
        f"{key}: {counts.facts} temporal facts, {counts.true} of them true, from {counts.atoms} dated events and "
        f"{counts.candidates} formulas" + (f"; short of {short}" if short else ""),
        markup=False,
    )


def _snapshot(session: Session, key: str) -> str:
    """An exact key whatever its status, else what the key means; empty: the newest that is frozen."""
    known = [row for row in snapshots.listing(session) if row.status != "pulling"]
    if not key and known:
        return known[0].snapshot
    return key if key in {row.snapshot for row in known} else snapshots.find(session, key).snapshot


@temporal.command()
def check(
    events: EventsOption,
    queries: Annotated[Path, typer.Option(help='JSON lines {"id", "formula", "at"}.')],
    granularity: GranularityOption = Granularity.YEAR,
    as_of: AsOfOption = "",
    lag: LagOption = RECORDING_LAG,
    open_terms: OpenOption = False,
) -> None:
    """Answer many queries over a file of events; JSON lines on standard output.

    Each line has id, answer (true, false, or null if the dates do not decide) and the interval sets in which the
    formula certainly and possibly holds.

    Example: halluvault temporal check --events EVENTS.csv --queries QUERIES.jsonl --granularity month
    """
    history = files.read_events(events, granularity, _limit(as_of, lag, granularity), open_terms)
    asked = files.read_queries(queries, granularity, history)
    found = answers(open_engine(settings().prolog_dir), asked.programs)
    enumerated = 0
    for identity, at, result in zip(asked.identities, asked.points, found, strict=True):
        certain, possible = result.certain, result.possible
        if result.how == "completions":
            enumerated += 1
            if result.answer == "yes":
                certain = json.dumps(sets.to_json(sets.with_point(sets.from_json(certain), at)))
            else:
                possible = json.dumps(sets.to_json(sets.without_point(sets.from_json(possible), at)))
        answer = _SHOWN[result.answer]
        # Not through rich: a line must stay one line, byte for byte.
        out.file.write(f'{{"id": {identity}, "answer": {answer}, "certain": {certain}, "possible": {possible}}}\n')
    if enumerated:
        log.print(f"{enumerated} of {len(asked.points)} decided only by trying all completions of the dates")


@temporal.command()
def explain(  # noqa: PLR0913 (typer: its parameters are its options)
    formula: Annotated[str, typer.Argument(help="For example: F[0,40] victorian_era")],
    at: Annotated[str, typer.Option(help="Time point: 1800, or a date of the granularity such as 1837-06.")],
    events: EventsOption,
    granularity: GranularityOption = Granularity.YEAR,
    as_of: AsOfOption = "",
    lag: LagOption = RECORDING_LAG,
    open_terms: OpenOption = False,
    save: Annotated[Path | None, typer.Option(help="Write the program to this file; swipl runs it as it is.")] = None,
    svg: Annotated[Path | None, typer.Option(help="Draw the intervals of every sub-formula into this file.")] = None,
) -> None:
    """Print the rules of a query, the intervals of every sub-formula, and a small timeline.

    Example: halluvault temporal explain "dickens U[10,20] victorian_era" --at 1820 --events EVENTS.csv
    """
    history = files.read_events(events, granularity, _limit(as_of, lag, granularity), open_terms)
    tree = files.read_formula(formula, history)
    point = parse_point(_number(at), granularity)
    configuration = settings()
    shown = explaining.explain(open_engine(configuration.prolog_dir), tree, point, history)
    lines = [shown.rules]
    lines += [f"{formulas.text(node)}: {explaining.sets_text(found, granularity)}" for node, found in shown.parts]
    lines += ["", *explaining.timeline(shown.parts, point, granularity), ""]
    answer = {True: "yes", False: "no", None: "undecided"}[shown.answer.answer]
    how = ", by trying all completions of the dates" if shown.answer.how == "completions" else ""
    result = f"{formulas.text(tree)} at {point_text(point, granularity)}: {answer}{how}"
    lines.append(result)
    for line in lines:
        out.print(line, markup=False, soft_wrap=True)
    if save is not None:
        _write(save, program(tree, history, library(configuration.prolog_dir), point))
        log.print(f"run it: swipl {save}", markup=False)
    if svg is not None:
        _write(svg, drawing.svg(shown.parts, point, granularity, result))
        log.print(f"drawn: {svg}", markup=False)


def _write(file: Path, text: str) -> None:
    try:
        file.write_text(text, encoding="utf-8", newline="")
    except OSError as error:
        raise UserError(f"cannot write {file}: {error.strerror}") from error


def _number(at: str) -> int | str:
    """Integers count in the granularity; anything else is read as a date."""
    try:
        return int(at)
    except ValueError:
        return at


def _limit(as_of: str, lag: int, granularity: Granularity) -> Cutoff | None:
    if not as_of:
        return None
    try:
        return cutoff(date.fromisoformat(as_of), granularity, lag)
    except ValueError:
        raise UserError(f"--as-of {as_of!r} is not a date YYYY-MM-DD") from None


def register(app: typer.Typer) -> None:
    """Add these commands to the root."""
    app.add_typer(temporal, name="temporal")
