"""Roles as an administrator meets them: made once, altered only on request, secrets never on a command line."""

import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import psycopg2
import pytest
from sqlalchemy import make_url

from halluvault_tasks.errors import UserError
from halluvault_tasks.local import postgres
from halluvault_tasks.results import views
from halluvault_tasks.storage import roles, sessions
from tests.typed import typed

HALLUVAULT = str(Path(sys.executable).with_name("halluvault"))
SECRETS = {"HALLUVAULT_OWNER_PASSWORD": "owner-1", "HALLUVAULT_READER_PASSWORD": "reader-1"}
MADE = ("first", "second", "second_mine", "airflow")


def run(server: postgres.PostgresServer, *arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    url = f"postgresql+psycopg2://postgres@127.0.0.1:{server.port}/postgres"
    environment = {"PGPASSWORD": server.password, "COLUMNS": "300"} | SECRETS | environment
    return typed("db", "roles", "--admin-url", url, *arguments, **environment)


@pytest.fixture(scope="module", autouse=True)
def _clean(postgres_server: postgres.PostgresServer) -> Iterator[None]:
    yield
    with closing(psycopg2.connect(postgres_server.url().replace("+psycopg2", ""))) as connection:
        connection.autocommit = True
        with connection.cursor() as cursor:
            for name in MADE:
                sessions.engine(postgres_server.url(name, name, "owner-1")).dispose()
                cursor.execute(f"DROP DATABASE IF EXISTS {name} WITH (FORCE)")
            cursor.execute("SELECT rolname FROM pg_roles WHERE rolname ~ '^(first|second|airflow)'")
            for (role,) in cursor.fetchall():
                cursor.execute(f"DROP ROLE {role}")


def connect(server: postgres.PostgresServer, database: str, role: str, password: str) -> psycopg2.extensions.connection:
    return psycopg2.connect(server.url(database, role, password).replace("+psycopg2", ""))


@pytest.fixture(scope="module")
def first(postgres_server: postgres.PostgresServer) -> postgres.PostgresServer:
    done = run(postgres_server, "--database", "first", "--airflow", HALLUVAULT_AIRFLOW_PASSWORD="airflow-1")
    assert done.returncode == 0, done.stderr
    assert "roles first, first_reader made" in done.stderr
    views.upgrade(postgres_server.url("first", "first", "owner-1"))
    return postgres_server


def test_a_second_database_leaves_the_firsts_roles_and_passwords_alone(first: postgres.PostgresServer) -> None:
    other = {"HALLUVAULT_OWNER_PASSWORD": "owner-2", "HALLUVAULT_READER_PASSWORD": "reader-2"}
    assert run(first, "--database", "second", **other).returncode == 0
    connect(first, "first", "first_reader", "reader-1").close()
    connect(first, "second", "second_reader", "reader-2").close()


def test_a_role_that_exists_keeps_its_password_until_a_rotation(first: postgres.PostgresServer) -> None:
    again = run(first, "--database", "first", HALLUVAULT_READER_PASSWORD="reader-9")
    assert again.returncode == 0
    assert "first, first_reader were there and keep their passwords" in again.stderr
    connect(first, "first", "first_reader", "reader-1").close()
    assert run(first, "--database", "first", "--rotate", HALLUVAULT_READER_PASSWORD="reader-9").returncode == 0
    connect(first, "first", "first_reader", "reader-9").close()
    assert run(first, "--database", "first", "--rotate").returncode == 0


def test_production_has_no_role_of_a_simulator_and_asks_for_none(first: postgres.PostgresServer) -> None:
    with closing(connect(first, "first", "first", "owner-1")) as connection, connection.cursor() as cursor:
        cursor.execute("SELECT count(*) FROM pg_roles WHERE rolname = 'first_sim'")
        assert cursor.fetchone() == (0,)
        cursor.execute("SELECT count(*) FROM pg_namespace WHERE nspname = 'simulation'")
        assert cursor.fetchone() == (0,)
    assert views.upgrade(first.url("first", "first", "owner-1")) == []


def test_an_upgrade_names_the_reader_after_the_tables_owner_and_the_command_that_makes_it(
    first: postgres.PostgresServer,
) -> None:
    assert views.upgrade(first.url("first")) == [], "the superuser renews the rights of the owner's reader"
    with closing(psycopg2.connect(first.url().replace("+psycopg2", ""))) as connection:
        connection.autocommit = True
        with connection.cursor() as cursor:
            cursor.execute("CREATE ROLE second_team LOGIN PASSWORD 'owner-1'")
            cursor.execute("CREATE DATABASE second_mine OWNER second_team")
    url = first.url("second_mine", "second_team", "owner-1")
    [missing] = views.upgrade(url)
    assert missing.role == "second_team_reader"
    named, way_out = missing.way_out().split(), ["--database", "second_mine", "--owner", "second_team"]
    assert named == ["halluvault", "db", "roles", *way_out]
    assert run(first, *way_out).returncode == 0
    assert views.upgrade(url) == []
    sessions.engine(url).dispose()


WRITES = (
    "CREATE TEMP TABLE t (a int)",
    "CREATE TABLE t (a int)",
    "SELECT * FROM response",
    "SELECT lo_creat(-1)",
    "SELECT lo_create(0)",
    "SELECT lo_from_bytea(0, 'x')",
    "SELECT lo_put(1, 0, 'x')",
    "SELECT lo_unlink(1)",
    "SELECT lowrite(0, 'x')",
    "SELECT lo_truncate(0, 1)",
    "SELECT lo_truncate64(0, 1)",
)


def test_the_readers_sessions_begin_with_a_limit_and_it_writes_nothing_and_connects_nowhere_else(
    first: postgres.PostgresServer,
) -> None:
    with closing(connect(first, "first", "first_reader", "reader-1")) as connection, connection.cursor() as cursor:
        cursor.execute("SELECT count(*) FROM results_by_model")
        cursor.execute("SHOW statement_timeout")
        assert cursor.fetchone() == ("1min",)
        cursor.execute("SHOW default_transaction_read_only")
        assert cursor.fetchone() == ("on",)
        connection.rollback()
        # Even one who lifts the default finds no right to write.
        for forbidden in WRITES:
            cursor.execute("SET TRANSACTION READ WRITE")
            with pytest.raises(psycopg2.errors.InsufficientPrivilege):
                cursor.execute(forbidden)
            connection.rollback()
    with pytest.raises(psycopg2.OperationalError, match="permission denied for database"):
        connect(first, "airflow", "first_reader", "reader-1")


def test_airflows_metadata_has_a_role_that_is_no_superuser_and_has_no_way_into_the_results(
    first: postgres.PostgresServer,
) -> None:
    with closing(connect(first, "airflow", "airflow", "airflow-1")) as connection, connection.cursor() as cursor:
        cursor.execute("SELECT rolsuper, rolcreaterole, rolcreatedb FROM pg_roles WHERE rolname = 'airflow'")
        assert cursor.fetchone() == (False, False, False)
        cursor.execute("CREATE TABLE mine (a int)")
    with pytest.raises(psycopg2.OperationalError, match="permission denied for database"):
        connect(first, "first", "airflow", "airflow-1")


def test_rights_of_everybody_stay_on_a_database_that_somebody_else_made(first: postgres.PostgresServer) -> None:
    with closing(connect(first, "postgres", "postgres", first.password)) as connection, connection.cursor() as cursor:
        cursor.execute("SELECT datname FROM pg_database WHERE has_database_privilege('first_reader', oid, 'CONNECT')")
        allowed = {name for (name,) in cursor.fetchall()}
        cursor.execute("SELECT has_function_privilege('first_reader', 'lo_create(oid)', 'EXECUTE')")
        assert cursor.fetchone() == (True,)
    assert {"postgres", "first"} <= allowed
    assert not {"second", "airflow"} & allowed


def test_a_database_from_before_is_closed_to_large_objects_with_the_next_rotation(
    first: postgres.PostgresServer,
) -> None:
    with closing(connect(first, "first", "postgres", first.password)) as connection, connection.cursor() as cursor:
        cursor.execute("GRANT EXECUTE ON FUNCTION lo_create(oid) TO PUBLIC")
        connection.commit()
        allowed = "SELECT has_function_privilege('first_reader', 'lo_create(oid)', 'EXECUTE')"
        for more, expected in (((), True), (("--rotate",), False)):
            assert run(first, "--database", "first", *more).returncode == 0
            cursor.execute(allowed)
            assert cursor.fetchone() == (expected,)
            connection.rollback()


def test_no_password_is_taken_from_the_command_line_or_left_in_the_servers_log(first: postgres.PostgresServer) -> None:
    url = f"postgresql+psycopg2://postgres:hunter2@127.0.0.1:{first.port}/postgres"
    done = subprocess.run([HALLUVAULT, "db", "roles", "--admin-url", url], capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert "`ps` shows" in done.stderr and "PGPASSFILE" in done.stderr
    assert "hunter2" not in done.stderr
    with closing(connect(first, "postgres", "postgres", first.password)) as connection, connection.cursor() as cursor:
        cursor.execute("SELECT rolpassword FROM pg_authid WHERE rolname = 'first_reader'")
        assert str(cursor.fetchone()).startswith("('SCRAM-SHA-256$")


def test_secrets_come_from_files_too_and_one_that_is_missing_is_named(
    first: postgres.PostgresServer, tmp_path: Path
) -> None:
    passfile, owner = tmp_path / "pgpass", tmp_path / "owner"
    passfile.write_text(f"*:*:*:postgres:{first.password}\n")
    passfile.chmod(0o600)
    owner.write_text("owner-1\n")
    files = {"PGPASSFILE": str(passfile), "HALLUVAULT_OWNER_PASSWORD": "", "HALLUVAULT_OWNER_PASSWORD_FILE": str(owner)}
    assert run(first, "--database", "first", PGPASSWORD="", **files).returncode == 0
    lacking = run(first, "--database", "third", HALLUVAULT_OWNER_PASSWORD="")
    assert lacking.returncode == 2 and "third does not exist yet" in lacking.stderr
    assert "set HALLUVAULT_OWNER_PASSWORD, or HALLUVAULT_OWNER_PASSWORD_FILE to a file with it" in lacking.stderr
    reader = run(first, "--database", "first", "--owner", "first_other", HALLUVAULT_READER_PASSWORD="")
    assert reader.returncode == 2 and "set HALLUVAULT_READER_PASSWORD, or" in reader.stderr
    airflow = run(first, "--database", "first", "--airflow", HALLUVAULT_AIRFLOW_PASSWORD="")
    assert airflow.returncode == 0, "that one is there"
    unreadable = run(first, HALLUVAULT_READER_PASSWORD="", HALLUVAULT_READER_PASSWORD_FILE="/none")
    assert unreadable.returncode == 2 and "cannot read /none" in unreadable.stderr


def test_what_the_url_says_of_tls_goes_on_to_every_connection(postgres_server: postgres.PostgresServer) -> None:
    url = make_url(postgres_server.url()).update_query_dict({"sslmode": "require"})
    with pytest.raises(UserError, match="does not support SSL"):
        roles.create_database(url.render_as_string(hide_password=False), "none", "none", {"none": "x"})


def test_the_role_for_backups_copies_the_server_and_reads_no_table(first: postgres.PostgresServer) -> None:
    done = run(first, "--database", "first", "--backup", HALLUVAULT_BACKUP_PASSWORD="backup-1")
    assert done.returncode == 0 and "roles first_backup made" in done.stderr, done.stderr
    with closing(psycopg2.connect(first.url().replace("+psycopg2", ""))) as admin, admin.cursor() as cursor:
        cursor.execute("SELECT rolreplication, rolsuper FROM pg_roles WHERE rolname = 'first_backup'")
        assert cursor.fetchone() == (True, False)
    with pytest.raises(psycopg2.OperationalError, match="permission denied"):
        connect(first, "first", "first_backup", "backup-1")


@pytest.mark.parametrize("password", ["", "a wrong one"])
def test_an_administrator_without_the_right_password_is_told_where_it_is_looked_for(
    postgres_server: postgres.PostgresServer, tmp_path: Path, password: str
) -> None:
    done = run(postgres_server, PGPASSWORD=password, PGPASSFILE=str(tmp_path / "none"))
    assert done.returncode == 2
    assert "PGPASSWORD" in done.stderr and "PGPASSFILE" in done.stderr and "--admin-url" not in done.stderr
