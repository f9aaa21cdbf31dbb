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
        properties: set[Predicate] = {asked.p, *(one.p for one in asked.evidence)}
        others = {q for p in properties for table in (self._inverse.of, self._inverse.gives) for q in table.get(p, ())}
        pairs = frozenset((one.p, frozenset((one.s, one.o))) for one in asked.evidence)
        return Focus(frozenset(properties | others), pairs, asked.named_by)

    def cast(self, asked: CaseToJudge, claims: Sequence[Claim]) -> list[Cast]:
        """The role of each claim of one response, in order."""
        if asked.formula:
            return [_unread(asked, claim) if claim.unread else self._temporal(asked, claim) for claim in claims]
        nodes = set(asked.entities)
        properties: set[Predicate] = {asked.p, *(one.p for one in asked.evidence), *self._premises.get(asked.p, ())}
        properties |= {q for p in tuple(properties) for q in self._inverse.of.get(p, ())}
        if properties.intersection(wd.PLACES_OF_LIFE) or asked.p in self._places:
            properties |= set(wd.PLACING)
        changed = True
        while changed:  # a chain may run through things that only the response names
            changed = False
            for claim in claims:
                for triple in claim.triples:
                    if triple.p in properties and triple.s in nodes and triple.o and triple.o not in nodes:
                        nodes.add(triple.o)
                        changed = True
        return [
            _unread(asked, claim) if claim.unread else self._relation(asked, claim, nodes, properties)
            for claim in claims
        ]

    def _relation(self, asked: CaseToJudge, claim: Claim, nodes: set[int], properties: set[Predicate]) -> Cast:
        claim = claim._replace(triples=(*claim.triples, *_located(asked, claim)))
        for triple in claim.triples:
            if claim.days is None and self._is_asked(asked, claim, triple):
                return Cast("conclusion", triple)
            flips = asked.flips or kind_of(asked.p) is Kind.ORDER
            if flips and triple == (asked.p, asked.o, asked.s) and claim.days is None:
                return Cast("conclusion", triple, True)
        slots = {(one.p, one.s) for one in asked.evidence}
        if asked.p in wd.SEQUENCE and claim.days is not None and not claim.which:
            slots |= {(p, one) for p in wd.DATES for one in asked.entities}
        for triple in claim.triples:
            if (triple.p, triple.s) in slots:
                return Cast("premise", triple)
        pairs = {(one.p, frozenset((one.s, one.o))) for one in asked.evidence}
        for triple in claim.triples:
            if (triple.p, frozenset((triple.s, triple.o))) in pairs:  # the slot's relation, turned round
                return Cast("premise", triple)
            if triple.p in self._inverse.symmetric and any((triple.p, end) in slots for end in (triple.s, triple.o)):
                return Cast("premise", triple)
            if any((q, triple.o) in slots for q in self._inverse.of.get(triple.p, ())) or any(
                triple.p in self._inverse.of.get(p, ()) and s == triple.o for p, s in slots
            ):
                return Cast("premise", triple)
        if (
            len(slots) > 1
            or kind_of(asked.p) in (Kind.CHAIN, Kind.SHARE)
            or asked.p in self._premises
            or any(p in wd.PLACES_OF_LIFE for p, _ in slots)
        ):
            for triple in claim.triples:
                if claim.days is None and triple.p in properties and triple.s in nodes:
                    return Cast("premise", triple)
        return Cast("side", claim.triples[0])

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

    def _temporal(self, asked: CaseToJudge, claim: Claim) -> Cast:
        subjects = {one.s for one in asked.evidence} | {asked.s}
        for triple in claim.triples:
            if triple.s not in subjects:
                continue
            timed = claim.days is not None or claim.amount is not None
            dated = timed and triple.p in (wd.DATED_BY_QUALIFIERS if claim.which else wd.DATES)
            if dated and any(one.s == triple.s and one.p == triple.p for one in asked.evidence):
                return Cast("premise", triple)
        for triple in claim.triples:
            if claim.days is not None and not claim.which and triple.s in subjects and triple.p in wd.DATES:
                pair = wd.OTHER_END.get(triple.p)
                if any(one.s == triple.s and one.p == pair for one in asked.evidence):
                    return Cast("premise", triple)
        return Cast("side", claim.triples[0])


def _located(asked: CaseToJudge, claim: Claim) -> Iterator[ClaimTriple]:
    """ "The location of X is Y" speaks of the proof's "X lies in the administrative unit Y"."""
    within = {(one.s, one.o) for one in claim.triples if one.p in wd.LIES_IN and one.s and one.o}
    if within and claim.days is None:
        known = {one.p for one in claim.triples}
        for p, s, o in ((asked.p, asked.s, asked.o), *((one.p, one.s, one.o) for one in asked.evidence)):
            if p in wd.LIES_IN and p not in known and (s, o) in within:
                yield ClaimTriple(p, s, o)


def _unread(asked: CaseToJudge, claim: Claim) -> Cast:
    """What is said of the case's things in words that are not understood may be a premise of its argument."""
    triple = claim.triples[0]
    return Cast("premise" if {triple.s, triple.o} & asked.entities else "side", triple)
