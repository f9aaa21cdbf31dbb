"""Whole runs against hosted APIs as they are today: real clients, real Postgres, one server on loopback."""

import json
import logging
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import pytest
from sqlalchemy import select
from sqlalchemy.orm import Session

from halluvault_tasks.errors import Unavailable, UserError
from halluvault_tasks.querying import stages
from halluvault_tasks.querying.barred import Barred
from halluvault_tasks.querying.registry import Registry
from halluvault_tasks.storage import sessions
from halluvault_tasks.storage.tables import lane, response
from tests.querying import support, thinker
from tests.querying.thinker import Model, Style

CASES = 40
FINE = Model(thought="")
THINKS = Model(Style(field="reasoning_content"))

Answer = tuple[int, Any]


@pytest.fixture(scope="module")
def case_ids(database_url: str) -> list[str]:
    with sessions.session(database_url) as session:
        return support.build(session, "2026-10", CASES)


def of(model: Model, in_a_run: Callable[[int, Mapping[str, Any]], Answer | None]) -> thinker.Answers:
    """Answers as the model, but in a run as told, if anything: by the number of questions of the benchmark so far."""
    asked: list[Mapping[str, Any]] = []

    def answers(body: Mapping[str, Any]) -> Answer:
        if any("Was Person" in turn["content"] for turn in body["messages"]):
            asked.append(body)
        return (in_a_run(len(asked), body) if asked else None) or (200, thinker.completion(model, body))

    return answers


def registry(url: str, name: str, **entry: Any) -> Registry:
    server = {"name": "api", "pool": "api", "slots": 1, "in_flight": 4, "outage_seconds": 1800}
    model = {"name": name, "dialect": "openai", "server": "api", "base_urls": [url], "served_as": "thinker", **entry}
    return Registry.model_validate({"servers": [server], "models": [model]})


def rows(session: Session, evaluation_id: str) -> Sequence[Any]:
    session.rollback()
    return session.execute(select(response).where(response.c.evaluation_id == evaluation_id)).all()


def saying(content: str | None, finish: str = "stop", **message: Any) -> Answer:
    choice = {"index": 0, "message": {"role": "assistant", "content": content, **message}, "finish_reason": finish}
    return 200, {"choices": [choice], "usage": {"prompt_tokens": 60, "completion_tokens": 20}}


@pytest.mark.parametrize(
    ("status", "error", "said"),
    [
        (402, {"message": "the account is empty"}, "answers nothing before somebody acts"),
        (429, {"message": "You exceeded your current quota", "code": "insufficient_quota"}, "before somebody acts"),
        (404, {"message": "The model `thinker` does not exist", "code": "model_not_found"}, "before somebody acts"),
        (400, {"message": "Unsupported parameter: 'seed'", "param": "seed", "code": "unsupported_parameter"},
         "refuses a parameter"),
        (429, {"message": "Daily limit. Please try again in 12h0m0s."}, "is not to be asked again before 20"),
    ],
)  # fmt: skip
def test_what_does_not_pass_stops_the_lane_at_once_with_one_line_and_keeps_what_was_answered(
    session: Session, case_ids: list[str], status: int, error: Mapping[str, str], said: str
) -> None:
    refusal = (status, {"error": error})
    answers = of(FINE, lambda number, body: refusal if number > 20 else None)
    with thinker.answering(answers) as (url, bodies):
        found = registry(url, f"barred-{status}-{error.get('code', '')}")
        [plan] = stages.plan(session, "2026-10", registry=found, variant="halluvault/plain").evaluations
        before = len(bodies)
        with pytest.raises(Barred, match=said) as stop:
            stages.query_shard(session, plan.evaluation_id, registry=found)
        assert len(bodies) - before <= 20 + 4 + 4, "what was open, once more at most"
    assert error["message"] in stop.value.message and "\n" not in str(stop.value)
    assert "run the same command again" in stop.value.way_out
    kept = rows(session, plan.evaluation_id)
    # Of four in flight, three may still be under way when the refusal comes in.
    assert 20 - 3 <= len(kept) <= 20 and {row.status for row in kept} == {"delivered"}
    beat = session.execute(select(lane).where(lane.c.evaluation_id == plan.evaluation_id)).one()
    assert (beat.state, beat.message) == ("stopped", stop.value.message)


def test_a_limit_until_tomorrow_is_said_before_anything_is_planned(session: Session, case_ids: list[str]) -> None:
    tomorrow = (429, {"error": {"message": "Daily limit. Please try again in 12h0m0s."}})
    with thinker.answering(lambda body: tomorrow) as (url, _):
        with pytest.raises(UserError, match=r"tomorrow at .* is not to be asked again before 20") as stop:
            stages.plan(session, "2026-10", registry=registry(url, "tomorrow"))
        assert not isinstance(stop.value, Unavailable)


def test_refused_silent_and_cut_verdicts_are_delivered_counted_and_kept_apart(
    session: Session, case_ids: list[str], caplog: pytest.LogCaptureFixture
) -> None:
    thought = "A secret thought that stays in its row."
    given = [
        saying(None, refusal="I cannot help with this one."),
        saying("Yes", "content_filter"),
        saying(None, reasoning_content=thought),
    ]
    verdicts: list[Mapping[str, Any]] = []

    def answer(number: int, body: Mapping[str, Any]) -> Answer:
        if len(body["messages"]) == 1:
            return saying("He was born there.", reasoning_content=thought)
        verdicts.append(body)
        if len(verdicts) <= len(given):
            return given[len(verdicts) - 1]
        cut = body["messages"] == verdicts[len(given)]["messages"]
        return saying(None, "length", reasoning_content=thought) if cut else saying("yes")

    with thinker.answering(of(THINKS, answer)) as (url, bodies), caplog.at_level(logging.INFO):
        found = registry(url, "apart", thinking={"budget": 100})
        [plan] = stages.plan(session, "2026-10", registry=found, variant="halluvault/two-turn").evaluations
        counts = stages.query_shard(session, plan.evaluation_id, registry=found)
    kept = rows(session, plan.evaluation_id)
    assert all(row.status == "delivered" and row.error is None for row in kept)
    assert (counts.delivered, counts.dead, counts.refused, counts.silent, counts.cut_off) == (CASES, 0, 2, 1, 1)
    refused = [row for row in kept if row.refusal is not None]
    assert {row.refusal for row in refused} == {"I cannot help with this one.", "content_filter"}
    assert [turn["role"] for turn in refused[0].transcript] == ["user", "assistant"] * 2, "up to the refused turn"
    limits = [body["max_tokens"] for body in verdicts if body["messages"] == verdicts[len(given)]["messages"]]
    assert len(limits) == 2 and limits[1] == 2 * limits[0] > 200, "asked again once, with twice the budget"
    assert all(thought in row.thought for row in kept)
    assert thought not in json.dumps([row.transcript for row in kept])
    assert not any(thought in turn["content"] for body in bodies for turn in body["messages"]), "none is sent back"
    assert "; 2 refused by the API, 1 silent, 1 cut off before they answered" in caplog.text
    assert "secret" not in caplog.text, "logs hold no thought"
