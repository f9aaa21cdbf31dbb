"""`make page` and `make stop` on a demo that runs already."""

import signal
import stat
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from typer.testing import CliRunner

from halluvault_tasks.cli import demo as commands
from halluvault_tasks.local import access, airflow, demo, processes
from halluvault_tasks.local.demo import SourceDate, Stack
from halluvault_tasks.local.supervisor import Supervisor
from tests.local.test_first_light import slow as answering  # noqa: F401 (a fixture)


@pytest.fixture
def state(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    monkeypatch.setattr(demo, "REPOSITORY", tmp_path)
    folder = demo.state_directory(None)
    (folder / "postgres").mkdir(parents=True)
    kept = [(each, signal.getsignal(each)) for each in (signal.SIGINT, signal.SIGTERM)]
    yield folder
    for each, handler in kept:
        signal.signal(each, handler)
    processes.reap(folder / "pids")


@pytest.fixture
def left(state: Path, answering: str) -> Callable[[], list[processes.Child]]:  # noqa: F811
    """What KEEP=1 leaves, with sleepers for Postgres and Airflow; returns those that live."""
    for name in ("postgres", "airflow-api-server", "airflow-scheduler"):
        processes.start(name, ["sleep", "300"], state / "pids", state / "log")
    environment = {"HALLUVAULT_SOURCE": "it's", "AIRFLOW_HOME": "/a b", "OTHER": "1", "HALLUVAULT_VARIANT": ""}
    installed = airflow.Installation(state / "airflow", answering, environment, "pass")
    access.give(
        Stack(state, "2026-10", SourceDate(demo.today(), True), "", "sim", "postgresql://reader@h/d", installed,
              state / "pids", Supervisor(state / "pids"))
    )  # fmt: skip
    return lambda: [child for child in processes.recorded(state / "pids") if child.process()]


def test_a_page_is_shown_of_a_demo_that_runs_and_nothing_of_it_ends(
    left: Callable[[], list[processes.Child]],
    answering: str,  # noqa: F811
) -> None:
    before = left()
    shown = CliRunner().invoke(commands.demos, ["page"], catch_exceptions=False)
    assert shown.exit_code == 0 and f"{answering}/plugin/halluvault" in shown.stdout, shown.output
    assert left() == before
    stopped = CliRunner().invoke(commands.demos, ["stop"], catch_exceptions=False)
    assert stopped.stderr.startswith("stopped: ") and all(child.name in stopped.stderr for child in before)
    assert left() == []
    assert "nothing was running" in CliRunner().invoke(commands.demos, ["stop"]).stderr


def test_a_demo_whose_page_has_ended_is_not_taken_for_one_that_runs(
    left: Callable[[], list[processes.Child]], state: Path
) -> None:
    assert access.of_running(state)
    processes.stop(next(child for child in left() if child.name == "postgres"), state / "pids")
    assert access.of_running(state) is None


def test_the_settings_of_a_demo_are_one_file_for_the_shell_and_its_owner(
    left: Callable[[], list[processes.Child]], state: Path
) -> None:
    file = state / "environment.sh"
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    names = ("SOURCE", "AIRFLOW_API_PASSWORD", "SIM_DATABASE_URL")
    told = f'. "$0"; echo "$AIRFLOW_HOME|{"|".join(f"$HALLUVAULT_{one}" for one in names)}|${{OTHER-unset}}"'
    done = subprocess.run(
        ["sh", "-c", f"{told}; command -v halluvault", str(file)], capture_output=True, text=True, check=True
    )
    assert done.stdout.splitlines()[0] == "/a b|it's|pass|sim|unset"
    assert done.stdout.splitlines()[1].endswith("bin/halluvault")
