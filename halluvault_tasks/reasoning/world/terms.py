"""Terms of what one holds at a time: offices, the headships and capitals of countries, prizes (semantics.md §2.3).

A *seat* is what is held: the object of a position or a prize, the subject of a headship or a capital.
"""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from sqlalchemy import text
from sqlalchemy.orm import Session

from halluvault_tasks.wikidata import properties as wd

_TERMS = """
SELECT p, s, o, sid, start_earliest, start_latest, end_earliest, end_latest, point_earliest, point_latest
FROM statement WHERE snapshot = :snapshot AND kind = 'item' AND NOT hedged AND p = ANY(:properties)
AND num_nonnulls(start_earliest, end_latest, point_earliest) > 0 ORDER BY p, s, o, sid
"""

Seat = tuple[int, int]
"""Property and item."""

Day = int | None


class Term(NamedTuple):
    """One stated term, in days."""

    holder: int
    sid: int
    start: tuple[Day, Day]
    """Earliest and latest; of what is given in a moment that moment, as is `end`."""
    end: tuple[Day, Day]
    moment: bool
    """It was given, not held for a time."""

    @property
    def certain(self) -> tuple[int, int] | None:
        """First and last day of its time: for a term those on which it was held whatever the true dates are."""
        (earliest, latest), (ends, ended) = self.start, self.end
        first, last = (earliest, ended) if self.moment else (latest, ends)
        return (first, last) if first is not None and last is not None and first <= last else None


@dataclass(frozen=True, eq=False)
class Incumbents:
    """The terms of the seats that one holds at a time on this snapshot."""

    of: Mapping[Seat, tuple[Term, ...]] = field(default_factory=dict)

    def others(self, p: int, s: int, o: int) -> tuple[Term, ...] | None:
        """The terms of everybody else in the seat that p(s, o) speaks of; None: it is no such seat."""
        seat, holder = (s, o) if p in wd.HEADED else (o, s)
        terms = self.of.get((p, seat))
        return None if terms is None else tuple(term for term in terms if term.holder != holder)

    def own(self, p: int, s: int, o: int) -> tuple[Term, ...]:
        """The holder's own."""
        seat, holder = (s, o) if p in wd.HEADED else (o, s)
        return tuple(term for term in self.of.get((p, seat), ()) if term.holder == holder)


def load(session: Session, snapshot: str, seats: Mapping[int, Collection[int]]) -> Incumbents:
    """Read the terms of seats.

    Args:
        session: open session; only read.
        snapshot: key.
        seats: property → offices, countries or prizes.
    """
    found: dict[Seat, list[Term]] = defaultdict(list)
    for seat, term in every(session, snapshot, seats):
        found[seat].append(term)
    return Incumbents({seat: tuple(terms) for seat, terms in found.items()})


def every(session: Session, snapshot: str, seats: Mapping[int, Collection[int]]) -> Iterable[tuple[Seat, Term]]:
    """Each term of some seats with its seat."""
    wanted = {p: frozenset(items) for p, items in seats.items()}
    bind = {"snapshot": snapshot, "properties": sorted(wanted)}
    for p, s, o, sid, *days in session.execute(text(_TERMS), bind).all():
        seat, holder = (s, o) if p in wd.HEADED else (o, s)
        if seat not in wanted[p]:
            continue
        start, end, point = (days[0], days[1]), (days[2], days[3]), (days[4], days[5])
        moment = start == end == (None, None)
        yield (p, seat), Term(holder, sid, *((point, point) if moment else (start, end)), moment)


def apart(terms: Iterable[Term]) -> list[Term]:
    """Those that certainly overlap none of another holder by more than a month: successors are sworn in within days."""
    known = [term for term in terms if term.certain is not None]
    return [one for one in known if not any(overlap(one, other) for other in known if other.holder != one.holder)]


_HANDOVER = 31
"""Days for which two terms may overlap."""


def overlap(one: Term, other: Term) -> bool:
    """Whether two terms overlap by more than a handover takes, or two were given the same within a year."""
    if one.certain is None or other.certain is None:
        return False
    first, last = max(one.certain[0], other.certain[0]), min(one.certain[1], other.certain[1])
    return last >= first if one.moment or other.moment else last - first > _HANDOVER
