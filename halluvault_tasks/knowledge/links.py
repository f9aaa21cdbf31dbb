"""Which things of a snapshot belong together: joined by a statement of substance, or by one thing that both have.

A question about two things is one that a person could ask only where something joins them (semantics.md §3.7). That
both are human, of one country or of one trade joins nobody.
"""

from collections import defaultdict
from collections.abc import Mapping

from sqlalchemy import select
from sqlalchemy.orm import Session

from halluvault_tasks.storage.tables import statement

HOLLOW = (31, 279, 17, 21, 27, 106, 460, 1889)
"""What a thing is, its country, sex and trade; and notes of editors about likeness."""

_GENERAL = (19, 20, 30, 37, 47, 119, 131, 136, 140, 206, 276, 495, 509, 530, 551, 641, 1303, 1412)
"""Joins its two ends, but two things that share it no more than neighbours in a town do."""

_FEW = 40
"""Most things that may share what joins them: the cast of a film, not the laureates of a century."""


class Links:
    """What is joined to what.

    Args:
        direct: item → items that a statement of substance joins it to, either way.
        through: item → items with which others may share it: a film its actors, an actor the films.
    """

    def __init__(self, direct: Mapping[int, set[int]], through: Mapping[int, set[int]]) -> None:
        self._direct, self._through = direct, through

    def joined(self, qid: int) -> set[int]:
        """Everything that belongs together with an item, itself not included."""
        found = set(self._direct.get(qid, ()))
        for shared in self._through.get(qid, ()):
            bearers = self._through.get(shared, ())
            if len(bearers) <= _FEW:
                found.update(bearers)
        found.discard(qid)
        return found


def load(session: Session, snapshot: str) -> Links:
    """Read the links of a snapshot.

    Args:
        session: open session; only read.
        snapshot: key.
    """
    direct: dict[int, set[int]] = defaultdict(set)
    through: dict[int, set[int]] = defaultdict(set)
    c = statement.c
    rows = session.execute(
        select(c.s, c.p, c.o).where(
            c.snapshot == snapshot, c.kind == "item", c.p.not_in(HOLLOW), c.s != c.o, c.hedged.is_(False)
        )
    )
    for s, p, o in rows:
        direct[s].add(o)
        direct[o].add(s)
        if p not in _GENERAL:
            through[s].add(o)
            through[o].add(s)
    return Links(direct, through)
