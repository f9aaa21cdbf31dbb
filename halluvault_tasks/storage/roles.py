"""Roles and databases: who may do what on a Postgres server. The one place that creates them.

For each results database:

- the owner (the pipeline's role) owns every table, and has no rights on schema `simulation`;
- `OWNER_reader` reads the documented results views, nothing else, and can write nothing there, not even a temporary
  table or a large object; its sessions begin read-only and with a time limit, defaults that it may change;
- `OWNER_backup`, if wanted, may copy the whole server (REPLICATION), but not connect to the database;
- `OWNER_sim`, for the demo only, reads the benchmark tables and owns schema `simulation`, where the simulated servers
  write the labels they planted, so that the pipeline's measurements can never use them.

Airflow's metadata has a database and a role of its own. Creating roles needs a superuser (or CREATEROLE), so it is a
separate step, which an administrator may take elsewhere. Nothing that exists is altered unless --rotate asks for it.
"""

import shlex
from collections.abc import Callable, Mapping
from contextlib import closing
from typing import Literal, NamedTuple, TypeVar

import psycopg2
from psycopg2 import sql
from psycopg2.extensions import encrypt_password
from sqlalchemy import URL, make_url, text
from sqlalchemy.orm import Session

from halluvault_tasks import database_urls
from halluvault_tasks.database_urls import shown
from halluvault_tasks.errors import UserError
from halluvault_tasks.storage import requirements
from halluvault_tasks.storage.causes import explain
from halluvault_tasks.storage.sessions import behind_pooler, connect_to
from halluvault_tasks.untrusted import scrubbed

_Done = TypeVar("_Done")

OWNER = "halluvault"
"""The pipeline's role, unless another is named."""
READER = f"{OWNER}_reader"
SIMULATOR = f"{OWNER}_sim"
AIRFLOW = "airflow"
"""Database and role of Airflow's metadata."""

SIMULATOR_READS = ("benchmark_case", "cases", "prompt", "prompt_variant", "entity", "property", "snapshot")
"""Tables that the simulator may read: what a question asks and what proves it."""

READER_SETTINGS = {
    "default_transaction_read_only": "on",
    "statement_timeout": "60s",
    "idle_in_transaction_session_timeout": "60s",
}
"""How each session of the reader begins; Postgres lets every role set these otherwise in its own sessions."""

_WRITES_LARGE_OBJECTS = (
    "lo_creat", "lo_create", "lo_from_bytea", "lo_put", "lo_truncate", "lo_truncate64", "lo_unlink", "lowrite"
)  # fmt: skip


class RolesMade(NamedTuple):
    """What making roles and a database came to."""

    created: tuple[str, ...]
    """Roles that did not exist."""
    rotated: tuple[str, ...]
    """Roles that existed and have another password now."""
    kept: tuple[str, ...]
    """Roles that existed and were left as they were, their passwords too."""
    database: bool
    """Whether the database was made; one that existed keeps the rights that PUBLIC has on it."""


def reader_of(owner: str) -> str:
    """The role that dashboards use on this owner's results."""
    return f"{owner}_reader"


def simulator_of(owner: str) -> str:
    """The role of the demo's simulated servers on this owner's results."""
    return f"{owner}_sim"


def backup_of(owner: str) -> str:
    """The role that base backups are taken with."""
    return f"{owner}_backup"


def variables(owner: str) -> dict[str, str]:
    """Role → the variable that holds its password, of all that the owner of a database may have beside him."""
    parts = {
        owner: "AIRFLOW" if owner == AIRFLOW else "OWNER",
        reader_of(owner): "READER",
        simulator_of(owner): "SIM",
        backup_of(owner): "BACKUP",
    }
    return {role: f"HALLUVAULT_{part}_PASSWORD" for role, part in parts.items()}


def create_database(
    admin_url: str, database: str, owner: str, passwords: Mapping[str, str], *, rotate: bool = False
) -> RolesMade:
    """Make roles and a database, whatever of it is missing. Idempotent.

    Args:
        admin_url: URL of a superuser on any database of the server; what libpq knows stays in it (`?sslmode=…`), and a
            password that it lacks comes from PGPASSWORD or PGPASSFILE.
        database: name of the database.
        owner: whose it is.
        passwords: role → password, for the owner and whichever of its reader, simulator and backup is wanted; empty for
            a role that exists.
        rotate: give roles that exist these passwords, and the reader its settings again; and take from everybody the
            right to write large objects in a database that was made before this was done at once.

    Raises:
        Unavailable: the server cannot be reached, or is read-only.
        UserError: `admin_url` is no URL, its role may not make roles, or a new role has no password.
    """
    return _as_administrator(admin_url, lambda url: _create(url, database, owner, passwords, rotate))


def drop_database(admin_url: str, database: str) -> None:
    """Drop a database even while it is in use. Idempotent.

    Raises:
        Unavailable: the server cannot be reached, or is read-only.
        UserError: `admin_url` is no URL, or its role may not drop it.
    """

    def drop(url: URL) -> None:
        with closing(connect_to(url)) as connection, connection.cursor() as cursor:
            cursor.execute(sql.SQL("DROP DATABASE IF EXISTS {} WITH (FORCE)").format(sql.Identifier(database)))

    _as_administrator(admin_url, drop)


def _as_administrator(admin_url: str, act: Callable[[URL], _Done]) -> _Done:
    url = database_urls.checked(admin_url, "the administrator's URL (--admin-url or HALLUVAULT_ADMIN_URL)")
    try:
        return act(make_url(url))
    except psycopg2.Error as error:
        reason = scrubbed((str(error).strip().splitlines() or [""])[0], database_urls.secrets_of(url))
        if explained := explain(error, url):
            way_out = "give in --admin-url a superuser of a primary server that answers"
            if "password" in reason:  # none came with the URL, or a wrong one
                way_out = "set the superuser's password in PGPASSWORD, or PGPASSFILE to a file with a line for it"
            raise type(explained)(explained.message, way_out) from error
        raise UserError(f"cannot make the roles at {shown(url)}: {reason}", "correct what it names") from error


def _create(url: URL, database: str, owner: str, passwords: Mapping[str, str], rotate: bool) -> RolesMade:
    where = shown(url.render_as_string(hide_password=False))
    with closing(connect_to(url)) as connection, connection.cursor() as cursor:
        if behind_pooler(connection):
            raise UserError(
                f"--admin-url {where} names a pooler; roles and databases are made on the server itself, before any "
                "pooler knows them",
                "give the server's own host and port in --admin-url; HALLUVAULT_DATABASE_URL may name the pooler",
            )
        requirements.require_server(divmod(connection.info.server_version, 10_000), where)
        _require_utf8(cursor, database)
        done = {role: _make_role(cursor, role, password, owner, rotate) for role, password in passwords.items()}
        made = _make_database(cursor, database, owner)
        if made or (rotate and _nobodys(cursor, database)):
            _forbid_large_objects(url, database)
        _admit(cursor, database, [role for role in passwords if role not in {owner, backup_of(owner)}])
        if backup_of(owner) in passwords:
            cursor.execute(sql.SQL("ALTER ROLE {} REPLICATION").format(sql.Identifier(backup_of(owner))))
        if reader_of(owner) in passwords:
            _settle(cursor, database, reader_of(owner), rotate)
    if simulator_of(owner) in passwords:
        _make_simulation(url, database, simulator_of(owner))
    created, rotated, kept = (tuple(role for role in done if done[role] == verb) for verb in ("CREATE", "ALTER", ""))
    return RolesMade(created, rotated, kept, made)


def _make_role(
    cursor: psycopg2.extensions.cursor, role: str, password: str, owner: str, rotate: bool
) -> Literal["CREATE", "ALTER", ""]:
    """Make a role, or give it another password where that is wanted; returns what was done."""
    cursor.execute("SELECT 1 FROM pg_roles WHERE rolname = %s", [role])
    exists = cursor.fetchone() is not None
    if exists and not (rotate and password):
        return ""
    if not password:
        raise UserError(
            f"the role {role} does not exist yet, and there is no password for it",
            f"set {variables(owner)[role]}, or {variables(owner)[role]}_FILE to a file with it",
        )
    # Only its verifier goes over the wire: whatever the server logs shows no password.
    verifier = encrypt_password(password, role, cursor.connection, "scram-sha-256")
    verb: Literal["CREATE", "ALTER"] = "ALTER" if exists else "CREATE"
    cursor.execute(
        sql.SQL("{} ROLE {} LOGIN PASSWORD {}").format(sql.SQL(verb), sql.Identifier(role), sql.Literal(verifier))
    )
    return verb


def _require_utf8(cursor: psycopg2.extensions.cursor, database: str) -> None:
    """A database that is there already must be able to hold what will be written."""
    cursor.execute(
        "SELECT pg_encoding_to_char(encoding) FROM pg_database WHERE datname = %s AND pg_encoding_to_char(encoding)"
        " <> 'UTF8'",
        [database],
    )
    if encoding := cursor.fetchone():
        raise UserError(
            f"the database {database} is there, encoded {encoding[0]}; it must be UTF8, and an encoding cannot be "
            "changed",
            "give another name: --database OTHER; or drop this one, if nobody needs it",
        )


def _make_database(cursor: psycopg2.extensions.cursor, database: str, owner: str) -> bool:
    cursor.execute("SELECT 1 FROM pg_database WHERE datname = %s", [database])
    if cursor.fetchone():
        return False
    cursor.execute(
        # By their bytes texts stand in one order for good: that of a language changes with the server's C library or
        # ICU, under the indexes, and would order other servers' months otherwise than those that were tested.
        sql.SQL(
            "CREATE DATABASE {} OWNER {} ENCODING 'UTF8' LOCALE_PROVIDER libc LC_COLLATE 'C' TEMPLATE template0"
        ).format(sql.Identifier(database), sql.Identifier(owner))
    )
    # Whoever may log in to the server may connect to any database and fill it with temporary tables, by default. Only
    # of one that we made do we know that nobody counts on it.
    cursor.execute(sql.SQL("REVOKE ALL ON DATABASE {} FROM PUBLIC").format(sql.Identifier(database)))
    return True


def _nobodys(cursor: psycopg2.extensions.cursor, database: str) -> bool:
    """Whether PUBLIC may not connect, as on a database that we made."""
    cursor.execute("SELECT NOT has_database_privilege('public', %s, 'CONNECT')", [database])
    return cursor.fetchone() == (True,)


def _forbid_large_objects(url: URL, database: str) -> None:
    """Let only superusers write large objects in this database: no table or schema right limits them.

    The functions are the superuser's, who alone may revoke them; another administrator leaves them as they are.
    """
    with closing(connect_to(url.set(database=database))) as connection, connection.cursor() as cursor:
        cursor.execute(
            "SELECT string_agg(oid::regprocedure::text, ', ') FROM pg_proc"
            " WHERE pronamespace = 'pg_catalog'::regnamespace AND proname = ANY(%s)"
            " AND (SELECT rolsuper FROM pg_roles WHERE rolname = current_user)",
            [list(_WRITES_LARGE_OBJECTS)],
        )
        [(functions,)] = cursor.fetchall()
        if functions:
            cursor.execute(f"REVOKE EXECUTE ON FUNCTION {functions} FROM PUBLIC")


def _admit(cursor: psycopg2.extensions.cursor, database: str, names: list[str]) -> None:
    for role in names:
        cursor.execute(
            sql.SQL("GRANT CONNECT ON DATABASE {} TO {}").format(sql.Identifier(database), sql.Identifier(role))
        )


def _settle(cursor: psycopg2.extensions.cursor, database: str, reader: str, anew: bool) -> None:
    """Give the reader its settings in this database, unless others are set."""
    cursor.execute(
        "SELECT 1 FROM pg_db_role_setting s JOIN pg_database d ON d.oid = s.setdatabase"
        " JOIN pg_roles r ON r.oid = s.setrole WHERE d.datname = %s AND r.rolname = %s",
        [database, reader],
    )
    if cursor.fetchone() and not anew:
        return
    for name, value in READER_SETTINGS.items():
        cursor.execute(
            sql.SQL("ALTER ROLE {} IN DATABASE {} SET {} = {}").format(
                sql.Identifier(reader), sql.Identifier(database), sql.Identifier(name), sql.Literal(value)
            )
        )


def _make_simulation(url: URL, database: str, simulator: str) -> None:
    with closing(connect_to(url.set(database=database))) as connection, connection.cursor() as cursor:
        cursor.execute(
            sql.SQL("CREATE SCHEMA IF NOT EXISTS simulation AUTHORIZATION {}").format(sql.Identifier(simulator))
        )
        cursor.execute(
            "CREATE TABLE IF NOT EXISTS simulation.planted ("
            " model text NOT NULL, snapshot text NOT NULL, case_id text NOT NULL,"
            " answer text NOT NULL, category text NOT NULL, fault text NOT NULL,"
            " PRIMARY KEY (model, snapshot, case_id))"
        )
        cursor.execute(sql.SQL("ALTER TABLE simulation.planted OWNER TO {}").format(sql.Identifier(simulator)))


class Missing(NamedTuple):
    """A reader that does not exist yet."""

    role: str
    database: str
    owner: str
    """Of the database's tables."""

    def way_out(self) -> str:
        """The command that makes it."""
        named = "" if self.owner == self.database else f" --owner {shlex.quote(self.owner)}"
        made_for = "" if self.database == OWNER else f" --database {shlex.quote(self.database)}"
        return f"halluvault db roles{made_for}{named}"


def grant(session: Session, views: tuple[str, ...]) -> list[Missing]:
    """Give the reader the views and the simulator the benchmark tables; returns the reader if it is missing.

    Both are named after the owner of the tables, whoever renews their rights. Run after each migration; the caller
    commits.
    """
    owner, database = session.execute(
        text(
            "SELECT pg_get_userbyid(relowner), current_database() FROM pg_class"
            " WHERE oid = to_regclass('alembic_version')"
        )
    ).one()
    quote = session.connection().dialect.identifier_preparer.quote
    missing = []
    for role, names in ((reader_of(owner), views), (simulator_of(owner), SIMULATOR_READS)):
        if session.scalar(text("SELECT 1 FROM pg_roles WHERE rolname = :role"), {"role": role}):
            schemas = {name.rpartition(".")[0] or "public" for name in names}
            session.execute(text(f"GRANT USAGE ON SCHEMA {', '.join(sorted({'public', *schemas}))} TO {quote(role)}"))
            for name in names:
                session.execute(text(f"GRANT SELECT ON {name} TO {quote(role)}"))
        elif role == reader_of(owner):
            missing.append(Missing(role, database, owner))
    return missing
