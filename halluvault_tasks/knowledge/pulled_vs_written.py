"""Every body, batch and row accounted for before a snapshot is frozen: what was pulled against what was written.

    a body's statements   = rows of `statement` and `deprecated_value` + given again + without a readable subject
    a body's entities     = rows of `entity` + merged into others

Each batch counts what its bodies give and how much became rows; the database counts what arrived of each batch, in the
transaction that writes the tables. The sums go into the snapshot's notes, each body's share beside it (`pull_batch`),
and `failures` checks both against the tables once more, in the transaction that freezes them. So rows that were lost,
changed or mixed with another month's are noticed, whatever the cause.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from sqlalchemy import Column, Integer, MetaData, Table, Text, func, select, update
from sqlalchemy.orm import Session

from halluvault_tasks.errors import UserError
from halluvault_tasks.knowledge.counted_answers import Row
from halluvault_tasks.storage import tables
from halluvault_tasks.storage.copy import copy_rows
from halluvault_tasks.storage.tables import pull_batch
from halluvault_tasks.wikidata.iris import guid

STATEMENTS, ENTITIES = ("statements", "chain"), ("entities",)
"""Stages whose bodies give statements, and entities."""

_READ = Table(
    "read_body",
    MetaData(),
    Column("query_hash", Text),
    Column("rows", Integer),
    Column("gives", Integer),
    prefixes=["TEMPORARY"],
    postgresql_on_commit="DROP",
)


class StoredBody(NamedTuple):
    """A stored answer as it was read."""

    rows: int
    statements: int = 0
    """Statements that it gives; an answer that only adds details to them gives none."""
    entities: int = 0
    """Entities that it was asked for."""

    @classmethod
    def of(cls, stage: str, asked: int, rows: Sequence[Row]) -> "StoredBody":
        """What an answer gives.

        Args:
            stage: what it is filed under.
            asked: how many ids its query names.
            rows: its rows.
        """
        return cls(len(rows), names(rows) if stage in STATEMENTS else 0, asked if stage in ENTITIES else 0)


class Brought(NamedTuple):
    """What arrived in the database of all that was gathered."""

    statements: Mapping[int, int]
    """Batch → rows that arrived, of those that brought any."""
    entities: Mapping[int, int]
    """Likewise."""
    again: int
    """Statements that had come before, in another batch."""


class _Batch(NamedTuple):
    """What the plan asks at a time."""

    about: str
    given: int
    written: int
    dropped: int


def names(rows: Iterable[Row]) -> int:
    """How many statements rows are about."""
    return len({guid(row["st"]["value"]) for row in rows} - {None})


class PullAccount:
    """Kept while a plan is walked and its rows are gathered."""

    def __init__(self) -> None:
        self._batches: tuple[dict[int, _Batch], dict[int, _Batch]] = ({}, {})

    def next(self) -> int:
        """Number of the next batch."""
        return sum(map(len, self._batches))

    def statements(self, about: str, given: int, written: int, dropped: int) -> None:
        """Enter a batch of statements.

        Args:
            about: what it is, for messages.
            given: statements in its answers.
            written: rows made of them.
            dropped: those without a readable subject.
        """
        self._enter(0, _Batch(about, given, written, dropped))

    def entities(self, about: str, given: int, written: int, merged: int) -> None:
        """Enter a batch of entities: those asked for, rows made of them, those merged into others."""
        self._enter(1, _Batch(about, given, written, merged))

    def figures(self, bodies: Mapping[str, StoredBody], brought: Brought) -> dict[str, int]:
        """What the tables must hold, for the snapshot's notes.

        Args:
            bodies: every answer that was read, by the hash of its query; none for a dump.
            brought: what arrived in the database.

        Raises:
            UserError: of some batch, other rows arrived than were made of it.
        """
        for batches, arrived in zip(self._batches, (brought.statements, brought.entities), strict=True):
            for number, batch in batches.items():
                if batch.written != arrived.get(number, 0):
                    raise _mismatch(
                        f"{batch.written} rows were made of {batch.about}, {arrived.get(number, 0)} arrived in the "
                        "database"
                    )
            if strangers := arrived.keys() - batches.keys():
                raise _mismatch(f"rows of {len(strangers)} batches arrived that this pull did not make")
        given, entities = (sum(batch.given for batch in batches.values()) for batches in self._batches)
        dropped, merged = (sum(batch.dropped for batch in batches.values()) for batches in self._batches)
        # One that two parts of a batch give is in the batch once.
        twice = sum(body.statements for body in bodies.values()) - given if bodies else 0
        return {
            "bodies": len(bodies),
            "rows": sum(body.rows for body in bodies.values()),
            "statements": given + twice,
            "again": brought.again + twice,
            "dropped": dropped,
            "entities": entities,
            "merged": merged,
        }

    def _enter(self, kind: int, batch: _Batch) -> None:
        if batch.given != batch.written + batch.dropped:
            raise _mismatch(
                f"{batch.about} gives {batch.given}, of which {batch.written} became rows and {batch.dropped} cannot"
            )
        self._batches[kind][self.next()] = batch


def settle(session: Session, snapshot: str, bodies: Mapping[str, StoredBody]) -> None:
    """Write each body's share beside it; the caller commits, with the rows.

    Raises:
        UserError: an answer that was read is not stored as it was read.
    """
    mine = pull_batch.c.snapshot == snapshot
    session.execute(update(pull_batch).where(mine, pull_batch.c.gives.is_not(None)).values(gives=None))
    _READ.create(session.connection(), checkfirst=False)
    rows = ((name, body.rows, body.statements + body.entities) for name, body in bodies.items())
    copy_rows(session, _READ, _READ.c.keys(), rows)
    same = (pull_batch.c.query_hash == _READ.c.query_hash, pull_batch.c.rows == _READ.c.rows)
    updated: Any = session.execute(update(pull_batch).where(mine, *same).values(gives=_READ.c.gives))
    if updated.rowcount != len(bodies):
        raise _mismatch(f"{len(bodies)} answers were read, {updated.rowcount} of them are stored as they were read")


def failures(session: Session, snapshot: str, noted: Mapping[str, Any]) -> list[str]:
    """Where the tables of a snapshot do not hold what its notes and bodies promise; one phrase each, with the figures.

    Args:
        session: open session; its transaction sees to it that nobody writes meanwhile.
        snapshot: exact key.
        noted: `complete` of the snapshot's notes.
    """
    promised = noted.get("account")
    if promised is None:
        return ["it was completed by an earlier version, which kept no account"]

    def count(table: Table) -> int:
        return session.scalar(select(func.count()).where(table.c.snapshot == snapshot)) or 0

    statements, entities = count(tables.statement) + count(tables.deprecated_value), count(tables.entity)
    compared = [
        ("statements", promised["statements"] - promised["again"] - promised["dropped"], statements),
        ("entities", promised["entities"] - promised["merged"], entities),
        ("properties", sum(noted["metadata_origins"].values()), count(tables.property)),
        ("redirects", noted["redirects"], count(tables.redirect)),
    ]
    if promised["bodies"]:
        gives = pull_batch.c.gives
        stored = session.execute(
            select(
                func.count(gives),
                func.coalesce(func.sum(pull_batch.c.rows).filter(gives.is_not(None)), 0),
                *(
                    func.coalesce(func.sum(gives).filter(pull_batch.c.stage.in_(stages)), 0)
                    for stages in (STATEMENTS, ENTITIES)
                ),
            ).where(pull_batch.c.snapshot == snapshot)
        ).one()
        kept = ("bodies", "rows", "statements", "entities")
        compared += [(f"{name} in the stored answers", promised[name], n) for name, n in zip(kept, stored, strict=True)]
    return [f"{name}: {wanted} by the account, {there} there" for name, wanted, there in compared if wanted != there]


def _mismatch(what: str) -> UserError:
    return UserError(f"the pull does not add up: {what}", "nothing was written; run it again, the answers are kept")
