"""The comparing stage: two models of a month (of many, neighbours by name), each with itself before, and who leads.

Only questions that both answered count, so that neither an easier month nor a missing answer decides; questions that
the previous month did not have are reported separately. What has no headline is compared with nothing: silence errs
nowhere. Nor is what two versions of a profile judged: the difference would be the judges'. Everything is recomputed and
replaced in one transaction.
"""

from collections import defaultdict
from collections.abc import Sequence
from itertools import combinations
from typing import Any, NamedTuple

import numpy as np
from sqlalchemy import delete, insert, text
from sqlalchemy.orm import Session

from halluvault_tasks.results import figures, headlines, leaderboard
from halluvault_tasks.results.suites import open_pairs, pressure_paired
from halluvault_tasks.statistics import comparisons, shares
from halluvault_tasks.statistics.comparisons import PairedDifference
from halluvault_tasks.statistics.shares import Floats
from halluvault_tasks.storage import runs
from halluvault_tasks.storage.tables import comparison

_CURRENT = text("""
SELECT evaluation_id, model, variant, profile, profile_version FROM results_v1._set
WHERE snapshot = :snapshot AND is_newest_identity AND is_newest
    AND profile <> '' AND NOT starts_with(profile, 'baseline/')
ORDER BY profile, variant, model
""")
"""Of a month, the newest identity of each model under the newest version of each profile."""

_BEFORE = text("""
SELECT DISTINCT ON (s.model, s.variant, s.profile, s.profile_version)
    s.model, s.variant, s.profile, s.profile_version, s.evaluation_id
FROM results_v1._set s
WHERE s.is_current AND s.month < (SELECT month FROM results_v1._month WHERE snapshot = :snapshot)
ORDER BY s.model, s.variant, s.profile, s.profile_version, s.month DESC
""")
"""The last month before in which each model was judged by each version."""

_OTHERWISE_JUDGED = text("""
SELECT DISTINCT s.profile, s.profile_version AS version, b.snapshot AS before, b.profile_version AS version_before
FROM results_v1._set s
CROSS JOIN LATERAL (
    SELECT o.snapshot, o.profile_version, bool_or(o.profile_version = s.profile_version) OVER () AS alike, o.is_newest
    FROM results_v1._set o
    WHERE o.is_current AND o.profile = s.profile AND o.model = s.model AND o.variant = s.variant
        AND o.month = (
            SELECT max(month) FROM results_v1._set e
            WHERE e.is_current AND e.month < s.month AND e.model = s.model AND e.variant = s.variant
        )
) b
WHERE s.snapshot = :snapshot AND s.is_newest_identity AND s.is_newest AND s.profile <> ''
    AND b.is_newest AND NOT b.alike
ORDER BY s.profile, b.snapshot, b.profile_version
""")
"""Months before that another version of a profile judged, and this one did not."""

_ERRORS = text("""
SELECT v.case_id, avg((v.category IN ('error_knowledge', 'error_inference', 'both', 'unattributed'))::int)::float8
FROM verdict v
WHERE v.evaluation_id = :evaluation AND v.profile = :profile AND v.profile_version = :version
GROUP BY v.case_id
""")

_CASES = text("""
SELECT c.id, c.group_id, c.suite, bool_and(b.licence = 'proved') IS NOT FALSE AS proved
FROM cases c
LEFT JOIN benchmark_case b
    ON b.case_id = c.id AND b.snapshot IN (SELECT snapshot FROM evaluation WHERE id = ANY(:evaluations))
WHERE c.id = ANY(:cases) GROUP BY c.id ORDER BY c.id
""")


ALL_PAIRS = 40
"""Models of a board up to which every two are compared: of 1,000, half a million pairs would be."""
NEIGHBOURS = 10
"""Of more, each with so many that come next in the order of names, where kin stand together. Names, not rates, choose,
so that the p values are of pairs that no result picked out. Any other two: `difference`."""
_AT_ONCE = 500
"""Pairs in memory at a time."""


class CompareCounts(NamedTuple):
    """What one run of `compare` did."""

    models: int
    """Comparisons of two models."""
    months: int
    """Comparisons of a model with itself a month before."""


class OtherVersion(NamedTuple):
    """A month before that is not compared with, since another version of a profile judged it."""

    profile: str
    version: str
    """Of the profile, in the month that was to be compared."""
    before: str
    """Snapshot of the earlier month."""
    version_before: str

    def __str__(self) -> str:
        return (
            f"profile {self.profile} has version {self.version}, and had {self.version_before} in {self.before}: what "
            "changed could be the judge"
        )

    def way_out(self, snapshot: str) -> str:
        """What judges the earlier month anew and compares."""
        command = f"halluvault evaluate --snapshots {self.before},{snapshot}"
        return f"{command} judges stored answers anew; nothing is asked again"


class JudgedEvaluation(NamedTuple):
    """An evaluation under one version of a profile."""

    evaluation_id: str
    profile: str
    version: str


class _Errors(NamedTuple):
    """What several evaluations got wrong, on the union of their questions.

    Attributes:
        groups: (N,) code of each question's metamorphic group.
        suites: (N,) suite of each question.
        proved: (N,) whether its licence is, in every month that they are of.
        wrong: (N, E) share of samples judged a hallucination; NaN where there is no verdict.
    """

    groups: Any
    suites: Any
    proved: Any
    wrong: Floats

    def of_suite(self, suite: str) -> "_Errors":
        members = figures.HEADLINE_SUITES if suite == figures.HEADLINE else (suite,)
        return self._take(np.isin(self.suites, members))

    def proved_part(self) -> "_Errors":
        return self._take(self.proved)

    def _take(self, rows: Any) -> "_Errors":
        _, groups = np.unique(self.groups[rows], return_inverse=True)
        return _Errors(groups, self.suites[rows], self.proved[rows], self.wrong[rows])


def compare(session: Session, snapshot: str) -> CompareCounts:
    """Compare all models of a month, two by two and each with the month before. Commits.

    Pressure tests are compared with their baseline, open questions with yes/no questions about the same facts.

    Args:
        session: open session.
        snapshot: exact key of a benchmark whose evaluations are summarised.
    """
    with runs.stage(session, snapshot, "compare") as summary:
        found = session.execute(_CURRENT, {"snapshot": snapshot}).all()
        before = {
            tuple(row[:4]): JudgedEvaluation(row[4], row[2], row[3])
            for row in session.execute(_BEFORE, {"snapshot": snapshot})
        }
        boards: dict[tuple[str, str], list[tuple[str, JudgedEvaluation]]] = defaultdict(list)
        for evaluation_id, model, variant, profile, version in found:
            boards[profile, variant].append((model, JudgedEvaluation(evaluation_id, profile, version)))
        rows: list[dict[str, Any]] = []
        for (profile, variant), several in sorted(boards.items()):
            rows += of_models(session, [judged for _, judged in several])
            earlier = [
                (judged, before[model, variant, profile, judged.version])
                for model, judged in several
                if (model, variant, profile, judged.version) in before
            ]
            rows += _months(session, earlier)
        mine = sorted({row.evaluation_id for row in found})
        session.execute(delete(comparison).where(comparison.c.a.in_(mine)))
        if rows:
            session.execute(insert(comparison), _adjusted(rows))
        leaderboard.rank(session, snapshot)
        pressure_paired.store_month(session, snapshot)
        open_pairs.store_month(session, snapshot)
        session.commit()
        kinds = [row["kind"] for row in rows]
        counts = CompareCounts(kinds.count("models"), kinds.count("months"))
        summary |= counts._asdict()
    return counts


def otherwise_judged(session: Session, snapshot: str) -> list[OtherVersion]:
    """The months before that models of a month are not compared with, since another version judged them."""
    return [OtherVersion(*row) for row in session.execute(_OTHERWISE_JUDGED, {"snapshot": snapshot})]


def difference(session: Session, one: JudgedEvaluation, other: JudgedEvaluation, suite: str) -> PairedDifference | None:
    """One comparison on a suite (or the headline); None where no question is shared."""
    errors = _errors(session, [one, other]).of_suite(suite)
    return _pairs(errors, [(0, 1)])[0] if len(errors.groups) else None


def of_models(session: Session, several: Sequence[JudgedEvaluation]) -> list[dict[str, Any]]:
    """Rows of table `comparison`, not adjusted, for every two of these evaluations of one month; writes nothing."""
    if len(several) < 2:
        return []
    errors, silent = _errors(session, several), headlines.without(session, [one.evaluation_id for one in several])
    rows = []
    for suite in _suites(errors):
        heard = [place for place, one in enumerate(several) if (*one, suite) not in silent]
        places = _places(heard)
        mine = errors.of_suite(suite)
        for (a, b), found, proved in zip(places, _pairs(mine, places), _proved(mine, places), strict=True):
            if found is not None:
                rows.append(_row("models", suite, several[a], several[b], found, proved))
    return rows


def _places(heard: Sequence[int]) -> list[tuple[int, int]]:
    """Which two of a board's models, in the order of their names, are compared."""
    if len(heard) <= ALL_PAIRS:
        return list(combinations(heard, 2))
    return [(a, b) for at, a in enumerate(heard) for b in heard[at + 1 : at + 1 + NEIGHBOURS]]


def _months(session: Session, several: Sequence[tuple[JudgedEvaluation, JudgedEvaluation]]) -> list[dict[str, Any]]:
    rows = []
    silent = headlines.without(session, [one.evaluation_id for both in several for one in both])
    for later, earlier in several:
        errors = _errors(session, [later, earlier])
        for suite in _suites(errors):
            if any((*one, suite) in silent for one in (later, earlier)):
                continue
            mine = errors.of_suite(suite)
            found = _pairs(mine, [(0, 1)])[0]
            if found is None:
                continue
            fresh = ~np.isnan(mine.wrong[:, 0]) & np.isnan(mine.wrong[:, 1])
            rate = shares.of_sums(mine.groups[fresh], mine.wrong[fresh, 0], np.ones(int(fresh.sum())))
            new = {"new_rate": rate.rate, "new_low": rate.low, "new_high": rate.high} if rate else {}
            proved = _proved(mine, [(0, 1)])[0]
            compared = _row("months", suite, later, earlier, found, proved)
            rows.append(compared | new | {"new_questions": int(fresh.sum())})
    return rows


def _suites(errors: _Errors) -> list[str]:
    found = sorted(set(errors.suites.tolist()))
    headline = [figures.HEADLINE] if set(found) & set(figures.HEADLINE_SUITES) else []
    return [*headline, *found]


def _pairs(errors: _Errors, places: Sequence[tuple[int, int]]) -> list[PairedDifference | None]:
    groups = int(errors.groups.max()) + 1 if len(errors.groups) else 0
    if not groups:
        return [None] * len(places)
    return [one for at in range(0, len(places), _AT_ONCE) for one in _some(errors, places[at : at + _AT_ONCE], groups)]


def _some(errors: _Errors, places: Sequence[tuple[int, int]], groups: int) -> list[PairedDifference | None]:
    sums, sizes = np.zeros((groups, len(places))), np.zeros((groups, len(places)))
    for number, (a, b) in enumerate(places):
        apart = errors.wrong[:, a] - errors.wrong[:, b]
        shared = ~np.isnan(apart)
        sums[:, number] = np.bincount(errors.groups[shared], weights=apart[shared], minlength=groups)
        sizes[:, number] = np.bincount(errors.groups[shared], minlength=groups)
    return comparisons.paired_sums(sums, sizes)


def _proved(errors: _Errors, places: Sequence[tuple[int, int]]) -> list[PairedDifference | None]:
    """The same of the proved part, which stands beside the whole (semantics.md §1.10)."""
    return _pairs(errors.proved_part(), places)


def _errors(session: Session, several: Sequence[JudgedEvaluation]) -> _Errors:
    first_seen: dict[str, int] = {}
    told = []
    for one in several:  # as numbers: a thousand models' case ids would be gigabytes
        said = {"evaluation": one.evaluation_id, "profile": one.profile, "version": one.version}
        found = session.execute(_ERRORS, said).all()
        rows = np.fromiter((first_seen.setdefault(row[0], len(first_seen)) for row in found), np.int64, len(found))
        told.append((rows, np.fromiter((row[1] for row in found), np.float64, len(found))))
    chosen = {"cases": sorted(first_seen), "evaluations": [one.evaluation_id for one in several]}
    cases = session.execute(_CASES, chosen).all()
    place = np.empty(len(first_seen), np.int64)
    place[[first_seen[case.id] for case in cases]] = np.arange(len(cases))
    wrong = np.full((len(cases), len(several)), np.nan)
    for column, (rows, values) in enumerate(told):
        wrong[place[rows], column] = values
    return _Errors(
        shares.codes([case.group_id for case in cases]),
        np.array([case.suite for case in cases]),
        np.array([case.proved for case in cases], dtype=bool),
        wrong,
    )


def _row(
    kind: str,
    suite: str,
    a: JudgedEvaluation,
    b: JudgedEvaluation,
    found: PairedDifference,
    proved: PairedDifference | None,
) -> dict[str, Any]:
    beside = {name: getattr(proved, name, None) for name in ("difference", "low", "high", "shared")}
    return {
        "a": a.evaluation_id, "b": b.evaluation_id, "kind": kind, "suite": suite, "profile": a.profile,
        "a_version": a.version, "b_version": b.version, "difference": found.difference, "low": found.low,
        "high": found.high, "p": found.p, "shared": found.shared, "groups": found.groups,
        "needed": comparisons.needed(found), "new_rate": None, "new_low": None, "new_high": None,
        "new_questions": None, **{f"proved_{name}": value for name, value in beside.items()},
    }  # fmt: skip


def _adjusted(rows: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """Each board's p values after Benjamini and Hochberg."""
    boards: dict[tuple[str, str, str], list[dict[str, Any]]] = defaultdict(list)
    for row in rows:
        boards[row["kind"], row["suite"], row["profile"]].append(row)
    found = []
    for board in boards.values():
        adjusted = comparisons.benjamini_hochberg([row["p"] for row in board])
        found += [row | {"p_adjusted": p} for row, p in zip(board, adjusted, strict=True)]
    return found
