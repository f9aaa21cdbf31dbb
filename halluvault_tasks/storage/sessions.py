"""Engines and sessions on the results database.

Stages take an open `Session` and commit at their own checkpoints; only commands and DAG tasks open one.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache

import psycopg2
from sqlalchemy import Engine, create_engine, make_url
from sqlalchemy.exc import ArgumentError, DBAPIError
from sqlalchemy.orm import Session

from halluvault_tasks.errors import Unavailable, UserError


@cache
def engine(url: str) -> Engine:
    """One pooled engine per URL and process; a dropped connection is noticed before use."""
    return create_engine(url, pool_pre_ping=True, pool_size=4, connect_args={"connect_timeout": 10})


def shown(url: str) -> str:
    """The URL without its password, for messages."""
    try:
        return make_url(url).render_as_string(hide_password=True)
    except ArgumentError:
        return "(unreadable database URL)"


def explain(error: BaseException | None, url: str, lost: bool = False) -> UserError | None:
    """What a person can mend in an error of psycopg2's, in their words; None where it is a fault of ours.

    Args:
        error: what psycopg2 raised.
        url: database it was raised on; shown without its password.
        lost: the connection broke.
    """
    where, said = shown(url), (str(error).strip().splitlines() or [""])[0]
    state = getattr(error, "pgcode", None) or ""
    if state == "42P01":
        return UserError(f"the database {where} lacks HalluVault's tables: {said}", "run `halluvault db upgrade`")
    if state == "42501":
        return UserError(
            f"the role of {where} may not do this: {said}",
            "use the database's owner in HALLUVAULT_DATABASE_URL, or have an administrator grant it",
        )
    if state == "25006":
        return Unavailable(
            f"the server of {where} is read-only: {said}", "name the primary, not a standby, in HALLUVAULT_DATABASE_URL"
        )
    # A refused connection or an unknown host has no SQLSTATE; 08 and 57P say that it was lost or the server goes down.
    if lost or state.startswith(("08", "57P")) or (isinstance(error, psycopg2.OperationalError) and not state):
        return Unavailable(
            f"Postgres does not answer at {where}: {said}",
            "start it, or correct HALLUVAULT_DATABASE_URL; `halluvault doctor` checks it",
        )
    return None


@contextmanager
def pinned(given: Session) -> Iterator[Session]:
    """A session that keeps one connection whatever it commits: temporary tables live no longer than theirs.

    Args:
        given: tells the database; committed, and free for other work meanwhile.
    """
    bind = given.get_bind()
    if not isinstance(bind, Engine):
        yield given
        return
    given.commit()
    with bind.connect() as connection, Session(connection, expire_on_commit=False) as own:
        yield own


@contextmanager
def session(url: str) -> Iterator[Session]:
    """A session that rolls back what its user has not committed.

    Raises:
        Unavailable: the database cannot be reached, or is a standby; names the host and the setting.
        UserError: it has no tables of ours, or the role may not do what was asked.
    """
    try:
        with Session(engine(url), expire_on_commit=False) as open_session:
            open_session.connection()
            yield open_session
    except DBAPIError as error:
        if explained := explain(error.orig, url, lost=error.connection_invalidated):
            raise explained from error
        raise
