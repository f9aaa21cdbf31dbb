"""What stands today, and is asked about in the present: one value was ever stated, without an end (law, §3.3)."""

from collections import defaultdict
from collections.abc import Iterable, Mapping

from sqlalchemy import select, text, union
from sqlalchemy.orm import Session

from halluvault_tasks.benchmark.wording.lexicon import Lexicon, PresentForm
from halluvault_tasks.reasoning import usable
from halluvault_tasks.storage.tables import deprecated_value, statement

Standings = Mapping[tuple[int, int], int]
"""(`PresentForm.by`, the end that has the one value) → the value."""


def load(session: Session, snapshot: str, lexicon: Lexicon) -> Standings:
    """What stands in a snapshot.

    Args:
        session: open session; only read.
        snapshot: key.
        lexicon: its entries say what may be asked in the present.
    """
    sections = (lexicon.properties, lexicon.inverses)
    forms = [one.standing for of in sections for entries in of.values() for one in entries if one.standing]
    pairs = {(form.by, form.turned) for form in forms}
    ways = {by: (by, False) for by, _ in pairs} | {turned: (by, True) for by, turned in pairs if turned}
    ever, held = _ever(session, ways), _held(session, snapshot, ways)
    values: dict[tuple[int, int], set[int]] = defaultdict(set)
    for key, value in _turned(ever, ways):
        values[key].add(value)
    stand = set(_turned(held, ways))
    return {key: value for key, (value, *more) in values.items() if not more and (key, value) in stand}


def holds(form: PresentForm, standings: Standings, s: int, o: int, *, truth: bool) -> bool:
    """Whether something may be asked in the present.

    Args:
        form: how it would be.
        standings: of the snapshot.
        s: subject.
        o: object.
        truth: whether it is true; nothing else may then be what stands.
    """
    owner, other = (s, o) if form.of == "s" else (o, s)
    only = standings.get((form.by, owner))
    return only is not None and owner not in form.never and (other == only or not truth)


_Row = tuple[int, int, int]
_Ways = Mapping[int, tuple[int, bool]]
"""Property → that under which its values are kept, and whether its object is what has them."""


def _turned(rows: Iterable[_Row], ways: _Ways) -> Iterable[tuple[tuple[int, int], int]]:
    for p, s, o in rows:
        by, turned = ways[p]
        yield ((by, o), s) if turned else ((by, s), o)


def _ever(session: Session, ways: _Ways) -> list[_Row]:
    """What was stated in any month, at any rank."""
    every = (select(c.p, c.s, c.o).where(c.p.in_(ways), c.o.is_not(None)) for c in (statement.c, deprecated_value.c))
    return [(p, s, o) for p, s, o in session.execute(union(*every))]


def _held(session: Session, snapshot: str, ways: _Ways) -> list[_Row]:
    """What holds on the snapshot's day."""
    bind = {"snapshot": snapshot, "today": usable.today(session, snapshot), "properties": list(ways)}
    return [(p, s, o) for p, s, o in session.execute(_HOLDS, bind)]


_HOLDS = text(f"SELECT p, s, o FROM statement st WHERE {usable.PRESENT} AND p = ANY(:properties)")  # noqa: S608 (constants)
