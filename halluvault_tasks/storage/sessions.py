"""Engines and sessions on the results database.

Stages take an open `Session` and commit at their own checkpoints; only commands and DAG tasks open one. Between two
transactions a pooler may give the connection another backend: nothing here or in a stage outlives its transaction.
"""

import re
from collections.abc import Iterator
from contextlib import closing, contextmanager
from functools import cache

import psycopg2
import psycopg2.extensions
from sqlalchemy import Engine, create_engine, make_url
from sqlalchemy.exc import ArgumentError, DBAPIError
from sqlalchemy.orm import Session

from halluvault_tasks.errors import Away, Unavailable, UserError
from halluvault_tasks.storage import versions

_REFUSED = re.compile(r'authentication failed|no password supplied|no pg_hba.conf entry|role ".*" does not exist')
"""What a server says of a connection, in words alone, that no waiting cures."""

_known: set[str] = set()
"""Databases that were found to be of this version."""


@cache
def engine(url: str) -> Engine:
    """One pooled engine per URL and process; a dropped connection is noticed before use."""
    # Each BEGIN names the isolation that all of this is written for, whatever the database's default is.
    return create_engine(
        url,
        pool_pre_ping=True,
        pool_size=4,
        isolation_level="READ COMMITTED",
        connect_args={"connect_timeout": 10},
    )


def shown(url: str) -> str:
    """The URL without its password, for messages."""
    try:
        return make_url(url).render_as_string(hide_password=True)
    except ArgumentError:
        return "(unreadable database URL)"


def explain(error: BaseException | None, url: str, lost: bool = False) -> UserError | None:
    """What a person can fix in an error of psycopg2's, in their words; None where it is a fault of ours.

    Args:
        error: what psycopg2 raised.
        url: database it was raised on; shown without its password.
        lost: the connection broke.
    """
    where, said = shown(url), (str(error).strip().splitlines() or [""])[0]
    state = getattr(error, "pgcode", None) or ""
    if state == "42P01":
        return UserError(f"the database {where} lacks HalluVault's tables: {said}", "run `halluvault db upgrade`")
    if state in {"53100", "58030"}:
        return Unavailable(
            f"the disk of {where} is full or broken: {said}",
            "make room on the database's machine, then run the same command again: it resumes here",
        )
    if state == "42501":
        return UserError(
            f"the role of {where} may not do this: {said}",
            "use the database's owner in HALLUVAULT_DATABASE_URL, or have an administrator grant it",
        )
    if state == "25006":
        return Unavailable(
            f"the server of {where} is read-only: {said}", "name the primary, not a standby, in HALLUVAULT_DATABASE_URL"
        )
    if state in {"57014", "25P03"} and "timeout" in said:
        return UserError(
            f"the time that {where} allows was not enough: {said}",
            "for the role of HALLUVAULT_DATABASE_URL: ALTER ROLE … SET statement_timeout, or "
            "idle_in_transaction_session_timeout, to more",
        )
    if "unsupported startup parameter" in said:
        return UserError(
            f"the pooler at {where} takes no such options with a connection: {said}",
            "take `options` out of HALLUVAULT_DATABASE_URL, and set them for the role: ALTER ROLE … SET …",
        )
    if re.search(r'database ".*" does not exist', said):
        return UserError(
            f"there is no such database at {where}: {said}",
            "correct its name in HALLUVAULT_DATABASE_URL; `halluvault db roles` makes a missing one",
        )
    if _REFUSED.search(said):
        return UserError(
            f"Postgres refused the login at {where}: {said}",
            "correct user, password and database in HALLUVAULT_DATABASE_URL; `halluvault db roles` makes missing ones",
        )
    if state in {"40P01", "40001"}:
        return Away(
            f"another command held a lock that this one needed at {where}, and Postgres ended this one: {said}",
            "run the same command again: it resumes here",
        )
    # A refused connection or an unknown host has no SQLSTATE; 08 and 57P say that it was lost or the server goes down.
    if lost or state.startswith(("08", "57P")) or (isinstance(error, psycopg2.OperationalError) and not state):
        return Away(
            f"Postgres does not answer at {where}: {said}",
            "start it, or correct HALLUVAULT_DATABASE_URL; `halluvault doctor` checks it",
            starting="starting up" in said or "recovery mode" in said or "not yet accepting" in said,
        )
    return None


@contextmanager
def session(url: str) -> Iterator[Session]:
    """A session that rolls back what its user has not committed.

    Raises:
        Unavailable: the database cannot be reached, or is a standby; names the host and the setting.
        UserError: it has no tables of ours, or the role may not do what was asked; or a pooler allows no transactions.
    """
    opened = False
    try:
        with Session(engine(url), expire_on_commit=False) as open_session:
            open_session.connection()
            _require_known(open_session, url)
            opened = True
            try:
                yield open_session
            except psycopg2.Error:  # of COPY, which SQLAlchemy does not see: nor that the connection may be gone
                open_session.invalidate()
                raise
    except (DBAPIError, psycopg2.Error) as error:
        if not opened and "closed the connection" in str(error) and _by_statement(url):
            raise UserError(
                f"the pooler at {shown(url)} allows no transactions (pool_mode = statement)",
                "use transaction or session pooling, or name the server itself in HALLUVAULT_DATABASE_URL",
            ) from error
        cause, lost = (error.orig, error.connection_invalidated) if isinstance(error, DBAPIError) else (error, False)
        if explained := explain(cause, url, lost=lost):
            raise explained from error
        raise


def _require_known(session: Session, url: str) -> None:
    """Checked once per process and database, since a migration does not wait for sessions at work."""
    if url in _known:
        return
    versions.require_server(session.connection().dialect.server_version_info or (0,), shown(url))
    versions.require_tables(session, shown(url))
    session.rollback()
    session.connection()
    _known.add(url)


def behind_pooler(connection: psycopg2.extensions.connection) -> bool:
    """Whether a pooler stands before the server: who was introduced when connecting is not who answers."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_backend_pid()")
        return bool(cursor.fetchone() != (connection.info.backend_pid,))


def _by_statement(url: str) -> bool:
    """Whether single statements go through although transactions do not: PgBouncer hangs up silently."""
    plain = make_url(url).set(drivername="postgresql").render_as_string(hide_password=False)
    try:
        with closing(psycopg2.connect(plain, connect_timeout=10)) as connection:
            connection.autocommit = True
            return behind_pooler(connection)
    except psycopg2.Error:
        return False
