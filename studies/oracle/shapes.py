"""What a fault is planted in: a case, its shape, and the claims that can be made about it."""

from random import Random
from typing import Literal, NamedTuple

from halluvault_tasks.local.personas.fault_kinds import LABEL, FaultKind, OracleLabel, Thing, is_right
from halluvault_tasks.wikidata import properties as wd
from studies.oracle.facts import Case, Facts, Premise
from studies.oracle.planned import Planned, Said, Told

Shape = Literal["direct", "value", "converse", "chain", "share", "order", "temporal"]
"""What a question rests on: one statement that says it (or its inverse), the only value of a functional property
that rules it out, the same relation the other way round, several statements, two that share an object, the order of
two dates, or a formula over dates."""

ONE_PREMISE: frozenset[Shape] = frozenset({"direct", "value", "converse"})
DATED: frozenset[Shape] = frozenset({"order", "temporal"})

EARLIER = -1000
"""Minus a date property from this: "earlier than" by that date, as styles put it into words."""

DATES = frozenset({wd.BIRTH, wd.DEATH, wd.INCEPTION, wd.DISSOLUTION, wd.PUBLICATION, wd.START, wd.END})
"""Dates of the subject itself; the terms of an office or a marriage belong to a statement and are not planted in."""


def shape_of(case: Case) -> Shape | None:
    """The shape of a case; None for what the study does not plant in (numbers, reflexive and hedged evidence)."""
    dated = bool(case.premises) and all(premise.date and premise.property in DATES for premise in case.premises)
    if case.suite == "temporal":
        return "temporal" if dated else None
    if case.rule.startswith("order:"):
        ends = [premise.subject for premise in case.premises]
        return "order" if dated and ends == [case.subject, case.object] else None
    if not case.premises or not all(premise.item for premise in case.premises):
        return None
    if case.kind == "negation.value":
        if len(case.premises) != 1 or case.subject is None or case.object is None:
            return None
        only = case.premises[0]
        if case.rule.endswith(":converse"):
            return "converse"
        return "value" if (only.subject, only.property) == (case.subject, case.pid) else None
    if case.rule.startswith("share:"):
        return "share"
    if len(case.premises) == 1:
        return "direct" if case.kind in ("negation.polarity", "symmetric", "inverse") else None
    return "chain" if case.kind in ("transitive", "composite") else None


class Material(NamedTuple):
    """Everything a builder may use."""

    case: Case
    shape: Shape
    cluster: str
    pool: frozenset[int]
    """Entities of the part: the only ones a text may bring in."""

    sayable: frozenset[int]
    """Properties of the part."""

    facts: Facts
    random: Random

    @property
    def premises(self) -> list[Told]:
        """The case's evidence as claims."""
        return [tell(premise) for premise in self.case.premises]

    def base(self, denied: bool) -> Told | None:
        """The base proposition as a claim; None where only a formula says it."""
        if self.case.subject is None or self.case.object is None or not self.case.pid:
            return None
        property_ = EARLIER - self.case.pid if self.shape == "order" else self.case.pid
        return Told(self.case.subject, property_, self.case.object, denied=denied)

    def answer(self, right: bool) -> Said:
        """What the response answers literally."""
        other: Said = "no" if self.case.gold == "yes" else "yes"
        return ("yes" if self.case.gold == "yes" else "no") if right else other

    def base_denied(self, right: bool) -> bool:
        """Whether an answer denies the base proposition."""
        return self.case.truth != right

    def asides(self, count: int) -> tuple[Told, ...]:
        """True claims beside the point: about the case's own things first, of the part's entities alone."""
        evidence = {(told.subject.qid, told.property) for told in self.premises}
        near = sorted(self.case.entities)
        far = self.random.sample(sorted(self.pool), k=min(40, len(self.pool)))
        found: list[Told] = []
        for qid in [*near, *far]:
            subject = self.facts.thing(qid)
            options = [
                (p, o)
                for p, o in self.facts.about.get(qid, ())
                if o in self.pool and (qid, p) not in evidence and o not in self.case.entities and p in self.sayable
            ]
            if subject is None or not options:
                continue
            p, o = self.random.choice(options)
            if item := self.facts.thing(o):
                found.append(Told(subject, p, item))
            if len(found) == count:
                break
        return tuple(found)

    def plan(
        self, fault: FaultKind, told: list[Told], *, label: OracleLabel | None = None, said: Said | None = None
    ) -> Planned:
        """A response with these claims; label and answer are the fault's unless they are given."""
        right = is_right(fault)
        label, said = label or LABEL[fault], said or self.answer(right is not False)
        return Planned(self.case.id, 0, self.cluster, self.shape, fault, label, said, right, tuple(told))


def tell(premise: Premise) -> Told:
    """A premise as a claim."""
    return Told(premise.subject, premise.property, premise.item, premise.date)


def container(facts: Facts, place: int, pool: frozenset[int] | None = None) -> Thing | None:
    """What a place lies in: the next container with a label, or its country."""
    for qid in [*facts.above(place, wd.LOCATED_IN), facts.country(place) or 0]:
        if (thing := facts.thing(qid)) and qid != place:
            return thing
    return None
