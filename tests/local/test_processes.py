import json
import os
import signal
import socket
import subprocess
import sys
from pathlib import Path

import psutil
import pytest

from halluvault_tasks.errors import UserError
from halluvault_tasks.local import processes
from halluvault_tasks.local.ports import Ports

SLEEPER = [sys.executable, "-c", "import signal; print('up', flush=True); signal.pause()"]
FAMILY = [
    sys.executable,
    "-c",
    "import subprocess, sys, signal\n"
    "child = subprocess.Popen([sys.executable, '-c', 'import signal; signal.pause()'])\n"
    "print(child.pid, flush=True)\n"
    "signal.pause()",
]


def _first_line(log: Path, child: processes.Child) -> str:
    while True:
        text = log.read_text()
        if text.endswith("\n"):
            return text.splitlines()[0]
        assert child.process() is not None


def test_a_childs_grandchildren_end_with_it_even_when_it_was_killed(tmp_path: Path) -> None:
    child = processes.start("family", FAMILY, tmp_path / "pids", tmp_path / "log")
    grandchild = psutil.Process(int(_first_line(tmp_path / "log", child)))
    os.kill(child.pid, signal.SIGKILL)
    os.waitpid(child.pid, 0)
    assert grandchild.is_running()
    processes.reap(tmp_path / "pids")
    assert not grandchild.is_running() or grandchild.status() == psutil.STATUS_ZOMBIE


def test_a_stranger_who_got_the_pid_is_not_touched(tmp_path: Path) -> None:
    with subprocess.Popen(SLEEPER, stdout=subprocess.PIPE, start_new_session=True) as stranger:
        assert stranger.stdout is not None
        stranger.stdout.readline()
        started = psutil.Process(stranger.pid).create_time()
        (tmp_path / "old.json").write_text(
            json.dumps({"pid": stranger.pid, "started": started + 500, "ends_on": "SIGTERM"})
        )
        assert processes.reap(tmp_path) == []
        assert stranger.poll() is None
        stranger.kill()


def test_reaping_names_who_was_alive_and_empties_the_record(tmp_path: Path) -> None:
    processes.start("sleeper", SLEEPER, tmp_path / "pids", tmp_path / "log")
    assert processes.reap(tmp_path / "pids") == ["sleeper"]
    assert processes.recorded(tmp_path / "pids") == []
    assert processes.reap(tmp_path / "pids") == []


def test_a_record_cut_short_is_dropped(tmp_path: Path) -> None:
    (tmp_path / "half.json").write_text('{"pid": 1')
    assert processes.recorded(tmp_path) == []
    assert not (tmp_path / "half.json").exists()


def test_a_taken_port_is_named() -> None:
    with socket.socket() as holder:
        holder.bind(("127.0.0.1", 0))
        holder.listen()
        port = holder.getsockname()[1]
        with pytest.raises(UserError, match=f"port {port} for the endpoint is taken"):
            processes.require_free(port, "the endpoint")


def test_a_port_stays_and_one_that_somebody_took_is_changed_aloud(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    port = Ports(tmp_path).of("sim-a")
    assert Ports(tmp_path).of("sim-a") == port != Ports(tmp_path).of("sim-b")
    assert not caplog.messages
    with socket.socket() as other:
        other.bind(("127.0.0.1", port))
        other.listen()
        moved = Ports(tmp_path).of("sim-a")
    assert moved != port
    assert [f"port {port}, where sim-a" in caplog.messages[0], str(moved) in caplog.messages[1]] == [True, True]
    assert Ports(tmp_path).of("sim-a") == moved


def test_a_starter_killed_before_the_record_leaves_nothing_running(tmp_path: Path) -> None:
    begun = tmp_path / "begun"
    program = f"""
import os, signal, sys
from pathlib import Path
from halluvault_tasks.local import processes
Path.replace = lambda *_: os.kill(os.getpid(), signal.SIGKILL)  # just before the record is there
processes.start("orphan", [sys.executable, "-c", "open({str(begun)!r}, 'w'); import signal; signal.pause()"],
                Path({str(tmp_path / "pids")!r}), Path({str(tmp_path / "log")!r}))
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert done.returncode == -signal.SIGKILL, done.stderr
    left = [process for process in psutil.process_iter() if str(begun) in " ".join(_arguments(process))]
    _gone, alive = psutil.wait_procs(left, timeout=30)
    assert alive == []
    assert not begun.exists()


def _arguments(process: psutil.Process) -> list[str]:
    try:
        return process.cmdline()
    except (psutil.NoSuchProcess, psutil.AccessDenied):
        return []


def test_a_child_keeps_its_arguments_and_gets_no_input(tmp_path: Path) -> None:
    words = ["two words", "$HOME", "*", "'"]
    child = processes.start(
        "echo",
        [sys.executable, "-c", "import sys; print(sys.argv[1:], repr(sys.stdin.read()))", *words],
        tmp_path / "pids",
        tmp_path / "log",
    )
    os.waitpid(child.pid, 0)
    assert (tmp_path / "log").read_text() == f"{words} ''\n"


def test_a_second_child_of_a_name_is_refused_and_the_first_stays_on_record(tmp_path: Path) -> None:
    first = processes.start("sleeper", SLEEPER, tmp_path / "pids", tmp_path / "log")
    with pytest.raises(UserError, match=f"sleeper is already running .pid {first.pid}"):
        processes.start("sleeper", SLEEPER, tmp_path / "pids", tmp_path / "log")
    assert [child.pid for child in processes.recorded(tmp_path / "pids")] == [first.pid]
    assert processes.reap(tmp_path / "pids") == ["sleeper"]
