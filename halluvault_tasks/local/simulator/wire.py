"""From a request's bytes to typed fields, refused in the words of the web framework below the imitated server.

Source: the behaviour of axum 0.7 and serde_json under TGI 3.3's router (research notes beside the project, §1). These
refusals are plain text, and they come before anything else is looked at.
"""

import json
import math
from collections.abc import Mapping
from typing import Any, NamedTuple

MAX_BODY_BYTES = 2_000_000
"""axum's limit; a larger body is refused with 413."""

_U32, _U64, _I32 = 2**32 - 1, 2**64 - 1, 2**31 - 1
_RANGES = {"usize": (0, _U64), "u64": (0, _U64), "u32": (0, _U32), "i32": (-_I32 - 1, _I32)}
_EXPECTED = {"string": "a string", "bool": "a boolean", "f32": "f32", "strings": "a sequence", "list": "a sequence"}


class Refusal(Exception):
    """A request that the server answers with an error.

    Args:
        status: HTTP status.
        message: the body's text, or the `error` of a JSON body.
        error_type: TGI's error type; None for the plain text of the web framework below it.
        metric: the label under which TGI counts the failure; empty where it does not.
    """

    def __init__(self, status: int, message: str, error_type: str | None, metric: str = "") -> None:
        super().__init__(message)
        self.status = status
        self.message = message
        self.error_type = error_type
        self.metric = metric or (error_type if error_type in ("validation", "overloaded", "generation") else "") or ""


class Field(NamedTuple):
    """A field of a request: how serde would read it, and its value where it is absent."""

    kind: str
    """usize, u64, u32, i32, f32, bool, string, strings, list or any."""
    default: Any = None
    """Where it is not None, null is refused like any other wrong type."""


class Body(NamedTuple):
    """A decoded JSON object and where it ended, for error texts."""

    fields: Mapping[str, Any]
    place: str


def decode(body: bytes, content_type: str, struct: str) -> Body:
    """Decode a request's body into an object.

    Args:
        body: at most one byte more than `MAX_BODY_BYTES`.
        content_type: the header as sent.
        struct: the server's name for what it expects.

    Raises:
        Refusal: 415, 413, 400 or 422 with the web framework's plain text.
    """
    media = content_type.split(";")[0].strip().lower()
    if media != "application/json" and not (media.startswith("application/") and media.endswith("+json")):
        raise Refusal(415, "Expected request with `Content-Type: application/json`", None)
    if len(body) > MAX_BODY_BYTES:
        raise Refusal(413, "Failed to buffer the request body: length limit exceeded", None)
    start = "Failed to parse the request body as JSON: "
    try:
        raw = json.loads(body.decode("utf-8"), parse_constant=_no_constant)
    except json.JSONDecodeError as error:
        what = "EOF while parsing a value" if error.pos >= len(error.doc.rstrip()) else "expected value"
        raise Refusal(400, f"{start}{what} at line {error.lineno} column {error.colno}", None) from error
    except (ValueError, RecursionError) as error:
        raise Refusal(400, f"{start}expected value at line 1 column 1", None) from error
    lines = body.split(b"\n")
    place = f"at line {len(lines)} column {len(lines[-1])}"
    if not isinstance(raw, dict):
        raise mistyped("", f"invalid type: {spoken(raw)}, expected struct {struct}", place)
    if b"\\u" in body and (wrong := _lone_surrogate(raw)):
        raise Refusal(400, f"{start}lone leading surrogate in hex escape {place}", None) from wrong
    return Body(raw, place)


def read(fields: Mapping[str, Field], given: Mapping[str, Any], place: str, where: str = "") -> dict[str, Any]:
    """Every known field of an object; unknown ones are ignored, as by the imitated server.

    Args:
        fields: by name.
        given: the object.
        place: where the body ended.
        where: path of the object, with a dot at its end.

    Raises:
        Refusal: 422 with the web framework's plain text.
    """
    values = {}
    for name, field in fields.items():
        value = given.get(name)
        if value is None:
            if field.default is not None and name in given:
                raise mistyped(f"{where}{name}: ", f"invalid type: null, expected {_EXPECTED[field.kind]}", place)
            values[name] = field.default
        else:
            values[name] = value if field.kind == "any" else _typed(value, field.kind, f"{where}{name}", place)
    return values


def _typed(value: Any, kind: str, where: str, place: str) -> Any:
    if kind in _RANGES:
        low, high = _RANGES[kind]
        if isinstance(value, int) and not isinstance(value, bool):
            if not low <= value <= high:
                raise mistyped(f"{where}: ", f"invalid value: integer `{value}`, expected {kind}", place)
            return value
        raise mistyped(f"{where}: ", f"invalid type: {spoken(value)}, expected {kind}", place)
    fits = {
        "string": isinstance(value, str),
        "bool": isinstance(value, bool),
        "f32": isinstance(value, int | float) and not isinstance(value, bool),
        "strings": isinstance(value, list),
        "list": isinstance(value, list),
    }[kind]
    if not fits:
        raise mistyped(f"{where}: ", f"invalid type: {spoken(value)}, expected {_EXPECTED[kind]}", place)
    if kind == "strings":
        for position, item in enumerate(value):
            if not isinstance(item, str):
                raise mistyped(f"{where}[{position}]: ", f"invalid type: {spoken(item)}, expected a string", place)
    return value


def mistyped(where: str, what: str, place: str) -> Refusal:
    """The refusal of JSON that is no such request."""
    return Refusal(422, f"Failed to deserialize the JSON body into the target type: {where}{what} {place}", None)


def spoken(value: object) -> str:
    """A value as serde names it."""
    if value is None:
        return "null"
    if isinstance(value, bool):
        return f"boolean `{str(value).lower()}`"
    if isinstance(value, int):
        return f"integer `{value}`"
    if isinstance(value, float):
        return f"floating point `{value:g}`" if math.isfinite(value) else "floating point"
    if isinstance(value, str):
        return f"string {json.dumps(value, ensure_ascii=False)}"
    return "sequence" if isinstance(value, list) else "map"


def _lone_surrogate(value: object) -> UnicodeEncodeError | None:
    """serde refuses what is no Unicode; Python's parser lets a lone surrogate through."""
    try:
        json.dumps(value, ensure_ascii=False).encode()
    except UnicodeEncodeError as error:
        return error
    return None


def _no_constant(name: str) -> float:
    raise ValueError(name)  # NaN and Infinity are Python's extensions, no JSON
