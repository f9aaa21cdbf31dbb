"""How often a snapshot breaks Wikidata's own property constraints: a number that leaps when a source is damaged.

Constraints are hints, and every month breaks some of them. What matters is the change: a vandal's bot, a half-loaded
replica or a bug in a query doubles them overnight. Exceptions that Wikidata allows (P2303) are the same every month
and so do not matter.
"""

from collections.abc import Iterator

from sqlalchemy import Select, Table, and_, exists, func, or_, select
from sqlalchemy.orm import Session
from sqlalchemy.sql.elements import ColumnElement

from halluvault_tasks.storage.tables import entity, statement
from halluvault_tasks.storage.tables import property as property_table

SINGLE_VALUE, SINGLE_BEST_VALUE, DISTINCT_VALUES, SYMMETRIC, INVERSE = (
    19_474_404,
    52_060_874,
    21_502_410,
    21_510_862,
    21_510_855,
)
"""Items of the constraint types that a snapshot can check by itself."""


def count(session: Session, snapshot: str) -> dict[str, int]:
    """Violations by constraint, `P19 single value` → how many; constraints that nothing breaks are left out."""
    violations: dict[str, int] = {}
    for name, query in _queries(snapshot):
        for row in session.execute(query):
            violations[f"P{row[0]} {name}"] = int(row[1])
    return dict(sorted(violations.items()))


def _queries(snapshot: str) -> Iterator[tuple[str, Select[int, int]]]:
    yield "single value", _shared(snapshot, (SINGLE_VALUE,), statement.c.s, best_rank=False)
    yield "single best value", _shared(snapshot, (SINGLE_BEST_VALUE,), statement.c.s, best_rank=True)
    yield "distinct values", _shared(snapshot, (DISTINCT_VALUES,), statement.c.o, best_rank=False)
    yield "symmetric", _one_way(snapshot, SYMMETRIC, property_table.c.pid)
    yield "inverse", _one_way(snapshot, INVERSE, property_table.c.inverse)


def _constrained(snapshot: str, types: tuple[int, ...]) -> ColumnElement[bool]:
    return and_(property_table.c.snapshot == snapshot, property_table.c.constraints.overlap(list(types)))


def _shared(snapshot: str, types: tuple[int, ...], by: ColumnElement[int], *, best_rank: bool) -> Select[int, int]:
    """Subjects with several values, or values of several subjects; several are allowed where separators are."""
    mine = and_(statement.c.snapshot == snapshot, by.is_not(None), _constrained(snapshot, types))
    preferred = statement.c.rank == "preferred"
    counted = func.count().filter(preferred) if best_rank else func.count()
    # Without a preferred statement all normal ones are the best.
    too_many = or_(counted > 1, and_(counted == 0, func.count() > 1)) if best_rank else counted > 1
    groups = (
        select(statement.c.p)
        .join(property_table, property_table.c.pid == statement.c.p)
        .where(mine, func.cardinality(property_table.c.separators) == 0)
        .group_by(statement.c.p, by)
        .having(too_many)
        .subquery()
    )
    return select(groups.c.p, func.count()).group_by(groups.c.p)


def _one_way(snapshot: str, kind: int, back: ColumnElement[int | None]) -> Select[int, int]:
    """Statements between seeds that lack the one that should lead back."""
    other: Table = statement.alias("other")  # type: ignore[assignment]
    answered = exists().where(
        other.c.snapshot == snapshot,
        other.c.p == back,
        other.c.s == statement.c.o,
        other.c.o == statement.c.s,
    )
    return (
        select(statement.c.p, func.count())
        .join(property_table, property_table.c.pid == statement.c.p)
        .join(entity, and_(entity.c.snapshot == snapshot, entity.c.qid == statement.c.o, entity.c.seed))
        .where(statement.c.snapshot == snapshot, back.is_not(None), _constrained(snapshot, (kind,)), ~answered)
        .group_by(statement.c.p)
    )
