"""The container of another subject's place, where the one place that a subject has lies outside of it."""

from halluvault_tasks.reasoning.foils.base import WayBesideDerived
from halluvault_tasks.reasoning.foils.neighbourhood import Neighbourhood
from halluvault_tasks.reasoning.grounds import Licence, Refusal
from halluvault_tasks.reasoning.kinds.base import Refutation
from halluvault_tasks.reasoning.kinds.wrong_value import ruled_out
from halluvault_tasks.reasoning.licence.outside_container import license_outside
from halluvault_tasks.reasoning.records import DerivedFact, Rule


class Outside(WayBesideDerived):
    """s is in a place in o, s2 in one in o2: s is in no place in o2."""

    name = "outside a container"

    def decided_by(self, rule: Rule, known: Neighbourhood) -> int:
        """The property of the place from which a chain climbs, if it is denied."""
        place = rule.kind.climbs_from(rule)
        return place if place in known.denied else 0

    def believable(self, true: DerivedFact, other: DerivedFact, known: Neighbourhood) -> bool:
        """Whether the containers are of one country, or countries themselves whose places sound alike."""
        place = self.decided_by(known.rules[true.rule], known)
        mine, theirs = known.country(true, place), known.country(other, place)
        if not mine or not theirs:
            return False
        return known.akin(mine, theirs) if (true.o, other.o) == (mine, theirs) else mine == theirs

    def license(self, true: DerivedFact, other: DerivedFact, known: Neighbourhood) -> Licence | Refusal:
        """By the containment of the one place."""
        return license_outside(known.world, self.decided_by(known.rules[true.rule], known), true.s, other.o)

    def clauses(self, rule: Rule, refuted: Refutation) -> list[str]:
        """The stated place lies elsewhere."""
        return ruled_out(rule.kind.climbs_from(rule), refuted)
