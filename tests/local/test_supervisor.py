"""Children that are killed come back; on real processes, with a clock that the test moves."""

import json
import signal
import threading
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path

import psutil
import pytest

from halluvault_tasks.errors import UserError
from halluvault_tasks.local import airflow, processes
from halluvault_tasks.local.supervisor import CrashLoop, Supervisor


def killed(child: processes.Child) -> None:
    process = child.process()
    assert process is not None
    process.send_signal(signal.SIGKILL)
    psutil.wait_procs([process], timeout=10)


def test_a_child_that_is_killed_is_started_again_and_its_orphans_go_first(tmp_path: Path) -> None:
    pids, now = tmp_path / "pids", [0.0]
    supervisor = Supervisor(pids, lambda: now[0])

    def start() -> processes.Child:
        # Its own child lives on when it is killed, as a scheduler's workers do.
        return processes.start("parent", ["sh", "-c", "sleep 300 & wait"], pids, tmp_path / "log")

    first = start()
    supervisor.keep(first, start, tmp_path / "log")
    try:
        assert supervisor.look() == [], "it lives"
        while not (orphans := psutil.Process(first.pid).children()):
            pass
        killed(first)
        assert supervisor.look() == ["parent"]
        [second] = processes.recorded(pids)
        assert second.pid != first.pid and second.process() is not None
        assert not any(orphan.is_running() for orphan in orphans)
        assert supervisor.look() == []
    finally:
        processes.reap(pids)


def test_one_that_ends_again_and_again_is_given_up_and_one_that_does_so_now_and_then_is_not(tmp_path: Path) -> None:
    pids, now = tmp_path / "pids", [0.0]
    supervisor = Supervisor(pids, lambda: now[0])

    def start() -> processes.Child:
        child = processes.start("brief", ["echo", "FATAL: no room\nshut down"], pids, tmp_path / "log")
        if process := child.process():
            psutil.wait_procs([process], timeout=10)
        return child

    supervisor.keep(start(), start, tmp_path / "log")
    for _ in range(20):
        now[0] += 60.0
        assert supervisor.look() == ["brief"]
    now[0] += 1000.0
    for _ in range(5):
        now[0] += 1.0
        assert supervisor.look() == ["brief"]
    with pytest.raises(
        CrashLoop, match=r"brief ended 6 times within 120 s: FATAL: no room → fix what it says .*log.*resumes"
    ):
        supervisor.look()
    processes.reap(pids)


def test_one_that_cannot_be_started_yet_is_tried_at_the_next_look(tmp_path: Path) -> None:
    pids, refused = tmp_path / "pids", [UserError("its memory is still held")]
    supervisor = Supervisor(pids)

    def start() -> processes.Child:
        if refused:
            raise refused.pop()
        return processes.start("late", ["sleep", "300"], pids, tmp_path / "log")

    child = processes.start("late", ["sleep", "300"], pids, tmp_path / "log")
    supervisor.keep(child, start, tmp_path / "log")
    try:
        killed(child)
        assert supervisor.look() == []
        assert supervisor.look() == ["late"]
    finally:
        processes.reap(pids)


class Airflow(BaseHTTPRequestHandler):
    """Airflow's API as far as a scheduler's health goes, and what its workers do."""

    said = "healthy"
    tasks: tuple[str, ...] = ()

    def do_GET(self) -> None:
        tasks = [{"state": state} for state in self.tasks]
        asked = "taskInstances" in self.path
        self._answer({"task_instances": tasks} if asked else {"scheduler": {"status": self.said}})

    def do_POST(self) -> None:
        self._answer({"access_token": "t"})

    def _answer(self, body: dict[str, object]) -> None:
        text = json.dumps(body).encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(text)))
        self.end_headers()
        self.wfile.write(text)

    def log_message(self, *_: object) -> None:
        pass


SILENT = [
    (0, "healthy", ()), (100, "unhealthy", ()), (119, "healthy", ()), (230, "unhealthy", ()), (240, "unhealthy", ()),
]  # fmt: skip
STUCK = [
    (0, "healthy", ("queued",)), (100, "healthy", ("queued", "running")), (219, "healthy", ("queued",)),
    (221, "healthy", ("queued", "queued")),
]  # fmt: skip


@pytest.mark.parametrize("moments", [SILENT, STUCK])
def test_a_scheduler_that_is_silent_or_whose_workers_take_nothing_for_two_minutes_is_started_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, moments: list[tuple[float, str, tuple[str, ...]]]
) -> None:
    pids, now = tmp_path / "pids", [0.0]
    supervisor = Supervisor(pids)

    def start() -> processes.Child:
        return processes.start("airflow-scheduler", ["sleep", "300"], pids, tmp_path / "log")

    server = HTTPServer(("127.0.0.1", 0), Airflow)
    threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
    first = start()
    supervisor.keep(first, start, tmp_path / "log")
    try:
        where = airflow.Installation(tmp_path, f"http://127.0.0.1:{server.server_port}", {}, "secret")
        api = airflow.AirflowApi(where, supervisor=supervisor, clock=lambda: now[0])
        for number, (moment, said, tasks) in enumerate(moments):
            now[0] = moment
            monkeypatch.setattr(Airflow, "said", said)
            monkeypatch.setattr(Airflow, "tasks", tasks)
            api.look_after_scheduler()
            assert (first.process() is not None) == (number < len(moments) - 1), moment
        api.look()
        [second] = processes.recorded(pids)
        assert second.pid != first.pid and second.process() is not None
    finally:
        server.shutdown()
        server.server_close()
        processes.reap(pids)
