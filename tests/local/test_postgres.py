import os
import resource
import signal
import stat
from contextlib import closing
from pathlib import Path

import psycopg2
import pytest

from halluvault_tasks.errors import UserError
from halluvault_tasks.local import postgres, processes


def test_the_server_wants_a_password_and_listens_on_loopback_only(postgres_server: postgres.PostgresServer) -> None:
    with pytest.raises(psycopg2.OperationalError, match="password"):
        psycopg2.connect(host="127.0.0.1", port=postgres_server.port, user="postgres", dbname="postgres")
    connection = psycopg2.connect(postgres_server.url().replace("+psycopg2", ""))
    with connection.cursor() as cursor:
        cursor.execute("SHOW listen_addresses")
        assert cursor.fetchone() == ("127.0.0.1",)
        cursor.execute("SHOW unix_socket_directories")
        assert cursor.fetchone() == ("",)
    connection.close()


def test_no_folder_above_changes_its_mode_not_even_for_roots_postgres(tmp_path: Path) -> None:
    closed = tmp_path / "closed"
    closed.mkdir(mode=0o700)
    before = {path: path.stat().st_mode for path in [closed, *closed.parents]}
    pids = tmp_path / "pids"
    server = postgres.start(closed / "state" / "data", pids)
    try:
        assert {path: path.stat().st_mode for path in before} == before
        assert stat.S_IMODE((closed / "state" / "data").stat().st_mode) == 0o700
        assert stat.S_IMODE((closed / "state" / "data.password").stat().st_mode) == 0o600
        assert stat.S_IMODE((closed / "state").stat().st_mode) in {0o700, 0o711}
        with closing(psycopg2.connect(server.url().replace("+psycopg2", ""))) as connection:
            assert connection.info.dbname == "postgres"
    finally:
        postgres.stop(server, pids)


def test_a_server_killed_at_work_comes_back_with_what_was_committed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    data, pids = Path("data"), Path("pids")  # as a person may type them
    server = postgres.start(data, pids)
    connection = psycopg2.connect(server.url().replace("+psycopg2", ""))
    with connection, connection.cursor() as cursor:
        cursor.execute("CREATE TABLE kept AS SELECT 42 AS n")
    connection.close()
    os.kill(server.child.pid, signal.SIGKILL)
    os.waitpid(server.child.pid, 0)
    processes.reap(pids)
    again = postgres.start(data, pids)
    connection = psycopg2.connect(again.url().replace("+psycopg2", ""))
    with connection, connection.cursor() as cursor:
        cursor.execute("SELECT n FROM kept")
        assert cursor.fetchone() == (42,)
    connection.close()
    postgres.stop(again, pids)
    assert processes.recorded(pids) == []


def test_what_kept_initdb_from_writing_is_quoted_and_not_what_it_did_about_it(tmp_path: Path) -> None:
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (1 << 20, limits[1]))  # as a full disk: no file can grow any more
    try:
        with pytest.raises(UserError, match="could not write to file") as refused:
            postgres.start(tmp_path / "state" / "data", tmp_path / "pids")
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
    assert "removing" not in refused.value.message
