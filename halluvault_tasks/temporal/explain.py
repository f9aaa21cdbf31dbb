"""Shows how a query is answered: its rules, the sets of every sub-formula, and a timeline."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from halluvault_tasks.prolog.engine import Engine
from halluvault_tasks.temporal import formula as f
from halluvault_tasks.temporal.drawing import span_shown
from halluvault_tasks.temporal.encode import Encoder
from halluvault_tasks.temporal.run_in_prolog import Evaluated, Query, evaluate
from halluvault_tasks.temporal.sets import IntervalSet, contains
from halluvault_tasks.temporal.timed import Timed
from halluvault_tasks.temporal.units import Granularity, point_text

_BAR = 64  # columns of a timeline
_LABEL = 34
_CERTAIN, _POSSIBLE, _NEVER = "█", "░", "·"


class Explanation(NamedTuple):
    """What `explain` found.

    Args:
        answer: of the whole formula at the time point.
        rules: Prolog text, one rule a sub-formula.
        parts: every sub-formula with its sets, operands first.
    """

    answer: Evaluated
    rules: str
    parts: tuple[tuple[f.Formula, Evaluated], ...]


def explain(engine: Engine, formula: f.Formula, at: int, history: Mapping[str, Timed]) -> Explanation:
    """Answer a query and keep what led there.

    Raises:
        UserError: the formula mentions an unknown event.
    """
    encoder = Encoder(history)
    encoder.predicate(formula)
    nodes = list(f.subformulas(formula))
    answers = list(evaluate(engine, [*map(Query, nodes), Query(formula, at)], history))
    return Explanation(answers[-1], "\n".join(encoder.rules), tuple(zip(nodes, answers, strict=False)))


def sets_text(evaluated: Evaluated, granularity: Granularity) -> str:
    """Both sets in words: `certain [1797–1901]`, with `possible …` where that differs."""
    certain = f"certain {_intervals(evaluated.certain, granularity)}"
    if evaluated.certain == evaluated.possible:
        return certain
    return f"{certain}, possible {_intervals(evaluated.possible, granularity)}"


def _intervals(intervals: IntervalSet, granularity: Granularity) -> str:
    if not intervals:
        return "nowhere"
    shown = [
        ("−∞" if i.first is None else point_text(i.first, granularity))
        + "–"
        + ("∞" if i.last is None else point_text(i.last, granularity))
        for i in intervals[:6]
    ]
    more = f" and {len(intervals) - 6} more" if len(intervals) > 6 else ""
    return f"[{', '.join(shown)}{more}]"


def timeline(parts: Sequence[tuple[f.Formula, Evaluated]], at: int, granularity: Granularity) -> list[str]:
    """Lines of text: one bar a sub-formula, the time point marked below.

    A column stands for one or more units: full where the formula certainly holds in all of them, shaded where it
    holds or may hold in some.
    """
    low, high = span_shown(parts, at)
    width = -(-(high - low + 1) // _BAR)
    starts = range(low, high + 1, width)
    lines = []
    for formula, evaluated in parts:
        bar = "".join(_column(evaluated, first, min(first + width - 1, high)) for first in starts)
        text = " ".join(f.text(formula).split())
        label = text if len(text) <= _LABEL else text[: _LABEL - 1] + "…"
        lines.append(f"{label:<{_LABEL}} {bar}")
    lines.append(f"{'':<{_LABEL}} {' ' * ((at - low) // width)}▲ {point_text(at, granularity)}")
    unit = granularity.value if width == 1 else f"{width} {granularity.value}s"
    span = f"{point_text(low, granularity)} to {point_text(high, granularity)}"
    lines.append(f"{'':<{_LABEL}} {span}, a column is {unit}; {_CERTAIN} certain, {_POSSIBLE} possible or in part")
    return lines


def _column(evaluated: Evaluated, first: int, last: int) -> str:
    if _covers(evaluated.certain, first, last):
        return _CERTAIN
    return _POSSIBLE if _meets(evaluated.possible, first, last) else _NEVER


def _covers(intervals: IntervalSet, first: int, last: int) -> bool:
    return any(contains((interval,), first) and contains((interval,), last) for interval in intervals)


def _meets(intervals: IntervalSet, first: int, last: int) -> bool:
    return any((i.first is None or i.first <= last) and (i.last is None or first <= i.last) for i in intervals)
