"""Bring a results database to this version's tables (alembic); safe to run by several processes at once."""

from pathlib import Path

from alembic import command
from alembic.config import Config
from sqlalchemy import text
from sqlalchemy.exc import ProgrammingError

from halluvault_tasks.errors import UserError
from halluvault_tasks.storage.sessions import engine, shown

_LOCK = 7_202_611  # advisory lock: two upgrades never interleave


def upgrade(url: str) -> None:
    """Run every migration that is missing.

    Raises:
        UserError: the role may not create tables there.
    """
    config = Config()
    config.set_main_option("script_location", str(Path(__file__).with_name("migrations")))
    try:
        with engine(url).begin() as connection:
            connection.execute(text("SELECT pg_advisory_xact_lock(:key)"), {"key": _LOCK})
            config.attributes["connection"] = connection
            command.upgrade(config, "head")
    except ProgrammingError as error:
        if "permission denied" in str(error.orig):
            raise UserError(
                f"the role of {shown(url)} may not create tables: {str(error.orig).strip().splitlines()[0]}",
                "use the database's owner, or GRANT CREATE ON SCHEMA public",
            ) from error
        raise
