"""The extractor `llm` over HTTP: a simulated server that writes JSON under a grammar, in both dialects."""

import json
from collections.abc import Iterator

import pytest
from jsonschema import validate

from halluvault_tasks.local.simulator.model import SimulatedModel
from halluvault_tasks.local.simulator.server import serving
from halluvault_tasks.local.simulator.texts import answer
from halluvault_tasks.oracles.extraction.llm import SCHEMA, ServedModel
from halluvault_tasks.querying import asking
from halluvault_tasks.querying.registry import Registry

PASSAGE = ["Charles Dickens was born in Portsmouth."]


@pytest.fixture(scope="module")
def url() -> Iterator[str]:
    with serving([SimulatedModel("reader", answer, blocking=False)]) as address:
        yield address


def registry(url: str, dialect: str) -> Registry:
    return Registry.model_validate({
        "servers": [{"name": "sim", "pool": "sim", "slots": 1, "in_flight": 8}],
        "models": [{"name": "reader", "server": "sim", "dialect": dialect, "base_urls": [f"{url}/reader"]}],
    })


@pytest.mark.parametrize("dialect", ["tgi", "openai"])
def test_a_reply_asked_for_with_the_grammar_follows_it(url: str, dialect: str) -> None:
    [reply] = asking.ask(registry(url, dialect), "reader", ["Extract."], SCHEMA)
    assert reply is not None
    validate(json.loads(reply), SCHEMA)


@pytest.mark.parametrize("dialect", ["tgi", "openai"])
def test_what_a_model_invents_under_the_grammar_is_no_triple(url: str, dialect: str) -> None:
    found = registry(url, dialect)
    extract = ServedModel(lambda p, s: [reply or "" for reply in asking.ask(found, "reader", p, s)], "reader")
    assert extract([PASSAGE, [], PASSAGE]) == [[], [], []]
