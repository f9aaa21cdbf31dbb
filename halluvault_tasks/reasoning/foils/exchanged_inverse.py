"""The object of another fact, of what says from its other end a property that has one value for each subject."""

from halluvault_tasks.reasoning.foils.base import WayBesideDerived
from halluvault_tasks.reasoning.foils.exchanged import Exchanged
from halluvault_tasks.reasoning.foils.neighbourhood import Neighbourhood
from halluvault_tasks.reasoning.grounds import Licence, Reason, Refusal
from halluvault_tasks.reasoning.kinds.base import Refutation
from halluvault_tasks.reasoning.kinds.wrong_value import different_values
from halluvault_tasks.reasoning.licence import license_no
from halluvault_tasks.reasoning.records import DerivedFact, Rule
from halluvault_tasks.wikidata.relation import Relation

_DIRECT = Exchanged()


class ExchangedInverse(WayBesideDerived):
    """q(o, s) says p(s, o), which has one value: q(o, s) and q(o2, s2) give not q(o, s2).

    Only where q(o, s) gives p(s, o) as well: whose child somebody is not by his one father, she may be by her mother.
    """

    name = "value exchanged, from its other end"

    def decided_by(self, rule: Rule, known: Neighbourhood) -> int:
        """The property whose statement is turned round, if it is denied and each of the two gives the other."""
        p = rule.premises[0]
        return p if p in known.denied and p in known.turned.get(rule.conclusion, ()) else 0

    def believable(self, true: DerivedFact, other: DerivedFact, known: Neighbourhood) -> bool:
        """As where the value is exchanged."""
        one, another = (_stated(each, known) for each in (true, other))
        return _DIRECT.believable(one, another, known)

    def license(self, true: DerivedFact, other: DerivedFact, known: Neighbourhood) -> Licence | Refusal:
        """By the one value that the other fact's object has."""
        p = known.rules[true.rule].premises[0]
        licence = license_no(known.world, p, other.o, true.s)
        if isinstance(licence, Licence) and licence.reason is not Reason.OTHER_VALUE:
            return Refusal("no value", f"not P{p}(Q{other.o}, Q{true.s}), but by no value of Q{other.o}")
        return licence

    def clauses(self, rule: Rule, refuted: Refutation) -> list[str]:
        """The object has another value."""
        turned = refuted._replace(s=refuted.o, o=refuted.s)
        return [
            *different_values(turned),
            f"ruled_out(S, O) :- p{rule.premises[0]}(O, Value, _), different(Value, S).",
        ]


def _stated(fact: DerivedFact, known: Neighbourhood) -> DerivedFact:
    """The fact as its property states it."""
    stated = Relation.of(known.rules[fact.rule].premises[0])
    return fact._replace(relation=stated, s=fact.o, o=fact.s)
