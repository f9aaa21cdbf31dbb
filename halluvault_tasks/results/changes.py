"""What a run changed, in figures: the last line of a DAG run's log, the run's note, and an asset event's extra."""

from typing import NamedTuple

from sqlalchemy import RowMapping, text
from sqlalchemy.orm import Session

from halluvault_tasks.benchmark.cases.suite_names import HEADLINE
from halluvault_tasks.benchmark.freeze import part_lookup
from halluvault_tasks.oracles import profiles
from halluvault_tasks.results import page_words

LONGEST_NOTE = 1000
"""Characters that Airflow keeps of a run's note."""


class BenchmarkChange(NamedTuple):
    """A published benchmark compared with the one published before it."""

    snapshot: str
    previous: str | None
    """The published benchmark before it, by month and revision; None for the first."""
    statements: int
    derived_facts: int
    temporal_facts: int
    cases: int
    new: int
    """Cases that no published benchmark before it contained in that form."""
    retired: int
    """Cases of the previous benchmark that this one no longer has."""
    reconfigured: str
    """Which parts are made by another configuration than those before them, in a line; empty where none is."""

    def __str__(self) -> str:
        since = f" since {self.previous}" if self.previous else ", the first benchmark"
        return (
            f"benchmark {self.snapshot}: {self.cases} cases ({self.new} new, {self.retired} retired{since}) from "
            f"{self.statements} statements, {self.derived_facts} derived and {self.temporal_facts} temporal facts"
            + (f"; {self.reconfigured}" if self.reconfigured else "")
        )


class ModelChange(NamedTuple):
    """A model's hallucination rate under one profile, this month and before."""

    model: str
    profile: str
    rate: float | None
    previous: float | None
    why_none: str | None
    """Why there is no rate this month; None where there is one."""

    def __str__(self) -> str:
        return f"{self.model} {_share(self.rate, self.why_none)} (was {_share(self.previous)}, {self.profile})"


class ResultChange(NamedTuple):
    """A month's results compared with the benchmark before it."""

    snapshot: str
    previous: str | None
    evaluations: int
    responses: int
    dead: int
    """Prompts that got no response in the end."""
    verdicts: int
    models: tuple[ModelChange, ...]

    def counts(self) -> dict[str, str | int | None]:
        """Everything but the models' rates, as JSON takes it."""
        return {name: value for name, value in self._asdict().items() if name != "models"}

    def __str__(self) -> str:
        lines = [
            f"results {self.snapshot}: {self.evaluations} evaluations, {self.responses} responses ({self.dead} dead), "
            f"{self.verdicts} verdicts"
        ]
        return "\n  ".join([*lines, *map(str, self.models)])


_PUBLISHED = text(
    "SELECT EXISTS (SELECT 1 FROM benchmark_part JOIN snapshot USING (snapshot)"
    " WHERE snapshot = :snapshot AND suite = ANY(:headline) AND published AND status = 'published')"
)

_PREVIOUS = text(
    "SELECT b.snapshot FROM benchmark_part b JOIN snapshot s USING (snapshot)"
    " JOIN snapshot this ON this.snapshot = :snapshot"
    " WHERE b.published AND b.suite = ANY(:headline) AND (s.month, s.revision) < (this.month, this.revision)"
    " ORDER BY s.month DESC, s.revision DESC LIMIT 1"
)

_BENCHMARK = text(
    "WITH asked AS (SELECT snapshot, case_id FROM benchmark_case JOIN benchmark_part USING (snapshot, suite)"
    "  WHERE published AND snapshot IN (:snapshot, :previous))"
    " SELECT (SELECT count(*) FROM statement WHERE snapshot = :snapshot) AS statements,"
    " (SELECT coalesce(sum(rows), 0)::bigint FROM derivation_manifest"
    "  WHERE snapshot = :snapshot AND rule > 0) AS derived_facts,"
    " (SELECT count(*) FROM temporal_fact WHERE snapshot = :snapshot) AS temporal_facts,"
    " (SELECT count(*) FROM asked WHERE snapshot = :snapshot) AS cases,"
    " (SELECT count(*) FROM asked c WHERE snapshot = :snapshot AND NOT EXISTS (SELECT 1 FROM"
    "  asked o WHERE o.case_id = c.case_id AND o.snapshot = :previous)) AS new,"
    " (SELECT count(*) FROM asked c WHERE snapshot = :previous AND NOT EXISTS (SELECT 1 FROM"
    "  asked o WHERE o.case_id = c.case_id AND o.snapshot = :snapshot)) AS retired"
)

_RESULTS = text(
    "SELECT (SELECT count(*) FROM evaluation WHERE snapshot = :snapshot) AS evaluations,"
    " count(*) FILTER (WHERE r.status = 'delivered') AS responses, count(*) FILTER (WHERE r.status = 'dead') AS dead,"
    " (SELECT count(*) FROM verdict v JOIN evaluation e ON e.id = v.evaluation_id WHERE e.snapshot = :snapshot)"
    "  AS verdicts"
    " FROM response r JOIN evaluation e ON e.id = r.evaluation_id WHERE e.snapshot = :snapshot"
)

_MODELS = text(
    "SELECT model, profile, max(hallucination_rate) FILTER (WHERE snapshot = :snapshot) AS rate,"
    " max(hallucination_rate) FILTER (WHERE snapshot = :previous) AS previous,"
    " max(no_rate_reason) FILTER (WHERE snapshot = :snapshot) AS why_none"
    " FROM results_by_model WHERE snapshot IN (:snapshot, :previous) GROUP BY model, profile"
    " HAVING count(*) FILTER (WHERE snapshot = :snapshot) > 0 ORDER BY model, profile"
)

_TREND = text(
    "SELECT *, coalesce(change_low > 0 OR change_high < 0, false) AS significant FROM results_v1.trend"
    " WHERE snapshot = :snapshot AND suite = 'headline' AND profile = :profile"
    " ORDER BY significant DESC, p_adjusted, model, variant"
)


def is_published(session: Session, snapshot: str) -> bool:
    """Whether the snapshot and a part of the headline are published: a refresh of that key has nothing left to do."""
    return bool(session.scalar(_PUBLISHED, {"snapshot": snapshot, "headline": list(HEADLINE)}))


def of_benchmark(session: Session, snapshot: str) -> BenchmarkChange:
    """Compare the published parts of a snapshot's benchmark with the published one before it."""
    previous = _previous(session, snapshot)
    row = session.execute(_BENCHMARK, {"snapshot": snapshot, "previous": previous or ""}).one()
    reconfigured = part_lookup.reconfigured(session, snapshot)
    return BenchmarkChange(snapshot, previous, **row._mapping, reconfigured=reconfigured)


def of_results(session: Session, snapshot: str) -> ResultChange:
    """Compare a snapshot's results with those on the published benchmark before it."""
    previous = _previous(session, snapshot)
    parameters = {"snapshot": snapshot, "previous": previous or ""}
    row = session.execute(_RESULTS, parameters).one()
    models = tuple(ModelChange(*model) for model in session.execute(_MODELS, parameters))
    return ResultChange(snapshot, previous, row.evaluations, row.responses, row.dead, row.verdicts, models)


def note(session: Session, snapshot: str) -> str:
    """What a month's results show, as Markdown for the run's note: a line a model, significant changes first.

    Args:
        session: open session; it is only read.
        snapshot: exact key of a month whose models are compared.

    Returns:
        At most `LONGEST_NOTE` characters; what does not fit is counted.
    """
    found = of_results(session, snapshot)
    rows = session.execute(_TREND, {"snapshot": snapshot, "profile": profiles.HEADLINE}).mappings().all()
    lines = [f"Results {snapshot}: {found.responses:,} responses, {found.dead:,} dead, {len(rows)} models."]
    for left, row in zip(range(len(rows), 0, -1), rows, strict=True):
        line, rest = _line(row), f"- and {left} more: page HalluVault, Month"
        if sum(map(len, lines)) + len(lines) + len(line) + len(rest) + 1 > LONGEST_NOTE:
            return "\n".join([*lines, rest])
        lines.append(line)
    return "\n".join(lines)


def _line(row: RowMapping) -> str:
    rate = dict(row)
    line = f"- {page_words.markdown(row['model'][:100])}: {page_words.interval(rate)}"
    line += f", of the proved part {page_words.proved(rate)}"
    if row["change"] is None:
        return line
    ends = f"{page_words.points(row['change'])} [{page_words.points(row['change_low'])}, "
    ends += f"{page_words.points(row['change_high'])}] points since {row['previous_month']:%Y-%m}"
    return f"{line}, {f'**{ends}**' if row['significant'] else ends} on {row['shared']:,} questions that persist"


def _previous(session: Session, snapshot: str) -> str | None:
    found = session.scalar(_PREVIOUS, {"snapshot": snapshot, "headline": list(HEADLINE)})
    return str(found) if found else None


def _share(rate: float | None, why_none: str | None = None) -> str:
    if rate is None:
        return f"no rate: {why_none}" if why_none else "no rate"
    return f"{100 * rate:.1f} %"
