"""Reads the text syntax of `formula`, with two stacks and no recursion, so that depth is an error and not a crash."""

import json
import re
from collections.abc import Callable
from typing import NamedTuple

from halluvault_tasks.temporal import formula as f

_TOKEN = re.compile(
    r"""\s*(?:
      (?P<window>[FGU])\s*\[\s*(?P<first>[+-]?\d+)\s*,\s*(?P<last>[+-]?\d+)\s*\]
    | (?P<next>N)(?!\w)
    | (?P<sign>[()!&|])
    | (?P<quoted>"(?:[^"\\]|\\.)*")
    | (?P<name>[^\W\d]\w*)
    )""",
    re.VERBOSE | re.DOTALL,
)
_BLANK = re.compile(r"\s*")


class _Token(NamedTuple):
    kind: str
    column: int
    name: str = ""
    first: int = 0
    last: int = 0


class _Operator(NamedTuple):
    """On the operator stack: how tightly it binds (0 is an open parenthesis, 4 a prefix) and how to build it."""

    binds: int
    column: int
    build: Callable[..., f.Formula]


def _tokens(text: str) -> list[_Token]:
    tokens = []
    at = 0
    while at < len(text):
        match = _TOKEN.match(text, at)
        if match is None:
            blank = _BLANK.match(text, at)
            column = (blank.end() if blank else at) + 1
            if column > len(text):
                break
            raise _unreadable(text, column)
        at = match.end()
        # The last group that matched: for a window its second bound, else the token's own.
        kind = str(match.lastgroup)
        column = match.start("window" if kind == "last" else kind) + 1
        if kind == "name":
            if match["name"] in f.RESERVED:
                raise f.FormulaError(f"{match['name']} needs a window, as in {match['name']}[0,40]", column)
            tokens.append(_Token("name", column, name=match["name"]))
        elif kind == "sign":
            tokens.append(_Token(match["sign"], column))
        elif kind == "last":
            first, last = _bound(match["first"]), _bound(match["last"])
            f.check_window(first, last, column)
            tokens.append(_Token(match["window"], column, first=first, last=last))
        elif kind == "quoted":
            tokens.append(_Token("name", column, name=_unquote(match["quoted"], column)))
        else:
            tokens.append(_Token("N", column))
    tokens.append(_Token("end", len(text) + 1))
    return tokens


def _bound(digits: str) -> int:
    # Python refuses to read thousands of digits at once; the first few already say "too large".
    return int(digits[:32])


def _unreadable(text: str, column: int) -> f.FormulaError:
    rest = text[column - 1 :]
    if rest.startswith('"'):
        return f.FormulaError('the quoted name does not end; close it with "', column)
    return f.FormulaError(
        f"{rest[:20]!r} is not understood; a formula has names, ! & | N, F[a,b], G[a,b], U[a,b] and parentheses", column
    )


def _unquote(quoted: str, column: int) -> str:
    try:
        name = json.loads(quoted, strict=False)
        name.encode()
    except (ValueError, UnicodeEncodeError) as error:
        raise f.FormulaError(f"{quoted[:40]} is not a name in double quotes with JSON's escapes", column) from error
    if not name:
        raise f.FormulaError("a name is empty", column)
    return str(name)


def _prefix(token: _Token) -> _Operator:
    match token.kind:
        case "!":
            return _Operator(4, token.column, f.Not)
        case "N":
            return _Operator(4, token.column, f.Next)
        case "F":
            return _Operator(4, token.column, lambda arg: f.Finally(token.first, token.last, arg))
        case _:
            return _Operator(4, token.column, lambda arg: f.Globally(token.first, token.last, arg))


def _infix(token: _Token) -> _Operator:
    match token.kind:
        case "|":
            return _Operator(1, token.column, f.Or)
        case "&":
            return _Operator(2, token.column, f.And)
        case _:
            return _Operator(3, token.column, lambda left, right: f.Until(token.first, token.last, left, right))


class _Stacks:
    """Operands built so far, and operators that wait for theirs."""

    def __init__(self) -> None:
        self.values: list[f.Formula] = []
        self.waiting: list[_Operator] = []

    def operand(self, token: _Token) -> bool:
        """Take a token where an operand begins; gives whether that is one whole."""
        if token.kind == "name":
            self.values.append(f.Atom(token.name))
            self._apply_prefixes()
            return True
        if token.kind == "(":
            self.waiting.append(_Operator(0, token.column, f.Not))
        elif token.kind in "!NFG":
            self.waiting.append(_prefix(token))
        else:
            shown = "the end" if token.kind == "end" else repr(token.kind)
            raise f.FormulaError(f"a formula is missing before {shown}", token.column)
        return False

    def after_operand(self, token: _Token) -> bool:
        """Take a token behind an operand; gives whether that is still whole."""
        if token.kind in ("&", "|", "U"):
            infix = _infix(token)
            # `U` is right-associative, so an equal one waits; `&` and `|` are left-associative.
            self._apply_while(lambda top: top.binds > infix.binds or (top.binds == infix.binds and infix.binds != 3))
            self.waiting.append(infix)
            return False
        if token.kind == ")":
            self._apply_while(lambda top: True)
            if not self.waiting:
                raise f.FormulaError("this ')' closes nothing", token.column)
            self.waiting.pop()
            self._apply_prefixes()
        elif token.kind == "end":
            self._apply_while(lambda top: True)
            if self.waiting:
                raise f.FormulaError("this '(' is never closed", self.waiting[-1].column)
        else:
            shown = token.name or token.kind
            raise f.FormulaError(f"an operator (&, | or U[a,b]) is missing before {shown[:40]!r}", token.column)
        return True

    def _apply(self) -> None:
        operator = self.waiting.pop()
        count = 1 if operator.binds == 4 else 2
        arguments, self.values[-count:] = self.values[-count:], []
        try:
            self.values.append(operator.build(*arguments))
        except f.FormulaError as error:
            raise f.FormulaError(error.message, operator.column) from None

    def _apply_while(self, condition: Callable[[_Operator], bool]) -> None:
        while self.waiting and self.waiting[-1].binds and condition(self.waiting[-1]):
            self._apply()

    def _apply_prefixes(self) -> None:
        self._apply_while(lambda top: top.binds == 4)


def column_of(name: str, text: str) -> int:
    """Column (from 1) at which an event is first named in a formula that `parse` reads; 0 where it is not."""
    return next((token.column for token in _tokens(text) if token.kind == "name" and token.name == name), 0)


def parse(text: str) -> f.Formula:
    """Read a formula.

    Raises:
        FormulaError: what is wrong and at which column (from 1).
    """
    stacks = _Stacks()
    whole = False
    for token in _tokens(text):
        whole = stacks.after_operand(token) if whole else stacks.operand(token)
    return stacks.values[0]
