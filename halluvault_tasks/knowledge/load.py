"""Normalised rows into the tables of a snapshot, in one transaction, and the hash over what they then hold."""

import hashlib
from collections.abc import Iterable
from typing import NamedTuple

from sqlalchemy import Integer, MetaData, Table, Text, cast, delete, func, insert, select, text
from sqlalchemy.orm import Session

from halluvault_tasks.knowledge.metadata import Property
from halluvault_tasks.knowledge.normalise import StatementRow, Value
from halluvault_tasks.storage import tables
from halluvault_tasks.storage.copy import copy_rows
from halluvault_tasks.storage.partitions import partition_name

_STAGED = "staged_statement"
_STATEMENT_COLUMNS = (
    "snapshot",
    "sid",
    "guid",
    "s",
    "p",
    *Value._fields,
    "rank",
    "start_earliest",
    "start_latest",
    "end_earliest",
    "end_latest",
    "point_earliest",
    "point_latest",
    "unknown_qualifiers",
    "hedged",
)
_ENTITY_COLUMNS = ("snapshot", "qid", "label", "description", "aliases", "types", "domain", "seed", "sitelinks")


class EntityRow(NamedTuple):
    """One entity, with the columns of `entity` apart from snapshot."""

    qid: int
    label: str | None
    description: str | None
    aliases: tuple[str, ...]
    types: tuple[int, ...]
    domain: str | None
    seed: bool
    sitelinks: int | None


class Loader:
    """Fills a snapshot's tables; nothing is seen by others until the caller commits.

    Args:
        session: open session; the transaction must not be committed before `number_statements`.
        snapshot: exact key.
    """

    def __init__(self, session: Session, snapshot: str) -> None:
        self._session = session
        self._snapshot = snapshot
        self._order = 0
        for table in (tables.entity, tables.statement, tables.deprecated_value):
            session.execute(text(f"TRUNCATE {partition_name(table, snapshot)}"))
        session.execute(delete(tables.property).where(tables.property.c.snapshot == snapshot))
        session.execute(text(f"DROP TABLE IF EXISTS pg_temp.{_STAGED}"))
        session.execute(text(f"CREATE TEMP TABLE {_STAGED} (LIKE statement) ON COMMIT DROP"))

    def statements(self, rows: Iterable[StatementRow]) -> None:
        """Add statements of any rank; one that comes twice counts once, as it came last."""
        copy_rows(self._session, tables.statement, _STATEMENT_COLUMNS, map(self._staged, rows), into=_STAGED)

    def entities(self, rows: Iterable[EntityRow]) -> None:
        """Add entities."""
        copy_rows(self._session, tables.entity, _ENTITY_COLUMNS, ((self._snapshot, *row) for row in rows))

    def properties(self, rows: Iterable[Property]) -> None:
        """Add properties."""
        columns = ("snapshot", *Property.__annotations__["metadata"]._fields, "origin")
        copy_rows(
            self._session, tables.property, columns, ((self._snapshot, *row.metadata, row.origin) for row in rows)
        )

    def number_statements(self) -> None:
        """Move the staged statements into the tables, numbered in canonical order (p, s, guid)."""
        staged = tables.statement.to_metadata(MetaData(), name=_STAGED)
        latest = select(staged).distinct(staged.c.guid).order_by(staged.c.guid, staged.c.sid.desc()).subquery("latest")
        name = latest.c.guid.collate("C")
        deprecated = tables.deprecated_value
        self._session.execute(
            insert(deprecated).from_select(
                ["snapshot", "guid", "s", "p", "o"],
                select(latest.c.snapshot, latest.c.guid, latest.c.s, latest.c.p, latest.c.o).where(
                    latest.c.rank == "deprecated"
                ),
            )
        )
        number = cast(func.row_number().over(order_by=(latest.c.p, latest.c.s, name)), Integer)
        self._session.execute(
            insert(tables.statement).from_select(
                _STATEMENT_COLUMNS,
                select(*(number if column == "sid" else latest.c[column] for column in _STATEMENT_COLUMNS)).where(
                    latest.c.rank != "deprecated"
                ),
            )
        )
        for table in (tables.entity, tables.statement, tables.deprecated_value):
            self._session.execute(text(f"ANALYZE {partition_name(table, self._snapshot)}"))

    def _staged(self, row: StatementRow) -> tuple[object, ...]:
        self._order += 1
        value = row.value
        return (
            self._snapshot,
            self._order,
            row.guid,
            row.s,
            row.p,
            *value,
            row.rank,
            *row.start,
            *row.end,
            *row.point,
            row.unknown_qualifiers,
            row.hedged,
        )


class _Digest:
    """A file to write to that keeps nothing but the hash."""

    def __init__(self) -> None:
        self.sha256 = hashlib.sha256()

    def write(self, data: bytes) -> int:
        self.sha256.update(data)
        return len(data)


def content_hash(session: Session, snapshot: str) -> str:
    """sha256 over all normalised rows in canonical order, without the snapshot's key: same content, same hash."""
    digest = _Digest()
    driver = session.connection().connection.driver_connection
    assert driver is not None
    for table, order in (
        (tables.property, ("pid",)),
        (tables.entity, ("qid",)),
        (tables.statement, ("sid",)),
        (tables.deprecated_value, ("p", "s", "guid")),
    ):
        digest.write(f"{table.name}\n".encode())
        with driver.cursor() as cursor:
            cursor.copy_expert(f"COPY ({_canonical(session, table, snapshot, order)}) TO STDOUT", digest)
    return digest.sha256.hexdigest()


def _canonical(session: Session, table: Table, snapshot: str, order: tuple[str, ...]) -> str:
    columns = [column for column in table.c if column.name != "snapshot"]
    keys = [table.c[name].collate("C") if isinstance(table.c[name].type, Text) else table.c[name] for name in order]
    query = select(*columns).where(table.c.snapshot == snapshot).order_by(*keys)
    return str(query.compile(session.get_bind(), compile_kwargs={"literal_binds": True}))
