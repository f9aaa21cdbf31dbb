"""What a first start meets: a server that is slow at its first request, a set-up that was killed."""

import os
import shutil
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from halluvault_tasks.local import airflow, processes
from halluvault_tasks.settings import REPOSITORY

SETUP = REPOSITORY / "scripts" / "setup.sh"


class Slow(BaseHTTPRequestHandler):
    """An api-server whose execution API fails twice before it is built."""

    asked: list[str]

    def do_GET(self) -> None:
        self.asked.append(self.path)
        late = self.path.startswith("/execution") and self.asked.count(self.path) < 3
        self.send_response(503 if late else 200)
        self.end_headers()

    def log_message(self, format: str, *args: object) -> None:
        pass


@pytest.fixture
def slow() -> Iterator[str]:
    Slow.asked = []
    server = ThreadingHTTPServer(("127.0.0.1", 0), Slow)
    threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    server.server_close()


def test_nothing_that_needs_the_execution_api_starts_before_it_has_answered(
    slow: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    bin_, up = tmp_path / "bin", tmp_path / "up"
    bin_.mkdir()
    # An Airflow whose scheduler asks at once, as real ones do.
    asks = f"import urllib.request; urllib.request.urlopen('{slow}/scheduler')"
    (bin_ / "airflow").write_text(
        f'#!/bin/sh\n[ "$1" = scheduler ] && python3 -c "{asks}" && touch {up}\nexec sleep 300\n'
    )
    (bin_ / "airflow").chmod(0o755)
    pids = tmp_path / "pids"
    monkeypatch.setattr(sys, "executable", str(bin_ / "python"))
    try:
        airflow.start(
            airflow.Installation(tmp_path / "airflow", slow, dict(os.environ), ""), pids, ("api-server", "scheduler")
        )
        while not up.exists():
            assert len(processes.recorded(pids)) == 2
    finally:
        processes.reap(pids)
    assert Slow.asked == ["/api/v2/version", *["/execution/health"] * 3, "/scheduler"]


PYTHON = """#!/bin/sh
# Stands in for python: knows `-m venv` and `-m pip`, and is killed with its caller where KILL says so.
case "$*" in
    *"-m venv"*) for venv in "$@"; do :; done
        mkdir -p "$venv/bin"; cp "$0" "$venv/bin/python"; echo made >>"$LOG"
        [ -z "$HOLD" ] || { echo at it; read -r go_on; } ;;
    *"-m pip"*install*) [ -z "$KILL" ] || kill -9 $PPID ;;
    *sysconfig*) echo none-none ;;
esac
"""


class Setup:
    """scripts/setup.sh over a folder of its own, with a python that makes folders alone."""

    def __init__(self, folder: Path) -> None:
        self.venv, self._log, self._stub = folder / "venv", folder / "log", folder / "python3"
        self._stub.write_text(PYTHON)
        self._stub.chmod(0o755)
        (folder / "swipl").symlink_to(shutil.which("true") or "/bin/true")
        self._path = f"{folder}:{os.environ['PATH']}"

    def begin(self, kill: str = "", hold: str = "", first: str = ":") -> subprocess.Popen[str]:
        environment = {"PATH": self._path, "PYTHON": str(self._stub), "VENV": str(self.venv), "TORCH": "cuda"}
        environment |= {"EXTRAS": "", "LOG": str(self._log), "KILL": kill, "HOLD": hold}
        pipe = subprocess.PIPE
        return subprocess.Popen(
            ["sh", "-c", f'{first}; exec sh "$0"', str(SETUP)],
            env=environment,
            text=True,
            stdin=pipe,
            stdout=pipe,
            stderr=pipe,
        )

    def run(self, kill: str = "") -> int:
        begun = self.begin(kill)
        begun.communicate()
        return begun.returncode

    def times_made(self) -> int:
        return len(self._log.read_text().split())


def test_a_set_up_that_was_killed_is_made_anew_and_one_that_ended_well_is_left_alone(tmp_path: Path) -> None:
    setup = Setup(tmp_path)
    assert setup.run(kill="yes") == -signal.SIGKILL and setup.venv.is_dir(), "killed at pip, with a folder left behind"
    (setup.venv / "half").touch()
    assert setup.run() == 0 and setup.times_made() == 2, "made anew"
    assert not (setup.venv / "half").exists(), "of what was left behind nothing stays"
    assert setup.run() == 0 and setup.times_made() == 2, "found whole"
    (setup.venv / "bin" / "python").unlink()
    (setup.venv / ".installed").unlink()
    assert setup.run() == 0 and setup.times_made() == 3, "a folder without its python is no virtualenv"


def test_a_second_set_up_leaves_the_folder_to_the_one_that_is_at_work_on_it(tmp_path: Path) -> None:
    setup = Setup(tmp_path)
    with setup.begin(hold="yes") as first:
        assert first.stdout is not None and first.stdout.readline() == "at it\n", "in the middle of `python -m venv`"
        second = setup.begin()
        _, said = second.communicate()
        assert second.returncode == 2
        assert f"another setup (process {first.pid}) is installing into {setup.venv}" in said
        assert "wait for it, or end it" in said
        first.communicate("go on\n")
    assert first.returncode == 0 and setup.times_made() == 1
    assert setup.run() == 0 and setup.times_made() == 1, "and the first one's work is whole"


def test_a_mark_whose_number_another_program_or_this_setup_has_by_now_holds_nobody_up(tmp_path: Path) -> None:
    setup = Setup(tmp_path)
    setup.venv.mkdir()
    mark = setup.venv / ".unfinished"
    mark.write_text(f"{os.getpid()}\n")
    assert setup.run() == 0 and setup.times_made() == 1
    (setup.venv / ".installed").unlink()
    begun = setup.begin(first=f"echo $$ >'{mark}'")
    begun.communicate()
    assert begun.returncode == 0 and setup.times_made() == 2
