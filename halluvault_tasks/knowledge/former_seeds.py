"""What became of last month's seeds that are none any more: the source is asked, since nothing else mentions them."""

from collections.abc import Collection, Mapping
from typing import Any, NamedTuple, Self

from sqlalchemy import select
from sqlalchemy.orm import Session

from halluvault_tasks.knowledge import snapshots
from halluvault_tasks.knowledge.answer_source import AnswerSource
from halluvault_tasks.knowledge.requests import KnownItems
from halluvault_tasks.storage.tables import entity
from halluvault_tasks.wikidata.iris import item

_MOST = 6000
"""So many are asked about: of a source that is cut off more are missing, and the gates say so in any case."""


class FormerSeeds(NamedTuple):
    """Seeds of the month before that are none of this."""

    merged: Mapping[int, int] = {}
    """Into another item, with that one."""
    known: Collection[int] = ()
    """Others that the source still knows."""

    def as_json(self) -> dict[str, Any]:
        """For a snapshot's notes."""
        return {"merged": {str(qid): target for qid, target in self.merged.items()}, "known": list(self.known)}

    @classmethod
    def of_notes(cls, notes: Mapping[str, Any]) -> Self:
        """Out of a snapshot's notes."""
        found = notes.get("complete", {}).get("former_seeds", {})
        return cls({int(qid): target for qid, target in found.get("merged", {}).items()}, found.get("known", ()))


def before(session: Session, snapshot: str) -> frozenset[int]:
    """Seeds of the last published month of the same source."""
    earlier = snapshots.predecessor(session, snapshots.get(session, snapshot))
    if earlier is None:
        return frozenset()
    return frozenset(session.scalars(select(entity.c.qid).where(entity.c.snapshot == earlier.snapshot, entity.c.seed)))


def look_up(source: AnswerSource, missing: Collection[int], size: int) -> FormerSeeds:
    """Ask the source about them.

    Args:
        source: answers.
        missing: former seeds that are none now.
        size: items a request.
    """
    merged: dict[int, int] = {}
    known: set[int] = set()
    for _, rows in source.each("metadata", "", KnownItems(sorted(missing)[:_MOST]), size):
        for row in rows:
            if (qid := item(row["e"]["value"])) is None:
                continue
            if (target := item(row.get("target", {}).get("value", ""))) is not None:
                merged[qid] = target
            else:
                known.add(qid)
    return FormerSeeds(dict(sorted(merged.items())), sorted(known - merged.keys()))
