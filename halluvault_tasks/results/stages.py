"""The stage of results: from the verdicts of one evaluation to its rows in `result`, as semantics.md §4.4 defines them.

Everything is computed anew and replaced in one transaction, so a killed or repeated run leaves the same rows.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from sqlalchemy import func, select
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.orm import Session

from halluvault_tasks.errors import UserError
from halluvault_tasks.oracles import paper
from halluvault_tasks.oracles import profiles as oracle_profiles
from halluvault_tasks.statistics import shares
from halluvault_tasks.storage import runs
from halluvault_tasks.storage.tables import (
    benchmark_case,
    cases,
    evaluation,
    model,
    prompt,
    prompt_variant,
    response,
    result,
    verdict,
)

CONSTANT_BOTH = "baseline/constant-both"
"""An oracle that calls every answer an error of both kinds: the row beside the published method."""

HALLUCINATIONS = ("error_knowledge", "error_inference", "both", "unattributed")

MAX_UNDELIVERED = 0.01
"""Above this share of undelivered responses there is no rate."""

_SOME_CASES = "out-of-distribution"  # the one context that not every case has a prompt in


class ResultCounts(NamedTuple):
    """What one run of `summarise` did."""

    verdicts: int
    profiles: int
    rows: int


class _Judged(NamedTuple):
    """A verdict with what it is counted by."""

    group: str
    domain: str
    rule: str
    answer: str
    correct: bool | None
    category: str
    faulty: bool


def summarise(session: Session, evaluation_id: str) -> ResultCounts:
    """Compute every result row of an evaluation. Commits.

    Args:
        session: open session.
        evaluation_id: evaluation that has been scored.

    Raises:
        UserError: unknown evaluation, or delivered responses without a verdict.
    """
    row = session.execute(
        select(evaluation.c.snapshot, evaluation.c.samples, evaluation.c.variant_id, model.c.name)
        .join(model, model.c.id == evaluation.c.model_id)
        .where(evaluation.c.id == evaluation_id)
    ).one_or_none()
    if row is None:
        raise UserError(f"no evaluation {evaluation_id!r}", "`halluvault query run` plans and asks in one step")
    with runs.stage(session, row.snapshot, "results", row.name) as summary:
        planned = _planned(session, row.snapshot, row.samples, row.variant_id)
        profiles = _verdicts(session, evaluation_id, row.snapshot)
        _check_complete(session, evaluation_id, row.name, profiles)
        for (profile, version), judged in list(profiles.items()):
            if profile == paper.JUDGED:
                profiles[CONSTANT_BOTH, version] = [_constant_both(each) for each in judged]
        rows = [
            {"evaluation_id": evaluation_id, "profile": profile, "profile_version": version} | values
            for (profile, version), judged in sorted(profiles.items())
            for values in _rows(planned, judged)
        ]
        if rows:
            statement = insert(result)
            keys = [column.name for column in result.primary_key]
            changed = {c.name: statement.excluded[c.name] for c in result.columns if c.name not in keys}
            session.execute(statement.on_conflict_do_update(index_elements=keys, set_=changed), rows)
        session.commit()
        counts = ResultCounts(sum(len(judged) for judged in profiles.values()), len(profiles), len(rows))
        summary |= counts._asdict()
    return counts


def _planned(session: Session, snapshot: str, samples: int, variant_id: str) -> Counter[tuple[str, str]]:
    """Responses planned per (domain, rule kind)."""
    query = (
        select(benchmark_case.c.domain, benchmark_case.c.rule_kind, func.count())
        .where(benchmark_case.c.snapshot == snapshot)
        .group_by(benchmark_case.c.domain, benchmark_case.c.rule_kind)
    )
    if session.scalar(select(prompt_variant.c.context).where(prompt_variant.c.id == variant_id)) == _SOME_CASES:
        mine = select(prompt.c.case_id).where(prompt.c.snapshot == snapshot, prompt.c.variant_id == variant_id)
        query = query.where(benchmark_case.c.case_id.in_(mine))
    return Counter({(domain, rule): count * samples for domain, rule, count in session.execute(query)})


def _verdicts(session: Session, evaluation_id: str, snapshot: str) -> dict[tuple[str, str], list[_Judged]]:
    """Verdicts by (profile, version), in order of their keys, which fixes every sum's order."""
    found: dict[tuple[str, str], list[_Judged]] = defaultdict(list)
    rows = session.execute(
        select(
            verdict.c.profile,
            verdict.c.profile_version,
            cases.c.group_id,
            benchmark_case.c.domain,
            benchmark_case.c.rule_kind,
            verdict.c.answer,
            verdict.c.correct,
            verdict.c.category,
            func.coalesce(verdict.c.reasoning_faulty, False),
        )
        .join(cases, cases.c.id == verdict.c.case_id)
        .join(benchmark_case, benchmark_case.c.case_id == verdict.c.case_id)
        .where(verdict.c.evaluation_id == evaluation_id, benchmark_case.c.snapshot == snapshot)
        .order_by(verdict.c.profile, verdict.c.profile_version, verdict.c.case_id, verdict.c.sample)
    )
    for profile, version, *rest in rows:
        found[profile, version].append(_Judged(*rest))
    return found


def _check_complete(
    session: Session, evaluation_id: str, name: str, profiles: Mapping[tuple[str, str], Sequence[_Judged]]
) -> None:
    delivered = (
        session.scalar(
            select(func.count())
            .select_from(response)
            .where(response.c.evaluation_id == evaluation_id, response.c.status == "delivered")
        )
        or 0
    )
    current = [profiles.get(key, ()) for key in oracle_profiles.CURRENT.items()]
    fewest = min(len(judged) for judged in current)
    if fewest < delivered:
        raise UserError(
            f"{name}: {delivered} responses of evaluation {evaluation_id} arrived, but only {fewest} are judged",
            "`halluvault score run` judges the rest",
        )


def _constant_both(judged: _Judged) -> _Judged:
    if judged.category == "unparseable" or judged.answer in paper.ABSTENTIONS:
        return judged
    return judged._replace(category="both", faulty=True)


def _rows(planned: Counter[tuple[str, str]], judged: Sequence[_Judged]) -> Iterable[dict[str, Any]]:
    """All rows of one profile: model, each domain, each rule kind, macro."""
    yield {"scope": "model", "key": ""} | _row(planned.total(), judged, _rate)
    for scope, position in (("domain", 0), ("rule", 1)):
        parts: dict[str, list[_Judged]] = defaultdict(list)
        for each in judged:
            parts[(each.domain, each.rule)[position]].append(each)
        sizes: Counter[str] = Counter()
        for cell, count in planned.items():
            sizes[cell[position]] += count
        for key in sorted(sizes):
            yield {"scope": scope, "key": key} | _row(sizes[key], parts[key], _rate)
    yield {"scope": "macro", "key": ""} | _row(planned.total(), judged, _macro)


def _rate(judged: Sequence[_Judged]) -> shares.Rate | None:
    return shares.rate((each.group, each.category in HALLUCINATIONS) for each in judged)


def _macro(judged: Sequence[_Judged]) -> shares.Rate | None:
    hits = np.array([each.category in HALLUCINATIONS for each in judged], dtype=float)
    cells = shares.codes([(each.domain, each.rule) for each in judged])
    return shares.macro_of_sums(cells, shares.codes([each.group for each in judged]), hits, np.ones(len(judged)))


def _row(
    planned: int, judged: Sequence[_Judged], estimator: Callable[[Sequence[_Judged]], shares.Rate | None]
) -> dict[str, Any]:
    categories = Counter(each.category for each in judged)
    answers = Counter((each.correct, each.faulty) for each in judged if each.correct is not None)
    delivered = len(judged)
    enough = delivered > 0 and planned - delivered <= MAX_UNDELIVERED * planned
    estimate = estimator(judged) if enough else None
    unread = categories["unparseable"] + categories["review"]
    return {
        "planned": planned,
        "delivered": delivered,
        "normal": categories["normal"],
        "error_knowledge": categories["error_knowledge"],
        "error_inference": categories["error_inference"],
        "both": categories["both"],
        "unattributed": categories["unattributed"],
        "unparseable": categories["unparseable"],
        "review": categories["review"],
        "abstained": sum(each.answer in paper.ABSTENTIONS for each in judged),
        "said_yes": sum(each.answer == "yes" for each in judged),
        "right_sound": answers[True, False],
        "right_faulty": answers[True, True],
        "wrong_sound": answers[False, False],
        "wrong_faulty": answers[False, True],
        "rate": estimate.rate if estimate else None,
        "rate_low": estimate.low if estimate else None,
        "rate_high": estimate.high if estimate else None,
        "band_high": estimate.rate + unread / delivered if estimate else None,
        "groups": len({each.group for each in judged}),
        "design_effect": estimate.design_effect if estimate else None,
    }
