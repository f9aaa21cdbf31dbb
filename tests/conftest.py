"""One real Postgres a run, whatever its workers are; templates in it that are made once, and a database a module."""

import fcntl
import gc
import json
import os
import shutil
import sys
import tempfile
import uuid
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import psycopg2
import pytest
from hypothesis import HealthCheck, settings
from sqlalchemy.orm import Session

from halluvault_tasks.benchmark import stages
from halluvault_tasks.local import airflow, month, postgres, processes
from halluvault_tasks.settings import REPOSITORY
from halluvault_tasks.storage import migrate, roles, sessions
from tests.require import require

# The workers share the cores: with a thread for each, torch and BLAS wait for each other's and take longer.
os.environ.setdefault("OMP_NUM_THREADS", "1")
# Engines in Java live for seconds here: their optimising compiler takes twice the time that their work does.
os.environ.setdefault("JAVA_TOOL_OPTIONS", "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC")

# How busy the machine is decides no test.
settings.register_profile("halluvault", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("halluvault")

SHARED = Path(__file__).resolve().parents[2] / "shared"

SAMPLE_MONTH = "2026-01"
PASSWORDS = {"halluvault": "owner-secret", roles.READER: "reader-secret", roles.SIMULATOR: "sim-secret"}


def simulators(url: str) -> str:
    """A database's URL for the role of the simulated servers."""
    (ours, theirs) = (f"{role}:{PASSWORDS[role]}@" for role in ("halluvault", roles.SIMULATOR))
    return url.replace(ours, theirs)


@pytest.fixture(scope="session")
def shared_data() -> Path:
    """Real data that nobody here wrote; it lies beside the project and is never committed."""
    require((SHARED / "data").is_dir(), "../shared/data is not on this machine")
    return SHARED / "data"


_SHARED = pytest.StashKey[Path]()
"""The folder of what all workers of a run share."""

LONGEST = (
    "tests/dags/test_scheduler.py",
    "tests/dags/test_whole_month.py",
    "tests/dags/test_suite.py",
    "tests/peers/test_pgbouncer.py",
    "tests/knowledge/test_pull.py",
    "tests/benchmark/recognition/test_asked.py",
    "tests/benchmark/test_memory_external.py",
    "tests/knowledge/test_endurance.py",
    "tests/peers/test_blazegraph.py",
    "tests/peers/test_corenlp.py",
    "tests/cli/test_cli.py",
    "tests/querying/test_storm.py",
    "tests/querying/test_hub.py",
    "tests/reasoning/test_codex.py",
)
"""These begin first: a file of minutes that begins last keeps one worker busy and the others waiting."""


def pytest_configure(config: pytest.Config) -> None:
    if hasattr(config, "workerinput"):
        config.stash[_SHARED] = Path(config.workerinput["shared"])
        return
    # Not under pytest's own root: another run closes that folder, and Postgres, another user, loses its files.
    shared = config.stash[_SHARED] = Path(tempfile.mkdtemp(prefix="halluvault-test-"))
    shared.chmod(0o711)  # as root, Postgres's own user must pass; nothing is opened for it


@pytest.hookimpl(optionalhook=True)
def pytest_configure_node(node: Any) -> None:
    node.workerinput["shared"] = str(node.config.stash[_SHARED])


def pytest_unconfigure(config: pytest.Config) -> None:
    if not hasattr(config, "workerinput") and _SHARED in config.stash:
        processes.reap(config.stash[_SHARED] / "pids")
        shutil.rmtree(config.stash[_SHARED])


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    place = {REPOSITORY / name: rank for rank, name in enumerate(LONGEST)}
    items.sort(key=lambda item: place.get(item.path, len(place)))


def pytest_collection() -> None:
    """What tests import and what describes them lives as long as the run: no garbage to look for while it is made."""
    gc.disable()


def pytest_collection_finish() -> None:
    """Nor does the garbage collector look at it later."""
    gc.collect()
    gc.freeze()
    gc.enable()
    gc.set_threshold(50_000, 20, 50)


@pytest.fixture(scope="session")
def once(pytestconfig: pytest.Config) -> Callable[[str, Callable[[], str]], str]:
    """What a function returns for the first worker that asks under a name; the others wait for it and are told."""
    folder = pytestconfig.stash[_SHARED]

    def once(name: str, make: Callable[[], str]) -> str:
        path = folder / f"{name}.made"
        with (folder / f"{name}.lock").open("w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            if not path.exists():
                path.write_text(make())
        return path.read_text()

    return once


@pytest.fixture(scope="session")
def postgres_server(pytestconfig: pytest.Config, once: Callable[..., str]) -> postgres.PostgresServer:
    """The run's server; it ends with the run."""
    folder = pytestconfig.stash[_SHARED]

    def start() -> str:
        return json.dumps(postgres.start(folder / "data", folder / "pids", fast=True))

    port, password, child = json.loads(once("postgres", start))
    return postgres.PostgresServer(port, password, processes.Child(*child))


def copy_database(server: postgres.PostgresServer, template: str, name: str, owner: str = "halluvault") -> None:
    """A database as another one is. Copying its files takes a tenth of the time that the default, its log, takes."""
    with closing(_admin(server)) as connection, connection.cursor() as cursor:
        cursor.execute(f"CREATE DATABASE {name} TEMPLATE {template} OWNER {owner} STRATEGY FILE_COPY")


@contextmanager
def copied(server: postgres.PostgresServer, template: str) -> Iterator[str]:
    """URL of a database that is made as another one is, and dropped afterwards."""
    name = f"test_{uuid.uuid4().hex[:12]}"
    copy_database(server, template, name)
    url = server.url(name, "halluvault", PASSWORDS["halluvault"])
    yield url
    sessions.engine(url).dispose()
    with closing(_admin(server)) as connection, connection.cursor() as cursor:
        cursor.execute(f"DROP DATABASE {name} WITH (FORCE)")


def _admin(server: postgres.PostgresServer) -> psycopg2.extensions.connection:
    connection = psycopg2.connect(
        host="127.0.0.1", port=server.port, user="postgres", password=server.password, dbname="postgres"
    )
    connection.autocommit = True
    return connection


@pytest.fixture(scope="session")
def template_database(postgres_server: postgres.PostgresServer, once: Callable[..., str]) -> str:
    """Name of a migrated results database without a row."""

    def make() -> str:
        roles.create_database(postgres_server.url(), "halluvault_template", "halluvault", PASSWORDS)
        url = postgres_server.url("halluvault_template", "halluvault", PASSWORDS["halluvault"])
        migrate.upgrade(url)
        sessions.engine(url).dispose()
        return "halluvault_template"

    return once("template", make)


@pytest.fixture(scope="session")
def sample_template(
    postgres_server: postgres.PostgresServer,
    template_database: str,
    once: Callable[..., str],
    tmp_path_factory: pytest.TempPathFactory,
) -> str:
    """Name of a database in which the bundled sample is pulled and derived as month `SAMPLE_MONTH`, and not asked."""

    def make() -> str:
        copy_database(postgres_server, template_database, "sample_template")
        url = postgres_server.url("sample_template", "halluvault", PASSWORDS["halluvault"])
        with sessions.session(url) as session:
            scratch = tmp_path_factory.mktemp("sample")
            month.derive(session, SAMPLE_MONTH, scratch, REPOSITORY / "config", REPOSITORY / "prolog_rules")
        sessions.engine(url).dispose()
        return "sample_template"

    return once("sample", make)


@pytest.fixture(scope="session")
def demo_template(postgres_server: postgres.PostgresServer, sample_template: str, once: Callable[..., str]) -> str:
    """Name of a database in which the sample's month has its benchmark of the demo's size, too."""

    def make() -> str:
        copy_database(postgres_server, sample_template, "demo_template")
        url = postgres_server.url("demo_template", "halluvault", PASSWORDS["halluvault"])
        with sessions.session(url) as session:
            stages.build(session, SAMPLE_MONTH, config_dir=REPOSITORY / "config", size="demo")
        sessions.engine(url).dispose()
        return "demo_template"

    return once("demo", make)


@pytest.fixture(scope="module")
def database_url(postgres_server: postgres.PostgresServer, template_database: str) -> Iterator[str]:
    """A fresh, migrated results database, as its owner's URL."""
    with copied(postgres_server, template_database) as url:
        yield url


@pytest.fixture(scope="session")
def airflow_template(
    postgres_server: postgres.PostgresServer, once: Callable[..., str], tmp_path_factory: pytest.TempPathFactory
) -> str:
    """Name of a migrated Airflow metadata database, to be copied: a copy takes a tenth of a migration."""

    def make() -> str:
        with closing(_admin(postgres_server)) as connection, connection.cursor() as cursor:
            cursor.execute("CREATE DATABASE airflow_template")
        home = tmp_path_factory.mktemp("airflow-template")
        airflow.migrate(airflow.install(home, postgres_server.url("airflow_template"), 0, {}))
        return "airflow_template"

    return once("airflow", make)


@pytest.fixture(scope="session")
def airflow_home(
    postgres_server: postgres.PostgresServer, airflow_template: str, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Path]:
    """This process's Airflow, configured from nothing but the repository.

    Airflow reads its environment when it is first imported, so tests import it inside their functions, and only
    with this fixture.
    """
    assert "airflow" not in sys.modules, "a test imported Airflow at its top level"
    name = f"airflow_{uuid.uuid4().hex[:12]}"
    copy_database(postgres_server, airflow_template, name, "postgres")
    home = tmp_path_factory.mktemp("airflow")
    installed = airflow.install(home, postgres_server.url(name), 0, {})
    with pytest.MonkeyPatch.context() as patch:
        for name in [name for name in os.environ if name.startswith("AIRFLOW")]:
            patch.delenv(name)
        for name, value in installed.environment.items():
            if name.startswith("AIRFLOW"):
                patch.setenv(name, value)
        yield home


@pytest.fixture
def session(database_url: str) -> Iterator[Session]:
    with sessions.session(database_url) as open_session:
        yield open_session


@pytest.fixture(autouse=True)
def _no_settings_from_outside(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in [name for name in os.environ if name.startswith("HALLUVAULT_")]:
        monkeypatch.delenv(name)
