"""How well known the entities of a snapshot are, as far as it says: by Wikipedia pages, else by what is stated."""

import math
from collections import Counter
from collections.abc import Mapping
from typing import NamedTuple

import numpy as np
from sqlalchemy import func, select
from sqlalchemy.orm import Session

from halluvault_tasks.storage.tables import entity, statement

FEW_PAGES = 5
"""Most Wikipedia pages and the like of what hardly anybody knows."""


class FameCounts(NamedTuple):
    """Where a snapshot's items are mentioned.

    Attributes:
        pages: item → Wikipedia pages and the like, of the items whose pages the source counts.
        stated: item → statements in which it stands at either end.
    """

    pages: Mapping[int, int]
    stated: Mapping[int, int]

    def fame(self) -> dict[int, float]:
        """Item → logarithm of the number of its pages.

        Where the source counts none of any item: of the statements that it stands in. Where it counts those of some, an
        item that it passes over gets what those have on average that stand in as many statements, by a line through the
        logarithms of both: a page that is not counted is not a page that does not exist.
        """
        if not self.pages:
            return {qid: math.log(number) for qid, number in self.stated.items()}
        counted = {qid: math.log(max(number, 1)) for qid, number in sorted(self.pages.items())}
        return self._estimated(counted) | counted

    def tail(self) -> frozenset[int]:
        """What hardly anybody knows: of at most five pages; where the source does not count them, in one statement."""
        few = {qid for qid, number in self.pages.items() if number <= FEW_PAGES}
        return frozenset(few | {qid for qid, number in self.stated.items() if qid not in self.pages and number == 1})

    def _estimated(self, counted: Mapping[int, float]) -> dict[int, float]:
        beside = np.log1p([self.stated.get(qid, 0) for qid in counted])
        pages, spread = np.array(list(counted.values())), float(beside.var())
        rise = max(0.0, float(((beside - beside.mean()) * pages).mean()) / spread) if spread else 0.0
        others = sorted(self.stated.keys() - counted.keys())
        found = pages.mean() + rise * (np.log1p([self.stated[qid] for qid in others]) - beside.mean())
        # Nothing is better known than the best known whose pages are counted.
        return dict(zip(others, np.round(np.clip(found, 0.0, pages.max()), 9).tolist(), strict=True))


def counts(session: Session, snapshot: str) -> FameCounts:
    """Read where items are mentioned.

    Args:
        session: open session; only read.
        snapshot: key.
    """
    c = entity.c
    counted = session.execute(select(c.qid, c.sitelinks).where(c.snapshot == snapshot, c.sitelinks.is_not(None)))
    stated: Counter[int] = Counter()
    for end in (statement.c.s, statement.c.o):
        query = select(end, func.count()).where(statement.c.snapshot == snapshot, end.is_not(None)).group_by(end)
        for qid, number in session.execute(query):
            stated[qid] += number
    return FameCounts({qid: number or 0 for qid, number in counted}, stated)


def load(session: Session, snapshot: str) -> dict[int, float]:
    """Item → how well known it is, as a logarithm (`FameCounts.fame`)."""
    return counts(session, snapshot).fame()
