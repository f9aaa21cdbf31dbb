"""The value of a subject that is near, of a class of foils that was measured to be false (semantics.md §1.10)."""

from collections.abc import Sequence

from halluvault_tasks.prolog.terms import comment, number
from halluvault_tasks.reasoning.foils.base import Foil, WayOfNear
from halluvault_tasks.reasoning.foils.neighbourhood import Neighbourhood
from halluvault_tasks.reasoning.grounds import Licence, Reason, Refusal
from halluvault_tasks.reasoning.kinds import POLARITY, WRONG_VALUE
from halluvault_tasks.reasoning.kinds.base import Refutation
from halluvault_tasks.reasoning.records import DerivedFact, FactTriple, Rule
from halluvault_tasks.wikidata.relation import Kind, Relation


class NearValue(WayOfNear):
    """r(s, o) and r(s2, o2), s near s2, give not r(s, o2): no proof, but seldom wrong, as was measured.

    An inverse that Wikidata has no property for rests on the class of its property, since not p(s2, o) says the same as
    not inverse(p)(o, s2).
    """

    name = "value of a near subject"

    def decided_by(self, rule: Rule, known: Neighbourhood) -> int:
        """The property that its facts rest on last, if foils of what it concludes were measured and read."""
        true = rule.kind.truth and not rule.kind.draws
        return rule.premises[-1] if true and known.measures.licensed(rule.conclusion.stated) else 0

    def partners(self, true: DerivedFact, known: Neighbourhood) -> Sequence[tuple[int, int]]:
        """Those whose subjects are near and whose values alike, as the class says; others were not measured."""
        near = known.measures.partners(*true.relation.forwards(true.s, true.o))
        return [(o, s) for s, o in near] if _turned(true.relation) else near

    def license(self, true: DerivedFact, other: DerivedFact, known: Neighbourhood) -> Licence | Refusal:
        """By the measure of its class."""
        measured = known.measures.licensed(true.relation.stated)
        if measured is None:
            return Refusal("not measured", f"no class of foils of {true.relation} is licensed")
        if true.via is not None:  # its row has the last step alone
            return Refusal("path", f"{true.relation} of Q{true.s} rests on a path")
        why = f"of the class “{measured.name}”: m · π at most {measured.risk:.2%}, {measured.verdict.why}"
        return Licence(Reason.MEASURED, _opposed(true, other).evidence[0], why)

    def allows(self, true: DerivedFact, other: DerivedFact, known: Neighbourhood) -> bool:
        """Whether what the class excludes at any distance does not exclude it."""
        one, two = (fact.relation.forwards(fact.s, fact.o) for fact in (true, other))
        if _turned(true.relation):
            one, two = two, one
        return known.measures.allows(one.relation, (one.s, one.o), (two.s, two.o))

    def foil(self, true: DerivedFact, other: DerivedFact, known: Neighbourhood) -> Foil | Refusal:
        """The foil, shown by what the fact with its subject rests on and by other values of that subject."""
        foil = super().foil(true, other, known)
        if isinstance(foil, Refusal):
            return foil
        opposed = _opposed(true, other)
        stated = opposed.relation.forwards(opposed.s, opposed.o)
        beside = known.measures.beside(stated.relation, stated.s)
        return foil._replace(
            evidence=tuple(dict.fromkeys((*opposed.evidence, *beside))),
            rests_on=FactTriple(*foil.relation.forwards(foil.s, foil.end)) if _turned(foil.relation) else None,
        )

    def rule_name(self, rule: Rule) -> str:
        """A wrong value of what is stated; of what is concluded, a false conclusion."""
        return f"{WRONG_VALUE.family}:{rule.conclusion}" if rule.kind is POLARITY else rule.name

    def family(self, rule: Rule) -> str:
        """Wrong values beside what is stated, else the family of what is concluded."""
        return WRONG_VALUE.family if rule.kind is POLARITY else rule.kind.family

    def clauses(self, rule: Rule, refuted: Refutation) -> list[str]:
        """The foil is of a class that was measured, and what has the property has another value of it."""
        return measured_clauses(rule, refuted)


def measured_clauses(rule: Rule, refuted: Refutation) -> list[str]:
    """What a proof says of a foil that was measured: its subject, or of an inverse its object, has another value."""
    other = "holds(Value, O), Value \\== S" if _turned(rule.conclusion) else "holds(S, Value), Value \\== O"
    return [
        *rule.kind.clauses(rule, refuted),
        comment("nothing that is stated rules it out: that it is false was measured of foils drawn like it"),
        f"measured({number(refuted.s)}, {number(refuted.o)}).",
        f"ruled_out(S, O) :- measured(S, O), {other}.",
    ]


def _turned(relation: Relation) -> bool:
    return relation.kind is Kind.INVERSE


def _opposed(true: DerivedFact, other: DerivedFact) -> DerivedFact:
    """Of two facts that exchange their objects, the one that the first foil contradicts."""
    return other if _turned(true.relation) else true
