"""A simulated hosted API with batches, its evaluations planned one by one and in batches, and their rows."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from threading import Event
from typing import Any

from sqlalchemy import Row, select
from sqlalchemy.orm import Session

from halluvault_tasks.local.simulator.manner import ServerManner
from halluvault_tasks.local.simulator.model import SimulatedModel
from halluvault_tasks.local.simulator.server import serving
from halluvault_tasks.querying import stages
from halluvault_tasks.querying.registry import Registry
from halluvault_tasks.storage.tables import batch, batch_line, response
from tests.querying.planned import echo

MONTH = "2026-10"
KEY = "k3y-of-the-host"


class BatchedModel:
    """One model of the simulated API.

    Args:
        session: of the database.
        url: of the API.
        served: the model.
        entry: further fields of its entry in models.yaml.
        server: further fields of its server's.
    """

    def __init__(self, session: Session, url: str, served: SimulatedModel, entry: Any, server: Any) -> None:
        self.session, self.served = session, served
        self.fields: dict[str, Any] = {
            "name": f"hosted/{served.name}",
            "dialect": "openai",
            "api": {"preset": served.manner.batches},
            "server": "api",
            "base_urls": [f"{url}/{served.name}"],
            "served_as": served.model_id,
            "asking": "batch",
            "batch": {"poll_seconds": 0.01},
            **entry,
        }
        self.server = {"name": "api", "pool": "api", "slots": 1, "in_flight": 8, "outage_seconds": 0, **(server or {})}

    def registry(self, **entry: Any) -> Registry:
        return Registry.model_validate({"servers": [self.server], "models": [{**self.fields, **entry}]})

    def plan(self, variant: str = "halluvault/plain", **entry: Any) -> stages.PlannedEvaluation:
        [plan] = stages.plan(
            self.session, MONTH, registry=self.registry(**entry), variant=variant, token=lambda _model: KEY
        ).evaluations
        return plan

    def ask(self, evaluation: str, **entry: Any) -> stages.QueryCounts:
        """To its end, unless it takes a thousand looks."""
        looks = iter(range(1000))

        def pause(seconds: float) -> None:
            next(looks)
            Event().wait(seconds)

        return self.step(evaluation, pause, **entry)

    def step(self, evaluation: str, pause: Callable[[float], object] | None = None, **entry: Any) -> stages.QueryCounts:
        """As far as it goes without waiting, as a task of Airflow does."""
        watch = stages.Watch(pause=pause)
        registry = self.registry(**entry)
        return stages.query_shard(self.session, evaluation, registry=registry, watch=watch, token=lambda _model: KEY)

    def rows(self, evaluation: str) -> Sequence[Row[Any]]:
        """Its responses, without what says when and how they were asked."""
        self.session.rollback()
        timed = {"total_ms", "inference_ms", "queue_ms", "received_at", "evaluation_id", "model_id"}
        columns = [column for column in response.c if column.name not in timed]
        found = select(*columns).where(response.c.evaluation_id == evaluation)
        return self.session.execute(found.order_by(response.c.case_id, response.c.sample)).all()

    def batches(self, evaluation: str) -> Sequence[Row[Any]]:
        self.session.rollback()
        mine = select(batch).where(batch.c.evaluation_id == evaluation)
        return self.session.execute(mine.order_by(batch.c.round, batch.c.created_at)).all()

    def lines(self, evaluation: str) -> int:
        self.session.rollback()
        mine = select(batch_line).where(batch_line.c.evaluation_id == evaluation)
        return len(self.session.execute(mine).all())


@contextmanager
def batched(
    session: Session,
    name: str,
    answerer: Callable[[str, str, int | None], str] = echo,
    *,
    manner: ServerManner = ServerManner(batches="openai"),
    server: Any = None,
    **entry: Any,
) -> Iterator[BatchedModel]:
    """A running API with one model of this name."""
    served = SimulatedModel(name, answerer, manner=manner)
    with serving([served], api_key=KEY) as url:
        yield BatchedModel(session, url, served, entry, server)
