import os
import signal
from pathlib import Path

import psycopg2
import pytest

from halluvault_tasks.local import postgres, processes


def test_the_server_wants_a_password_and_listens_on_loopback_only(postgres_server: postgres.Server) -> None:
    with pytest.raises(psycopg2.OperationalError, match="password"):
        psycopg2.connect(host="127.0.0.1", port=postgres_server.port, user="postgres", dbname="postgres")
    connection = psycopg2.connect(postgres_server.url().replace("+psycopg2", ""))
    with connection.cursor() as cursor:
        cursor.execute("SHOW listen_addresses")
        assert cursor.fetchone() == ("127.0.0.1",)
        cursor.execute("SHOW unix_socket_directories")
        assert cursor.fetchone() == ("",)
    connection.close()


def test_a_server_killed_at_work_comes_back_with_what_was_committed(tmp_path: Path) -> None:
    pids = tmp_path / "pids"
    server = postgres.start(tmp_path / "data", pids)
    connection = psycopg2.connect(server.url().replace("+psycopg2", ""))
    with connection, connection.cursor() as cursor:
        cursor.execute("CREATE TABLE kept AS SELECT 42 AS n")
    connection.close()
    os.kill(server.child.pid, signal.SIGKILL)
    os.waitpid(server.child.pid, 0)
    processes.reap(pids)
    again = postgres.start(tmp_path / "data", pids)
    connection = psycopg2.connect(again.url().replace("+psycopg2", ""))
    with connection, connection.cursor() as cursor:
        cursor.execute("SELECT n FROM kept")
        assert cursor.fetchone() == (42,)
    connection.close()
    postgres.stop(again, pids)
    assert processes.recorded(pids) == []
