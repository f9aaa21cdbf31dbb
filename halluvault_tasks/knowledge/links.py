"""Which entities of a snapshot belong together: joined by a statement of substance, or parts of one whole.

A person would ask a question about two things only if something joins them (semantics.md §3.7). That both are human, of
one country or of one trade does not; nor does a film in which both played, or an award.
"""

from collections import defaultdict
from collections.abc import Mapping

from sqlalchemy import select
from sqlalchemy.orm import Session

from halluvault_tasks.storage.tables import statement
from halluvault_tasks.wikidata import properties as wd

_FEW = 40
"""Most things that may share what joins them."""


class Links:
    """What is joined to what.

    Args:
        direct: item → items that a statement of substance joins it to, either way.
        wholes: item → its parents, series and wholes.
    """

    def __init__(self, direct: Mapping[int, set[int]], wholes: Mapping[int, set[int]]) -> None:
        self._direct, self._wholes = direct, wholes
        self._parts: dict[int, set[int]] = defaultdict(set)
        for qid, of_item in wholes.items():
            for whole in of_item:
                self._parts[whole].add(qid)

    def joined(self, qid: int) -> set[int]:
        """Everything that belongs together with an item, itself not included."""
        joined = set(self._direct.get(qid, ()))
        for whole in self._wholes.get(qid, ()):
            if len(self._parts[whole]) <= _FEW:
                joined |= self._parts[whole]
        joined.discard(qid)
        return joined


def load(session: Session, snapshot: str) -> Links:
    """Read the links of a snapshot.

    Args:
        session: open session; only read.
        snapshot: key.
    """
    direct: dict[int, set[int]] = defaultdict(set)
    wholes: dict[int, set[int]] = defaultdict(set)
    c = statement.c
    rows = session.execute(
        select(c.s, c.p, c.o).where(
            c.snapshot == snapshot, c.kind == "item", c.p.not_in(wd.HOLLOW), c.s != c.o, c.hedged.is_(False)
        )
    )
    for s, p, o in rows:
        direct[s].add(o)
        direct[o].add(s)
        if p in wd.WHOLES:
            wholes[s].add(o)
    return Links(direct, wholes)
