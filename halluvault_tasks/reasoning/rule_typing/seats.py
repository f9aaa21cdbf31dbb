"""Whether the terms stated for what one holds at a time keep apart on a snapshot, measured for each seat."""

from collections import defaultdict
from collections.abc import Collection, Mapping
from typing import NamedTuple

from sqlalchemy.orm import Session

from halluvault_tasks.reasoning.world import terms

_APART = 0.9
"""Least share of a seat's terms that overlap no other holder's."""


class SeatFigures(NamedTuple):
    """What the snapshot shows of one seat, of the terms whose time is known."""

    terms: int
    holders: int
    apart: int
    """Terms that overlap no other holder's by more than a handover takes."""

    @property
    def verdict(self) -> str:
        """Active, or why not: a candidate where too little is known."""
        if self.holders < 2:
            return "candidate"
        return "active" if self.apart >= _APART * self.terms else "refused"


def measure_seats(
    session: Session, snapshot: str, seats: Mapping[int, Collection[int]]
) -> dict[int, dict[int, SeatFigures]]:
    """Property → seat → figures, of the seats that have a term.

    Args:
        session: open session; only read.
        snapshot: key.
        seats: the reviewed ones, property → offices, countries or prizes.
    """
    of: dict[terms.Seat, list[terms.Term]] = defaultdict(list)
    for seat, term in terms.every(session, snapshot, seats):
        of[seat].append(term)
    found: dict[int, dict[int, SeatFigures]] = {p: {} for p in seats}
    for (p, item), several in sorted(of.items()):
        known = [term for term in several if term.certain is not None]
        holders = len({term.holder for term in known})
        found[p][item] = SeatFigures(len(known), holders, len(terms.apart(known)))
    return found
