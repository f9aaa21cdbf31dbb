"""The value of another subject, beside one whose objects are all known: it is none of them (semantics.md §1.10)."""

from collections.abc import Sequence

from halluvault_tasks.reasoning.foils.base import Foil, WayOfNear
from halluvault_tasks.reasoning.foils.neighbourhood import Neighbourhood
from halluvault_tasks.reasoning.grounds import Licence, Refusal
from halluvault_tasks.reasoning.kinds import WRONG_VALUE
from halluvault_tasks.reasoning.kinds.base import Refutation
from halluvault_tasks.reasoning.kinds.listed import not_listed
from halluvault_tasks.reasoning.licence.listed import license_listed
from halluvault_tasks.reasoning.records import DerivedFact, Rule


class Unlisted(WayOfNear):
    """p(s, o) and p(s2, o2), and all that s has of p is stated: not p(s, o2)."""

    name = "not in a complete list"

    def decided_by(self, rule: Rule, known: Neighbourhood) -> int:
        """The property, if it is one whose complete lists are known."""
        plain = rule.kind.truth and not rule.kind.draws and not rule.kind.composes
        return rule.conclusion.pid if plain and rule.conclusion.pid in known.world.lists.properties else 0

    def partners(self, true: DerivedFact, known: Neighbourhood) -> Sequence[tuple[int, int]]:
        """What the nearest of those have that have such a list, too, so that either may be asked with the other's."""
        p, lists = true.relation.pid, known.world.lists.of
        near = known.measures.near_lists(p, true.s) if (p, true.s) in lists else ()
        return [(s, o) for s in near for o in lists[p, s].values if o != true.o and s != true.o]

    def allows(self, true: DerivedFact, other: DerivedFact, known: Neighbourhood) -> bool:
        """Whether the list is still complete, and the value not the subject itself."""
        return (true.relation.pid, true.s) in known.world.lists.of and true.s != other.o

    def foil(self, true: DerivedFact, other: DerivedFact, known: Neighbourhood) -> Foil | Refusal:
        """The foil, shown by the whole list."""
        foil = super().foil(true, other, known)
        if isinstance(foil, Refusal):
            return foil
        return foil._replace(evidence=tuple(sorted(known.world.lists.of[true.relation.pid, true.s].values.values())))

    def license(self, true: DerivedFact, other: DerivedFact, known: Neighbourhood) -> Licence | Refusal:
        """By the list."""
        if known.world.slots.ever_seen(true.relation.pid, true.s, other.o):
            return Refusal("seen", f"Q{other.o} was recorded for Q{true.s} and {true.relation}")
        return license_listed(known.world, true.relation.pid, true.s, other.o)

    def rule_name(self, rule: Rule) -> str:
        """As wrong values are called."""
        return f"{WRONG_VALUE.family}:{rule.conclusion}"

    def family(self, rule: Rule) -> str:
        """Wrong values beside what is stated, else the family of what is concluded."""
        return WRONG_VALUE.family if rule.kind.family.startswith("negation") else rule.kind.family

    def clauses(self, rule: Rule, refuted: Refutation) -> list[str]:
        """The list, its number, and that the value is none of it."""
        return not_listed(rule.conclusion.pid, refuted)
