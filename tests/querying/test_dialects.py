"""Both dialects, every route, end to end: Postgres, lane, simulated server, and huggingface_hub beside them."""

import asyncio
import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import insert, select, text
from sqlalchemy.orm import Session
from typer.testing import CliRunner

from halluvault_tasks.cli.models import models
from halluvault_tasks.errors import Unavailable, UserError
from halluvault_tasks.local.simulator.model import SimulatedModel
from halluvault_tasks.local.simulator.server import serving
from halluvault_tasks.local.simulator.texts import answer
from halluvault_tasks.querying import servers, stages
from halluvault_tasks.querying.registry import Registry
from halluvault_tasks.results import views
from halluvault_tasks.settings import settings
from halluvault_tasks.storage import sessions
from halluvault_tasks.storage.tables import evaluation, prompt, prompt_variant, response
from tests.querying import support

CASES = 24
CHAT = support.CHAT
NAME = "simulated/echo"
TOLD = {"role": "user", "content": "These things happened lately. Are they known to you?"}


@pytest.fixture(scope="module")
def case_ids(database_url: str) -> list[str]:
    with sessions.session(database_url) as session:
        ids = support.build(session, "2026-10", CASES)
        session.execute(
            insert(prompt_variant).values(
                id=CHAT, template="halluvault", version=1, form="chat", context="out-of-distribution"
            )
        )
        for case_id, question in session.execute(text("SELECT id, question FROM cases")).all():
            turns = [TOLD, {"role": "assistant", "content": None}, {"role": "user", "content": question}]
            written = json.dumps(turns, ensure_ascii=False, separators=(",", ":"))
            session.execute(
                insert(prompt).values(snapshot="2026-10", variant_id=CHAT, case_id=case_id, text=written, sha256="")
            )
        session.commit()
        return ids


@pytest.fixture(scope="module")
def url() -> Iterator[str]:
    with serving([SimulatedModel("echo", answer, blocking=False)]) as address:
        yield address


def registry(url: str, **model: Any) -> Registry:
    entry = {"name": "e2e", "server": "sim", "dialect": "tgi", "base_urls": [f"{url}/echo"], **model}
    return Registry.model_validate({
        "servers": [{"name": "sim", "pool": "sim", "slots": 1, "in_flight": 8, "outage_seconds": 0}],
        "models": [entry],
    })


def asked(session: Session, found: Registry, variant: str = "halluvault") -> Mapping[str, Any]:
    """Plan and ask; the response rows by case."""
    [plan] = stages.plan(session, "2026-10", registry=found, variant=variant).evaluations
    raw = found.models[0].route == "completions"
    assert plan.missing == CASES and ("has a chat template" in plan.warning) == raw == bool(plan.warning)
    counts = stages.query_shard(session, plan.evaluation_id, registry=found)
    assert counts[:4] == (CASES, CASES, 0, 0)
    rows = session.execute(select(response).where(response.c.evaluation_id == plan.evaluation_id)).all()
    return {row.case_id: row for row in rows}


@pytest.mark.parametrize(
    "model",
    [
        {"name": "generate", "route": "completions"},
        {"name": "generate-stream", "route": "completions", "stream": True},
        {"name": "tgi-chat"},
        {"name": "tgi-chat-stream", "stream": True},
        {"name": "chat", "dialect": "openai"},
        {"name": "chat-stream", "dialect": "openai", "stream": True},
        {"name": "completions", "dialect": "openai", "route": "completions"},
        {"name": "chat-v1", "dialect": "openai", "served_as": "tgi"},
    ],
    ids=lambda model: model["name"],
)
def test_every_route_brings_the_same_answers_with_reason_counts_and_identity(
    session: Session, case_ids: list[str], url: str, model: dict[str, Any]
) -> None:
    if model["name"] == "chat-v1":
        model = model | {"base_urls": [f"{url}/echo/v1"]}
    rows = asked(session, registry(url, **model))
    prompts = dict(
        session.execute(select(prompt.c.case_id, prompt.c.text).where(prompt.c.variant_id == support.VARIANT)).all()
    )  # type: ignore[arg-type]
    assert {case: row.text for case, row in rows.items()} == {
        case: answer(NAME, asking, None) for case, asking in prompts.items()
    }
    for row in rows.values():
        assert row.finish_reason in ("eos_token", "stop") and row.transcript is None and row.attempts == 1
        assert row.prompt_tokens > 5 and row.generated_tokens > 5 and row.total_ms >= 0
        assert (row.queue_ms is None) == bool(model.get("stream")), "a stream has no timing headers"
        planned = session.scalar(select(evaluation.c.model_id).where(evaluation.c.id == row.evaluation_id))
        assert row.model_id == planned


@pytest.mark.parametrize("model", [
    {"name": "tgi-talk"}, {"name": "openai-talk", "dialect": "openai", "stream": True},
    {"name": "hub-talk", "client": "hub"}])  # fmt: skip
def test_a_chat_prompt_is_walked_and_its_transcript_kept(
    session: Session, case_ids: list[str], url: str, model: dict[str, Any]
) -> None:
    rows = asked(session, registry(url, **model), CHAT)
    first = answer(NAME, TOLD["content"], None)
    prompts = dict(session.execute(select(prompt.c.case_id, prompt.c.text).where(prompt.c.variant_id == CHAT)).all())  # type: ignore[arg-type]
    for case, row in rows.items():
        turns = json.loads(prompts[case])
        assert row.text == answer(NAME, prompts[case], None)
        assert row.transcript == [
            TOLD, {"role": "assistant", "content": first}, turns[2], {"role": "assistant", "content": row.text},
        ]  # fmt: skip
        assert row.attempts == 2


def test_a_bare_template_means_its_plain_form_and_what_a_route_lacks_is_named(
    session: Session, case_ids: list[str], url: str
) -> None:
    [plan] = stages.plan(session, "2026-10", registry=registry(url), variant="halluvault").evaluations
    variant = session.scalar(select(evaluation.c.variant_id).where(evaluation.c.id == plan.evaluation_id))
    assert variant == support.VARIANT
    for dialect in ("tgi", "openai"):
        with pytest.raises(UserError, match=r"route is completions, which takes no conversation; .* needs chat"):
            stages.plan(session, "2026-10", registry=registry(url, dialect=dialect, route="completions"), variant=CHAT)
    for route, field in (("chat", "repetition_penalty"), ("completions", "top_k")):
        found = registry(url, dialect="openai", route=route, sampling={"extra": {field: 2}})
        with pytest.raises(UserError, match=rf"sampling.extra has '{field}', which TGI's /v1/.* ignores"):
            stages.plan(session, "2026-10", registry=found)


def test_a_wrong_dialect_an_unreachable_url_and_a_model_that_is_not_there_are_named(
    session: Session, case_ids: list[str], url: str
) -> None:
    from tests.querying.test_client import by_path

    async def meet(found: Registry) -> None:
        from aiohttp import web

        app = web.Application()
        app.router.add_route("*", "/{path:.*}", by_path(v1_models=(200, '{"data":[{"id":"x"}]}')))
        runner = web.AppRunner(app)
        await runner.setup()
        await web.TCPSite(runner, "127.0.0.1", 0).start()
        port = runner.addresses[0][1]
        model = found.models[0].model_copy(update={"base_urls": (f"http://127.0.0.1:{port}",)})
        try:
            await servers.identify(model, found.servers[0])
        finally:
            await runner.cleanup()

    with pytest.raises(UserError, match=r"not a text-generation-inference server .*set `dialect: openai`"):
        asyncio.run(meet(registry(url)))
    with pytest.raises(UserError, match=r"no model 'y' in /v1/models; there are: x"):
        asyncio.run(meet(registry(url, dialect="openai", served_as="y")))
    with pytest.raises(Unavailable, match=r"no model server of the dialect openai at http://127.0.0.1:1"):
        stages.plan(session, "2026-10", registry=registry("http://127.0.0.1:1", dialect="openai"))


@pytest.mark.parametrize("named", ["token_env", "token_connection"])
def test_a_key_is_taken_from_where_the_registry_says_and_shown_nowhere(
    session: Session, case_ids: list[str], monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, named: str
) -> None:
    secret = "s3cr3t-key"
    with serving([SimulatedModel("echo", answer, blocking=False)], api_key=secret) as url:
        found = registry(url, **{"name": f"with-{named}", named: "GPU_KEY" if named == "token_env" else "gpu"})
        with pytest.raises(UserError, match=r"GPU_KEY|AIRFLOW_CONN_GPU") as caught:
            stages.plan(session, "2026-10", registry=found)
        assert "is missing" in caught.value.message
        if named == "token_env":
            monkeypatch.setenv("GPU_KEY", secret)
        else:
            monkeypatch.setenv("AIRFLOW_CONN_GPU", f"http://:{secret}@gpu-1")
        assert asked(session, found)
        if named == "token_connection":
            monkeypatch.setenv("AIRFLOW_CONN_GPU", json.dumps({"conn_type": "http", "password": secret}))
            assert servers.token_of(found.models[0]) == secret
        monkeypatch.setenv("GPU_KEY", "wrong")
        monkeypatch.setenv("AIRFLOW_CONN_GPU", "http://:wrong@gpu-1")
        with pytest.raises(UserError, match=r"HTTP 401"):
            stages.plan(session, "2026-10", registry=registry(url, **{**found.models[0].model_dump(), "name": "x"}))
    rows = session.execute(text("SELECT * FROM lane")).all() + session.execute(text("SELECT * FROM stage_run")).all()
    assert secret not in caplog.text and secret not in str(rows) and "wrong" not in str(rows)


def test_the_heartbeat_tells_how_the_lane_ended(session: Session, case_ids: list[str], url: str) -> None:
    views.install(session)
    session.commit()
    found = registry(url, name="beating")
    asked(session, found)
    with pytest.raises(KeyError):

        def stop(now: object) -> None:
            raise KeyError("stopped")

        again = registry(url, name="stopped")
        [plan] = stages.plan(session, "2026-10", registry=again).evaluations
        stages.query_shard(session, plan.evaluation_id, registry=again, watch=stages.Watch(stop))
    rows = {row.model: row for row in session.execute(text("SELECT * FROM lanes")).all()}
    done, stopped = rows["beating"], rows["stopped"]
    assert (done.state, done.total, done.done, done.dead, done.in_flight) == ("finished", CASES, CASES, 0, 0)
    assert (done.shard, done.shards, done.server, done.failed_attempts, done.message) == (0, 1, "sim", {}, "")
    assert done.started_at <= done.beat_at and 1 <= done.allowed <= 8
    assert (stopped.state, stopped.message) == ("stopped", "KeyError")
    session.execute(text("UPDATE lane SET state = 'asking', beat_at = now() - interval '1 minute'"))
    assert session.scalars(text("SELECT DISTINCT state FROM lanes")).all() == ["silent"]
    session.rollback()


def test_models_check_shows_identity_limits_an_answer_and_who_does_not_answer(
    url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    entries = [
        registry(url, name="one").models[0],
        registry(url, name="two", dialect="openai", route="completions").models[0],
        registry("http://127.0.0.1:1", name="gone").models[0],
    ]
    file = tmp_path / "models.yaml"
    servers_of = registry(url).model_dump(mode="json")["servers"]
    file.write_text(json.dumps({"servers": servers_of, "models": [each.model_dump(mode="json") for each in entries]}))
    monkeypatch.setenv("HALLUVAULT_MODELS_FILE", str(file))
    settings.cache_clear()
    try:
        done = CliRunner().invoke(models, ["check"])
    finally:
        settings.cache_clear()
    said = " ".join(done.stdout.split())
    assert "tgi: simulated/echo" in said and "openai: simulated/echo" in said
    assert "128 requests" in said and "agree" in said and "ours alone" in said and "cannot be asked" in said
    assert all(words in said for words in ("route chat", "template: yes", "greedy", "guided", "route completions"))
    assert "two: route is completions, but the server has a chat template" in " ".join(done.stderr.split())
    assert isinstance(done.exception, UserError) and "gone: no model server" in done.exception.message
