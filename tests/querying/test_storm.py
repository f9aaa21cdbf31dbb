"""Everything at once: a server that fails a third of the requests and is killed, a database that is restarted, a client
that is killed again and again. What must come out does not depend on any of it."""

import multiprocessing
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from multiprocessing.process import BaseProcess
from pathlib import Path
from urllib.error import URLError
from urllib.request import urlopen

import pytest
from sqlalchemy import func, select

from halluvault_tasks.local import postgres, processes
from halluvault_tasks.local.simulator import http_faults, texts
from halluvault_tasks.querying import stages
from halluvault_tasks.querying.registry import Registry
from halluvault_tasks.storage import migrate, roles, sessions
from halluvault_tasks.storage.tables import prompt, response
from tests.conftest import PASSWORDS
from tests.local.simulated import recorded
from tests.querying import support

CASES = 600
KILLS = 5
STORM = "mix=0.3,poison=0.005,seed=11"
SERVED = "simulated/storm"


class OwnPostgres:
    """A server that this test alone uses, and so may restart."""

    def __init__(self, directory: Path) -> None:
        self._directory = directory
        self._pids = directory / "pids"
        self._server = postgres.start(directory / "data", self._pids, fast=True)
        roles.create_database(self._server.url(), "storm", "halluvault", PASSWORDS)
        self.url = self._server.url("storm", "halluvault", PASSWORDS["halluvault"])
        migrate.upgrade(self.url)

    def stop(self) -> None:
        postgres.stop(self._server, self._pids)

    def restart(self) -> None:
        self.stop()
        self._server = postgres.start(self._directory / "data", self._pids, port=self._server.port, fast=True)

    def close(self) -> None:
        sessions.engine(self.url).dispose()
        postgres.stop(self._server, self._pids)


class ModelServer:
    """The simulated server in a process of its own."""

    def __init__(self, record: Path) -> None:
        self._port = processes.free_port()
        self.url = f"http://127.0.0.1:{self._port}"
        self._record = record
        self.start()

    def start(self) -> None:
        command = [sys.executable, "-m", "halluvault_tasks.local.simulator", "--port", str(self._port)]
        command += ["--models", "storm", "--synthetic", "--latency-ms", "40", "--faults", STORM]
        self._process = subprocess.Popen([*command, "--record", str(self._record)])

    def await_up(self) -> None:
        while self._process.poll() is None:
            try:
                with urlopen(f"{self.url}/health", timeout=5):
                    return
            except (URLError, ConnectionError):
                time.sleep(0.05)
        raise AssertionError("the simulated server did not start")

    def kill(self) -> None:
        self._process.kill()
        self._process.wait()


@pytest.fixture
def database() -> Iterator[OwnPostgres]:
    directory = Path(tempfile.mkdtemp(prefix="halluvault-storm-"))
    running = OwnPostgres(directory)
    yield running
    running.close()
    processes.reap(directory / "pids")
    shutil.rmtree(directory)


def ask(url: str, evaluation: str, raw: str) -> None:
    """The client, in a process that may be killed: one shard, from what is missing to the end."""
    with sessions.session(url) as session:
        stages.query_shard(session, evaluation, registry=Registry.model_validate_json(raw))
    os._exit(0)


def test_a_storm_leaves_one_response_per_case_and_buries_nothing_but_poison(
    database: OwnPostgres, tmp_path: Path
) -> None:
    server = ModelServer(tmp_path / "sent")
    with sessions.session(database.url) as session:
        support.build_plain(session, "2026-10", CASES)
        texts_by_case = dict(session.execute(select(prompt.c.case_id, prompt.c.text)).all())  # type: ignore[arg-type]
        server.await_up()
        # Attempts: what may fail by chance alone must not add up to a dead letter in 600 prompts. One second for a
        # request, since two of the fifteen faults are silence.
        registry = support.registry(
            server.url, name=SERVED, in_flight=24, attempts=16, timeout_seconds=1, outage_seconds=60
        )
        [plan] = stages.plan(session, "2026-10", registry=registry).evaluations
    sessions.engine(database.url).dispose()

    raw = registry.model_dump_json()
    fork = multiprocessing.get_context("fork")
    # An address of its own, so that no connection of the parent's pool is used from two processes.
    its_url = f"{database.url}?application_name=storm"

    def start() -> BaseProcess:
        child = fork.Process(target=ask, args=(its_url, plan.evaluation_id, raw))
        child.start()
        return child

    for kill in range(KILLS):
        child = start()
        before = stored(database.url, plan.evaluation_id)
        before = wait_for_more(database.url, plan.evaluation_id, before, child)
        if kill == 1:
            server.kill()
            server.start()
        if kill == 3:
            database.restart()
        if kill in (1, 3):  # it lives on, and goes on
            wait_for_more(database.url, plan.evaluation_id, before, child)
        assert child.pid is not None
        os.kill(child.pid, signal.SIGKILL)
        child.join()
    left = CASES - stored(database.url, plan.evaluation_id)
    assert left > 0, "killed for the last time before the end"
    last = start()
    last.join()
    assert last.exitcode == 0
    server.kill()

    with sessions.session(database.url) as session:
        rows = session.execute(select(response).where(response.c.evaluation_id == plan.evaluation_id)).all()
    poison = {case for case, text in texts_by_case.items() if http_faults.parse(STORM).is_poison(text)}
    assert sorted(row.case_id for row in rows) == sorted(texts_by_case)
    assert {row.case_id for row in rows if row.status == "dead"} == poison
    assert poison and all(row.error and row.text is None for row in rows if row.case_id in poison)
    delivered = {row.case_id: row.text for row in rows if row.status == "delivered"}
    assert delivered == {
        case: texts.answer(SERVED, text, None) for case, text in texts_by_case.items() if case not in poison
    }
    sent = {(each.prompt, each.text) for each in recorded(tmp_path / "sent")}
    assert {(texts_by_case[case], text) for case, text in delivered.items()} <= sent


def stored(url: str, evaluation: str) -> int:
    with sessions.session(url) as session:
        count = select(func.count()).select_from(response).where(response.c.evaluation_id == evaluation)
        return session.scalar(count) or 0


def wait_for_more(url: str, evaluation: str, before: int, child: BaseProcess) -> int:
    """Until the child has committed something of its own: a kill before that would prove little."""
    while (now := stored(url, evaluation)) <= before:
        assert child.is_alive(), "the client ended before it was killed"
        time.sleep(0.02)
    return now
