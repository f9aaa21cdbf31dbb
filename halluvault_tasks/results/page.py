"""The results page inside Airflow, as functions from a session to HTML.

They read; nothing here writes, and every text that comes from Wikidata or a model reaches the page through
jinja2's autoescape, so that it is shown and never run. Links are relative: the page works under any prefix.
"""

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any, NamedTuple

from jinja2 import Environment, PackageLoader, StrictUndefined
from sqlalchemy import RowMapping, text
from sqlalchemy.orm import Session

from halluvault_tasks import untrusted
from halluvault_tasks.benchmark.freeze import part_lookup
from halluvault_tasks.errors import UserError
from halluvault_tasks.oracles import profiles as profiles_of
from halluvault_tasks.oracles import suites as suites_of
from halluvault_tasks.results import alerts, companions, comparing, drawing, examined, figures, page_words
from halluvault_tasks.results import leaderboard as board
from halluvault_tasks.results.drawing import Bar, Gap, MonthPoint
from halluvault_tasks.results.items import stored
from halluvault_tasks.results.naming import AskedModel, distinguished
from halluvault_tasks.wikidata.snapshot_keys import parse_key

CONTENT_SECURITY_POLICY = (
    "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'self'; frame-ancestors 'self'"
)
"""No script, image or font at all: should a text ever escape its escaping, it still could not run."""

INCIDENTS_SHOWN = 30
_TREND_LINES = 6
_SIDE_BY_SIDE = 8

_MONTHS = text(
    "SELECT m.*, EXISTS (SELECT 1 FROM results_v1._evaluation e WHERE e.snapshot = m.snapshot) AS asked,"
    " EXISTS (SELECT 1 FROM results_v1._evaluation e WHERE e.snapshot = m.snapshot AND e.summarised_at IS NOT NULL)"
    " AS judged"
    " FROM results_v1._month m ORDER BY m.month DESC, m.snapshot DESC"
)
_CHOICES = text(
    # The headline's comes first; baselines are shown beside an oracle, never in its place: they come last.
    "SELECT DISTINCT s.profile, s.profile <> :headline AS other, starts_with(s.profile, 'baseline/') AS baseline"
    " FROM results_v1._set s WHERE s.snapshot = :snapshot AND s.profile <> '' ORDER BY 2, 3, 1"
)
_SUITES = text(
    "SELECT DISTINCT r.suite, r.suite <> 'headline' AS other FROM result r JOIN results_v1._evaluation e"
    " USING (evaluation_id) WHERE e.snapshot = :snapshot AND r.scope IN ('model', 'suite') AND r.metric = 'delivered'"
    " AND r.key = '' ORDER BY 2, 1"
)
_MODELS = text(
    "SELECT f.* FROM results_v1._figures f WHERE f.snapshot = :snapshot AND f.profile = :profile AND f.is_newest"
    " AND f.suite = :suite AND f.scope IN ('model', 'suite') ORDER BY f.model, f.variant, f.evaluation_id"
)
_BASELINES = text(
    "SELECT * FROM results_v1.baselines WHERE snapshot = :snapshot AND suite = :suite AND profile = :method"
    " ORDER BY strategy"
)
_TREND = text(
    "SELECT month, model, variant, hallucination_rate, rate_low, rate_high, no_rate_reason, previous_month, change,"
    " shared, p FROM results_v1.trend"
    " WHERE is_current AND profile = :profile AND suite = :suite"
    " AND (hallucination_rate IS NOT NULL OR no_rate_reason IS NOT NULL) ORDER BY model, variant, month"
)
_CELLS = text(
    "SELECT domain, kind, hallucination_rate, rate_low, rate_high, no_rate_reason, delivered, proved_rate, proved_low,"
    " proved_high, proved_delivered FROM results_v1.by_cell"
    " WHERE evaluation_id = :evaluation AND profile = :profile AND suite = :suite"
    " AND profile_version = :version ORDER BY domain, kind"
)
_SIDES = text(
    "SELECT f.evaluation_id, f.scope, f.key, f.hallucination_rate, f.rate_low, f.rate_high, f.no_rate_reason,"
    " f.delivered, f.proved_rate, f.proved_low, f.proved_high, f.proved_delivered FROM results_v1._figures f"
    " WHERE f.snapshot = :snapshot AND f.evaluation_id = ANY(:beside) AND f.profile = :profile AND f.is_newest"
    " AND f.suite = :suite AND f.scope IN ('domain', 'rule', 'difficulty') ORDER BY f.scope, f.key"
)
_PAIRS = text(
    "SELECT * FROM results_v1.pairs WHERE snapshot = :snapshot AND profile = :profile AND suite = :suite"
    " ORDER BY p_adjusted, model_a, model_b"
)
_UNCOMPARED = text(
    "SELECT model, variant, no_rate_reason FROM results_v1._figures WHERE snapshot = :snapshot AND profile = :profile"
    " AND suite = :suite AND scope IN ('model', 'suite') AND is_newest AND no_rate_reason IS NOT NULL"
    " ORDER BY model, variant, evaluation_id"
)
_CHANGES = text(
    "SELECT * FROM results_v1.trend WHERE snapshot = :snapshot AND profile = :profile AND suite = :suite"
    " AND previous_month IS NOT NULL ORDER BY p_adjusted, model"
)
_UNCHANGED = text(
    # Of the months before, the one that a change would be held against.
    "SELECT t.model, t.snapshot, t.no_rate_reason, b.month AS previous_month, b.no_rate_reason AS previous_reason"
    " FROM results_v1.trend t CROSS JOIN LATERAL (SELECT * FROM results_v1.trend e WHERE e.is_current"
    "  AND e.month < t.month AND e.model = t.model AND e.variant = t.variant AND e.profile = t.profile"
    "  AND e.suite = t.suite ORDER BY e.month DESC LIMIT 1) b"
    " WHERE t.snapshot = :snapshot AND t.profile = :profile AND t.suite = :suite AND t.previous_month IS NULL"
    " AND coalesce(t.no_rate_reason, b.no_rate_reason) IS NOT NULL ORDER BY t.model, t.variant"
)
_RETIRED = text(
    "SELECT change, reason, count(*) AS questions, min(detail) AS example FROM benchmark_change"
    " WHERE snapshot = :snapshot GROUP BY change, reason ORDER BY change DESC, questions DESC"
)
_LANES = text("SELECT * FROM results_v1.lanes WHERE snapshot = :snapshot ORDER BY model, shard")
_INCIDENTS = text(
    # An incident that was told as an alert stands once.
    "SELECT * FROM results_v1.incidents i"
    " WHERE (snapshot = :snapshot OR snapshot IS NULL AND at > now() - interval '31 days') AND NOT EXISTS ("
    "  SELECT 1 FROM results_v1.incidents o"
    "  WHERE o.snapshot = i.snapshot AND o.message = i.message AND 'alert_' || o.kind = i.kind)"
    " ORDER BY starts_with(kind, 'alert_') DESC, at DESC, id DESC LIMIT :shown"
)
"""Of a month, and those of late that belong to none."""
_ABSENT = text(
    "SELECT DISTINCT t.model, t.month FROM results_v1.trend t JOIN results_v1._month m ON m.snapshot = :snapshot"
    " WHERE t.is_current AND t.profile = :profile AND t.suite = :suite AND t.month = (SELECT max(month)"
    "  FROM results_v1.trend WHERE is_current AND month < m.month AND profile = :profile AND suite = :suite)"
    " AND NOT EXISTS (SELECT 1 FROM results_v1.trend n WHERE n.snapshot = :snapshot AND n.model = t.model)"
    " ORDER BY t.model"
)


class PageTab(NamedTuple):
    """A page that the head of all pages leads to."""

    path: str
    title: str


TABS = (
    PageTab("./", "Leaderboard"),
    PageTab("where", "Where"),
    PageTab("compare", "Compare"),
    PageTab("cases", "Cases"),
    PageTab("month", "Month"),
    PageTab("suites", "Suites"),
)
"""In the order of the questions that people ask."""


class PageChoice(NamedTuple):
    """What the reader chose, or what is shown in its place."""

    snapshot: str
    profile: str
    suite: str


class Frame(NamedTuple):
    """What every page's head needs."""

    chosen: PageChoice
    months: Sequence[RowMapping]
    profiles: Sequence[str]
    suites: Sequence[str]
    lacking: Sequence[str] = ()
    """What was asked for and is not there."""


def leaderboard(session: Session, snapshot: str = "", profile: str = "", suite: str = "") -> str:
    """Who is best and by how much, rates with intervals as a picture, the trend, and what belongs beside every rate.

    Args:
        session: on the results database; it is only read.
        snapshot: benchmark to show; empty or unknown means the newest that was asked, else the newest.
        profile: oracle profile; empty or unknown means the headline's, else the first by name.
        suite: one suite alone; empty or unknown means the headline.
    """
    frame = framed(session, snapshot, profile, suite)
    chosen = frame.chosen._asdict()
    models = rows(session, _MODELS, **chosen)
    names = _names(models)
    on_board = (frame.chosen.profile, frame.chosen.suite) == (profiles_of.HEADLINE, figures.HEADLINE)
    bars = [
        Bar(
            names[m["evaluation_id"]], m["hallucination_rate"], m["rate_low"], m["rate_high"], m["band_high"],
            m["unsupported_high"], m["no_rate_reason"] or "",
        )
        for m in models
    ]  # fmt: skip
    lines = _lines(rows(session, _TREND, profile=frame.chosen.profile, suite=frame.chosen.suite))
    last = {
        name: points[-1].rate
        for name, line in lines.items()
        if (points := [point for point in line if isinstance(point, MonthPoint)])
    }
    most = {name: lines[name] for name in sorted(last, key=lambda name: -last[name])[:_TREND_LINES]}
    several = any(len(points) > 1 for points in most.values())
    method = profiles_of.REGISTERED.get(frame.chosen.profile, profiles_of.LEADING).baseline
    return render(
        "leaderboard.html", frame,
        models=models, names=names,
        board=board.of_month(session, chosen["snapshot"]) if on_board else (), asdict=asdict,
        w=f"{figures.WRONG_COSTS:g}",
        rates=drawing.intervals(bars, "Hallucination rate of each model with 95 % interval and bands") if bars else "",
        trend=drawing.trend(most, "Hallucination rate over the months") if several else "",
        left_out=len(last) - len(most),
        gaps=any(isinstance(point, Gap) for points in most.values() for point in points),
        changed=any(isinstance(point, MonthPoint) and point.changed for points in most.values() for point in points),
        baselines=rows(session, _BASELINES, snapshot=chosen["snapshot"], suite=chosen["suite"], method=method),
        incidents=rows(session, _INCIDENTS, snapshot=chosen["snapshot"], shown=3),
        examiner=examined.trust(session, frame.chosen.profile),
    )  # fmt: skip


def _lines(trend: Sequence[RowMapping | Mapping[str, Any]]) -> dict[str, list[MonthPoint | Gap]]:
    """Model → its months in their order; one in which it was not asked, between two in which it was, is a gap."""
    compared = [row for row in trend if row["p"] is not None]
    real = set()
    for month in {row["month"] for row in compared}:
        then = [row for row in compared if row["month"] == month]
        beyond = alerts.beyond_chance([row["p"] for row in then], alerts.RateRose().p)
        real |= {(row["model"], month) for row, one in zip(then, beyond, strict=True) if one}
    found: dict[str, dict[str, MonthPoint | Gap]] = {}
    for row in trend:
        when, rate, changed = row["month"].strftime("%Y-%m"), row["hallucination_rate"], ""
        if (row["model"], row["month"]) in real:
            since = f"{row['previous_month']:%Y-%m} on {row['shared']} questions that persist"
            changed = f"{page_words.points(row['change'])} points since {since}"
        there = rate is not None
        point = MonthPoint(when, rate, row["rate_low"], row["rate_high"], changed)
        found.setdefault(f"{row['model']}", {})[when] = point if there else Gap(when, row["no_rate_reason"])
    months = sorted({month for line in found.values() for month in line})
    return {
        name: [line.get(month, Gap(month, "not asked")) for month in months if min(line) <= month <= max(line)]
        for name, line in found.items()
    }


def where(session: Session, snapshot: str = "", profile: str = "", suite: str = "", model: str = "") -> str:
    """Where models err: side by side by domain, rule and difficulty, and one of them by domain × rule kind.

    Args:
        session: on the results database; it is only read.
        snapshot, profile, suite: as of `leaderboard`.
        model: evaluation of the domain × kind table; empty or unknown means the first.
    """
    frame = framed(session, snapshot, profile, suite)
    chosen = frame.chosen._asdict()
    models = rows(session, _MODELS, **chosen)
    names = _names(models)
    shown = next((m for m in models if m["evaluation_id"] == model), models[0] if models else None)
    cells: dict[str, dict[str, RowMapping]] = {}
    if shown is not None:
        key = {"evaluation": shown["evaluation_id"], "version": shown["profile_version"]}
        for row in rows(session, _CELLS, **key, profile=frame.chosen.profile, suite=frame.chosen.suite):
            cells.setdefault(row["domain"], {})[row["kind"]] = row
    beside = [m["evaluation_id"] for m in models][:_SIDE_BY_SIDE]
    return render(
        "where.html", frame,
        names=names, models={m["evaluation_id"]: m["model"] for m in models}, shown=shown, cells=cells,
        kinds=sorted({kind for row in cells.values() for kind in row}),
        dashes=any(one["no_rate_reason"] for row in cells.values() for one in row.values()),
        beside=beside, left_out=len(models) - len(beside), sides=_sides(rows(session, _SIDES, **chosen, beside=beside)),
        strata=stored.curve(session, frame.chosen.snapshot),
    )  # fmt: skip


def _sides(found: Sequence[RowMapping]) -> dict[str, dict[str, dict[str, RowMapping]]]:
    """Scope → key → evaluation → figures; keys with the highest rate first, those that nothing can be told of last."""
    sides: dict[str, dict[str, dict[str, RowMapping]]] = {}
    for row in found:
        sides.setdefault(row["scope"], {}).setdefault(row["key"], {})[row["evaluation_id"]] = row

    def worst(item: tuple[str, dict[str, RowMapping]]) -> tuple[float, str]:
        rates = [row["hallucination_rate"] for row in item[1].values() if page_words.tells(dict(row))]
        return (-sum(rates) / len(rates) if rates else 1.0), item[0]

    return {scope: dict(sorted(keys.items(), key=worst)) for scope, keys in sides.items()}


def compare(session: Session, snapshot: str = "", profile: str = "", suite: str = "") -> str:
    """Every two models of a month in words: what is shown, what is not, and what would decide."""
    frame = framed(session, snapshot, profile, suite)
    chosen = frame.chosen._asdict()
    return render(
        "compare.html", frame, pairs=rows(session, _PAIRS, **chosen), uncompared=rows(session, _UNCOMPARED, **chosen)
    )


def month(session: Session, snapshot: str = "", profile: str = "", suite: str = "") -> str:
    """What changed in a month: rates on persisting questions, questions retired and why, lanes, incidents."""
    frame = framed(session, snapshot, profile, suite)
    return render(
        "month.html", frame,
        changes=rows(session, _CHANGES, **frame.chosen._asdict()),
        unchanged=rows(session, _UNCHANGED, **frame.chosen._asdict()),
        otherwise=[
            one
            for one in comparing.otherwise_judged(session, frame.chosen.snapshot)
            if one.profile == frame.chosen.profile
        ],
        absent=rows(session, _ABSENT, **frame.chosen._asdict()),
        retired=rows(session, _RETIRED, snapshot=frame.chosen.snapshot),
        reconfigured=part_lookup.reconfigured(session, frame.chosen.snapshot),
        lanes=rows(session, _LANES, snapshot=frame.chosen.snapshot),
        incidents=rows(session, _INCIDENTS, snapshot=frame.chosen.snapshot, shown=INCIDENTS_SHOWN),
    )  # fmt: skip


def message(title: str, explanation: str, way_out: str = "") -> str:
    """A page that says why there is nothing to show, and what to do."""
    return (
        _environment()
        .get_template("message.html")
        .render(title=title, explanation=explanation, way_out=way_out, frame=None, here="")
    )


def framed(session: Session, snapshot: str, profile: str, suite: str) -> Frame:
    """The head of every page, with what is shown in place of unknown choices."""
    months, lacking, asked_for = rows(session, _MONTHS), [], snapshot
    snapshot = key_of(snapshot)
    if snapshot not in {row["snapshot"] for row in months}:
        revisions = [row for row in months if str(row["snapshot"]).partition(".")[0] == asked_for.strip()]
        if snapshot and not revisions:
            lacking.append(f"benchmark {asked_for!r}")
        asked = [row for row in revisions or months if row["asked"]] or revisions or months
        snapshot = str(asked[0]["snapshot"]) if asked else ""
    headline = profiles_of.HEADLINE
    profiles = [str(row["profile"]) for row in rows(session, _CHOICES, snapshot=snapshot, headline=headline)]
    if profile not in profiles:
        lacking += [f"oracle profile {profile!r} in it"] if profile else []
        profile = profiles[0] if profiles else ""
    suites = [str(row["suite"]) for row in rows(session, _SUITES, snapshot=snapshot)]
    if suite not in suites:
        lacking += [f"suite {suite!r} in it"] if suite else []
        suite = suites[0] if suites else figures.HEADLINE
    return Frame(PageChoice(snapshot, profile, suite), months, profiles, suites, lacking if months else ())


def key_of(snapshot: str) -> str:
    """A key from the address as the tables have it, read as every other key; what is none stays, and is not found."""
    try:
        return parse_key(snapshot).row
    except UserError:
        return snapshot.strip()


def _names(models: Sequence[RowMapping]) -> dict[str, str]:
    """Evaluation → the name to show."""
    return distinguished(AskedModel(row["evaluation_id"], row["model"], row["prompt"], row["route"]) for row in models)


def rows(session: Session, statement: Any, **parameters: Any) -> Sequence[RowMapping]:
    """All rows of a statement, by column name."""
    return session.execute(statement, parameters).mappings().all()


def render(template: str, frame: Frame, **values: Any) -> str:
    """A template of this room as HTML."""
    here = template.removesuffix(".html")
    return (
        _environment()
        .get_template(template)
        .render(frame=frame, chosen=frame.chosen._asdict(), here="./" if here == "leaderboard" else here, **values)
    )


def _environment() -> Environment:
    environment = Environment(
        loader=PackageLoader("halluvault_tasks.results", "page_templates"),
        autoescape=True,
        undefined=StrictUndefined,
        finalize=untrusted.shown,
    )
    environment.filters |= {
        name: getattr(page_words, name)
        for name in (
            "percent",
            "points",
            "p_value",
            "interval",
            "proved",
            "licence",
            "expected",
            "rule",
            "said",
            "cut",
            "compared",
            "heat",
            "tells",
            "judge",
            "refused",
            "unread",
        )
    }
    environment.filters["figure"] = companions.figure
    environment.globals |= {
        "link": page_words.link, "tabs": TABS, "untried": suites_of.untried, "no_rate": page_words.NO_RATE,
    }  # fmt: skip
    return environment
