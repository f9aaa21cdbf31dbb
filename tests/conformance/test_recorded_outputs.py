"""The simulated server answers in the shape of what real TGI servers were recorded to answer.

The recordings are Python objects of TGI's own integration tests: their client models add fields that the server
leaves out, each as null. So a field of theirs may be missing here only where it is null there.
"""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.local.simulated import ask

GENERATE = {"inputs": "hello", "parameters": {"max_new_tokens": 10, "details": True}}
MESSAGES = [{"role": "user", "content": "Say OK!"}]


def like(mine: Any, theirs: Any, path: str = "") -> None:
    """Fail unless both have the same shape: keys, types, and what is null."""
    if isinstance(theirs, dict):
        assert isinstance(mine, dict), path
        assert set(mine) <= set(theirs), path
        for name, value in theirs.items():
            if name in mine:
                like(mine[name], value, f"{path}.{name}")
            else:
                assert value is None, f"{path}.{name} is missing"
    elif isinstance(theirs, list):
        assert isinstance(mine, list), path
        if theirs and mine:
            for position, each in enumerate(mine):
                # Lists of one kind: the last element differs from the others, where a stream ends.
                other = theirs[-1] if position == len(mine) - 1 else theirs[0]
                like(each, other, f"{path}[{position}]")
    elif isinstance(theirs, bool) or theirs is None or isinstance(theirs, str):
        assert type(mine) is type(theirs), path
    else:
        assert isinstance(mine, int | float) and not isinstance(mine, bool), path


@pytest.mark.parametrize(
    ("name", "path", "body"),
    [
        ("test_flash_mistral", "/generate", GENERATE),
        (
            "test_flash_llama_all_params",
            "/generate",
            {
                "inputs": "Test request",
                "parameters": {
                    "max_new_tokens": 10, "repetition_penalty": 1.2, "return_full_text": True, "stop": ["key"],
                    "temperature": 0.5, "top_p": 0.9, "top_k": 10, "truncate": 5, "typical_p": 0.9,
                    "watermark": True, "details": True, "seed": 0,
                },
            },
        ),
        (
            "test_flash_llama_grammar_regex",
            "/generate",
            {
                "inputs": "Whats Googles DNS",
                "parameters": {
                    "max_new_tokens": 4, "details": True,
                    "grammar": {"type": "regex", "value": r"((25[0-5]|2[0-4]\d|[01]?\d\d?)\.){3}(25[0-5]|2[0-4]\d)"},
                },
            },
        ),
        (
            "test_flash_llama_simple",
            "/v1/chat/completions",
            {"messages": MESSAGES, "max_tokens": 5, "temperature": 0, "model": "tgi"},
        ),
        (
            "test_json_schema_basic",
            "/v1/chat/completions",
            {
                "messages": MESSAGES,
                "temperature": 0,
                "response_format": {
                    "type": "json_schema", "value": {"name": "p", "schema": {"properties": {"a": {"type": "string"}}}},
                },
            },
        ),
        (
            "test_grammar_response_format_llama_json",
            "/v1/chat/completions",
            {
                "messages": MESSAGES,
                "temperature": 0,
                "response_format": {"type": "json_object", "value": {"properties": {"unit": {"type": "string"}}}},
            },
        ),
        ("test_flash_llama_completion_single_prompt", "/v1/completions", {"prompt": "a", "max_tokens": 10}),
        (
            "test_flash_llama_completion_many_prompts",
            "/v1/completions",
            {"prompt": ["a", "b", "c", "d"], "max_tokens": 10},
        ),
    ],
)  # fmt: skip
def test_an_answer_has_the_shape_of_the_recorded_one(
    url: str, recorded: Path, name: str, path: str, body: object
) -> None:
    theirs = json.loads((recorded / f"{name}.json").read_text())
    mine = ask(url, f"/echo{path}", body)
    assert mine.status == 200
    like(dict(mine), theirs)
    reason = "finish_reason"
    if path == "/generate":
        assert mine["details"][reason] in ("length", theirs["details"][reason])
        assert mine["details"]["seed"] == theirs["details"]["seed"]
    else:
        assert {choice[reason] for choice in mine["choices"]} == {choice[reason] for choice in theirs["choices"]}
        assert (mine["object"], mine["id"]) == (theirs["object"], theirs["id"])


def test_many_prompts_use_as_many_indices(url: str, recorded: Path) -> None:
    theirs = json.loads((recorded / "test_flash_llama_completion_many_prompts.json").read_text())
    mine = ask(url, "/echo/v1/completions", {"prompt": ["a", "b", "c", "d"], "max_tokens": 10})
    assert {each["index"] for each in mine["choices"]} == {each["index"] for each in theirs["choices"]}
    assert mine["usage"]["completion_tokens"] == theirs["usage"]["completion_tokens"] == 40


@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("test_chat_hfhub_nousage", None),
        ("test_chat_hfhub_usage", {"include_usage": True}),
        ("test_chat_openai_usage", {"include_usage": True}),
    ],
)
def test_a_stream_has_the_chunks_of_the_recorded_one(url: str, recorded: Path, name: str, options: object) -> None:
    theirs = json.loads((recorded / f"{name}.json").read_text())
    body = {"messages": MESSAGES, "stream": True, "temperature": 0, "model": "tgi"}
    *mine, done = ask(url, "/echo/v1/chat/completions", body | ({"stream_options": options} if options else {})).events
    assert done == "[DONE]"
    # The last chunk with a choice, and the one with usage behind it.
    tail = 2 if options else 1
    for chunk in mine[:-tail]:
        like(chunk, theirs[0])
    for chunk, other in zip(mine[-tail:], theirs[-tail:], strict=True):
        like(chunk, other)
    assert mine[-tail]["choices"][0]["delta"]["content"] == theirs[-tail]["choices"][0]["delta"]["content"] == ""
    assert mine[-tail]["choices"][0]["finish_reason"] == theirs[-tail]["choices"][0]["finish_reason"]


def test_answers_under_load_are_those_of_quiet(url: str, recorded: Path) -> None:
    theirs = json.loads((recorded / "test_flash_mistral_load.json").read_text())
    assert len({each["generated_text"] for each in theirs}) == 1
    mine = [ask(url, "/echo/generate", GENERATE) for _ in theirs]
    for one, other in zip(mine, theirs, strict=True):
        like(dict(one), other)
        assert one["generated_text"] == mine[0]["generated_text"]
