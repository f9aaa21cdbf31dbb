"""Bodies that are no such request are refused with the router's status and its kind of words, in plain text."""

from typing import Any

import pytest

from halluvault_tasks.local.simulator import shapes
from halluvault_tasks.local.simulator.wire import RequestRefusal, decode

ASKED = b'{"inputs": "a", '
NOT_JSON = "Failed to parse the request body as JSON: "
OTHER_TYPE = "Failed to deserialize the JSON body into the target type: "


def refused(body: bytes, shape: Any = shapes.GenerateRequest, kind: str = "application/json") -> tuple[int, str]:
    with pytest.raises(RequestRefusal) as caught:
        decode(body, kind, shape)
    assert caught.value.error_type is None, "plain text"
    return caught.value.status, caught.value.message


@pytest.mark.parametrize(
    "body",
    [b"", b"[", b"nul", b"{1: 2}", b'{"inputs" "a"}', b'{"inputs": "a",}', b'{"inputs": "a\nb"}', b'{"inputs": "a',
     b'{"inputs": "\\ud800x"}', b'{"inputs": "\xff"}', ASKED + b'"x": [1, }', ASKED + b'"x": ' + b"[" * 10_000],
)  # fmt: skip
def test_what_is_no_json_is_a_bad_request(body: bytes) -> None:
    status, said = refused(body)
    assert status == 400 and said.startswith(NOT_JSON) and len(said) > len(NOT_JSON)


@pytest.mark.parametrize(
    ("body", "said"),
    [
        (b"7", "invalid type: integer, expected struct GenerateRequest"),
        (b"{}", "missing field `inputs`"),
        (b'{"inputs": null}', "inputs: invalid type: null, expected a string"),
        (b'{"inputs": ["a"]}', "inputs: invalid type: sequence, expected a string"),
        (ASKED + b'"parameters": null}', "parameters: invalid type: null, expected struct GenerateParameters"),
        (ASKED + b'"parameters": {"seed": -1}}', "parameters.seed: invalid value: integer, expected a number"),
        (ASKED + b'"parameters": {"top_k": 3000000000}}',
         "parameters.top_k: invalid value: integer, expected a number"),
        (ASKED + b'"parameters": {"seed": 1.5}}', "parameters.seed: invalid type: floating point, expected a number"),
        (ASKED + b'"parameters": {"top_p": "hot"}}', "parameters.top_p: invalid type: string, expected a number"),
        (ASKED + b'"parameters": {"top_p": 1e999}}', "parameters.top_p: number out of range"),
        (ASKED + b'"parameters": {"stop": ["b", 1]}}', "parameters.stop[1]: invalid type: integer, expected a string"),
        (ASKED + b'"parameters": {"stop": null}}', "parameters.stop: invalid type: null, expected a sequence"),
        (ASKED + b'"parameters": {"details": "no"}}', "parameters.details: invalid type: string, expected a boolean"),
        (ASKED + b'"parameters": {"seed": true}}', "parameters.seed: invalid type: boolean, expected a number"),
        (ASKED + b'"parameters": {"grammar": {"value": "a"}}}', "parameters.grammar: missing field `type`"),
        (ASKED + b'"parameters": {"grammar": {"type": "regex", "value": 1}}}',
         "parameters.grammar: invalid type, expected a string"),
    ],
)  # fmt: skip
def test_what_is_json_of_another_type_is_told_with_its_path_and_kind(body: bytes, said: str) -> None:
    assert refused(body) == (422, OTHER_TYPE + said)


@pytest.mark.parametrize(
    ("body", "said"),
    [
        (b'{"messages": "x"}', "messages: invalid type: string, expected a sequence"),
        (b'{"messages": [{"content": "x"}]}', "messages[0]: missing field `role`"),
        (b'{"messages": [{"role": "user"}]}',
         "messages[0]: data did not match any variant of untagged enum MessageBody"),
        (b'{"messages": [], "stop": "a"}', "stop: invalid type: string, expected a sequence"),
        (b'{"messages": [], "response_format": {"type": "json_schema", "json_schema": {}}}',
         "response_format: missing field `value`"),
        (b'{"messages": [], "response_format": {"type": "json_schema", "value": {}}}',
         "response_format: missing field `schema`"),
        (b'{"messages": [], "response_format": {"type": "xml", "value": 1}}',
         "response_format.type: unknown variant `xml`, expected one of `json`, `json_object`, `regex`, `json_schema`"),
    ],
)  # fmt: skip
def test_a_chat_of_another_shape_is_told_likewise(body: bytes, said: str) -> None:
    assert refused(body, shapes.ChatRequest) == (422, OTHER_TYPE + said)


def test_a_media_type_other_than_json_and_a_body_too_large_are_refused_unread() -> None:
    assert refused(b"{", kind="text/plain") == (415, "Expected request with `Content-Type: application/json`")
    status, said = refused(b" " * 2_000_001)
    assert (status, said.split(":")[0]) == (413, "Failed to buffer the request body")
    assert decode(b'{"inputs": "a"}', "application/problem+json; charset=utf-8", shapes.GenerateRequest).inputs == "a"


def test_a_chat_knows_its_limit_under_two_names() -> None:
    for name in (b"max_tokens", b"max_completion_tokens"):
        found = decode(b'{"messages": [], "' + name + b'": 3}', "application/json", shapes.ChatRequest)
        assert found.parameters().max_new_tokens == 3


def test_unknown_fields_are_ignored_and_absent_parameters_sample() -> None:
    given = decode(
        ASKED + b'"x": {"y": 1}, "parameters": {"best_of": "?"}}', "application/json", shapes.GenerateRequest
    )
    assert given == shapes.GenerateRequest(inputs="a", parameters=shapes.GenerateParameters())
    assert decode(b'{"inputs": "a"}', "application/json", shapes.GenerateRequest).parameters.do_sample


def test_the_texts_of_a_message_in_parts_are_one_and_an_image_is_a_link() -> None:
    parts = b'[{"type": "text", "text": "a "}, {"type": "image_url", "image_url": {"url": "http://b"}}]'
    [message] = decode(b'{"messages": [{"role": "user", "content": ' + parts + b"}]}", "application/json",
                       shapes.ChatRequest).messages  # fmt: skip
    assert message.content == "a ![](http://b)"
