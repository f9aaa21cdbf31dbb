"""The stage that builds a month's benchmark, and the one that publishes it."""

import logging
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from sqlalchemy import func, select, update
from sqlalchemy.orm import Session

from halluvault_tasks.benchmark import (
    baselines,
    changes,
    entity_index,
    freeze,
    inputs,
    premises,
    relation,
    rewrite,
    temporal,
)
from halluvault_tasks.benchmark import config as configs
from halluvault_tasks.benchmark.balance import Block, Caps, Cell, Selection, choose
from halluvault_tasks.benchmark.cases import Candidate, Case, Evidence, cases_of
from halluvault_tasks.benchmark.config import BenchmarkConfig
from halluvault_tasks.benchmark.survival import Survival
from halluvault_tasks.errors import UserError
from halluvault_tasks.knowledge import snapshots
from halluvault_tasks.reasoning.licence_load import load_licence_facts
from halluvault_tasks.storage import runs
from halluvault_tasks.storage.collector import no_collector
from halluvault_tasks.storage.tables import benchmark, prompt

_log = logging.getLogger(__name__)

Prover = Callable[[Sequence[Candidate]], Sequence[Evidence | str]]
"""Evidence for each candidate, in order, or the reason why there is none."""


class BenchmarkCounts(NamedTuple):
    """What a build made, or found."""

    snapshot: str
    built: bool
    """False: this benchmark was already frozen, nothing was written."""
    cases: int
    groups: int
    relation: int
    temporal: int
    yes: int
    prompts: int
    new_cases: int
    """Cases that no earlier month asked."""
    shortfall: int
    """Cases that the quotas lack, over all cells."""
    dropped: int
    """Facts that were looked at and could not be asked about."""
    content_hash: str
    first_month: bool
    """Nothing in it could be held against an earlier published snapshot of its source (semantics.md §3.4)."""


def build(
    session: Session, snapshot: str, *, config_dir: Path, size: str, ask: rewrite.Ask | None = None
) -> BenchmarkCounts:
    """Build and freeze the benchmark of a snapshot, in one transaction.

    The same snapshot, configuration and seed give the same bytes. On a frozen benchmark of the same configuration
    nothing is written; a frozen benchmark is never changed.

    Args:
        session: open session; committed at the end.
        snapshot: exact key of a frozen or published snapshot.
        config_dir: directory of benchmark.yaml and lexicon.yaml.
        size: `demo` or `full`.
        ask: asks a served model; needed only where benchmark.yaml has questions rewritten and some have not been.

    Raises:
        UserError: the snapshot is still being pulled or not derived whole, a configuration is faulty, nothing can
            be asked, or the benchmark was frozen with another configuration.
    """
    config = configs.load(config_dir, size)
    with runs.stage(session, snapshot, "benchmark") as summary:
        row = snapshots.get(session, snapshot)
        if row.status == "pulling":
            raise UserError(f"snapshot {snapshot} is not frozen yet", f"halluvault pull --snapshot {snapshot}")
        with no_collector():
            counts = _frozen(session, snapshot, config) or _build(session, row, config, ask)
        summary.update(counts._asdict())
    return counts


def _frozen(session: Session, snapshot: str, config: BenchmarkConfig) -> BenchmarkCounts | None:
    row = session.execute(select(benchmark).where(benchmark.c.snapshot == snapshot)).mappings().first()
    if row is None:
        return None
    if row["config_hash"] != config.hash:
        raise UserError(
            f"the benchmark of {snapshot} was frozen with another configuration "
            f"({row['config_hash'][:12]}, now {config.hash[:12]}) and is never changed",
            "build the next month with it, or re-pull the month as a new revision (--snapshot YYYY-MM.N)",
        )
    prompts = session.scalar(select(func.count()).select_from(prompt).where(prompt.c.snapshot == snapshot)) or 0
    return _counts(snapshot, row["counts"], row["content_hash"], built=False, new_cases=0, prompts=prompts)


def _counts(
    snapshot: str, counts: Mapping[str, Any], digest: str, *, built: bool, new_cases: int, prompts: int
) -> BenchmarkCounts:
    return BenchmarkCounts(
        snapshot=snapshot,
        built=built,
        cases=counts["cases"],
        groups=counts["groups"],
        relation=counts["by_suite"].get("relation", 0),
        temporal=counts["by_suite"].get("temporal", 0),
        yes=counts["gold"].get("yes", 0),
        prompts=prompts,
        new_cases=new_cases,
        shortfall=sum(sum(owed.values()) for cells in counts["shortfall"].values() for owed in cells.values()),
        dropped=sum(sum(reasons.values()) for reasons in counts["dropped"].values()),
        content_hash=digest,
        first_month=counts.get("first_month", False),
    )


def _build(
    session: Session, row: snapshots.SnapshotRow, config: BenchmarkConfig, ask: rewrite.Ask | None
) -> BenchmarkCounts:
    snapshot, quotas = row.snapshot, config.quotas
    inputs.check(session, snapshot)
    before = snapshots.predecessor(session, row)
    survival = Survival(session, snapshot, before.snapshot if before else "")
    index = entity_index.load(session, snapshot, config.lexicon, row.as_of)
    domains = sorted(set(index.domains.values()))
    limit = config.size.candidates_per_rule
    licences = load_licence_facts(session, snapshot)
    related = relation.find(
        session, snapshot, index, config.lexicon, survival, licences,
        as_of=row.as_of, seed=quotas.seed, per_rule=limit,
    )  # fmt: skip
    timed = temporal.find(session, snapshot, index, config.lexicon, survival, seed=quotas.seed, per_operator=limit)
    provers: dict[str, Prover] = {
        "relation": lambda some: premises.prove(session, snapshot, some, index, config.lexicon, survival, licences),
        "temporal": lambda some: temporal.prove(session, snapshot, some, index, config.lexicon, survival),
    }
    made: list[Case] = []
    askable: set[str] = set()
    asked: list[baselines.Asked] = []
    dropped, shortfall, rewritten = {}, {}, {}
    for suite, found, kinds, target in (
        ("relation", related, quotas.kinds, config.size.relation),
        ("temporal", timed, quotas.operators, config.size.temporal),
    ):
        weights = {(domain, str(kind)): weight for domain in domains for kind, weight in kinds.items()}
        settled = settle(found.blocks, weights, target, config, provers[suite])
        if quotas.rewrite is not None:
            rewrite.fetch(session, quotas.rewrite.model, settled.cases, ask)
            reworded = rewrite.apply(settled.cases, rewrite.known(session, quotas.rewrite.model, settled.cases))
            settled = settled._replace(cases=reworded.cases)
            rewritten[suite] = {"kept": reworded.kept, "rejected": dict(sorted(reworded.rejected.items()))}
        made += settled.cases
        askable |= {one.group for block in found.blocks for one in block.candidates}
        asked += [
            baselines.Asked(case.question, case.gold, suite, number if suite == "relation" else -1 - number)
            for case, number in zip(settled.cases, settled.blocks, strict=True)
        ]
        dropped[suite] = found.dropped + settled.dropped
        shortfall[suite] = settled.selection.shortfall
    if not made:
        raise UserError(
            f"no question can be asked about snapshot {snapshot}: no derived or temporal fact has words "
            f"({dict(dropped['relation'] + dropped['temporal'])})",
            "pull a source with labels and statements of the properties in config/lexicon.yaml",
        )
    blind = baselines.run(asked, quotas.blind_limit)
    baselines.check(blind, quotas.blind_limit)
    counts = freeze.tally(made, dropped=dropped, shortfall=shortfall, blind=blind, first_month=before is None)
    if quotas.rewrite is not None:
        counts["rewritten"] = {"model": quotas.rewrite.model, **rewritten}
    step = changes.compare(session, row, made, askable, index)
    counts["months"] = step.counts()
    written = freeze.write(session, snapshot, as_of=row.as_of, config=config, cases=made, counts=counts)
    changes.write(session, snapshot, step)
    _log.info("benchmark %s: %d cases, %d of them never asked before", snapshot, len(made), written.new_cases)
    _log.info("%s", step)
    return _counts(
        snapshot, counts, written.content_hash, built=True, new_cases=written.new_cases, prompts=written.prompts
    )


class Settled(NamedTuple):
    """A suite's cases, and why some of its facts could not be proved in words: reason → facts."""

    cases: list[Case]
    blocks: list[int]
    """Of each case, the number of its block."""
    selection: Selection
    dropped: Counter[str]


def settle(
    blocks: Sequence[Block],
    weights: Mapping[Cell, float],
    target: int,
    config: BenchmarkConfig,
    prover: Prover,
) -> Settled:
    """Choose blocks and prove their groups; where a proof has no words, choose again without that block."""
    quotas = config.quotas
    evidence: dict[str, Evidence] = {}
    dropped: Counter[str] = Counter()
    left = list(blocks)
    while True:
        selection = choose(
            left,
            weights,
            target,
            seed=quotas.seed,
            caps=Caps(quotas.subject_cap, quotas.object_cap),
            yes_only=quotas.yes_only,
        )
        unproved = [one.candidate for one in selection.chosen if one.candidate.group not in evidence]
        failed = set()
        for candidate, proved in zip(unproved, prover(unproved) if unproved else (), strict=True):
            if isinstance(proved, str):
                failed.add(candidate.group)
                dropped[proved] += 1
            else:
                evidence[candidate.group] = proved
        if not failed:
            break
        left = [block for block in left if failed.isdisjoint(one.group for one in block.candidates)]
    made, numbers = [], []
    for one in selection.chosen:
        cases = cases_of(one.candidate, one.turn, evidence[one.candidate.group], yes_only=one.yes_only)
        made += cases
        numbers += [one.block] * len(cases)
    return Settled(made, numbers, selection, dropped)


def publish(session: Session, snapshot: str) -> None:
    """Make the benchmark of a snapshot the one that evaluations use. Idempotent; commits.

    Raises:
        UserError: it is not frozen.
    """
    changed = session.scalar(
        update(benchmark).where(benchmark.c.snapshot == snapshot).values(published=True).returning(benchmark.c.snapshot)
    )
    if changed is None:
        raise UserError(f"snapshot {snapshot} has no benchmark", f"halluvault benchmark build --snapshot {snapshot}")
    session.commit()
