"""The area of another place of the country, where the first place lies outside of it."""

from halluvault_tasks.prolog.terms import comment, number
from halluvault_tasks.reasoning.foils.base import Foil, WayBesideDerived
from halluvault_tasks.reasoning.foils.neighbourhood import Neighbourhood
from halluvault_tasks.reasoning.grounds import Difference, Licence, Refusal
from halluvault_tasks.reasoning.kinds.base import Refutation
from halluvault_tasks.reasoning.kinds.transitive import Transitive
from halluvault_tasks.reasoning.kinds.wrong_value import ruled_out
from halluvault_tasks.reasoning.licence.outside_container import apart, divided
from halluvault_tasks.reasoning.records import DerivedFact, Rule
from halluvault_tasks.wikidata import properties as wd


class OutsideArea(WayBesideDerived):
    """s lies in o by way of what it lies in directly, and that is positively disjoint from o2: s does not lie in o2."""

    name = "outside an area"

    def decided_by(self, rule: Rule, known: Neighbourhood) -> int:
        """Containment, where it is followed over several steps."""
        return wd.LOCATED_IN if isinstance(rule.kind, Transitive) and rule.conclusion.pid == wd.LOCATED_IN else 0

    def believable(self, true: DerivedFact, other: DerivedFact, known: Neighbourhood) -> bool:
        """Whether the areas are neighbours, of one type and in one country, and no countries.

        Countries everybody knows, or they are disputed; that El Paso lies in Kentucky nobody would believe.
        """
        containment = known.world.containment
        mine, theirs = (containment.place_of(place).country for place in (true.s, other.s))
        if {true.o, other.o} & {mine, theirs} or not known.bordering(true.o, other.o):
            return False
        types = [containment.types.get(area, frozenset()) for area in (true.o, other.o)]
        return bool(mine) and mine == theirs and not types[0].isdisjoint(types[1])

    def license(self, true: DerivedFact, other: DerivedFact, known: Neighbourhood) -> Licence | Refusal:
        """By the chains of what the place lies in directly and of the other area (semantics.md §1.3).

        Where these are not whole, by the place's own area, if the other is another division of its class.
        """
        difference: Refusal | None = None
        for direct, sid in sorted(known.world.slots.stated(wd.LOCATED_IN, true.s).items()):
            found = apart(known.world, direct, other.o)
            if not isinstance(found, Refusal):
                why = f"Q{true.s} lies in Q{direct}, within Q{found.left}; Q{other.o} lies in or at Q{found.right}"
                return Licence(found.reason, sid, why, found)
            difference = difference or found
        if isinstance(level := divided(known.world, true.o, other.o), Difference) and _way(true, known):
            why = f"Q{true.s} lies in Q{true.o}; that and Q{other.o} are both Q{level.level}, which share no ground"
            return Licence(level.reason, true.evidence[0], why, level)
        return difference or Refusal("no value", f"nothing says what Q{true.s} lies in directly")

    def foil(self, true: DerivedFact, other: DerivedFact, known: Neighbourhood) -> Foil | Refusal:
        """The foil, shown by the chains, or by all that leads from the place to its own area."""
        foil = super().foil(true, other, known)
        if isinstance(foil, Refusal) or _by_chains(foil.licence):
            return foil
        return foil._replace(evidence=_way(true, known))

    def clauses(self, rule: Rule, refuted: Refutation) -> list[str]:
        """What it lies in, directly or not, lies elsewhere."""
        if refuted.licence is None or _by_chains(refuted.licence) or refuted.chains is None:
            return ruled_out(rule.conclusion.pid, refuted)
        left, right, level = (refuted.labels.item(item) for item in refuted.chains[1:])
        return [
            *rule.kind.clauses(rule, refuted),
            comment(f"{left} and {right}: both of type {level}, which share no ground"),
            f"apart({number(refuted.chains.left)}, {number(refuted.chains.right)}).",
            "ruled_out(S, O) :- holds(S, Area), apart(Area, O).",
        ]


def _by_chains(licence: Licence) -> bool:
    return licence.difference is not None and not licence.difference.by_premises


def _way(true: DerivedFact, known: Neighbourhood) -> tuple[int, ...]:
    """The statements that lead from a place to the area that it lies in; none where one is of another property."""
    if true.via is None:
        return true.evidence
    way = known.world.containment.way(true.s, true.o)
    return tuple(step.sid for step in way) if all(step.p == wd.LOCATED_IN for step in way) else ()
