"""The results page inside Airflow, as functions from a session to HTML.

They read; nothing here writes, and every text that comes from Wikidata or a model reaches the page through
jinja2's autoescape, so that it is shown and never run. Links are relative: the page works under any prefix.
"""

from collections.abc import Mapping, Sequence
from typing import Any
from urllib.parse import urlencode

from jinja2 import Environment, PackageLoader, StrictUndefined
from sqlalchemy import RowMapping, text
from sqlalchemy.orm import Session

from halluvault_tasks.oracles import profiles as profiles_of
from halluvault_tasks.results import read

CONTENT_SECURITY_POLICY = (
    "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'self'; frame-ancestors 'self'"
)
"""No script, image or font at all: should a text ever escape its escaping, it still could not run."""

CASES_SHOWN = 100
INCIDENTS_SHOWN = 30

_SNAPSHOTS = text(
    "SELECT b.snapshot, b.as_of, b.published, s.source FROM benchmark b JOIN snapshot s USING (snapshot)"
    " ORDER BY s.month DESC, s.revision DESC"
)
_MODELS = text(
    "SELECT * FROM results_by_model WHERE snapshot = :snapshot AND profile = :profile"
    " ORDER BY model, prompt, evaluation_id"
)
_PROFILES = text(
    # The headline's comes first; baselines are shown beside an oracle, never in its place: they come last.
    "SELECT profile FROM results_by_model WHERE snapshot = :snapshot GROUP BY profile"
    " ORDER BY profile <> :headline, starts_with(profile, 'baseline/'), profile"
)
_DOMAINS = text(
    "SELECT domain AS key, evaluation_id, hallucination_rate, rate_low, rate_high, delivered FROM results_by_domain"
    " WHERE snapshot = :snapshot AND profile = :profile ORDER BY domain, evaluation_id"
)
_RULES = text(
    "SELECT rule_kind AS key, evaluation_id, hallucination_rate, rate_low, rate_high, delivered FROM results_by_rule"
    " WHERE snapshot = :snapshot AND profile = :profile ORDER BY rule_kind, evaluation_id"
)
_BASELINES = text("SELECT * FROM results_baselines WHERE snapshot = :snapshot AND profile = :profile ORDER BY strategy")
_INCIDENTS = text("SELECT * FROM incidents ORDER BY at DESC, id DESC LIMIT :shown")
_CASES = text(
    # As in the views, only the newest version of the profile counts.
    "WITH newest AS (SELECT DISTINCT ON (evaluation_id) evaluation_id, profile_version FROM result_set"
    " WHERE profile = :profile ORDER BY evaluation_id, string_to_array(profile_version, '.')::int[] DESC)"
    " SELECT c.id, c.question, c.gold, b.domain, b.rule_kind,"
    " count(v.*) FILTER (WHERE v.category IN ('error_knowledge', 'error_inference', 'both', 'unattributed')) AS errors,"
    " count(v.*) AS judged"
    " FROM benchmark_case b JOIN cases c ON c.id = b.case_id"
    " LEFT JOIN (verdict v JOIN evaluation e ON e.id = v.evaluation_id AND e.snapshot = :snapshot"
    "  JOIN newest n ON n.evaluation_id = v.evaluation_id AND n.profile_version = v.profile_version)"
    "  ON v.case_id = c.id AND v.profile = :profile"
    " WHERE b.snapshot = :snapshot AND (:domain = '' OR b.domain = :domain) AND (:rule = '' OR b.rule_kind = :rule)"
    " GROUP BY c.id, c.question, c.gold, b.domain, b.rule_kind"
    " ORDER BY errors DESC, c.id LIMIT :shown OFFSET :skipped"
)
_CASE = text(
    "SELECT c.*, b.snapshot, b.domain, b.rule_kind, b.property, b.subject, b.object, b.fact, b.premises, b.proof,"
    " s.as_of, s.source"
    " FROM benchmark_case b JOIN cases c ON c.id = b.case_id JOIN snapshot s ON s.snapshot = b.snapshot"
    " WHERE c.id = :case AND (:snapshot = '' OR b.snapshot = :snapshot)"
    " ORDER BY s.month DESC, s.revision DESC LIMIT 1"
)
_MONTHS = text("SELECT snapshot FROM benchmark_case WHERE case_id = :case ORDER BY snapshot DESC")
_GROUP = text(
    "SELECT c.id, c.mutation, c.question, c.gold FROM cases c JOIN benchmark_case b ON b.case_id = c.id"
    " WHERE c.group_id = :group AND b.snapshot = :snapshot ORDER BY c.mutation <> 'original', c.mutation, c.id"
)
_RESPONSES = text(
    "SELECT r.evaluation_id, r.sample, r.status, r.text, r.error, r.finish_reason, r.attempts, r.received_at,"
    " m.name AS model FROM response r JOIN evaluation e ON e.id = r.evaluation_id JOIN model m ON m.id = e.model_id"
    " WHERE r.case_id = :case AND e.snapshot = :snapshot ORDER BY m.name, r.evaluation_id, r.sample"
)
_VERDICTS = text(
    "SELECT v.* FROM verdict v JOIN evaluation e ON e.id = v.evaluation_id"
    " WHERE v.case_id = :case AND e.snapshot = :snapshot"
    " ORDER BY v.evaluation_id, v.sample, v.profile, v.profile_version"
)


def overview(
    session: Session, snapshot: str = "", profile: str = "", domain: str = "", rule: str = "", page: int = 1
) -> str:
    """The page over the results views: models, domains, rules, baselines, cases, incidents.

    Args:
        session: on the results database; it is only read.
        snapshot: benchmark to show; empty or unknown means the newest.
        profile: oracle profile to show; empty or unknown means the headline's, else the first by name.
        domain: show only this domain's cases; empty means all.
        rule: show only this rule kind's cases; empty means all.
        page: which hundred of the cases, from 1.
    """
    snapshots = _rows(session, _SNAPSHOTS)
    if snapshot not in {row["snapshot"] for row in snapshots}:
        snapshot = str(snapshots[0]["snapshot"]) if snapshots else ""
    profiles = [
        str(row["profile"]) for row in _rows(session, _PROFILES, snapshot=snapshot, headline=profiles_of.HEADLINE)
    ]
    if profile not in profiles:
        profile = profiles[0] if profiles else ""
    chosen = {"snapshot": snapshot, "profile": profile}
    page = max(1, min(page, 1_000_000))
    models = _rows(session, _MODELS, **chosen)
    shown = {row["evaluation_id"] for row in models}
    return _render(
        "overview.html",
        snapshots=snapshots,
        profiles=profiles,
        chosen={**chosen, "domain": domain, "rule": rule},
        models=models,
        names={key: name for key, name in read.names(read.models(session, snapshot)).items() if key in shown},
        tables={
            "domain": _by_key(_rows(session, _DOMAINS, **chosen)),
            "rule": _by_key(_rows(session, _RULES, **chosen)),
        },
        baselines=_rows(session, _BASELINES, **chosen),
        cases=_rows(
            session,
            _CASES,
            **chosen,
            domain=domain,
            rule=rule,
            shown=CASES_SHOWN,
            skipped=(page - 1) * CASES_SHOWN,
        ),
        page=page,
        shown=CASES_SHOWN,
        incidents=_rows(session, _INCIDENTS, shown=INCIDENTS_SHOWN),
    )


def case(session: Session, case_id: str, snapshot: str = "") -> str | None:
    """The page of one case: question, gold, premises, proof, every response and every profile's verdict on it.

    Args:
        session: on the results database; it is only read.
        case_id: id of the case.
        snapshot: benchmark whose proof and responses to show; empty means the newest that has the case.

    Returns:
        HTML, or None when no such benchmark has that case.
    """
    found = _rows(session, _CASE, case=case_id, snapshot=snapshot)
    if not found:
        return None
    row = found[0]
    chosen = {"case": case_id, "snapshot": row["snapshot"]}
    verdicts: dict[tuple[Any, Any], list[RowMapping]] = {}
    for verdict in _rows(session, _VERDICTS, **chosen):
        verdicts.setdefault((verdict["evaluation_id"], verdict["sample"]), []).append(verdict)
    return _render(
        "case.html",
        case=row,
        months=[month["snapshot"] for month in _rows(session, _MONTHS, case=case_id)],
        group=_rows(session, _GROUP, group=row["group_id"], snapshot=row["snapshot"]),
        responses=_rows(session, _RESPONSES, **chosen),
        verdicts=verdicts,
    )


def message(title: str, explanation: str, way_out: str = "") -> str:
    """A page that says why there is nothing to show, and what to do."""
    return _render("message.html", title=title, explanation=explanation, way_out=way_out)


def _rows(session: Session, statement: Any, **parameters: Any) -> Sequence[RowMapping]:
    return session.execute(statement, parameters).mappings().all()


def _by_key(rows: Sequence[RowMapping]) -> dict[str, dict[str, RowMapping]]:
    """Domain or rule kind → evaluation → figures."""
    table: dict[str, dict[str, RowMapping]] = {}
    for row in rows:
        table.setdefault(str(row["key"]), {})[str(row["evaluation_id"])] = row
    return table


def _percent(share: float | None) -> str:
    return "–" if share is None else f"{100 * share:.1f} %"


def _interval(row: Mapping[str, Any]) -> str:
    """`12.3 % [10.1, 14.8]`, or a dash where there is no headline."""
    if row["hallucination_rate"] is None:
        return "–"
    if row["rate_low"] is None or row["rate_high"] is None:
        return _percent(row["hallucination_rate"])
    return f"{_percent(row['hallucination_rate'])} [{100 * row['rate_low']:.1f}, {100 * row['rate_high']:.1f}]"


def _link(name: str, values: Mapping[str, Any], **changed: Any) -> str:
    """A relative link with its query; empty values are left out, every value is percent-encoded."""
    query = {key: value for key, value in {**values, **changed}.items() if value not in ("", None)}
    return f"{name}?{urlencode(query)}"


def _render(template: str, **values: Any) -> str:
    environment = Environment(
        loader=PackageLoader("halluvault_tasks.results", "page_templates"), autoescape=True, undefined=StrictUndefined
    )
    environment.filters |= {"percent": _percent, "interval": _interval}
    environment.globals["link"] = _link
    return environment.get_template(template).render(**values)
