"""Months made of evidence files on a Postgres of their own (`oracles.measure.evidence`)."""

import fcntl
import hashlib
import secrets
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path

from sqlalchemy import text

from halluvault_tasks.errors import UserError
from halluvault_tasks.local import postgres, processes, secret_files
from halluvault_tasks.local.postgres import PostgresServer
from halluvault_tasks.oracles.measure import evidence
from halluvault_tasks.oracles.measure.evidence import EvidenceMonth
from halluvault_tasks.results import views
from halluvault_tasks.storage import roles, sessions

_OWNER = "halluvault"
_PREFIX = "evidence_"


@contextmanager
def opened(state: Path, files: Sequence[Path]) -> Iterator[dict[str, str]]:
    """URLs of the months of evidence files, by the files' names; each is filled at its first use.

    Args:
        state: directory of the Postgres; kept. Databases of files that are no longer asked for are dropped.
        files: as `evidence.freeze` writes them.

    Raises:
        UserError: Postgres did not start, another command uses the directory, or a file is no such file.
    """
    with _alone(state):
        yield from _served(state, files)


@contextmanager
def _alone(state: Path) -> Iterator[None]:
    """Nobody else may serve a directory: who starts there ends what was left running."""
    state.mkdir(parents=True, exist_ok=True)
    with (state / "lock").open("w") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            raise UserError(f"another command works in {state}", "wait for it, or set HALLUVAULT_STATE_DIR") from error
        yield


def _served(state: Path, files: Sequence[Path]) -> Iterator[dict[str, str]]:
    pids = state / "pids"
    processes.reap(pids)
    server = postgres.start(state / "postgres", pids)
    try:
        urls = {file.name.partition(".")[0]: _database(server, state, file) for file in files}
        _drop_others(server, urls)
        yield urls
        for url in urls.values():
            sessions.engine(url).dispose()
    finally:
        postgres.stop(server, pids)


@contextmanager
def months(urls: dict[str, str]) -> Iterator[dict[str, EvidenceMonth]]:
    """Sessions on months, by name, and their keys."""
    with ExitStack() as stack:
        found = {}
        for name, url in urls.items():
            session = stack.enter_context(sessions.session(url))
            found[name] = EvidenceMonth(session, session.execute(text("SELECT snapshot FROM snapshot")).scalar_one())
        yield found


def _database(server: PostgresServer, state: Path, file: Path) -> str:
    """A database with a file's rows: one for each content, since relations are numbered by the database."""
    try:
        content = file.read_bytes()
    except OSError as error:
        raise UserError(f"{file} cannot be read: {error}", "give the folder of texts of this version") from error
    passwords = state / "passwords"
    password = secret_files.read(passwords)
    if not password:
        password = {role: secrets.token_urlsafe(18) for role in (_OWNER, roles.READER, roles.SIMULATOR)}
        secret_files.write(passwords, password)
    name = f"{_PREFIX}{hashlib.sha256(content).hexdigest()[:16]}"
    roles.create_database(server.url(), name, _OWNER, password)
    url = server.url(name, _OWNER, password[_OWNER])
    views.upgrade(url)
    with sessions.session(url) as session:
        if not session.scalar(text("SELECT count(*) FROM snapshot")):
            evidence.fill(session, content, file)
    return url


def _drop_others(server: PostgresServer, urls: dict[str, str]) -> None:
    with sessions.engine(server.url()).connect() as connection:
        names = connection.scalars(text("SELECT datname FROM pg_database WHERE datname LIKE :like"),
                                   {"like": f"{_PREFIX}%"}).all()  # fmt: skip
    for name in names:
        if not any(url.endswith(f"/{name}") or f"/{name}?" in url for url in urls.values()):
            roles.drop_database(server.url(), name)
