"""The generated rules against the definition itself, worked through point by point by an evaluator of its own."""

import random
from collections import Counter
from collections.abc import Callable, Mapping
from itertools import islice

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from mtl_definition import World, holds, random_formula, random_rows, random_terms, truths, world_of, worlds
from mtl_histories import DICKENS, NAMES, WINDOW, exact_histories, exactly, formulas, member, one

from halluvault_tasks.prolog.engine import Engine
from halluvault_tasks.temporal import formula as f
from halluvault_tasks.temporal.parsing import parse
from halluvault_tasks.temporal.run_in_prolog import Query, evaluate
from halluvault_tasks.temporal.sets import Interval, contains, to_json
from halluvault_tasks.temporal.timed import Cutoff, Point, Row, Span, Timed, timed


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("F[0,40] victorian", [[1797, 1901]]),
        ("G[30,50] victorian", [[1807, 1851]]),
        ("N victorian", [[1836, 1900]]),
        ("dickens U[10,20] victorian", [[1817, 1861]]),
        ("!victorian", [["inf", 1836], [1902, "sup"]]),
        ("victorian & dickens", [[1837, 1870]]),
        ("victorian | dickens", [[1812, 1901]]),
        ("dickens", [[1812, 1870]]),
        ("victorian", [[1837, 1901]]),
    ],
)
def test_the_worked_examples_have_their_intervals(engine: Engine, text: str, expected: list[object]) -> None:
    found = one(engine, parse(text), DICKENS)
    assert to_json(found.certain) == to_json(found.possible) == expected


@settings(max_examples=300, deadline=None)
@given(formulas(4), exact_histories)
def test_a_random_formula_holds_just_where_the_definition_says(
    engine: Engine, formula: f.Formula, terms: dict[str, list[tuple[int, int]]]
) -> None:
    assume(f.horizon(formula)[1] <= 24)
    world = world_of(terms)
    found = one(engine, formula, {name: exactly(name, spans) for name, spans in terms.items()})
    assert found.certain == found.possible
    for t in WINDOW:
        assert contains(found.certain, t) == holds(formula, t, world), (f.text(formula), t)


def test_thousands_of_random_formulas_hold_just_where_the_definition_says(engine: Engine) -> None:
    """Many formulas over one history in one run, so that sub-formulas are shared as they are in real files."""
    rng = random.Random(5)
    for _ in range(10):
        terms = random_terms(rng, NAMES)
        history, world = {name: exactly(name, spans) for name, spans in terms.items()}, world_of(terms)
        asked = [random_formula(rng, rng.randint(0, 4), NAMES) for _ in range(300)]
        for formula, found in zip(asked, evaluate(engine, map(Query, asked), history), strict=True):
            assert found.certain == found.possible
            expected = truths(formula, WINDOW[0], WINDOW[-1], world)
            assert [contains(found.certain, t) for t in WINDOW] == expected, f.text(formula)


def test_hundreds_of_random_queries_on_uncertain_dates_are_answered_as_all_completions_say(engine: Engine) -> None:
    rng = random.Random(6)
    decided: set[tuple[str, bool | None]] = set()
    for _ in range(40):
        rows = random_rows(rng, NAMES[:2])
        every = list(islice(worlds(rows), 501))
        if len(every) > 500:
            continue
        history = {name: Timed(name, tuple(several)) for name, several in rows.items()}
        asked = [Query(random_formula(rng, rng.randint(0, 3), NAMES[:2]), rng.randint(-14, 12)) for _ in range(25)]
        for query, found in zip(asked, evaluate(engine, asked, history), strict=True):
            assert query.at is not None
            seen = {truths(query.formula, query.at, query.at, world)[0] for world in every}
            assert found.answer == (seen.pop() if len(seen) == 1 else None), (f.text(query.formula), query.at, rows)
            decided.add((found.how, found.answer))
    assert decided == {("bounds", True), ("bounds", False), ("completions", True), ("completions", False), ("-", None)}


@settings(max_examples=150, deadline=None)
@given(formulas(4), exact_histories)
def test_interval_sets_are_canonical(
    engine: Engine, formula: f.Formula, terms: dict[str, list[tuple[int, int]]]
) -> None:
    found = one(engine, formula, {name: exactly(name, spans) for name, spans in terms.items()})
    for i in found.certain:
        assert i.first is None or i.last is None or i.first <= i.last
    for before, after in zip(found.certain, found.certain[1:], strict=False):
        assert before.last is not None
        assert after.first is not None
        assert before.last + 1 < after.first, "neighbours overlap or are adjacent"


# ---------------------------------------------------------------- the algebra by itself, open ends too

ends = st.lists(st.integers(-12, 12), max_size=6, unique=True).map(sorted)


def _set(points: list[int], inside: bool) -> str:
    """A canonical set whose borders are `points`, as Prolog text; `inside` says whether it begins at inf."""
    parts, begin = [], "inf" if inside else None
    for point in points:
        if begin is None:
            begin = str(3 * point)
        else:
            parts.append(f"({begin})-({3 * point + 1})")
            begin = None
    if begin is not None:
        parts.append(f"({begin})-sup")
    return f"[{','.join(parts)}]"


sets = st.builds(_set, ends, st.booleans())


def _solve(engine: Engine, goal: str) -> str:
    """The answer of an operation, which has one and leaves no way to another, to be tried where a later goal fails."""
    found = engine.once(f"call_cleanup(interval_sets:{goal}, Ways = none), ignore(Ways = more), term_to_atom(_Z, Z)")
    assert found is not None, goal
    assert found["Ways"] == "none", goal
    return str(found["Z"])


@settings(max_examples=150, deadline=None)
@given(sets, sets, st.integers(0, 6), st.integers(0, 6))
def test_every_operation_on_sets_agrees_with_its_definition(engine: Engine, x: str, y: str, a: int, width: int) -> None:
    b = a + width
    p, q = member(x), member(y)
    cases: list[tuple[str, Callable[[int], bool]]] = [
        (f"set_union({x},{y},_Z)", lambda t: p(t) or q(t)),
        (f"set_intersection({x},{y},_Z)", lambda t: p(t) and q(t)),
        (f"set_complement({x},_Z)", lambda t: not p(t)),
        (f"set_shift({x},{a},_Z)", lambda t: p(t - a)),
        (f"set_dilate({x},{a},{b},_Z)", lambda t: any(p(t + d) for d in range(a, b + 1))),
        (f"set_erode({x},{a},{b},_Z)", lambda t: all(p(t + d) for d in range(a, b + 1))),
        (
            f"set_until({x},{y},{a},{b},_Z)",
            lambda t: any(q(t + d) and all(p(k) for k in range(t + 1, t + d)) for d in range(a, b + 1)),
        ),
    ]
    for goal, expected in cases:
        got = member(_solve(engine, goal))
        for t in range(-60, 61):
            assert got(t) == expected(t), (goal, t)


# ---------------------------------------------------------------- laws


@settings(max_examples=120, deadline=None)
@given(formulas(2), formulas(2), st.integers(0, 5), st.integers(0, 5), exact_histories)
def test_the_algebraic_laws_hold(
    engine: Engine, p: f.Formula, q: f.Formula, a: int, width: int, terms: dict[str, list[tuple[int, int]]]
) -> None:
    b = a + width
    history = {name: exactly(name, spans) for name, spans in terms.items()}
    equal = [
        (f.Finally(a, b, p), f.Not(f.Globally(a, b, f.Not(p)))),
        (f.Next(f.Finally(a, b, p)), f.Finally(a + 1, b + 1, p)),
        (f.Globally(a, b, f.Next(p)), f.Globally(a + 1, b + 1, p)),
        (f.Finally(a, b, f.Finally(1, 3, p)), f.Finally(a + 1, b + 3, p)),
        (f.Finally(a, b, f.Or(p, q)), f.Or(f.Finally(a, b, p), f.Finally(a, b, q))),
        (f.Globally(a, b, f.And(p, q)), f.And(f.Globally(a, b, p), f.Globally(a, b, q))),
        (f.Until(a, b, f.Or(p, f.Not(p)), q), f.Finally(a, b, q)),
        # until unrolled: both bounds strict, so one step needs p at t+1 once the witness lies beyond it
        (f.Until(a + 2, b + 2, p, q), f.Next(f.And(p, f.Until(a + 1, b + 1, p, q)))),
        (f.Until(0, b, p, q), f.Or(q, f.Until(1, max(b, 1), p, q)) if b else q),
    ]
    found = list(evaluate(engine, [Query(side) for pair in equal for side in pair], history))
    for (left, right), one_side, other in zip(equal, found[::2], found[1::2], strict=True):
        assert one_side.certain == other.certain, f"{f.text(left)}  ≠  {f.text(right)}"


# ---------------------------------------------------------------- uncertain dates


def _row(kind: str, s1: int, a: int, b: int, c: int) -> Row:
    if kind == "point":
        return Point(s1, s1 + a)
    return Span(s1, s1 + a, max(s1, s1 + a + b - 2), max(s1 + a, s1 + a + b - 2) + c)


rows = st.builds(
    _row,
    st.sampled_from(["point", "span"]),
    st.integers(-6, 6),
    st.integers(0, 3),
    st.integers(0, 5),
    st.integers(0, 3),
)
uncertain = st.fixed_dictionaries({name: st.lists(rows, min_size=1, max_size=2) for name in NAMES[:2]})


def _two(depth: int) -> st.SearchStrategy[f.Formula]:
    return formulas(depth).filter(lambda formula: "r" not in f.atoms(formula))


@settings(max_examples=60, deadline=None)
@given(_two(2), uncertain, st.lists(st.integers(-12, 10), min_size=3, max_size=3))
def test_what_is_decided_is_true_in_every_completion_and_what_every_completion_agrees_on_is_decided(
    engine: Engine, formula: f.Formula, history: dict[str, list[Row]], points: list[int]
) -> None:
    mentioned = {name: history[name] for name in f.atoms(formula)}
    every = list(worlds(mentioned))
    assume(1 <= len(every) <= 400)
    known = {name: Timed(name, tuple(several)) for name, several in mentioned.items()}
    sets_found = one(engine, formula, known)
    for t in range(-14, 12):
        truths = {holds(formula, t, world) for world in every}
        if contains(sets_found.certain, t):
            assert truths == {True}
        if not contains(sets_found.possible, t):
            assert truths == {False}
    for at in points:
        truths = {holds(formula, at, world) for world in every}
        answer = one(engine, formula, known, at).answer
        assert answer == (truths.pop() if len(truths) == 1 else None), (f.text(formula), at)


def test_a_missing_end_makes_only_the_start_certain(engine: Engine) -> None:
    found = one(engine, f.Atom("p"), {"p": Timed("p", (Span(1950, 1950, None, None),))})
    assert to_json(found.certain) == [[1950, 1950]]
    assert to_json(found.possible) == [[1950, "sup"]]


@pytest.mark.parametrize(
    ("row", "possible"),
    [
        (Span(1900, None, None, None), [[1900, "sup"]]),
        (Span(None, 1950, None, None), [["inf", "sup"]]),
        (Span(None, None, None, 1950), [["inf", 1950]]),
    ],
)
def test_one_bound_makes_nothing_certain(engine: Engine, row: Span, possible: list[object]) -> None:
    found = one(engine, f.Atom("p"), {"p": Timed("p", (row,))})
    assert (found.certain, to_json(found.possible)) == ((), possible)


@pytest.mark.parametrize(
    ("row", "at", "answer"),
    [
        (Span(None, 1950, 1960, 1960), 1945, None),
        (Span(None, 1950, 1960, 1960), 1950, True),
        (Span(None, 1950, 1960, 1960), 1961, False),
        (Span(1940, 1940, 1945, None), 1950, None),
        (Span(1940, 1940, 1945, None), 1945, True),
        (Span(1940, 1940, 1945, None), 1939, False),
    ],
)
def test_an_unknown_end_is_tried_on_both_sides_of_the_point(
    engine: Engine, row: Span, at: int, answer: bool | None
) -> None:
    history = {"p": Timed("p", (row,))}
    assert one(engine, f.Atom("p"), history, at).answer is answer
    assert one(engine, parse("p | !p"), history, at).answer is True


def test_unknown_dates_decide_nothing(engine: Engine) -> None:
    history = {"p": Timed("p", (Span(None, None, None, None),))}
    found = one(engine, parse("F[0,5] p"), history, 3)
    assert (found.answer, found.certain, to_json(found.possible)) == (None, (), [["inf", "sup"]])


def test_a_wide_window_catches_a_point_whose_place_is_uncertain(engine: Engine) -> None:
    """Certain of the point itself is empty, so plain propagation would never say yes (semantics.md §2.5)."""
    history = {"p": Timed("p", (Point(100, 111),))}
    assert one(engine, f.Atom("p"), history).certain == ()
    found = one(engine, parse("F[0,20] p"), history)
    assert to_json(found.certain) == [[91, 100]]
    never = one(engine, parse("G[0,20] !p"), history)
    assert to_json(never.possible) == [["inf", 90], [101, "sup"]]
    assert one(engine, parse("G[0,1] p"), history).possible == ()


def test_enumeration_is_said_to_have_decided(engine: Engine) -> None:
    history = {"p": Timed("p", (Span(100, 105, 107, 112),))}
    found = one(engine, parse("p | !p"), history, 103)
    assert (found.answer, found.how) == (True, "completions")
    assert one(engine, parse("p"), history, 103).answer is None
    either = one(engine, parse("p | N p"), {"p": Timed("p", (Point(100, 101),))}, 100)
    assert (either.answer, either.how) == (True, "completions"), "a place that the dates exclude is not tried"


@pytest.mark.parametrize(("window", "answer"), [((0, 9_999), True), ((0, 10_000), None), ((9_000, 15_000), True)])
def test_up_to_ten_thousand_completions_are_gone_through(
    engine: Engine, window: tuple[int, int], answer: bool | None
) -> None:
    """Of a point somewhere after 0, a window looks at the places from one before it to one beyond it."""
    history, found = {"p": Timed("p", (Point(1, 20_000),))}, f.Finally(*window, f.Atom("p"))
    assert one(engine, f.Or(found, f.Not(found)), history, 0).answer is answer


def test_after_as_of_nothing_is_certain_and_within_the_lag_no_is_never_said(engine: Engine) -> None:
    limit = Cutoff(complete=2025, recorded=2024)
    ended = timed("ended", (Span(1990, 1990, 2000, 2000),), limit=limit)
    lasting = timed("lasting", (Span(2020, 2020, 2030, 2030),), limit=limit)
    late = timed("late", (Point(2025, 2025),), limit=limit)
    history = {one.name: one for one in (ended, lasting, late)}
    assert one(engine, parse("ended"), history, 2040).answer is False, "a closed end by as_of settles what follows"
    assert one(engine, parse("lasting"), history, 2025).answer is True
    assert one(engine, parse("lasting"), history, 2026).answer is None
    assert one(engine, parse("F[0,9] lasting"), history, 2015).answer is True, "a window may cross as_of"
    assert one(engine, parse("G[0,9] lasting"), history, 2020).answer is None
    assert one(engine, parse("late"), history, 2025).answer is True
    assert one(engine, parse("late"), history, 2024).answer is False
    assert one(engine, parse("late"), history, 2026).answer is None


def _unlisted_and_unrecorded(rng: random.Random, known: Mapping[str, Timed], listed: World) -> World:
    """A world that agrees with what is known: terms may be missing in open atoms, anything may come after as_of."""
    extra: dict[str, dict[int, bool]] = {}
    for name, each in known.items():
        points = {t: listed[name](t) for t in range(-40, 61)}
        if each.open_within is not None:
            first, last = each.open_within
            for t in range(-40 if first is None else first, (60 if last is None else last) + 1):
                points[t] = points[t] or rng.random() < 0.3
        if each.cutoff is not None:
            for t in range(-40, 61):
                if t > each.cutoff.complete:
                    points[t] = rng.random() < 0.5
                elif t > each.cutoff.recorded:
                    points[t] = points[t] or rng.random() < 0.3
        extra[name] = points
    return {name: lambda t, points=points: points[t] for name, points in extra.items()}


def test_no_answer_is_overturned_by_unlisted_terms_or_by_what_comes_after_as_of(engine: Engine) -> None:
    rng = random.Random(7)
    answers: Counter[bool | None] = Counter()
    for _ in range(120):
        rows = random_rows(rng, NAMES[:2])
        every = list(islice(worlds(rows), 200))
        known = {}
        for name, several in rows.items():
            edge = rng.randint(-20, -8)
            within = Interval(edge, edge + rng.randint(20, 40)) if rng.random() < 0.6 else None
            complete = rng.randint(-4, 14)
            limit = Cutoff(complete, complete - rng.randint(0, 3)) if rng.random() < 0.6 else None
            known[name] = timed(name, tuple(several), open_within=within, limit=limit)
        asked = [Query(random_formula(rng, rng.randint(0, 3), NAMES[:2], 5), rng.randint(-14, 16)) for _ in range(20)]
        possible = [_unlisted_and_unrecorded(rng, known, rng.choice(every)) for _ in range(12)]
        for query, found in zip(asked, evaluate(engine, asked, known), strict=True):
            assert query.at is not None
            answers[found.answer] += 1
            for world in possible:
                truth = truths(query.formula, query.at, query.at, world)[0]
                assert found.answer in (truth, None), (f.text(query.formula), query.at, known)
    assert min(answers.values()) > 200, answers


def test_an_open_term_is_denied_only_outside_the_subjects_own_span(engine: Engine) -> None:
    history = {"term": timed("term", (Span(1801, 1801, 1809, 1809),), open_within=Interval(1743, 1826))}
    for at, expected in ((1805, True), (1810, None), (1742, False), (1827, False)):
        assert one(engine, f.Atom("term"), history, at).answer is expected
