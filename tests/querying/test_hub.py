"""`client: hub`: a lane through huggingface_hub's own client brings the rows that the bulk transport brings."""

import asyncio
import hashlib
import os

import huggingface_hub
import pytest
from aiohttp import web
from huggingface_hub.utils import get_async_session
from pydantic import ValidationError
from sqlalchemy import select
from sqlalchemy.orm import Session

from halluvault_tasks.local.simulator.http_faults import HttpFaults, parse
from halluvault_tasks.local.simulator.model import SimulatedModel
from halluvault_tasks.local.simulator.server import serving
from halluvault_tasks.querying import stages
from halluvault_tasks.querying.registry import Model, Registry
from halluvault_tasks.querying.replies import Failure, FailureKind, Grammar
from halluvault_tasks.storage import sessions
from halluvault_tasks.storage.tables import response
from tests.querying import support
from tests.querying.planned import echo
from tests.querying.test_client import GOOD, openai, outcome, tgi

Entry = dict[str, str]
CASES = 36
REFUSALS = "overloaded=0.2,unavailable=0.1,incomplete=0.1,reset=0.05,html=0.05,seed=3"


@pytest.fixture(scope="module")
def case_ids(database_url: str) -> list[str]:
    with sessions.session(database_url) as session:
        return support.build(session, "2026-10", CASES)


def rows_of(session: Session, client: str, served: SimulatedModel, faults: HttpFaults, model: Entry) -> tuple[int, str]:
    """How many responses a lane through this client brings, and a hash over what they say."""
    name = "-".join([client, *model.values(), "refusing" if faults.rules else "well"])
    with serving([served]) as url:
        registry = Registry.model_validate({
            "servers": [{"name": "s", "pool": "s", "slots": 1, "in_flight": 8}],
            "models": [{"name": name, "client": client, "server": "s", "base_urls": [f"{url}/echo"], **model}],
        })
        [plan] = stages.plan(session, "2026-10", registry=registry).evaluations
        served.faults = faults
        counts = stages.query_shard(session, plan.evaluation_id, registry=registry)
    assert (counts.failed_attempts > 0) == bool(faults.rules)
    kept = select(
        response.c.case_id, response.c.sample, response.c.status, response.c.text, response.c.finish_reason,
        response.c.prompt_tokens, response.c.generated_tokens, response.c.error, response.c.queue_ms.is_(None),
    )  # fmt: skip
    rows = session.execute(kept.where(response.c.evaluation_id == plan.evaluation_id).order_by(response.c.case_id))
    found = [tuple(row) for row in rows]
    return len(found), hashlib.sha256(repr(found).encode()).hexdigest()


@pytest.mark.parametrize(
    "model",
    [{"dialect": "tgi"}, {"dialect": "tgi", "route": "completions"}, {"dialect": "openai"}],
    ids=lambda model: "-".join(model.values()),
)
@pytest.mark.parametrize(
    "faults", [HttpFaults(), parse(REFUSALS)._replace(poison="Person 7 ")], ids=["well", "refusing"]
)
def test_a_lane_through_huggingface_hub_brings_the_rows_of_the_bulk_transport(
    session: Session, case_ids: list[str], model: Entry, faults: HttpFaults
) -> None:
    found = [rows_of(session, client, SimulatedModel("echo", echo), faults, model) for client in ("bulk", "hub")]
    assert found[0] == found[1] and found[0][0] == CASES


def test_the_library_is_not_told_to_leave_parameters_out_and_sends_nobody_elses_key(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("HF_TOKEN", "hf_the_operators_own")
    asked = []

    async def handler(request: web.Request) -> web.Response:
        asked.append((request.headers.get("Authorization"), (await request.json())["parameters"]))
        said = "The following `model_kwargs` are not used by the model: ['max_new_tokens', 'do_sample', 'details']"
        return web.Response(status=400, text=said) if len(asked) == 1 else web.Response(text=GOOD)

    first = outcome(tgi(client="hub"), handler)
    assert isinstance(first, Failure) and first.kind is FailureKind.FATAL and len(asked) == 1
    assert outcome(tgi(client="hub"), handler)[:2] == ("Yes", "eos_token")  # type: ignore[index]
    wanted = {"max_new_tokens": 512, "do_sample": False, "details": True, "return_full_text": False}
    assert asked == [(None, wanted), (None, wanted)]


def test_the_library_works_in_its_offline_mode_and_is_itself_for_everybody_else(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(huggingface_hub.constants, "HF_HUB_OFFLINE", True)

    async def handler(_request: web.Request) -> web.Response:
        return web.Response(text=GOOD)

    assert outcome(tgi(client="hub"), handler)[0] == "Yes"  # type: ignore[index]

    async def others() -> bool:
        async with get_async_session() as client:
            return client.follow_redirects

    assert asyncio.run(others()), "a download goes as the library makes it"
    assert "HF_TOKEN" not in os.environ


def test_a_schema_that_the_library_would_put_into_tgis_words_is_refused_and_not_sent() -> None:
    asked = []

    async def handler(request: web.Request) -> web.Response:
        asked.append(request.path)
        return web.json_response({"data": [{"id": "m"}]}) if request.path == "/v1/models" else web.Response(status=404)

    found = outcome(openai(client="hub"), handler, lambda client: client.complete("q", Grammar("json", {})))
    assert isinstance(found, Failure) and (found.kind, "cannot send" in found.reason) == (FailureKind.FATAL, True)
    assert "/v1/chat/completions" not in asked


@pytest.mark.parametrize("other", [{"stream": True}, {"dialect": "openai", "route": "completions"}])
def test_what_the_library_cannot_be_trusted_with_is_refused_in_the_registry(other: dict[str, object]) -> None:
    with pytest.raises(ValidationError, match="client hub"):
        Model.model_validate({
            "name": "m", "server": "s", "dialect": "tgi", "base_urls": ["http://h"], "client": "hub", **other,
        })  # fmt: skip
