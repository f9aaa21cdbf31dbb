"""Evaluations without a headline, and why: for exit statuses, comparisons, the run's log and an incident."""

from collections.abc import Sequence
from typing import NamedTuple

from sqlalchemy import select, text
from sqlalchemy.orm import Session

from halluvault_tasks.oracles import profiles
from halluvault_tasks.storage import incidents
from halluvault_tasks.storage.tables import incident
from halluvault_tasks.untrusted import visible

STATUS = 4
"""Exit status of `halluvault evaluate` and `halluvault results gate` where a model asked for has no headline."""

INCIDENT = "no_headline"

_MISSING = text("""
SELECT s.evaluation_id, s.model, s.snapshot, r.no_rate_reason
FROM results_v1._set s
JOIN result r USING (evaluation_id, profile, profile_version)
WHERE s.profile = :profile AND s.is_newest AND r.suite = 'headline' AND r.scope = 'model'
    AND r.metric = 'hallucination_rate' AND r.no_rate_reason IS NOT NULL AND (
        s.evaluation_id = ANY(:evaluations)
        OR s.is_newest_identity AND s.snapshot = ANY(:keys) AND (:all_models OR s.model = ANY(:models))
    )
ORDER BY s.model, s.snapshot, s.evaluation_id
""")

_WITHOUT = text("""
SELECT evaluation_id, profile, profile_version, suite, no_rate_reason FROM result
WHERE evaluation_id = ANY(:evaluations) AND scope IN ('model', 'suite') AND key = ''
    AND metric = 'hallucination_rate' AND no_rate_reason IS NOT NULL
""")


class NoHeadline(NamedTuple):
    """An evaluation whose month has no hallucination rate under the headline's profile."""

    evaluation_id: str
    model: str
    snapshot: str
    why: str

    def __str__(self) -> str:
        return f"{visible(self.model)} has no hallucination rate in {self.snapshot}: {self.why}"

    @property
    def way_out(self) -> str:
        """What to type or to look at."""
        name = visible(self.model)
        return (
            f"`halluvault models check --model {name}` shows how it answers, page Cases of HalluVault what it said; "
            f"`halluvault query run --model {name} --snapshot {self.snapshot} --again-dead` asks for what is missing"
        )


def of_evaluations(session: Session, evaluations: Sequence[str]) -> list[NoHeadline]:
    """Those of these evaluations that are judged and have no headline."""
    return _missing(session, evaluations=evaluations)


def of_models(session: Session, keys: Sequence[str], models: Sequence[str]) -> list[NoHeadline]:
    """The newest evaluations of these models in these months (exact keys) that have no headline."""
    return _missing(session, keys=keys, models=models)


def of_month(session: Session, snapshot: str) -> list[NoHeadline]:
    """The newest evaluations of a month (exact key) that have no headline."""
    return _missing(session, keys=[snapshot], models=None)


def _missing(
    session: Session, evaluations: Sequence[str] = (), keys: Sequence[str] = (), models: Sequence[str] | None = ()
) -> list[NoHeadline]:
    chosen = {
        "profile": profiles.HEADLINE, "evaluations": list(evaluations), "keys": list(keys),
        "models": list(models or ()), "all_models": models is None,
    }  # fmt: skip
    return [NoHeadline(*row) for row in session.execute(_MISSING, chosen)]


def without(session: Session, evaluations: Sequence[str]) -> dict[tuple[str, str, str, str], str]:
    """(evaluation, profile, its version, suite or `headline`) → why there is no rate; only of those without one."""
    rows = session.execute(_WITHOUT, {"evaluations": sorted(set(evaluations))})
    return {(row[0], row[1], row[2], row[3]): row[4] for row in rows}


def tell(session: Session, one: NoHeadline) -> None:
    """Make an incident of it, once for the evaluation. The caller commits."""
    where = f"evaluation {one.evaluation_id}"
    told = select(incident.c.id).where(incident.c.kind == INCIDENT, incident.c.where == where)
    if session.execute(told).first() is None:
        incidents.add(session, INCIDENT, where, str(one), one.way_out, one.snapshot)
