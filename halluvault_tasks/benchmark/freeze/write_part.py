"""Writing a part: all of it in the caller's transaction, or nothing."""

import hashlib
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from sqlalchemy import insert, select
from sqlalchemy.dialects.postgresql import insert as upsert
from sqlalchemy.orm import Session

from halluvault_tasks.benchmark.cases.case import Case
from halluvault_tasks.benchmark.freeze.earlier import earlier
from halluvault_tasks.benchmark.suites.part_statistics import PartStatistics
from halluvault_tasks.benchmark.suites.suite import PartConfig
from halluvault_tasks.storage.copy import copy_rows
from halluvault_tasks.storage.tables import benchmark_case, benchmark_part
from halluvault_tasks.storage.tables import cases as cases_table

_BENCHMARK_CASE = (
    "snapshot", "suite", "case_id", "domain", "rule_kind", "property", "subject", "object", "fact", "premises", "proof",
    "licence", "block",
)  # fmt: skip


class Frozen(NamedTuple):
    """What was written."""

    content_hash: str
    new_cases: int


def content_hash(cases: Iterable[Case]) -> str:
    """sha256 over case ids and proofs, ids ascending."""
    digest = hashlib.sha256()
    for case in sorted(cases, key=lambda one: one.id):
        digest.update(f"{case.id}\n{hashlib.sha256(case.proof.encode()).hexdigest()}\n".encode())
    return digest.hexdigest()


def write(
    session: Session, snapshot: str, config: PartConfig, cases: Sequence[Case], statistics: PartStatistics
) -> Frozen:
    """Write a part with its cases. Nothing is committed here.

    A case whose group and mutation were asked in other words before (a label changed) supersedes that case.
    """
    ordered = sorted(cases, key=lambda one: one.id)
    new = _new_cases(session, snapshot, ordered)
    if new:
        session.execute(upsert(cases_table).on_conflict_do_nothing(), new)
    digest = content_hash(ordered)
    session.execute(
        insert(benchmark_part).values(
            snapshot=snapshot,
            suite=config.suite,
            seed=config.seed,
            config_hash=config.hash,
            content_hash=digest,
            counts=statistics.as_json(),
        )
    )
    copy_rows(
        session,
        benchmark_case,
        _BENCHMARK_CASE,
        (
            (
                snapshot,
                c.suite,
                c.id,
                c.domain,
                c.rule_kind,
                c.property,
                c.subject,
                c.object,
                c.fact,
                c.premises,
                c.proof,
                c.licence,
                c.block,
            )
            for c in ordered
        ),
    )
    return Frozen(digest, len(new))


def _new_cases(session: Session, snapshot: str, ordered: Sequence[Case]) -> list[dict[str, Any]]:
    """Rows of those that were never asked."""
    before = earlier(session, snapshot, {case.group_id for case in ordered})
    known = set(
        session.scalars(select(cases_table.c.id).where(cases_table.c.group_id.in_({c.group_id for c in ordered})))
    )
    return [
        {
            "id": case.id,
            "question": case.question,
            "gold": case.gold,
            "group_id": case.group_id,
            "mutation": case.mutation,
            "relation": case.relation,
            "suite": case.suite,
            "supersedes": before[case.group_id, case.mutation].last
            if (case.group_id, case.mutation) in before
            else None,
        }
        for case in ordered
        if case.id not in known
    ]
