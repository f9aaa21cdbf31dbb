"""How many requests a month will take, before the first one is sent."""

from collections.abc import Mapping
from math import ceil
from typing import NamedTuple

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from halluvault_tasks.knowledge import bundled, snapshots, tail
from halluvault_tasks.knowledge.config import Domains, Tail
from halluvault_tasks.knowledge.endpoint_answers import NUMBERS
from halluvault_tasks.storage.tables import pull_batch

_STATEMENTS_PER_SEED = 12
_ENTITIES_PER_SEED = 4
_FOLLOWED_PER_SEED = 0.5
_LARGE_CLASSES = 1  # humans
# Assumptions for a first month, from an estimate of 107,000 seeds, 1.3 million statements and 270,000 labels
# (seeds, values, types); a later month is estimated from the one before it.


class StepEstimate(NamedTuple):
    """Requests of one step of a pull."""

    step: str
    requests: int
    stored: int
    """Of these, how many answers are stored already."""


class PullEstimate(NamedTuple):
    """A pull before it begins, or continues."""

    basis: str
    """What it depends on: an earlier month, or the configuration's limits."""
    steps: tuple[StepEstimate, ...]
    service_seconds: float | None
    """The service's own time per request in that earlier month; None where there is none."""

    def remaining(self) -> int:
        """Requests still to be sent."""
        return sum(max(0, step.requests - step.stored) for step in self.steps)

    def seconds(self, gap: float) -> float:
        """Wall time at this gap; without an earlier month, the gaps alone: a lower bound."""
        return self.remaining() * (gap + (self.service_seconds or 0.0))


def of(session: Session, snapshot: str, source: str, domains: Domains) -> PullEstimate:
    """Estimate a pull.

    Args:
        session: open session; nothing is written.
        snapshot: exact key; it need not exist.
        source: name of the source; a month pulled from it before is the best measure.
        domains: the configuration.
    """
    stored = _requests(session, snapshot)
    others = (row for row in snapshots.listing(session) if row.source == source and row.snapshot != snapshot)
    for row in others:
        before = _requests(session, row.snapshot)
        if row.status != "pulling" and before:
            basis = f"{row.snapshot}, pulled from the same source"
            return PullEstimate(basis, _steps(before, stored), _mean_seconds(session, row.snapshot))
    return PullEstimate("the limits of domains.yaml: an upper bound", _steps(_bound(domains), stored), None)


def _steps(expected: Mapping[str, int], stored: Mapping[str, int]) -> tuple[StepEstimate, ...]:
    return tuple(
        StepEstimate(step, max(expected.get(step, 0), stored.get(step, 0)), stored.get(step, 0))
        for step in sorted(expected.keys() | stored.keys())
    )


def _requests(session: Session, snapshot: str) -> dict[str, int]:
    rows = session.execute(
        select(pull_batch.c.stage, func.sum(pull_batch.c.requests))
        .where(pull_batch.c.snapshot == snapshot)
        .group_by(pull_batch.c.stage)
    )
    return {row[0]: int(row[1]) for row in rows}


def _mean_seconds(session: Session, snapshot: str) -> float:
    mean = session.scalar(select(func.avg(pull_batch.c.seconds)).where(pull_batch.c.snapshot == snapshot))
    return float(mean or 0.0)


def _bound(domains: Domains) -> dict[str, int]:
    size, known = domains.batches, bundled.properties()
    metadata = 2 * ceil(len(domains.all_properties()) / 100) + 2
    seeds = sum(len(root.modes) + root.depth for _, root in domains.roots()) + len(domains.domains)
    tails = {domain: drawn for domain in domains.domains if (drawn := domains.require(domain).tail)}
    most = {name: domains.require(name).limit + (tails[name].limit if name in tails else 0) for name in domains.domains}
    total = sum(most.values())
    batches = {domain: ceil(count / size.seeds) for domain, count in most.items()}
    datatypes = {
        domain: {known[pid].datatype if pid in known else "" for pid in domains.asked_of_seeds(domain)}
        for domain in domains.domains
    }
    return {
        "metadata": metadata,
        "seeds": seeds,
        "tail": _tail_bound(domains, tails),
        "statements": sum(batches.values()),
        "statements times": sum(count for domain, count in batches.items() if datatypes[domain] & {"time", ""}),
        "statements quantities": sum(
            count for domain, count in batches.items() if datatypes[domain] & {"quantity", ""}
        ),
        "statements qualifiers": ceil(total * _STATEMENTS_PER_SEED / size.statements),
        "entities": ceil(total * _ENTITIES_PER_SEED / size.entities),
        "chain": ceil(total * _FOLLOWED_PER_SEED / size.seeds),
        "chain qualifiers": ceil(total * _FOLLOWED_PER_SEED * 2 / size.statements),
    }


def _tail_bound(domains: Domains, tails: Mapping[str, Tail]) -> int:
    """Every ending of every root, what was drawn before, and the classes that can only be asked for item by item."""
    asked = 0
    for domain, settings in tails.items():
        modes = sum(len(root.modes) for root in domains.require(domain).roots)
        asked += len(tail.endings(settings.seed)) * modes + ceil(settings.limit / domains.batches.entities)
    return asked + (_LARGE_CLASSES * ceil(tail.LARGEST / 10**tail.LONGEST / NUMBERS) if tails else 0)
