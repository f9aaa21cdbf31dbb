"""What text-generation-inference's own routes accept, and in which words the router refuses: pure functions.

Source: the behaviour of TGI 3.3's router (research notes beside the project, §1). The order of the checks is part
of the protocol: body as JSON, body as a request, admission, scalars, `inputs`, lengths, grammar.
"""

from collections.abc import Mapping
from typing import Any, NamedTuple

from halluvault_tasks.local.simulator.wire import Body, Field, Refusal, decode, mistyped, read, spoken

MAX_TOP_N_TOKENS = 5
RESERVED = 1024
"""The router reserves 1,024 new tokens at most and continues longer generations by itself."""


class Limits(NamedTuple):
    """What a server was started with; shown by `/info`."""

    max_concurrent_requests: int = 128
    max_best_of: int = 2
    max_stop_sequences: int = 4
    max_input_tokens: int = 4095
    max_total_tokens: int = 4096
    max_client_batch_size: int = 4


class Request(NamedTuple):
    """One sequence to generate: what is templated and tokenised, and every known parameter (None where absent)."""

    inputs: str
    parameters: Mapping[str, Any]
    stream: bool = False
    prompt: str = ""
    """What the model was asked, where that is not `inputs`: a conversation in canonical JSON."""

    @property
    def asked(self) -> str:
        """What the model was asked."""
        return self.prompt or self.inputs

    @property
    def sampling(self) -> bool:
        """Whether tokens are drawn at random: asked for, or implied by a sampling parameter."""
        p = self.parameters
        return bool(p["do_sample"]) or not p["temperature"] is p["top_k"] is p["top_p"] is p["typical_p"] is None


PARAMETERS: Mapping[str, Field] = {
    "best_of": Field("usize"),
    "temperature": Field("f32"),
    "repetition_penalty": Field("f32"),
    "frequency_penalty": Field("f32"),
    "top_k": Field("i32"),
    "top_p": Field("f32"),
    "typical_p": Field("f32"),
    "do_sample": Field("bool", False),
    "max_new_tokens": Field("u32"),
    "return_full_text": Field("bool"),
    "stop": Field("strings", ()),
    "truncate": Field("usize"),
    "watermark": Field("bool", False),
    "details": Field("bool", False),
    "decoder_input_details": Field("bool", False),
    "seed": Field("u64"),
    "top_n_tokens": Field("u32"),
    "grammar": Field("any"),
    "adapter_id": Field("string"),
}
DEFAULTS: Mapping[str, Any] = {name: field.default for name, field in PARAMETERS.items()}

_GRAMMARS = ("json", "json_object", "regex", "json_schema")


def decode_generate(body: bytes, content_type: str) -> Request:
    """Decode the body of `/generate`, `/generate_stream` or `/`.

    Raises:
        Refusal: 415, 413, 400 or 422 with the web framework's plain text.
    """
    return read_generate(decode(body, content_type, "GenerateRequest"))


def read_generate(raw: Body) -> Request:
    """Read a decoded body as a generation request.

    Raises:
        Refusal: 422 with the web framework's plain text.
    """
    fields, place = raw
    if "inputs" not in fields:
        raise mistyped("", "missing field `inputs`", place)
    inputs = fields["inputs"]
    if not isinstance(inputs, str):
        raise mistyped("inputs: ", f"invalid type: {spoken(inputs)}, expected a string", place)
    given = fields.get("parameters")
    if "parameters" in fields and not isinstance(given, dict):
        raise mistyped("parameters: ", f"invalid type: {spoken(given)}, expected struct GenerateParameters", place)
    # A request without `parameters` samples; one with {} does not: the two defaults differ in TGI.
    parameters = read(PARAMETERS, {"do_sample": True} if given is None else given, place, "parameters.")
    check_grammar(parameters["grammar"], "parameters.grammar: ", place)
    stream = fields.get("stream", False)
    if not isinstance(stream, bool):
        raise mistyped("stream: ", f"invalid type: {spoken(stream)}, expected a boolean", place)
    return Request(inputs, parameters, stream)


def check_grammar(grammar: object, where: str, place: str) -> None:
    """Whether a grammar is one of the kinds that the server knows.

    Raises:
        Refusal: 422 with the web framework's plain text.
    """
    if grammar is None:
        return
    if not isinstance(grammar, dict):
        raise mistyped(where, f"invalid type: {spoken(grammar)}, expected internally tagged enum GrammarType", place)
    if "type" not in grammar:
        raise mistyped(where, "missing field `type`", place)
    if grammar["type"] not in _GRAMMARS:
        kinds = ", ".join(f"`{kind}`" for kind in _GRAMMARS)
        raise mistyped(where, f"unknown variant `{grammar['type']}`, expected one of {kinds}", place)
    if "value" not in grammar:
        raise mistyped(where, "missing field `value`", place)
    value = grammar["value"]
    if grammar["type"] == "regex" and not isinstance(value, str):
        raise mistyped(where, f"invalid type: {spoken(value)}, expected a string", place)
    if grammar["type"] == "json_schema" and not (isinstance(value, dict) and "schema" in value):
        raise mistyped(where, "missing field `schema`", place)


def validate_best_of(request: Request, limits: Limits) -> int:
    """How many sequences to generate; checked before admission.

    Raises:
        Refusal: 422 `validation`.
    """
    best_of = request.parameters["best_of"]
    if best_of is None:
        return 1
    _refuse_if(
        best_of == 0 or best_of > limits.max_best_of,
        f"`best_of` must be > 0 and <= {limits.max_best_of}. Given: {best_of}",
    )
    return int(best_of)


def validate_stream(request: Request) -> None:
    """What a stream cannot do; checked before admission.

    Raises:
        Refusal: 422 `validation`.
    """
    p = request.parameters
    _refuse_if(p["best_of"] not in (None, 1), "`best_of` != 1 is not supported when streaming tokens")
    _refuse_if(p["decoder_input_details"], "`decoder_input_details` == true is not supported when streaming tokens")


def validate(request: Request, limits: Limits) -> None:
    """The scalar checks, in the router's order.

    Raises:
        Refusal: 422 `validation`.
    """
    p = request.parameters
    best_of = p["best_of"] or 1
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
    _refuse_if(p["top_p"] is not None and not 0 < p["top_p"] < 1, "`top_p` must be > 0.0 and < 1.0")
    _refuse_if(p["typical_p"] is not None and not 0 < p["typical_p"] < 1, "`typical_p` must be > 0.0 and < 1.0")
    _refuse_if(p["top_k"] is not None and p["top_k"] <= 0, "`top_k` must be strictly positive")
    _refuse_if(p["max_new_tokens"] == 0, "`max_new_tokens` must be strictly positive")
    stops = len(p["stop"])
    _refuse_if(
        stops > limits.max_stop_sequences,
        f"`stop` supports up to {limits.max_stop_sequences} stop sequences. Given: {stops}",
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
    _refuse_if(
        input_tokens + min(new, RESERVED) > limits.max_total_tokens,
        f"`inputs` tokens + `max_new_tokens` must be <= {limits.max_total_tokens}. "
        f"Given: {input_tokens} `inputs` tokens and {new} `max_new_tokens`",
    )
    _refuse_if(
        input_tokens > limits.max_input_tokens,
        f"`inputs` must have less than {limits.max_input_tokens} tokens. Given: {input_tokens}",
    )
    return new


def _refuse_if(wrong: bool, message: str) -> None:
    if wrong:
        raise invalid(message)


def invalid(message: str) -> Refusal:
    """The refusal of a request that the router finds invalid."""
    return Refusal(422, f"Input validation error: {message}", "validation")
