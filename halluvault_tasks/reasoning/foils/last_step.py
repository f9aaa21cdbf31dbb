"""A chain whose earlier steps lead one way only is false of an object wherever its last step is (semantics.md §1.10).

"The director of Jaws studied at Yale": the film has one director, as is shown, so what decides is where he studied.
"""

from collections.abc import Sequence
from itertools import islice

from halluvault_tasks.reasoning.foils.base import Foil, WayOfNear
from halluvault_tasks.reasoning.foils.measured import measured_clauses
from halluvault_tasks.reasoning.foils.neighbourhood import Neighbourhood
from halluvault_tasks.reasoning.grounds import Licence, Refusal
from halluvault_tasks.reasoning.kinds.base import Refutation
from halluvault_tasks.reasoning.licence.slot import convicting
from halluvault_tasks.reasoning.records import DerivedFact, Rule
from halluvault_tasks.reasoning.world import World
from halluvault_tasks.wikidata.relation import Relation

_MOST = 2  # subjects through which one last step is asked: the others would be near-copies


class LastStep(WayOfNear):
    """r/p(s, o) by r(s, m) alone, and a foil not p(m, o2), give not r/p(s, o2).

    Args:
        of: the way of the foil beside the last step.
    """

    name = "the last step of a chain"

    def __init__(self, of: WayOfNear) -> None:
        self._of = of

    def decided_by(self, rule: Rule, known: Neighbourhood) -> int:
        """The last step, if the others can be known to have one value, and foils are drawn beside it."""
        steps = rule.kind.chain(rule)
        if len(steps) < 2 or rule.kind.climbs_from(rule) or not known.world.slots.functional.keys() >= set(steps[:-1]):
            return 0
        stated = known.stating(steps[-1])
        return self._of.decided_by(stated, known) if stated else 0

    def partners(self, true: DerivedFact, known: Neighbourhood) -> Sequence[tuple[int, int]]:
        """Facts of the same chain whose last step is a partner of this one's, of each last step a few."""
        steps, last = known.rules[true.rule].kind.chain(known.rules[true.rule])[:-1], self._last(true, known)
        if last is None or true.s not in _leading(known, steps, last.s):
            return ()
        return [(s, o) for item, o in self._of.partners(last, known) for s in _leading(known, steps, item)]

    def license(self, true: DerivedFact, other: DerivedFact, known: Neighbourhood) -> Licence | Refusal:
        """By that of the last step."""
        foil = self._foil(true, other, known)
        if isinstance(foil, Refusal):
            return foil
        why = f"the way from Q{true.s} leads to Q{foil.s} alone; {foil.licence.why}"
        return foil.licence._replace(why=why)

    def allows(self, true: DerivedFact, other: DerivedFact, known: Neighbourhood) -> bool:
        """As the last steps alone."""
        last, its = self._last(true, known), self._last(other, known)
        return last is not None and its is not None and self._of.allows(last, its, known)

    def foil(self, true: DerivedFact, other: DerivedFact, known: Neighbourhood) -> Foil | Refusal:
        """The foil, shown by what the true fact rests on and by what shows the last step's."""
        foil, last = super().foil(true, other, known), self._foil(true, other, known)
        if isinstance(foil, Refusal) or isinstance(last, Refusal):
            return foil
        return foil._replace(evidence=tuple(dict.fromkeys((*true.evidence, *last.evidence))), rests_on=last.measured)

    def _foil(self, true: DerivedFact, other: DerivedFact, known: Neighbourhood) -> Foil | Refusal:
        last, its = self._last(true, known), self._last(other, known)
        if last is None or its is None:
            return Refusal("several ways", f"{true.relation} of Q{true.s} or Q{other.s} may lead by several ways")
        return self._of.foil(last, its, known)

    def _last(self, fact: DerivedFact, known: Neighbourhood) -> DerivedFact | None:
        """What a fact's last step says by itself; None where the way to it is not single."""
        rule = known.rules[fact.rule]
        steps = rule.kind.chain(rule)
        stated, item = known.stating(steps[-1]), single_way(known.world, steps[:-1], fact.s)
        if stated is None or isinstance(item, Refusal):
            return None
        return DerivedFact(stated.rule, Relation.of(steps[-1]), item, fact.o, fact.evidence[-1:])

    def rule_name(self, rule: Rule) -> str:
        """The chain's: a false conclusion."""
        return rule.name

    def clauses(self, rule: Rule, refuted: Refutation) -> list[str]:
        """The foil is of a class that was measured, and the subject has another value."""
        return measured_clauses(rule, refuted)


def _leading(known: Neighbourhood, steps: Sequence[int], item: int) -> Sequence[int]:
    """The first of those from which steps lead to an item alone, oldest entries first."""
    alone = (
        s for s in sorted(known.leading_to(steps, item)) if not isinstance(single_way(known.world, steps, s), Refusal)
    )
    return tuple(islice(alone, _MOST))


def single_way(world: World, steps: Sequence[int], s: int) -> int | Refusal:
    """Where steps lead from an item, each of which has one value that is known to be the only one (§1.8)."""
    item = s
    for p in steps:
        slot = convicting(world, p, item)
        if isinstance(slot, Refusal):
            return slot
        if slot.value is None:
            return Refusal("no value", f"P{p} of Q{item} is no item")
        item = slot.value
    return item
