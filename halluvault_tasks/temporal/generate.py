"""Seeded random queries over a history: decided, balanced, near the edges, and sayable.

Every formula kept gives two queries, one that holds and one that does not, at time points that lie near an edge of
its interval sets where they can. So yes and no are equally frequent for every operator, domain, subject and object,
and a formula that holds everywhere or nowhere in the window of history is never asked. Only certain points are a yes
and only impossible ones a no; a formula with no single reading in English (`verbalise`) is dropped.
"""

import random
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from pydantic import BaseModel, ConfigDict, Field

from halluvault_tasks.prolog.engine import Engine
from halluvault_tasks.temporal import formula as f
from halluvault_tasks.temporal.evaluate import Evaluated, Query, evaluate
from halluvault_tasks.temporal.history import History, HistoryAtom
from halluvault_tasks.temporal.sets import contains, edges
from halluvault_tasks.temporal.shapes import Shapes
from halluvault_tasks.temporal.timed import RECORDING_LAG, Point
from halluvault_tasks.temporal.units import Granularity
from halluvault_tasks.temporal.verbalise import POINT_KINDS, Phrase, question

ATOM = "atom"
"""Stands for a query without operator where operators are counted."""

_TRIES = 4  # formulas made for each one wanted: some hold nowhere, some hold everywhere, some are undecided
_NEAR = 3  # units from an edge that count as a near miss
_FAR = 25
_NEAR_SHARE = 0.7


class TemporalConfig(BaseModel):
    """How many temporal facts a snapshot gets, and of which shape."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    count: int = Field(default=1200, ge=0)
    """Facts wanted, half of them true; shared equally among domains and by `operators` within each."""
    depth: int = Field(default=2, ge=0, le=2)
    """Deepest nesting."""
    nested: float = Field(default=0.35, ge=0, le=1)
    """Share of depth-2 formulas among an operator's, where depth allows."""
    seed: int = 20260101
    granularity: Granularity = Granularity.YEAR
    """Unit of time; only years have an English wording, so only they give facts that can be asked."""
    lag_months: int = Field(default=RECORDING_LAG, ge=0)
    """Recording lag: no "No" rests on the last so many months before `as_of`."""
    operators: dict[str, float] = Field(
        default_factory=lambda: dict.fromkeys((*f.OPERATORS, ATOM), 1.0), description="weight of each main operator"
    )


class Generated(NamedTuple):
    """A decided query."""

    formula: f.Formula
    at: int
    truth: bool
    found: Evaluated


class Batch(NamedTuple):
    """What was generated.

    Args:
        queries: in order of domain, operator and discovery; pairs of a true and a false one.
        candidates: formulas tried.
        shortfall: queries missing by main operator, where the history did not carry more.
    """

    queries: list[Generated]
    candidates: int
    shortfall: dict[str, int]


class _Guard(NamedTuple):
    """Until is asked only where its left side holds at its own t (semantics.md §2.7)."""

    formula: f.Formula
    offset: int


def generate(history: History, engine: Engine, config: TemporalConfig) -> Batch:
    """Make queries over a history. The same history and config give the same queries in the same order."""
    domains = sorted({found.domain for found in history.atoms.values() if found.domain is not None})
    weights = {one: config.operators.get(one, 0.0) for one in (*f.OPERATORS, ATOM)}
    total = sum(weights.values())
    wanted = {
        one: max(1, round(config.count / 2 * weight / total / len(domains)))
        if weight and domains and config.count
        else 0
        for one, weight in weights.items()
    }
    candidates: list[tuple[str, str, f.Formula]] = []
    seen: set[f.Formula] = set()
    shapes = Shapes(history)
    for domain in domains:
        for operator, pairs in wanted.items():
            rng = random.Random(f"{config.seed}:{domain}:{operator}")
            for formula in _formulas(shapes, domain, operator, pairs * _TRIES, rng, config):
                if formula not in seen:
                    seen.add(formula)
                    candidates.append((domain, operator, formula))
    return _choose(candidates, wanted, len(domains), history, engine, config)


def _formulas(
    shapes: Shapes, domain: str, operator: str, count: int, rng: random.Random, config: TemporalConfig
) -> Iterator[f.Formula]:
    names = shapes.names(domain)
    if not count or not names:
        return
    rng.shuffle(names)
    for n in range(count):
        # Around the shuffled names, so that no item is asked about much more often than another.
        depth = 2 if config.depth == 2 and rng.random() < config.nested else min(config.depth, 1)
        formula = shapes.make(operator if operator != ATOM else "", names[n % len(names)], depth, rng)
        if formula is not None and formula.depth <= config.depth:
            yield formula


def _choose(
    candidates: Sequence[tuple[str, str, f.Formula]],
    wanted: dict[str, int],
    domains: int,
    history: History,
    engine: Engine,
    config: TemporalConfig,
) -> Batch:
    guards = [tuple(_guards(formula)) for _, _, formula in candidates]
    queries = [Query(formula) for _, _, formula in candidates]
    queries += [Query(guard.formula) for several in guards for guard in several]
    results = list(evaluate(engine, queries, history.timed))
    guard_results = iter(results[len(candidates) :])
    phrases = {name: _stand_in(found) for name, found in history.atoms.items()}
    taken: Counter[tuple[str, str]] = Counter()
    chosen: list[Generated] = []
    for (domain, operator, formula), several, found in zip(candidates, guards, results, strict=False):
        held = [(next(guard_results).certain, guard.offset) for guard in several]
        if taken[domain, operator] >= wanted[operator]:
            continue
        rng = random.Random(f"{config.seed}:at:{f.text(formula)}")
        points = [
            at
            for at in _points(formula, found, history, rng)
            if all(contains(certain, at + offset) for certain, offset in held)
            and question(formula, at, phrases, history.granularity) is not None
        ]
        yes = next((at for at in points if contains(found.certain, at)), None)
        no = next((at for at in points if not contains(found.possible, at)), None)
        if yes is not None and no is not None:
            taken[domain, operator] += 1
            chosen += [Generated(formula, yes, True, found), Generated(formula, no, False, found)]
    got = Counter[str]()
    for (_, operator), pairs in taken.items():
        got[operator] += 2 * pairs
    shortfall = {one: 2 * pairs * domains - got[one] for one, pairs in wanted.items() if 2 * pairs * domains > got[one]}
    return Batch(chosen, len(candidates), shortfall)


def _guards(formula: f.Formula, offset: int = 0) -> Iterator[_Guard]:
    match formula:
        case f.Until():
            yield _Guard(formula.left, offset)
        case f.Next():
            yield from _guards(formula.arg, offset + 1)
        case f.Not() | f.And() | f.Or():
            for child in f.children(formula):
                yield from _guards(child, offset)
        case _:
            pass


def _points(formula: f.Formula, found: Evaluated, history: History, rng: random.Random) -> list[int]:
    """Time points in random order, mostly near misses; none names a unit after what is complete at `as_of`."""
    ends = sorted({*edges(found.certain), *edges(found.possible)})
    latest = history.limit.complete - max(0, f.horizon(formula)[1])
    near = sorted({end + step for end in ends for step in range(-_NEAR, _NEAR + 1)})
    far = sorted({end + step for end in ends for step in range(-_FAR, _FAR + 1)} - set(near))
    rng.shuffle(near)
    rng.shuffle(far)
    points = near + far if rng.random() < _NEAR_SHARE else far + near
    return [point for point in points if point <= latest]


def _stand_in(found: HistoryAtom) -> Phrase:
    """A phrase of the atom's kind, for asking whether a formula can be said at all."""
    point = found.kind in POINT_KINDS or all(isinstance(row, Point) for row in found.timed.rows)
    return Phrase("X", "was there", "Was", "there", point)
