"""A database or role in which nothing can work: one line each that says what is amiss and what mends it."""

import itertools
import socket
import struct
import threading
import uuid
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager

import psycopg2
import pytest
from sqlalchemy import make_url, text

from halluvault_tasks.errors import DatabaseAway, Unavailable, UserError
from halluvault_tasks.local import postgres
from halluvault_tasks.results import views
from halluvault_tasks.storage import migrate, roles, sessions
from tests.conftest import PASSWORDS
from tests.typed import typed

STRANGER = "first@second/th?ird#"
"""A password that a URL must escape."""


@contextmanager
def administrator(server: postgres.PostgresServer, database: str = "postgres") -> Iterator[Callable[[str], object]]:
    with closing(sessions.connect_to(make_url(server.url(database)))) as connection, connection.cursor() as cursor:
        yield cursor.execute


@pytest.fixture
def fresh(postgres_server: postgres.PostgresServer, template_database: str) -> Iterator[Callable[..., str]]:
    """Makes a database of the pipeline's role and returns its URL; each goes with the test."""
    made: list[str] = []

    def make(how: str = "", owner: str = "halluvault") -> str:
        made.append(f"test_{uuid.uuid4().hex[:12]}")
        with administrator(postgres_server) as execute:
            execute(f"CREATE DATABASE {made[-1]} OWNER {owner} TEMPLATE template0 {how}")
        return postgres_server.url(made[-1], "halluvault", PASSWORDS["halluvault"])

    yield make
    for name in made:
        sessions.engine(postgres_server.url(name, "halluvault", PASSWORDS["halluvault"])).dispose()
        with administrator(postgres_server) as execute:
            execute(f"DROP DATABASE {name} WITH (FORCE)")


@pytest.fixture
def stranger(postgres_server: postgres.PostgresServer, database_url: str) -> Iterator[str]:
    """URL of a role that owns nothing, on a migrated database."""
    name, place = f"role_{uuid.uuid4().hex[:12]}", make_url(database_url).database
    with administrator(postgres_server) as execute:
        execute(f"CREATE ROLE {name} LOGIN PASSWORD '{STRANGER}'")
        execute(f"GRANT CONNECT ON DATABASE {place} TO {name}")
    url = make_url(postgres_server.url(place)).set(username=name, password=STRANGER)
    rendered = url.render_as_string(hide_password=False)
    yield rendered
    sessions.engine(rendered).dispose()
    with administrator(postgres_server, str(place)) as execute:
        execute(f"DROP OWNED BY {name}")
        execute(f"DROP ROLE {name}")


def refused(url: str, act: Callable[[str], object]) -> UserError:
    """What somebody is told who does this; the database is met for the first time."""
    sessions._known.clear()
    sessions.engine(url).dispose()
    with pytest.raises(UserError) as caught:
        act(url)
    assert "\n" not in str(caught.value)
    assert not any(part in str(caught.value) for part in ("first", "ird#", PASSWORDS["halluvault"]))
    return caught.value


def open_session(url: str) -> None:
    with sessions.session(url):
        pass


def write(url: str) -> None:
    with sessions.session(url) as session:
        session.execute(text("DELETE FROM incident"))
        session.commit()


def doctor(url: str) -> str:
    """What `halluvault doctor` says of Postgres and of the disks, and how to mend it."""
    done = typed("doctor", HALLUVAULT_DATABASE_URL=url, HALLUVAULT_EMBEDDING_MODEL="/none/model")
    assert "Traceback" not in done.stderr
    lines = itertools.dropwhile(lambda line: "│ Postgres" not in line, done.stdout.splitlines())
    rows = list(itertools.takewhile(lambda line: "│ SPARQL" not in line, lines))
    cells = zip(*(line.split("│")[3:5] for line in rows), strict=True)
    return " → ".join(" ".join(" ".join(cell).split()) for cell in cells)


@pytest.mark.parametrize("encoding", ["SQL_ASCII", "LATIN1"])
def test_a_database_that_cannot_hold_every_name_is_refused_before_anything_is_written(
    fresh: Callable[..., str], postgres_server: postgres.PostgresServer, encoding: str
) -> None:
    url = fresh(f"ENCODING '{encoding}' LC_COLLATE 'C' LC_CTYPE 'C'")
    for act in (migrate.upgrade, views.upgrade, open_session):
        told = refused(url, act)
        assert f"is encoded {encoding}, which cannot hold every name" in told.message
    assert f"is encoded {encoding}" in doctor(url)
    place = str(make_url(url).database)
    with administrator(postgres_server, place) as execute:
        execute("DO $$BEGIN ASSERT NOT EXISTS (SELECT FROM pg_tables WHERE schemaname = 'public'); END$$")
    with pytest.raises(UserError, match=f"{place} is there, encoded {encoding}; it must be UTF8"):
        roles.create_database(postgres_server.url(), place, "halluvault", {"halluvault": ""})
    # The command that is named mends it.
    command = told.way_out.partition("with CREATE ")[2].partition(",")[0].replace(" other ", f" {place}_utf8 ")
    with administrator(postgres_server) as execute:
        execute(f"CREATE {command}")
    mended = url.replace(place, f"{place}_utf8")
    migrate.upgrade(mended)
    write(mended)
    sessions.engine(mended).dispose()
    with administrator(postgres_server) as execute:
        execute(f"DROP DATABASE {place}_utf8 WITH (FORCE)")


@pytest.mark.parametrize("client", ["LATIN1", "SQL_ASCII"])
def test_texts_travel_as_utf8_whatever_the_url_or_the_environment_says(
    database_url: str, monkeypatch: pytest.MonkeyPatch, client: str
) -> None:
    monkeypatch.setenv("PGCLIENTENCODING", client)
    url = f"{database_url}?client_encoding={client}"
    with sessions.session(url) as session:
        assert session.scalar(text("SELECT 'Łódź' || chr(322)")) == "Łódźł"
    sessions.engine(url).dispose()


@pytest.mark.parametrize(
    ("setting", "way_out"),
    [
        ("ALTER ROLE {role} SET search_path = ''", "ALTER ROLE {role} RESET search_path"),
        ("ALTER ROLE {role} SET search_path = nowhere", "ALTER ROLE {role} RESET search_path"),
        (
            "ALTER ROLE {role} IN DATABASE {database} SET search_path = nowhere",
            "ALTER ROLE {role} IN DATABASE {database} RESET search_path",
        ),
        ("ALTER DATABASE {database} SET search_path = nowhere", "ALTER DATABASE {database} RESET search_path"),
        ("REVOKE USAGE ON SCHEMA public FROM PUBLIC", "GRANT USAGE, CREATE ON SCHEMA public TO {role}"),
        (
            "CREATE SCHEMA {role} AUTHORIZATION {role}; ALTER ROLE {role} SET search_path = {role}",
            "ALTER ROLE {role} RESET search_path",
        ),
    ],
)
def test_a_role_without_a_schema_is_told_what_gives_it_one(
    stranger: str, postgres_server: postgres.PostgresServer, setting: str, way_out: str
) -> None:
    at = make_url(stranger)
    names = {"role": at.username, "database": at.database}
    with administrator(postgres_server, str(at.database)) as execute:
        execute(setting.format(**names))
    try:
        told = refused(stranger, open_session)
        assert "search_path" in told.message
        assert told.way_out.removeprefix("as its owner: ") == way_out.format(**names)
        assert "search_path" in doctor(stranger)
        assert refused(stranger, migrate.upgrade).way_out == told.way_out, "no second set of tables"
        with administrator(postgres_server, str(at.database)) as execute:
            execute(told.way_out.removeprefix("as its owner: "))
        sessions.engine(stranger).dispose()
        open_session(stranger)
    finally:
        with administrator(postgres_server, str(at.database)) as execute:
            execute("GRANT USAGE ON SCHEMA public TO PUBLIC")


@pytest.mark.parametrize(
    ("setting", "way_out"),
    [
        (
            "ALTER ROLE halluvault IN DATABASE {0} SET default_transaction_read_only = on",
            "ALTER ROLE halluvault IN DATABASE {0} RESET default_transaction_read_only",
        ),
        (
            "ALTER DATABASE {0} SET default_transaction_read_only = on",
            "ALTER DATABASE {0} RESET default_transaction_read_only",
        ),
        ("", "take default_transaction_read_only out of `options` in HALLUVAULT_DATABASE_URL, or of PGOPTIONS"),
    ],
)
def test_a_setting_that_forbids_writing_is_named_and_no_standby_blamed(
    fresh: Callable[..., str], postgres_server: postgres.PostgresServer, setting: str, way_out: str
) -> None:
    url = fresh()
    views.upgrade(url)
    place = make_url(url).database
    if setting:
        with administrator(postgres_server) as execute:
            execute(setting.format(place))
    else:
        url += "?options=-c%20default_transaction_read_only%3Don"
    for act in (write, views.upgrade):
        told = refused(url, act)
        assert not isinstance(told, Unavailable), "no waiting cures it"
        assert "default_transaction_read_only is on" in told.message and "no standby" in told.message
        assert told.way_out == way_out.format(place)
    assert "default_transaction_read_only is on" in doctor(url)
    if setting:
        with administrator(postgres_server) as execute:
            execute("SET default_transaction_read_only = off")
            execute(told.way_out)
        sessions.engine(url).dispose()
        write(url)
    else:
        open_session(url)  # it may be read
        sessions.engine(url).dispose()


def test_a_standby_is_told_from_a_setting(fresh: Callable[..., str], postgres_server: postgres.PostgresServer) -> None:
    url = fresh()
    views.upgrade(url)
    place = str(make_url(url).database)
    # No standby can be had here: a primary says that it is one, in a database of its own.
    with administrator(postgres_server, place) as execute:
        execute("SET allow_system_table_mods = on")
        execute("UPDATE pg_proc SET proname = 'in_recovery' WHERE oid = 'pg_catalog.pg_is_in_recovery()'::regprocedure")
        execute("CREATE FUNCTION pg_catalog.pg_is_in_recovery() RETURNS bool LANGUAGE sql AS $$SELECT true$$")
        execute(f"ALTER DATABASE {place} SET default_transaction_read_only = on")
    told = refused(url, write)
    assert isinstance(told, Unavailable), "it may become the primary"
    assert "is a standby" in told.message and "name the primary" in told.way_out
    assert "is a standby" in doctor(url)


@pytest.mark.parametrize(
    ("setting", "said"),
    [
        ("ALTER ROLE {role} NOLOGIN", "is not permitted to log in → .*ALTER ROLE … LOGIN"),
        (
            "REVOKE CONNECT ON DATABASE {database} FROM PUBLIC, {role}",
            "denied for database .* → .*GRANT CONNECT",
        ),
        ("ALTER ROLE {role} PASSWORD 'other'", "refused the login .* → correct user, password and database"),
    ],
)
def test_who_is_not_let_in_is_told_so_and_not_that_nobody_answers(
    stranger: str, postgres_server: postgres.PostgresServer, setting: str, said: str
) -> None:
    at = make_url(stranger)
    with administrator(postgres_server) as execute:
        execute(setting.format(role=at.username, database=at.database))
    told = refused(stranger, open_session)
    with administrator(postgres_server) as execute:
        execute(f"GRANT CONNECT ON DATABASE {at.database} TO PUBLIC")
    assert not isinstance(told, DatabaseAway)
    with pytest.raises(UserError, match=said):
        raise told


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ("sslmode=required", 'invalid sslmode value: "required"'),
        ("sslmode=verify-full", "does not support SSL"),
        ("options=-c%20no_such%3Dsetting", 'unrecognized configuration parameter "no_such"'),
        ("target_session_attrs=any-one", "invalid target_session_attrs value"),
        ("service=nowhere", 'definition of service "nowhere" not found'),
        ("require_auth=none", "authentication method requirement"),
    ],
)
def test_an_option_that_libpq_or_the_server_refuses_is_no_postgres_that_is_away(
    database_url: str, options: str, said: str
) -> None:
    told = refused(f"{database_url}?{options}", open_session)
    assert not isinstance(told, DatabaseAway)
    assert said in told.message and "options behind the ?" in told.way_out


def test_who_may_not_create_tables_is_told_by_the_upgrade_and_by_doctor(
    fresh: Callable[..., str], postgres_server: postgres.PostgresServer
) -> None:
    url = fresh(owner="postgres")
    told = refused(url, views.upgrade)
    assert "permission denied for schema public" in told.message and "owner" in told.way_out
    assert "GRANT CREATE ON SCHEMA public TO halluvault" in doctor(url)


@pytest.fixture
def german() -> Iterator[int]:
    """Port of a server that refuses every login in German, encoded LATIN1."""
    said = "FATAL:  Passwort-Authentifizierung für Benutzer »u« fehlgeschlagen".encode("latin-1")
    body = b"SFATAL\0C28P01\0M" + said.partition(b"  ")[2] + b"\0\0"

    def serve() -> None:
        while True:
            try:
                client, _ = listening.accept()
            except OSError:  # closed: the test is over
                return
            with client:
                if len(client.recv(1000)) == 8:  # first it is asked for TLS
                    client.sendall(b"N")
                    client.recv(1000)
                client.sendall(b"E" + struct.pack(">i", len(body) + 4) + body)

    with socket.create_server(("127.0.0.1", 0)) as listening:
        serving = threading.Thread(target=serve, daemon=True)
        serving.start()
        yield listening.getsockname()[1]
        listening.shutdown(socket.SHUT_RDWR)
    serving.join()


def test_a_server_that_refuses_in_letters_of_its_own_is_quoted(german: int) -> None:
    url = f"postgresql+psycopg2://u:secret@127.0.0.1:{german}/db"
    for act in (open_session, migrate.upgrade):
        assert "Passwort-Authentifizierung für Benutzer »u« fehlgeschlagen" in refused(url, act).message
    with pytest.raises(UserError, match="für Benutzer"):
        roles.drop_database(url, "nowhere")


def test_of_several_addresses_the_one_that_answered_tells_why() -> None:
    said = (
        'connection to server at "localhost" (::1), port 5432 failed: Connection refused\n'
        "\tIs the server running on that host and accepting TCP/IP connections?\n"
        'connection to server at "localhost" (127.0.0.1), port 5432 failed: FATAL:  password authentication failed '
        'for user "u"\n'
    )
    found = sessions.why(psycopg2.OperationalError(said), "postgresql+psycopg2://u:p@localhost/d")
    assert found is not None and "refused the login" in found.message


def test_what_libpq_says_is_shown_without_the_password() -> None:
    url = "postgresql+psycopg2://u:hunter%402-hunter@h/d?password=other-hunter2"
    said = 'could not translate host name "hunter@2-hunter" with password=other-hunter2 to address'
    found = sessions.why(psycopg2.OperationalError(said), url)
    assert found is not None and "hunter" not in str(found)
