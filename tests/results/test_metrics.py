"""What Prometheus is told of a judged month, read by Prometheus' own parser."""

from collections.abc import Sequence
from typing import Any

from prometheus_client import CollectorRegistry, generate_latest
from prometheus_client.parser import text_string_to_metric_families
from sqlalchemy import func, select
from sqlalchemy.orm import Session

from halluvault_tasks.errors import Unavailable
from halluvault_tasks.results import metrics
from halluvault_tasks.storage import incidents, tables
from tests.oracles.material import SNAPSHOT
from tests.results.random_month import evaluation_of, publish


def told(read: metrics.FromDatabase) -> dict[str, dict[tuple[str, ...], float]]:
    registry = CollectorRegistry(auto_describe=False)
    registry.register(read)
    found: dict[str, dict[tuple[str, ...], float]] = {}
    for family in text_string_to_metric_families(generate_latest(registry).decode()):
        for sample in family.samples:
            found.setdefault(sample.name, {})[tuple(sorted(sample.labels.values()))] = sample.value
    return found


def test_what_is_told_is_what_the_rows_say(session: Session) -> None:
    evaluation = evaluation_of(session, dead=3, name="real/one")
    publish(session)
    incidents.record(session, "task_failed", "here", "a fault", "a way out", SNAPSHOT)
    found = told(metrics.FromDatabase(lambda statement: metrics.rows(session, statement)))
    of = tuple(sorted((SNAPSHOT, "real/one")))
    delivered = session.scalar(
        select(func.count())
        .select_from(tables.response)
        .where(tables.response.c.evaluation_id == evaluation, tables.response.c.status == "delivered")
    )
    judged = session.scalar(
        select(func.count()).select_from(tables.verdict).where(tables.verdict.c.evaluation_id == evaluation)
    )
    assert delivered and found["halluvault_answered_total"][of] == delivered
    assert found["halluvault_asked_total"][of] >= delivered
    assert found["halluvault_dead_total"][of] == 3
    assert sum(value for labels, value in found["halluvault_judged_total"].items() if {*of} <= {*labels}) == judged
    assert found["halluvault_incidents_total"] == {("task_failed",): 1.0}
    assert found["halluvault_up"] == {(): 1.0}


def test_a_database_that_is_away_is_a_zero_and_is_not_asked_more_often_than_said() -> None:
    asked, now = [0], [0.0]

    def away(_statement: str) -> Sequence[Sequence[Any]]:
        asked[0] += 1
        raise Unavailable("Postgres does not answer", "start it")

    collector = metrics.FromDatabase(away, least_seconds=15.0, clock=lambda: now[0])
    assert told(collector) == told(collector) == {"halluvault_up": {(): 0.0}}
    assert asked == [1]
    now[0] = 15.0
    told(collector)
    assert asked == [2]
