"""Formulas and histories for hypothesis, and what the tests of the operators and of the programs ask alike."""

import re
from collections.abc import Callable, Mapping

from hypothesis import strategies as st

from halluvault_tasks.prolog.engine import Engine
from halluvault_tasks.temporal import formula as f
from halluvault_tasks.temporal.run_in_prolog import Evaluated, Query, evaluate
from halluvault_tasks.temporal.timed import Span, Timed

NAMES = ("p", "q", "r")
WINDOW = range(-26, 27)

DICKENS = {
    "dickens": Timed("dickens", (Span(1812, 1812, 1870, 1870),)),
    "victorian": Timed("victorian", (Span(1837, 1837, 1901, 1901),)),
}


def larger(inner: st.SearchStrategy[f.Formula], widest: int) -> st.SearchStrategy[f.Formula]:
    """One operator over smaller formulas; windows begin within `widest` and are as wide at most."""
    ends = st.integers(0, widest)
    windows = st.tuples(ends, ends).map(lambda w: (w[0], w[0] + w[1]))
    return st.one_of(
        st.builds(f.Not, inner),
        st.builds(f.Next, inner),
        st.builds(f.And, inner, inner),
        st.builds(f.Or, inner, inner),
        st.builds(lambda w, a: f.Finally(*w, a), windows, inner),
        st.builds(lambda w, a: f.Globally(*w, a), windows, inner),
        st.builds(lambda w, a, b: f.Until(*w, a, b), windows, inner, inner),
    )


def formulas(depth: int) -> st.SearchStrategy[f.Formula]:
    found: st.SearchStrategy[f.Formula] = st.sampled_from(NAMES).map(f.Atom)
    for _ in range(depth):
        found = st.one_of(found, larger(found, 4))
    return found


intervals = st.tuples(st.integers(-12, 12), st.integers(0, 8)).map(lambda pair: (pair[0], pair[0] + pair[1]))
exact_histories = st.fixed_dictionaries({name: st.lists(intervals, max_size=3) for name in NAMES})


def exactly(name: str, terms: list[tuple[int, int]]) -> Timed:
    return Timed(name, tuple(Span(s, s, e, e) for s, e in terms))


def one(engine: Engine, formula: f.Formula, history: Mapping[str, Timed], at: int | None = None) -> Evaluated:
    return next(evaluate(engine, [Query(formula, at)], history))


def member(text: str) -> Callable[[int], bool]:
    pairs = re.findall(r"(inf|-?\d+)-\s*(sup|-?\d+)", text.replace("(", "").replace(")", ""))
    spans = [(None if a == "inf" else int(a), None if b == "sup" else int(b)) for a, b in pairs]
    return lambda t: any((a is None or a <= t) and (b is None or t <= b) for a, b in spans)
