"""A body of JSON, read byte by byte as serde_json reads it: the same errors, at the same places, with the path to them.

`serde` says what the values must be.
"""

import math
import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any, NoReturn

_SPACE = b" \n\t\r"
_NUMBER = re.compile(rb"-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?")
_PLAIN = re.compile(rb'[^"\\\x00-\x1f]*')
_ESCAPES = {34: '"', 92: "\\", 47: "/", 98: "\b", 102: "\f", 110: "\n", 114: "\r", 116: "\t"}
_IDENTS: Mapping[int, tuple[bytes, Any]] = {116: (b"true", True), 102: (b"false", False), 110: (b"null", None)}
_DEEPEST = 128
_U64 = 2**64 - 1
_DEBUG = {'"': '\\"', "\\": "\\\\", "\n": "\\n", "\r": "\\r", "\t": "\\t", "\0": "\\0", " ": " "}


class Wrong(Exception):
    """What is wrong with a body.

    Args:
        message: in serde's words.
        syntax: whether it is no JSON, and not JSON of another type.
        place: how many bytes had been read; None where only who called knows.
        path: of the value.
    """

    def __init__(self, message: str, syntax: bool, place: int | None, path: str) -> None:
        super().__init__(message)
        self.message = message
        self.syntax = syntax
        self.place = place
        self.path = path

    def told(self, body: bytes) -> str:
        """The whole line, as the web framework passes it on."""
        said = f"{self.path}: {self.message}" if self.path else self.message
        if self.place is None:
            return said
        lines = body[: self.place].split(b"\n")
        return f"{said} at line {len(lines)} column {len(lines[-1])}"


class Reader:
    """A place in a body.

    Args:
        body: the whole.
    """

    def __init__(self, body: bytes) -> None:
        self._body = body
        self.at = 0
        self._path = ""
        self._depth = 0

    def peek(self) -> int | None:
        """The next byte that is no space."""
        while self.at < len(self._body) and self._body[self.at] in _SPACE:
            self.at += 1
        return self._body[self.at] if self.at < len(self._body) else None

    @contextmanager
    def inside(self, step: str) -> Iterator[None]:
        """One step down the path."""
        before = self._path
        self._path = f"{before}{step}" if step.startswith("[") or not before else f"{before}.{step}"
        yield
        self._path = before  # not after an error, whose path this is

    def mistake(self, message: str, place: int | None) -> Wrong:
        """JSON of another type."""
        return Wrong(message, False, place, self._path)

    def broken(self, message: str, ahead: int = 0) -> Wrong:
        """No JSON, here or at a byte that was only looked at."""
        return Wrong(message, True, min(self.at + ahead, len(self._body)), self._path)

    def mistyped(self, expected: str) -> NoReturn:
        """Raise for a value of another type than expected."""
        following = self.peek()
        if following == 91:
            raise self.mistake(f"invalid type: sequence, expected {expected}", self.at)
        if following == 123:
            raise self.mistake(f"invalid type: map, expected {expected}", self.at)
        found = self.scalar()
        raise self.mistake(f"invalid type: {spoken(found)}, expected {expected}", self.at)

    def scalar(self) -> Any:
        """A string, number, boolean or null."""
        following = self.peek()
        if following is None:
            raise self.broken("EOF while parsing a value")
        if following == 34:
            return self.string()
        if following in _IDENTS:
            word, value = _IDENTS[following]
            self.at += 1
            for byte in word[1:]:
                if self.at >= len(self._body):
                    raise self.broken("EOF while parsing a value")
                self.at += 1
                if self._body[self.at - 1] != byte:
                    raise self.broken("expected ident")
            return value
        if following == 45 or 48 <= following <= 57:
            return self._number()
        raise self.broken("expected value", 1)

    def string(self) -> str:
        """A string, whose opening quote is next."""
        self.at += 1
        parts: list[str] = []
        while True:
            plain = _PLAIN.match(self._body, self.at)
            assert plain
            try:
                parts.append(plain.group().decode())
            except UnicodeDecodeError as error:
                raise self.broken("invalid unicode code point") from error
            self.at = plain.end()
            if self.at >= len(self._body):
                raise self.broken("EOF while parsing a string")
            byte = self._body[self.at]
            self.at += 1
            if byte == 34:
                return "".join(parts)
            if byte != 92:
                raise self.broken("control character (\\u0000-\\u001F) found while parsing a string")
            parts.append(self._escape())

    def _escape(self) -> str:
        if self.at >= len(self._body):
            raise self.broken("EOF while parsing a string")
        byte = self._body[self.at]
        self.at += 1
        if byte in _ESCAPES:
            return _ESCAPES[byte]
        if byte != 117:
            raise self.broken("invalid escape")
        first = self._hex()
        if 0xDC00 <= first <= 0xDFFF:
            raise self.broken("lone leading surrogate in hex escape")
        if not 0xD800 <= first <= 0xDBFF:
            return chr(first)
        for expected in b"\\u":
            if self.at >= len(self._body):
                raise self.broken("EOF while parsing a string")
            self.at += 1
            if self._body[self.at - 1] != expected:
                raise self.broken("unexpected end of hex escape")
        second = self._hex()
        if not 0xDC00 <= second <= 0xDFFF:
            raise self.broken("lone leading surrogate in hex escape")
        return chr(0x10000 + ((first - 0xD800) << 10) + second - 0xDC00)

    def _hex(self) -> int:
        if self.at + 4 > len(self._body):
            self.at = len(self._body)
            raise self.broken("EOF while parsing a string")
        digits = self._body[self.at : self.at + 4]
        self.at += 4
        try:
            return int(digits, 16) if digits.isalnum() else int("", 16)
        except ValueError as error:
            raise self.broken("invalid escape") from error

    def _number(self) -> int | float:
        found = _NUMBER.match(self._body, self.at)
        if found is None or self._body[found.end() : found.end() + 1].isdigit():
            self.at += 1
            raise self.broken("invalid number", 1)
        self.at = found.end()
        if self._body[self.at : self.at + 1] in (b".", b"e", b"E"):
            self.at += 1
            raise self.broken("invalid number" if self.at < len(self._body) else "EOF while parsing a value", 1)
        text = found.group()
        if text.lstrip(b"-").isdigit() and text != b"-0" and -(2**63) <= int(text) <= _U64:
            return int(text)
        value = float(text)
        if math.isinf(value):
            raise self.broken("number out of range")
        return value

    def elements(self) -> Iterator[int]:
        """The elements of a list, whose bracket is next: before each, its number."""
        self._down()
        number = 0
        while (following := self.peek()) != 93:
            if following is None:
                raise self.broken("EOF while parsing a list")
            if number:
                if following != 44:
                    raise self.broken("expected `,` or `]`", 1)
                self.at += 1
                following = self.peek()
                if following == 93:
                    raise self.broken("trailing comma", 1)
                if following is None:
                    raise self.broken("EOF while parsing a value")
            yield number
            number += 1

    def entries(self) -> Iterator[str]:
        """The keys of an object, whose brace is next: the parser stops after each; `value_follows` moves on."""
        self._down()
        first = True
        while (following := self.peek()) != 125:
            if following is None:
                raise self.broken("EOF while parsing an object")
            if not first:
                if following != 44:
                    raise self.broken("expected `,` or `}`", 1)
                self.at += 1
                following = self.peek()
                if following == 125:
                    raise self.broken("trailing comma", 1)
                if following is None:
                    raise self.broken("EOF while parsing a value")
            if following != 34:
                raise self.broken("key must be a string", 1)
            first = False
            yield self.string()

    def value_follows(self) -> None:
        """Step over the colon behind a key."""
        following = self.peek()
        if following != 58:
            raise self.broken("EOF while parsing an object" if following is None else "expected `:`", 1)
        self.at += 1

    @contextmanager
    def whole(self, end: int) -> Iterator[None]:
        """A list or an object to its end; what is wrong without a place is told to be where the parser then stands."""
        try:
            yield
        except Wrong as wrong:
            if self.peek() == end:
                self.at += 1
            if wrong.place is None:
                wrong.place = self.at
            raise
        self._up(end)

    def _down(self) -> None:
        self.at += 1
        self._depth += 1
        if self._depth >= _DEEPEST:
            raise self.broken("recursion limit exceeded")

    def _up(self, end: int) -> None:
        self._depth -= 1
        following = self.peek()
        if following == end:
            self.at += 1
            return
        kind = "a list" if end == 93 else "an object"
        raise self.broken(f"EOF while parsing {kind}" if following is None else "trailing characters", 1)

    def ignore(self) -> None:
        """Step over any value, however deep."""
        ends: list[int] = []
        while True:
            following = self.peek()
            if following in (91, 123):
                self.at += 1
                ends.append(93 if following == 91 else 125)
                if self.peek() != ends[-1]:
                    self._next_key(ends[-1])
                    continue
            else:
                self.scalar()
            while ends and self.peek() == ends[-1]:
                self.at += 1
                ends.pop()
            if not ends:
                return
            following = self.peek()
            if following != 44:
                kind, sign = ("a list", "]") if ends[-1] == 93 else ("an object", "}")
                words = f"EOF while parsing {kind}" if following is None else f"expected `,` or `{sign}`"
                raise self.broken(words, 1)
            self.at += 1
            self._next_key(ends[-1])

    def _next_key(self, end: int) -> None:
        """The key before an object's next value; nothing inside a list."""
        if end == 125:
            if self.peek() != 34:
                raise self.broken("EOF while parsing an object" if self.peek() is None else "key must be a string", 1)
            self.string()
            self.value_follows()

    def anything(self) -> Any:
        """Any value."""
        following = self.peek()
        found: Any
        if following == 91:
            found = []
            with self.whole(93):
                for _number in self.elements():
                    found.append(self.anything())
        elif following == 123:
            found = {}
            with self.whole(125):
                for key in self.entries():
                    self.value_follows()
                    found[key] = self.anything()
        else:
            found = self.scalar()
        return found


def spoken(value: object) -> str:
    """A value as serde_json names it."""
    if value is None:
        return "null"
    if isinstance(value, bool):
        return f"boolean `{str(value).lower()}`"
    if isinstance(value, int):
        return f"integer `{value}`"
    if isinstance(value, float):
        return f"floating point `{_ryu(value)}`"
    if isinstance(value, str):
        return f"string {_debug(value)}"
    return "sequence" if isinstance(value, list) else "map"


def _ryu(value: float) -> str:
    """A float as Rust's ryu writes it: Python's digits, another exponent."""
    text = repr(value).replace("e+", "e").replace("e-0", "e-")
    digits, _, exponent = text.partition("e")
    return f"0.0000{digits.replace('.', '')}" if exponent == "-5" and not digits.startswith("-") else text


def _debug(text: str) -> str:
    """A string as Rust's `{:?}` writes it."""
    shown = (_DEBUG.get(char) or (char if char.isprintable() else f"\\u{{{ord(char):x}}}") for char in text)
    return f'"{"".join(shown)}"'
