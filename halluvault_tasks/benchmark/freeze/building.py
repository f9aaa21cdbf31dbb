"""One suite's part of a month: made by its suite, compared with the part before it, frozen."""

import logging
from dataclasses import replace
from typing import Any, NamedTuple

from sqlalchemy import select
from sqlalchemy.orm import Session

from halluvault_tasks.benchmark.cases.hindrances import PartRefused, by_sentence
from halluvault_tasks.benchmark.freeze import changes, inputs, write_part
from halluvault_tasks.benchmark.selection.material import Material
from halluvault_tasks.benchmark.suites.part_statistics import PartStatistics
from halluvault_tasks.benchmark.suites.suite import PartConfig, Suite
from halluvault_tasks.benchmark.wording.generations import Ask
from halluvault_tasks.errors import UserError
from halluvault_tasks.knowledge import snapshots
from halluvault_tasks.reasoning.foils import storing
from halluvault_tasks.reasoning.following import step as following
from halluvault_tasks.storage.tables import benchmark_case, benchmark_part, cases

_log = logging.getLogger(__name__)


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
    """Nothing in it could be compared with an earlier published snapshot of its source (semantics.md §3.4)."""


def build(material: Material, suite: Suite[Any], config: PartConfig, ask: Ask | None) -> PartCounts:
    """Make a part and write it in the session's transaction; one that is frozen already is found, and never changed.

    Nothing is committed here but what a served model said, which a suite stores as it comes.

    Args:
        material: the snapshot.
        suite: which part.
        config: what it is made by.
        ask: asks a served model, for suites and rewritings that need one.

    Raises:
        PartRefused: nothing can be asked, the answers give themselves away, or the part was frozen with another
            configuration.
        UserError: the snapshot's rows were dropped or are not derived whole, or a rewriting is missing and there is
            nobody to ask.
    """
    session, snapshot = material.session, material.snapshot
    if found := _frozen(session, snapshot, config):
        return found
    if snapshot in snapshots.dropped(session):
        raise UserError(
            f"the rows of snapshot {snapshot} were dropped: no part {suite.name} can be made from them",
            "name months whose rows are there; `halluvault snapshot list`",
        )
    inputs.check(session, snapshot)
    made = suite.make(material, config, _questions(session, snapshot), ask)
    if not made.cases:
        raise PartRefused(
            f"no question can be asked about snapshot {snapshot}: no fact of the suite {suite.name} has words "
            f"({by_sentence(made.statistics.dropped)})",
            "pull a source with labels and statements of the properties in config/lexicon.yaml, or take "
            f"{suite.name} out of `suites` in config/benchmark.yaml",
        )
    _log.info("%s %s: freezing %d cases", snapshot, suite.name, len(made.cases))
    step = changes.compare(material, suite.name, made)
    statistics = replace(made.statistics, months=step.counts())
    written = write_part.write(session, snapshot, config, made.cases, statistics)
    storing.store(session, snapshot, made.foils)
    following.asked(session, material.row, material.measured, made.foils)
    changes.write(session, snapshot, suite.name, step)
    _log.info(
        "%s %s: %d cases, %d never asked before; %s", snapshot, suite.name, len(made.cases), written.new_cases, step
    )
    return _counts(suite.name, statistics, written.content_hash, new_cases=written.new_cases, built=True)


def _frozen(session: Session, snapshot: str, config: PartConfig) -> PartCounts | None:
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
    return _counts(config.suite, PartStatistics.of(row.counts), row.content_hash, new_cases=0, built=False)


def _counts(suite: str, statistics: PartStatistics, digest: str, *, new_cases: int, built: bool) -> PartCounts:
    return PartCounts(
        suite=suite,
        built=built,
        cases=statistics.cases,
        groups=statistics.groups,
        yes=statistics.gold.get("yes", 0),
        new_cases=new_cases,
        shortfall=sum(sum(owed.values()) for owed in statistics.shortfall.values()),
        dropped=sum(statistics.dropped.values()),
        content_hash=digest,
        first_month=statistics.first_month,
    )


def _questions(session: Session, snapshot: str) -> frozenset[str]:
    """What the month's other parts ask."""
    asked = select(cases.c.question).join(benchmark_case, benchmark_case.c.case_id == cases.c.id)
    return frozenset(session.scalars(asked.where(benchmark_case.c.snapshot == snapshot)))
