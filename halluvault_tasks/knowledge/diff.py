"""What changed from one snapshot to another, property by property."""

from typing import NamedTuple

from sqlalchemy import Integer, and_, func, literal, or_, select
from sqlalchemy.orm import Session
from sqlalchemy.sql.elements import ColumnElement

from halluvault_tasks.storage.tables import property as property_table
from halluvault_tasks.storage.tables import statement

_VALUE = ("kind", "o", "earliest", "latest", "precision", "amount", "unit", "text")
_QUALIFIERS = ("start_earliest", "start_latest", "end_earliest", "end_latest", "point_earliest", "point_latest")


class PropertyDiff(NamedTuple):
    """Statements of one property, counted by what became of them; statements are matched by their names."""

    pid: int
    label: str
    added: int
    removed: int
    changed_value: int
    """Same name, another value or other dates in its qualifiers."""
    changed_rank: int
    """Deprecation and its opposite count as removed and added."""


def compare(session: Session, before: str, after: str) -> list[PropertyDiff]:
    """Compare two snapshots; properties without any change are left out, ascending by number.

    Args:
        session: open session; nothing is written.
        before: exact key of the earlier snapshot.
        after: exact key of the later one.
    """
    a = select(statement).where(statement.c.snapshot == before).subquery("a")
    b = select(statement).where(statement.c.snapshot == after).subquery("b")
    both = and_(a.c.guid.is_not(None), b.c.guid.is_not(None))
    other: ColumnElement[bool] = or_(*(a.c[name].is_distinct_from(b.c[name]) for name in (*_VALUE, *_QUALIFIERS)))
    pid = func.coalesce(b.c.p, a.c.p).cast(Integer).label("pid")
    counted = (
        select(
            pid,
            func.count().filter(a.c.guid.is_(None)).label("added"),
            func.count().filter(b.c.guid.is_(None)).label("removed"),
            func.count().filter(and_(both, other)).label("changed_value"),
            func.count().filter(and_(both, a.c.rank != b.c.rank)).label("changed_rank"),
        )
        .select_from(a.join(b, and_(a.c.guid == b.c.guid, a.c.p == b.c.p), full=True))
        .group_by(pid)
        .subquery("counted")
    )
    name = (
        select(func.min(property_table.c.label))
        .where(property_table.c.pid == counted.c.pid, property_table.c.snapshot.in_([before, after]))
        .scalar_subquery()
    )
    rows = session.execute(
        select(
            counted.c.pid,
            func.coalesce(name, literal("")),
            counted.c.added,
            counted.c.removed,
            counted.c.changed_value,
            counted.c.changed_rank,
        )
        .where(counted.c.added + counted.c.removed + counted.c.changed_value + counted.c.changed_rank > 0)
        .order_by(counted.c.pid)
    )
    return [PropertyDiff(*row) for row in rows]
