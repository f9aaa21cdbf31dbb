"""How complete a relation is in a snapshot, and how many of the unsupported claims about it are false.

A property that the rules read from either end (an inverse, a symmetric relation) is recorded in two places, and what
one end states shows how complete the other is: `rule.support.both_ways`. So the snapshot misses a known share of true
claims, and unsupported claims beyond what the supported ones explain are false (`statistics.recapture`). `audited`
checks that against hidden statements, which are true, and against claims that people found to be false.
"""

from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
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
    rules = [rule for rule in active if rule.kind.family in CONCLUDING_FAMILIES]
    hits: dict[int, list[Recorded]] = defaultdict(list)
    back: dict[int, set[int]] = defaultdict(set)
    otherwise: set[int] = set()
    for rule in rules:
        if rule.kind.composes:
            otherwise.add(rule.conclusion.pid)
            continue
        back[rule.conclusion.pid].add(rule.premises[0])
        both_ways = rule.support.get("both_ways", {})
        if rule.kind.reads_back and both_ways.get("of"):
            hits[rule.conclusion.pid].append(Recorded(both_ways["hits"], both_ways["of"]))
    recorded = {p: Recorded(sum(one.hits for one in of), sum(one.of for one in of)) for p, of in hits.items()}
    recorded = {p: one for p, one in recorded.items() if one.of >= LEAST}
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
    stated = {tuple(row) for row in inner.execute(text(_STATED.format("truth")), properties)}
    left = {tuple(row) for row in inner.execute(text(_STATED.format("statement")), properties)}
    told = dict.fromkeys(sorted(_claims(ends, stated)), False)
    told |= {
        claim: True
        for claim in sorted({_least(ends, p, s, o) for s, p, o in verified if p in ends.back})
        if claim not in told
    }
    seeds = seeds_of(inner, snapshot, {item for _, s, o in told for item in (s, o)})
    strata: dict[int, dict[tuple[int, ...], list[int]]] = defaultdict(lambda: defaultdict(lambda: [0, 0, 0]))
    for claim, false in told.items():
        if places := ends.places(*claim, seeds):
            counts = strata[claim[0]][places]
            counts[0 if left.intersection(_tellings(ends, *claim)) else 1] += 1
            counts[2] += false
    return tuple(
        Audited(
            p,
            ends.recorded[p],
            sum(known + unknown for known, unknown, _ in of.values()),
            recapture.expected_false(
                [Stratum(places, known, unknown) for places, (known, unknown, _) in sorted(of.items())], ends.recorded
            ),
            sum(false for _, _, false in of.values()),
        )
        for p, of in sorted(strata.items())
    )


def _claims(ends: Ends, stated: Collection[tuple[int, int, int]]) -> Iterator[tuple[int, int, int]]:
    for p, s, o in stated:
        if p in ends.back:
            yield _least(ends, p, s, o)


def _tellings(ends: Ends, p: int, s: int, o: int) -> set[tuple[int, int, int]]:
    """The claim, and what says the same at its object."""
    return {(p, s, o), *((other, o, s) for other in ends.back[p])}


def _least(ends: Ends, p: int, s: int, o: int) -> tuple[int, int, int]:
    """One representative of all the claims that say the same."""
    return min(one for one in _tellings(ends, p, s, o) if one[0] in ends.back)
