"""Loads normalised rows into a snapshot's tables, in one transaction, and hashes what these then contain.

Rows are gathered in scratch files of this process, batch by batch, while answers are asked for and committed; `finish`
then loads all of them at once, and nothing in the database outlives its transaction. So their order and repetition
leave no trace: a statement that comes twice counts once, merged items are replaced by their targets, and numbers follow
the canonical order.
"""

import hashlib
import shutil
import tempfile
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from typing import IO, Any, NamedTuple

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

from halluvault_tasks.errors import UserError
from halluvault_tasks.knowledge.metadata import Property
from halluvault_tasks.knowledge.normalise import StatementRow, StatementValue
from halluvault_tasks.knowledge.pulled_vs_written import Brought
from halluvault_tasks.storage import tables
from halluvault_tasks.storage.copy import CopyLines, copy_lines, copy_rows
from halluvault_tasks.storage.partitions import partition_name
from halluvault_tasks.wikidata.names import fold

_STATEMENT_COLUMNS = (
    "guid",
    "s",
    "p",
    *StatementValue._fields,
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
    "julian",
)


_CHUNK = 1 << 20
_ESCAPES = str.maketrans({"\\": r"\\", "\n": r"\n", "\r": r"\r", "\t": r"\t"})


class EntityRow(NamedTuple):
    """One entity, with the columns of `entity` except snapshot and those computed from all entities."""

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


def _gathered(name: str, like: Table, columns: Iterable[str], *more: Column[object]) -> Table:
    kept = (Column(column, like.c[column].type) for column in columns)
    batch = Column("batch", Integer)
    return Table(name, _GATHERED, *kept, *more, batch, prefixes=["TEMPORARY"], postgresql_on_commit="DROP")


_STATEMENTS = _gathered("gathered_statement", tables.statement, _STATEMENT_COLUMNS)
_ENTITIES = _gathered("gathered_entity", tables.entity, EntityRow._fields, Column("folded", Text))


class Loader:
    """Gathers a snapshot's rows on this machine's disk; the files go with the process.

    Args:
        snapshot: exact key.

    Raises:
        UserError: from every method: there is no room for them.
    """

    def __init__(self, snapshot: str) -> None:
        self._snapshot = snapshot
        with _room():
            self._files = {table: _scratch() for table in (_STATEMENTS, _ENTITIES)}

    def close(self) -> None:
        """Give the disk back."""
        for file in self._files.values():
            file.close()

    def statements(self, batch: int, rows: Iterable[StatementRow]) -> int:
        """Add statements of any rank, each name once; one that another batch has brought counts once, as of the last.

        Args:
            batch: its number.
            rows: of the batch.

        Returns:
            How many there were.
        """
        lines = [_line(row, batch) for row in rows]
        with _room():
            self._files[_STATEMENTS].write("".join(lines).encode())
        return len(lines)

    def entities(self, batch: int, rows: Iterable[EntityRow]) -> int:
        """Add entities, each once; as for statements."""
        named = ((*row, None if row.label is None else fold(row.label), batch) for row in rows)
        lines = CopyLines(_ENTITIES, _ENTITIES.c.keys(), named)
        with _room():
            shutil.copyfileobj(lines, self._files[_ENTITIES], _CHUNK)
        return lines.count

    def finish(self, session: Session, properties: Iterable[Property], redirects: Mapping[int, int]) -> Brought:
        """Replace what the snapshot's tables hold by what was gathered, in the session's transaction.

        Args:
            session: open session; nothing is committed here.
            properties: every property.
            redirects: merged item → the one that stands for it.
        """
        return _Finish(session, self._snapshot).run(self._files, properties, redirects)


class _Finish:
    """One transaction of a `Loader`."""

    def __init__(self, session: Session, snapshot: str) -> None:
        self._session = session
        self._snapshot = snapshot

    def run(
        self, files: Mapping[Table, IO[bytes]], properties: Iterable[Property], redirects: Mapping[int, int]
    ) -> Brought:
        """All of it."""
        execute, key = self._session.execute, self._snapshot
        for setting in ("work_mem", "maintenance_work_mem"):
            execute(text(f"SET LOCAL {setting} = '256MB'"))
        for table, file in files.items():
            table.create(self._session.connection(), checkfirst=False)
            with _room():
                file.seek(0)
            copy_lines(self._session, table.name, table.c.keys(), file)
            execute(text(f"ANALYZE {table.name}"))
        names = select(func.count(), func.count(_STATEMENTS.c.guid.distinct()))
        came, distinct = execute(names.select_from(_STATEMENTS)).one()
        brought = Brought(self._by_batch(_STATEMENTS), self._by_batch(_ENTITIES), came - distinct)
        # Not truncated: that would keep readers of every month waiting for all that follows, and one who reads
        # statements first and then these would wait in a circle with the end below.
        for table in _IN_PLACE:
            execute(delete(table).where(table.c.snapshot == key))
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
        # Last, because it keeps readers of every month waiting until the commit.
        partition = partition_name(tables.statement, key)
        execute(text(f"DROP TABLE IF EXISTS {partition}"))
        execute(text(f"ALTER TABLE {filled} RENAME TO {partition}"))
        execute(text(f"ALTER TABLE statement ATTACH PARTITION {partition} FOR VALUES IN ('{key}')"))
        return brought

    def _by_batch(self, table: Table) -> dict[int, int]:
        rows = self._session.execute(select(table.c.batch, func.count().label("rows")).group_by(table.c.batch))
        return {row.batch: row.rows for row in rows}

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
            .order_by(_STATEMENTS.c.guid, _STATEMENTS.c.batch.desc())
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
        # Two months that end at once take turns from here: each locks the readers out at its end.
        execute(text(f"LOCK TABLE ONLY {table.name} IN SHARE UPDATE EXCLUSIVE MODE"))
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


def _line(row: StatementRow, batch: int) -> str:
    """One line for COPY. Millions of them are written, and all but one column are numbers and fixed words."""
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
        _array(row.julian),
        batch,
    )
    return "\t".join([r"\N" if field is None else str(field) for field in fields]) + "\n"


def _array(numbers: tuple[int, ...]) -> str:
    return f"{{{','.join(map(str, numbers))}}}" if numbers else "{}"


def _scratch() -> IO[bytes]:
    return tempfile.TemporaryFile(buffering=_CHUNK)


@contextmanager
def _room() -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise UserError(
            f"no space for the rows of the pull in {tempfile.gettempdir()!r}: {error.strerror or error}",
            "free space there, or name another folder in TMPDIR; what was pulled is kept",
        ) from error


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
