"""JSON read into typed values as the imitated server's Rust does it: serde, serde_json and serde_path_to_error.

Errors have their words, the path of what is wrong, and the place where the parser stopped: a value of the wrong type is
reported at its own place, before anything after it is looked at. Valid bodies never come here: Python's own parser and
`Shape.of` read them. This reader is for the others, and for what is odd but accepted: a list in place of a struct, text
after the end.
"""

import math
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple, Protocol

from halluvault_tasks.local.simulator.json_reader import Reader, spoken

_U32, _U64, _I32 = 2**32 - 1, 2**64 - 1, 2**31 - 1
_RANGES = {"usize": (0, _U64), "u64": (0, _U64), "u32": (0, _U32), "i32": (-_I32 - 1, _I32)}


class Unlike(Exception):
    """A parsed value that has not the shape, or only the reader can say."""


class Shape(Protocol):
    """What a value must be."""

    def of(self, value: Any) -> Any:
        """The typed value out of parsed JSON; raises `Unlike`."""

    def read(self, reader: Reader) -> Any:
        """The typed value out of the body; raises `Wrong`."""


class Anything:
    """Any value."""

    def of(self, value: Any) -> Any:
        """As it is."""
        return value

    def read(self, reader: Reader) -> Any:
        """As it comes."""
        return reader.anything()


class Scalar(NamedTuple):
    """string, bool, f32, usize, u64, u32 or i32."""

    kind: str

    def of(self, value: Any) -> Any:
        """The value, if it is of this kind."""
        if self.kind in _RANGES:
            low, high = _RANGES[self.kind]
            fits = type(value) is int and low <= value <= high
        elif self.kind == "f32":
            fits = type(value) in (int, float) and abs(value) < math.inf
        else:
            fits = type(value) is (str if self.kind == "string" else bool)
        if not fits:
            raise Unlike
        return value

    def read(self, reader: Reader) -> Any:
        """The value, if it is of this kind."""
        following = reader.peek()
        begins = {"string": b'"', "bool": b"tf"}.get(self.kind, b"-0123456789")
        if following is None or following not in begins:
            reader.mistyped({"string": "a string", "bool": "a boolean"}.get(self.kind, self.kind))
        value = reader.scalar()
        if self.kind in _RANGES:
            low, high = _RANGES[self.kind]
            if isinstance(value, float):
                raise reader.mistake(f"invalid type: {spoken(value)}, expected {self.kind}", reader.at)
            if not low <= value <= high:
                raise reader.mistake(f"invalid value: integer `{value}`, expected {self.kind}", reader.at)
        return value


class Maybe(NamedTuple):
    """A value or null."""

    shape: Shape

    def of(self, value: Any) -> Any:
        """None for null."""
        return None if value is None else self.shape.of(value)

    def read(self, reader: Reader) -> Any:
        """None for null."""
        return reader.scalar() if reader.peek() == 110 else self.shape.read(reader)


class ListOf(NamedTuple):
    """A list of one kind."""

    shape: Shape

    def of(self, value: Any) -> Any:
        """A list of typed values."""
        if type(value) is not list:
            raise Unlike
        return [self.shape.of(each) for each in value]

    def read(self, reader: Reader) -> Any:
        """A list of typed values."""
        if reader.peek() != 91:
            reader.mistyped("a sequence")
        found = []
        with reader.whole(93):
            for number in reader.elements():
                with reader.inside(f"[{number}]"):
                    found.append(self.shape.read(reader))
        return found


class Field(NamedTuple):
    """A field of a struct."""

    shape: Shape
    default: Any = None
    required: bool = False
    alias: str = ""


class Struct(NamedTuple):
    """An object with fields of their own kinds; others are ignored. A list of the values in their order does, too."""

    name: str
    fields: Mapping[str, Field]

    def of(self, value: Any) -> dict[str, Any]:
        """Every field, by name."""
        if type(value) is not dict:
            raise Unlike
        found = {}
        for name, field in self.fields.items():
            given = name if name in value else field.alias
            if given and given in value:  # a field without an alias is not the key ""
                if field.alias and name in value and field.alias in value:
                    raise Unlike
                found[name] = field.shape.of(value[given])
            elif field.required:
                raise Unlike
            else:
                found[name] = field.default
        return found

    def read(self, reader: Reader) -> dict[str, Any]:
        """Every field, by name."""
        following = reader.peek()
        if following == 91:
            listed: dict[str, Any] = {}
            with reader.whole(93):
                listed |= self._from_list(reader)
            return listed
        if following != 123:
            reader.mistyped(f"struct {self.name}")
        found: dict[str, Any] = {}
        with reader.whole(125):
            found |= self._from_object(reader)
        return found

    def _from_object(self, reader: Reader) -> dict[str, Any]:
        names = {field.alias: name for name, field in self.fields.items() if field.alias}
        found: dict[str, Any] = {}
        for key in reader.entries():
            name = names.get(key, key)
            if name in found:
                raise reader.mistake(f"duplicate field `{name}`", None)
            reader.value_follows()
            if name not in self.fields:
                reader.ignore()
                continue
            with reader.inside(key):
                found[name] = self.fields[name].shape.read(reader)
        for name, field in self.fields.items():
            if name not in found and field.required:
                raise reader.mistake(f"missing field `{name}`", None)
        return {name: found.get(name, field.default) for name, field in self.fields.items()}

    def _from_list(self, reader: Reader) -> dict[str, Any]:
        found: dict[str, Any] = {}
        given = reader.elements()
        for place, (name, field) in enumerate(self.fields.items()):
            if next(given, None) is not None:
                with reader.inside(f"[{place}]"):
                    found[name] = field.shape.read(reader)
            elif field.required:
                count = f"{len(self.fields)} element{'s' * (len(self.fields) != 1)}"
                expected = f"struct {self.name} with {count}"
                raise reader.mistake(f"invalid length {place}, expected {expected}", None)
            else:
                found[name] = field.default
        return found


class Untagged(NamedTuple):
    """One of several shapes, tried one after the other on the parsed value; its errors know no place of their own."""

    name: str
    shapes: Sequence[Shape]

    def of(self, value: Any) -> Any:
        """As the first shape that fits."""
        for shape in self.shapes:
            try:
                return shape.of(value)
            except Unlike:
                continue
        raise Unlike

    def read(self, reader: Reader) -> Any:
        """As the first shape that fits."""
        value = reader.anything()
        try:
            return self.of(value)
        except Unlike as unlike:
            raise reader.mistake(
                str(unlike) or f"data did not match any variant of untagged enum {self.name}", None
            ) from unlike


def deserialize(body: bytes, shape: Shape) -> Any:
    """A typed value out of a body; what follows its end is not looked at.

    Raises:
        Wrong: with place and path.
    """
    return shape.read(Reader(body))
