"""How many shards an evaluation is split into: few enough for Airflow, and each done within half an hour."""

from math import ceil

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from halluvault_tasks.querying.registry import ModelServer
from halluvault_tasks.storage.tables import evaluation, model, response

MAX_SHARDS = 250
"""Mapped tasks of one server in one run, all its models together (Airflow's limit is 256 with a margin)."""

TARGET_SECONDS = 20 * 60.0
"""How long a shard should take: so much is at stake where a task is lost."""

GUESS_SECONDS = 15.0
"""An answer of 512 tokens at a brisk 35 tokens per second, for a model that was never asked."""
_SAMPLE = 500


def shards(missing: int, home: ModelServer, seconds_per_answer: float | None, beside: int) -> int:
    """Number of shards, at least 1, so that a finished evaluation still has a shard to report it.

    Args:
        missing: prompts to ask.
        home: the server; a slot is one shard at a time with its part of the in-flight budget.
        seconds_per_answer: as measured before, None where nothing was.
        beside: evaluations of the server's models in the run, itself included: they share the limit of mapped tasks.
    """
    seconds = max(seconds_per_answer or GUESS_SECONDS, 0.001)
    rows = min(home.shard_rows, max(1, int(home.in_flight_per_shard * TARGET_SECONDS / seconds)))
    return max(1, min(ceil(missing / rows), MAX_SHARDS // max(1, beside)))


def seconds_per_answer(session: Session, name: str) -> float | None:
    """Median seconds of a model's answers in its newest evaluation that has any; None where there is none."""
    newest = session.scalar(
        select(evaluation.c.id)
        .join(model, model.c.id == evaluation.c.model_id)
        .where(
            model.c.name == name,
            select(response.c.case_id).where(response.c.evaluation_id == evaluation.c.id).limit(1).exists(),
        )
        .order_by(evaluation.c.created_at.desc())
        .limit(1)
    )
    sample = (
        select(response.c.total_ms)
        .where(response.c.evaluation_id == newest, response.c.total_ms.is_not(None))
        .limit(_SAMPLE)
        .subquery()
    )
    found = session.scalar(select(func.percentile_cont(0.5).within_group(sample.c.total_ms)))
    return None if found is None else float(found) / 1000
