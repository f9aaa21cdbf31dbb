"""The verdicts of one suite in an evaluation, as its figures need them, and a clustered share of them as a figure."""

from collections.abc import Hashable, Iterable
from typing import Any

from sqlalchemy import ColumnElement, Result, select
from sqlalchemy.orm import Session

from halluvault_tasks.results.figures import Figure
from halluvault_tasks.results.store import ResultSet
from halluvault_tasks.statistics import shares
from halluvault_tasks.storage.tables import benchmark_case, cases, verdict


def rows(session: Session, of: ResultSet, snapshot: str, suite: str, *columns: ColumnElement[Any]) -> Result[Any]:
    """`columns` of a suite's verdicts by one profile and version, in the order of cases and samples.

    Args:
        session: open session.
        of: evaluation, profile and version.
        snapshot: exact key of the benchmark.
        suite: name.
        columns: of `verdict`, `cases` and, of this snapshot, `benchmark_case`.
    """
    case = benchmark_case.c
    return session.execute(
        select(*columns)
        .select_from(verdict)
        .join(cases, cases.c.id == verdict.c.case_id)
        .join(benchmark_case, (case.case_id == verdict.c.case_id) & (case.snapshot == snapshot))
        .where(
            verdict.c.evaluation_id == of.evaluation_id,
            verdict.c.profile == of.profile,
            verdict.c.profile_version == of.version,
            case.suite == suite,
        )
        .order_by(verdict.c.case_id, verdict.c.sample)
    )


def share(suite: str, scope: str, key: str, metric: str, outcomes: Iterable[tuple[Hashable, bool]]) -> Figure:
    """A share of clustered outcomes as a figure; without outcomes one without a value.

    Args:
        suite, scope, key, metric: whose it is.
        outcomes: cluster and whether it counts, of each response.
    """
    found = shares.rate(outcomes)
    if found is None:
        return Figure(suite, scope, key, metric, None, None, None, 0, 0, None, None)
    bounds = (found.rate, found.low, found.high)
    return Figure(suite, scope, key, metric, *bounds, found.hits, found.total, found.clusters, found.design_effect)
