"""MTL formulas as immutable trees.

Syntax, tightest first: `!p`, `N p`, `F[a,b] p`, `G[a,b] p`; then `p U[a,b] q` (to the right); then `p & q`; then
`p | q` (both to the left); parentheses. A name that is not an identifier, or is one of the letters F, G, N, U, goes in
double quotes with JSON's escapes. Windows count in units of the granularity and are 0 ≤ a ≤ b. `parsing` reads the
text; this module has the tree, the printer and the questions that can be asked of a formula.
"""

import json
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any, ClassVar, TypeAlias, TypeVar

from halluvault_tasks.errors import UserError

MAX_DEPTH = 200
"""Deepest nesting accepted; every walk over a tree may recurse once a level."""

LARGEST = 10**18 - 1
"""Largest window bound accepted."""

RESERVED = frozenset("FGNU")
_IDENTIFIER = re.compile(r"[^\W\d]\w*")


class FormulaError(UserError):
    """A formula that cannot be read or built.

    Args:
        message: what is wrong.
        column: 1-based column in the text; 0 when there is no text.
    """

    def __init__(self, message: str, column: int = 0) -> None:
        super().__init__(f"column {column}: {message}" if column else message)
        self.column = column


@dataclass(frozen=True)
class Atom:
    """An event or state, by name."""

    name: str
    depth: ClassVar[int] = 0


@dataclass(frozen=True)
class _Unary:
    arg: "Formula"
    depth: int = field(init=False, repr=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "depth", deeper(self.arg.depth))


@dataclass(frozen=True)
class _Binary:
    left: "Formula"
    right: "Formula"
    depth: int = field(init=False, repr=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "depth", deeper(max(self.left.depth, self.right.depth)))


@dataclass(frozen=True)
class _Windowed:
    first: int
    last: int
    arg: "Formula"
    depth: int = field(init=False, repr=False)

    def __post_init__(self) -> None:
        check_window(self.first, self.last)
        object.__setattr__(self, "depth", deeper(self.arg.depth))


class Not(_Unary):
    """`!p`: p does not hold at t."""


class Next(_Unary):
    """`N p`: p holds at t+1."""


class And(_Binary):
    """`p & q`: both hold at t."""


class Or(_Binary):
    """`p | q`: at least one holds at t."""


class Finally(_Windowed):
    """`F[a,b] p`: p holds at t+d for some d in [a,b]."""


class Globally(_Windowed):
    """`G[a,b] p`: p holds at t+d for every d in [a,b]."""


@dataclass(frozen=True)
class Until:
    """`p U[a,b] q`: q holds at t+d for some d in [a,b], and p at every k with t < k < t+d (both strict)."""

    first: int
    last: int
    left: "Formula"
    right: "Formula"
    depth: int = field(init=False, repr=False)

    def __post_init__(self) -> None:
        check_window(self.first, self.last)
        object.__setattr__(self, "depth", deeper(max(self.left.depth, self.right.depth)))


Formula: TypeAlias = Atom | Not | Next | And | Or | Finally | Globally | Until

CLASSES = {"!": Not, "N": Next, "&": And, "|": Or, "F": Finally, "G": Globally, "U": Until}
"""Symbol → class, which is built from the window, where there is one, and the operands."""

_SYMBOLS: dict[type, str] = {made: symbol for symbol, made in CLASSES.items()}
OPERATORS = ("F", "G", "N", "U", "!", "&", "|")
"""All operator symbols, in the order of semantics.md §2.4."""


def deeper(depth: int) -> int:
    """One level more.

    Raises:
        FormulaError: that is too deep.
    """
    if depth >= MAX_DEPTH:
        raise FormulaError(f"the formula nests deeper than {MAX_DEPTH} levels")
    return depth + 1


def check_window(first: int, last: int, column: int = 0) -> None:
    """Refuse a window that is not a pair of integers, negative, reversed or beyond `LARGEST`.

    Raises:
        FormulaError: quoting the window.
    """
    if type(first) is not int or type(last) is not int:  # JSON's true is an int to Python
        raise FormulaError(f"window [{first!r},{last!r}] is not a pair of integers", column)
    if max(abs(first), abs(last)) > LARGEST:
        raise FormulaError(f"a window's bound has more than {len(str(LARGEST))} digits", column)
    if first < 0 or last < 0:
        raise FormulaError(f"window [{first},{last}] is negative; bounds are 0 or more", column)
    if first > last:
        raise FormulaError(f"window [{first},{last}] is reversed; write [{last},{first}]", column)


def symbol(formula: Formula) -> str:
    """The main operator's symbol; the empty string for an atom."""
    return _SYMBOLS.get(type(formula), "")


def children(formula: Formula) -> tuple[Formula, ...]:
    """Direct sub-formulas, left to right."""
    match formula:
        case Atom():
            return ()
        case And() | Or() | Until():
            return (formula.left, formula.right)
        case _:
            return (formula.arg,)


def window(formula: Formula) -> tuple[int, ...]:
    """The main operator's window; empty where it has none."""
    return (formula.first, formula.last) if isinstance(formula, Finally | Globally | Until) else ()


_T = TypeVar("_T")


def fold(formula: Formula, atom: Callable[[Atom], _T], apply: Callable[[Formula, tuple[_T, ...]], _T]) -> _T:
    """What a formula is made into, from its atoms upwards.

    Args:
        formula: a tree; a part that stands in it twice is made twice.
        atom: makes an atom.
        apply: makes any other, of what its operands were made into.
    """
    done: list[_T] = []
    waiting = [(formula, False)]
    while waiting:
        node, opened = waiting.pop()
        if isinstance(node, Atom):
            done.append(atom(node))
            continue
        operands = children(node)
        if opened:
            made = tuple(done[-len(operands) :])
            done[-len(operands) :] = [apply(node, made)]
        else:
            waiting.append((node, True))
            waiting.extend((operand, False) for operand in reversed(operands))
    return done.pop()


def subformulas(formula: Formula) -> Iterator[Formula]:
    """Every distinct sub-formula, operands before what is built from them, the formula itself last."""
    seen: set[Formula] = set()
    stack = [(formula, False)]
    while stack:
        node, opened = stack.pop()
        if node in seen:
            continue
        if opened:
            seen.add(node)
            yield node
        else:
            stack.append((node, True))
            stack.extend((child, False) for child in reversed(children(node)))


def atoms(formula: Formula) -> tuple[str, ...]:
    """Names of the atoms, in order of first appearance."""
    # A walk of its own: `subformulas` looks every node up by its whole tree, which is slow where formulas are many.
    names: dict[str, None] = {}
    waiting = [formula]
    while waiting:
        node = waiting.pop()
        if isinstance(node, Atom):
            names[node.name] = None
        else:
            waiting.extend(reversed(children(node)))
    return tuple(names)


def operators(formula: Formula) -> tuple[str, ...]:
    """Symbols of the operators used, in the order of `OPERATORS`."""
    used = {symbol(node) for node in subformulas(formula)}
    return tuple(operator for operator in OPERATORS if operator in used)


def horizon(formula: Formula) -> tuple[int, int]:
    """Offsets (least, greatest) from t of the points at which some atom is looked at."""
    match formula:
        case Atom():
            return 0, 0
        case Not():
            return horizon(formula.arg)
        case Next():
            low, high = horizon(formula.arg)
            return low + 1, high + 1
        case Finally() | Globally():
            low, high = horizon(formula.arg)
            return low + formula.first, high + formula.last
        case And() | Or():
            (a, b), (c, d) = horizon(formula.left), horizon(formula.right)
            return min(a, c), max(b, d)
        case Until():
            (a, b), (c, d) = horizon(formula.left), horizon(formula.right)
            # Between t and t+d, both strict: the left side is looked at from t+1 to t+last-1.
            return min(a + 1, c + formula.first), max(b + formula.last - 1, d + formula.last)


def _name(name: str) -> str:
    if _IDENTIFIER.fullmatch(name) and name not in RESERVED:
        return name
    return json.dumps(name, ensure_ascii=False)


_BINDS: dict[type, int] = {Or: 1, And: 2, Until: 3}


def text(formula: Formula) -> str:
    """The formula in the text syntax, with the fewest parentheses; `parsing.parse` reads it back to an equal tree."""

    def operand(node: Formula, least: int) -> str:
        written = text(node)
        return written if _BINDS.get(type(node), 4) >= least else f"({written})"

    match formula:
        case Atom():
            return _name(formula.name)
        case Not():
            return f"!{operand(formula.arg, 4)}"
        case Next():
            return f"N {operand(formula.arg, 4)}"
        case Finally() | Globally():
            return f"{symbol(formula)}[{formula.first},{formula.last}] {operand(formula.arg, 4)}"
        case Until():
            return f"{operand(formula.left, 4)} U[{formula.first},{formula.last}] {operand(formula.right, 3)}"
        case And():
            return f"{operand(formula.left, 2)} & {operand(formula.right, 3)}"
        case Or():
            return f"{text(formula.left)} | {operand(formula.right, 2)}"


def from_json(value: Any, depth: int = 0) -> Formula:
    """Read the JSON form: `{"atom": name}` or `{"op": "F", "window": [a, b], "args": […]}` (`window` for F, G, U only).

    Raises:
        FormulaError: the value is not of that form.
    """
    if depth > MAX_DEPTH:
        raise FormulaError(f"the formula nests deeper than {MAX_DEPTH} levels")
    match value:
        case {"atom": str(name)} if len(value) == 1 and name:
            return Atom(name)
        case {"op": "!" | "N" as op, "args": [arg]}:
            return (Not if op == "!" else Next)(from_json(arg, depth + 1))
        case {"op": "&" | "|" as op, "args": [left, right]}:
            return (And if op == "&" else Or)(from_json(left, depth + 1), from_json(right, depth + 1))
        case {"op": "F" | "G" as op, "window": [int(a), int(b)], "args": [arg]}:
            return (Finally if op == "F" else Globally)(a, b, from_json(arg, depth + 1))
        case {"op": "U", "window": [int(a), int(b)], "args": [left, right]}:
            return Until(a, b, from_json(left, depth + 1), from_json(right, depth + 1))
    raise FormulaError(f'{json.dumps(value)[:80]} is not a formula; write {{"atom": name}} or {{"op": …, "args": […]}}')
