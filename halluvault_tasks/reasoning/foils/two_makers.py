"""Two works of two makers: each has one maker, and it is another (semantics.md §1.2)."""

from halluvault_tasks.reasoning.foils.base import WayBesideDrawn
from halluvault_tasks.reasoning.foils.neighbourhood import Neighbourhood
from halluvault_tasks.reasoning.grounds import Licence, Refusal
from halluvault_tasks.reasoning.kinds import MAKER
from halluvault_tasks.reasoning.licence.difference import different
from halluvault_tasks.reasoning.licence.slot import convicting
from halluvault_tasks.reasoning.records import DrawnFact


class TwoMakers(WayBesideDrawn):
    """s and o have one maker, s2 and o2 another: s and o2 have none in common."""

    name = "two works of two makers"
    kind = MAKER

    def believable(self, true: DrawnFact, other: DrawnFact, known: Neighbourhood) -> bool:
        """Whether the two works are of a time and have cast in common."""
        return known.works.go_together(true.s, other.end)

    def license(self, true: DrawnFact, other: DrawnFact, known: Neighbourhood) -> Licence | Refusal:
        """By the one maker of each."""
        p = self.decided_by(known.rules[true.rule], known)
        mine, theirs = (convicting(known.world, p, work) for work in (true.s, other.end))
        if isinstance(mine, Refusal):
            return mine
        if isinstance(theirs, Refusal):
            return theirs
        if mine.value is None or theirs.value is None:
            return Refusal("no value", f"P{p} of Q{true.s} or Q{other.o} is no item")
        difference = different(known.world, mine.value, theirs.value, place=False)
        if isinstance(difference, Refusal):
            return difference
        why = f"P{p} of Q{true.s} is Q{mine.value} and only that, of Q{other.o} Q{theirs.value} and only that"
        return Licence(difference.reason, mine.sid, why)

    def evidence(self, true: DrawnFact, other: DrawnFact, licence: Licence) -> tuple[int, ...]:
        """That of the one end, and of the other."""
        return true.evidence[0], other.evidence[1]
