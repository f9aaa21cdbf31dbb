"""An order turned round: what came first did not come second. No other fact is needed."""

from halluvault_tasks.reasoning.foils.base import Foil, WayBesideDrawn
from halluvault_tasks.reasoning.foils.neighbourhood import Neighbourhood
from halluvault_tasks.reasoning.grounds import Licence, Reason
from halluvault_tasks.reasoning.kinds import ORDER
from halluvault_tasks.reasoning.records import DrawnFact


class TurnedRound(WayBesideDrawn):
    """s came before o: o did not come before s."""

    name = "turned round"
    kind = ORDER

    def believable(self, true: DrawnFact, other: DrawnFact, known: Neighbourhood) -> bool:
        """Two that lie so near in time are."""
        return True

    def license(self, true: DrawnFact, other: DrawnFact, known: Neighbourhood) -> Licence:
        """By the bounds of both, which lie apart."""
        return Licence(Reason.BOUNDS, true.evidence[0], self.kind.because(true))

    def draw(self, true: DrawnFact, other: DrawnFact, known: Neighbourhood) -> Foil:
        """The fact with its ends exchanged, whatever the other one is."""
        licence = self.license(true, true, known)
        return Foil(true.relation, true.end, true.s, None, true, self, licence, true.evidence[::-1])
