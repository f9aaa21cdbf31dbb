"""The other ways to take the English of a query, as formulas: it is asked only if all give one answer.

`verbalise` says what people say ("between 1860 and 1869", "throughout the period from …", "either … or …"), which does
not fix everything that the formula does. What it leaves open is asked about only if it does not matter (semantics.md
§2.7):

- between two units: with those two, or without them;
- throughout a period: in each of its units for a part, or all through the first and the last;
- both of two states, in one unit: each for a part of it, or all through it;
- either of two: at least one, or exactly one;
- a decade such as the 2000s: these ten years, or a century.
"""

from collections.abc import Callable, Mapping

from halluvault_tasks.temporal import formula as f
from halluvault_tasks.temporal.sensible import window_asked
from halluvault_tasks.temporal.timed import Span, Timed

Formula = f.Formula

FILLING = "all through "
"""Begins the name of an atom that holds where the atom named behind it fills the unit."""


def others(formula: Formula, filled: Mapping[str, Timed]) -> list[Formula] | None:
    """The other readings of a query.

    Args:
        formula: as it is asked.
        filled: what `filling` made of the atoms.

    Returns:
        Formulas over the atoms and those of `filled`; None where a reading has no formula, so that it is not asked.
    """
    readings = []
    for taken in (_narrower, _wider, lambda each: _filled(each, filled), _one_alone):
        try:
            other = _rebuilt(formula, taken)
        except _NoReadingError:
            return None
        if other != formula:
            readings.append(other)
    return readings


def century(formula: Formula) -> Formula | None:
    """A decade within which something happens, or does not, taken for the century that begins with it; else None."""
    match formula:
        case f.Not(arg=arg) if (wide := century(arg)) is not None:
            return f.Not(wide)
        case f.Finally(first=first, last=last, arg=arg) | f.Globally(first=first, last=last, arg=arg) if (
            last == first + 9
        ):
            return type(formula)(first, first + 99, arg)
        case _:
            return None


def may_be_a_century(formula: Formula, at: int) -> bool:
    """Whether the name of the decade that a query is about may mean a century, too."""
    window = window_asked(formula, at)
    return window is not None and window[0] % 100 == 0


def filling(atoms: Mapping[str, Timed]) -> dict[str, Timed]:
    """Of states of one term, those that surely fill a unit: by name, when they fill one."""
    fillings = {}
    for name, known in atoms.items():
        row = known.rows[0]
        if len(known.rows) > 1 or not isinstance(row, Span) or None in row:
            continue
        s1, s2, e1, e2 = (end or 0 for end in row)
        if s2 + 1 <= e1 - 1:
            inner = Span(s1 + 1, s2 + 1, e1 - 1, e2 - 1)
            fillings[name] = Timed(FILLING + name, (inner,), known.open_within, known.cutoff, known.note)
    return fillings


class _NoReadingError(Exception):
    pass


def _rebuilt(formula: Formula, taken: Callable[[Formula], Formula]) -> Formula:
    match formula:
        case f.Not() | f.Next():
            return type(formula)(_rebuilt(formula.arg, taken))
        case f.Finally() | f.Globally():
            return taken(formula)
        case f.And() | f.Or():
            return taken(formula)
        case _:
            return formula


def _narrower(formula: Formula) -> Formula:
    """Without the first and the last unit of each window."""
    if not isinstance(formula, f.Finally | f.Globally) or formula.first == formula.last:
        return formula
    if formula.last - formula.first < 2:
        raise _NoReadingError
    return type(formula)(formula.first + 1, formula.last - 1, formula.arg)


def _wider(formula: Formula) -> Formula:
    """What is said to last throughout a window holds a unit before it and one behind it: it fills first and last."""
    if not isinstance(formula, f.Globally | f.Finally) or formula.first == formula.last:
        return formula
    if isinstance(formula, f.Finally) != isinstance(formula.arg, f.Not):  # something happens within it
        return formula
    if formula.first == 0:
        raise _NoReadingError
    return type(formula)(formula.first - 1, formula.last + 1, formula.arg)


def _filled(formula: Formula, filled: Mapping[str, Timed]) -> Formula:
    """Both of two states all through the unit."""
    if isinstance(formula, f.Finally | f.Globally):
        # Windows of both are worded as "throughout" alone, which `_wider` takes.
        return formula
    if not isinstance(formula, f.And):
        return formula
    sides = []
    for side in (formula.left, formula.right):
        if not isinstance(side, f.Atom) or side.name not in filled:
            raise _NoReadingError
        sides.append(f.Atom(FILLING + side.name))
    return f.And(*sides)


def _one_alone(formula: Formula) -> Formula:
    """One of the two and not the other."""
    if isinstance(formula, f.Finally | f.Globally):
        inner = formula.arg.arg if isinstance(formula.arg, f.Not) else formula.arg
        if not isinstance(inner, f.Or):
            return formula
        window = (formula.first, formula.last)
        # "Either was founded between …" is said of the whole window.
        left, right = f.Finally(*window, inner.left), f.Finally(*window, inner.right)
        alone = _exactly_one(left, right)
        return f.Not(alone) if isinstance(formula, f.Globally) else alone
    return _exactly_one(formula.left, formula.right) if isinstance(formula, f.Or) else formula


def _exactly_one(left: Formula, right: Formula) -> Formula:
    return f.Or(f.And(left, f.Not(right)), f.And(f.Not(left), right))
