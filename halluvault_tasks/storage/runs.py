"""The run log: which stage ran when, on what, with which counts; it also keeps others from the same work meanwhile."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from sqlalchemy import func, insert, update
from sqlalchemy.orm import Session

from halluvault_tasks.storage import leases
from halluvault_tasks.storage.leases import LeasedWork
from halluvault_tasks.storage.tables import stage_run


@contextmanager
def stage(
    session: Session, snapshot: str, name: str, part: str = "", work: LeasedWork | None = None
) -> Iterator[dict[str, Any]]:
    """Log a stage's start and end; put counts into the yielded dict. Commits twice.

    A stage that raises keeps `ended_at` NULL: that is how a dashboard sees it never finished.

    Args:
        session: of the stage.
        snapshot: exact key.
        name: of the stage.
        part: domain, shard or model.
        work: what it has to itself, waiting for whoever is at it; None means this stage and part.

    Raises:
        Unavailable: nothing was heard of this process for a minute, and another took the work over.
    """
    with leases.held(session, work or LeasedWork(snapshot, f"{name} {part}".strip())):
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
