"""An evaluator of MTL's definition that shares nothing with the interval algebra: it looks at one point after another.

Also random formulas and histories from a seed, for runs too large for hypothesis. `benchmarks/temporal.py` uses the
same evaluator, so that what is timed is what is tested against.
"""

import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import product

from halluvault_tasks.temporal import formula as f
from halluvault_tasks.temporal.timed import Point, Row, Span

World = Mapping[str, Callable[[int], bool]]
"""For each atom: whether it holds at a point."""


def holds(formula: f.Formula, t: int, world: World) -> bool:
    """`(H, t) ⊨ formula`, word for word from semantics.md §2.4."""
    match formula:
        case f.Atom():
            return world[formula.name](t)
        case f.Not():
            return not holds(formula.arg, t, world)
        case f.And():
            return holds(formula.left, t, world) and holds(formula.right, t, world)
        case f.Or():
            return holds(formula.left, t, world) or holds(formula.right, t, world)
        case f.Next():
            return holds(formula.arg, t + 1, world)
        case f.Finally():
            return any(holds(formula.arg, t + d, world) for d in range(formula.first, formula.last + 1))
        case f.Globally():
            return all(holds(formula.arg, t + d, world) for d in range(formula.first, formula.last + 1))
        case f.Until():
            return any(
                holds(formula.right, t + d, world) and all(holds(formula.left, k, world) for k in range(t + 1, t + d))
                for d in range(formula.first, formula.last + 1)
            )


def truths(formula: f.Formula, first: int, last: int, world: World) -> list[bool]:
    """`holds` at every point from first to last; each sub-formula is worked through once per point that is needed."""
    match formula:
        case f.Atom():
            return [world[formula.name](t) for t in range(first, last + 1)]
        case f.Not():
            return [not x for x in truths(formula.arg, first, last, world)]
        case f.Next():
            return truths(formula.arg, first + 1, last + 1, world)
        case f.And() | f.Or():
            left, right = truths(formula.left, first, last, world), truths(formula.right, first, last, world)
            both = isinstance(formula, f.And)
            return [(x and y) if both else (x or y) for x, y in zip(left, right, strict=True)]
        case f.Finally() | f.Globally():
            inner = truths(formula.arg, first + formula.first, last + formula.last, world)
            check = any if isinstance(formula, f.Finally) else all
            width = formula.last - formula.first + 1
            return [check(inner[n : n + width]) for n in range(last - first + 1)]
        case f.Until():
            left = truths(formula.left, first, last + formula.last, world)
            right = truths(formula.right, first, last + formula.last, world)
            return [
                any(right[n + d] and all(left[n + 1 : n + d]) for d in range(formula.first, formula.last + 1))
                for n in range(last - first + 1)
            ]


def world_of(terms: Mapping[str, Sequence[tuple[int, int]]]) -> World:
    """Atoms that hold within closed intervals."""
    return {name: lambda t, spans=spans: any(s <= t <= e for s, e in spans) for name, spans in terms.items()}


def completions(row: Row) -> list[tuple[int, int]]:
    """Every pair of start and end that a row with finite bounds leaves possible."""
    if isinstance(row, Point):
        return [(at, at) for at in range(row.first, row.last + 1)]
    assert row.s1 is not None
    assert row.s2 is not None
    assert row.e1 is not None
    assert row.e2 is not None
    return [(s, e) for s in range(row.s1, row.s2 + 1) for e in range(row.e1, row.e2 + 1) if s <= e]


def worlds(history: Mapping[str, Sequence[Row]]) -> Iterator[World]:
    """Every completion of a history with finite bounds."""
    flat = [(name, row) for name, several in history.items() for row in several]
    for choice in product(*(completions(row) for _, row in flat)):
        terms: dict[str, list[tuple[int, int]]] = {name: [] for name in history}
        for (name, _), term in zip(flat, choice, strict=True):
            terms[name].append(term)
        yield world_of(terms)


def random_formula(rng: random.Random, depth: int, names: Sequence[str], widest: int = 8) -> f.Formula:
    """A formula of depth at most `depth`, exactly `depth` along one branch, windows within [0, widest]."""
    if depth == 0:
        return f.Atom(rng.choice(names))
    arg = random_formula(rng, depth - 1, names, widest)
    operator = rng.choice(f.OPERATORS)
    first = rng.randint(0, widest)
    last = rng.randint(first, widest)
    match operator:
        case "!":
            return f.Not(arg)
        case "N":
            return f.Next(arg)
        case "F":
            return f.Finally(first, last, arg)
        case "G":
            return f.Globally(first, last, arg)
    other = random_formula(rng, rng.randint(0, depth - 1), names, widest)
    left, right = (arg, other) if rng.random() < 0.5 else (other, arg)
    match operator:
        case "&":
            return f.And(left, right)
        case "|":
            return f.Or(left, right)
        case _:
            return f.Until(first, last, left, right)


def random_terms(rng: random.Random, names: Sequence[str]) -> dict[str, list[tuple[int, int]]]:
    """Up to three intervals an atom, close enough to meet."""
    starts = {name: [rng.randint(-14, 14) for _ in range(rng.randint(0, 3))] for name in names}
    return {name: [(s, s + rng.randint(0, 8)) for s in several] for name, several in starts.items()}


def random_rows(rng: random.Random, names: Sequence[str]) -> dict[str, list[Row]]:
    """One or two rows an atom with uncertain ends, some of whose certain parts are empty."""
    found: dict[str, list[Row]] = {}
    for name in names:
        rows: list[Row] = []
        for _ in range(rng.choice((1, 1, 2))):
            start, late = rng.randint(-6, 6), rng.randint(0, 3)
            if rng.random() < 0.3:
                rows.append(Point(start, start + late))
            else:
                end = start + rng.randint(0, 6)
                rows.append(Span(start, start + late, end, max(end, start + late) + rng.randint(0, 2)))
        found[name] = rows
    return found
