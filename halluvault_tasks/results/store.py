"""Writes the table `result`: figures of any suite, replaced as a whole, and refused if one is not a number."""

import json
import math
from collections.abc import Collection, Iterable
from typing import NamedTuple

from sqlalchemy import func, text
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.orm import Session

from halluvault_tasks.errors import UserError
from halluvault_tasks.results.figures import Figure
from halluvault_tasks.storage.tables import result_set


class ResultSet(NamedTuple):
    """Whose figures they are."""

    evaluation_id: str
    profile: str
    """Oracle profile; empty for what needs no oracle."""
    version: str


_INSERT = text("""
INSERT INTO result (evaluation_id, suite, scope, key, profile, profile_version, metric, value, low, high, hits, n,
    clusters, design_effect, no_rate_reason)
SELECT :evaluation, f ->> 0, f ->> 1, f ->> 2, :profile, :version, f ->> 3, (f ->> 4)::float8, (f ->> 5)::float8,
    (f ->> 6)::float8, (f ->> 7)::bigint, (f ->> 8)::bigint, (f ->> 9)::int, (f ->> 10)::float8,
    f ->> 11
FROM jsonb_array_elements(CAST(:figures AS jsonb)) AS f
""")
_DELETE = text("""
DELETE FROM result WHERE evaluation_id = :evaluation AND profile = :profile AND profile_version = :version
    AND metric = ANY(:metrics)
""")


def put(session: Session, of: ResultSet, figures: Iterable[Figure], metrics: Collection[str]) -> int:
    """Replace an evaluation's figures of these metrics; the caller commits.

    Args:
        session: open session.
        of: evaluation, profile and version.
        figures: the rows.
        metrics: what is replaced: other metrics of the same set stay, so that suites do not wipe each other's.

    Returns:
        Rows written.

    Raises:
        UserError: a value or an end of an interval is no finite number.
    """
    rows = list(figures)
    for row in rows:
        for name in ("value", "low", "high"):
            number = getattr(row, name)
            if number is not None and not math.isfinite(number):
                raise UserError(
                    f"{row.metric} of {row.suite}, {row.scope} {row.key!r} has the {name} {number}; "
                    "a figure is a finite number, or missing",
                    "look for a score that is NaN or infinite in what it was made from",
                )
    key = {"evaluation": of.evaluation_id, "profile": of.profile, "version": of.version}
    made = insert(result_set).values(
        evaluation_id=of.evaluation_id, profile=of.profile, profile_version=of.version, computed_at=func.now()
    )
    session.execute(made.on_conflict_do_update(index_elements=result_set.primary_key, set_={"computed_at": func.now()}))
    session.execute(_DELETE, {**key, "metrics": list(metrics)})
    if rows:
        session.execute(_INSERT, {**key, "figures": json.dumps(rows, allow_nan=False)})
    return len(rows)
