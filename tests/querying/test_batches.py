"""Months asked in batches: real clients, a real Postgres, a simulated API on loopback that may lose what it has."""

import json
import logging
import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from threading import Event
from typing import Any

import pytest
from sqlalchemy import delete, select
from sqlalchemy.orm import Session
from typer.testing import CliRunner

from halluvault_tasks.cli.models import models
from halluvault_tasks.errors import UserError
from halluvault_tasks.local.simulator.batches import BatchDesk
from halluvault_tasks.local.simulator.manner import ServerManner
from halluvault_tasks.local.simulator.model import SimulatedModel
from halluvault_tasks.local.simulator.replies import WholeAnswer, as_json
from halluvault_tasks.querying import stages
from halluvault_tasks.querying.barred import Barred
from halluvault_tasks.querying.replica import IdentityChanged, ServerDown
from halluvault_tasks.querying.ways import WAYS
from halluvault_tasks.settings import settings
from halluvault_tasks.storage import sessions
from halluvault_tasks.storage.tables import incident, lane, response
from tests.querying import support
from tests.querying.batched import KEY, BatchedModel, batched
from tests.querying.planned import echo, is_case

CASES = 40
PLAIN, TWO_TURN = "halluvault/plain", "halluvault/two-turn"


@pytest.fixture(scope="module")
def case_ids(database_url: str) -> list[str]:
    with sessions.session(database_url) as session:
        return support.build(session, "2026-10", CASES)


def directly(model: BatchedModel, variant: str = PLAIN) -> Sequence[Any]:
    """The rows of the same evaluation asked one by one, which are then deleted."""
    plan = model.plan(variant, asking="direct")
    model.ask(plan.evaluation_id, asking="direct")
    rows = model.rows(plan.evaluation_id)
    model.session.execute(delete(response).where(response.c.evaluation_id == plan.evaluation_id))
    model.session.commit()
    return rows


def answers(rows: Sequence[Any]) -> dict[tuple[str, int], tuple[Any, ...]]:
    """What rows say, by case and sample, whatever it took."""
    return {(row.case_id, row.sample): (row.status, row.text, row.transcript, row.thought, row.refusal) for row in rows}


# The same rows.


@pytest.mark.parametrize("shape", ["openai", "mistral"])
@pytest.mark.parametrize("variant", [PLAIN, TWO_TURN])
def test_a_month_in_batches_leaves_the_rows_of_one_asked_one_by_one(
    session: Session, case_ids: list[str], shape: str, variant: str
) -> None:
    name = f"same-{shape}-{variant[11:]}"
    with batched(session, name, manner=ServerManner.model_validate({"batches": shape})) as model:
        expected = directly(model, variant)
        plan = model.plan(variant)
        counts = model.ask(plan.evaluation_id)
        assert model.rows(plan.evaluation_id) == expected and len(expected) == CASES
        assert (counts.delivered, counts.dead, counts.waits) == (CASES, 0, 0.0)
        turns = [(row.turn, row.requests, row.status) for row in model.batches(plan.evaluation_id)]
        assert turns == [(turn, CASES, "completed") for turn in range(1, 2 + (variant == TWO_TURN))]
        assert model.lines(plan.evaluation_id) == 0, "what is stored needs no line any more"
        assert model.ask(plan.evaluation_id) == stages.QueryCounts(0, 0, 0, 0, 0.0)
        assert len(model.served.desk.batches) == len(turns), "nothing is handed in twice"


def test_thoughts_refusals_and_silence_are_read_in_batches_as_they_are_one_by_one(
    session: Session, case_ids: list[str]
) -> None:
    manner = ServerManner(
        batches="openai", thought="think", refused=0.1, refused_400=0.1, refused_bare=0.1, filtered=0.1, silent=0.1
    )
    with batched(session, "odd", manner=manner) as model:
        expected = directly(model, TWO_TURN)
        plan = model.plan(TWO_TURN)
        model.ask(plan.evaluation_id)
        assert model.rows(plan.evaluation_id) == expected
        assert {row.refusal is None for row in expected} == {True, False}
        assert any(row.thought for row in expected)


def test_a_batch_has_at_most_so_many_requests_and_a_round_as_many_batches_as_it_takes(
    session: Session, case_ids: list[str]
) -> None:
    with batched(session, "parts", batch={"poll_seconds": 0.01, "requests": 15}) as model:
        expected = directly(model)
        plan = model.plan()
        model.ask(plan.evaluation_id)
        assert model.rows(plan.evaluation_id) == expected
        assert sorted(row.requests for row in model.batches(plan.evaluation_id)) == [10, 15, 15]


def test_who_does_not_wait_is_told_when_to_come_again_and_goes_on_from_there(
    session: Session, case_ids: list[str]
) -> None:
    with batched(session, "steps", batch={"poll_seconds": 0.25}) as model:
        plan = model.plan(TWO_TURN)
        waits = [model.step(plan.evaluation_id).waits]
        assert waits == [0.25] and model.rows(plan.evaluation_id) == []
        beat = session.execute(select(lane).where(lane.c.evaluation_id == plan.evaluation_id)).one()
        assert beat.state == "asking" and "turn 1 in batches" in beat.message and beat.in_flight == CASES
        while waits[-1]:
            assert len(waits) < 100
            Event().wait(0.02)
            waits.append(model.step(plan.evaluation_id).waits)
        assert len(model.rows(plan.evaluation_id)) == CASES
        beat = session.execute(select(lane).where(lane.c.evaluation_id == plan.evaluation_id)).one()
        assert beat.state == "finished"


# An API that loses what it has.


def first(number: int, spoil: Callable[[list[bytes]], list[bytes]]) -> Callable[[int, list[bytes]], list[bytes]]:
    """Spoils the answers of the first batches, and of no other."""
    return lambda batch, lines: spoil(lines) if batch < number else lines


@pytest.mark.parametrize(
    ("name", "spoil", "again"),
    [
        ("loses", lambda lines: lines[7:], 7),
        ("repeats", lambda lines: lines + lines[:5] + lines, 0),
        ("reorders", lambda lines: lines[::-1], 0),
        ("cuts", lambda lines: [*lines[:-1], lines[-1][:40]], 1),
        ("mumbles", lambda lines: [b"<html>busy</html>\n", b"\n", b"[]\n", b'{"custom_id": null}\n', *lines[1:]], 1),
    ],
)
def test_lines_may_be_lost_repeated_reordered_or_cut_and_what_is_lost_is_asked_again(
    session: Session,
    case_ids: list[str],
    name: str,
    spoil: Callable[[list[bytes]], list[bytes]],
    again: int,
) -> None:
    with batched(session, name) as model:
        expected = directly(model)
        model.served.desk.spoils = first(1, spoil)
        plan = model.plan()
        counts = model.ask(plan.evaluation_id)
        assert answers(model.rows(plan.evaluation_id)) == answers(expected)
        assert (counts.delivered, counts.dead) == (CASES, 0)
        assert [row.requests for row in model.batches(plan.evaluation_id)] == [CASES, again][: 1 + bool(again)]


def test_what_expires_or_fails_within_a_batch_is_asked_again_in_a_further_one(
    session: Session, case_ids: list[str]
) -> None:
    failed: set[str] = set()

    def unwell(model: str, prompt: str, seed: int | None) -> str:
        if is_case(prompt) and prompt not in failed and len(failed) < 4:
            failed.add(prompt)
            raise OSError("out of memory")
        return echo(model, prompt, seed)

    with batched(session, "expires", unwell) as model:
        model.served.desk.ends = lambda number: ("expired", 15) if not number else ("completed", -1)
        plan = model.plan()
        counts = model.ask(plan.evaluation_id)
        rows = model.batches(plan.evaluation_id)
        assert [(row.status, row.requests) for row in rows] == [("expired", CASES), ("completed", CASES - 11)]
        assert (counts.delivered, counts.dead, counts.failed_attempts) == (CASES, 0, CASES - 11)
        assert sorted(row.attempts for row in model.rows(plan.evaluation_id)) == [1] * 11 + [2] * (CASES - 11)


def test_a_prompt_that_always_fails_becomes_a_dead_letter_after_as_many_batches_as_it_has_attempts(
    session: Session, case_ids: list[str]
) -> None:
    poison: set[str] = set()

    def poisoned(model: str, prompt: str, seed: int | None) -> str:
        if is_case(prompt) and (not poison or prompt in poison):
            poison.add(prompt)
            raise OSError("out of memory")
        return echo(model, prompt, seed)

    with batched(session, "poison", poisoned, server={"attempts": 3}) as model:
        plan = model.plan()
        counts = model.ask(plan.evaluation_id)
        assert (counts.delivered, counts.dead) == (CASES - 1, 1)
        [dead] = [row for row in model.rows(plan.evaluation_id) if row.status == "dead"]
        assert dead.attempts == 3 and dead.error.startswith("3 attempts failed, the last with: HTTP 500")
        assert [row.requests for row in model.batches(plan.evaluation_id)] == [CASES, 1, 1]


REFUSED = as_json(429, {"error": {"message": "Too many requests."}}, (("retry-after", "0"),))
ILL = as_json(500, {"error": {"message": "Try again."}})
RESET = WholeAnswer(0, b"", "", fault="reset")
SHORT = WholeAnswer(200, b"{" * 100, "application/json", fault="short")
GONE = as_json(404, {"error": {"message": "No such File object."}})
STEPS = ("upload", "make", "list", "look", "content")


@pytest.mark.parametrize("step", STEPS)
@pytest.mark.parametrize("done", [False, True])
def test_a_step_that_fails_in_passing_in_every_way_is_taken_again_and_no_batch_is_paid_twice(
    session: Session, case_ids: list[str], step: str, done: bool
) -> None:
    with batched(session, f"{step}-{done}") as model:
        desk = model.served.desk
        fails = in_turn(step, REFUSED, ILL, RESET, SHORT)
        desk.after, desk.before = (fails, desk.before) if done else (desk.after, fails)
        plan = model.plan()
        counts = model.ask(plan.evaluation_id)
        assert (counts.delivered, counts.dead) == (CASES, 0)
        assert len(desk.batches) == 1


def in_turn(step: str, *faults: WholeAnswer) -> Callable[[str, int], WholeAnswer | None]:
    """One fault after the other, the first times that a step is taken."""
    return lambda taken, count: faults[count - 1] if taken == step and count <= len(faults) else None


def once(step: str, fault: WholeAnswer, times: int = 1) -> Callable[[str, int], WholeAnswer | None]:
    """The fault, the first times that a step is taken."""
    return lambda taken, count: fault if taken == step and count <= times else None


def always(step: str, fault: WholeAnswer) -> Callable[[str, int], WholeAnswer | None]:
    return once(step, fault, 10**9)


@pytest.mark.parametrize("step", ["upload", "make", "look", "content"])
def test_an_api_that_stays_away_ends_the_run_with_one_line_and_the_next_goes_on(
    session: Session, case_ids: list[str], step: str, caplog: pytest.LogCaptureFixture
) -> None:
    with batched(session, f"away-{step}", server={"attempts": 2}) as model:
        desk = model.served.desk
        plan = model.plan()
        desk.before = always(step, ILL)
        with pytest.raises(ServerDown, match=r"the batches of .* cannot be reached at .*Try again") as stop:
            model.ask(plan.evaluation_id)
        assert "\n" not in str(stop.value) and KEY not in str(stop.value) + caplog.text
        desk.before = once("", ILL)
        assert model.ask(plan.evaluation_id).delivered == CASES
        assert len(desk.batches) == 1


def test_an_api_that_lets_a_request_hang_is_given_up_after_its_time(session: Session, case_ids: list[str]) -> None:
    with batched(session, "hangs", server={"attempts": 1, "timeout_seconds": 5}) as model:
        plan = model.plan()
        model.served.desk.after = once("make", WholeAnswer(0, b"", "", fault="hang"))
        with pytest.raises(ServerDown, match=r"no answer within 5 s"):
            model.ask(plan.evaluation_id)
        assert model.ask(plan.evaluation_id).delivered == CASES
        assert len(model.served.desk.batches) == 1, "it had been made, and was found"


def test_a_file_that_the_api_forgot_stops_the_run_and_its_prompts_are_asked_in_another_batch(
    session: Session, case_ids: list[str]
) -> None:
    with batched(session, "forgets") as model:
        plan = model.plan()
        model.served.desk.before = lambda step, count: GONE if step == "content" and count <= 2 else None
        with pytest.raises(Barred, match=r"brought no reply at all: a file of batch batch-1 is gone: HTTP 404"):
            model.ask(plan.evaluation_id)
        assert model.rows(plan.evaluation_id) == []
        assert model.ask(plan.evaluation_id).delivered == CASES
        assert all(row.attempts == 1 for row in model.rows(plan.evaluation_id)), "it counts against no prompt"


def test_a_request_file_that_the_api_forgot_before_its_batch_was_made_is_uploaded_again(
    session: Session, case_ids: list[str]
) -> None:
    with batched(session, "forgets-requests", server={"attempts": 1}) as model:
        plan = model.plan()
        desk = model.served.desk
        desk.before = once("make", ILL)
        with pytest.raises(ServerDown):
            model.ask(plan.evaluation_id)
        desk.files.clear()
        assert model.ask(plan.evaluation_id).delivered == CASES
        assert len(desk.batches) == 1


@pytest.mark.parametrize(
    ("name", "foreign"),
    [("other", "request-1"), ("beyond", "{key}-40"), ("padded", "{key}-007"), ("below", "{key}--1"), ("empty", "")],
)
def test_of_a_file_with_foreign_ids_nothing_is_stored_and_giving_the_batch_up_asks_anew(
    session: Session, case_ids: list[str], name: str, foreign: str
) -> None:
    with batched(session, f"foreign-{name}") as model:
        desk = model.served.desk

        def swap(lines: list[bytes]) -> list[bytes]:
            line = json.loads(lines[0])
            line["custom_id"] = foreign.format(key=line["custom_id"].partition("-")[0])
            return [*lines[1:], json.dumps(line).encode() + b"\n"]

        desk.spoils = first(1, swap)
        plan = model.plan()
        for _again in range(2):
            with pytest.raises(Barred, match="answer what was not asked in it") as stop:
                model.ask(plan.evaluation_id)
            assert "nothing of it is stored" in stop.value.message and "--again-batches" in stop.value.way_out
            assert "\n" not in str(stop.value) and model.rows(plan.evaluation_id) == []
        registry = model.registry()
        assert stages.forget_batches(session, plan.evaluation_id, registry=registry, token=lambda _model: KEY) == 1
        assert model.ask(plan.evaluation_id).delivered == CASES
        assert [row.status for row in model.batches(plan.evaluation_id)] == ["given up", "completed"]


def test_a_batch_that_never_ends_stops_the_run_after_its_deadline_and_can_be_waited_for_or_given_up(
    session: Session, case_ids: list[str]
) -> None:
    soon = {"batch": {"poll_seconds": 0.01, "deadline_hours": 1e-5}}
    with batched(session, "endless") as model:
        desk = model.served.desk
        desk.ends = lambda number: ("completed", -1) if number else ("in_progress", 3)
        plan = model.plan()
        with pytest.raises(Barred, match=r"batch batch-1 has not ended within 1e-05 h \(in_progress, 3 of 40") as stop:
            model.ask(plan.evaluation_id, **soon)
        assert "deadline_hours" in stop.value.way_out and "--again-batches" in stop.value.way_out
        assert model.step(plan.evaluation_id).waits, "with a longer deadline it is waited for"
        registry = model.registry()
        assert stages.forget_batches(session, plan.evaluation_id, registry=registry, token=lambda _model: KEY) == 1
        assert desk.batches[0].status == "cancelled"
        assert model.ask(plan.evaluation_id).delivered == CASES


def test_a_batch_that_somebody_cancelled_is_collected_and_nothing_more_is_asked_before_a_person_says_so(
    session: Session, case_ids: list[str]
) -> None:
    with batched(session, "cancelled") as model:
        model.served.desk.ends = lambda number: ("completed", -1) if number else ("cancelled", 25)
        plan = model.plan()
        with pytest.raises(Barred, match="batch batch-1 was cancelled; what it had answered is stored"):
            model.ask(plan.evaluation_id)
        assert len(model.rows(plan.evaluation_id)) == 25 and len(model.served.desk.batches) == 1
        assert model.ask(plan.evaluation_id).delivered == CASES - 25


def test_a_batch_that_is_refused_as_a_whole_stops_the_run_with_the_apis_words(
    session: Session, case_ids: list[str]
) -> None:
    with batched(session, "refused") as model:
        model.served.desk.ends = lambda number: ("completed", -1) if number else ("failed", 0)
        plan = model.plan()
        with pytest.raises(Barred, match="its batch failed: Enqueued token limit reached") as stop:
            model.ask(plan.evaluation_id)
        assert "\n" not in str(stop.value)
        assert model.ask(plan.evaluation_id).delivered == CASES


def test_what_bars_every_request_stops_the_run_and_what_was_answered_is_kept(
    session: Session, case_ids: list[str]
) -> None:
    def spent(line: bytes) -> bytes:
        body = {"error": {"message": "You exceeded your current quota", "code": "insufficient_quota"}}
        return json.dumps(json.loads(line) | {"response": {"status_code": 429, "body": body}}).encode() + b"\n"

    with batched(session, "spent") as model:
        model.served.desk.spoils = first(1, lambda lines: [*lines[:25], *map(spent, lines[25:])])
        plan = model.plan()
        with pytest.raises(Barred, match=r"answers nothing before somebody acts at .*: HTTP 429: You exceeded") as stop:
            model.ask(plan.evaluation_id)
        assert "raise the quota" in stop.value.way_out
        assert len(model.rows(plan.evaluation_id)) == 25 and len(model.served.desk.batches) == 1
        assert model.ask(plan.evaluation_id).delivered == CASES - 25


def test_an_api_that_serves_another_version_when_it_has_answered_keeps_nothing_of_it(
    session: Session, case_ids: list[str]
) -> None:
    pages: dict[str, Any] = {"/version": {"version": "1"}}
    manner = ServerManner(batches="openai", pages=pages)
    with batched(session, "other", manner=manner, api={}) as model:
        plan = model.plan()
        model.step(plan.evaluation_id)
        model.served.manner.pages["/version"]["version"] = "2"
        with pytest.raises(IdentityChanged, match="is now simulated/other"):
            model.ask(plan.evaluation_id)
        assert model.rows(plan.evaluation_id) == []
        told = session.scalars(select(incident.c.kind).order_by(incident.c.id.desc())).first()
        assert told == "identity_changed"
        model.served.manner.pages["/version"]["version"] = "1"
        assert model.ask(plan.evaluation_id).delivered == CASES, "the planned one is back"
        assert len(model.served.desk.batches) == 1


# A process that is killed.

RUN = """
import sys, threading
from halluvault_tasks.querying import stages
from halluvault_tasks.querying.registry import Registry
from halluvault_tasks.storage import sessions
url, evaluation, raw, key = sys.argv[1:]
with sessions.session(url) as session:
    watch = stages.Watch(pause=threading.Event().wait)
    registry = Registry.model_validate_json(raw)
    stages.query_shard(session, evaluation, registry=registry, watch=watch, token=lambda _model: key)
"""


@pytest.mark.parametrize(
    ("step", "batches"),
    [("upload", 1), ("make", 1), ("look", 1), ("content", 1)],
)
def test_a_run_killed_with_9_at_any_step_is_completed_by_the_next_and_pays_no_batch_twice(
    session: Session, database_url: str, case_ids: list[str], step: str, batches: int
) -> None:
    reached = Event()

    def hangs(taken: str, count: int) -> WholeAnswer | None:
        if taken != step or count > 1:
            return None
        reached.set()
        return WholeAnswer(200, b'{"id": "unheard"}\n' * 50, "application/json", fault="hang_after_headers")

    with batched(session, f"killed-{step}") as model:
        plan = model.plan()
        model.served.desk.after = hangs
        raw = model.registry().model_dump_json()
        child = subprocess.Popen([sys.executable, "-c", RUN, database_url, plan.evaluation_id, raw, KEY])
        assert reached.wait(600)
        child.kill()
        child.wait()
        assert model.rows(plan.evaluation_id) == []
        counts = model.ask(plan.evaluation_id)
        assert (counts.delivered, counts.dead) == (CASES, 0)
        assert len(model.served.desk.batches) == batches


def test_where_an_api_lists_no_batches_one_whose_id_was_lost_is_handed_in_again(
    session: Session, case_ids: list[str]
) -> None:
    with batched(session, "unlisted", server={"attempts": 1}) as model:
        desk: BatchDesk = model.served.desk
        plan = model.plan()
        desk.after = once("make", ILL)
        desk.before = always("list", as_json(404, {"error": {"message": "Unknown route"}}))
        with pytest.raises(ServerDown):
            model.ask(plan.evaluation_id)
        assert model.ask(plan.evaluation_id).delivered == CASES
        assert len(desk.batches) == 2


# What is said before and meanwhile.


def test_the_key_of_the_api_is_in_no_log_row_or_message(
    session: Session, case_ids: list[str], caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.DEBUG), batched(session, "secret") as model:
        model.served.desk.before = once("make", as_json(401, {"error": {"message": f"Bad key {KEY}"}}), 2)
        plan = model.plan()
        with pytest.raises(UserError) as stop:
            model.ask(plan.evaluation_id)
        model.ask(plan.evaluation_id)
        kept = [str(row) for row in [*model.batches(plan.evaluation_id), *model.rows(plan.evaluation_id)]]
    assert KEY not in "".join([*kept, caplog.text, str(stop.value)])


def test_models_check_says_what_a_batch_would_be_and_whether_there_are_any(
    session: Session, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with batched(session, "checked", token_env="API_KEY", batch={"requests": 700, "window": "7d"}) as model:
        file = tmp_path / "models.yaml"
        file.write_text(json.dumps({"servers": [model.server], "models": [model.fields]}), encoding="utf-8")
        monkeypatch.setenv("HALLUVAULT_MODELS_FILE", str(file))
        monkeypatch.setenv("API_KEY", KEY)
        settings.cache_clear()
        try:
            found = CliRunner().invoke(models, ["check"])
            assert found.exit_code == 0 and "in batches of up" in found.output and KEY not in found.output
            [entry], [home] = model.registry().models, model.registry().servers
            assert WAYS["batch"].check(entry, home, lambda _model: KEY) == [
                "in batches of up to 700 requests and 200 MB, each within 7d",
                "price of a token in them: 0.5 of the usual",
            ]
            model.served.desk.before = always("list", as_json(404, {"error": {"message": "Unknown route"}}))
            found = CliRunner().invoke(models, ["check"])
        finally:
            settings.cache_clear()
    assert isinstance(found.exception, UserError)
    assert "hosted/checked: no batches at http://127.0.0.1:" in str(found.exception)
    assert "asking: direct" in found.exception.way_out


@pytest.mark.parametrize(
    ("entry", "said"),
    [
        ({"client": "hub"}, "neither client hub nor stream"),
        ({"stream": True}, "neither client hub nor stream"),
        ({"api": {"preset": "vllm"}}, "needs an API with batches, and vllm has none for us"),
        ({"base_urls": ["http://a", "http://b"]}, "takes one base URL"),
        ({"dialect": "tgi", "served_as": "", "api": {}}, "belongs to the dialect openai"),
        ({"batch": {"window": "a day"}}, "window"),
        ({"batch": {"poll_seconds": 0}}, "poll_seconds"),
        ({"asking": "often"}, "asking"),
    ],
)
def test_what_does_not_go_with_batches_is_refused_when_models_yaml_is_read(
    session: Session, entry: dict[str, Any], said: str
) -> None:
    served = SimulatedModel("any", echo, manner=ServerManner(batches="openai"))
    with pytest.raises(ValueError, match=said):
        BatchedModel(session, "http://a", served, {}, {}).registry(**entry)
