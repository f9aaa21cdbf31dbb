"""Premises that the snapshot neither supports nor denies: how many of them are false, where that can be estimated.

It can be for relations that are recorded from either end (`reasoning.completeness`). A claim counts only if it was free
to be unsupported: not if it repeats the case's own evidence, which was chosen for being stated.
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from sqlalchemy import text
from sqlalchemy.orm import Session

from halluvault_tasks.reasoning import completeness
from halluvault_tasks.reasoning.completeness import Ends
from halluvault_tasks.results import figures
from halluvault_tasks.results.figures import Figure
from halluvault_tasks.results.store import ResultSet
from halluvault_tasks.results.tally import VerdictTally
from halluvault_tasks.statistics import recapture, shares
from halluvault_tasks.statistics.recapture import Expected, Recorded, Stratum

OWNED = ("unsupported_false", "unsupported_estimated", "completeness")
"""Metrics made here."""

_CLAIMS = text("""
SELECT b.suite, t.p, t.s, t.o, claim ->> 'status' AS status, count(*) AS times
FROM verdict v
JOIN benchmark_case b ON b.case_id = v.case_id AND b.snapshot = :snapshot
CROSS JOIN LATERAL jsonb_array_elements(
    CASE WHEN jsonb_typeof(v.detail -> 'claims') = 'array' THEN v.detail -> 'claims' END
) claim
CROSS JOIN LATERAL (
    SELECT CASE jsonb_typeof(claim #> '{readings,0,0}') WHEN 'number' THEN (claim #>> '{readings,0,0}')::int END AS p,
        (claim #>> '{readings,0,1}')::int AS s, (claim #>> '{readings,0,2}')::int AS o
) t
WHERE v.evaluation_id = :evaluation AND v.profile = :profile AND v.profile_version = :version
    AND claim ->> 'role' = 'premise' AND claim ->> 'status' IN ('supported', 'unverifiable')
    AND claim -> 'denied' = 'false' AND claim -> 'guards' = '[]' AND jsonb_array_length(claim -> 'readings') = 1
    AND t.p = ANY(:properties) AND t.s > 0 AND t.o > 0
    AND NOT EXISTS (
        SELECT FROM jsonb_array_elements(CASE WHEN jsonb_typeof(b.premises) = 'array' THEN b.premises END) e
        WHERE e -> 'sid' = claim -> 'statement'
    )
GROUP BY b.suite, t.p, t.s, t.o, claim ->> 'status'
ORDER BY b.suite, t.p, t.s, t.o, claim ->> 'status'
""")


class _Claim(NamedTuple):
    suite: str
    p: int
    supported: bool
    places: tuple[int, ...]
    times: int


def of_evaluation(session: Session, of: ResultSet, snapshot: str, tally: VerdictTally) -> list[Figure]:
    """Figures of one evaluation and profile: expected false premises, the share they speak of, and completeness.

    Args:
        session: open session; it is only read.
        of: evaluation, profile and version.
        snapshot: the month's key.
        tally: of the same verdicts.
    """
    ends = completeness.of_snapshot(session, snapshot)
    recorded = ends.recorded
    claims = _claims(session, of, snapshot, ends) if ends.back else []
    found: list[Figure] = []
    suites = sorted({cell.suite for cell in tally.names})
    headline: list[str] = [suite for suite in suites if suite in figures.HEADLINE_SUITES]
    boards: list[tuple[str, list[str]]] = [(figures.HEADLINE, headline), *((suite, [suite]) for suite in suites)]
    for name, members in boards:
        if members:
            mine = [one for one in claims if one.suite in members]
            scope = "model" if name == figures.HEADLINE else "suite"
            found += _board(name, scope, mine, recorded, tally.unsupported(members))
    for p, one in sorted(recorded.items()):
        low, high = shares.wilson(one.hits / one.of, one.of)
        found.append(
            Figure(
                "all", "property", f"P{p}", "completeness", one.hits / one.of, low, high, one.hits, one.of, None, None
            )
        )
    return found


def _claims(session: Session, of: ResultSet, snapshot: str, ends: Ends) -> list[_Claim]:
    rows = session.execute(
        _CLAIMS,
        {
            "snapshot": snapshot, "evaluation": of.evaluation_id, "profile": of.profile, "version": of.version,
            "properties": sorted(ends.back),
        },
    ).all()  # fmt: skip
    seeds = completeness.seeds_of(session, snapshot, {item for row in rows for item in (row.s, row.o)})
    return [
        _Claim(row.suite, row.p, row.status == "supported", where, row.times)
        for row in rows
        for where in (ends.places(row.p, row.s, row.o, seeds),)
        if where
    ]


def _board(
    suite: str, scope: str, claims: Sequence[_Claim], recorded: Mapping[int, Recorded], unsupported: int
) -> Iterator[Figure]:
    covered = sum(one.times for one in claims if not one.supported)
    share = covered / unsupported if unsupported else None
    yield Figure(suite, scope, "", "unsupported_estimated", share, None, None, covered, unsupported, None, None)
    yield _figure(suite, scope, "", _expected(claims, recorded))
    for p in sorted({one.p for one in claims if not one.supported}):
        yield _figure(suite, "property", f"P{p}", _expected([one for one in claims if one.p == p], recorded))


def _expected(claims: Sequence[_Claim], recorded: Mapping[int, Recorded]) -> Expected | None:
    """Each fact counts once, however often it was said: what is said twice is not two chances to be missing."""
    strata: dict[tuple[int, tuple[int, ...]], list[int]] = defaultdict(lambda: [0, 0])
    for one in claims:
        strata[one.p, one.places][0 if one.supported else 1] += 1
    return recapture.expected_false(
        [Stratum(places, *counts) for (_, places), counts in sorted(strata.items())], recorded
    )


def _figure(suite: str, scope: str, key: str, found: Expected | None) -> Figure:
    if found is None:
        return Figure(suite, scope, key, "unsupported_false", None, None, None, None, 0, None, None)
    bounds = (found.value, found.low, found.high)
    return Figure(suite, scope, key, "unsupported_false", *bounds, None, found.unsupported, None, None)
