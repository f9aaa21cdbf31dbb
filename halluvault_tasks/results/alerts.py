"""Alerts of a month: decided here, delivered by `halluvault_airflow.notify`."""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Literal, NamedTuple, Self

from pydantic import BaseModel, ConfigDict, Field, model_validator
from sqlalchemy import RowMapping, select, text
from sqlalchemy.orm import Session

from halluvault_tasks.oracles import profiles
from halluvault_tasks.results import comparing
from halluvault_tasks.statistics.comparisons import holm
from halluvault_tasks.storage import incidents
from halluvault_tasks.storage.tables import incident
from halluvault_tasks.untrusted import visible
from halluvault_tasks.wikidata import yaml_files

WHERE = "alerts"
"""`where` of the incidents that alerts are."""
_MONTHS = 12


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class Channel(_Strict):
    """One way to tell."""

    kind: Literal["email", "slack", "webhook"]
    connection: str = Field(pattern=r"^[A-Za-z0-9_.-]+$", description="Airflow connection id")
    to: tuple[str, ...] = ()
    """Recipients of an e-mail."""
    sender: str = "halluvault@localhost"
    """For an email."""

    @model_validator(mode="after")
    def _has_recipients(self) -> Self:
        if self.kind == "email" and not self.to:
            raise ValueError("an e-mail needs recipients: to: [ops@example.org]")
        return self


class RateRose(_Strict):
    """A rise on the same questions that chance does not explain."""

    points: float = Field(0.0, ge=0, lt=1)
    p: float = Field(0.05, gt=0, le=1)
    """Chance of any false alarm in a year: of twelve months and all models."""


class AnswersChanged(_Strict):
    """One revision answers the same questions otherwise than before, beyond chance and its own wavering."""

    points: float = Field(0.05, gt=0, lt=1)
    p: float = Field(0.05, gt=0, le=1)
    """As of `RateRose`."""


class CoverageBelow(_Strict):
    """Too little was delivered or answered."""

    delivered: float = Field(0.99, ge=0, le=1)
    answered: float = Field(0.5, ge=0, le=1)


class OfIncidents(_Strict):
    """Incidents of these kinds."""

    kinds: tuple[str, ...]


class Rules(_Strict):
    """Which alerts there are; None is off."""

    rate_rose: RateRose | None = None
    answers_changed: AnswersChanged | None = None
    coverage_below: CoverageBelow | None = None
    identity_changed: _Strict | None = None
    incidents: OfIncidents | None = None
    oracle_changed: _Strict | None = None


class Alerts(_Strict):
    """`config/alerts.yaml`."""

    channels: tuple[Channel, ...] = ()
    alerts: Rules = Rules()


class Alert(NamedTuple):
    """One thing to hear of."""

    kind: str
    message: str
    way_out: str


_TREND = text(
    "SELECT * FROM results_v1.trend WHERE snapshot = :snapshot AND suite = 'headline' AND profile = :profile"
    " ORDER BY model, variant"
)
_COVERAGE = text(
    "SELECT model, variant, delivered, planned, answered_share FROM results_v1.by_model WHERE snapshot = :snapshot"
    " AND profile = :profile AND is_current ORDER BY model, variant"
)
_ANSWERS = text("""
SELECT e.model, e.variant, b.month AS previous_month, now.shared, now.same, before.shared AS shared_before,
    before.same AS same_before
FROM results_v1._set e
JOIN comparison c ON c.a = e.evaluation_id AND c.kind = 'months' AND c.suite = 'headline' AND c.profile = e.profile
    AND c.a_version = e.profile_version
JOIN results_v1._evaluation b ON b.evaluation_id = c.b
JOIN comparison d ON d.a = c.b AND d.kind = 'months' AND d.suite = 'headline' AND d.profile = e.profile
    AND d.a_version = c.b_version
CROSS JOIN LATERAL (
    SELECT count(*) AS shared, count(*) FILTER (WHERE one.answer = other.answer) AS same
    FROM verdict one JOIN verdict other USING (case_id, sample, profile)
    WHERE one.evaluation_id = c.a AND other.evaluation_id = c.b AND profile = e.profile
        AND one.profile_version = c.a_version AND other.profile_version = c.b_version
) now
CROSS JOIN LATERAL (
    SELECT count(*) AS shared, count(*) FILTER (WHERE one.answer = other.answer) AS same
    FROM verdict one JOIN verdict other USING (case_id, sample, profile)
    WHERE one.evaluation_id = d.a AND other.evaluation_id = d.b AND profile = e.profile
        AND one.profile_version = d.a_version AND other.profile_version = d.b_version
) before
WHERE e.snapshot = :snapshot AND e.is_newest AND e.profile = :profile AND e.model_sha IS NOT DISTINCT FROM b.model_sha
    AND now.shared > 0 AND before.shared > 0
ORDER BY e.model, e.variant
""")
_IDENTITIES = text("""
SELECT e.model, e.variant, e.model_sha, b.month AS previous_month, b.model_sha AS previous_sha
FROM results_v1._set e
CROSS JOIN LATERAL (
    SELECT o.month, o.model_sha FROM results_v1._set o
    WHERE o.is_current AND o.month < e.month AND o.model = e.model AND o.variant = e.variant AND o.profile = e.profile
    ORDER BY o.month DESC LIMIT 1
) b
WHERE e.snapshot = :snapshot AND e.is_newest_identity AND e.is_newest AND e.profile = :profile
    AND e.model_sha IS DISTINCT FROM b.model_sha
ORDER BY e.model, e.variant
""")
_INCIDENTS = text(
    "SELECT kind, message, way_out FROM results_v1.incidents WHERE snapshot = :snapshot AND kind = ANY(:kinds)"
    " ORDER BY id"
)


def load(path: Path) -> Alerts:
    """Read `alerts.yaml`; a missing file is no alert.

    Raises:
        UserError: it cannot be read, or a field is wrong.
    """
    return yaml_files.load(path, Alerts) if path.exists() or path.is_symlink() else Alerts()


def judge(session: Session, snapshot: str, rules: Rules) -> list[Alert]:
    """The alerts of a month; writes nothing."""
    chosen = {"snapshot": snapshot, "profile": profiles.HEADLINE}
    trend = session.execute(_TREND, chosen).mappings().all()
    found: list[Alert] = []
    if rules.rate_rose:
        found += rises(trend, rules.rate_rose)
    if rules.answers_changed:
        found += other_answers(session.execute(_ANSWERS, chosen).mappings().all(), rules.answers_changed)
    if rules.coverage_below:
        found += _coverage(session.execute(_COVERAGE, chosen).mappings().all(), rules.coverage_below)
    if rules.identity_changed:
        found += _identities(session.execute(_IDENTITIES, chosen).mappings().all())
    if rules.oracle_changed:
        found += [
            Alert("oracle_changed", str(one), one.way_out(snapshot))
            for one in comparing.otherwise_judged(session, snapshot)
        ]
    if rules.incidents:
        rows = session.execute(_INCIDENTS, {"snapshot": snapshot, "kinds": list(rules.incidents.kinds)})
        found += [Alert(kind, visible(message), visible(way_out)) for kind, message, way_out in rows]
    return found


def untold(session: Session, snapshot: str, alerts: Sequence[Alert]) -> list[Alert]:
    """Alerts not sent before; each becomes an incident, so that a repeated run is silent. Commits."""
    fresh = []
    for alert in alerts:
        kind = f"alert_{alert.kind}"
        known = select(incident.c.id).where(
            incident.c.kind == kind, incident.c.snapshot == snapshot, incident.c.message == alert.message
        )
        if session.execute(known).first() is None:
            incidents.record(session, kind, WHERE, alert.message, alert.way_out, snapshot)
            fresh.append(alert)
    return fresh


def beyond_chance(ps: Sequence[float], a_year: float) -> list[bool]:
    """Of a month's models which differ, so that a year of months has any false one with at most this chance.

    Args:
        ps: p value of each model.
        a_year: chance of any false alarm in twelve months, all models together (Holm within, Bonferroni over months).
    """
    return [p <= a_year / _MONTHS for p in holm(ps)]


def rises(trend: Sequence[RowMapping | Mapping[str, Any]], rule: RateRose) -> Iterator[Alert]:
    """Models whose rate rose, of one month's rows of the view `trend`."""
    compared = [row for row in trend if row["change_low"] is not None]
    for row, real in zip(compared, beyond_chance([row["p"] for row in compared], rule.p), strict=True):
        if real and row["change_low"] > rule.points:
            yield Alert(
                "rate_rose",
                f"{visible(row['model'])}: hallucination rate {100 * row['change']:+.1f} points "
                f"[{100 * row['change_low']:+.1f}, {100 * row['change_high']:+.1f}] on {row['shared']} questions "
                f"that persist since {row['previous_month']:%Y-%m}",
                "page HalluVault, Where: which domain and rule; then the cases behind it",
            )


def other_answers(rows: Sequence[RowMapping | Mapping[str, Any]], rule: AnswersChanged) -> Iterator[Alert]:
    """Models that answer otherwise though they name the same revision.

    Args:
        rows: of each model how many questions were answered this month and the one before (`shared`), how many of them
            alike (`same`), and the same of a month earlier (`shared_before`, `same_before`).
        rule: when to tell.
    """
    from scipy.stats import fisher_exact  # late: it takes a second to import

    tables = [
        [[r["same"], r["shared"] - r["same"]], [r["same_before"], r["shared_before"] - r["same_before"]]] for r in rows
    ]
    ps = [float(fisher_exact(table, alternative="less")[1]) for table in tables]
    for row, real in zip(rows, beyond_chance(ps, rule.p), strict=True):
        same, before = row["same"] / row["shared"], row["same_before"] / row["shared_before"]
        if real and before - same > rule.points:
            yield Alert(
                "answers_changed",
                f"{visible(row['model'])}: {100 * same:.1f} % of {row['shared']} questions asked since "
                f"{row['previous_month']:%Y-%m} have the same answer, {100 * before:.1f} % a month before; the server "
                "names the same revision",
                "ask who runs the server what changed; until then another model may answer under this name",
            )


def _coverage(rows: Sequence[RowMapping], rule: CoverageBelow) -> Iterator[Alert]:
    for row in rows:
        if row["delivered"] < rule.delivered * row["planned"] or not row["planned"]:
            yield Alert(
                "coverage_below",
                f"{visible(row['model'])}: {row['delivered']} of {row['planned']} responses delivered",
                "clear the lane's query task: it asks only for what is missing",
            )
        elif row["answered_share"] is not None and row["answered_share"] < rule.answered:
            yield Alert(
                "coverage_below",
                f"{visible(row['model'])}: answered {100 * row['answered_share']:.1f} % of what it was asked",
                "read some of its responses on page Cases: refusals, or a prompt that does not fit it",
            )


def _identities(changed: Sequence[RowMapping]) -> Iterator[Alert]:
    for row in changed:
        yield Alert(
            "identity_changed",
            f"{visible(row['model'])}: revision {visible(row['model_sha'] or 'unknown')}, was "
            f"{visible(row['previous_sha'] or 'unknown')} in {row['previous_month']:%Y-%m}",
            "compare months with care: another model answered",
        )
