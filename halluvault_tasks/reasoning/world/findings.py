"""Which statements people found to be false (semantics.md §1.6), as far as no month has stated or derived them."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import date
from typing import NamedTuple

from sqlalchemy import select
from sqlalchemy.orm import Session

from halluvault_tasks.storage.tables import checked_negative


class CheckedNegative(NamedTuple):
    """A statement that people found to be false."""

    id: int
    source: str
    checked_on: date

    since: bool
    """It was checked on the snapshot's day or since: what was never true by then was not true on that day."""


@dataclass(frozen=True, eq=False)
class Findings:
    """What people found to be false."""

    checked: Mapping[tuple[int, int, int], CheckedNegative] = field(default_factory=dict)
    """(p, s, o) that people found to be false, and that nothing has contradicted so far."""

    time_bound: frozenset[int] = frozenset()
    """Properties of `checked` whose statements hold for a time: false as of the day of the check alone."""


def load(session: Session, properties: Iterable[int], time_bound: Iterable[int], day: int) -> Findings:
    """The findings that are not withdrawn; of several sources the first.

    Args:
        session: open session.
        properties: of which findings are wanted.
        time_bound: those of them whose statements hold for a time.
        day: of the snapshot, as a day number.
    """
    c = checked_negative.c
    rows = session.execute(
        select(c.p, c.s, c.o, c.id, c.source, c.checked_on)
        .where(c.withdrawn.is_(None), c.p.in_(sorted(properties)))
        .order_by(c.p, c.s, c.o, c.id.desc())
    )
    checked = {
        (p, s, o): CheckedNegative(number, source, on, day <= on.toordinal()) for p, s, o, number, source, on in rows
    }
    return Findings(checked, frozenset(time_bound))
