"""How a group's wordings were asked in the months before: what a new wording supersedes, and what comes back."""

from collections.abc import Collection
from typing import NamedTuple

from sqlalchemy import select, tuple_
from sqlalchemy.orm import Session

from halluvault_tasks.storage.tables import benchmark_case, cases
from halluvault_tasks.storage.tables import snapshot as snapshots


class EarlierCase(NamedTuple):
    """How a group's mutation was asked before."""

    last: str
    """Id of the case that asked it last."""
    snapshot: str
    """When that was."""
    ids: frozenset[str]
    """Every case that ever asked it."""


def earlier(session: Session, snapshot: str, groups: Collection[str]) -> dict[tuple[str, str], EarlierCase]:
    """(group, mutation) → how it was asked in the months before this snapshot, by month and revision."""
    row, this = snapshots.alias("row"), snapshots.alias("this")
    query = (
        select(cases.c.group_id, cases.c.mutation, cases.c.id, row.c.snapshot)
        .join(benchmark_case, benchmark_case.c.case_id == cases.c.id)
        .join(row, row.c.snapshot == benchmark_case.c.snapshot)
        .join(this, tuple_(row.c.month, row.c.revision) < tuple_(this.c.month, this.c.revision))
        .where(cases.c.group_id.in_(groups), this.c.snapshot == snapshot)
        .order_by(row.c.month, row.c.revision, cases.c.id)
    )
    found: dict[tuple[str, str], EarlierCase] = {}
    for group, mutation, identity, key in session.execute(query) if groups else ():
        before = found.get((group, mutation))
        found[group, mutation] = EarlierCase(identity, key, (before.ids if before else frozenset()) | {identity})
    return found
