"""A year's page: a line a month, read from the results alone."""

from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from sqlalchemy import text
from sqlalchemy.orm import Session

from halluvault_tasks.benchmark.freeze import part_lookup
from halluvault_tasks.benchmark.freeze.changes import IN_THE_SOURCE, RENEWED, RETIRED
from halluvault_tasks.knowledge import snapshots
from halluvault_tasks.oracles import profiles
from halluvault_tasks.results import alerts

_MONTHS = text("SELECT snapshot, as_of, status FROM snapshot WHERE source = :source ORDER BY month, revision")
_PARTS = text("SELECT suite, counts FROM benchmark_part WHERE snapshot = :snapshot")
_MODELS = text("""
SELECT model, hallucination_rate AS rate, rate_low AS low, rate_high AS high, change, change_low, change_high, shared
FROM results_v1.trend WHERE snapshot = :snapshot AND suite = 'headline' AND profile = :profile ORDER BY model
""")
_INCIDENTS = text("""
SELECT kind, message FROM incident WHERE snapshot = :snapshot AND NOT starts_with(kind, 'alert_') ORDER BY id
""")


_COSTS = ("seconds", "megabytes", "dropped_with_months")


class YearLine(NamedTuple):
    """A month of the year.

    Attributes:
        month: key.
        as_of: day of its data.
        cases: how many are asked.
        kept: of the month before those that are asked again.
        retired: why → how many are asked no more.
        without_cause: of these, those that nothing in the source is the cause of, renewal apart.
        unexplained: those without a reason that is known.
        new: how many were not asked before.
        gates: `passed`, or which stopped it.
        models: name → rate in percent with its interval, and what changed.
        alerts: what is to be told.
        incidents: what happened.
        reconfigured: parts that another configuration made, in a line.
    """

    month: str
    as_of: str
    cases: int
    kept: int
    retired: dict[str, int]
    without_cause: int
    unexplained: int
    new: int
    gates: str
    models: dict[str, dict[str, float | None]]
    alerts: list[str]
    incidents: list[str]
    reconfigured: str = ""


def read(session: Session, source: str, config: Path) -> list[YearLine]:
    """The lines of a source's months.

    Args:
        session: on the results.
        source: name.
        config: folder with alerts.yaml.
    """
    rules = alerts.load(config / "alerts.yaml").alerts
    return [
        _line(session, row.snapshot, str(row.as_of), row.status, rules)
        for row in session.execute(_MONTHS, {"source": source}).all()
    ]


def _line(session: Session, snapshot: str, as_of: str, status: str, rules: alerts.Rules) -> YearLine:
    parts = session.execute(_PARTS, {"snapshot": snapshot}).all()
    retired: dict[str, int] = {}
    kept = new = 0
    for part in parts:
        step = part.counts.get("months") or {}
        kept += step.get("stays", 0)
        new += sum(step.get("new", {}).values())
        for reason, number in step.get("retired", {}).items():
            retired[reason] = retired.get(reason, 0) + number
    gates = snapshots.notes(session, snapshot).get("gates") or {}
    models = {
        row["model"].removeprefix("simulated/"): {name: row[name] for name in row if name != "model"}
        for row in session.execute(_MODELS, {"snapshot": snapshot, "profile": profiles.HEADLINE}).mappings()
    }
    told = alerts.judge(session, snapshot, rules)
    return YearLine(
        snapshot,
        as_of,
        sum(part.counts.get("cases", 0) for part in parts),
        kept,
        retired,
        sum(number for reason, number in retired.items() if reason not in IN_THE_SOURCE and reason != RENEWED),
        sum(number for reason, number in retired.items() if reason not in RETIRED),
        new,
        "passed" if gates.get("passed") else f"{status}: not passed",
        models,
        [f"{one.kind}: {one.message}" for one in told],
        [f"{row.kind}: {row.message}" for row in session.execute(_INCIDENTS, {"snapshot": snapshot})],
        part_lookup.reconfigured(session, snapshot),
    )


def written(months: Sequence[dict[str, Any]]) -> str:
    """The page as text.

    Args:
        months: lines, as dictionaries.
    """
    names = list(dict.fromkeys(name for line in months for name in line["models"]))
    rows = [["month", "data", "cases", "kept", "gone", "of chance", "new", "gates", *names]]
    for line in months:
        rows.append([
            line["month"], line["as_of"], str(line["cases"]), str(line["kept"]), str(sum(line["retired"].values())),
            str(line["without_cause"]), str(line["new"]), line["gates"],
            *(_rate(line["models"].get(name)) for name in names),
        ])  # fmt: skip
    lines = _aligned(rows)
    told = []
    for line, shown in zip(months, lines[1:], strict=True):
        told.append(shown)
        reasons = ", ".join(f"{number} × {reason}" for reason, number in sorted(line["retired"].items()))
        told += [f"    gone: {reasons}"] if reasons else []
        # An incident may be an alert, too.
        told += [
            f"    {one}" for one in dict.fromkeys((*line["alerts"], *line["incidents"], line["reconfigured"])) if one
        ]
    return "\n".join([lines[0], *told])


def costs(years: Mapping[str, dict[str, Any]]) -> str:
    """What each month took: seconds, the database's megabytes after it, and of these what goes with an old month.

    Args:
        years: way → what there is to see of it.
    """
    rows = [["month", *(f"{name}: {what}" for name in years for what in ("s", "MB", "of months"))]]
    for month in next(iter(years.values()))["seconds"]:
        figures = (one[kind].get(month) for one in years.values() for kind in _COSTS)
        rows.append([month, *("" if figure is None else f"{figure:.0f}" for figure in figures)])
    return "\n".join(_aligned(rows))


def killed(years: Mapping[str, dict[str, Any]]) -> str:
    """How often each kind of process was killed, and during which stages.

    Args:
        years: way → what there is to see of it.
    """
    kills = [one for year in years.values() for one in year["kills"]]
    if not kills:
        return "kills: none"
    victims = Counter(one["victim"] for one in kills)
    stages = Counter(stage for one in kills for stage in one["during"].split(", "))
    return "\n".join(
        f"{title}: " + ", ".join(f"{name} {number}" for name, number in counts.most_common())
        for title, counts in (("kills", victims), ("during", stages))
    )


def _aligned(rows: Sequence[Sequence[str]]) -> list[str]:
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return ["  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in rows]


def _rate(model: dict[str, float | None] | None) -> str:
    if not model:
        return "not asked"
    rate, low, high = model["rate"], model["low"], model["high"]
    if rate is None or low is None or high is None:
        return "no rate"
    return f"{100 * rate:.1f} [{100 * low:.1f}, {100 * high:.1f}]"
