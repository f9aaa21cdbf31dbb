"""Writing a benchmark down: all of it in the caller's transaction, or nothing."""

import hashlib
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from datetime import date
from typing import Any, NamedTuple

from sqlalchemy import insert, select
from sqlalchemy.dialects.postgresql import insert as upsert
from sqlalchemy.orm import Session

from halluvault_tasks.benchmark.balance import Owed, negative
from halluvault_tasks.benchmark.baselines import Baseline
from halluvault_tasks.benchmark.cases import Case
from halluvault_tasks.benchmark.config import BenchmarkConfig
from halluvault_tasks.benchmark.contexts import Events
from halluvault_tasks.benchmark.earlier import earlier
from halluvault_tasks.benchmark.prompts import VERSION, prompts_of, variant_id
from halluvault_tasks.storage.copy import copy_rows
from halluvault_tasks.storage.tables import benchmark, benchmark_case, prompt, prompt_variant
from halluvault_tasks.storage.tables import cases as cases_table

_BENCHMARK_CASE = (
    "snapshot", "case_id", "domain", "rule_kind", "property", "subject", "object", "fact", "premises", "proof",
)  # fmt: skip


class Frozen(NamedTuple):
    """What was written."""

    content_hash: str
    new_cases: int
    prompts: int


def content_hash(cases: Iterable[Case]) -> str:
    """sha256 over case ids and proofs, ids ascending."""
    digest = hashlib.sha256()
    for case in sorted(cases, key=lambda one: one.id):
        digest.update(f"{case.id}\n{hashlib.sha256(case.proof.encode()).hexdigest()}\n".encode())
    return digest.hexdigest()


def write(
    session: Session,
    snapshot: str,
    *,
    as_of: date,
    config: BenchmarkConfig,
    cases: Sequence[Case],
    counts: Mapping[str, Any],
) -> Frozen:
    """Write cases, benchmark, its cases and its prompts. Nothing is committed here.

    A case whose group and mutation were asked in other words before (a label changed) supersedes that case.
    """
    ordered = sorted(cases, key=lambda one: one.id)
    before = earlier(session, snapshot, {case.group_id for case in ordered})
    known = set(
        session.scalars(select(cases_table.c.id).where(cases_table.c.group_id.in_({c.group_id for c in ordered})))
    )
    rows = [
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
    if rows:
        session.execute(upsert(cases_table).on_conflict_do_nothing(), rows)
    digest = content_hash(ordered)
    session.execute(
        insert(benchmark).values(
            snapshot=snapshot,
            as_of=as_of,
            seed=config.quotas.seed,
            config_hash=config.hash,
            content_hash=digest,
            counts=dict(counts),
        )
    )
    copy_rows(
        session,
        benchmark_case,
        _BENCHMARK_CASE,
        (
            (snapshot, c.id, c.domain, c.rule_kind, c.property, c.subject, c.object, c.fact, c.premises, c.proof)
            for c in ordered
        ),
    )
    for variant in config.variants:
        session.execute(
            upsert(prompt_variant)
            .values(
                id=variant_id(variant),
                template=variant.template,
                version=VERSION,
                form=variant.form,
                context=variant.context,
            )
            .on_conflict_do_nothing()
        )
    events = Events(ordered, as_of, config.quotas.recent, config.quotas.seed)
    texts = prompts_of(config.variants, ordered, as_of, events)
    copy_rows(
        session,
        prompt,
        ("snapshot", "variant_id", "case_id", "text", "sha256"),
        ((snapshot, one.variant_id, one.case_id, one.text, one.sha256) for one in texts),
    )
    return Frozen(digest, len(rows), len(texts))


def tally(
    cases: Sequence[Case],
    *,
    dropped: Mapping[str, Mapping[str, int]],
    shortfall: Mapping[str, Mapping[tuple[str, str], Owed]],
    blind: Iterable[Baseline],
    first_month: bool,
) -> dict[str, Any]:
    """The counts that are stored with the benchmark.

    Args:
        cases: all of them.
        dropped: suite → reason → facts that could not be asked about.
        shortfall: suite → cell → cases that its quota lacks, by polarity of wording and answer.
        blind: what rules without knowledge score.
        first_month: no earlier published snapshot of the source confirms what is asked (semantics.md §3.4).
    """
    by_cell: dict[str, dict[str, Counter[str]]] = {}
    for case in cases:
        by_cell.setdefault(case.domain, {}).setdefault(case.rule_kind, Counter())[case.gold] += 1
    polarity: dict[str, dict[str, dict[str, Counter[str]]]] = {}
    for case in cases:
        # The wrong values of a property are the other half of its true ones: balance is that of both together.
        rule = case.rule_kind.partition(".")[0]
        wording = "negated" if negative(case.mutation) else "affirmative"
        by_rule = polarity.setdefault(case.domain, {}).setdefault(rule, {})
        by_rule.setdefault(wording, Counter())[case.gold] += 1
    marked = [case for case in cases if case.fact.get("yes_only")]
    return {
        "first_month": first_month,
        "cases": len(cases),
        "groups": len({case.group_id for case in cases}),
        "by_suite": dict(sorted(Counter(case.suite for case in cases).items())),
        "by_domain": dict(sorted(Counter(case.domain for case in cases).items())),
        "by_kind": dict(sorted(Counter(case.rule_kind for case in cases).items())),
        "by_mutation": dict(sorted(Counter(case.mutation for case in cases).items())),
        "gold": dict(sorted(Counter(case.gold for case in cases).items())),
        "gold_of_originals": dict(sorted(Counter(case.gold for case in cases if case.mutation == "original").items())),
        "cells": {
            domain: {kind: dict(sorted(golds.items())) for kind, golds in sorted(kinds.items())}
            for domain, kinds in sorted(by_cell.items())
        },
        "by_polarity": {
            domain: {
                rule: {wording: dict(sorted(golds.items())) for wording, golds in sorted(wordings.items())}
                for rule, wordings in sorted(rules.items())
            }
            for domain, rules in sorted(polarity.items())
        },
        "yes_only": {
            "cases": len(marked),
            "groups": len({case.group_id for case in marked}),
            "rules": dict(sorted(Counter(str(case.fact["rule"]) for case in marked).items())),
        },
        "baselines": [one.as_json() for one in blind],
        "shortfall": {
            suite: {f"{domain}/{kind}": owed._asdict() for (domain, kind), owed in sorted(cells_.items())}
            for suite, cells_ in sorted(shortfall.items())
        },
        "dropped": {suite: dict(sorted(reasons.items())) for suite, reasons in sorted(dropped.items())},
    }
