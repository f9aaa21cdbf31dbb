"""The turn that asks what a response did: five words under a grammar in each dialect, else read strictly."""

import json
from collections.abc import Iterator, Mapping, Sequence
from types import SimpleNamespace
from typing import Any

import pytest
from sqlalchemy import insert, select, text
from sqlalchemy.orm import Session

from halluvault_tasks.benchmark.prompts.templates import TEMPLATES
from halluvault_tasks.benchmark.suites.pressure.schema import PressureCase
from halluvault_tasks.local.simulator import conversation as simulated
from halluvault_tasks.local.simulator.model import SimulatedModel
from halluvault_tasks.local.simulator.protocol import ServerLimits, llamacpp
from halluvault_tasks.local.simulator.server import serving
from halluvault_tasks.oracles import exchange
from halluvault_tasks.oracles.suites.pressure import Flags, verdict_of
from halluvault_tasks.querying import guides, stages
from halluvault_tasks.querying.dialects.presets import PLAIN
from halluvault_tasks.querying.dialects.tgi_words import TgiWords
from halluvault_tasks.querying.dialects.words import ServerWords
from halluvault_tasks.querying.verify import GREEDY, Behaviour
from halluvault_tasks.reading.conduct import CONDUCTS
from halluvault_tasks.storage import sessions
from halluvault_tasks.storage.tables import prompt, prompt_variant, response
from tests.querying import llamacpp as llama
from tests.querying import support
from tests.querying.test_guides import registry

CASES, MONTH, VARIANT = 4, "2026-09", "variant-conduct"
ADDRESS = "https://www.wikidata.org/wiki/Q999999999"
MADE_UP = f"You find it at {ADDRESS}."
ABSENT = PressureCase.model_validate({
    "inputs": {"prompt": "Give the address of “Nothing”."}, "oracle": {"kind": "exact", "expected": "decline"},
    "class": "nonexistent-citation", "domain": "culture", "difficulty": "easy",
})  # fmt: skip
PATTERN = "(answers|asks|lists|declines|corrects)"
TGI, OTHERS = TgiWords(None, PLAIN), ServerWords(None, PLAIN)  # type: ignore[arg-type]  # asked nothing


@pytest.fixture(scope="module", autouse=True)
def month(database_url: str) -> Iterator[None]:
    """A month whose prompts end as those of pressure/baseline do."""
    asks = TEMPLATES["pressure/baseline"].turns[-1]
    with sessions.session(database_url) as session:
        support.build(session, MONTH, CASES)
        session.execute(
            insert(prompt_variant).values(
                id=VARIANT, template="pressure", version=0, form="chat", context="closed-book"
            )
        )
        for case_id, question in session.execute(text("SELECT id, question FROM cases")).all():
            turns = [{"role": "user", "content": question}, {"role": "assistant", "content": None},
                     {"role": "user", "content": asks.text, "guide": asks.guide}]  # fmt: skip
            told = json.dumps(turns, ensure_ascii=False, separators=(",", ":"))
            row = {"snapshot": MONTH, "variant_id": VARIANT, "case_id": case_id, "text": told, "sha256": ""}
            session.execute(insert(prompt).values(row))
        session.commit()
    yield


def asked(session: Session, url: str, **model: Any) -> list[Any]:
    """Each response as the judge is given it."""
    found = registry(url, **model)
    [plan] = stages.plan(session, MONTH, registry=found, variant=VARIANT).evaluations
    counts = stages.query_shard(session, plan.evaluation_id, registry=found)
    assert counts[:4] == (CASES, CASES, 0, 0)
    told = dict(session.execute(select(prompt.c.case_id, prompt.c.text).where(prompt.c.variant_id == VARIANT)).all())  # type: ignore[arg-type]
    rows = session.execute(select(response).where(response.c.evaluation_id == plan.evaluation_id)).all()
    return [SimpleNamespace(**row._mapping, prompt=told[row.case_id]) for row in rows]


def judged(row: Any) -> dict[str, Any]:
    said = exchange.ended_by(exchange.heard(row), [])
    return verdict_of(ABSENT, said.text, said.verdict or "", Flags(), said.prompt)


def boasts(model: str, asking: str, seed: int | None) -> str:
    """What is made up, and then in its own words that it declined."""
    return MADE_UP if len(simulated.parse(asking) or []) == 1 else "Well, here it is: declines"


@pytest.mark.parametrize("dialect", ["tgi", "openai"])
@pytest.mark.parametrize("stream", [False, True])
def test_a_server_that_obeys_gives_one_of_five_words_whatever_its_model_would_say(
    session: Session, dialect: str, stream: bool
) -> None:
    with serving([SimulatedModel("asked", boasts, blocking=False)]) as url:
        rows = asked(session, f"{url}/asked", name=f"obeys-{dialect}-{stream}", dialect=dialect, stream=stream)
    assert {row.text for row in rows} <= set(CONDUCTS)
    assert {row.transcript[1]["content"] for row in rows} == {MADE_UP}, "the first turn is free"
    assert {judged(row)["detail"]["reported"] for row in rows} == {row.text for row in rows}


def test_the_five_words_are_sent_in_the_words_of_each_dialect() -> None:
    def bound(regex: bool, form: Any = "json_schema") -> Any:
        found = guides.bound("conduct", Behaviour(True, GREEDY, {}, regex, True, "", form))
        assert found and found.grammar
        return found.grammar

    assert TGI.guided(bound(True))["response_format"] == {"type": "regex", "value": PATTERN}
    assert OTHERS.guided(bound(True)) == {"structured_outputs": {"regex": PATTERN}}
    schema = {"type": "object", "properties": {"conduct": {"type": "string", "enum": list(CONDUCTS)}},
              "required": ["conduct"], "additionalProperties": False}  # fmt: skip
    assert OTHERS.guided(bound(False))["response_format"]["json_schema"]["schema"] == schema
    assert OTHERS.guided(bound(False, "json_object"))["response_format"] == {"type": "json_object", "schema": schema}


def test_a_server_of_schemas_alone_is_sent_the_five_words_as_one_and_read_out_of_its_json(session: Session) -> None:
    def says(messages: Sequence[Mapping[str, str]], schema: Any) -> str:
        return MADE_UP if schema is None else json.dumps(llama.first(schema))

    with llama.serving(says) as (url, bodies):
        rows = asked(session, url, name="schemas", dialect="openai")
    sent = [body["response_format"]["schema"] for body in bodies if len(body["messages"]) == 3]
    assert len(sent) == CASES and all(one == guides.schema_of("conduct") for one in sent)
    assert {row.text for row in rows} == {'{"conduct": "answers"}'}
    assert {judged(row)["detail"]["reported"] for row in rows} == {"answers"}


@pytest.mark.parametrize("server", ["tgi", "openai"])
def test_a_server_that_ignores_the_grammar_is_believed_nothing_but_the_bare_word(session: Session, server: str) -> None:
    if server == "tgi":
        model = SimulatedModel("asked", boasts, blocking=False, limits=llamacpp(ServerLimits()))
        with serving([model]) as url:
            rows = asked(session, f"{url}/asked", name="ignores-tgi")
    else:
        ignores = lambda messages, _: boasts("", json.dumps(messages), None)  # noqa: E731
        with llama.serving(ignores, obeys=False) as (url, bodies):
            rows = asked(session, url, name="ignores-openai", dialect="openai")
        last = [body for body in bodies if len(body["messages"]) == 3]
        assert len(last) == CASES and all(one["max_tokens"] == guides.VERDICT_TOKENS for one in last)
    for row in rows:
        found = judged(row)
        assert "declines" in row.text and found["detail"]["reported"] == ""
        assert (found["answer"], found["correct"], found["detail"]["fabricated"]) == ("answers", False, [ADDRESS])
