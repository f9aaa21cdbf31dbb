"""The DAG folder on the path, as Airflow puts it there; the parsed DAGs; the local servers a month needs."""

import os
import socketserver
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import TYPE_CHECKING, Any
from unittest.mock import patch
from urllib.error import URLError
from urllib.request import urlopen

import pytest
import structlog
import yaml

from halluvault_tasks.local import postgres, processes
from halluvault_tasks.results import views
from halluvault_tasks.settings import REPOSITORY, settings
from halluvault_tasks.storage import roles, sessions

if TYPE_CHECKING:
    from airflow.dag_processing.dagbag import BundleDagBag

MONTH = "2026-10"
DEMO = REPOSITORY / "config" / "demo"


def two_domains(config: Path) -> None:
    """Leave two domains in a copied configuration; all of them are gone through in test_whole_month.py."""
    domains = config / "domains.yaml"
    content = yaml.safe_load(domains.read_text(encoding="utf-8"))
    content["domains"] = {name: content["domains"][name] for name in ("geography", "people")}
    domains.write_text(yaml.safe_dump(content), encoding="utf-8")


@pytest.fixture(autouse=True)
def _what_tasks_leave_in_this_process_ends_with_the_test() -> Iterator[None]:
    """`dag.test` runs tasks here: Airflow says in the environment which one runs, and binds it to the log's lines."""
    with patch.dict(os.environ):
        yield
    structlog.contextvars.clear_contextvars()


@pytest.fixture(scope="session")
def dagbag(airflow_home: Path) -> "BundleDagBag":
    from airflow.dag_processing.dagbag import BundleDagBag

    folder = REPOSITORY / "dags"
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("HALLUVAULT_CONFIG_DIR", str(DEMO))  # lanes are made while the file is parsed
        settings.cache_clear()
        try:
            return BundleDagBag(dag_folder=folder, bundle_path=folder, bundle_name="dags-folder")
        finally:
            settings.cache_clear()


@pytest.fixture
def configure(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[..., None]]:
    """Set HALLUVAULT_* variables; settings are read once a process, so they are forgotten before and after."""

    def configure(**values: str) -> None:
        for name, value in values.items():
            monkeypatch.setenv(f"HALLUVAULT_{name.upper()}", value)
        settings.cache_clear()

    settings.cache_clear()
    yield configure
    settings.cache_clear()


@pytest.fixture(scope="module")
def servers(
    postgres_server: postgres.PostgresServer, database_url: str, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[dict[str, str]]:
    """The endpoint over the bundled sample and two simulated servers, as the settings that point at them."""
    with sessions.session(database_url) as session:
        views.install(session)
        roles.grant(session, views.NAMES)
        session.commit()
    state = tmp_path_factory.mktemp("servers")
    database = database_url.rpartition("/")[2]
    simulated = postgres_server.url(database, roles.SIMULATOR, "sim-secret")
    ports = {name: processes.free_port() for name in ("endpoint", "sim_a", "sim_b")}
    commands = {
        "endpoint": ["halluvault_tasks.local.endpoint", "--sample", "checked"],
        "sim_a": ["halluvault_tasks.local.simulator", "--models", "careful,overconfident"],
        "sim_b": ["halluvault_tasks.local.simulator", "--models", "weak-at-time,refuser"],
    }
    environment = os.environ | {"HALLUVAULT_SIM_DATABASE_URL": simulated}
    try:
        for name, command in commands.items():
            processes.start(
                name,
                [sys.executable, "-m", *command, "--port", str(ports[name])],
                state / "pids",
                state / f"{name}.log",
                processes.CommandSurroundings(env=environment),
            )
        for name, port in ports.items():
            _wait(f"http://127.0.0.1:{port}/health", state / f"{name}.log")
        yield {
            "database_url": database_url,
            "sparql_endpoint": f"http://127.0.0.1:{ports['endpoint']}/sparql",
            "source": "bundled-sample",
            "as_of": "2026-10-31",
            "sim_a_url": f"http://127.0.0.1:{ports['sim_a']}",
            "sim_b_url": f"http://127.0.0.1:{ports['sim_b']}",
            "state_dir": str(state),
            "config_dir": str(DEMO),
            "benchmark_size": "demo",
        }
    finally:
        processes.reap(state / "pids")


def _wait(url: str, log: Path) -> None:
    deadline = time.monotonic() + 60
    while True:
        try:
            with urlopen(url, timeout=5):
                return
        except (URLError, ConnectionError) as error:
            if time.monotonic() > deadline:
                raise AssertionError(f"{url} does not answer: {log.read_text(errors='replace')[-2000:]}") from error
            time.sleep(0.1)


class Sink:
    """What arrived."""

    def __init__(self) -> None:
        self.port = 0
        self.bodies: list[str] = []


@contextmanager
def serving(server: socketserver.BaseServer) -> Iterator[None]:
    thread = threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True)
    thread.start()
    try:
        yield
    finally:
        server.shutdown()
        server.server_close()


@pytest.fixture
def web() -> Iterator[Sink]:
    sink = Sink()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            sink.bodies.append(self.rfile.read(int(self.headers["Content-Length"])).decode())
            self.send_response(200)
            self.end_headers()
            self.wfile.write(b"ok")

        def log_message(self, *_: Any) -> None:
            pass

    server = HTTPServer(("127.0.0.1", 0), Handler)
    sink.port = server.server_port
    with serving(server):
        yield sink
