"""`asking: batch` through the real DAG: `query` hands batches in, leaves its slot, and comes again until they end."""

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
import yaml
from sqlalchemy import func, select
from sqlalchemy.orm import Session

from halluvault_tasks.local.simulator.manner import ServerManner
from halluvault_tasks.local.simulator.model import SimulatedModel
from halluvault_tasks.local.simulator.server import serving
from halluvault_tasks.storage.tables import batch, evaluation, model, response, stage_run
from tests.dags.conftest import DEMO, MONTH
from tests.querying import support
from tests.querying.planned import echo

if TYPE_CHECKING:
    from airflow.dag_processing.dagbag import BundleDagBag

CASES = 30


def test_a_batch_holds_no_slot_while_its_api_works_and_the_run_goes_on_when_it_has_ended(
    dagbag: "BundleDagBag",
    database_url: str,
    session: Session,
    configure: Callable[..., None],
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
) -> None:
    evaluate = dagbag.dags["halluvault_evaluate"]
    # `dag.test` of Airflow 3.3.2 looks a deadline up by its definition instead of its key, and Postgres refuses.
    monkeypatch.setattr(evaluate, "deadline", None)
    support.build(session, MONTH, CASES)
    served = SimulatedModel("hosted", echo, manner=ServerManner(batches="openai"))
    with serving([served]) as url:
        raw: dict[str, Any] = yaml.safe_load((DEMO / "models.yaml").read_text(encoding="utf-8"))
        raw["models"] = [
            {"name": "hosted/echo", "dialect": "openai", "api": {"preset": "openai"}, "server": "sim-b",
             "base_urls": [f"{url}/hosted"], "served_as": served.model_id, "asking": "batch",
             "batch": {"poll_seconds": 1}},
        ]  # fmt: skip
        models = tmp_path / "models.yaml"
        models.write_text(yaml.safe_dump(raw), encoding="utf-8")
        configure(
            database_url=database_url, models_file=str(models), config_dir=str(DEMO), benchmark_size="demo",
            state_dir=str(tmp_path),
        )  # fmt: skip
        conf = {"snapshot": MONTH, "models": ["hosted/echo"], "variant": "halluvault/two-turn", "sample": 0}
        run = evaluate.test(run_conf=conf, logical_date=None, mark_success_pattern=r"sim-b\.score|report|announce")
    states = {ti.task_id: str(ti.state) for ti in run.get_task_instances()}
    assert states["sim-b.query"] == states["sim-b.whole"] == states["sim-b.tally"] == "success"
    session.rollback()
    mine = select(evaluation.c.id).join(model).where(model.c.name == "hosted/echo").scalar_subquery()
    delivered = select(func.count()).where(response.c.evaluation_id == mine, response.c.status == "delivered")
    assert session.scalar(delivered) == CASES
    turns = session.scalars(select(batch.c.turn).where(batch.c.evaluation_id == mine).order_by(batch.c.turn)).all()
    assert turns == [1, 2]
    came = select(func.count()).where(stage_run.c.stage == "query", stage_run.c.part == "hosted/echo 1/1")
    assert (session.scalar(came) or 0) >= 3, "it came again at least once a turn, and did not wait in its slot"
