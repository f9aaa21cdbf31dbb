"""Conclusion, premise or side: what a claim is to a case (semantics.md section 4.2). Steps are in `steps`."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from decimal import Decimal
from typing import Literal, NamedTuple

from halluvault_tasks.oracles.asked import CaseToJudge, number_key
from halluvault_tasks.oracles.snapshot_view import Inverses, place_slots
from halluvault_tasks.oracles.statuses import Focus
from halluvault_tasks.reading.base import Claim, ClaimTriple
from halluvault_tasks.reasoning.records import Rule
from halluvault_tasks.wikidata import properties as wd
from halluvault_tasks.wikidata.relation import Kind, Predicate, kind_of

Role = Literal["conclusion", "premise", "side"]


class Cast(NamedTuple):
    """A claim's role, and in which of its meanings it has it."""

    role: Role
    triple: ClaimTriple
    turned: bool = False
    """A conclusion about p(o, s), the converse that was asked: to affirm it is to deny p(s, o)."""


_Slot = tuple[Predicate, int]


class _Reach(NamedTuple):
    """What an instance of a rule for a question may speak of."""

    nodes: set[int]
    properties: set[Predicate]


class Roles:
    """Assigns roles for one snapshot.

    Args:
        inverse: how properties are read from their other end.
        rules: the active rules: what could stand in an instance of one that concludes what is asked is a premise.
    """

    def __init__(self, inverse: Inverses, rules: Iterable[Rule]) -> None:
        self._inverse = inverse
        found: dict[Predicate, set[int]] = {}
        listed = list(rules)
        self._mutual = frozenset(rule.conclusion.predicate for rule in listed if rule.kind.mutual)
        self._places = place_slots(listed)
        for rule in listed:
            if rule.kind.composes:
                found.setdefault(rule.conclusion.predicate, set()).update(rule.premises)
        self._premises: Mapping[Predicate, frozenset[int]] = {p: frozenset(ps) for p, ps in found.items()}

    def focus(self, asked: CaseToJudge) -> Focus:
        """What a case is about."""
        properties: set[Predicate] = {asked.p, *(stated.p for stated in asked.evidence)}
        others = {q for p in properties for table in (self._inverse.of, self._inverse.gives) for q in table.get(p, ())}
        pairs = frozenset((stated.p, stated.ends) for stated in asked.evidence)
        return Focus(frozenset(properties | others), pairs, asked.named_by)

    def bearing(self, asked: CaseToJudge, claims: Sequence[Claim]) -> list[Claim]:
        """The claims that can matter to a case: of its proof's slots and of what an instance of its rule may hold.

        What is not understood may be of these.
        """
        properties = self._reach(asked, claims).properties | self.focus(asked).properties
        if asked.formula or asked.p in wd.SEQUENCE:
            properties |= set(wd.DATES)
        return [claim for claim in claims if claim.unread or any(triple.p in properties for triple in claim.triples)]

    def cast(self, asked: CaseToJudge, claims: Sequence[Claim]) -> list[Cast]:
        """The role of each claim of one response, in order."""
        if asked.formula:
            return [_unread(asked, claim) if claim.unread else _temporal(asked, claim) for claim in claims]
        reach = self._reach(asked, claims)
        return [_unread(asked, claim) if claim.unread else self._relation(asked, claim, reach) for claim in claims]

    def _reach(self, asked: CaseToJudge, claims: Sequence[Claim]) -> _Reach:
        """What an instance of a rule for the question may speak of; a chain runs through what only a response names."""
        properties: set[Predicate] = {asked.p, *(stated.p for stated in asked.evidence)}
        properties |= self._premises.get(asked.p, frozenset())
        properties = properties.union(*(self._inverse.of.get(p, ()) for p in properties))
        if properties.intersection(wd.PLACES_OF_LIFE) or asked.p in self._places:
            properties |= set(wd.PLACING)
        nodes = set(asked.entities)
        links = {(s, o) for claim in claims for p, s, o in claim.triples if p in properties and o}
        while fresh := {o for s, o in links if s in nodes} - nodes:
            nodes |= fresh
        return _Reach(nodes, properties)

    def _relation(self, asked: CaseToJudge, claim: Claim, reach: _Reach) -> Cast:
        claim = claim._replace(triples=(*claim.triples, *_located(asked, claim)))
        for triple in claim.triples:
            if conclusion := self._conclusion(asked, claim, triple):
                return conclusion
        premise = self._premise(asked, claim, reach)
        return Cast("premise", premise) if premise else Cast("side", claim.triples[0])

    def _premise(self, asked: CaseToJudge, claim: Claim, reach: _Reach) -> ClaimTriple | None:
        """The meaning in which a claim fills a slot of the proof, from either end, or could stand in a rule's."""
        proof: set[_Slot] = {stated.slot for stated in asked.evidence}
        slots = set(proof)
        if asked.p in wd.SEQUENCE and claim.days is not None and not claim.which:
            slots |= {(p, entity) for p in wd.DATES for entity in asked.entities}
        found = [triple for triple in claim.triples if (triple.p, triple.s) in slots]
        found += [triple for triple in claim.triples if self._turns(asked, triple, slots)]
        if claim.days is None and self._composes(asked, proof):
            found += [triple for triple in claim.triples if triple.p in reach.properties and triple.s in reach.nodes]
        return found[0] if found else None

    def _conclusion(self, asked: CaseToJudge, claim: Claim, triple: ClaimTriple) -> Cast | None:
        if claim.days is not None:
            return None
        if self._is_asked(asked, claim, triple):
            return Cast("conclusion", triple)
        flips = asked.flips or kind_of(asked.p) is Kind.ORDER
        return Cast("conclusion", triple, True) if flips and triple == (asked.p, asked.o, asked.s) else None

    def _turns(self, asked: CaseToJudge, triple: ClaimTriple, slots: set[_Slot]) -> bool:
        """Whether it fills a slot from its other end."""
        p, s, o = triple
        if any(p == stated.p and {s, o} == stated.ends for stated in asked.evidence):
            return True
        if p in self._inverse.symmetric and ((p, s) in slots or (p, o) in slots):
            return True
        of = self._inverse.of
        return any((q, o) in slots for q in of.get(p, ())) or any(p in of.get(q, ()) and end == o for q, end in slots)

    def _composes(self, asked: CaseToJudge, slots: set[_Slot]) -> bool:
        """Whether what is asked follows from several statements, so that any of a rule's may be a premise."""
        chained = kind_of(asked.p) in (Kind.CHAIN, Kind.SHARE) or asked.p in self._premises
        return len(slots) > 1 or chained or any(p in wd.PLACES_OF_LIFE for p, _ in slots)

    def _is_asked(self, asked: CaseToJudge, claim: Claim, triple: ClaimTriple) -> bool:
        p, s, o = asked.p, asked.s, asked.o
        if claim.amount is not None:
            asked_for = Decimal(asked.counted) if asked.aged and asked.counted is not None else None
            return (triple.p, triple.s) == (p, s) and (number_key(claim.amount) == o or claim.amount == asked_for)
        if not triple.s or not triple.o:
            return False
        same, turned = (triple.s, triple.o) == (s, o), (triple.s, triple.o) == (o, s)
        if same and triple.p in (p, self._places.get(p)):
            return True
        if turned and triple.p == p:
            return p in self._inverse.symmetric or p in self._mutual
        return turned and (triple.p in self._inverse.of.get(p, ()) or p in self._inverse.of.get(triple.p, ()))


def _temporal(asked: CaseToJudge, claim: Claim) -> Cast:
    """Of a formula's case: a date of one of its things that the proof has, or one of the same thing's other end."""
    slots = {stated.slot for stated in asked.evidence}
    subjects = {asked.s, *(s for _, s in slots)}
    dated = [triple for triple in claim.triples if triple.s in subjects and _is_date(claim, triple)]
    found = [triple for triple in dated if (triple.p, triple.s) in slots]
    if claim.days is not None and not claim.which:
        found += [triple for triple in dated if (wd.OTHER_END.get(triple.pid), triple.s) in slots]
    return Cast("premise", found[0]) if found else Cast("side", claim.triples[0])


def _is_date(claim: Claim, triple: ClaimTriple) -> bool:
    timed = claim.days is not None or claim.amount is not None
    return timed and triple.p in (wd.DATED_BY_QUALIFIERS if claim.which else wd.DATES)


def _located(asked: CaseToJudge, claim: Claim) -> Iterator[ClaimTriple]:
    """ "The location of X is Y" speaks of the proof's "X lies in the administrative unit Y"."""
    within = {(s, o) for p, s, o in claim.triples if p in wd.LIES_IN and s and o}
    if not within or claim.days is not None:
        return
    known = {triple.p for triple in claim.triples}
    for p, s, o in ((asked.p, asked.s, asked.o), *(stated[:3] for stated in asked.evidence)):
        if p in wd.LIES_IN and p not in known and (s, o) in within:
            yield ClaimTriple(p, s, o)


def _unread(asked: CaseToJudge, claim: Claim) -> Cast:
    """What is said of the case's things in words that are not understood may be a premise of its argument."""
    triple = claim.triples[0]
    return Cast("premise" if {triple.s, triple.o} & asked.entities else "side", triple)
