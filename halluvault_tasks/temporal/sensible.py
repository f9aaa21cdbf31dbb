"""When a person would ask a query at all: about a state while it lasted and soon after, never before it had begun.

"Was Ada Lovelace still alive in 1853?" is asked about somebody who was alive before and died a year earlier. Nobody
asks whether somebody was alive long before their birth, or whether a war was on decades after its end; and the wording
"still" takes for granted that it had begun.
"""

from collections.abc import Mapping
from typing import NamedTuple

from halluvault_tasks.temporal import formula as f
from halluvault_tasks.temporal.kinds import AtomKind

SOON = 5
"""Units before and after the end of a state in which it is asked whether it still held."""


class Extent(NamedTuple):
    """When a state held: its start lies from `s1` to `s2`, its end from `e1` to `e2` (units, inclusive; None: open)."""

    kind: AtomKind
    s1: int | None
    s2: int | None
    e1: int | None
    e2: int | None


def unit_asked(formula: f.Formula, at: int) -> int | None:
    """The one unit that a query is about; None where it is about a window."""
    match formula:
        case f.Not():
            return unit_asked(formula.arg, at)
        case f.Next():
            return unit_asked(formula.arg, at + 1)
        case f.Finally() | f.Globally():
            return unit_asked(formula.arg, at + formula.first) if formula.first == formula.last else None
        case f.Until():
            return None
        case _:
            return at


def sensible(formula: f.Formula, at: int, states: Mapping[str, Extent]) -> bool:
    """Whether somebody would ask a query.

    Args:
        formula: the query.
        at: the unit t.
        states: of the atoms that are states, when they held; an atom that is not there happens in one moment.
    """
    asked = [states[name] for name in f.atoms(formula) if name in states]
    unit = unit_asked(formula, at)
    if unit is not None:
        return all(_still(state, unit) for state in asked)
    window = window_asked(formula, at)
    return window is None or all(_during(state, *window) for state in asked)


def _still(state: Extent, unit: int) -> bool:
    """Soon before its end or soon after, in its second half, the units of its start and end left out."""
    if state.s2 is None or state.e1 is None or state.e2 is None:
        return False
    if state.e2 < unit:
        return unit <= state.e2 + SOON
    return max((state.s2 + state.e1) / 2, state.e1 - SOON - 1, state.s2) < unit < state.e1


def _during(state: Extent, first: int, last: int) -> bool:
    """Whether a state that can be asked to last held for at least half of a window; not asked of a life."""
    if not state.kind.throughout or state.s1 is None or state.e2 is None:
        return False
    return 2 * (min(last, state.e2) - max(first, state.s1) + 1) > last - first


def window_asked(formula: f.Formula, at: int) -> tuple[int, int] | None:
    """The first and the last unit of the window that a query is about; None where it is about none."""
    match formula:
        case f.Not() | f.Next():
            return window_asked(formula.arg, at + isinstance(formula, f.Next))
        case f.Finally() | f.Globally():
            return at + formula.first, at + formula.last
        case _:
            return None
