"""Answer formulas by running their generated rules in SWI-Prolog, many at once."""

import tempfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice
from pathlib import Path
from typing import NamedTuple

from halluvault_tasks.prolog.engine import Engine
from halluvault_tasks.prolog.terms import atom, number
from halluvault_tasks.temporal import formula as f
from halluvault_tasks.temporal import sets
from halluvault_tasks.temporal.encode import Encoder
from halluvault_tasks.temporal.timed import Timed

_BATCH = 5_000  # queries in one program: keeps scratch files and the engine's memory small


class Query(NamedTuple):
    """A formula, and the time point to answer it at (None: only its interval sets)."""

    formula: f.Formula
    at: int | None = None


class Evaluated(NamedTuple):
    """What Prolog found.

    Args:
        answer: True, False, or None where the dates do not decide or no time point was asked.
        how: `bounds`, `completions` (decided only by enumeration, semantics.md §2.5), or `-`.
        certain: the points where the formula holds whatever the true dates are.
        possible: the points where it holds for some.
    """

    answer: bool | None
    how: str
    certain: sets.IntervalSet
    possible: sets.IntervalSet


_ANSWERS = {"yes": True, "no": False, "undecided": None, "-": None}


def open_engine(prolog_dir: Path) -> Engine:
    """This process's engine with the temporal rules loaded."""
    return Engine([prolog_dir / "mtl_run.pl"])


def evaluate(engine: Engine, queries: Iterable[Query], history: Mapping[str, Timed]) -> Iterator[Evaluated]:
    """Answer queries in order; sub-formulas shared within a batch are computed once.

    Raises:
        UserError: a formula mentions an unknown event.
    """
    waiting = iter(queries)
    with tempfile.TemporaryDirectory(prefix="halluvault-temporal-") as directory:
        while batch := list(islice(waiting, _BATCH)):
            yield from _run(engine, batch, history, Path(directory))


def _run(engine: Engine, batch: Sequence[Query], history: Mapping[str, Timed], scratch: Path) -> Iterator[Evaluated]:
    encoder = Encoder(history, commented=False)
    goals = []
    for query in batch:
        name = encoder.predicate(query.formula)
        if query.at is None:
            goals.append(f"query({name}).\n")
        else:
            least, greatest = f.horizon(query.formula)
            goals.append(f"query({name}, {number(query.at)}, {number(least)}, {number(greatest)}).\n")
    program, output = scratch / "program.pl", scratch / "answers.tsv"
    program.write_bytes("".join([*encoder.rules, *goals]).encode())
    engine.call(f"mtl_run:run_program({atom(str(program))}, {atom(str(output))})")
    with output.open(encoding="utf-8") as lines:
        for line in lines:
            answer, how, certain, possible = line.rstrip("\n").split("\t")
            holds = sets.from_json(certain)
            # Exact dates are the usual case, and reading a set twice is what takes longest here.
            may_hold = holds if possible == certain else sets.from_json(possible)
            yield Evaluated(_ANSWERS[answer], how, holds, may_hold)
