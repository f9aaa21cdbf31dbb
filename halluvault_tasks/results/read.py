"""Rows of the results views as values, for tables and report."""

from collections.abc import Sequence
from datetime import date
from typing import Any, NamedTuple

from sqlalchemy import TextClause, text
from sqlalchemy.orm import Session

from halluvault_tasks.benchmark.cases.suite_names import HEADLINE
from halluvault_tasks.benchmark.export import reading
from halluvault_tasks.benchmark.freeze import part_lookup
from halluvault_tasks.knowledge import snapshots
from halluvault_tasks.results.naming import AskedModel, distinguished
from halluvault_tasks.wikidata.snapshot_keys import parse_key


class ProvedPart(NamedTuple):
    """The same of the questions whose licence is proved alone, which stands beside every rate (semantics.md §1.10)."""

    rate: float | None
    low: float | None
    high: float | None
    delivered: int | None
    accuracy: float | None


class HallucinationRate(NamedTuple):
    """A hallucination rate with its 95 % interval and its band; None where there is none, with the reason."""

    rate: float | None
    low: float | None
    high: float | None
    band_high: float | None
    why_none: str | None = None
    proved: ProvedPart | None = None


class ModelRow(NamedTuple):
    """One evaluation under one profile; the columns of `results_by_model` (docs/results.md)."""

    model: str
    simulated: bool
    model_id: str
    model_sha: str | None
    prompt: str
    route: str | None
    decoding: str | None
    evaluation_id: str
    profile: str
    profile_version: str
    planned: int
    delivered: int
    rate: HallucinationRate
    macro_rate: float | None
    answered_share: float | None
    rate_among_answered: float | None
    accuracy: float | None
    yes_rate: float | None
    normal: int
    abstained: int
    error_knowledge: int
    error_inference: int
    both_errors: int
    unattributed: int
    unparseable: int
    unread_share: float | None
    api_refused: int | None
    no_answer: int | None
    review: int
    right_sound: int
    right_faulty: int
    wrong_sound: int
    wrong_faulty: int
    groups: int
    design_effect: float | None


class PartRow(NamedTuple):
    """One evaluation and profile in one suite, in one domain or under one rule kind."""

    key: str
    model: str
    evaluation_id: str
    profile: str
    delivered: int
    rate: HallucinationRate


class BaselineRow(NamedTuple):
    """A participant without knowledge; the columns of `results_baselines`."""

    profile: str
    strategy: str
    cases: int
    hallucination_rate: float
    proved_rate: float | None
    accuracy: float
    answered_share: float
    yes_rate: float | None


class GroupRow(NamedTuple):
    """How many metamorphic groups of one evaluation were answered how."""

    model: str
    prompt: str
    consistent_right: int
    stable_misbelief: int
    inconsistent: int
    not_assessable: int


class Source(NamedTuple):
    """What the questions of a benchmark depend on."""

    snapshot: str
    as_of: date
    source: str
    published: bool
    """Whether the headline's parts are."""
    suites: dict[str, int]
    """Suite → questions, of every part that stands."""

    @property
    def questions(self) -> str:
        """How many, in words: those of the headline, and beside them those of other suites."""
        told = [f"{sum(self.suites.get(suite, 0) for suite in HEADLINE)} questions"]
        told += [f"{cases} of {suite}" for suite, cases in sorted(self.suites.items()) if suite not in HEADLINE]
        return ", beside them ".join(told[:2]) + "".join(f" and {more}" for more in told[2:])


def meant(session: Session, key_or_month: str = "") -> str:
    """Exact key of what a user means for results: of a month's revisions, the current one of the views.

    So a revision that is published and not judged yet takes no table away. An exact key means itself.

    Raises:
        UserError: there is none such.
    """
    key = reading.meant(session, key_or_month)
    if key_or_month.strip() and parse_key(key_or_month).revision is not None:
        return key
    return str(session.scalar(_CURRENT, {"key": key}) or key)


_CURRENT = text("""
SELECT c.snapshot FROM results_v1._month m JOIN results_v1._month c ON c.month = m.month AND c.is_current
WHERE m.snapshot = :key
""")


def source(session: Session, snapshot: str) -> Source:
    """The benchmark's data.

    Raises:
        UserError: no such benchmark; names those that exist.
    """
    stand = part_lookup.of_month(session, snapshot)
    row = snapshots.get(session, snapshot)
    cases = session.execute(
        text("SELECT suite, count(*) FROM benchmark_case WHERE snapshot = :snapshot GROUP BY suite"),
        {"snapshot": snapshot},
    )
    published = all(part.published for part in stand if part.suite in HEADLINE)
    return Source(snapshot, row.as_of, row.source, published, dict(cases.all()))


def models(session: Session, snapshot: str) -> list[ModelRow]:
    """All evaluations of a benchmark under all profiles, by model, prompt and profile."""
    rows = session.execute(
        text(
            "SELECT * FROM results_by_model WHERE snapshot = :snapshot ORDER BY model, prompt, evaluation_id, profile"
        ),
        {"snapshot": snapshot},
    ).mappings()
    return [
        ModelRow(
            rate=_rate([row[name] for name in _RATE]),
            **{name: row[name] for name in ModelRow._fields if name != "rate"},
        )
        for row in rows
    ]


_RATE = (
    "hallucination_rate", "rate_low", "rate_high", "band_high", "no_rate_reason",
    "proved_rate", "proved_low", "proved_high", "proved_delivered", "proved_accuracy",
)  # fmt: skip


def _rate(columns: Sequence[Any]) -> HallucinationRate:
    """Out of the columns of `_RATE`."""
    rate, low, high, band_high, why_none, *proved = columns
    return HallucinationRate(rate, low, high, band_high, why_none, ProvedPart(*proved))


def suites(session: Session, snapshot: str, profile: str) -> list[PartRow]:
    """One profile's rates by suite, then model."""
    return _parts(session, snapshot, profile, _BY_SUITE)


def domains(session: Session, snapshot: str, profile: str) -> list[PartRow]:
    """One profile's rates by domain, then model."""
    return _parts(session, snapshot, profile, _BY_DOMAIN)


def rules(session: Session, snapshot: str, profile: str) -> list[PartRow]:
    """One profile's rates by rule kind or temporal operator, then model."""
    return _parts(session, snapshot, profile, _BY_RULE)


def difficulties(session: Session, snapshot: str, profile: str) -> list[PartRow]:
    """One profile's rates by what was designed to be hard, then model."""
    return _parts(session, snapshot, profile, _BY_DIFFICULTY)


def _by(view: str, key: str, scope: str = "") -> TextClause:
    of_scope = f" AND scope = '{scope}'" if scope else ""
    return text(
        f"SELECT {key}, model, evaluation_id, profile, delivered, {', '.join(_RATE)} FROM {view}"  # noqa: S608
        f" WHERE snapshot = :snapshot AND profile = :profile{of_scope} ORDER BY {key}, model, evaluation_id"
    )


_BY_SUITE = _by("results_by_suite", "suite")
_BY_DOMAIN = _by("results_by_domain", "domain")
_BY_RULE = _by("results_by_rule", "rule_kind")
_BY_DIFFICULTY = _by("_result_newest", "key", "difficulty")


def _parts(session: Session, snapshot: str, profile: str, query: TextClause) -> list[PartRow]:
    rows = session.execute(query, {"snapshot": snapshot, "profile": profile})
    return [
        PartRow(key, name, evaluation, judged_by, delivered, _rate(rate))
        for key, name, evaluation, judged_by, delivered, *rate in rows
    ]


def baselines(session: Session, snapshot: str) -> list[BaselineRow]:
    """Always yes, a coin, always refusing; by profile and strategy."""
    rows = session.execute(
        text(
            "SELECT profile, strategy, cases, hallucination_rate, proved_rate, accuracy, answered_share, yes_rate"
            " FROM results_baselines WHERE snapshot = :snapshot ORDER BY profile, strategy"
        ),
        {"snapshot": snapshot},
    )
    return [BaselineRow(*row) for row in rows]


def groups(session: Session, snapshot: str) -> list[GroupRow]:
    """Consistency within the metamorphic groups of the headline's suites, by model."""
    rows = session.execute(
        text(
            "SELECT g.model, v.template || ' v' || v.version || ', ' || v.form || ', ' || v.context,"
            " count(*) FILTER (WHERE verdict = 'consistent, right'),"
            " count(*) FILTER (WHERE verdict = 'consistent, stable misbelief'),"
            " count(*) FILTER (WHERE verdict = 'inconsistent'),"
            " count(*) FILTER (WHERE verdict = 'not assessable')"
            " FROM results_by_group g JOIN evaluation e ON e.id = g.evaluation_id"
            " JOIN prompt_variant v ON v.id = e.variant_id"
            " WHERE g.snapshot = :snapshot AND g.suite = ANY(:headline)"
            " GROUP BY 1, 2, g.evaluation_id ORDER BY 1, 2, g.evaluation_id"
        ),
        {"snapshot": snapshot, "headline": list(HEADLINE)},
    )
    return [GroupRow(*row) for row in rows]


def names(rows: Sequence[ModelRow]) -> dict[str, str]:
    """Evaluation id → the name to show."""
    return distinguished(
        AskedModel(row.evaluation_id, row.model, row.prompt, row.route, row.decoding == "samples") for row in rows
    )
