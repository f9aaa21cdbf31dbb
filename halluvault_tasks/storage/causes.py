"""What Postgres, libpq or a pooler says, in words that tell a person what to do; no password is in them.

Each kind of cause is one row of `_CAUSES`, the first that fits counts. Libpq gives no SQLSTATE where no connection came
about, so that these are told by their words.
"""

import re
from typing import NamedTuple

import psycopg2

from halluvault_tasks.database_urls import secrets_of, shown
from halluvault_tasks.errors import DatabaseAway, Unavailable, UserError
from halluvault_tasks.untrusted import scrubbed

READ_ONLY = "25006"
"""SQLSTATE of what was to be written in a transaction that may only read."""

_STARTING = re.compile("starting up|recovery mode|not yet accepting")
_TELLING = re.compile("FATAL|SSL|certificate|authentication|GSSAPI")
"""Where several addresses were tried, the line that says more than that nobody listened."""


class _Cause(NamedTuple):
    states: frozenset[str]
    """SQLSTATEs; empty: any, or none."""
    words: str
    """Regular expression that what was said must hold."""
    message: str
    way_out: str
    kind: type[UserError] = UserError


def _cause(message: str, way_out: str, *states: str, words: str = "", kind: type[UserError] = UserError) -> _Cause:
    return _Cause(frozenset(states), words, message, way_out, kind)


_CAUSES = (
    _cause("the database {where} lacks HalluVault's tables: {reason}", "run `halluvault db upgrade`", "42P01"),
    _cause(
        "the disk of {where} is full or broken: {reason}",
        "make room on the database's machine, then run the same command again: it resumes here",
        "53100", "58030",
        kind=Unavailable,
    ),
    _cause(
        "the disk of {where} is full, so that it lets nobody in: {reason}",
        "make room on the database's machine, then run the same command again: it resumes here",
        words="No space left on device",
        kind=Unavailable,
    ),
    _cause(
        "the role of {where} may not do this: {reason}",
        "use the database's owner in HALLUVAULT_DATABASE_URL, or have an administrator grant it",
        "42501",
    ),
    _cause(
        "the role of {where} has no schema to work in: {reason}",
        "ALTER ROLE … SET search_path = public, for the role of HALLUVAULT_DATABASE_URL",
        "3F000",
    ),
    _cause(
        "the server of {where} is read-only: {reason}",
        "name the primary, not a standby, in HALLUVAULT_DATABASE_URL",
        READ_ONLY,
        kind=Unavailable,
    ),
    _cause(
        "the time that {where} allows was not enough: {reason}",
        "for the role of HALLUVAULT_DATABASE_URL: ALTER ROLE … SET statement_timeout, or "
        "idle_in_transaction_session_timeout, to more",
        "57014", "25P03",
        words="timeout",
    ),
    _cause(
        "the pooler at {where} takes no such options with a connection: {reason}",
        "take `options` out of HALLUVAULT_DATABASE_URL, and set them for the role: ALTER ROLE … SET …",
        words="unsupported startup parameter",
    ),
    _cause(
        "there is no such database at {where}: {reason}",
        "correct its name in HALLUVAULT_DATABASE_URL; `halluvault db roles` makes a missing one",
        words='database ".*" does not exist|no such database',
    ),
    _cause(
        "Postgres does not let the role into the database at {where}: {reason}",
        "an administrator can: GRANT CONNECT ON DATABASE … TO …, ALTER ROLE … LOGIN, or ALTER DATABASE … "
        "ALLOW_CONNECTIONS true",
        words="permission denied for database|is not permitted to log in|is not currently accepting connections",
    ),
    _cause(
        "Postgres refused the login at {where}: {reason}",
        "correct user, password and database in HALLUVAULT_DATABASE_URL; `halluvault db roles` makes missing ones",
        words='authentication failed|no password supplied|no pg_hba.conf entry|role ".*" does not exist|no such user|'
        "user not found",
    ),
    _cause(
        "the connection to {where} cannot be made as it is asked for: {reason}",
        "correct the options behind the ? of HALLUVAULT_DATABASE_URL (sslmode, sslrootcert, options …), or libpq's "
        "variables PGSSLMODE, PGOPTIONS …",
        words="invalid dsn|invalid connection option|invalid \\S+ value|invalid (?:integer )?value|invalid port number|"
        "unrecognized configuration parameter|definition of service|does not support SSL|certificate|"
        "channel binding|authentication method requirement|GSSAPI|not in hot standby mode",
    ),
    _cause(
        "another command held a lock that this one needed at {where}, and Postgres ended this one: {reason}",
        "run the same command again: it resumes here",
        "40P01", "40001",
        kind=DatabaseAway,
    ),
)  # fmt: skip


def explain(error: BaseException | None, url: str, lost: bool = False) -> UserError | None:
    """What a person can fix in an error of psycopg2's, in their words; None where it is a fault of ours.

    Args:
        error: what psycopg2 raised.
        url: database it was raised on; shown without its password.
        lost: the connection broke.
    """
    where, state = shown(url), getattr(error, "pgcode", None) or ""
    lines = str(error).strip().splitlines() or [""]
    reason = scrubbed(next(filter(_TELLING.search, lines), lines[0]), secrets_of(url))
    # Without a state, a fault of our own may have any words: libpq's alone are of a connection that did not come about.
    connecting = not state and isinstance(error, psycopg2.OperationalError | psycopg2.ProgrammingError)
    for cause in _CAUSES:
        fits = state in cause.states if cause.states else connecting
        if fits and re.search(cause.words, reason):
            return cause.kind(cause.message.format(where=where, reason=reason), cause.way_out)
    # A refused connection or an unknown host has no SQLSTATE; 08 and 57P say that it was lost or the server goes down.
    if lost or state.startswith(("08", "57P")) or (isinstance(error, psycopg2.OperationalError) and not state):
        return DatabaseAway(
            f"Postgres does not answer at {where}: {reason}",
            "start it, or correct HALLUVAULT_DATABASE_URL; `halluvault doctor` checks it",
            starting=_STARTING.search(reason) is not None,
        )
    return None
