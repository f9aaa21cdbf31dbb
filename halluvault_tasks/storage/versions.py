"""Whether this program can work on a database: a server new enough, and tables of exactly this version.

Without this check an older program would write rows that mean something else to newer tables, or fail at a column in
the middle of a month.
"""

from collections.abc import Sequence
from functools import cache
from pathlib import Path

from sqlalchemy import text
from sqlalchemy.orm import Session

from halluvault_tasks.errors import UserError

OLDEST_SERVER = 15
"""Major version of PostgreSQL: earlier ones lack what the tables are made with."""


@cache
def ours() -> str:
    """Version of the tables that this program works on: of its newest migration."""
    files = Path(__file__).with_name("migrations").joinpath("versions").glob("[0-9]*.py")
    return max(file.stem.partition("_")[0] for file in files)


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


def require_tables(session: Session, where: str) -> None:
    """Raise a `UserError` where the tables are of another version; where there are none, say nothing.

    Nor for a role that may not read the version: the simulator's writes none of our tables, the reader none at all.
    """
    if not session.scalar(text("SELECT has_table_privilege(to_regclass('alembic_version'), 'SELECT')")):
        return
    require_same(str(session.scalar(text("SELECT max(version_num) FROM alembic_version"))), where)


def require_same(theirs: str, where: str) -> None:
    """Raise a `UserError` where tables are of another version than `ours`.

    Args:
        theirs: version of the tables.
        where: the database, for the message.
    """
    if theirs < ours():
        raise UserError(
            f"the tables of {where} are of version {theirs}, and this program's of {ours()}",
            "run `halluvault db upgrade`; nothing is lost",
        )
    if theirs > ours():
        raise UserError(
            f"the tables of {where} are of version {theirs}, which is newer than this program's {ours()}",
            "update this program (image or package); the database cannot be downgraded",
        )
