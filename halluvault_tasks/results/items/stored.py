"""The stored curve of difficulty by stratum, for the page and the report."""

from collections.abc import Sequence

from sqlalchemy import RowMapping, text
from sqlalchemy.orm import Session

_CURVE = text("""
SELECT s.key, s.value, s.low, s.high, s.questions, s.models, s.simulated, s.variant, e.value AS easy
FROM results_v1.items s
JOIN results_v1.items e ON e.snapshot = s.snapshot AND e.variant = s.variant AND e.suite = s.suite
    AND e.scope = 'easy' AND e.key = s.key
WHERE s.snapshot = :snapshot AND s.scope = 'stratum' AND s.variant = (
    SELECT variant FROM results_v1.items WHERE snapshot = :snapshot ORDER BY models DESC, variant LIMIT 1
)
ORDER BY split_part(s.key, ':', 1), s.value DESC, s.key
""")


def curve(session: Session, snapshot: str) -> Sequence[RowMapping]:
    """Strata of a month by feature, the hardest first; none before `results items` measured them."""
    return session.execute(_CURVE, {"snapshot": snapshot}).mappings().all()
