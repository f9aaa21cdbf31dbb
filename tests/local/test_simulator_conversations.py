"""Personas meet the case behind a conversation as they meet it behind a plain prompt."""

import hashlib
import json
from collections.abc import Iterator

import pytest
from sqlalchemy import insert, select, text

from halluvault_tasks.local.personas.persona import Personas
from halluvault_tasks.local.personas.phrases import ACKNOWLEDGED, NOTHING_KNOWN
from halluvault_tasks.local.simulator.model import SimulatedModel
from halluvault_tasks.local.simulator.server import serving
from halluvault_tasks.storage import roles, sessions
from halluvault_tasks.storage.tables import prompt, prompt_variant
from tests.conftest import simulators
from tests.local.simulated import ask
from tests.querying import support

MONTH = "2026-10"
SCENE = "Person 3 is a figure of legend. Please keep it in mind."


def conversation(question: str) -> list[dict[str, str | None]]:
    return [
        {"role": "user", "content": SCENE},
        {"role": "assistant", "content": None},
        {"role": "user", "content": question},
    ]


@pytest.fixture(scope="module")
def sim_url(database_url: str) -> Iterator[str]:
    with sessions.session(database_url) as session:
        support.build(session, MONTH, 12)
        session.execute(
            insert(prompt_variant).values(
                id="variant-chat-01", template="halluvault", version=1, form="chat", context="out-of-distribution"
            )
        )
        for row in session.execute(select(prompt).where(prompt.c.snapshot == MONTH)).all():
            written = json.dumps(conversation(row.text), ensure_ascii=False, separators=(",", ":"))
            session.execute(
                insert(prompt).values(
                    snapshot=MONTH, variant_id="variant-chat-01", case_id=row.case_id, text=written,
                    sha256=hashlib.sha256(written.encode()).hexdigest(),
                )
            )  # fmt: skip
        roles.grant(session, ())
        session.commit()
    url = simulators(database_url)
    yield url
    sessions.engine(url).dispose()


@pytest.fixture(scope="module")
def url(sim_url: str) -> Iterator[str]:
    answer = Personas(sessions.engine(sim_url)).answer
    with serving([SimulatedModel(name, answer) for name in ("careful", "overconfident")]) as base:
        yield f"{base}/careful"


@pytest.fixture(scope="module")
def questions(sim_url: str) -> list[str]:
    with sessions.session(sim_url) as session:
        plain = select(prompt.c.text).where(prompt.c.variant_id == support.VARIANT).order_by(prompt.c.case_id)
        return list(session.scalars(plain))


def say(url: str, messages: object) -> str:
    got = ask(url, "/v1/chat/completions", {"messages": messages, "temperature": 0, "max_tokens": 512})
    return str(got["choices"][0]["message"]["content"])


def planted(sim_url: str) -> int:
    with sessions.session(sim_url) as session:
        return session.scalar(text("SELECT count(*) FROM simulation.planted")) or 0


def test_a_plain_prompt_gets_one_answer_on_every_route(url: str, questions: list[str]) -> None:
    for question in questions:
        generated = ask(url, "/generate", {"inputs": question, "parameters": {"max_new_tokens": 512}})["generated_text"]
        assert generated != NOTHING_KNOWN
        assert say(url, [{"role": "user", "content": question}]) == generated
        completed = ask(url, "/v1/completions", {"prompt": question, "temperature": 0, "max_tokens": 512})
        assert completed["choices"][0]["text"] == generated


def test_a_conversation_is_walked_turn_by_turn_to_its_case(url: str, questions: list[str]) -> None:
    for question in questions:
        messages = conversation(question)
        messages[1]["content"] = say(url, messages[:1])
        assert messages[1]["content"] == ACKNOWLEDGED
        answer = say(url, messages)
        assert answer.startswith(("Yes, ", "No, ", "I don't know"))
        assert (
            answer
            == ask(url, "/generate", {"inputs": question, "parameters": {"max_new_tokens": 512}})["generated_text"]
        )


def test_what_the_benchmark_does_not_hold_plants_nothing(url: str, sim_url: str, questions: list[str]) -> None:
    for question in questions:
        say(url, [{"role": "user", "content": question}])
    before = planted(sim_url)
    assert before == len(questions)
    assert say(url, [{"role": "user", "content": "Good morning."}]) == ACKNOWLEDGED
    assert ask(url, "/generate", {"inputs": "Good morning.", "parameters": {}})["generated_text"] == NOTHING_KNOWN
    assert planted(sim_url) == before


def test_no_route_tells_a_label(url: str, sim_url: str, questions: list[str]) -> None:
    base = url.removesuffix("careful") + "overconfident"
    seen = []
    for question in questions:
        messages = [{"role": "user", "content": question}]
        for stream in (False, True):
            seen += [
                ask(base, "/v1/chat/completions", {"messages": messages, "temperature": 0, "stream": stream}),
                ask(base, "/v1/completions", {"prompt": question, "temperature": 0, "stream": stream}),
                ask(base, "", {"inputs": question, "parameters": {"details": True}, "stream": stream}),
            ]
    seen += [ask(base, route) for route in ("/info", "/v1/models", "/health")]
    with sessions.session(sim_url) as session:
        rows = session.execute(text("SELECT category, fault FROM simulation.planted")).all()
    # Words that English has too say nothing; the others would only come from the plan.
    words = {word for row in rows for word in row if "_" in word}
    assert len(words) >= 3
    for got in seen:
        said = got.raw.decode() + str(got.headers)
        assert not [word for word in words if word in said]
