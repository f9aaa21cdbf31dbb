"""Runs that are killed, doubled or stopped leave one response per case: a real Postgres, a simulated server."""

import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor

import pytest
from sqlalchemy import func, select
from sqlalchemy.orm import Session

from halluvault_tasks.querying import stages
from halluvault_tasks.querying.progress import LaneProgress
from halluvault_tasks.storage import sessions
from halluvault_tasks.storage.tables import response, stage_run
from tests.querying import support
from tests.querying.planned import echo, expected, is_case, planned, told

CASES = 60


@pytest.fixture(scope="module")
def case_ids(database_url: str) -> list[str]:
    with sessions.session(database_url) as session:
        return support.build(session, "2026-10", CASES)


RUN = """
import sys
from halluvault_tasks.querying import stages
from halluvault_tasks.querying.registry import Registry
from halluvault_tasks.storage import sessions
url, evaluation, raw = sys.argv[1:]
with sessions.session(url) as session:
    stages.query_shard(session, evaluation, registry=Registry.model_validate_json(raw))
"""


def test_a_run_killed_with_9_and_run_again_gives_one_response_per_case(
    session: Session, database_url: str, case_ids: list[str]
) -> None:
    released = threading.Event()
    answered = 0

    def half(model: str, prompt: str, seed: int | None) -> str:
        nonlocal answered
        answered += is_case(prompt)
        if answered > CASES // 2:
            released.wait(60)  # the run hangs here until it is killed
        return echo(model, prompt, seed)

    with planned(session, "killed", half, in_flight=2) as (plan, registry, _served):
        raw = registry.model_dump_json()
        child = subprocess.Popen([sys.executable, "-c", RUN, database_url, plan.evaluation_id, raw])
        stored = select(func.count()).where(response.c.evaluation_id == plan.evaluation_id)
        while not session.scalar(stored):
            session.rollback()
            assert child.poll() is None
            released.wait(0.05)
        child.kill()
        child.wait()
        released.set()
        before = told(session, plan.evaluation_id)
        assert 0 < len(before) < CASES
        counts = stages.query_shard(session, plan.evaluation_id, registry=registry)
    assert counts.asked == CASES - len(before)
    assert told(session, plan.evaluation_id) == expected(session)


def test_two_runs_of_one_shard_at_once_leave_one_response_per_case(
    session: Session, database_url: str, case_ids: list[str]
) -> None:
    with planned(session, "twice") as (plan, registry, _served):

        def run(_number: int) -> stages.QueryCounts:
            with sessions.session(database_url) as own:
                return stages.query_shard(own, plan.evaluation_id, registry=registry)

        with ThreadPoolExecutor(2) as pool:
            counts = list(pool.map(run, range(2)))
    assert all(each.dead == 0 for each in counts)
    assert told(session, plan.evaluation_id) == expected(session)


def test_a_run_that_never_finished_shows_in_the_run_log(session: Session, case_ids: list[str]) -> None:
    with planned(session, "stopped") as (plan, registry, _served):

        def stop(now: LaneProgress) -> None:
            raise KeyError("stopped from outside")

        with pytest.raises(KeyError, match="stopped from outside"):
            stages.query_shard(session, plan.evaluation_id, registry=registry, watch=stages.Watch(stop))
    row = session.execute(select(stage_run).where(stage_run.c.part == "simulated/stopped 1/1")).one()
    assert row.ended_at is None
