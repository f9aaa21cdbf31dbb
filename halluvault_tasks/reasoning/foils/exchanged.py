"""The value of another subject, of a property that has one value for each: `license_no` shows that it is false."""

from halluvault_tasks.reasoning.foils.base import WayBesideDerived
from halluvault_tasks.reasoning.foils.neighbourhood import Neighbourhood
from halluvault_tasks.reasoning.grounds import Licence, Reason, Refusal
from halluvault_tasks.reasoning.kinds import POLARITY, WRONG_VALUE
from halluvault_tasks.reasoning.kinds.base import Refutation
from halluvault_tasks.reasoning.kinds.wrong_value import ruled_out
from halluvault_tasks.reasoning.licence import license_no
from halluvault_tasks.reasoning.records import DerivedFact, Rule
from halluvault_tasks.wikidata import properties as wd


class Exchanged(WayBesideDerived):
    """p(s, o) and p(s2, o2) give not p(s, o2)."""

    name = "value exchanged"

    def decided_by(self, rule: Rule, known: Neighbourhood) -> int:
        """The property that is stated, if it is denied."""
        return rule.conclusion.pid if rule.kind is POLARITY and rule.conclusion.pid in known.denied else 0

    def believable(self, true: DerivedFact, other: DerivedFact, known: Neighbourhood) -> bool:
        """Whether both values fit the subject.

        Directors are not exchanged: nobody would ask whether Clint Eastwood directed “Iron Man 2”, and what joins two
        films makes a better question (`two_makers`). A parent of another nation is ruled out by what everybody knows
        of a person; a neighbouring country is not. Few sources say enough to part two towns of one country, so those
        of countries that are close are taken, too, but no others: nobody would ask whether Jimi Hendrix was born in
        Johannesburg.
        """
        p = true.relation.pid
        if p in wd.OF_THE_SKY:  # planets, and observatories
            return True
        if p in wd.MAKERS:  # of two works of a time each could be by the other's maker
            return p != wd.DIRECTOR
        mine, theirs = known.country(true, p), known.country(other, p)
        if not mine or not theirs:
            return False
        if p in wd.PARENTS:
            return mine == theirs and known.joined(true.s, other.s)
        return mine == theirs or known.close(mine, theirs)

    def license(self, true: DerivedFact, other: DerivedFact, known: Neighbourhood) -> Licence | Refusal:
        """By the one value that the subject has."""
        licence = license_no(known.world, true.relation.pid, true.s, other.o)
        if isinstance(licence, Licence) and licence.reason in (Reason.CONVERSE, Reason.NO_VALUE):
            return Refusal("no value", f"not {true.relation}(Q{true.s}, Q{other.o}), but by no value of Q{true.s}")
        return licence

    def rule_name(self, rule: Rule) -> str:
        """As the rule is called that derives such values."""
        return f"{WRONG_VALUE.family}:{rule.conclusion}"

    def family(self, rule: Rule) -> str:
        """Wrong values."""
        return WRONG_VALUE.family

    def clauses(self, rule: Rule, refuted: Refutation) -> list[str]:
        """Another value than the one that is stated."""
        return ruled_out(rule.conclusion.pid, refuted)
