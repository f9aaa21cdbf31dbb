"""The year that a thing is of."""

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from halluvault_tasks.storage.tables import statement
from halluvault_tasks.wikidata import properties as wd
from halluvault_tasks.wikidata.days import civil


def load(session: Session, snapshot: str) -> dict[int, int]:
    """Entity → the year of its beginning, else of its end, as far as one is stated."""
    c = statement.c
    rows = session.execute(
        select(c.s, c.p, func.min(c.earliest))
        .where(c.snapshot == snapshot, c.p.in_(wd.BEGINNINGS), c.kind == "time", c.earliest.is_not(None))
        .group_by(c.s, c.p)
    ).all()
    years: dict[int, int] = {}
    for s, _, earliest in sorted(rows, key=lambda row: (row[0], wd.BEGINNINGS.index(row[1]))):
        years.setdefault(s, civil(earliest).year)
    return years
