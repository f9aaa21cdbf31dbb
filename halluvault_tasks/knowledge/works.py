"""Which works go together: those of a time in which the same people play."""

from collections import Counter, defaultdict
from collections.abc import Collection, Mapping
from itertools import combinations

from sqlalchemy import select
from sqlalchemy.orm import Session

from halluvault_tasks.knowledge import years
from halluvault_tasks.storage.tables import statement
from halluvault_tasks.wikidata import properties as wd

_ACTORS = 2  # in common: one alone joins films that nobody would think of together
_APART = 8  # years at most between two works that go together

_NOBODY: frozenset[int] = frozenset()


class Works:
    """Casts and years of the works of a snapshot.

    Args:
        casts: work → who plays in it.
        years: entity → the year that it is of.
    """

    def __init__(self, casts: Mapping[int, frozenset[int]], years: Mapping[int, int]) -> None:
        self._casts, self._years = casts, years

    def go_together(self, work: int, other: int) -> bool:
        """Whether the two are of a time and have people in common, not one alone."""
        common = self._casts.get(work, _NOBODY) & self._casts.get(other, _NOBODY)
        return len(common) >= _ACTORS and self._of_a_time(work, other)

    def pairs(self, among: Collection[int]) -> list[tuple[int, int]]:
        """All two of these that go together, each once, ascending."""
        played: dict[int, list[int]] = defaultdict(list)
        for work in sorted(among):
            for actor in self._casts.get(work, ()):
                played[actor].append(work)
        common = Counter(pair for works in played.values() for pair in combinations(works, 2))
        return sorted(pair for pair, actors in common.items() if actors >= _ACTORS and self._of_a_time(*pair))

    def _of_a_time(self, work: int, other: int) -> bool:
        year, later = self._years.get(work), self._years.get(other)
        return year is not None and later is not None and abs(year - later) <= _APART


def load(session: Session, snapshot: str) -> Works:
    """Read the casts, as far as they are stated without a doubt, and the years."""
    c = statement.c
    casts: dict[int, set[int]] = defaultdict(set)
    rows = session.execute(
        select(c.s, c.o).where(
            c.snapshot == snapshot,
            c.p == wd.CAST_MEMBER,
            c.kind == "item",
            c.rank != "deprecated",
            c.hedged.is_(False),
        )
    )
    for work, actor in rows:
        casts[work].add(actor)
    return Works({work: frozenset(cast) for work, cast in casts.items()}, years.load(session, snapshot))
