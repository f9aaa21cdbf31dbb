"""Rows in the content tables: a second run of the same month must not add one."""

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from halluvault_tasks.storage.tables import lease, metadata, stage_run

EXEMPT = (stage_run, lease)
"""Run logs, which tell that a run took place and so grow with each; and who is at work."""


def count(session: Session) -> dict[str, int]:
    """Number of rows of every content table, by name."""
    tables = [table for table in metadata.sorted_tables if table not in EXEMPT]
    return {table.name: session.scalar(select(func.count()).select_from(table)) or 0 for table in tables}


def added(before: dict[str, int], after: dict[str, int]) -> dict[str, int]:
    """Tables whose count changed, with the difference."""
    return {name: after[name] - before.get(name, 0) for name in after if after[name] != before.get(name, 0)}
