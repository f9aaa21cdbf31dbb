"""The verdict turn: under a grammar where one is obeyed, in the words of each dialect; elsewhere eight tokens."""

import json
from collections.abc import Mapping, Sequence
from typing import Any

import pytest
from sqlalchemy import select
from sqlalchemy.orm import Session

from halluvault_tasks.benchmark.suites.template import VERDICTS
from halluvault_tasks.local.simulator import conversation as simulated
from halluvault_tasks.local.simulator.model import SimulatedModel
from halluvault_tasks.local.simulator.protocol import ServerLimits, llamacpp
from halluvault_tasks.local.simulator.server import serving
from halluvault_tasks.local.simulator.texts import of_length
from halluvault_tasks.querying import guides, stages, variants
from halluvault_tasks.querying.dialects.presets import PLAIN
from halluvault_tasks.querying.dialects.tgi_words import TgiWords
from halluvault_tasks.querying.dialects.words import ServerWords
from halluvault_tasks.querying.registry import Registry
from halluvault_tasks.querying.verify import GREEDY, Behaviour
from halluvault_tasks.reading import verdict_turn
from halluvault_tasks.storage import sessions
from halluvault_tasks.storage.tables import evaluation, model_check, prompt_variant, response
from tests.querying import llamacpp as llama
from tests.querying import support

TGI, OTHERS = TgiWords(None, PLAIN), ServerWords(None, PLAIN)  # type: ignore[arg-type]  # asked nothing

CASES = 6
TWO_TURN = "halluvault/two-turn"


@pytest.fixture(scope="module")
def month(database_url: str) -> str:
    with sessions.session(database_url) as session:
        support.build(session, "2026-10", CASES)
    return "2026-10"


def registry(url: str, **model: Any) -> Registry:
    entry = {"name": "asked", "server": "sim", "dialect": "tgi", "base_urls": [url], **model}
    server = {"name": "sim", "pool": "sim", "slots": 1, "in_flight": 4}
    return Registry.model_validate({"servers": [server], "models": [entry]})


def asked(session: Session, month: str, found: Registry) -> list[Any]:
    [plan] = stages.plan(session, month, registry=found, variant=TWO_TURN).evaluations
    counts = stages.query_shard(session, plan.evaluation_id, registry=found)
    assert counts[:4] == (CASES, CASES, 0, 0)
    rows = session.execute(select(response).where(response.c.evaluation_id == plan.evaluation_id)).all()
    assert all([turn["role"] for turn in row.transcript] == ["user", "assistant"] * 2 for row in rows)
    return list(rows)


def talks(model: str, prompt: str, seed: int | None) -> str:
    """Forty words to the question, and what is no verdict to the second turn."""
    turns = simulated.parse(prompt) or []
    return " ".join(["words"] * 40) if len(turns) == 1 else "Well, as I said above, it is hard to tell in one word."


@pytest.mark.parametrize("dialect", ["tgi", "openai"])
def test_a_guided_server_gives_one_of_three_words_whatever_its_model_would_say(
    session: Session, month: str, dialect: str
) -> None:
    name = f"guided-{dialect}"
    with serving([SimulatedModel("asked", talks, blocking=False)]) as url:
        rows = asked(session, month, registry(f"{url}/asked", name=name, dialect=dialect))
    assert {row.text for row in rows} <= set(VERDICTS)
    assert {row.transcript[1]["content"] for row in rows} == {" ".join(["words"] * 40)}, "the first turn is free"


def test_a_server_without_grammars_is_asked_the_same_with_eight_tokens(session: Session, month: str) -> None:
    with serving([SimulatedModel("asked", talks, blocking=False, limits=llamacpp(ServerLimits()))]) as url:
        rows = asked(session, month, registry(f"{url}/asked", name="unguided"))
    for row in rows:
        assert "Well, as I said".startswith(row.text[:10]) and len(row.text) < 40 and row.finish_reason == "length"
        assert verdict_turn.read(row.text).kind == "unparseable"
        assert row.transcript[2]["content"].startswith("What is your answer, then?")


def test_a_server_that_knows_llama_cpps_words_alone_is_found_guided_and_asked_in_them(
    session: Session, month: str
) -> None:
    def says(messages: Sequence[Mapping[str, str]], schema: Any) -> str:
        return "a word " * 20 if schema is None else json.dumps(llama.first(schema))

    with llama.serving(says) as (url, bodies):
        rows = asked(session, month, registry(url, name="llama", dialect="openai"))
    assert {row.text for row in rows} == {'{"verdict": "yes"}'}
    assert {verdict_turn.read(row.text).kind for row in rows} == {"yes"}
    second = [body for body in bodies if len(body["messages"]) == 3]
    assert len(second) == CASES
    assert {json.dumps(body["response_format"]) for body in second} == {
        json.dumps({"type": "json_object", "schema": guides.schema_of("verdict")})
    }
    free = [body for body in bodies if len(body["messages"]) == 1 and body["max_tokens"] == 512]
    assert free and not any("response_format" in body for body in free)
    seen = session.execute(select(model_check.c.guided_json, model_check.c.json_form, model_check.c.guided_regex))
    assert (True, "json_object", False) in [tuple(row) for row in seen]


def test_a_server_that_takes_a_schema_and_ignores_it_is_unguided(session: Session, month: str) -> None:
    with llama.serving(lambda _m, _s: "No. It is " + "not " * 30, obeys=False) as (url, bodies):
        rows = asked(session, month, registry(url, name="ignores", dialect="openai"))
    second = [body for body in bodies if len(body["messages"]) == 3]
    assert all("response_format" not in body and body["max_tokens"] == 8 for body in second) and second
    assert {row.finish_reason for row in rows} == {"length"}


def test_every_dialect_has_its_own_words() -> None:
    def seen(regex: bool, json_: bool, form: Any = "json_schema") -> Behaviour:
        return Behaviour(True, GREEDY, {}, regex, json_, "", form)

    tgi = guides.bound("verdict", seen(True, True))
    assert tgi and tgi.grammar
    assert TGI.guided(tgi.grammar)["response_format"] == {"type": "regex", "value": "(yes|no|don't know)"}
    openai = guides.bound("verdict", seen(False, True))
    assert openai and openai.grammar
    assert OTHERS.guided(openai.grammar)["response_format"]["json_schema"]["schema"] == guides.schema_of("verdict")
    llama_cpp = guides.bound("verdict", seen(False, True, "json_object"))
    assert llama_cpp and llama_cpp.grammar
    assert OTHERS.guided(llama_cpp.grammar) == {
        "response_format": {"type": "json_object", "schema": guides.schema_of("verdict")}
    }
    for nothing in (seen(False, False), None):
        assert guides.bound("verdict", nothing) == (None, 8)
    assert guides.bound("free", seen(True, True)) is None


def test_models_yaml_may_give_the_verdict_turn_more_tokens_under_a_grammar_or_not() -> None:
    guided = Behaviour(True, GREEDY, {}, True, True, "")
    for behaviour, usual in ((guided, 32), (guided._replace(guided_regex=False), 32), (None, 8)):
        turns = [guides.bound("verdict", behaviour, tokens) for tokens in (None, 64)]
        assert [turn and turn.tokens for turn in turns] == [usual, 64]
        assert [turn and turn.grammar for turn in turns] == [turns[0] and turns[0].grammar] * 2
    assert guides.bound("free", guided, 64) is None


def test_a_base_model_keeps_a_plain_variant_where_nobody_names_one(session: Session, month: str) -> None:
    assert variants.for_route("halluvault/two-turn/chat/closed-book", "chat") == "halluvault/two-turn/chat/closed-book"
    assert (
        variants.for_route("halluvault/two-turn/chat/with-evidence", "completions") == "halluvault/plain/with-evidence"
    )
    assert variants.for_route("drowzee/chat", "completions") == "drowzee/plain/closed-book"
    with serving([SimulatedModel("asked", of_length(20, 30), blocking=False)]) as url:
        both = {"server": "sim", "dialect": "tgi", "base_urls": [f"{url}/asked"]}
        found = Registry.model_validate({
            "servers": [{"name": "sim", "pool": "sim", "slots": 1, "in_flight": 4}],
            "models": [{"name": "chats", **both}, {"name": "base", "route": "completions", **both}],
        })
        planned = stages.plan_default(
            session, month, "halluvault/two-turn/chat/closed-book", registry=found
        ).evaluations
    rows = session.execute(
        select(evaluation.c.id, prompt_variant.c.template, prompt_variant.c.form).join(
            prompt_variant, prompt_variant.c.id == evaluation.c.variant_id
        )
    ).all()
    known = {row.id: (row.template, row.form) for row in rows}
    assert {one.model: known[one.evaluation_id] for one in planned} == {
        "chats": ("halluvault/two-turn", "chat"),
        "base": ("halluvault", "plain"),
    }
