"""The run log: which stage ran when, on what, with which counts."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from sqlalchemy import func, insert, update
from sqlalchemy.orm import Session

from halluvault_tasks.storage.tables import stage_run


@contextmanager
def stage(session: Session, snapshot: str, name: str, part: str = "") -> Iterator[dict[str, Any]]:
    """Log a stage's start and end; put counts into the yielded dict. Commits twice.

    A stage that raises keeps `ended_at` NULL: that is how a dashboard sees it never finished.
    """
    identity = session.scalar(
        insert(stage_run).values(snapshot=snapshot, stage=name, part=part).returning(stage_run.c.id)
    )
    session.commit()
    summary: dict[str, Any] = {}
    yield summary
    session.execute(
        update(stage_run).where(stage_run.c.id == identity).values(ended_at=func.clock_timestamp(), summary=summary)
    )
    session.commit()
