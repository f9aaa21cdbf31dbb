"""What text-generation-inference accepts, and in which words it refuses: pure functions over a request's bytes.

Source: the behaviour of TGI 3.3's router (research notes beside the project, §1). The order of the checks is part
of the protocol: body as JSON, body as a request, admission, scalars, `inputs`, lengths, grammar.
"""

import json
import math
from collections.abc import Mapping
from typing import Any, NamedTuple

MAX_BODY_BYTES = 2_000_000
"""axum's limit; a larger body is refused with 413."""

MAX_TOP_N_TOKENS = 5
_U32, _U64, _I32 = 2**32 - 1, 2**64 - 1, 2**31 - 1


class Refusal(Exception):
    """A request that the server answers with an error.

    Args:
        status: HTTP status.
        message: the body's text, or the `error` of a JSON body.
        error_type: TGI's error type; None for the plain text of the web framework below it.
    """

    def __init__(self, status: int, message: str, error_type: str | None) -> None:
        super().__init__(message)
        self.status = status
        self.message = message
        self.error_type = error_type


class Limits(NamedTuple):
    """What a server was started with; shown by `/info`."""

    max_concurrent_requests: int = 128
    max_best_of: int = 2
    max_stop_sequences: int = 4
    max_input_tokens: int = 4095
    max_total_tokens: int = 4096


class Request(NamedTuple):
    """A decoded request: `inputs` and every known parameter (None where absent)."""

    inputs: str
    parameters: Mapping[str, Any]
    stream: bool

    @property
    def sampling(self) -> bool:
        """Whether tokens are drawn at random: asked for, or implied by a sampling parameter."""
        return bool(self.parameters["do_sample"]) or any(
            self.parameters[name] is not None for name in ("temperature", "top_k", "top_p", "typical_p")
        )


_DEFAULTS: dict[str, tuple[str, Any]] = {
    "adapter_id": ("string", None),
    "best_of": ("usize", None),
    "decoder_input_details": ("bool", False),
    "details": ("bool", False),
    "do_sample": ("bool", False),
    "frequency_penalty": ("f32", None),
    "grammar": ("any", None),
    "max_new_tokens": ("u32", None),
    "repetition_penalty": ("f32", None),
    "return_full_text": ("bool", None),
    "seed": ("u64", None),
    "stop": ("strings", ()),
    "temperature": ("f32", None),
    "top_k": ("i32", None),
    "top_n_tokens": ("u32", None),
    "top_p": ("f32", None),
    "truncate": ("usize", None),
    "typical_p": ("f32", None),
    "watermark": ("bool", False),
}
_RANGES = {"usize": (0, _U64), "u64": (0, _U64), "u32": (0, _U32), "i32": (-_I32 - 1, _I32)}


def decode(body: bytes, content_type: str) -> Request:
    """Decode a request's body.

    Raises:
        Refusal: 415, 413, 400 or 422 with the web framework's plain text.
    """
    media = content_type.split(";")[0].strip().lower()
    if not (media == "application/json" or (media.startswith("application/") and media.endswith("+json"))):
        raise Refusal(415, "Expected request with `Content-Type: application/json`", None)
    if len(body) > MAX_BODY_BYTES:
        raise Refusal(413, "Failed to buffer the request body: length limit exceeded", None)
    try:
        raw = json.loads(body.decode("utf-8"), parse_constant=_no_constant)
    except json.JSONDecodeError as error:
        what = "EOF while parsing a value" if error.pos >= len(error.doc.rstrip()) else "expected value"
        raise Refusal(
            400, f"Failed to parse the request body as JSON: {what} at line {error.lineno} column {error.colno}", None
        ) from error
    except ValueError as error:
        raise Refusal(
            400, "Failed to parse the request body as JSON: expected value at line 1 column 1", None
        ) from error
    lines = body.split(b"\n")
    place = f"at line {len(lines)} column {len(lines[-1])}"
    if not isinstance(raw, dict):
        raise _mistyped("", f"invalid type: {_spoken(raw)}, expected struct GenerateRequest", place)
    if "inputs" not in raw:
        raise _mistyped("", "missing field `inputs`", place)
    if not isinstance(raw["inputs"], str):
        raise _mistyped("inputs: ", f"invalid type: {_spoken(raw['inputs'])}, expected a string", place)
    given = raw.get("parameters")
    if "parameters" in raw and not isinstance(given, dict):
        raise _mistyped("parameters: ", f"invalid type: {_spoken(given)}, expected struct GenerateParameters", place)
    # A request without `parameters` samples; one with {} does not: the two defaults differ in TGI.
    given = {"do_sample": True} if given is None else given
    parameters = {name: _value(name, given, place) for name in _DEFAULTS}
    stream = raw.get("stream", False)
    if not isinstance(stream, bool):
        raise _mistyped("stream: ", f"invalid type: {_spoken(stream)}, expected a boolean", place)
    return Request(raw["inputs"], parameters, stream)


def validate(request: Request, limits: Limits) -> None:
    """The scalar checks, in the router's order.

    Raises:
        Refusal: 422 `validation`.
    """
    p = request.parameters
    best_of = 1 if p["best_of"] is None else p["best_of"]
    if best_of > 1 or best_of == 0:
        _refuse_if(
            best_of == 0 or best_of > limits.max_best_of,
            f"`best_of` must be > 0 and <= {limits.max_best_of}. Given: {best_of}",
        )
    _refuse_if(best_of > 1 and not request.sampling, "you must use sampling when `best_of` is > 1")
    _refuse_if(p["temperature"] is not None and p["temperature"] <= 0, "`temperature` must be strictly positive")
    _refuse_if(
        p["repetition_penalty"] is not None and p["repetition_penalty"] <= 0,
        "`repetition_penalty` must be strictly positive",
    )
    _refuse_if(
        p["frequency_penalty"] is not None and not -2 <= p["frequency_penalty"] <= 2,
        "`frequency_penalty` must be >= -2.0 and <= 2.0",
    )
    for name in ("top_p", "typical_p"):
        _refuse_if(p[name] is not None and not 0 < p[name] < 1, f"`{name}` must be > 0.0 and < 1.0")
    _refuse_if(p["top_k"] is not None and p["top_k"] <= 0, "`top_k` must be strictly positive")
    _refuse_if(p["max_new_tokens"] == 0, "`max_new_tokens` must be strictly positive")
    _refuse_if(
        len(p["stop"]) > limits.max_stop_sequences,
        f"`stop` supports up to {limits.max_stop_sequences} stop sequences. Given: {len(p['stop'])}",
    )
    _refuse_if(best_of > 1 and p["seed"] is not None, "`seed` must not be set when `best_of` > 1")
    _refuse_if(
        p["top_n_tokens"] is not None and p["top_n_tokens"] > MAX_TOP_N_TOKENS,
        f"`top_n_tokens` must be >= 0 and <= {MAX_TOP_N_TOKENS}. Given: {p['top_n_tokens']}",
    )
    _refuse_if(not request.inputs, "`inputs` cannot be empty")
    _refuse_if(
        p["truncate"] is not None and not 0 < p["truncate"] <= limits.max_input_tokens,
        f"`truncate` must be strictly positive and less than {limits.max_input_tokens}. Given: {p['truncate']}",
    )


def validate_length(request: Request, input_tokens: int, limits: Limits) -> int:
    """The checks that need the prompt's length in tokens; returns how many new tokens may be generated.

    Raises:
        Refusal: 422 `validation`.
    """
    asked = request.parameters["max_new_tokens"]
    new = max(0, limits.max_total_tokens - input_tokens) if asked is None else int(asked)
    # The router reserves 1,024 tokens at most and continues longer generations by itself.
    reserved = min(new, 1024)
    _refuse_if(
        input_tokens + reserved > limits.max_total_tokens,
        f"`inputs` tokens + `max_new_tokens` must be <= {limits.max_total_tokens}. "
        f"Given: {input_tokens} `inputs` tokens and {new} `max_new_tokens`",
    )
    _refuse_if(
        input_tokens > limits.max_input_tokens,
        f"`inputs` must have less than {limits.max_input_tokens} tokens. Given: {input_tokens}",
    )
    # Simulated models are servers started with --disable-grammar-support.
    _refuse_if(request.parameters["grammar"] is not None, "grammar is not supported")
    return new


def _refuse_if(wrong: bool, message: str) -> None:
    if wrong:
        raise Refusal(422, f"Input validation error: {message}", "validation")


def _value(name: str, given: Mapping[str, Any], place: str) -> Any:
    kind, default = _DEFAULTS[name]
    value = given.get(name)
    if value is None:
        if name in given and default is not None:
            # null is no boolean and no list: only optional parameters accept it
            raise _mistyped(f"parameters.{name}: ", f"invalid type: null, expected {_EXPECTED[kind]}", place)
        return default
    if kind == "any":
        return value
    where = f"parameters.{name}: "
    if kind in _RANGES:
        low, high = _RANGES[kind]
        if isinstance(value, int) and not isinstance(value, bool):
            if not low <= value <= high:
                raise _mistyped(where, f"invalid value: integer `{value}`, expected {kind}", place)
            return value
        raise _mistyped(where, f"invalid type: {_spoken(value)}, expected {kind}", place)
    fits = {
        "string": isinstance(value, str),
        "bool": isinstance(value, bool),
        "f32": isinstance(value, int | float) and not isinstance(value, bool),
        "strings": isinstance(value, list),
    }[kind]
    if not fits:
        raise _mistyped(where, f"invalid type: {_spoken(value)}, expected {_EXPECTED[kind]}", place)
    if kind == "strings":
        for position, item in enumerate(value):
            if not isinstance(item, str):
                raise _mistyped(
                    f"parameters.{name}[{position}]: ", f"invalid type: {_spoken(item)}, expected a string", place
                )
    return value


_EXPECTED = {"string": "a string", "bool": "a boolean", "f32": "f32", "strings": "a sequence"}


def _mistyped(where: str, what: str, place: str) -> Refusal:
    return Refusal(422, f"Failed to deserialize the JSON body into the target type: {where}{what} {place}", None)


def _spoken(value: object) -> str:
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


def _no_constant(name: str) -> float:
    raise ValueError(name)  # NaN and Infinity are Python's extensions, no JSON
