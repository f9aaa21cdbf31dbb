"""How complete a relation is in a snapshot, and how many of the unsupported claims about it are false.

A property that the rules read from either end (an inverse, a symmetric relation) is recorded in two places, and what
one end states shows how complete the other is: `rule.support.both_ways`. So the snapshot misses a known share of true
claims, and unsupported claims beyond what the supported ones explain are false (`statistics.recapture`). `audited`
checks that against hidden statements, which are true, and against claims that people found to be false.
"""

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from sqlalchemy import text
from sqlalchemy.orm import Session

from halluvault_tasks.reasoning.kinds import CONCLUDING_FAMILIES
from halluvault_tasks.reasoning.rules import stored_rules
from halluvault_tasks.statistics import recapture
from halluvault_tasks.statistics.recapture import Expected, Recorded, Stratum

LEAST = 20
"""Observable pairs below which nothing is said about how complete a property is."""

_SEEDS = text("SELECT qid FROM entity WHERE snapshot = :snapshot AND seed AND qid = ANY(:items)")
_STATED = "SELECT DISTINCT p, s, o FROM {} WHERE p = ANY(:properties) AND o IS NOT NULL"


class Ends(NamedTuple):
    """What is known of relations that are recorded in two places.

    Attributes:
        recorded: PID → of so many statements that other statements imply, so many are there.
        back: PID → properties that say the same at the object, for those that nothing else supports.
    """

    recorded: Mapping[int, Recorded]
    back: Mapping[int, tuple[int, ...]]

    def places(self, p: int, s: int, o: int, seeds: Collection[int]) -> tuple[int, ...]:
        """Properties whose statements could support a claim; none where one of them has no figure."""
        forth = (p,) if s in seeds else ()
        if o not in seeds:
            return forth
        return (*forth, *self.back[p]) if all(other in self.back for other in self.back[p]) else ()


class _Claim(NamedTuple):
    p: int
    s: int
    o: int


class Audited(NamedTuple):
    """One property after the hiding; a fact counts once, whichever end tells it.

    Attributes:
        p: its PID, the least of those that tell the same.
        complete: what is left of it.
        claims: facts that were stated before, and claims found to be false.
        expected: how many of those that are not stated any more are expected to be false; None where all are.
        false: how many are known to be.
    """

    p: int
    complete: Recorded
    claims: int
    expected: Expected | None
    false: int


def of_snapshot(session: Session, snapshot: str) -> Ends:
    """What the active rules of a snapshot show; only read."""
    active = (rule for rule in stored_rules(session, snapshot) if rule.verdict == "active")
    concluding = [rule for rule in active if rule.kind.family in CONCLUDING_FAMILIES]
    from_ends = [rule for rule in concluding if not rule.kind.composes]
    otherwise = {rule.conclusion.pid for rule in concluding if rule.kind.composes}
    back: dict[int, set[int]] = defaultdict(set)
    hits: Counter[int] = Counter()
    of: Counter[int] = Counter()
    for rule in from_ends:
        p = rule.conclusion.pid
        back[p].add(rule.premises[0])
        if rule.kind.reads_back and (both_ways := rule.support.get("both_ways")):
            hits[p] += both_ways["hits"]
            of[p] += both_ways["of"]
    recorded = {p: Recorded(hits[p], number) for p, number in of.items() if number >= LEAST}
    return Ends(recorded, {p: tuple(sorted(back[p])) for p in recorded if p not in otherwise})


def seeds_of(session: Session, snapshot: str, items: Collection[int]) -> set[int]:
    """Of these items, those whose statements the snapshot has."""
    return set(session.scalars(_SEEDS, {"snapshot": snapshot, "items": sorted(items)}))


def audited(inner: Session, snapshot: str, verified: Sequence[tuple[int, int, int]] = ()) -> tuple[Audited, ...]:
    """Take what was stated before the hiding, and what is known to be false, for claims; say how many are false.

    Args:
        inner: a session of `audit.workspace` after the hiding, with its table `truth` and its rules typed again.
        snapshot: key.
        verified: (s, p, o) that people have found to be false.
    """
    ends = of_snapshot(inner, snapshot)
    properties = {"properties": sorted({*ends.back, *(p for back in ends.back.values() for p in back)})}
    stated = {_Claim(*row) for row in inner.execute(text(_STATED.format("truth")), properties)}
    left = {_Claim(*row) for row in inner.execute(text(_STATED.format("statement")), properties)}
    false = _claims(ends, (_Claim(p, s, o) for s, p, o in verified))
    claims = dict.fromkeys(false, True) | dict.fromkeys(_claims(ends, stated), False)
    seeds = seeds_of(inner, snapshot, {item for claim in claims for item in (claim.s, claim.o)})
    strata: dict[int, dict[tuple[int, ...], _Counts]] = defaultdict(lambda: defaultdict(_Counts))
    for claim in sorted(claims):
        if places := ends.places(*claim, seeds):
            supported = not left.isdisjoint(_tellings(ends, claim))
            strata[claim.p][places].add(supported, claims[claim])
    return tuple(_audited(p, ends, of_property) for p, of_property in sorted(strata.items()))


@dataclass
class _Counts:
    """Claims that could be supported in the same places."""

    known: int = 0
    unknown: int = 0
    false: int = 0

    def add(self, supported: bool, false: bool) -> None:
        self.known += supported
        self.unknown += not supported
        self.false += false


def _audited(p: int, ends: Ends, strata: Mapping[tuple[int, ...], _Counts]) -> Audited:
    counted = [Stratum(places, counts.known, counts.unknown) for places, counts in sorted(strata.items())]
    return Audited(
        p,
        ends.recorded[p],
        sum(counts.known + counts.unknown for counts in strata.values()),
        recapture.expected_false(counted, ends.recorded),
        sum(counts.false for counts in strata.values()),
    )


def _claims(ends: Ends, stated: Iterable[_Claim]) -> set[_Claim]:
    """One representative of all the claims that say the same, of those whose completeness is known."""
    return {
        min(telling for telling in _tellings(ends, claim) if telling.p in ends.back)
        for claim in stated
        if claim.p in ends.back
    }


def _tellings(ends: Ends, claim: _Claim) -> set[_Claim]:
    """The claim, and what says the same at its object."""
    return {claim, *(_Claim(other, claim.o, claim.s) for other in ends.back[claim.p])}
