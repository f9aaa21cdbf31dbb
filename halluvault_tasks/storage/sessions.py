"""Engines and sessions on the results database.

Stages take an open `Session` and commit at their own checkpoints; only commands and DAG tasks open one.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache

from sqlalchemy import Engine, create_engine, make_url
from sqlalchemy.exc import ArgumentError, OperationalError
from sqlalchemy.orm import Session

from halluvault_tasks.errors import Unavailable


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


@contextmanager
def session(url: str) -> Iterator[Session]:
    """A session that rolls back what its user has not committed.

    Raises:
        Unavailable: the database cannot be reached; names the host and the setting.
    """
    try:
        with Session(engine(url), expire_on_commit=False) as open_session:
            open_session.connection()
            yield open_session
    except OperationalError as error:
        if error.connection_invalidated or "connect" in str(error.orig):
            raise Unavailable(
                f"Postgres does not answer at {shown(url)}: {str(error.orig).strip().splitlines()[0]}",
                "start it, or correct HALLUVAULT_DATABASE_URL; `halluvault doctor` checks it",
            ) from error
        raise
