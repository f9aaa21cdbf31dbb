"""A month asked through a real LiteLLM, where it is at hand: optional, for it brings a hundred packages of its own."""

from pathlib import Path

import pytest
from sqlalchemy import select
from sqlalchemy.orm import Session

from halluvault_tasks.local.simulator import texts
from halluvault_tasks.local.simulator.engine import Pacing
from halluvault_tasks.local.simulator.model import SimulatedModel
from halluvault_tasks.local.simulator.server import serving
from halluvault_tasks.querying import stages
from halluvault_tasks.querying.registry import Registry
from halluvault_tasks.storage.tables import response
from tests.peers import litellm
from tests.querying import support

CASES = 60

pytestmark = pytest.mark.skipif(
    not litellm.BINARY.exists(), reason=f"{litellm.BINARY} is missing; tests/peers/litellm.py"
)


def test_a_month_through_litellm_comes_back_as_the_model_said_it(session: Session, tmp_path: Path) -> None:
    support.build_plain(session, "2026-10", CASES)
    model = SimulatedModel("echo", texts.answer, pacing=Pacing(latency_seconds=0.05), blocking=False)
    with serving([model]) as upstream, litellm.before(f"{upstream}/echo", "through", tmp_path) as url:
        registry = Registry.model_validate({
            "servers": [{"name": "lite", "pool": "lite", "slots": 1, "in_flight": 8}],
            "models": [
                {"name": "through", "dialect": "openai", "server": "lite", "base_urls": [url], "served_as": "through"}
            ],
        })
        [plan] = stages.plan(session, "2026-10", registry=registry).evaluations
        counts = stages.query_shard(session, plan.evaluation_id, registry=registry)
    assert counts[:4] == (CASES, CASES, 0, 0)
    rows = session.execute(select(response).where(response.c.evaluation_id == plan.evaluation_id)).all()
    prompts = {row.case_id: row.text for row in session.execute(support.prompts())}
    said = {case: texts.answer("simulated/echo", each, None) for case, each in prompts.items()}
    assert {row.case_id: row.text for row in rows} == said
