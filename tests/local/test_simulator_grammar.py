"""Text under a grammar fits it: schemas judged by jsonschema, regular expressions by Python's own matcher."""

import json
import re
from collections.abc import Iterator
from typing import Any

import jsonschema
import pytest
from hypothesis import given
from hypothesis import strategies as st

from halluvault_tasks.local.simulator import grammar
from halluvault_tasks.local.simulator.model import SimulatedModel
from halluvault_tasks.local.simulator.server import serving
from halluvault_tasks.local.simulator.shapes import GrammarType
from halluvault_tasks.local.simulator.wire import RequestRefusal
from tests.local.simulated import ask, echo

CLAIMS: dict[str, Any] = {
    "type": "object",
    "$defs": {"end": {"anyOf": [{"type": "string", "minLength": 3}, {"type": "null"}]}},
    "properties": {
        "answer": {"enum": ["yes", "no", "dont_know"]},
        "claims": {
            "type": "array",
            "minItems": 1,
            "maxItems": 5,
            "items": {
                "type": "object",
                "properties": {
                    "subject": {"type": "string"},
                    "property": {"type": "string", "pattern": r"^P[1-9]\d{0,4}$"},
                    "object": {"$ref": "#/$defs/end"},
                    "negated": {"type": "boolean"},
                    "year": {"type": ["integer", "null"], "minimum": -500, "maximum": 2026},
                },
                "required": ["subject", "property", "object", "negated"],
                "additionalProperties": False,
            },
        },
    },
    "required": ["answer", "claims"],
    "additionalProperties": False,
}


def written(kind: str, value: Any, asked: str, seed: object, said: str = "") -> str:
    return grammar.write(GrammarType(type=kind, value=value), asked, str(seed), said)


@pytest.fixture(scope="module")
def url() -> Iterator[str]:
    with serving([SimulatedModel("echo", echo)]) as base:
        yield base


@given(st.text(max_size=80), st.integers(0, 2**64))
def test_a_schema_of_claims_is_kept(asked: str, seed: int) -> None:
    for kind, value in (("json", CLAIMS), ("json_schema", {"schema": CLAIMS})):
        jsonschema.validate(json.loads(written(kind, value, asked, seed)), CLAIMS)


_LEAVES = st.one_of(
    st.just({"type": "string"}),
    st.integers(0, 20).map(lambda n: {"type": "string", "minLength": n, "maxLength": n + 3}),
    st.integers(-50, 50).map(lambda n: {"type": "integer", "minimum": n, "maximum": n + 4}),
    st.integers(-50, 50).map(lambda n: {"type": "number", "exclusiveMinimum": n, "maximum": n + 4}),
    st.just({"type": "boolean"}),
    st.just({"type": "null"}),
    st.lists(st.one_of(st.text(max_size=5), st.integers()), min_size=1).map(lambda values: {"enum": values}),
)


def _nested(inner: st.SearchStrategy[dict[str, Any]]) -> st.SearchStrategy[dict[str, Any]]:
    objects = st.dictionaries(st.text(max_size=4), inner, max_size=4).flatmap(
        lambda properties: (
            st.lists(st.sampled_from(sorted(properties)), unique=True).map(
                lambda required: {"type": "object", "properties": properties, "required": required}
            )
            if properties
            else st.just({"type": "object", "properties": {}})
        )
    )
    arrays = st.tuples(inner, st.integers(0, 4)).map(
        lambda pair: {"type": "array", "items": pair[0], "minItems": pair[1], "maxItems": pair[1] + 2}
    )
    return st.one_of(objects, arrays, st.lists(inner, min_size=1, max_size=3).map(lambda each: {"anyOf": each}))


@given(st.recursive(_LEAVES, _nested, max_leaves=12), st.integers(0, 1000))
def test_any_schema_of_the_common_kind_is_kept(schema: dict[str, Any], seed: int) -> None:
    whole = {"type": "object", "properties": {"value": schema}, "required": ["value"]}
    jsonschema.validate(json.loads(written("json", whole, "Was it so?", seed)), whole)


_ODD = st.recursive(
    st.one_of(st.just({}), st.just({"$ref": "#/nowhere"}), st.just({"$ref": "#"}), st.just({"enum": []}), _LEAVES),
    lambda inner: st.fixed_dictionaries(
        {},
        optional={
            "type": st.sampled_from(["string", "integer", "object", "array", ["string", "null"], []]),
            "properties": st.dictionaries(st.sampled_from("ab"), inner, max_size=2),
            "required": st.sampled_from([[], ["a"], ["z"]]),
            "items": st.one_of(st.booleans(), inner),
            "anyOf": st.lists(inner, min_size=1, max_size=2),
            "allOf": st.lists(st.one_of(st.booleans(), inner), min_size=1, max_size=2),
            "prefixItems": st.lists(inner, max_size=2),
            "not": inner,
            "pattern": st.sampled_from(["a+", "(", "(?=x)y", r"\bq"]),
            "minLength": st.integers(0, 4),
            "maxLength": st.integers(0, 4),
            "minimum": st.sampled_from([0, 5, 10**18]),
            "exclusiveMaximum": st.sampled_from([0, 5]),
            "multipleOf": st.sampled_from([0.1, 2, 1e-300]),
        },
    ),
    max_leaves=8,
)


@given(st.dictionaries(st.sampled_from("ab"), _ODD, max_size=2), st.integers(0, 100))
def test_whatever_is_written_fits_and_the_rest_is_refused(properties: dict[str, Any], seed: int) -> None:
    schema = {"properties": properties, "required": ["a"]}
    try:
        text = written("json", schema, "Was it so?", seed)
    except RequestRefusal as refusal:
        assert refusal.error_type == "validation"
    else:
        jsonschema.validate(json.loads(text), schema)


@pytest.mark.parametrize(
    "pattern",
    [r"\d{4}-\d{2}", r"(yes|no)(, \w+)*\.", r"[^a-z\s]+x?", r"((25[0-5]|1\d\d|\d)\.){3}\d", r"(a|b)\1", r"^Q[1-9]\d*$"],
)
def test_a_regular_expression_matches_the_whole_text(pattern: str) -> None:
    for seed in range(50):
        assert re.fullmatch(pattern, written("regex", pattern, "x", seed))


def test_an_expression_that_nothing_matches_is_refused() -> None:
    with pytest.raises(RequestRefusal, match="nothing that this server can write fits it"):
        written("regex", "(?=x)y", "x", 1)


def test_what_the_model_would_say_is_said_where_the_grammar_allows_it() -> None:
    verdict = {"properties": {"verdict": {"enum": ["yes", "no", "don't know"]}}, "required": ["verdict"]}
    for seed in range(20):
        assert written("regex", "(yes|no)", "x", seed, said="no") == "no"
        assert written("regex", "(yes|no)", "x", seed, said="No, never.") in ("yes", "no")
        assert json.loads(written("json", verdict, "x", seed, said="don't know")) == {"verdict": "don't know"}


def test_a_recursive_schema_comes_to_an_end() -> None:
    tree = {
        "type": "object",
        "properties": {"name": {"type": "string"}, "children": {"type": "array", "items": {"$ref": "#"}}},
        "required": ["name", "children"],
    }
    for seed in range(50):
        jsonschema.validate(json.loads(written("json", tree, "x", seed)), tree)


def test_a_served_grammar_is_kept_greedy_or_seeded_and_ends_like_any_text(url: str) -> None:
    parameters = {"grammar": {"type": "json", "value": CLAIMS}, "details": True}
    greedy = ask(url, "/echo/generate", {"inputs": "Was Émile born?", "parameters": parameters})
    assert greedy == ask(url, "/echo/generate", {"inputs": "Was Émile born?", "parameters": parameters})
    jsonschema.validate(json.loads(greedy["generated_text"]), CLAIMS)
    assert greedy["details"]["finish_reason"] == "eos_token"
    short = ask(url, "/echo/generate", {"inputs": "x", "parameters": {**parameters, "max_new_tokens": 3}})
    assert short["details"]["finish_reason"] == "length"
    body = {
        "messages": [{"role": "user", "content": "Was Émile born?"}],
        "response_format": {"type": "json_schema", "value": {"name": "claims", "schema": CLAIMS}},
        "seed": 3,
    }
    spoken = ask(url, "/echo/v1/chat/completions", body)["choices"][0]["message"]["content"]
    jsonschema.validate(json.loads(spoken), CLAIMS)


@pytest.mark.parametrize(
    ("kind", "error"),
    [
        ({"type": "json", "value": {"type": "object"}}, "grammar is not valid: Grammar must have a 'properties' field"),
        ({"type": "json", "value": {"type": "nothing", "properties": {}}}, "grammar is not valid: "),
        ({"type": "json", "value": "{"}, "grammar is not valid: "),
        ({"type": "json", "value": 5}, "grammar is not supported"),
    ],
)
def test_a_grammar_that_is_none_is_an_invalid_request(url: str, kind: object, error: str) -> None:
    got = ask(url, "/echo/generate", {"inputs": "x", "parameters": {"grammar": kind}})
    assert (got.status, got["error_type"]) == (422, "validation")
    assert got["error"].startswith(f"Input validation error: {error}")


@pytest.mark.parametrize("kind", [5, {}, {"type": "xml", "value": 1}, {"type": "json"}, {"type": "regex", "value": 1}])
def test_what_is_no_grammar_is_no_request(url: str, kind: object) -> None:
    got = ask(url, "/echo/generate", {"inputs": "x", "parameters": {"grammar": kind}})
    assert (got.status, got.headers["content-type"]) == (422, "text/plain; charset=utf-8")


def test_a_regular_expression_that_is_none_passes_the_router_and_fails_in_the_shard(url: str) -> None:
    got = ask(url, "/echo/generate", {"inputs": "a", "parameters": {"grammar": {"type": "regex", "value": "("}}})
    assert (got.status, got["error_type"]) == (424, "generation")
