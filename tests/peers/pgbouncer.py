"""A real PgBouncer before the tests' Postgres, in transaction mode, and the clients that keep it busy.

Its servers are handed out in turn (`server_round_robin`), so that what one client does in two transactions lies on two
backends as soon as there are two: what a busy evening does now and then happens here every time.
"""

import os
import pwd
import shutil
import signal
import socket
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path

import psycopg2

from halluvault_tasks.local import postgres, processes

BINARY = shutil.which("pgbouncer", path=f"{os.environ.get('PATH', '')}:/usr/sbin:/usr/local/sbin")

_CONFIG = """
[databases]
{statement} = host=127.0.0.1 port={server} dbname={database} pool_mode=statement
* = host=127.0.0.1 port={server}

[pgbouncer]
listen_addr = 127.0.0.1
listen_port = {port}
unix_socket_dir =
auth_type = scram-sha-256
auth_file = {users}
pool_mode = transaction
server_round_robin = 1
default_pool_size = 16
max_client_conn = 200
"""

STATEMENT_MODE = "by_statement"
"""Name under which the pooler offers the database in the mode that allows no transactions."""


class Pooler:
    """A PgBouncer that may be killed and started again at the same port.

    Args:
        folder: of its configuration, log and record; its user must be able to enter it.
        server: the Postgres behind it.
        database: offered a second time in statement mode.
        passwords: role → password.
    """

    def __init__(self, folder: Path, server: postgres.PostgresServer, database: str, passwords: dict[str, str]) -> None:
        self.port = processes.free_port()
        self._folder = folder
        self._child: processes.Child | None = None
        # It refuses to run as root, as Postgres does.
        self._user = "halluvault-pg" if os.geteuid() == 0 else None
        users = folder / "users"
        known = passwords | {"postgres": server.password}
        users.write_text("".join(f'"{role}" "{password}"\n' for role, password in known.items()))
        (folder / "pgbouncer.ini").write_text(
            _CONFIG.format(statement=STATEMENT_MODE, database=database, server=server.port, port=self.port, users=users)
        )
        if self._user:
            found = pwd.getpwnam(self._user)
            for path in (folder, *folder.iterdir()):
                os.chown(path, found.pw_uid, found.pw_gid)
        self.start()

    def start(self) -> None:
        """Start it unless it runs, and wait until it takes connections."""
        assert BINARY is not None
        if self._child and self._child.process():
            return
        command = [BINARY, str(self._folder / "pgbouncer.ini")]
        within = processes.CommandSurroundings(user=self._user, cwd=self._folder)
        self._child = processes.start("pgbouncer", command, self._folder / "pids", self._folder / "log", within)
        deadline = time.monotonic() + 30
        while True:
            try:
                socket.create_connection(("127.0.0.1", self.port), timeout=5).close()
            except ConnectionError:
                assert time.monotonic() < deadline, (self._folder / "log").read_text()
                time.sleep(0.02)
            else:
                return

    def kill(self) -> None:
        """`kill -9`: every connection through it breaks."""
        assert self._child is not None
        os.kill(self._child.pid, signal.SIGKILL)
        processes.reap(self._folder / "pids")

    def stop(self) -> None:
        """End it."""
        processes.reap(self._folder / "pids")

    def url(self, direct: str) -> str:
        """The URL of a database of the server as it is reached through here."""
        head, _, database = direct.rpartition("/")
        return f"{head.rpartition(':')[0]}:{self.port}/{database}"


@contextmanager
def pooling(server: postgres.PostgresServer, database: str, passwords: dict[str, str]) -> Iterator[Pooler]:
    """A pooler before a server; gone at the end."""
    # Not under pytest's own root, which its user may not enter.
    folder = Path(tempfile.mkdtemp(prefix="halluvault-pooler-"))
    pooler = Pooler(folder, server, database, passwords)
    try:
        yield pooler
    finally:
        pooler.stop()
        shutil.rmtree(folder)


@contextmanager
def busy(url: str, clients: int = 6) -> Iterator[None]:
    """Clients that run one short transaction after the other, and come back when they are cut off."""
    over = threading.Event()

    def work() -> None:
        while not over.is_set():
            with suppress(psycopg2.Error), closing(psycopg2.connect(url.replace("+psycopg2", ""))) as connection:
                while not over.is_set():
                    with connection, connection.cursor() as cursor:
                        cursor.execute("SELECT pg_sleep(0.05)")
            over.wait(0.05)

    threads = [threading.Thread(target=work) for _ in range(clients)]
    for thread in threads:
        thread.start()
    try:
        yield
    finally:
        over.set()
        for thread in threads:
            thread.join()
