"""One suite's part of a month: chosen, proved, reworded where that is wanted, held against the blind gate, frozen."""

import logging
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from sqlalchemy import select, text
from sqlalchemy.orm import Session

from halluvault_tasks.benchmark import baselines, changes, freeze, inputs, rewrite
from halluvault_tasks.benchmark.balance import Block, Cell, Owed, choose
from halluvault_tasks.benchmark.cases import Candidate, Case, Evidence, cases_of
from halluvault_tasks.benchmark.config import PartConfig
from halluvault_tasks.benchmark.material import Material
from halluvault_tasks.benchmark.parts import PartRefused
from halluvault_tasks.benchmark.suites import Suite
from halluvault_tasks.errors import UserError
from halluvault_tasks.knowledge import snapshots
from halluvault_tasks.storage.tables import benchmark_case, benchmark_part, cases

_log = logging.getLogger(__name__)

REPEATED = "the month asks it in the same words already"
"""The reason why a group is not asked about, in counts."""


class PartCounts(NamedTuple):
    """What the build of one part made, or found."""

    suite: str
    built: bool
    """False: it was already frozen, nothing was written."""
    cases: int
    groups: int
    yes: int
    new_cases: int
    """Cases that no earlier month asked."""
    shortfall: int
    """Cases that the quotas lack, over all cells."""
    dropped: int
    """Facts that were looked at and could not be asked about."""
    content_hash: str
    first_month: bool
    """Nothing in it could be held against an earlier published snapshot of its source (semantics.md §3.4)."""


def build(material: Material, suite: Suite, config: PartConfig, ask: rewrite.Ask | None) -> PartCounts:
    """Make a part and write it in the session's transaction; one that is frozen already is found, and never changed.

    Nothing is committed here but stored rewritings.

    Args:
        material: the snapshot.
        suite: which part.
        config: what it is made by.
        ask: asks a served model, where questions are rewritten and some have not been.

    Raises:
        PartRefused: nothing can be asked, the answers give themselves away, or the part was frozen with another
            configuration.
        UserError: the snapshot's rows were dropped or are not derived whole, or a rewriting is missing and there is
            nobody to ask.
    """
    session, snapshot = material.session, material.snapshot
    if found := _turn(session, snapshot, config):
        return found
    if snapshot in snapshots.dropped(session):
        raise UserError(
            f"the rows of snapshot {snapshot} were dropped: no part {suite.name} can be made of them any more",
            "name months whose rows are there; `halluvault snapshot list`",
        )
    inputs.check(session, snapshot)
    found_blocks = suite.find(material, config)
    domains = sorted(set(material.index.domains.values()))
    elsewhere = _questions(session, snapshot)
    settled = settle(found_blocks.blocks, domains, config, lambda some: suite.prove(material, some), elsewhere)
    made, rewritten, fetched = _reworded(session, settled.cases, config, ask, elsewhere)
    dropped = found_blocks.dropped + settled.dropped
    if not made:
        raise PartRefused(
            f"no question can be asked about snapshot {snapshot}: no fact of the suite {suite.name} has words "
            f"({dict(dropped)})",
            "pull a source with labels and statements of the properties in config/lexicon.yaml, or take "
            f"{suite.name} out of `suites` in config/benchmark.yaml",
        )
    blind = baselines.run(
        (
            baselines.Asked(case.question, case.gold, suite.name, block)
            for case, block in zip(made, settled.blocks, strict=True)
        ),
        config.blind_limit,
    )
    baselines.check(blind, config.blind_limit)
    # Storing what was fetched ended the transaction, and with it the turn.
    if fetched and (other := _turn(session, snapshot, config)):
        return other
    tally = freeze.tally(
        made, dropped=dropped, shortfall=settled.shortfall, blind=blind, first_month=not material.before
    )
    groups = {one.group for block in found_blocks.blocks for one in block.candidates}
    step = changes.compare(material, suite.name, made, groups)
    counts = {**tally, **rewritten, "months": step.counts()}
    written = freeze.write(session, snapshot, config, made, counts)
    changes.write(session, snapshot, suite.name, step)
    _log.info(
        "%s %s: %d cases, %d of them never asked before; %s", snapshot, suite.name, len(made), written.new_cases, step
    )
    return _counts(suite.name, counts, written.content_hash, new_cases=written.new_cases, built=True)


def _turn(session: Session, snapshot: str, config: PartConfig) -> PartCounts | None:
    """Wait for any other build of the snapshot, until this transaction's end; what is frozen of the part, if it is."""
    session.execute(text("SELECT pg_advisory_xact_lock(hashtext(:key))"), {"key": f"benchmark {snapshot}"})
    part = benchmark_part.c
    row = session.execute(
        select(part.config_hash, part.content_hash, part.counts).where(
            part.snapshot == snapshot, part.suite == config.suite
        )
    ).one_or_none()
    if row is None:
        return None
    if row.config_hash != config.hash:
        raise PartRefused(
            f"the part {config.suite} of {snapshot} was frozen with another configuration ({row.config_hash[:12]}, now "
            f"{config.hash[:12]}) and is never changed",
            "build the next month with it, or re-pull the month as a new revision (--snapshot YYYY-MM.N)",
        )
    return _counts(config.suite, row.counts, row.content_hash, new_cases=0, built=False)


def _counts(suite: str, counts: Mapping[str, Any], digest: str, *, new_cases: int, built: bool) -> PartCounts:
    return PartCounts(
        suite=suite,
        built=built,
        cases=counts["cases"],
        groups=counts["groups"],
        yes=counts["gold"].get("yes", 0),
        new_cases=new_cases,
        shortfall=sum(sum(owed.values()) for owed in counts["shortfall"].values()),
        dropped=sum(counts["dropped"].values()),
        content_hash=digest,
        first_month=counts["first_month"],
    )


def _questions(session: Session, snapshot: str) -> frozenset[str]:
    """What the month's other parts ask."""
    asked = select(cases.c.question).join(benchmark_case, benchmark_case.c.case_id == cases.c.id)
    return frozenset(session.scalars(asked.where(benchmark_case.c.snapshot == snapshot)))


class _Reworded(NamedTuple):
    cases: list[Case]
    counts: dict[str, Any]
    """Empty where nobody rewrites."""
    fetched: int
    """Rewritings that were asked for now, and stored."""


def _reworded(
    session: Session, made: list[Case], config: PartConfig, ask: rewrite.Ask | None, elsewhere: Collection[str]
) -> _Reworded:
    if not config.rewriter:
        return _Reworded(made, {}, 0)
    fetched = rewrite.fetch(session, config.rewriter, made, ask)
    reworded = rewrite.apply(made, rewrite.known(session, config.rewriter, made), elsewhere)
    told = {"model": config.rewriter, "kept": reworded.kept, "rejected": dict(sorted(reworded.rejected.items()))}
    return _Reworded(reworded.cases, {"rewritten": told}, fetched)


class Settled(NamedTuple):
    """A suite's cases, and why some of its facts could not be asked about after all: reason → facts."""

    cases: list[Case]
    blocks: list[int]
    """Of each case, the number of its block."""
    shortfall: Mapping[Cell, Owed]
    dropped: Counter[str]


def settle(
    blocks: Iterable[Block],
    domains: Sequence[str],
    config: PartConfig,
    prove: Callable[[Sequence[Candidate]], Sequence[Evidence | str]],
    asked: Collection[str] = (),
) -> Settled:
    """Choose blocks and prove their groups; where a proof has no words, choose again without that block.

    Args:
        blocks: what can be asked.
        domains: of the snapshot; with each kind that has a weight they are the cells.
        config: of the part.
        prove: evidence for each candidate, in order, or the reason why there is none.
        asked: questions that the month asks elsewhere.
    """
    weights = {(domain, kind): weight for domain in domains for kind, weight in config.weights.items()}
    evidence: dict[str, Evidence] = {}
    dropped: Counter[str] = Counter()
    left = list(blocks)
    while True:
        selection = choose(
            left, weights, config.target, seed=config.seed, caps=config.caps, yes_only=config.yes_only, asked=asked
        )
        unproved = [one.candidate for one in selection.chosen if one.candidate.group not in evidence]
        failed = set()
        for candidate, proved in zip(unproved, prove(unproved) if unproved else (), strict=True):
            if isinstance(proved, str):
                failed.add(candidate.group)
                dropped[proved] += 1
            else:
                evidence[candidate.group] = proved
        if not failed:
            break
        left = [block for block in left if failed.isdisjoint(one.group for one in block.candidates)]
    if selection.repeated:
        dropped[REPEATED] += selection.repeated
    made, numbers = [], []
    for one in selection.chosen:
        members = cases_of(one.candidate, one.turn, evidence[one.candidate.group], yes_only=one.yes_only)
        made += members
        numbers += [one.block] * len(members)
    return Settled(made, numbers, selection.shortfall, dropped)
