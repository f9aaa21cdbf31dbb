"""Incidents: what went wrong while nobody watched, and the way out."""

from sqlalchemy import insert
from sqlalchemy.orm import Session

from halluvault_tasks.storage.tables import incident
from halluvault_tasks.untrusted import scrubbed


def add(session: Session, kind: str, where: str, message: str, way_out: str, snapshot: str | None = None) -> None:
    """Write one incident with whatever else the session writes; the caller commits. Arguments as for `record`."""
    session.execute(
        insert(incident).values(kind=kind, where=where, message=told(message), way_out=way_out, snapshot=snapshot)
    )


def record(session: Session, kind: str, where: str, message: str, way_out: str, snapshot: str | None = None) -> None:
    """Write one incident and commit it, whatever becomes of the work that failed.

    Args:
        session: open session; anything uncommitted in it is committed too, so pass a fresh one.
        kind: task_failed, deadline_missed, gate_failed, identity_changed …
        where: DAG and task, or command.
        message: what happened, with the figures.
        way_out: what to type or change.
        snapshot: the month concerned, if known.
    """
    add(session, kind, where, message, way_out, snapshot)
    session.commit()


def told(message: str) -> str:
    """A message as in the table: without keys, which an error may quote, and not endless."""
    return scrubbed(message)[:10_000]
