"""A database in which a month would go wrong later: one line before it begins, and what mends it."""

import os
import subprocess
import tempfile
import uuid
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest
from sqlalchemy import make_url, text

from halluvault_tasks.errors import Unavailable, UserError
from halluvault_tasks.local import postgres
from halluvault_tasks.storage import migrate, preconditions, sessions
from halluvault_tasks.storage.preconditions import ROOM_MB, MonthNeed
from tests.conftest import PASSWORDS


@contextmanager
def administrator(server: postgres.PostgresServer, database: str = "postgres") -> Iterator[Callable[[str], object]]:
    with closing(sessions.connect_to(make_url(server.url(database)))) as connection, connection.cursor() as cursor:
        yield cursor.execute


@pytest.fixture
def made(postgres_server: postgres.PostgresServer) -> Iterator[Callable[..., str]]:
    """Makes a migrated database and returns its URL; each goes with the test."""
    names: list[str] = []

    def make(how: str) -> str:
        names.append(f"test_{uuid.uuid4().hex[:12]}")
        with administrator(postgres_server) as execute:
            execute(f"CREATE DATABASE {names[-1]} OWNER halluvault TEMPLATE template0 {how}")
        url = postgres_server.url(names[-1], "halluvault", PASSWORDS["halluvault"])
        migrate.upgrade(url)
        return url

    yield make
    for name in names:
        sessions.engine(postgres_server.url(name, "halluvault", PASSWORDS["halluvault"])).dispose()
        with administrator(postgres_server) as execute:
            execute(f"DROP DATABASE {name} WITH (FORCE)")


@pytest.fixture
def small_disk() -> Iterator[Path]:
    """A disk with no room for a month, that of the server's user too."""
    folder = Path(tempfile.mkdtemp(prefix="halluvault-disk-"))
    size = f"size={ROOM_MB - 24}m,mode=0755"
    mount = ["mount", "-t", "tmpfs", "-o", size, "tmpfs", str(folder)]
    try:
        if os.geteuid() != 0 or subprocess.run(mount, check=False, capture_output=True).returncode:
            pytest.skip("a disk of its own needs root, who may mount")
        yield folder
        subprocess.run(["umount", "--lazy", str(folder)], check=True)
    finally:
        folder.rmdir()


def begin(url: str, need: MonthNeed = MonthNeed()) -> None:
    """As the first step of a month."""
    with sessions.session(url) as session:
        preconditions.require(session.connection(), need)
        session.rollback()
        assert session.scalar(text("SELECT to_regclass('room_asked_for')")) is None


def refused(url: str, need: MonthNeed = MonthNeed()) -> UserError:
    with pytest.raises(UserError) as caught:
        begin(url, need)
    assert "\n" not in str(caught.value) and PASSWORDS["halluvault"] not in str(caught.value)
    return caught.value


def follow(told: UserError, execute: Callable[[str], object]) -> None:
    """Do what the way out says."""
    for statement in told.way_out.removeprefix("as owner, in psql: ").split("; "):
        execute(statement)


def test_the_databases_that_we_make_order_texts_by_their_bytes_which_no_library_changes(database_url: str) -> None:
    with sessions.session(database_url) as session:
        made_as = session.execute(
            text(
                "SELECT datlocprovider, datcollate, datcollversion FROM pg_database WHERE datname = current_database()"
            )
        ).one()
    assert tuple(made_as) == ("c", "C", None)
    begin(database_url)


def test_an_order_that_changed_under_the_indexes_is_told_with_what_mends_it(
    made: Callable[..., str], postgres_server: postgres.PostgresServer
) -> None:
    url = made("LOCALE_PROVIDER builtin BUILTIN_LOCALE 'C.UTF-8'")
    place = str(make_url(url).database)
    begin(url)
    with administrator(postgres_server, place) as execute:
        # As another image of Postgres brings another library.
        execute(f"UPDATE pg_database SET datcollversion = '0.9' WHERE datname = '{place}'")
        told = refused(url)
        assert "that of the database was 0.9 and is 1" in told.message
        assert told.way_out.startswith(f"as owner, in psql: REINDEX DATABASE {place}; ALTER DATABASE {place} REFRESH")
    with sessions.session(url) as session, closing(sessions.connect_to(make_url(url))) as owner:
        session.rollback()
        with owner.cursor() as cursor:
            follow(told, cursor.execute)  # the pipeline's own role may
    begin(url)


def test_an_order_that_a_single_column_names_is_told_too(
    made: Callable[..., str], postgres_server: postgres.PostgresServer
) -> None:
    url = made("LC_COLLATE 'C'")
    with administrator(postgres_server, str(make_url(url).database)) as execute:
        execute("CREATE COLLATION public.\"Ours\" (provider = builtin, locale = 'C.UTF-8')")
        execute("UPDATE pg_collation SET collversion = '0.9' WHERE collname = 'Ours'")
        begin(url)  # nothing stands by it
        execute('CREATE TABLE named (name text COLLATE public."Ours" PRIMARY KEY)')
        told = refused(url)
        assert 'that of the collation "Ours" was 0.9 and is 1' in told.message
        follow(told, execute)
    begin(url)


def test_too_few_connections_are_told_with_who_allows_so_few(
    made: Callable[..., str], postgres_server: postgres.PostgresServer
) -> None:
    url = made("LC_COLLATE 'C'")
    place = str(make_url(url).database)
    need = MonthNeed(tasks=4)
    begin(url, need)
    with administrator(postgres_server) as execute:
        execute(f"ALTER DATABASE {place} CONNECTION LIMIT 11")
        told = refused(url, need)
        assert "the database of" in told.message and "leaves 11 connections" in told.message
        assert "may need 12: 2 for each of 4 tasks at a time, and 4" in told.message
        execute(told.way_out.partition(";")[0])
    begin(url, need)
    many = refused(url, MonthNeed(tasks=1000))
    assert "the server of" in many.message and "max_connections" in many.way_out


def test_a_disk_without_room_for_a_month_is_told_before_it_begins(
    made: Callable[..., str], postgres_server: postgres.PostgresServer, small_disk: Path
) -> None:
    server = made("LC_COLLATE 'C'")
    told = refused(server, MonthNeed(folder=small_disk / "state" / "of" / "ours"))
    assert isinstance(told, Unavailable), "room may come by itself"
    assert f"MB free, has no room for {ROOM_MB} MB more" in told.message and "HALLUVAULT_STATE_DIR" in told.way_out
    # Its tables on such a disk; those of the sample's month do not fit, so they are not there yet.
    name = f"disk_{uuid.uuid4().hex[:12]}"
    place = small_disk / "tables"
    place.mkdir()
    running = postgres_server.child.process()
    assert running is not None
    os.chown(place, running.uids().real, running.gids().real)
    with administrator(postgres_server) as execute:
        execute(f"CREATE TABLESPACE {name} LOCATION '{place}'")
        try:
            execute(f"GRANT CREATE ON TABLESPACE {name} TO halluvault")
            url = f"{server}?options=-c%20default_tablespace%3D{name}"
            full = refused(url)
            assert (
                f"has no room for {ROOM_MB} MB more" in full.message and "make room on the database's" in full.way_out
            )
            sessions.engine(url).dispose()
            begin(server)
        finally:
            execute(f"DROP TABLESPACE {name}")
