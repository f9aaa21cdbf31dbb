"""Claims are listed once by whom the server lets list them, stored beside the response, and judged beside `syntax`."""

import json
import logging
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

import pytest
from sqlalchemy import delete, insert, select, update
from sqlalchemy.orm import Session

from halluvault_tasks.errors import UserError
from halluvault_tasks.oracles import replay_profile
from halluvault_tasks.oracles.embedding import SentenceBert
from halluvault_tasks.oracles.stages import score
from halluvault_tasks.oracles.transcribe import Transcribed, transcribe
from halluvault_tasks.querying import evaluations
from halluvault_tasks.querying.registry import Registry
from halluvault_tasks.querying.verify import GREEDY, Behaviour
from halluvault_tasks.storage.tables import (
    benchmark_case,
    benchmark_part,
    evaluation,
    model,
    model_check,
    transcript,
    verdict,
)  # fmt: skip
from tests.oracles.material import MODEL, SNAPSHOT, fill
from tests.querying import llamacpp as llama

ANSWERS = [
    ("c1", "Yes, he was.\n1. Charles Dickens was born in Portsmouth."),
    ("c2", "No.\n1. Charles Dickens was born in Leipzig."),
    ("c3", "I don't know."),
    ("c4", "Yes."),
]
TOGETHER = "replay/syntax+transcript"


@pytest.fixture(scope="module")
def embed() -> SentenceBert:
    return SentenceBert()


def registry(url: str) -> Registry:
    shared = {"dialect": "openai", "server": "sim", "base_urls": [url]}
    return Registry.model_validate({
        "servers": [{"name": "sim", "pool": "sim", "slots": 1, "in_flight": 2, "attempts": 1}],
        "models": [{"name": MODEL, **shared}, {"name": "lister", **shared}],
    })


@contextmanager
def asked(session: Session, says: llama.Says, guided: bool = True) -> Iterator[tuple[str, Registry, list[Any]]]:
    """A finished evaluation whose model, and another one, are served and were seen to be guided or not."""
    evaluation_id = fill(session, ANSWERS)
    session.execute(delete(transcript))
    session.execute(delete(model_check))
    session.execute(delete(model).where(model.c.id == "lister"))
    session.execute(insert(model).values(id="lister", name="lister", dialect="openai", model_id="lister"))
    model_id = session.scalar(select(evaluation.c.model_id).where(evaluation.c.id == evaluation_id))
    with llama.serving(says) as (url, bodies):
        found = registry(url)
        for entry, key in zip(found.models, (str(model_id), "lister"), strict=True):
            seen = Behaviour(True, GREEDY, {}, False, guided, "", "json_object")
            evaluations.keep_seen(session, entry, key, seen)
        session.commit()
        yield evaluation_id, found, bodies


def lists(*claims: dict[str, Any]) -> llama.Says:
    return lambda _messages, schema: "free words" if schema is None else json.dumps({"answer": "yes", "claims": claims})


def entry(subject: str, relation: str, other: str) -> dict[str, Any]:
    return {"sentence": 2, "subject": subject, "relation": relation, "object": other, "denied": False,
            "start": "", "end": ""}  # fmt: skip


def stored(session: Session) -> list[Any]:
    return list(session.execute(select(transcript).order_by(transcript.c.case_id, transcript.c.reader)).all())


def profiles(session: Session) -> dict[tuple[str, str], Any]:
    rows = session.execute(select(verdict)).all()
    return {(row.case_id, row.profile): row for row in rows if row.profile.startswith("replay/")}


def test_claims_of_a_suite_with_a_judge_of_its_own_are_not_listed(session: Session) -> None:
    with asked(session, lists(entry("Charles Dickens", "other", "Portsmouth"))) as (key, found, bodies):
        part = {"seed": 1, "config_hash": "c", "content_hash": "m", "counts": {}, "published": True}
        session.execute(insert(benchmark_part).values(snapshot=SNAPSHOT, suite="memory", **part))
        placed = update(benchmark_case).where(benchmark_case.c.case_id == "c2")
        session.execute(placed.values(suite="memory"))
        counts = transcribe(session, key, registry=found)
        session.execute(placed.values(suite="relation"))
        session.execute(delete(benchmark_part).where(benchmark_part.c.suite == "memory"))
        session.commit()
    assert counts.asked == len(bodies) == 1


def test_each_argued_answer_is_listed_once_in_its_own_conversation_under_a_grammar_of_its_own_words(
    session: Session,
) -> None:
    with asked(session, lists(entry("Charles Dickens", "other", "Portsmouth"))) as (key, found, bodies):
        counts = transcribe(session, key, registry=found)
        assert counts == Transcribed(asked=2, listed=2, kept=1, failed=0, guided=True)
        assert transcribe(session, key, registry=found).asked == 0, "only what is missing is asked"
    assert len(bodies) == 2
    first, second = sorted(bodies, key=lambda body: "Leipzig" in body["messages"][1]["content"])
    assert [message["role"] for message in first["messages"]] == ["user", "assistant", "user"]
    claim = first["response_format"]["schema"]["properties"]["claims"]["items"]["properties"]
    assert claim["object"]["enum"] == ["Charles Dickens", "Portsmouth"]
    assert (
        "Leipzig"
        in second["response_format"]["schema"]["properties"]["claims"]["items"]["properties"]["object"]["enum"]
    )
    rows = stored(session)
    assert [(row.case_id, row.reader, row.kept, row.dropped) for row in rows] == [
        ("c1", "transcript", 1, {}),
        ("c2", "transcript", 0, {"not in its sentence": 1}),
    ]


def test_a_listing_brings_a_profile_of_its_own_and_leaves_the_headlines_as_it_was(
    session: Session, embed: SentenceBert
) -> None:
    with asked(session, lists(entry("Charles Dickens", "other", "Leipzig"))) as (key, found, _bodies):
        score(session, key, embed=embed)
        before = profiles(session)
        assert {profile for _, profile in before} == {replay_profile.PROFILE}
        transcribe(session, key, registry=found)
        assert score(session, key, embed=embed).judged == 4
        assert score(session, key, embed=embed).judged == 0
        session.execute(delete(transcript).where(transcript.c.case_id == "c2"))
        assert transcribe(session, key, registry=found).asked == 1
        assert score(session, key, embed=embed).judged == 1, "a listing that came later is judged by"
    after = profiles(session)
    assert {profile for _, profile in after} == {replay_profile.PROFILE, TOGETHER}
    for case, profile in before:
        assert after[case, profile] == before[case, profile]
        assert after[case, TOGETHER].answer == before[case, profile].answer, "an answer is never the listing's"
        assert after[case, TOGETHER].detail["reader"] == "syntax+transcript"


_LONG = json.dumps(
    {"answer": "yes", "claims": [entry("Charles Dickens", "other", "x" * 99)] * 99}, separators=(",", ":")
)
ODD: list[tuple[str, llama.Says]] = [
    ("no JSON", lambda _m, _s: "I claimed that Charles Dickens was born in Portsmouth."),
    ("no JSON", lambda _m, _s: ""),
    ("another form", lambda _m, _s: '{"claims": "all of them"}'),
    ("too long", lambda _m, _s: _LONG),
]


@pytest.mark.parametrize(("why", "says"), ODD, ids=["prose", "empty", "another form", "ten times as long"])
def test_a_server_that_ignores_the_grammar_changes_no_verdict_and_is_counted(
    session: Session, embed: SentenceBert, why: str, says: llama.Says
) -> None:
    with asked(session, says) as (key, found, _bodies):
        counts = transcribe(session, key, registry=found)
        score(session, key, embed=embed)
    assert (counts.asked, counts.kept, counts.failed) == (2, 0, 0)
    assert [row.dropped for row in stored(session)] == [{why: 1}] * 2
    rows = profiles(session)
    for case in ("c1", "c2", "c3", "c4"):
        alone, both = rows[case, replay_profile.PROFILE], rows[case, TOGETHER]
        assert (alone.category, alone.sub_label, alone.detail["claims"]) == (
            both.category, both.sub_label, both.detail["claims"],
        )  # fmt: skip


def test_an_unguided_server_is_asked_nothing_and_that_is_said(
    session: Session, caplog: pytest.LogCaptureFixture
) -> None:
    with asked(session, lists(), guided=False) as (key, found, bodies), caplog.at_level(logging.WARNING):
        assert transcribe(session, key, registry=found) == Transcribed(0, 0, 0, 0, guided=False)
    assert bodies == [] and stored(session) == []
    assert "obeys no JSON grammar" in caplog.text and "only `syntax`" in caplog.text


def test_another_model_lists_from_the_sentences_alone_beside_the_same_models_listing(session: Session) -> None:
    with asked(session, lists(entry("Charles Dickens", "other", "Portsmouth"))) as (key, found, bodies):
        transcribe(session, key, registry=found)
        assert transcribe(session, key, registry=found, by="llm:lister").asked == 2
    assert [len(body["messages"]) for body in bodies] == [3, 3, 1, 1]
    assert {(row.reader, row.model_id) for row in stored(session) if row.reader != "transcript"} == {
        ("llm:lister", "lister")
    }


@pytest.mark.parametrize("by", ["lister", "llm:", "llm:nobody"])
def test_a_reader_that_there_is_not_is_refused_by_name(session: Session, by: str) -> None:
    with asked(session, lists()) as (key, found, _bodies), pytest.raises(UserError) as caught:
        transcribe(session, key, registry=found, by=by)
    assert (by.removeprefix("llm:") or by) in caught.value.message


def test_a_listing_that_did_not_come_is_kept_with_its_reason_and_the_others_go_on(session: Session) -> None:
    def fails(messages: Sequence[Mapping[str, str]], schema: Any) -> str:
        if "Leipzig" in messages[-1]["content"]:
            raise ValueError("the connection breaks here")
        return json.dumps({"answer": "yes", "claims": []})

    with asked(session, fails) as (key, found, _bodies):
        assert transcribe(session, key, registry=found)._replace(listed=0) == Transcribed(2, 0, 0, 1, guided=True)
    assert [(row.text is None, bool(row.error)) for row in stored(session)] == [(False, False), (True, True)]
