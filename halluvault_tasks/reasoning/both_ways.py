"""Statements that are functional both ways: one value, and nothing else has it, at any rank and in any month."""

from collections import defaultdict

from sqlalchemy import func, select, union
from sqlalchemy.orm import Session

from halluvault_tasks.reasoning.records import Premise
from halluvault_tasks.storage.tables import deprecated_value, statement

_COLUMNS = ("sid", "guid", "s", "p", "o", "kind", "earliest", "latest", "precision", "amount")


def both_ways(session: Session, snapshot: str, p: int) -> list[Premise]:
    """Those of a relation between items that hold now and without a doubt, one for each subject, in their order.

    Args:
        session: open session; only read.
        snapshot: exact key.
        p: property.
    """
    ever = [select(table.c.s, table.c.o).where(table.c.p == p) for table in (statement, deprecated_value)]
    values, holders = defaultdict[int, set[int | None]](set), defaultdict[int | None, set[int]](set)
    for s, o in session.execute(union(*ever)):
        values[s].add(o)  # None: an unknown value, which is another one
        holders[o].add(s)
    c = statement.c
    rows = session.execute(
        select(*(c[name] for name in _COLUMNS))
        .where(
            c.snapshot == snapshot,
            c.p == p,
            c.kind == "item",
            ~c.hedged,
            # A value that ended is not what is asked as of the month's date.
            func.coalesce(c.end_earliest, c.end_latest).is_(None),
        )
        .order_by(c.s, c.sid)
    ).all()
    # Two statements with one value are one pair.
    first = {row.s: row for row in reversed(rows) if len(values[row.s]) == len(holders[row.o]) == 1 and row.s != row.o}
    return [Premise(*first[s]) for s in sorted(first)]
