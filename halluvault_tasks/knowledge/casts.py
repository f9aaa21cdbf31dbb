"""Who plays in which works of a snapshot."""

from collections import defaultdict

from sqlalchemy import select
from sqlalchemy.orm import Session

from halluvault_tasks.storage.tables import statement
from halluvault_tasks.wikidata import properties as wd


def load(session: Session, snapshot: str) -> dict[int, frozenset[int]]:
    """Work → its cast, as far as it is stated without a doubt."""
    c = statement.c
    found: dict[int, set[int]] = defaultdict(set)
    rows = session.execute(
        select(c.s, c.o).where(
            c.snapshot == snapshot,
            c.p == wd.CAST_MEMBER,
            c.kind == "item",
            c.rank != "deprecated",
            c.hedged.is_(False),
        )
    )
    for work, actor in rows:
        found[work].add(actor)
    return {work: frozenset(actors) for work, actors in found.items()}
