"""Who held on a day what one holds at a time, and for how long, where it is certain (semantics.md §2.3)."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from halluvault_tasks.reasoning.world import World
from halluvault_tasks.reasoning.world.terms import Term, apart
from halluvault_tasks.wikidata.days import civil, full_years

_MARGIN = 31
"""Days at each end of a term about which nothing is said: sources differ on who was in office then."""

_HANDOVER = 31
"""Days within which a successor takes over."""


class CertainTerm(NamedTuple):
    """A term that overlaps nobody else's.

    Attributes:
        first, last: days (numbers) on which it was certainly held; of what is given in a moment, its bounds.
        moment: it was given, not held.
        exact: its start and end are stated to the day.
    """

    holder: int
    sid: int
    first: int
    last: int
    moment: bool
    exact: bool


class Seat(NamedTuple):
    """What one holds at a time.

    Attributes:
        p: property by which it is held.
        qid: an office or prize; of a headship the country.
        terms: those that keep apart.
    """

    p: int
    qid: int
    terms: Sequence[CertainTerm]

    def holder(self, first: int, last: int) -> CertainTerm | None:
        """Whose term holds all these days, with a margin, while nobody else's holds any of them."""
        meeting = [term for term in self.terms if term.first <= last and first <= term.last]
        inside = len(meeting) == 1 and meeting[0].first + _MARGIN <= first and last <= meeting[0].last - _MARGIN
        return meeting[0] if inside else None

    def days(self, term: CertainTerm) -> range:
        """Days (numbers) of a term on which nobody doubts who held it; empty: it is too short."""
        return range(term.first + _MARGIN, term.last - _MARGIN + 1)

    def year(self, term: CertainTerm) -> int | None:
        """The year in which alone something was given, to one."""
        first, last = civil(term.first).year, civil(term.last).year
        others = (civil(day).year for each in self.terms if each is not term for day in (each.first, each.last))
        return first if term.moment and first == last and first not in others else None

    def years(self, term: CertainTerm) -> int | None:
        """Full years, two or more, of a term between those of two others, the same if it began or ended a month off."""
        others = [each for each in self.terms if each.holder != term.holder]
        before = any(0 <= term.first - each.last <= _HANDOVER for each in others)
        after = any(0 <= each.first - term.last <= _HANDOVER for each in others)
        years = full_years(term.first, term.last)
        steady = {full_years(term.first, term.last + off) for off in (-_MARGIN, _MARGIN)} == {years}
        return years if term.exact and not term.moment and before and after and steady and years > 1 else None


def seats(world: World) -> Iterator[Seat]:
    """Every seat whose stated terms keep apart, in a fixed order."""
    for (p, qid), terms in sorted(world.terms.of.items()):
        certain = [_certain(term) for term in apart(terms)]
        yield Seat(p, qid, [term for term in certain if term])


def _certain(term: Term) -> CertainTerm | None:
    if term.certain is None:
        return None
    first, last = term.certain
    exact = term.start == (first, first) and term.end == (last, last)
    return CertainTerm(term.holder, term.sid, first, last, term.moment, exact)
