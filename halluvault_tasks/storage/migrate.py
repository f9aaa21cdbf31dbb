"""Brings a results database to this version's tables (alembic); several processes may run it at once."""

from collections.abc import Callable
from pathlib import Path

from alembic import command
from alembic.config import Config
from sqlalchemy import Connection, text
from sqlalchemy.exc import DBAPIError
from sqlalchemy.orm import Session

from halluvault_tasks.database_urls import shown
from halluvault_tasks.errors import Unavailable
from halluvault_tasks.storage import requirements
from halluvault_tasks.storage.sessions import engine, why

Step = Callable[[Session], object]

_LOCK = 7_202_611  # advisory lock: two upgrades never interleave
PATIENCE = 60.0
"""Seconds for which an upgrade waits for whoever uses a table."""
_NOT_GRANTED = "55P03"
"""SQLSTATE of a lock that was waited for too long."""

_HOLDER = text("""
SELECT pid, usename, state, to_char(now() - xact_start, 'HH24:MI:SS') AS since FROM pg_stat_activity
WHERE datname = current_database() AND pid <> pg_backend_pid() AND xact_start IS NOT NULL
    AND backend_type = 'client backend'
ORDER BY xact_start LIMIT 1
""")


def upgrade(url: str, before: Step | None = None, after: Step | None = None, patience: float = PATIENCE) -> None:
    """Run every migration that is missing, in one transaction with what must precede and follow it.

    While it waits for a table that somebody reads, whoever comes later waits behind it: it does not do so for long.

    Args:
        url: results database, as its owner.
        before: done first: drops what would stand in a migration's way.
        after: done last: makes it again.
        patience: seconds for which it waits for a table.

    Raises:
        Unavailable: the database cannot be reached, or somebody uses a table all that time.
        UserError: the role may not create tables there, or not write at all; or the server is too old, its encoding is
            not UTF-8, or the tables are newer than this program.
    """
    config = Config()
    config.set_main_option("script_location", str(Path(__file__).with_name("migrations")))
    try:
        with engine(url).begin() as connection:
            requirements.require_database(connection, shown(url))
            requirements.require_tables(connection, shown(url))
            connection.execute(text("SELECT pg_advisory_xact_lock(:key)"), {"key": _LOCK})
            connection.execute(text(f"SET LOCAL lock_timeout = {round(1000 * patience)}"))
            _require_no_newer(connection, shown(url))
            _do(before, connection)
            config.attributes["connection"] = connection
            command.upgrade(config, "head")
            _do(after, connection)
    except DBAPIError as error:
        if getattr(error.orig, "pgcode", None) == _NOT_GRANTED:
            raise _in_use(url, patience) from error
        if explained := why(error.orig, url):
            raise explained from error
        raise


def _in_use(url: str, patience: float) -> Unavailable:
    with engine(url).connect() as connection:
        found = connection.execute(_HOLDER).first()
    who = f": {found.usename} has been at it for {found.since} (pid {found.pid}, {found.state})" if found else ""
    return Unavailable(
        f"tables of {shown(url)} are in use{who}; nothing was changed, after {patience:g} s of waiting",
        "pause the DAGs and let it end, or end it (SELECT pg_terminate_backend(pid)); then run `halluvault db upgrade`",
    )


def _require_no_newer(connection: Connection, where: str) -> None:
    if connection.scalar(text("SELECT to_regclass('alembic_version')")) is None:
        return
    there = str(connection.scalar(text("SELECT max(version_num) FROM alembic_version")) or "")
    if there > requirements.newest_migration():
        requirements.require_version(there, where)


def _do(step: Step | None, connection: Connection) -> None:
    if step:
        with Session(connection) as session:  # within the connection's transaction: its commit only flushes
            step(session)
            session.commit()
