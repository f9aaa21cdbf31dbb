"""What models were asked beside the question: verdicts in a turn of their own."""

from typing import NamedTuple

from sqlalchemy import text
from sqlalchemy.orm import Session


class VerdictTurns(NamedTuple):
    """One row of `results_v1.verdict_turns`."""

    model: str
    evaluation_id: str
    turns: int
    opposed: int
    share: float


def verdict_turns(session: Session, snapshot: str) -> list[VerdictTurns]:
    """How often the text opposes the verdict, by model."""
    query = text(
        "SELECT t.model, t.evaluation_id, t.verdict_turns, t.opposed, t.opposed_share FROM results_v1.verdict_turns t"
        " JOIN results_by_model USING (evaluation_id, profile, profile_version)"  # it has the newest versions alone
        " WHERE t.snapshot = :snapshot AND t.suite = 'headline' ORDER BY t.model, t.evaluation_id"
    )
    return [VerdictTurns(*row) for row in session.execute(query, {"snapshot": snapshot})]
