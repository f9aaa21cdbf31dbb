"""Engines and sessions on the results database.

Stages take an open `Session` and commit at their own checkpoints; only commands and DAG tasks open one. Between two
transactions a pooler may give the connection another backend: nothing here or in a stage outlives its transaction.
"""

from collections.abc import Iterator
from contextlib import closing, contextmanager
from functools import cache
from typing import Any

import psycopg2
import psycopg2.extensions
from sqlalchemy import URL, Engine, create_engine, event, make_url
from sqlalchemy.exc import DBAPIError
from sqlalchemy.orm import Session

from halluvault_tasks.database_urls import shown
from halluvault_tasks.errors import UserError
from halluvault_tasks.storage import requirements
from halluvault_tasks.storage.causes import READ_ONLY, explain

_known: set[str] = set()
"""Databases that were found to be of this version."""


@cache
def engine(url: str) -> Engine:
    """One pooled engine per URL and process; a dropped connection is noticed before use."""
    # Each BEGIN names the isolation that all of this is written for, whatever the database's default is.
    made = create_engine(
        url,
        pool_pre_ping=True,
        pool_size=4,
        isolation_level="READ COMMITTED",
        connect_args={"connect_timeout": 10, "client_encoding": "utf8"},
    )
    event.listen(made, "do_connect", lambda _dialect, _record, given, named: connect(*given, **named))
    return made


def connect(*given: Any, **named: Any) -> psycopg2.extensions.connection:
    """As `psycopg2.connect`, also where a server refuses in words that are not UTF-8.

    Raises:
        psycopg2.Error: there is no connection.
    """
    try:
        connection: psycopg2.extensions.connection = psycopg2.connect(*given, **named)
    except UnicodeDecodeError as error:
        raise psycopg2.OperationalError(error.object.decode("latin-1")) from None
    return connection


def connect_to(url: URL) -> psycopg2.extensions.connection:
    """A connection of psycopg2's own, without a transaction around each statement; everything in the URL goes to libpq.

    Raises:
        psycopg2.Error: there is no connection.
    """
    given, named = url.get_dialect()().create_connect_args(url)
    connection = connect(*given, **{"connect_timeout": 10, "client_encoding": "utf8", **named})
    connection.autocommit = True
    return connection


def why(error: BaseException | None, url: str, lost: bool = False) -> UserError | None:
    """As `explain`, and for a database that is read-only what makes it so, which its server is asked."""
    if getattr(error, "pgcode", None) == READ_ONLY:
        try:
            with engine(url).connect() as connection:
                requirements.require_writable(connection, shown(url))
        except UserError as lack:
            return lack
        except (DBAPIError, psycopg2.Error):
            pass
    return explain(error, url, lost)


@contextmanager
def session(url: str) -> Iterator[Session]:
    """A session that rolls back what its user has not committed.

    Raises:
        Unavailable: the database cannot be reached, or is a standby; names the host and the setting.
        UserError: it has no tables of ours, cannot hold every text, or the role may not do what was asked or has no
            schema; or a pooler allows no transactions.
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
        if explained := why(cause, url, lost=lost):
            raise explained from error
        raise


def _require_known(session: Session, url: str) -> None:
    """Checked once per process and database, since a migration does not wait for sessions at work."""
    if url in _known:
        return
    requirements.require_database(session.connection(), shown(url))
    requirements.require_tables(session.connection(), shown(url))
    requirements.require_current(session.connection(), shown(url))
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
    try:
        with closing(connect_to(make_url(url))) as connection:
            return behind_pooler(connection)
    except psycopg2.Error:
        return False
