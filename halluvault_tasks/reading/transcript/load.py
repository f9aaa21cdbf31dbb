"""The reader on a snapshot: relations are named as Wikidata names its properties."""

from sqlalchemy import select
from sqlalchemy.orm import Session

from halluvault_tasks.reading.syntax.reader import SyntaxReader
from halluvault_tasks.reading.transcript.reader import TranscriptReader
from halluvault_tasks.storage.tables import property


def load(session: Session, snapshot: str, syntax: SyntaxReader, listed_by: str) -> TranscriptReader:
    """The reader that takes listings beside a parse.

    Args:
        session: open session; it is only read.
        snapshot: exact key.
        syntax: of the same snapshot.
        listed_by: `transcript` or `llm:NAME`.
    """
    rows = session.execute(
        select(property.c.label, property.c.pid)
        .where(property.c.snapshot == snapshot, property.c.pid.in_(sorted(syntax.relations)))
        .order_by(property.c.pid.desc())
    )
    return TranscriptReader(syntax, {label: pid for label, pid in rows if label}, listed_by)
