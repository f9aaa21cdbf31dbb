"""Who and what belong to one story, and by which statement: kin, couples, and who directed a film or played in it.

`knowledge.links` says only that two things belong together. What can be asked about two of a story depends on how.
"""

from collections.abc import Iterator, Mapping
from typing import Literal, NamedTuple

from sqlalchemy import select
from sqlalchemy.orm import Session

from halluvault_tasks.storage.tables import statement
from halluvault_tasks.wikidata import properties as wd

How = Literal["couple", "siblings", "parent", "director", "cast"]

_HOW: Mapping[int, How] = {
    wd.SPOUSE: "couple",
    wd.SIBLING: "siblings",
    wd.CHILD: "parent",
    wd.FATHER: "parent",
    wd.MOTHER: "parent",
    wd.DIRECTOR: "director",
    wd.CAST_MEMBER: "cast",
}
_OF_THE_OTHER = frozenset({*wd.PARENTS, wd.DIRECTOR, wd.CAST_MEMBER})
"""Stated of the film, or the child: what comes first in a bond is its object."""


class Bond(NamedTuple):
    """What joins two items.

    Args:
        how: in which way.
        one: of couples and siblings the lower number; else the parent, or who directed the film or played in it.
        other: the other of the two, the child, the film.
    """

    how: How
    one: int
    other: int


def load(session: Session, snapshot: str) -> list[Bond]:
    """Read the bonds of a snapshot, each once, in a fixed order.

    Args:
        session: open session; only read.
        snapshot: key.
    """
    c = statement.c
    rows = session.execute(
        select(c.s, c.p, c.o).where(
            c.snapshot == snapshot, c.kind == "item", c.p.in_(_HOW), c.s != c.o, c.hedged.is_(False)
        )
    )
    return sorted(set(_bonds(rows)))


def _bonds(rows: Iterator[tuple[int, int, int]]) -> Iterator[Bond]:
    for s, p, o in rows:
        one, other = (o, s) if p in _OF_THE_OTHER else (s, o)
        if _HOW[p] in ("couple", "siblings"):
            one, other = min(s, o), max(s, o)
        yield Bond(_HOW[p], one, other)
