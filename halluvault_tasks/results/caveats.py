"""What to know before believing a report's figures: significant changes, and what to distrust."""

from collections.abc import Sequence
from typing import NamedTuple

from sqlalchemy import RowMapping, text
from sqlalchemy.orm import Session

from halluvault_tasks.benchmark.cases.suite_names import HEADLINE
from halluvault_tasks.benchmark.freeze import part_lookup
from halluvault_tasks.oracles import profiles
from halluvault_tasks.results import comparing
from halluvault_tasks.results.comparing import OtherVersion

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
_USED = text(
    "SELECT model, variant, key, n, value, low, high FROM results_v1.metrics WHERE snapshot = :snapshot"
    " AND profile = :profile AND scope = 'use' AND metric = 'hallucination_rate' AND is_current AND value IS NOT NULL"
    " ORDER BY model, variant, key"
)


class HeadlinePart(NamedTuple):
    """A part that the headline is over.

    Attributes:
        yes_only: questions whose like is never a No; in months frozen before the suite `recall` was there.
    """

    suite: str
    cases: int
    yes_only: int
    first_month: bool


class Caveats(NamedTuple):
    """Rows for a report.

    Attributes:
        changed: models against the month before on the same questions, significant changes first.
        otherwise: months before that the headline's oracle judged in another version, and so not compared with.
        trust: how right the headline's oracle was: on real responses that people labelled, then on planted faults and
            hand-written answers.
        unread: per model, the share that could not be read, with what became of it, the share held for review, and what
            is left open.
        parts: per suite, questions, those whose like is never a No (in months frozen before the suite `recall` was
            there), and whether it is a first month.
        used: per model and variant, the rate on questions used for edits or training, and on the others.
    """

    changed: Sequence[RowMapping]
    otherwise: Sequence[OtherVersion]
    trust: Sequence[RowMapping]
    unread: Sequence[RowMapping]
    parts: Sequence[HeadlinePart]
    used: Sequence[RowMapping]


def of(session: Session, snapshot: str) -> Caveats:
    """Read them for a month; writes nothing."""
    chosen = {"snapshot": snapshot, "profile": profiles.HEADLINE}

    def rows(statement: object, **parameters: object) -> Sequence[RowMapping]:
        return session.execute(statement, parameters).mappings().all()  # type: ignore[call-overload,no-any-return]

    return Caveats(
        changed=rows(_CHANGED, **chosen),
        otherwise=[one for one in comparing.otherwise_judged(session, snapshot) if one.profile == profiles.HEADLINE],
        trust=rows(_TRUST, profile=profiles.HEADLINE),
        unread=rows(_UNREAD, **chosen),
        parts=_parts(session, snapshot),
        used=rows(_USED, **chosen),
    )


def _parts(session: Session, snapshot: str) -> list[HeadlinePart]:
    counted = part_lookup.statistics(session, snapshot) if snapshot in part_lookup.months(session) else {}
    return [
        HeadlinePart(suite, of.cases, of.own.get("yes_only", {}).get("cases", 0), of.first_month)
        for suite, of in sorted(counted.items())
        if suite in HEADLINE
    ]
