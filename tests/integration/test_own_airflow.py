"""A plain Airflow in a virtual environment of its own, with nothing of this clone: the wheel, and what it says to type.

Dependencies are read from this environment's packages, so that nothing is downloaded; halluvault itself is the wheel.
"""

import json
import os
import shutil
import signal
import subprocess
import sys
import sysconfig
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.error import URLError
from urllib.request import Request, urlopen

import psutil
import pytest

from halluvault_tasks.local import processes
from halluvault_tasks.settings import REPOSITORY

pytestmark = pytest.mark.slow

_READY_SECONDS = 600


class Own:
    """One virtual environment with a plain Airflow, and how its operator works in it."""

    def __init__(self, root: Path) -> None:
        self.bin, self.home = root / "venv" / "bin", root / "airflow"
        self.port = processes.free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        kept = {name: value for name, value in os.environ.items() if not name.startswith(("AIRFLOW", "HALLUVAULT"))}
        self.environment = kept | {
            "PATH": f"{self.bin}:{os.environ['PATH']}",
            "AIRFLOW_HOME": str(self.home),
            "AIRFLOW__CORE__LOAD_EXAMPLES": "False",
            "AIRFLOW__API__PORT": str(self.port),
            "AIRFLOW__API__BASE_URL": self.url,
            "AIRFLOW__CORE__EXECUTION_API_SERVER_URL": f"{self.url}/execution/",
            "COLUMNS": "300",
        }
        subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(root / "venv")], check=True)
        site = Path(self.run("python", "-c", "import sysconfig; print(sysconfig.get_path('purelib'))").stdout.strip())
        packages = sysconfig.get_path("purelib")
        (site / "dependencies.pth").write_text(packages + "\n")
        script = self.bin / "airflow"
        script.write_text(f"#!{self.bin / 'python'}\nfrom airflow.__main__ import main\nmain()\n")
        script.chmod(0o755)
        self._install_wheel(root / "wheel")

    def _install_wheel(self, folder: Path) -> None:
        source = folder / "source"
        ignored = shutil.ignore_patterns(".*", "build", "*.egg-info", "tests", "__pycache__")
        shutil.copytree(REPOSITORY, source, ignore=ignored)
        pip = [sys.executable, "-m", "pip", "--disable-pip-version-check", "-q"]
        built = [*pip, "wheel", "--no-deps", "--no-build-isolation", "-w", str(folder), str(source)]
        subprocess.run(built, check=True, capture_output=True)
        shutil.rmtree(source)
        [wheel] = folder.glob("halluvault-*.whl")
        installing = [*pip, "--python", str(self.bin / "python"), "install", "--no-deps", "--no-index", str(wheel)]
        subprocess.run([*installing, "--ignore-installed"], check=True, capture_output=True)

    def run(self, *command: str, **more: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [str(self.bin / command[0]), *command[1:]],
            env=self.environment | more, cwd=self.bin, capture_output=True, text=True, check=False,
        )  # fmt: skip


@pytest.fixture(scope="module")
def own(tmp_path_factory: pytest.TempPathFactory, database_url: str) -> Iterator[Own]:
    made = Own(tmp_path_factory.mktemp("own"))
    where = made.run("halluvault", "dags", "path")
    assert where.returncode == 0, where.stderr
    dags = where.stdout.strip()
    assert not dags.startswith(str(REPOSITORY)), "the wheel's own, not the clone's"
    made.environment["AIRFLOW__CORE__DAGS_FOLDER"] = dags
    assert "its database has no tables yet" in made.run("halluvault", "doctor", "--airflow").stdout
    assert made.run("airflow", "db", "migrate").returncode == 0
    with (made.home / "standalone.log").open("wb") as log:
        standalone = subprocess.Popen(
            [str(made.bin / "airflow"), "standalone"], env=made.environment, cwd=made.home,
            stdout=log, stderr=subprocess.STDOUT, start_new_session=True,
        )  # fmt: skip
    try:
        yield made
    finally:
        members = [standalone.pid, *(child.pid for child in psutil.Process(standalone.pid).children(recursive=True))]
        for pid in members:
            try:
                os.kill(pid, signal.SIGKILL)
            except ProcessLookupError:
                continue
        standalone.wait()


def call(own: Own, path: str, body: dict[str, str] | None = None, token: str = "") -> Any:
    headers = {"Content-Type": "application/json"} | ({"Authorization": f"Bearer {token}"} if token else {})
    request = Request(own.url + path, json.dumps(body).encode() if body else None, headers)
    with urlopen(request, timeout=120) as answer:
        text = answer.read().decode()
    return json.loads(text) if "json" in answer.headers["Content-Type"] else text


def test_doctor_says_what_is_missing_until_nothing_is_and_the_page_stands_behind_the_login(
    own: Own, database_url: str
) -> None:
    deadline = time.monotonic() + _READY_SECONDS
    passwords = own.home / "simple_auth_manager_passwords.json.generated"
    while True:
        try:
            call(own, "/api/v2/version")
            break
        except (URLError, ConnectionError, TimeoutError):
            assert time.monotonic() < deadline, (own.home / "standalone.log").read_text()[-3000:]
            time.sleep(1)
    before = own.run("halluvault", "doctor", "--airflow").stdout
    assert "neither a connection halluvault_db nor HALLUVAULT_DATABASE_URL" in before
    assert "missing, or of other slots: wikidata (1), scoring (2)" in before
    assert "halluvault pools --apply" in before

    plain = database_url.replace("+psycopg2", "")
    added = own.run("airflow", "connections", "add", "halluvault_db", "--conn-uri", plain)
    assert added.returncode == 0, added.stderr
    assert "lacks HalluVault's tables and views" in own.run("halluvault", "doctor", "--airflow").stdout
    upgraded = own.run("halluvault", "db", "upgrade", HALLUVAULT_DATABASE_URL=database_url)
    assert upgraded.returncode == 0, upgraded.stderr
    applied = own.run("halluvault", "pools", "--apply")
    assert applied.returncode == 0, applied.stderr
    own.environment["AIRFLOW__EXECUTION_API__JWT_EXPIRATION_TIME"] = "3600"

    wanted = ("plugin", "DAGs", "results database", "task tokens", "pools")
    while True:
        after = own.run("halluvault", "doctor", "--airflow").stdout.splitlines()
        rows = {row: line for line in after for row in wanted if f" {row} " in line.split("│")[2:3].__str__()}
        if all("✓" in rows.get(row, "") for row in wanted):
            break
        assert time.monotonic() < deadline, "\n".join(after)

    name, password = next(iter(json.loads(passwords.read_text()).items()))
    token = call(own, "/auth/token", {"username": name, "password": password})["access_token"]
    assert "HalluVault" in call(own, "/halluvault/", token=token)
    errors = call(own, "/api/v2/importErrors", token=token)
    assert errors["total_entries"] == 0, errors
    with pytest.raises(URLError, match="401"):
        call(own, "/halluvault/")
