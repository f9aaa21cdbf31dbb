"""The metadata that all tables share, with its naming of constraints."""

from sqlalchemy import (
    Column,
    DateTime,
    MetaData,
    func,
)

metadata = MetaData(
    naming_convention={
        "ix": "%(table_name)s_%(column_0_N_name)s_ix",
        "uq": "%(table_name)s_%(column_0_N_name)s_key",
        "ck": "%(table_name)s_%(constraint_name)s_check",
        "fk": "%(table_name)s_%(column_0_N_name)s_fkey",
        "pk": "%(table_name)s_pkey",
    }
)

BY_SNAPSHOT = "LIST (snapshot)"


def now(name: str) -> Column[object]:
    """A time of writing, set by the database."""
    return Column(name, DateTime(timezone=True), nullable=False, server_default=func.now())
