"""Months asked in batches: real clients, a real Postgres, a simulated API on loopback that may lose what it has."""

import pytest
from sqlalchemy import delete
from sqlalchemy.orm import Session

from halluvault_tasks.local.simulator.manner import ServerManner
from halluvault_tasks.querying import stages
from halluvault_tasks.storage import sessions
from halluvault_tasks.storage.tables import response
from tests.querying import support
from tests.querying.batched import BatchedModel, batched

CASES = 40


@pytest.fixture(scope="module")
def case_ids(database_url: str) -> list[str]:
    with sessions.session(database_url) as session:
        return support.build(session, "2026-10", CASES)


def directly(model: BatchedModel, variant: str = "halluvault/plain") -> object:
    """The rows of the same evaluation asked one by one, which are then deleted."""
    plan = model.plan(variant, asking="direct")
    model.ask(plan.evaluation_id, asking="direct")
    rows = model.rows(plan.evaluation_id)
    model.session.execute(delete(response).where(response.c.evaluation_id == plan.evaluation_id))
    model.session.commit()
    return rows


@pytest.mark.parametrize("shape", ["openai", "mistral"])
@pytest.mark.parametrize("variant", ["halluvault/plain", "halluvault/two-turn"])
def test_a_month_in_batches_leaves_the_rows_of_one_asked_one_by_one(
    session: Session, case_ids: list[str], shape: str, variant: str
) -> None:
    name = f"same-{shape}-{variant[11:]}"
    with batched(session, name, manner=ServerManner(batches=shape)) as model:
        expected = directly(model, variant)
        plan = model.plan(variant)
        counts = model.ask(plan.evaluation_id)
        assert model.rows(plan.evaluation_id) == expected
        assert (counts.delivered, counts.dead, counts.waits) == (CASES, 0, 0.0)
        turns = [(row.turn, row.requests, row.status) for row in model.batches(plan.evaluation_id)]
        assert turns == [(turn, CASES, "completed") for turn in range(1, 2 + variant.endswith("two-turn"))]
        assert model.lines(plan.evaluation_id) == 0, "what is stored needs no line any more"
        assert model.ask(plan.evaluation_id) == stages.QueryCounts(0, 0, 0, 0, 0.0)
        assert len(model.served.desk.batches) == len(turns), "nothing is handed in twice"
