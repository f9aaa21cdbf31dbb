"""The stage of results: from the verdicts of one evaluation to its rows in `result`, as semantics.md §4.4 defines them.

Everything is recomputed and replaced in one transaction, so a killed or repeated run leaves the same rows.
"""

from collections import Counter
from collections.abc import Mapping
from itertools import chain
from typing import NamedTuple

from sqlalchemy import func, select, text
from sqlalchemy.orm import Session

from halluvault_tasks.errors import UserError
from halluvault_tasks.oracles import profiles as oracle_profiles
from halluvault_tasks.oracles import suites
from halluvault_tasks.oracles.cross_examination import profile as cross_examination
from halluvault_tasks.querying import evaluations
from halluvault_tasks.results import examined, figures, headlines, store, tally, unsupported
from halluvault_tasks.results import suites as suite_figures
from halluvault_tasks.results.figures import Figure
from halluvault_tasks.results.headlines import NoHeadline
from halluvault_tasks.results.mitigation import used
from halluvault_tasks.results.store import ResultSet
from halluvault_tasks.results.tally import VerdictTally
from halluvault_tasks.storage import runs
from halluvault_tasks.storage.leases import LeasedWork
from halluvault_tasks.storage.tables import cases, response

COST = ("prompt_tokens", "generated_tokens", "ms_median", "ms_p95", "attempts", "dead_letters")
"""Metrics of scope `cost`, which need no oracle."""

_COST = text("""
SELECT count(*) AS n, sum(prompt_tokens) AS prompt_tokens, sum(generated_tokens) AS generated_tokens,
    percentile_cont(0.5) WITHIN GROUP (ORDER BY total_ms) AS ms_median,
    percentile_cont(0.95) WITHIN GROUP (ORDER BY total_ms) AS ms_p95,
    sum(attempts) AS attempts, count(*) FILTER (WHERE status = 'dead') AS dead_letters
FROM response WHERE evaluation_id = :evaluation
""")


class ResultCounts(NamedTuple):
    """What one run of `summarise` did."""

    verdicts: int
    profiles: int
    rows: int


def summarise(session: Session, evaluation_id: str) -> ResultCounts:
    """Compute every result row of an evaluation. Commits.

    Args:
        session: open session.
        evaluation_id: evaluation that has been scored.

    Raises:
        UserError: unknown evaluation, or delivered responses without a verdict.
    """
    row = evaluations.find(session, evaluation_id)
    work = LeasedWork(row.snapshot, f"results {evaluation_id}")
    with runs.stage(session, row.snapshot, "results", row.name, work) as summary:
        planned = tally.planned(session, row.snapshot, row.samples, row.variant_id)
        profiles = tally.of_evaluation(session, evaluation_id, row.snapshot)
        _check_complete(session, evaluation_id, row.name, profiles)
        headline = oracle_profiles.LEADING.name, oracle_profiles.LEADING.version
        if any(cell.suite in figures.HEADLINE_SUITES for cell in planned):
            profiles.setdefault(headline, tally.EMPTY)  # that nothing came back is said in the rate's place
        profiles = _whole(profiles)
        for (profile, version), judged in list(profiles.items()):
            if profile == oracle_profiles.CONSTANT.name:
                profiles[oracle_profiles.CONSTANT.constant, version] = tally.constant_both(judged)
        rows = 0
        for key, judged in sorted(profiles.items()):
            mine = Counter({cell: count for cell, count in planned.items() if suites.judges(key[0], cell.suite)})
            of = ResultSet(evaluation_id, *key)
            brought = suite_figures.FIGURES.get(key[0])
            made = figures.of_tally(judged, mine, brought.most_unjudged if brought else 1.0)
            if key[0] == oracle_profiles.HEADLINE:
                made = chain(made, used.of_evaluation(session, of, row))
            owned = {*figures.OWNED}
            if cross_examination.examiner_of(key[0]):
                made = chain(made, examined.of_evaluation(session, key[0]))
                owned |= {*examined.METRICS}
            if brought:
                made = chain(made, brought.of(session, of, row.snapshot))
                owned |= {
                    *brought.metrics,
                    *brought.unshown,
                }  # at once: what a suite calls as all do is there in both scopes
            rows += store.put(session, of, made, owned)
            if key[0] == oracle_profiles.HEADLINE:
                beyond = unsupported.of_evaluation(session, of, row.snapshot, judged)
                rows += store.put(session, of, beyond, unsupported.OWNED)
        nobodys = ResultSet(evaluation_id, "", "")
        rows += store.put(session, nobodys, _cost(session, evaluation_id), COST)
        if why := headlines.without(session, [evaluation_id]).get((evaluation_id, *headline, figures.HEADLINE)):
            headlines.tell(session, NoHeadline(evaluation_id, row.name, row.snapshot, why))
        session.commit()
        counts = ResultCounts(sum(judged.delivered for judged in profiles.values()), len(profiles), rows)
        summary |= counts._asdict()
    return counts


def _whole(profiles: Mapping[tuple[str, str], VerdictTally]) -> dict[tuple[str, str], VerdictTally]:
    """Without cross-examined profiles that lack verdicts still: a rate on some of the responses is none."""
    leading = profiles.get((oracle_profiles.LEADING.name, oracle_profiles.LEADING.version), tally.EMPTY)
    return {
        key: judged
        for key, judged in profiles.items()
        if not cross_examination.examiner_of(key[0]) or judged.delivered == leading.delivered
    }


def _cost(session: Session, evaluation_id: str) -> list[Figure]:
    row = session.execute(_COST, {"evaluation": evaluation_id}).one()._mapping
    return [
        Figure("all", "cost", "", name, value, None, None, None, row["n"], None, None)
        for name in COST
        for value in (None if row[name] is None else float(row[name]),)
    ]


def _check_complete(
    session: Session, evaluation_id: str, name: str, profiles: Mapping[tuple[str, str], VerdictTally]
) -> None:
    arrived = (
        select(cases.c.suite, func.count())
        .join(response, response.c.case_id == cases.c.id)
        .where(response.c.evaluation_id == evaluation_id, response.c.status == "delivered")
        .group_by(cases.c.suite)
    )
    for suite, delivered in session.execute(arrived):
        fewest = min(
            profiles[key].of_suite(suite) if key in profiles else 0 for key in oracle_profiles.of_suite(suite).items()
        )
        if fewest < delivered:
            raise UserError(
                f"{name}: {delivered} responses of evaluation {evaluation_id} arrived for {suite}, but only "
                f"{fewest} are judged by this version",
                "`halluvault score run` judges the rest",
            )
