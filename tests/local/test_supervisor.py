"""Children that are killed come back; on real processes, with a clock that the test moves."""

import signal
from pathlib import Path

import psutil
import pytest

from halluvault_tasks.errors import UserError
from halluvault_tasks.local import processes
from halluvault_tasks.local.supervisor import Supervisor


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
    supervisor.keep(first, start)
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
        child = processes.start("brief", ["true"], pids, tmp_path / "log")
        if process := child.process():
            psutil.wait_procs([process], timeout=10)
        return child

    supervisor.keep(start(), start)
    for _ in range(20):
        now[0] += 60.0
        assert supervisor.look() == ["brief"]
    now[0] += 1000.0
    for _ in range(5):
        now[0] += 1.0
        assert supervisor.look() == ["brief"]
    with pytest.raises(UserError, match="brief ended 6 times within 120 s"):
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
    supervisor.keep(child, start)
    try:
        killed(child)
        assert supervisor.look() == []
        assert supervisor.look() == ["late"]
    finally:
        processes.reap(pids)
