"""The country of another settlement: the two are positively disjoint (semantics.md §1.3)."""

from halluvault_tasks.reasoning.foils.base import WayBesideDrawn
from halluvault_tasks.reasoning.foils.neighbourhood import Neighbourhood
from halluvault_tasks.reasoning.grounds import Licence, Refusal
from halluvault_tasks.reasoning.kinds import COUNTRY
from halluvault_tasks.reasoning.licence.outside_container import apart
from halluvault_tasks.reasoning.records import DrawnFact


class OtherCountry(WayBesideDrawn):
    """s lies in o, s2 in o2: s does not lie in o2."""

    name = "country exchanged"
    kind = COUNTRY

    def believable(self, true: DrawnFact, other: DrawnFact, known: Neighbourhood) -> bool:
        """Whether the two countries have a language and a continent in common."""
        return true.end != other.end and known.close(true.end, other.end)

    def license(self, true: DrawnFact, other: DrawnFact, known: Neighbourhood) -> Licence | Refusal:
        """By the containment of the settlement, up to the country that is stated."""
        difference = apart(known.world, true.s, other.end)
        if isinstance(difference, Refusal):
            return difference
        if difference.left != true.end:
            return Refusal("no chain", f"what parts Q{true.s} and Q{other.end} is not that Q{true.s} lies in Q{true.o}")
        return Licence(difference.reason, true.evidence[0], self.kind.because(true), difference)
