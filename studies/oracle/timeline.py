"""Truth of a temporal question at whole years, straight from the definition of the operators (semantics.md §2.4).

Kept apart from the pipeline's interval sets on purpose: it walks over single years, so that what a planted date makes
of an answer is decided by other code than the one that is measured.
"""

from collections.abc import Mapping, Sequence

from halluvault_tasks.temporal import formula as f
from halluvault_tasks.wikidata import properties as wd
from studies.oracle.facts import Premise

Spans = Mapping[str, tuple[int, int]]
"""Atom → first and last year in which it is the case."""

_SPANS = {"life": (wd.BIRTH, wd.DEATH), "run": (wd.START, wd.END), "existence": (wd.INCEPTION, wd.DISSOLUTION)}
_POINTS = {"birth": wd.BIRTH, "founding": wd.INCEPTION, "publication": wd.PUBLICATION}


def spans(formula: f.Formula, premises: Sequence[Premise]) -> Spans | None:
    """Years of every atom from the premises' dates; None if one is missing, coarse or of another kind."""
    dates = {(each.subject.qid, each.property): each.date.year for each in premises if each.date}
    found = {}
    for name in f.atoms(formula):
        kind, _, qid = name.partition("_Q")
        if not qid.isdigit():
            return None
        first, last = _SPANS.get(kind, (_POINTS.get(kind, 0),) * 2)
        start, end = dates.get((int(qid), first)), dates.get((int(qid), last))
        if start is None or end is None:
            return None
        found[name] = (start, end)
    return found


def holds(formula: f.Formula, at: int, spans: Spans) -> bool:
    """Whether a formula is true in a year."""
    match formula:
        case f.Atom(name=name):
            first, last = spans[name]
            return first <= at <= last
        case f.Not():
            return not holds(formula.arg, at, spans)
        case f.Next():
            return holds(formula.arg, at + 1, spans)
        case f.And():
            return holds(formula.left, at, spans) and holds(formula.right, at, spans)
        case f.Or():
            return holds(formula.left, at, spans) or holds(formula.right, at, spans)
        case f.Finally():
            return any(holds(formula.arg, at + d, spans) for d in range(formula.first, formula.last + 1))
        case f.Globally():
            return all(holds(formula.arg, at + d, spans) for d in range(formula.first, formula.last + 1))
        case f.Until():
            return any(
                holds(formula.right, at + d, spans) and all(holds(formula.left, at + k, spans) for k in range(1, d))
                for d in range(formula.first, formula.last + 1)
            )
    raise TypeError(f"{type(formula).__name__} is no formula")
