"""What a month needs of its database beyond a session: order, connections and room; asked before the month begins.

A precondition is one record of `PRECONDITIONS`: `halluvault doctor` prints a row for each, and the first step of a
month refuses at the first that does not hold. What nothing can work without is asked at each session (`requirements`).
"""

import shutil
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import psycopg2.errors
from sqlalchemy import Connection, text
from sqlalchemy.exc import DBAPIError

from halluvault_tasks.database_urls import shown
from halluvault_tasks.errors import Unavailable, UserError
from halluvault_tasks.storage import requirements, sessions

A_TASK_HOLDS = 2
"""Connections: of its work, and from the tenth second on of the lease that it renews."""
OTHERS_HOLD = 4
"""Connections of the page, the metrics and whoever looks."""
ROOM_MB = 64
"""Megabytes that must be free on either disk: the sample's month takes as much."""


class MonthNeed(NamedTuple):
    """What a month will ask for."""

    tasks: int = 1
    """Processes at work at a time."""
    folder: Path | None = None
    """Where scratch and reports are written; None: nowhere."""

    @property
    def connections(self) -> int:
        """That may be open at a time."""
        return A_TASK_HOLDS * self.tasks + OTHERS_HOLD


class Precondition(NamedTuple):
    """One thing that must hold."""

    name: str
    check: Callable[[Connection, MonthNeed], str]
    """Says what was found; raises a `UserError` with what mends it. Ends no transaction."""


def require(connection: Connection, need: MonthNeed) -> None:
    """Raise the `UserError` of the first precondition that does not hold.

    Args:
        connection: open; nothing that is written stays.
        need: of the month to begin.
    """
    for precondition in PRECONDITIONS:
        precondition.check(connection, need)


def _where(connection: Connection) -> str:
    return shown(connection.engine.url.render_as_string(hide_password=False))


def _writable(connection: Connection, _need: MonthNeed) -> str:
    requirements.require_writable(connection, _where(connection))
    lacking = connection.scalar(
        text(
            "SELECT format('GRANT CREATE ON SCHEMA %I TO %I', current_schema(), current_user)"
            " WHERE NOT has_schema_privilege(current_schema(), 'CREATE')"
        )
    )
    if lacking:
        raise UserError(
            "the role may not create tables in this database", f"use the database's owner, or as its owner: {lacking}"
        )
    return "may be written"


def _tables(connection: Connection, _need: MonthNeed) -> str:
    if connection.scalar(text("SELECT to_regclass('alembic_version')")) is None:
        raise UserError("the database has no tables yet", "halluvault db upgrade")
    return f"of version {requirements.newest_migration()}"  # any other is refused when a session begins


_CHANGED = text("""
    SELECT 'the database' AS what, datcollversion AS made, pg_database_collation_actual_version(oid) AS now,
        format('ALTER DATABASE %I REFRESH COLLATION VERSION', datname) AS told
    FROM pg_database WHERE datname = current_database()
    UNION ALL
    SELECT DISTINCT format('the collation %s', oid::regcollation), collversion, pg_collation_actual_version(oid),
        format('ALTER COLLATION %s REFRESH VERSION', oid::regcollation)
    FROM pg_collation WHERE oid IN (SELECT unnest(indcollation) FROM pg_index)
    ORDER BY told DESC
""")
"""Order by which indexes stand: the database's, and collations that columns or indexes name; version then and now. A
collation without a version (C, POSIX) never changes, and one that had none cannot be compared."""


def _order(connection: Connection, _need: MonthNeed) -> str:
    """Text stands in an index as it was compared when it went in; another C library or ICU compares otherwise."""
    rows = connection.execute(_CHANGED).all()
    changed = [row for row in rows if row.made and row.now and row.made != row.now]
    if changed:
        name = connection.scalar(text("SELECT quote_ident(current_database())"))
        orders = ", ".join(f"that of {row.what} was {row.made} and is {row.now}" for row in changed)
        raise UserError(
            f"the order of texts changed under the indexes of {_where(connection)}, so that rows are not found, or "
            f"stored twice: {orders} (another C library or ICU, as with another image of Postgres)",
            f"as owner, in psql: REINDEX DATABASE {name}; {'; '.join(row.told for row in changed)}",
        )
    return f"texts stand as of version {rows[0].now}" if rows[0].now else "texts stand by their bytes, unchangeably"


_CONNECTIONS = text("""
    SELECT current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int
            - coalesce(current_setting('reserved_connections', true)::int, 0) AS server,
        (SELECT datconnlimit FROM pg_database WHERE datname = current_database()) AS database,
        (SELECT rolconnlimit FROM pg_roles WHERE rolname = current_user) AS role,
        (SELECT count(*) FROM pg_stat_activity WHERE backend_type = 'client backend' AND usename <> current_user)
            AS others,
        (SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND usename <> current_user)
            AS beside,
        quote_ident(current_user) AS who, quote_ident(current_database()) AS place
""")
"""How many sessions the server, the database and the role allow (-1: no limit), and how many of others are open."""


def _connections(connection: Connection, need: MonthNeed) -> str:
    driver = connection.connection.driver_connection
    if driver is not None and sessions.behind_pooler(driver):
        return "behind a pooler, which shares them out"
    row = connection.execute(_CONNECTIONS).one()
    limits = (
        (
            "the server", row.server - row.others,
            f"ALTER SYSTEM SET max_connections = {row.server + row.others + need.connections}, then restart Postgres "
            "(compose: POSTGRES_CONNECTIONS in .env); or put a pooler before it",
        ),
        ("the database", row.database - row.beside, f"ALTER DATABASE {row.place} CONNECTION LIMIT -1"),
        ("the role", row.role, f"ALTER ROLE {row.who} CONNECTION LIMIT -1"),
    )  # fmt: skip
    for (what, left, way_out), limit in zip(limits, (row.server, row.database, row.role), strict=True):
        if limit >= 0 and left < need.connections:
            raise UserError(
                f"{what} of {_where(connection)} leaves {max(left, 0)} connections (of {limit}) to {row.who}, and a "
                f"month may need {need.connections}: {A_TASK_HOLDS} for each of {need.tasks} tasks at a time, and "
                f"{OTHERS_HOLD}",
                f"{way_out}; or fewer tasks: AIRFLOW__CORE__PARALLELISM",
            )
    return f"{row.server - row.others} connections are free, {need.connections} needed"


def _room(connection: Connection, _need: MonthNeed) -> str:
    """No SQL tells how full a disk is, and its server may stand elsewhere: so much is written, and taken back."""
    try:
        with connection.begin_nested() as trial:
            # Unlogged: the log, which others wait for, gets nothing of it.
            connection.execute(text("CREATE UNLOGGED TABLE room_asked_for (bytes text STORAGE PLAIN)"))
            connection.execute(
                text("INSERT INTO room_asked_for SELECT repeat('x', 8000) FROM generate_series(1, :pages)"),
                {"pages": ROOM_MB * 128},
            )
            trial.rollback()
    except DBAPIError as error:
        if isinstance(error.orig, psycopg2.errors.DiskFull):
            raise _full(f"the disk of {_where(connection)}", "make room on the database's machine") from error
        raise
    return f"there is room for {ROOM_MB} MB more"


def _scratch(_connection: Connection, need: MonthNeed) -> str:
    if need.folder is None:
        return "nothing is written there"
    there = next(each for each in (need.folder, *need.folder.absolute().parents) if each.exists())
    free = shutil.disk_usage(there).free >> 20
    if free < ROOM_MB:
        raise _full(f"the disk of {need.folder}, with {free} MB free,", "make room there, or set HALLUVAULT_STATE_DIR")
    return f"{free >> 10} GB are free at {need.folder}"


def _full(disk: str, way_out: str) -> Unavailable:
    # Not only a person can make room: logs rotate, and another job ends.
    return Unavailable(
        f"{disk} has no room for {ROOM_MB} MB more",
        f"{way_out}: `halluvault snapshot drop --keep 12` frees a month each",
    )


PRECONDITIONS = (
    Precondition("Postgres: writing", _writable),
    Precondition("Postgres: tables", _tables),
    Precondition("Postgres: order", _order),
    Precondition("Postgres: connections", _connections),
    Precondition("Postgres: disk", _room),
    Precondition("state folder", _scratch),
)
