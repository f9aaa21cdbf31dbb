"""A program and a database of different versions: one line, and nothing is done."""

from contextlib import closing

import psycopg2
import pytest
from sqlalchemy import make_url, text
from sqlalchemy.orm import Session

from halluvault_tasks.errors import Unavailable, UserError
from halluvault_tasks.local import postgres
from halluvault_tasks.storage import migrate, requirements, sessions


def set_version(session: Session, version: str) -> None:
    session.execute(text("UPDATE alembic_version SET version_num = :version"), {"version": version})
    session.commit()
    sessions._known.clear()  # as a process that starts now


def test_a_database_of_another_version_is_refused_with_the_way_out(session: Session, database_url: str) -> None:
    here = session.scalar(text("SELECT version_num FROM alembic_version"))
    assert here == requirements.newest_migration(), "migrating brings a database to this program's version"
    try:
        set_version(session, "0009")
        with pytest.raises(UserError, match=r"of version 0009, .* → run `halluvault db upgrade`"):
            sessions.session(database_url).__enter__()
        set_version(session, "9999")
        with pytest.raises(UserError, match=r"newer than this program's .* → update this program"):
            sessions.session(database_url).__enter__()
        with pytest.raises(UserError, match=r"of version 9999, which is newer"):
            migrate.upgrade(database_url)
    finally:
        set_version(session, here)
    with sessions.session(database_url) as known:
        assert known.scalar(text("SELECT version_num FROM alembic_version")) == here


@pytest.mark.parametrize(
    ("version", "refused"), [((14, 11), True), ((9, 6, 24), True), ((15, 0), False), ((18, 0), False)]
)
def test_servers_before_15_are_refused(version: tuple[int, ...], refused: bool) -> None:
    if refused:
        with pytest.raises(UserError, match=rf"is PostgreSQL {version[0]}\..*; HalluVault needs 15 to 18"):
            requirements.require_server(version, "here")
    else:
        requirements.require_server(version, "here")


def test_a_server_that_says_it_is_14_is_refused_by_every_command_that_opens_it(
    postgres_server: postgres.PostgresServer, database_url: str
) -> None:
    # No PostgreSQL 14 can be had here: a newer one says that it is one, in a database of its own.
    said = "LANGUAGE sql IMMUTABLE AS $$SELECT 'PostgreSQL 14.22 on x86_64'$$"
    with closing(
        psycopg2.connect(postgres_server.url(make_url(database_url).database).replace("+psycopg2", ""))
    ) as admin:
        with admin.cursor() as cursor:
            cursor.execute("SET allow_system_table_mods = on")
            cursor.execute(
                "UPDATE pg_proc SET proname = 'version_of_old' WHERE oid = 'pg_catalog.version()'::regprocedure"
            )
            cursor.execute(f"CREATE FUNCTION pg_catalog.version() RETURNS text {said}")
        admin.commit()
    sessions.engine(database_url).dispose()
    sessions.engine.cache_clear()
    sessions._known.clear()
    refused = "is PostgreSQL 14.22; HalluVault needs 15 to 18 → upgrade that server"
    with pytest.raises(UserError, match=refused):
        sessions.session(database_url).__enter__()
    with pytest.raises(UserError, match=refused):
        migrate.upgrade(database_url)


@pytest.mark.parametrize(
    ("part", "said"),
    [
        ("password", "refused the login at .* → correct user, password and database"),
        ("database", "there is no such database at .* → correct its name in HALLUVAULT_DATABASE_URL"),
    ],
)
def test_a_wrong_password_or_name_is_no_postgres_that_is_away(database_url: str, part: str, said: str) -> None:
    wrong = make_url(database_url).set(**{part: "wrong"}).render_as_string(hide_password=False)
    with pytest.raises(UserError, match=said) as told:
        sessions.session(wrong).__enter__()
    assert not isinstance(told.value, Unavailable) and ":wrong@" not in str(told.value)
