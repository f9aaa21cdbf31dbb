"""The three roles of a results database and what each may touch.

- the owner (the pipeline's role) owns every table, and has no right on schema `simulation`;
- `halluvault_reader` reads the documented results views, nothing else;
- `halluvault_sim` reads the benchmark tables and owns schema `simulation`, where the simulated servers write
  the labels they planted: what the pipeline measures can never be read off them.

Making roles needs a superuser (or CREATEROLE), so it is a step of its own; `docker-compose.yml` and the
embedded server run it, a DBA may run it elsewhere.
"""

from contextlib import closing

import psycopg2
from psycopg2 import sql
from sqlalchemy import URL, make_url, text
from sqlalchemy.exc import ArgumentError
from sqlalchemy.orm import Session

from halluvault_tasks.errors import UserError
from halluvault_tasks.storage.sessions import behind_pooler, explain, shown

READER = "halluvault_reader"
SIMULATOR = "halluvault_sim"

SIMULATOR_READS = ("benchmark_case", "cases", "prompt", "entity", "property", "snapshot")
"""Tables that `halluvault_sim` may read: what a question asks and what proves it."""


def create_database(admin_url: str, database: str, owner: str, passwords: dict[str, str]) -> None:
    """Make the roles, the database and the schema `simulation`, whatever of it is missing. Idempotent.

    Args:
        admin_url: URL of a superuser on any database of the server.
        database: name of the results database.
        owner: the pipeline's role.
        passwords: role → password, for the owner, `halluvault_reader` and `halluvault_sim`.

    Raises:
        Unavailable: the server cannot be reached, or is read-only.
        UserError: `admin_url` is no URL, or its role may not make roles.
    """
    try:
        _create(make_url(admin_url), database, owner, passwords)
    except ArgumentError as error:
        raise UserError(
            "the administrator's URL cannot be read; it must look like postgresql+psycopg2://user:password@host/name",
            "correct --admin-url",
        ) from error
    except psycopg2.Error as error:
        said = (str(error).strip().splitlines() or [""])[0]
        if found := explain(error, admin_url):
            raise type(found)(
                found.message, "give in --admin-url a superuser of a primary server that answers"
            ) from error
        raise UserError(f"cannot make the roles at {shown(admin_url)}: {said}", "correct what it names") from error


def _create(url: URL, database: str, owner: str, passwords: dict[str, str]) -> None:
    connection = _connect(url, url.database)
    connection.autocommit = True
    with closing(connection), connection.cursor() as cursor:
        if behind_pooler(connection):
            raise UserError(
                f"--admin-url {shown(url.render_as_string(hide_password=False))} names a pooler; roles and databases "
                "are made on the server itself, before any pooler knows them",
                "give the server's own host and port in --admin-url; HALLUVAULT_DATABASE_URL may name the pooler",
            )
        for role, password in passwords.items():
            cursor.execute("SELECT 1 FROM pg_roles WHERE rolname = %s", [role])
            verb = "ALTER" if cursor.fetchone() else "CREATE"
            cursor.execute(
                sql.SQL("{} ROLE {} LOGIN PASSWORD {}").format(
                    sql.SQL(verb), sql.Identifier(role), sql.Literal(password)
                )
            )
        cursor.execute("SELECT 1 FROM pg_database WHERE datname = %s", [database])
        if not cursor.fetchone():
            cursor.execute(
                sql.SQL("CREATE DATABASE {} OWNER {} ENCODING 'UTF8' TEMPLATE template0").format(
                    sql.Identifier(database), sql.Identifier(owner)
                )
            )
    connection = _connect(url, database)
    connection.autocommit = True
    with closing(connection), connection.cursor() as cursor:
        cursor.execute(
            sql.SQL("CREATE SCHEMA IF NOT EXISTS simulation AUTHORIZATION {}").format(sql.Identifier(SIMULATOR))
        )
        cursor.execute(
            "CREATE TABLE IF NOT EXISTS simulation.planted ("
            " model text NOT NULL, snapshot text NOT NULL, case_id text NOT NULL,"
            " answer text NOT NULL, category text NOT NULL, fault text NOT NULL,"
            " PRIMARY KEY (model, snapshot, case_id))"
        )
        cursor.execute(sql.SQL("ALTER TABLE simulation.planted OWNER TO {}").format(sql.Identifier(SIMULATOR)))


def _connect(url: URL, database: str | None) -> psycopg2.extensions.connection:
    return psycopg2.connect(dbname=database, host=url.host, port=url.port, user=url.username, password=url.password)


def grant(session: Session, views: tuple[str, ...]) -> list[str]:
    """Give the reader the views and the simulator the benchmark tables; returns the roles that are missing.

    Run by the owner after each migration; the caller commits.
    """
    missing = []
    for role, names in ((READER, views), (SIMULATOR, SIMULATOR_READS)):
        if session.scalar(text("SELECT 1 FROM pg_roles WHERE rolname = :role"), {"role": role}):
            schemas = {name.rpartition(".")[0] or "public" for name in names}
            session.execute(text(f"GRANT USAGE ON SCHEMA {', '.join(sorted({'public', *schemas}))} TO {role}"))
            for name in names:
                session.execute(text(f"GRANT SELECT ON {name} TO {role}"))
        else:
            missing.append(role)
    return missing
