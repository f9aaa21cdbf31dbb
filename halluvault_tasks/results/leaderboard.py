"""The leaderboard's ranks: where each model of a month may stand by the index (semantics.md §4.4).

Who is on it, one row a model, is decided in SQL (`results_v1._board`); here those that have an index are held against
each other, on the questions that they share.
"""

from collections.abc import Sequence
from dataclasses import dataclass, fields
from typing import Any, NamedTuple

import numpy as np
from sqlalchemy import delete, text
from sqlalchemy.orm import Session

from halluvault_tasks.oracles import profiles
from halluvault_tasks.results import figures, store
from halluvault_tasks.results.figures import Figure
from halluvault_tasks.results.store import ResultSet
from halluvault_tasks.statistics import comparisons
from halluvault_tasks.statistics.shares import Floats
from halluvault_tasks.storage.tables import result

SCOPE, METRIC = "rank", "index_rank"

_BOARD = text("""
SELECT b.evaluation_id, b.profile, b.profile_version, r.value
FROM results_v1._board b
JOIN result r ON r.evaluation_id = b.evaluation_id AND r.profile = b.profile AND r.profile_version = b.profile_version
    AND r.suite = 'headline' AND r.scope = 'model' AND r.metric = 'index'
WHERE b.snapshot = :snapshot AND r.value IS NOT NULL
ORDER BY r.value DESC, b.model
""")
_ANSWERS = text("""
SELECT c.group_id, count(*), count(*) FILTER (WHERE v.correct),
    count(*) FILTER (WHERE v.answer IN ('dont_know', 'refusal')
        OR v.category = 'unparseable' AND v.sub_label = 'api_refusal')
FROM verdict v JOIN cases c ON c.id = v.case_id
WHERE v.evaluation_id = :evaluation AND v.profile = :profile AND v.profile_version = :version AND c.suite = ANY(:suites)
GROUP BY c.group_id ORDER BY c.group_id
""")
_EVALUATIONS = text("SELECT id FROM evaluation WHERE snapshot = :snapshot")


@dataclass(frozen=True, slots=True)
class LeaderboardRow:
    """A row of `results_v1.leaderboard`, of a model that is to be shown.

    Attributes:
        variant: prompt and route.
        rank: 1 + models with a higher index; None: it has no index, see `no_rate_reason`.
        index: −3 to 1.
    """

    model: str
    simulated: bool
    variant: str
    evaluation_id: str
    rank: int | None
    rank_low: int | None
    rank_high: int | None
    index: float | None
    index_low: float | None
    index_high: float | None
    index_reasons: float | None
    hallucination_rate: float | None
    rate_low: float | None
    rate_high: float | None
    no_rate_reason: str | None
    answered_share: float | None
    accuracy: float | None
    claims_read: float | None
    judge_precision: float | None
    judge_recall: float | None
    generated_tokens: int | None

    @property
    def place(self) -> str:
        """`2`, or `2–4` where its neighbours can't be told apart from it; a dash without an index."""
        if self.rank_low is None or self.rank_low == self.rank_high:
            return "–" if self.rank is None else str(self.rank)
        return f"{self.rank_low}–{self.rank_high}"


_COLUMNS = ", ".join(one.name for one in fields(LeaderboardRow))
_ROWS = text(
    f"SELECT {_COLUMNS} FROM results_v1.leaderboard WHERE snapshot = :snapshot"  # noqa: S608 (columns of ours)
    " ORDER BY rank NULLS LAST, model"
)


def of_month(session: Session, snapshot: str) -> list[LeaderboardRow]:
    """A month's leaderboard, best first; who has no index comes last.

    Args:
        session: on the results database; it is only read.
        snapshot: exact key.
    """
    return [LeaderboardRow(**row) for row in session.execute(_ROWS, {"snapshot": snapshot}).mappings()]


class PairRow(NamedTuple):
    """A row of `results_v1.pairs`."""

    model_a: str
    model_b: str
    difference: float
    difference_low: float
    difference_high: float
    p_adjusted: float
    shared: int
    needed: int | None


_PAIRS = text(
    f"SELECT {', '.join(PairRow._fields)} FROM results_v1.pairs WHERE snapshot = :snapshot AND profile = :profile"  # noqa: S608
    " AND suite = 'headline' ORDER BY p_adjusted, abs(difference) DESC, model_a, model_b LIMIT :shown"
)


def pairs(session: Session, snapshot: str, shown: int) -> list[PairRow]:
    """Every two models of a month under the headline's profile, the surest differences first; so many at most."""
    rows = session.execute(_PAIRS, {"snapshot": snapshot, "profile": profiles.HEADLINE, "shown": shown}).mappings()
    return [PairRow(**row) for row in rows]


def rank(session: Session, snapshot: str) -> int:
    """Rank the models of a month; the caller commits.

    Returns:
        How many are ranked.
    """
    of_snapshot = [row.id for row in session.execute(_EVALUATIONS, {"snapshot": snapshot})]
    session.execute(delete(result).where(result.c.evaluation_id.in_(of_snapshot), result.c.metric == METRIC))
    board = session.execute(_BOARD, {"snapshot": snapshot}).all()
    sums, sizes = _worths(session, board)
    indices = [row.value for row in board]
    for row, place in zip(board, comparisons.rank_intervals(sums, sizes), strict=True):
        above = sum(value > row.value for value in indices)
        found = Figure(
            figures.HEADLINE, SCOPE, "", METRIC, 1 + above, place.low, place.high, None, len(board), len(sums), None
        )
        store.put(session, ResultSet(*row[:3]), [found], (METRIC,))
    return len(board)


def _worths(session: Session, board: Sequence[Any]) -> tuple[Floats, Floats]:
    """(groups, models): what answers add to the index, and how many there are."""
    answers = [
        session.execute(
            _ANSWERS,
            {"evaluation": row.evaluation_id, "profile": row.profile, "version": row.profile_version,
             "suites": list(figures.HEADLINE_SUITES)},
        ).all()
        for row in board
    ]  # fmt: skip
    places = {group: number for number, group in enumerate(sorted({row[0] for rows in answers for row in rows}))}
    sums, sizes = np.zeros((len(places), len(board))), np.zeros((len(places), len(board)))
    for model, rows in enumerate(answers):
        there = [places[row[0]] for row in rows]
        delivered, right, silent = np.array([row[1:] for row in rows], dtype=float).reshape(-1, 3).T
        sums[there, model], sizes[there, model] = figures.worth(delivered, right, silent), delivered
    return sums, sizes
