"""Reads the text syntax of `formula`, with two stacks and no recursion, so that depth is an error and not a crash.

What is built is the caller's choice: a tree, or the numbered steps that Prolog runs (`steps`), without a tree between.
"""

import json
import re
from typing import Generic, NoReturn, Protocol, TypeVar

from halluvault_tasks.temporal import formula as f

T = TypeVar("T")

_WINDOW, _NEXT, _SIGN, _QUOTED, _NAME, _OTHER = 3, 4, 5, 6, 7, 8
_TOKEN = re.compile(
    r"""\s*(?:
      ([FGU])\s*\[\s*([+-]?\d+)\s*,\s*([+-]?\d+)\s*\]
    | (N)(?!\w)
    | ([()!&|])
    | ("(?:[^"\\]|\\.)*")
    | ([^\W\d]\w*)
    | (\S)
    )""",
    re.VERBOSE | re.DOTALL,
)
"""A token by the number of its last group; whatever is none is `_OTHER`, so that nothing but blanks is passed over."""

_PREFIX, _UNTIL = 4, 3
_BINDS = {"|": 1, "&": 2, "U": _UNTIL}
"""How tightly an operator binds; 0 is an open parenthesis."""


class Builder(Protocol[T]):
    """What a formula is made into. Both may raise FormulaError without a column; the parser adds it."""

    def atom(self, name: str) -> T:
        """An event or state."""

    def apply(self, symbol: str, window: tuple[int, ...], operands: tuple[T, ...]) -> T:
        """An operator of `formula.OPERATORS`, its window where it has one, and what it is applied to."""


class Trees:
    """Builds the trees of `formula`."""

    def atom(self, name: str) -> f.Formula:
        """An event."""
        return f.Atom(name)

    def apply(self, symbol: str, window: tuple[int, ...], operands: tuple[f.Formula, ...]) -> f.Formula:
        """An operator's class, built."""
        made: f.Formula = f.CLASSES[symbol](*window, *operands)
        return made


def parse(text: str) -> f.Formula:
    """Read a formula as a tree.

    Raises:
        FormulaError: what is wrong and at which column (from 1).
    """
    return build(text, Trees())


def build(text: str, builder: Builder[T]) -> T:
    """Read a formula as what a builder makes of it.

    Raises:
        FormulaError: what is wrong first and at which column (from 1); or what the builder raises.
    """
    stacks, whole = _Stacks(text, builder), False
    for token in _TOKEN.finditer(text):
        whole = stacks.after_operand(token) if whole else stacks.operand(token)
    return stacks.end(whole)


class _Stacks(Generic[T]):
    """Operands built so far, and operators that wait for theirs: how tightly they bind, symbol, window, column."""

    def __init__(self, text: str, builder: Builder[T]) -> None:
        self._text = text
        self._builder = builder
        self._values: list[T] = []
        self._waiting: list[tuple[int, str, tuple[int, ...], int]] = []

    def operand(self, token: re.Match[str]) -> bool:
        """Take a token where an operand begins; gives whether that is one whole."""
        kind = token.lastindex
        if kind in (_NAME, _QUOTED):
            self._values.append(self._atom(token))
            self._apply_prefixes()
            return True
        symbol = self._symbol(token)
        column = token.end() - len(symbol) + 1 if kind != _WINDOW else token.start(1) + 1
        if symbol == "(":
            self._waiting.append((0, symbol, (), column))
        elif symbol in "!NFG":
            window = self._window(token, column) if kind == _WINDOW else ()
            self._waiting.append((_PREFIX, symbol, window, column))
        else:
            raise f.FormulaError(f"a formula is missing before {symbol!r}", column)
        return False

    def after_operand(self, token: re.Match[str]) -> bool:
        """Take a token behind an operand; gives whether that is still whole."""
        kind = token.lastindex
        if kind in (_NAME, _QUOTED):
            name = self._name(token)
            raise f.FormulaError(_no_operator(name), token.start(kind) + 1)
        symbol = self._symbol(token)
        column = token.end() - len(symbol) + 1 if kind != _WINDOW else token.start(1) + 1
        if binds := _BINDS.get(symbol):
            window = self._window(token, column) if kind == _WINDOW else ()
            # `U` is right-associative, so an equal one waits; `&` and `|` are left-associative.
            self._apply_from(binds + (binds == _UNTIL))
            self._waiting.append((binds, symbol, window, column))
            return False
        if symbol != ")":
            raise f.FormulaError(_no_operator(symbol), column)
        self._apply_from(1)
        if not self._waiting:
            raise f.FormulaError("this ')' closes nothing", column)
        self._waiting.pop()
        self._apply_prefixes()
        return True

    def end(self, whole: bool) -> T:
        """The formula, once the text is at its end."""
        if not whole:
            raise f.FormulaError("a formula is missing before the end", len(self._text) + 1)
        self._apply_from(1)
        if self._waiting:
            raise f.FormulaError("this '(' is never closed", self._waiting[-1][3])
        return self._values[0]

    def _symbol(self, token: re.Match[str]) -> str:
        kind = token.lastindex
        if kind == _OTHER:
            _refuse(self._text, token.start(_OTHER) + 1)
        return token[_WINDOW - 2 if kind == _WINDOW else kind or 0]

    def _window(self, token: re.Match[str], column: int) -> tuple[int, int]:
        # Python refuses to read thousands of digits at once; the first few already say "too large".
        first, last = int(token[2][:32]), int(token[3][:32])
        f.check_window(first, last, column)
        return first, last

    def _name(self, token: re.Match[str]) -> str:
        if token.lastindex == _QUOTED:
            return _unquote(token[_QUOTED], token.start(_QUOTED) + 1)
        name = token[_NAME]
        if name in f.RESERVED:
            raise f.FormulaError(f"{name} needs a window, as in {name}[0,40]", token.start(_NAME) + 1)
        return name

    def _atom(self, token: re.Match[str]) -> T:
        name = self._name(token)
        try:
            return self._builder.atom(name)
        except f.FormulaError as error:
            parse(self._text)  # what cannot be read is told before what is not known
            raise f.FormulaError(error.message, token.start(token.lastindex or 0) + 1) from None

    def _apply_prefixes(self) -> None:
        while self._waiting and self._waiting[-1][0] == _PREFIX:
            self._apply()

    def _apply_from(self, binds: int) -> None:
        while self._waiting and self._waiting[-1][0] >= binds:
            self._apply()

    def _apply(self) -> None:
        binds, symbol, window, column = self._waiting.pop()
        last = self._values.pop()
        operands = (last,) if binds == _PREFIX else (self._values.pop(), last)
        try:
            self._values.append(self._builder.apply(symbol, window, operands))
        except f.FormulaError as error:
            raise f.FormulaError(error.message, column) from None


def _no_operator(before: str) -> str:
    return f"an operator (&, | or U[a,b]) is missing before {before[:40]!r}"


def _refuse(text: str, column: int) -> NoReturn:
    rest = text[column - 1 :]
    if rest.startswith('"'):
        raise f.FormulaError('the quoted name does not end; close it with "', column)
    raise f.FormulaError(
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
