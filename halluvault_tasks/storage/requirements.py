"""What a database and its role must be like before anything is written there: each lack is one line that mends it.

Asked of a connection, so that whatever stands in between (a pooler, an orchestrator's settings) is asked, too. The
tables must be of exactly this version: else an older program would write rows that mean something else to newer tables,
or fail at a column in the middle of a month.
"""

from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import NamedTuple

from sqlalchemy import Connection, text

from halluvault_tasks.errors import Unavailable, UserError

OLDEST_SERVER = 15
"""Major version of PostgreSQL: earlier ones lack what the tables are made with."""
_ENCODING = "UTF8"


class _Setting(NamedTuple):
    """A setting as a session has it, and who made it so."""

    name: str
    value: str
    source: str
    """As pg_settings says it."""
    role: str
    """Quoted for SQL, as is the database."""
    database: str

    def way_out(self) -> str:
        """What takes it back."""
        return {
            "user": f"ALTER ROLE {self.role} RESET {self.name}",
            "database": f"ALTER DATABASE {self.database} RESET {self.name}",
            "database user": f"ALTER ROLE {self.role} IN DATABASE {self.database} RESET {self.name}",
            "client": f"take {self.name} out of `options` in HALLUVAULT_DATABASE_URL, or of PGOPTIONS",
        }.get(
            self.source,
            f"ALTER SYSTEM RESET {self.name}, or correct it in postgresql.conf; then SELECT pg_reload_conf()",
        )


def require_server(version: Sequence[int | str], where: str) -> None:
    """Raise a `UserError` where a server is too old.

    Args:
        version: of PostgreSQL, major number first.
        where: the database, for the message.
    """
    if int(version[0]) < OLDEST_SERVER:
        raise UserError(
            f"{where} is PostgreSQL {'.'.join(map(str, version))}; HalluVault needs {OLDEST_SERVER} to 18",
            "upgrade that server, or name another one in HALLUVAULT_DATABASE_URL",
        )


def require_database(connection: Connection, where: str) -> None:
    """Raise a `UserError` where nothing of ours can work: too old a server, an encoding with gaps, no schema.

    Args:
        connection: open; nothing is written.
        where: the database, for the message.
    """
    require_server(connection.dialect.server_version_info or (0,), where)
    encoding, role, schema = connection.execute(
        text("SELECT getdatabaseencoding(), quote_ident(current_user), current_schema()")
    ).one()
    if encoding != _ENCODING:
        raise UserError(
            f"the database {where} is encoded {encoding}, which cannot hold every name; it must be UTF8",
            "an encoding cannot be changed: make another with `halluvault db roles --database OTHER`, or with CREATE "
            f"DATABASE other OWNER {role} ENCODING 'UTF8' LOCALE 'C' TEMPLATE template0, and name it in "
            "HALLUVAULT_DATABASE_URL",
        )
    if schema is None:
        raise _without_schema(connection, where)


def require_tables(connection: Connection, where: str) -> None:
    """Raise a `UserError` where our tables are in this database, and the search_path does not lead to them."""
    schema = connection.execute(
        text(
            "SELECT quote_ident(n.nspname) FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace"
            " WHERE c.relname = 'pull_batch' AND to_regclass('pull_batch') IS NULL AND n.nspname !~ '^pg_'"
            " AND has_schema_privilege(n.oid, 'USAGE')"
        )
    ).scalar()
    if schema is not None:
        path = _setting(connection, "search_path")
        raise UserError(
            f"HalluVault's tables in {where} are in the schema {schema}, and the role's search_path is {path.value!r}",
            path.way_out() if schema == "public" else f"ALTER ROLE {path.role} SET search_path = {schema}",
        )


@cache
def newest_migration() -> str:
    """Version of the tables that this program works on: of its newest migration."""
    files = Path(__file__).with_name("migrations").joinpath("versions").glob("[0-9]*.py")
    return max(file.stem.partition("_")[0] for file in files)


def require_current(connection: Connection, where: str) -> None:
    """Raise a `UserError` where the tables are of another version; where there are none, say nothing.

    Nor for a role that may not read the version: the simulator's writes none of our tables, the reader none at all.
    """
    if not connection.scalar(text("SELECT has_table_privilege(to_regclass('alembic_version'), 'SELECT')")):
        return
    require_version(str(connection.scalar(text("SELECT max(version_num) FROM alembic_version"))), where)


def require_version(theirs: str, where: str) -> None:
    """Raise a `UserError` where tables are of another version than `newest_migration`.

    Args:
        theirs: version of the tables.
        where: the database, for the message.
    """
    if theirs < newest_migration():
        raise UserError(
            f"the tables of {where} are of version {theirs}, and this program's of {newest_migration()}",
            "run `halluvault db upgrade`; nothing is lost",
        )
    if theirs > newest_migration():
        raise UserError(
            f"the tables of {where} are of version {theirs}, which is newer than this program's {newest_migration()}",
            "update this program (image or package); the database cannot be downgraded",
        )


def require_writable(connection: Connection, where: str) -> None:
    """Raise where every transaction may only read; says whether it is a standby or a setting.

    Args:
        connection: open.
        where: the database, for the message.

    Raises:
        Unavailable: it is a standby, which may become the primary.
        UserError: `default_transaction_read_only` is on.
    """
    if connection.scalar(text("SELECT pg_is_in_recovery()")):
        raise Unavailable(
            f"the server of {where} is a standby, and so read-only",
            "name the primary in HALLUVAULT_DATABASE_URL; target_session_attrs=read-write finds it among several hosts",
        )
    setting = _setting(connection, "default_transaction_read_only")
    if setting.value == "on":
        raise UserError(
            f"transactions at {where} are read-only: default_transaction_read_only is on (set for: {setting.source}), "
            "while the server is no standby",
            setting.way_out(),
        )


def _without_schema(connection: Connection, where: str) -> UserError:
    path = _setting(connection, "search_path")
    public = connection.scalar(
        text("SELECT has_schema_privilege(oid, 'USAGE') FROM pg_namespace WHERE nspname = 'public'")
    )
    message = f"the search_path {path.value!r} of the role {path.role} at {where} names no schema that it may use"
    if public is None:
        return UserError(message, f"as its owner: CREATE SCHEMA public AUTHORIZATION {path.role}")
    if not public:
        return UserError(message, f"as its owner: GRANT USAGE, CREATE ON SCHEMA public TO {path.role}")
    return UserError(message, path.way_out())


def _setting(connection: Connection, name: str) -> _Setting:
    row = connection.execute(
        text(
            "SELECT setting, source, quote_ident(current_user), quote_ident(current_database())"
            " FROM pg_settings WHERE name = :name"
        ),
        {"name": name},
    ).one()
    return _Setting(name, *row)
