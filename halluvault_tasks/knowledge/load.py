"""Normalised rows into the tables of a snapshot, in one transaction, and the hash over what they then hold.

Rows are gathered in tables of the session's own, batch by batch, whatever is committed in between; `finish` then
moves all of them at once. So the order in which they come, and how often, leaves no trace: a statement that comes
twice counts once, merged items are replaced by what stands for them, and numbers follow the canonical order.
"""

import hashlib
import io
from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from sqlalchemy import (
    Column,
    Integer,
    MetaData,
    Table,
    Text,
    cast,
    delete,
    func,
    insert,
    literal,
    select,
    text,
    tuple_,
    update,
)
from sqlalchemy.orm import Session
from sqlalchemy.sql.elements import ColumnElement

from halluvault_tasks.knowledge.metadata import Property
from halluvault_tasks.knowledge.normalise import StatementRow, Value
from halluvault_tasks.storage import tables
from halluvault_tasks.storage.copy import copy_rows
from halluvault_tasks.storage.partitions import partition_name
from halluvault_tasks.wikidata.names import fold

_STATEMENT_COLUMNS = (
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
    "absent_qualifiers",
)


_ESCAPES = str.maketrans({"\\": r"\\", "\n": r"\n", "\r": r"\r", "\t": r"\t"})


class EntityRow(NamedTuple):
    """One entity, with the columns of `entity` apart from snapshot and what is told from all of them together."""

    qid: int
    label: str | None
    description: str | None
    aliases: tuple[str, ...]
    types: tuple[int, ...]
    domain: str | None
    seed: bool
    sitelinks: int | None


_GATHERED = MetaData()
_IN_PLACE = (tables.entity, tables.deprecated_value, tables.redirect)
"""Tables that are few enough to be filled in their partitions."""


def _gathered(name: str, like: Table, columns: Iterable[str], extra: Column[object]) -> Table:
    kept = (Column(column, like.c[column].type) for column in columns)
    return Table(name, _GATHERED, *kept, extra, prefixes=["TEMPORARY"])


_STATEMENTS = _gathered("gathered_statement", tables.statement, _STATEMENT_COLUMNS, Column("came", Integer))
_ENTITIES = _gathered("gathered_entity", tables.entity, EntityRow._fields, Column("folded", Text))


class Loader:
    """Gathers a snapshot's rows; nothing is seen by others until `finish`'s caller commits.

    Args:
        session: open session; it may be committed at any time in between.
        snapshot: exact key.
    """

    def __init__(self, session: Session, snapshot: str) -> None:
        self._session = session
        self._snapshot = snapshot
        self._order = 0
        for table in (_STATEMENTS, _ENTITIES):
            session.execute(text(f"DROP TABLE IF EXISTS pg_temp.{table.name}"))
            table.create(session.connection(), checkfirst=False)

    def statements(self, rows: Iterable[StatementRow]) -> None:
        """Add statements of any rank; one that comes twice counts once, as it came last."""
        driver = self._session.connection().connection.driver_connection
        assert driver is not None
        lines = "".join(map(self._line, rows)).encode()
        with driver.cursor() as cursor:
            cursor.copy_expert(f"COPY {_STATEMENTS.name} FROM STDIN", io.BytesIO(lines))

    def entities(self, rows: Iterable[EntityRow]) -> None:
        """Add entities, each once."""
        named = ((*row, None if row.label is None else fold(row.label)) for row in rows)
        copy_rows(self._session, _ENTITIES, _ENTITIES.c.keys(), named)

    def finish(self, properties: Iterable[Property], redirects: Mapping[int, int]) -> None:
        """Replace what the snapshot's tables hold by what was gathered.

        Args:
            properties: every property.
            redirects: merged item → the one that stands for it.
        """
        execute, key = self._session.execute, self._snapshot
        for setting in ("work_mem", "maintenance_work_mem"):
            execute(text(f"SET LOCAL {setting} = '256MB'"))
        for table in (_STATEMENTS, _ENTITIES):
            execute(text(f"ANALYZE {table.name}"))
        for table in _IN_PLACE:
            execute(text(f"TRUNCATE {partition_name(table, key)}"))
        execute(delete(tables.property).where(tables.property.c.snapshot == key))
        copy_rows(
            self._session,
            tables.property,
            ("snapshot", *Property.__annotations__["metadata"]._fields, "origin"),
            ((key, *row.metadata, row.origin) for row in properties),
        )
        copy_rows(
            self._session,
            tables.redirect,
            ("snapshot", "qid", "target"),
            ((key, qid, target) for qid, target in sorted(redirects.items())),
        )
        self._move_entities(sorted(redirects))
        filled = self._fill_statements()
        for name in (filled, *(partition_name(table, key) for table in _IN_PLACE)):
            execute(text(f"ANALYZE {name}"))
        for table in (_STATEMENTS, _ENTITIES):
            table.drop(self._session.connection())
        # Last, because it keeps readers of every month waiting until the commit.
        partition = partition_name(tables.statement, key)
        execute(text(f"DROP TABLE IF EXISTS {partition}"))
        execute(text(f"ALTER TABLE {filled} RENAME TO {partition}"))
        execute(text(f"ALTER TABLE statement ATTACH PARTITION {partition} FOR VALUES IN ('{key}')"))

    def _target(self, column: ColumnElement[int]) -> ColumnElement[int]:
        """What stands for a merged item: the column itself, for all that are not merged."""
        mine = tables.redirect.c.snapshot == self._snapshot
        target = select(tables.redirect.c.target).where(mine, tables.redirect.c.qid == column).scalar_subquery()
        return func.coalesce(target, column)

    def _move_entities(self, merged: list[int]) -> None:
        if merged:
            each = func.unnest(_ENTITIES.c.types).table_valued("kind").render_derived()
            resolved = self._target(each.c.kind).label("kind")
            kinds = select(resolved).select_from(each).distinct().order_by(resolved)
            self._session.execute(
                update(_ENTITIES)
                .where(_ENTITIES.c.types.overlap(merged))
                .values(types=func.array(kinds.scalar_subquery()))
            )
        kind = func.unnest(_ENTITIES.c.types).label("kind")
        named = select(_ENTITIES.c.qid, _ENTITIES.c.folded, kind).where(_ENTITIES.c.folded != "").cte("named")
        shared = (
            select(named.c.kind, named.c.folded).group_by(named.c.kind, named.c.folded).having(func.count() > 1)
        ).subquery("shared")
        same = tuple_(named.c.kind, named.c.folded) == tuple_(shared.c.kind, shared.c.folded)
        ambiguous = _ENTITIES.c.qid.in_(select(named.c.qid).join(shared, same))
        self._session.execute(
            insert(tables.entity).from_select(
                ["snapshot", *EntityRow._fields, "ambiguous"],
                select(literal(self._snapshot), *(_ENTITIES.c[name] for name in EntityRow._fields), ambiguous).order_by(
                    _ENTITIES.c.qid
                ),
            )
        )

    def _fill_statements(self) -> str:
        """Fill a table without indexes and index it, which is twice as fast as in place; returns its name."""
        table, key, execute = tables.statement, self._snapshot, self._session.execute
        last = (
            select(_STATEMENTS)
            .distinct(_STATEMENTS.c.guid)
            .order_by(_STATEMENTS.c.guid, _STATEMENTS.c.came.desc())
            .subquery("last")
        )
        values: dict[str, ColumnElement[Any]] = {name: last.c[name] for name in _STATEMENT_COLUMNS}
        values |= {"o": self._target(last.c.o), "unit": self._target(last.c.unit)}
        execute(
            insert(tables.deprecated_value).from_select(
                ["snapshot", "guid", "s", "p", "o"],
                select(literal(key), last.c.guid, last.c.s, last.c.p, values["o"]).where(last.c.rank == "deprecated"),
            )
        )
        name = f"{partition_name(table, key)}_filling"
        execute(text(f"CREATE TABLE {name} (LIKE {table.name} INCLUDING DEFAULTS INCLUDING CONSTRAINTS)"))
        order = (last.c.p, last.c.s, last.c.guid.collate("C"))
        number = cast(func.row_number().over(order_by=order), Integer)
        execute(
            insert(Table(name, MetaData(), *(Column(c.name, c.type) for c in table.c))).from_select(
                ["snapshot", "sid", *_STATEMENT_COLUMNS],
                select(literal(key), number, *values.values()).where(last.c.rank != "deprecated").order_by(*order),
            )
        )
        execute(text(f"ALTER TABLE {name} ADD PRIMARY KEY (snapshot, sid)"))
        for index in sorted(table.indexes, key=lambda index: str(index.name)):
            indexed = ", ".join(column.name for column in index.columns)
            execute(text(f"CREATE INDEX ON {name} ({indexed})"))
        return name

    def _line(self, row: StatementRow) -> str:
        """One line for COPY. Millions of them are written, and all but one column are numbers and fixed words."""
        self._order += 1
        value = row.value
        if value.text is not None:
            value = value._replace(text=value.text.translate(_ESCAPES))
        fields = (
            row.guid,
            row.s,
            row.p,
            *value,
            row.rank,
            *row.start,
            *row.end,
            *row.point,
            _array(row.unknown_qualifiers),
            row.hedged,
            _array(row.absent_qualifiers),
            self._order,
        )
        return "\t".join([r"\N" if field is None else str(field) for field in fields]) + "\n"


def _array(numbers: tuple[int, ...]) -> str:
    return f"{{{','.join(map(str, numbers))}}}" if numbers else "{}"


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
        (tables.redirect, ("qid",)),
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
