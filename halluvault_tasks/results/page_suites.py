"""The page's tab of companion suites: their own figures of a month, model by model, none of them in the headline."""

from sqlalchemy import text
from sqlalchemy.orm import Session

from halluvault_tasks.benchmark.suites.registry import COMPANIONS, OPEN
from halluvault_tasks.results import companions, page, page_mitigation, page_pictures

_CURVE = text(
    "SELECT model, variant, month, model_id, model_sha, server_version, is_current AS is_newest_identity,"
    " value, low, high"
    " FROM results_v1.metrics"
    " WHERE suite = 'pressure' AND scope = 'pressure' AND metric = 'pressure_h' AND is_current_of_identity"
    " AND value IS NOT NULL"
    " ORDER BY model, variant, month, model_id, model_sha, server_version"
)
"""Of each identity of a model in a month one evaluation, older identities too."""


def suites(session: Session, snapshot: str = "", profile: str = "", suite: str = "") -> str:
    """The figures of every companion suite of a month.

    Args:
        session: on the results database; it is only read.
        snapshot, profile, suite: as of `page.leaderboard`; all suites are shown whatever is chosen.
    """
    frame = page.framed(session, snapshot, profile, suite)
    shown = companions.of(session, frame.chosen.snapshot)
    mitigated = page_mitigation.of(session, frame.chosen.snapshot)
    simulated = sorted({line.model for one in shown for line in one.lines if line.simulated} | mitigated.simulated)
    what = {name: one.what for name, one in OPEN.items()} | {name: one.what for name, one in COMPANIONS.items()}
    return page.render(
        "suites.html", frame, shown=shown, what=what, simulated=simulated, mitigated=mitigated,
        pictures={one.profile: page_pictures.of(one) for one in shown},
        curves=page_pictures.curves(page.rows(session, _CURVE)),
    )  # fmt: skip
