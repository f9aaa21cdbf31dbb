"""Answer formulas by running their generated rules in SWI-Prolog, many at once."""

import tempfile
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

from halluvault_tasks.prolog.engine import Engine
from halluvault_tasks.prolog.terms import atom
from halluvault_tasks.temporal import formula as f
from halluvault_tasks.temporal import sets
from halluvault_tasks.temporal.steps import Steps
from halluvault_tasks.temporal.timed import Timed

BATCH = 5_000
"""Queries in one program: keeps scratch files and the engine's memory small."""


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


class Answered(NamedTuple):
    """What Prolog wrote: `yes`, `no`, `undecided` or `-`, how, and both sets as JSON."""

    answer: str
    how: str
    certain: str
    possible: str


_ANSWERS = {"yes": True, "no": False, "undecided": None, "-": None}


def open_engine(prolog_dir: Path) -> Engine:
    """This process's engine with the temporal rules loaded."""
    return Engine([prolog_dir / "mtl_run.pl"])


def evaluate(engine: Engine, queries: Iterable[Query], history: Mapping[str, Timed]) -> Iterator[Evaluated]:
    """Answer queries in order; sub-formulas shared within a batch are computed once.

    Raises:
        UserError: a formula mentions an unknown event.
    """
    for found in answers(engine, programs(queries, history)):
        certain = sets.from_json(found.certain)
        # Exact dates are the usual case.
        possible = certain if found.possible == found.certain else sets.from_json(found.possible)
        yield Evaluated(_ANSWERS[found.answer], found.how, certain, possible)


def programs(queries: Iterable[tuple[str | f.Formula, int | None]], history: Mapping[str, Timed]) -> Iterator[str]:
    """Queries, formulas as text or tree, as programs for `answers`: each of `BATCH` and the last of what is left.

    Raises:
        UserError: a formula cannot be read, or mentions an unknown event.
    """
    steps = Steps(history)
    for formula, at in queries:
        steps.ask(formula, at)
        if len(steps) == BATCH:
            yield steps.program()
            steps = Steps(history)
    if len(steps):
        yield steps.program()


def answers(engine: Engine, written: Iterable[str]) -> Iterator[Answered]:
    """What Prolog says to the queries of programs, in order."""
    with tempfile.TemporaryDirectory(prefix="halluvault-temporal-") as directory:
        program, output = Path(directory, "program.pl"), Path(directory, "answers.tsv")
        goal = f"mtl_run:run_program({atom(str(program))}, {atom(str(output))})"
        for text in written:
            program.write_bytes(text.encode())
            engine.call(goal)
            with output.open(encoding="utf-8") as lines:
                for line in lines:
                    answer, how, certain, possible = line[:-1].split("\t")
                    yield Answered(answer, how, certain, possible or certain)
