"""Bodies that are no such request, or odd ones, are read by serde's rules: its words, its paths, its places."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from halluvault_tasks.local.simulator import shapes
from halluvault_tasks.local.simulator.json_reader import Wrong
from halluvault_tasks.local.simulator.serde import Unlike, deserialize
from halluvault_tasks.local.simulator.wire import Refusal, decode

ASKED = b'{"inputs": "a", '


def refused(body: bytes, shape: Any = shapes.GENERATE) -> tuple[int, str]:
    with pytest.raises(Refusal) as caught:
        decode(body, "application/json", shape)
    start = {400: "Failed to parse the request body as JSON: "}.get(
        caught.value.status, "Failed to deserialize the JSON body into the target type: "
    )
    assert caught.value.message.startswith(start)
    return caught.value.status, caught.value.message.removeprefix(start)


@pytest.mark.parametrize(
    ("body", "said"),
    [
        (b"", "EOF while parsing a value at line 1 column 0"),
        (b"[", "EOF while parsing a list at line 1 column 1"),
        (b"{", "EOF while parsing an object at line 1 column 1"),
        (b"nul", "EOF while parsing a value at line 1 column 3"),
        (b"{1: 2}", "key must be a string at line 1 column 2"),
        (b'{"inputs" "a"}', "expected `:` at line 1 column 11"),
        (b'{"inputs": "a" "b"}', "expected `,` or `}` at line 1 column 16"),
        (b'{"inputs": "a",}', "trailing comma at line 1 column 16"),
        (b'{"inputs": +1}', "inputs: expected value at line 1 column 12"),
        (b'{"inputs": "a\\q"}', "inputs: invalid escape at line 1 column 15"),
        (b'{"inputs": "a\nb"}',
         "inputs: control character (\\u0000-\\u001F) found while parsing a string at line 2 column 0"),
        (b'{"inputs": "\\ud800x"}', "inputs: unexpected end of hex escape at line 1 column 19"),
        (ASKED + b'"parameters": {"seed": 01}}', "parameters.seed: invalid number at line 1 column 41"),
        (ASKED + b'"parameters": {"top_p": 1e999}}', "parameters.top_p: number out of range at line 1 column 45"),
        (ASKED + b'"x": [1, }', "expected value at line 1 column 26"),
    ],
)  # fmt: skip
def test_what_is_no_json_is_told_with_its_place(body: bytes, said: str) -> None:
    status, text = refused(body)
    assert (status, text) == (400, said)


@pytest.mark.parametrize(
    ("body", "said"),
    [
        (b"[]", "invalid length 0, expected struct GenerateRequest with 2 elements at line 1 column 2"),
        (b"7", "invalid type: integer `7`, expected struct GenerateRequest at line 1 column 1"),
        (b'{"inputs": "a",\n"inputs": "b"}', "duplicate field `inputs` at line 2 column 8"),
        (ASKED + b'"parameters": {"seed": 1, "seed": 2}}', "parameters: duplicate field `seed` at line 1 column 48"),
        (ASKED + b'"parameters": {"seed": -1}}',
         "parameters.seed: invalid value: integer `-1`, expected u64 at line 1 column 41"),
        (ASKED + b'"parameters": {"top_k": 3000000000}}',
         "parameters.top_k: invalid value: integer `3000000000`, expected i32 at line 1 column 50"),
        (ASKED + b'"parameters": {"seed": 18446744073709551616}}',
         "parameters.seed: invalid type: floating point `1.8446744073709552e19`, expected u64 at line 1 column 59"),
        (ASKED + b'"parameters": {"stop": ["b", 1]}}',
         "parameters.stop[1]: invalid type: integer `1`, expected a string at line 1 column 46"),
        (ASKED + b'"parameters": {"stop": null}}',
         "parameters.stop: invalid type: null, expected a sequence at line 1 column 43"),
        (ASKED + b'"parameters": {"details": "\\u00e9\\n"}}',
         'parameters.details: invalid type: string "\u00e9\\n", expected a boolean at line 1 column 52'),
        (ASKED + b'"parameters": [2, "b"]}',
         'parameters[1]: invalid type: string "b", expected f32 at line 1 column 37'),
        (ASKED + b'"parameters": {"grammar": "x"}}',
         'parameters.grammar: invalid type: string "x", expected adjacently tagged enum GrammarType '
         "at line 1 column 45"),
        (ASKED + b'"parameters": {"grammar": {"type": "regex", "value": 1}}}',
         "parameters.grammar.value: invalid type: integer `1`, expected a string at line 1 column 70"),
        (ASKED + b'"parameters": {"grammar": {"value": "a"}}}',
         "parameters.grammar: missing field `type` at line 1 column 56"),
    ],
)  # fmt: skip
def test_what_is_json_of_another_type_is_told_with_path_and_place(body: bytes, said: str) -> None:
    assert refused(body) == (422, said)


def test_a_chat_knows_one_limit_under_two_names_and_not_both() -> None:
    chat = b'{"messages": [], "max_completion_tokens": 3'
    assert decode(chat + b"}", "application/json", shapes.CHAT)["max_tokens"] == 3
    assert refused(chat + b', "max_tokens": 4}', shapes.CHAT) == (
        422,
        "duplicate field `max_tokens` at line 1 column 57",
    )


@pytest.mark.parametrize(
    ("body", "parameters"),
    [
        (ASKED + b'"parameters": []}', {}),
        (ASKED + b'"parameters": [3, 0.5]}', {"best_of": 3, "temperature": 0.5}),
        (b'["a", {"seed": 5}]', {"seed": 5}),
        (ASKED + b'"x": 1, "x": {"y": 1, "y": 2}, "parameters": {}} and more', {}),
        (ASKED + b'"x": ' + b"[" * 500 + b"]" * 500 + b', "parameters": {}}', {}),
    ],
    ids=["an empty list", "a list", "a list of all", "twins that nobody reads, and a tail", "deep where nobody looks"],
)  # fmt: skip
def test_what_is_odd_and_accepted_is_accepted(body: bytes, parameters: dict[str, Any]) -> None:
    read = decode(body, "application/json", shapes.GENERATE)
    assert read == {"inputs": "a", "parameters": {**shapes.DEFAULTS, **parameters}}


_VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**70), 2**70)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
    max_leaves=6,
)
_REQUESTS = st.fixed_dictionaries(
    {},
    optional={
        "inputs": st.text(max_size=5) | _VALUES,
        "stream": st.booleans() | _VALUES,
        "parameters": st.fixed_dictionaries(
            {},
            optional={
                "seed": st.integers(0, 2**64 - 1) | _VALUES,
                "stop": st.lists(st.text(max_size=3), max_size=3) | _VALUES,
                "details": st.booleans() | _VALUES,
                "grammar": st.fixed_dictionaries(
                    {}, optional={"type": st.sampled_from(["regex", "json", "json_schema", "x"]), "value": _VALUES}
                ),
                "odd": _VALUES,
            },
        )
        | _VALUES,
        "messages": st.lists(
            st.fixed_dictionaries({}, optional={"role": st.text(max_size=4) | _VALUES, "content": _VALUES}), max_size=2
        ),
        "prompt": _VALUES,
    },
)


@given(_REQUESTS)
def test_pythons_parser_accepts_nothing_that_the_reader_refuses_and_reads_the_same(request: dict[str, Any]) -> None:
    body = json.dumps(request).encode()
    for shape in (shapes.GENERATE, shapes.COMPAT, shapes.CHAT, shapes.COMPLETION, shapes.SAGEMAKER, shapes.VERTEX):
        try:
            quick = shape.of(json.loads(body))
        except Unlike:
            continue
        try:
            assert deserialize(body, shape) == quick
        except Wrong as wrong:
            raise AssertionError(f"{wrong.told(body)} for {body!r}") from wrong
