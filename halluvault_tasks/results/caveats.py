"""What to know before believing a report's figures: significant changes, and what to distrust."""

from collections.abc import Sequence
from typing import NamedTuple

from sqlalchemy import RowMapping, text
from sqlalchemy.orm import Session

from halluvault_tasks.benchmark.cases.suite_names import HEADLINE
from halluvault_tasks.oracles import profiles

_CHANGED = text(
    "SELECT *, change_low > 0 OR change_high < 0 AS significant FROM results_v1.trend WHERE snapshot = :snapshot"
    " AND profile = :profile AND suite = 'headline' AND previous_month IS NOT NULL"
    " ORDER BY (change_low > 0 OR change_high < 0) DESC, p_adjusted, model"
)
_TRUST = text(
    # Real text first: planted faults only explain it (semantics.md 4.5).
    "SELECT DISTINCT ON (part <> 'real_text', part, stratum) * FROM results_v1.oracle_trust WHERE profile = :profile"
    " AND part IN ('kept_back', 'hand_written', 'real_text') ORDER BY part <> 'real_text', part, stratum, ran_at DESC"
)
_UNREAD = text(
    "SELECT model, variant, unread_share, delivered, unparseable, api_refused, no_answer, no_rate_reason,"
    " review::float8 / nullif(delivered, 0) AS review_share, unsupported_share, unsupported_high,"
    " hallucination_rate, unsupported_estimated, unsupported_facts, unsupported_false,"
    " unsupported_false_low, unsupported_false_high FROM results_v1.by_model"
    " WHERE snapshot = :snapshot AND profile = :profile ORDER BY unread_share DESC NULLS LAST, model"
)
_PARTS = text(
    "SELECT suite, (counts ->> 'cases')::int AS cases, (counts #>> '{yes_only,cases}')::int AS yes_only,"
    " coalesce((counts ->> 'first_month')::boolean, false) AS first_month FROM benchmark_part"
    " WHERE snapshot = :snapshot AND suite = ANY(:headline) ORDER BY suite"
)
_USED = text(
    "SELECT model, variant, key, n, value, low, high FROM results_v1.metrics WHERE snapshot = :snapshot"
    " AND profile = :profile AND scope = 'use' AND metric = 'hallucination_rate' AND is_current AND value IS NOT NULL"
    " ORDER BY model, variant, key"
)


class Caveats(NamedTuple):
    """Rows for a report.

    Attributes:
        changed: models against the month before on the same questions, significant changes first.
        trust: how right the headline's oracle was: on real responses that people labelled, then on planted faults and
            hand-written answers.
        unread: per model, the share that could not be read, with what became of it, the share held for review, and what
            is left open.
        parts: per suite, questions, those whose like is never a No (in months frozen before the suite `recall` was
            there), and whether it is a first month.
        used: per model and variant, the rate on questions used for edits or training, and on the others.
    """

    changed: Sequence[RowMapping]
    trust: Sequence[RowMapping]
    unread: Sequence[RowMapping]
    parts: Sequence[RowMapping]
    used: Sequence[RowMapping]


def of(session: Session, snapshot: str) -> Caveats:
    """Read them for a month; writes nothing."""
    chosen = {"snapshot": snapshot, "profile": profiles.HEADLINE}

    def rows(statement: object, **parameters: object) -> Sequence[RowMapping]:
        return session.execute(statement, parameters).mappings().all()  # type: ignore[call-overload,no-any-return]

    return Caveats(
        changed=rows(_CHANGED, **chosen),
        trust=rows(_TRUST, profile=profiles.HEADLINE),
        unread=rows(_UNREAD, **chosen),
        parts=rows(_PARTS, snapshot=snapshot, headline=list(HEADLINE)),
        used=rows(_USED, **chosen),
    )
