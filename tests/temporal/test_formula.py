"""Formulas: text, tree and JSON say the same, and errors point at the place."""

import json
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from mtl_histories import larger

from halluvault_tasks.temporal import formula as f
from halluvault_tasks.temporal.formula import FormulaError
from halluvault_tasks.temporal.parsing import parse

names = st.one_of(
    st.sampled_from(["p", "victorian_era", "F", "G", "N", "U", "Nile", "é", 'say "hi"', "a\\b", "line\nbreak", "日本"]),
    st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=8),
)
formulas = st.recursive(st.builds(f.Atom, names), lambda inner: larger(inner, 50), max_leaves=12)


def as_json(formula: f.Formula) -> dict[str, Any]:
    """The form that `from_json` documents."""
    if isinstance(formula, f.Atom):
        return {"atom": formula.name}
    window = {"window": [formula.first, formula.last]} if isinstance(formula, f.Finally | f.Globally | f.Until) else {}
    return {"op": f.symbol(formula), **window, "args": [as_json(child) for child in f.children(formula)]}


@given(formulas)
def test_what_is_printed_reads_back_to_the_same_formula(formula: f.Formula) -> None:
    assert parse(f.text(formula)) == formula


@given(formulas)
def test_the_json_form_reads_back_to_the_same_formula(formula: f.Formula) -> None:
    assert f.from_json(json.loads(json.dumps(as_json(formula)))) == formula


@pytest.mark.parametrize(
    ("text", "tree"),
    [
        ("F[0,40] p", f.Finally(0, 40, f.Atom("p"))),
        ("G[30,50]p", f.Globally(30, 50, f.Atom("p"))),
        ("N p", f.Next(f.Atom("p"))),
        ("p U[10,20] q", f.Until(10, 20, f.Atom("p"), f.Atom("q"))),
        ("p & q | r", f.Or(f.And(f.Atom("p"), f.Atom("q")), f.Atom("r"))),
        ("p | q & r", f.Or(f.Atom("p"), f.And(f.Atom("q"), f.Atom("r")))),
        ("p & q & r", f.And(f.And(f.Atom("p"), f.Atom("q")), f.Atom("r"))),
        ("!p U[1,2] q", f.Until(1, 2, f.Not(f.Atom("p")), f.Atom("q"))),
        ("p U[1,2] q U[3,4] r", f.Until(1, 2, f.Atom("p"), f.Until(3, 4, f.Atom("q"), f.Atom("r")))),
        ("N !F [ 1 , 2 ] (p)", f.Next(f.Not(f.Finally(1, 2, f.Atom("p"))))),
        ("Next", f.Atom("Next")),
        ('"F"', f.Atom("F")),
        ('"\\u00e9 & |"', f.Atom("é & |")),
    ],
)
def test_operators_bind_as_documented(text: str, tree: f.Formula) -> None:
    assert parse(text) == tree


@pytest.mark.parametrize(
    ("text", "column", "complaint"),
    [
        ("F[5,2] p", 1, r"window \[5,2\] is reversed; write \[2,5\]"),
        ("p & F[-1,2] q", 5, "negative"),
        ("p & F[3,-1] q", 5, "negative"),
        ("p &", 4, "a formula is missing before the end"),
        ("(p & q", 1, "never closed"),
        ("p)", 2, "closes nothing"),
        ("F p", 1, r"F needs a window, as in F\[0,40\]"),
        ("p q", 3, "operator .* is missing before 'q'"),
        ("", 1, "a formula is missing"),
        ("p ? q", 3, "'\\? q' is not understood"),
        ('p & "open', 5, "quoted name does not end"),
        ('""', 1, "a name is empty"),
        ('"\\ud800"', 1, "is not a name in double quotes"),
        ("F[1,99999999999999999999] p", 1, "bound has more than 18 digits"),
        ("F[1,1000000000000000000] p", 1, "bound has more than 18 digits"),
        ("()", 2, "a formula is missing before '\\)'"),
    ],
)
def test_an_error_points_at_its_column(text: str, column: int, complaint: str) -> None:
    with pytest.raises(FormulaError, match=complaint) as caught:
        parse(text)
    assert caught.value.column == column
    assert str(caught.value).startswith(f"column {column}: ")


def test_a_bound_of_eighteen_digits_is_read() -> None:
    assert parse("F[1,999999999999999999] p") == f.Finally(1, 10**18 - 1, f.Atom("p"))


@pytest.mark.parametrize(
    "text",
    [
        "p & q | r",
        "p | q & r",
        "p | q | r",
        "p | (q | r)",
        "p & q & r",
        "p & (q & r)",
        "(p | q) & (r | s)",
        "p U[1,2] q U[3,4] r",
        "(p U[1,2] q) U[3,4] r",
        "(p & q) U[1,2] (r & s)",
        "p U[1,2] q & r U[1,2] s",
        "!p U[1,2] !q",
        "!(p U[1,2] q)",
        "!!p",
        "N !(p & q)",
        "F[0,1] G[2,3] N p",
        "G[0,1] (p | q)",
    ],
)
def test_a_formula_is_printed_with_the_fewest_parentheses(text: str) -> None:
    assert f.text(parse(text)) == text


def test_a_name_in_quotes_is_printed_in_its_own_letters() -> None:
    assert f.text(f.Atom("Łódź (日本)")) == '"Łódź (日本)"'


def test_a_formula_is_shown_as_what_builds_it() -> None:
    formula = parse("!p & F[1,2] (p U[3,4] q)")
    assert eval(repr(formula), vars(f)) == formula


@pytest.mark.parametrize("text", ["!" * 10_000 + "p", "p" + " & p" * 10_000, "p" + " U[1,2] p" * 10_000])
def test_ten_thousand_levels_are_a_complaint(text: str) -> None:
    with pytest.raises(FormulaError, match="nests deeper than 200 levels"):
        parse(text)


P = f.Atom("p")
DEEPER: list[Callable[[f.Formula], f.Formula]] = [
    f.Not,
    f.Next,
    lambda inner: f.And(inner, P),
    lambda inner: f.Or(P, inner),
    lambda inner: f.Finally(0, 1, inner),
    lambda inner: f.Globally(0, 1, inner),
    lambda inner: f.Until(0, 1, inner, P),
    lambda inner: f.Until(0, 1, P, inner),
]


@pytest.mark.parametrize("deeper", DEEPER)
def test_two_hundred_levels_are_read_and_one_more_is_a_complaint(
    deeper: Callable[[f.Formula], f.Formula],
) -> None:
    formula: f.Formula = P
    for _ in range(200):
        formula = deeper(formula)
    assert formula.depth == 200
    assert f.from_json(as_json(formula)) == formula
    with pytest.raises(FormulaError, match="nests deeper than 200 levels"):
        deeper(formula)


@pytest.mark.parametrize("deeper", DEEPER)
def test_ten_thousand_levels_of_json_are_a_complaint(deeper: Callable[[f.Formula], f.Formula]) -> None:
    value: object = {"atom": "p"}
    for _ in range(10_000):
        level = as_json(deeper(f.Atom("q")))
        level["args"] = [value if arg == {"atom": "q"} else arg for arg in level["args"]]
        value = level
    with pytest.raises(FormulaError, match="nests deeper than 200 levels"):
        f.from_json(value)


def test_ten_thousand_parentheses_are_no_depth() -> None:
    assert parse("(" * 10_000 + "p" + ")" * 10_000) == f.Atom("p")


@pytest.mark.parametrize(
    "value",
    [None, {}, {"op": "F", "args": []}, {"atom": ""}, {"atom": "p", "op": "!"}, {"op": "?", "args": [1]}, [1]],
)
def test_json_of_another_form_is_refused(value: object) -> None:
    with pytest.raises(FormulaError, match=r"^(?!column).* is not a formula"):
        f.from_json(value)


@pytest.mark.parametrize("window", [[True, 2], [0, True]])
def test_true_is_no_bound(window: list[int]) -> None:
    with pytest.raises(FormulaError, match=r"^window .* is not a pair of integers"):
        f.from_json({"op": "F", "window": window, "args": [{"atom": "p"}]})


@pytest.mark.parametrize(
    ("text", "offsets"),
    [
        ("p", (0, 0)),
        ("!N p", (1, 1)),
        ("F[2,5] p", (2, 5)),
        ("G[2,5] N p", (3, 6)),
        ("N p & F[3,4] q", (1, 4)),
        ("F[3,4] q | N p", (1, 4)),
        ("p U[0,0] q", (0, 0)),
        ("p U[4,6] q", (1, 6)),
        ("F[0,9] p U[2,5] q", (1, 13)),
        ("G[7,7] p U[2,5] q", (2, 11)),
    ],
)
def test_the_horizon_is_where_a_formula_looks(text: str, offsets: tuple[int, int]) -> None:
    assert f.horizon(parse(text)) == offsets


def test_a_formula_knows_its_depth_operators_atoms_and_horizon() -> None:
    formula = parse("(p U[2,5] N q) & F[0,3] !p")
    assert formula.depth == 3
    assert f.operators(formula) == ("F", "N", "U", "!", "&")
    assert f.atoms(formula) == ("p", "q")
    assert f.horizon(formula) == (0, 6)
    assert [f.text(node) for node in f.subformulas(parse("!p & !p"))] == ["p", "!p", "!p & !p"]
