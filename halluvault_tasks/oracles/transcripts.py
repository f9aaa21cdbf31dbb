"""Listings of claims as they are stored beside the responses."""

from collections.abc import Mapping, Sequence
from typing import Any

from sqlalchemy import select, tuple_
from sqlalchemy.orm import Session

from halluvault_tasks.storage.tables import transcript


def readers(session: Session, evaluation_id: str) -> list[str]:
    """Who has listed claims of an evaluation's responses: `transcript`, `llm:NAME`; by name."""
    found = select(transcript.c.reader).where(transcript.c.evaluation_id == evaluation_id).distinct()
    return sorted(session.scalars(found))


def texts(session: Session, evaluation_id: str, reader: str, batch: Sequence[Any]) -> Mapping[tuple[str, int], str]:
    """(case id, sample) → listing by a reader, of those responses of a batch that have one."""
    rows = session.execute(
        select(transcript.c.case_id, transcript.c.sample, transcript.c.text).where(
            transcript.c.evaluation_id == evaluation_id,
            transcript.c.reader == reader,
            transcript.c.text.is_not(None),
            tuple_(transcript.c.case_id, transcript.c.sample).in_([(row.case_id, row.sample) for row in batch]),
        )
    )
    return {(row.case_id, row.sample): row.text for row in rows}
