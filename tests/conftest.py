"""One real Postgres a session, one migrated template, one database a module made from it."""

import os
import shutil
import sys
import tempfile
import uuid
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import psycopg2
import pytest
from hypothesis import HealthCheck, settings
from sqlalchemy.orm import Session

from halluvault_tasks.local import airflow, postgres, processes
from halluvault_tasks.storage import migrate, roles, sessions
from tests.require import require

# How busy the machine is decides no test.
settings.register_profile("halluvault", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("halluvault")

SHARED = Path(__file__).resolve().parents[2] / "shared"

PASSWORDS = {"halluvault": "owner-secret", roles.READER: "reader-secret", roles.SIMULATOR: "sim-secret"}


@pytest.fixture(scope="session")
def shared_data() -> Path:
    """Real data that nobody here wrote; it lies beside the project and is never committed."""
    require((SHARED / "data").is_dir(), "../shared/data is not on this machine")
    return SHARED / "data"


@pytest.fixture(scope="session")
def postgres_server() -> Iterator[postgres.Server]:
    # Not under pytest's own root: another run closes that folder, and Postgres, another user, loses its files.
    directory = Path(tempfile.mkdtemp(prefix="halluvault-test-"))
    directory.chmod(0o711)  # as root, Postgres's own user must pass; nothing is opened for it
    pids = directory / "pids"
    server = postgres.start(directory / "data", pids, fast=True)
    yield server
    postgres.stop(server, pids)
    processes.reap(pids)
    shutil.rmtree(directory)


def _admin(server: postgres.Server) -> psycopg2.extensions.connection:
    connection = psycopg2.connect(
        host="127.0.0.1", port=server.port, user="postgres", password=server.password, dbname="postgres"
    )
    connection.autocommit = True
    return connection


@pytest.fixture(scope="session")
def template_database(postgres_server: postgres.Server) -> str:
    roles.create_database(postgres_server.url(), "halluvault_template", "halluvault", PASSWORDS)
    url = postgres_server.url("halluvault_template", "halluvault", PASSWORDS["halluvault"])
    migrate.upgrade(url)
    sessions.engine(url).dispose()
    return "halluvault_template"


@pytest.fixture(scope="module")
def database_url(postgres_server: postgres.Server, template_database: str) -> Iterator[str]:
    """A fresh, migrated results database, as its owner's URL."""
    name = f"test_{uuid.uuid4().hex[:12]}"
    with closing(_admin(postgres_server)) as connection, connection.cursor() as cursor:
        cursor.execute(f"CREATE DATABASE {name} TEMPLATE {template_database} OWNER halluvault")
    url = postgres_server.url(name, "halluvault", PASSWORDS["halluvault"])
    yield url
    sessions.engine(url).dispose()
    with closing(_admin(postgres_server)) as connection, connection.cursor() as cursor:
        cursor.execute(f"DROP DATABASE {name} WITH (FORCE)")


@pytest.fixture(scope="session")
def airflow_template(postgres_server: postgres.Server, tmp_path_factory: pytest.TempPathFactory) -> str:
    """Name of a migrated Airflow metadata database, to be copied: a copy takes a tenth of a migration."""
    with closing(_admin(postgres_server)) as connection, connection.cursor() as cursor:
        cursor.execute("CREATE DATABASE airflow_template")
    home = tmp_path_factory.mktemp("airflow-template")
    airflow.migrate(airflow.install(home, postgres_server.url("airflow_template"), 0, {}))
    return "airflow_template"


@pytest.fixture(scope="session")
def airflow_home(
    postgres_server: postgres.Server, airflow_template: str, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Path]:
    """This process's Airflow, configured from nothing but the repository.

    Airflow reads its environment when it is first imported, so tests import it inside their functions, and only
    with this fixture.
    """
    assert "airflow" not in sys.modules, "a test imported Airflow at its top level"
    with closing(_admin(postgres_server)) as connection, connection.cursor() as cursor:
        cursor.execute(f"CREATE DATABASE airflow_in_process TEMPLATE {airflow_template}")
    home = tmp_path_factory.mktemp("airflow")
    installed = airflow.install(home, postgres_server.url("airflow_in_process"), 0, {})
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
