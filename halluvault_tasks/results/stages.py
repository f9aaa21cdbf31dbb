"""The stage of results: from the verdicts of one evaluation to its rows in `result`, as semantics.md §4.4 defines them.

Everything is computed anew and replaced in one transaction, so a killed or repeated run leaves the same rows.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from sqlalchemy import func, select
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.orm import Session

from halluvault_tasks.benchmark import parts, templates
from halluvault_tasks.benchmark.cases import HEADLINE
from halluvault_tasks.benchmark.prompt_variants import OUT_OF_DISTRIBUTION
from halluvault_tasks.errors import UserError
from halluvault_tasks.oracles import paper, suites
from halluvault_tasks.oracles import profiles as oracle_profiles
from halluvault_tasks.results import statistics
from halluvault_tasks.results.statistics import Estimate, Item
from halluvault_tasks.storage import runs
from halluvault_tasks.storage.leases import Work
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


class ResultCounts(NamedTuple):
    """What one run of `summarise` did."""

    verdicts: int
    profiles: int
    rows: int


class _Judged(NamedTuple):
    """A verdict with what it is counted by."""

    group: str
    suite: str
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
    work = Work(row.snapshot, f"results {evaluation_id}")
    with runs.stage(session, row.snapshot, "results", row.name, work) as summary:
        planned = _planned(session, row.snapshot, row.samples, row.variant_id)
        profiles = _verdicts(session, evaluation_id, row.snapshot)
        _check_complete(session, evaluation_id, row.name, profiles)
        for (profile, version), judged in list(profiles.items()):
            if profile == paper.JUDGED:
                profiles[CONSTANT_BOTH, version] = [_constant_both(each) for each in judged]
        rows = [
            {"evaluation_id": evaluation_id, "profile": profile, "profile_version": version} | values
            for (profile, version), judged in sorted(profiles.items())
            for values in _rows(_judged_by(profile, planned), judged)
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


_Cell = tuple[str, str, str]
"""Suite, domain, rule kind."""


def _planned(session: Session, snapshot: str, samples: int, variant_id: str) -> Counter[_Cell]:
    """Responses planned."""
    cell = (benchmark_case.c.suite, benchmark_case.c.domain, benchmark_case.c.rule_kind)
    query = (
        select(*cell, func.count())
        .where(benchmark_case.c.snapshot == snapshot, benchmark_case.c.case_id.in_(parts.asked(snapshot)))
        .group_by(*cell)
    )
    template, context = session.execute(
        select(prompt_variant.c.template, prompt_variant.c.context).where(prompt_variant.c.id == variant_id)
    ).one()
    if context == OUT_OF_DISTRIBUTION:
        mine = select(prompt.c.case_id).where(prompt.c.snapshot == snapshot, prompt.c.variant_id == variant_id)
        query = query.where(benchmark_case.c.case_id.in_(mine))
    return Counter({
        (suite, domain, rule): count * samples
        for suite, domain, rule, count in session.execute(query)
        if templates.asks(template, suite)
    })


def _judged_by(profile: str, planned: Counter[_Cell]) -> Counter[_Cell]:
    """Those that a profile is for."""
    return Counter({cell: count for cell, count in planned.items() if suites.judges(profile, cell[0])})


def _verdicts(session: Session, evaluation_id: str, snapshot: str) -> dict[tuple[str, str], list[_Judged]]:
    """Verdicts by (profile, version), in order of their keys, which fixes every sum's order."""
    found: dict[tuple[str, str], list[_Judged]] = defaultdict(list)
    rows = session.execute(
        select(
            verdict.c.profile,
            verdict.c.profile_version,
            cases.c.group_id,
            benchmark_case.c.suite,
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
    arrived = (
        select(cases.c.suite, func.count())
        .join(response, response.c.case_id == cases.c.id)
        .where(response.c.evaluation_id == evaluation_id, response.c.status == "delivered")
        .group_by(cases.c.suite)
    )
    for suite, delivered in session.execute(arrived):
        fewest = min(
            sum(each.suite == suite for each in profiles.get(key, ()))
            for key in oracle_profiles.of_suite(suite).items()
        )
        if fewest < delivered:
            raise UserError(
                f"{name}: {delivered} responses of evaluation {evaluation_id} arrived for {suite}, but only "
                f"{fewest} are judged",
                "`halluvault score run` judges the rest",
            )


def _constant_both(judged: _Judged) -> _Judged:
    if judged.category == "unparseable" or judged.answer in paper.ABSTENTIONS:
        return judged
    return judged._replace(category="both", faulty=True)


def _rows(planned: Counter[_Cell], judged: Sequence[_Judged]) -> Iterable[dict[str, Any]]:
    """All rows of one profile: each suite; and over the headline's, model, each domain, each rule kind, macro."""
    yield from _by("suite", 0, planned, judged)
    planned = Counter({cell: count for cell, count in planned.items() if cell[0] in HEADLINE})
    if not planned:
        return  # a further suite's evaluation has no headline
    judged = [each for each in judged if each.suite in HEADLINE]
    yield {"scope": "model", "key": ""} | _row(planned.total(), judged, statistics.rate)
    yield from _by("domain", 1, planned, judged)
    yield from _by("rule", 2, planned, judged)
    yield {"scope": "macro", "key": ""} | _row(planned.total(), judged, statistics.macro_rate)


def _by(scope: str, place: int, planned: Counter[_Cell], judged: Sequence[_Judged]) -> Iterable[dict[str, Any]]:
    """A row for each suite, domain or rule kind, as `place` in their cell says."""
    several: dict[str, list[_Judged]] = defaultdict(list)
    for each in judged:
        several[(each.suite, each.domain, each.rule)[place]].append(each)
    sizes: Counter[str] = Counter()
    for cell, count in planned.items():
        sizes[cell[place]] += count
    for key in sorted(sizes):
        yield {"scope": scope, "key": key} | _row(sizes[key], several[key], statistics.rate)


def _row(
    planned: int, judged: Sequence[_Judged], estimator: Callable[[Sequence[Item]], Estimate | None]
) -> dict[str, Any]:
    categories = Counter(each.category for each in judged)
    answers = Counter((each.correct, each.faulty) for each in judged if each.correct is not None)
    delivered = len(judged)
    items = [Item(each.group, (each.domain, each.rule), each.category in HALLUCINATIONS) for each in judged]
    enough = delivered > 0 and planned - delivered <= MAX_UNDELIVERED * planned
    estimate = estimator(items) if enough else None
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
