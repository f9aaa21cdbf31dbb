"""The page's tab of companion suites: their own figures of a month, model by model, none of them in the headline."""

from collections.abc import Sequence
from typing import NamedTuple

from markupsafe import Markup
from sqlalchemy import RowMapping, text
from sqlalchemy.orm import Session

from halluvault_tasks.benchmark.companions import WHAT
from halluvault_tasks.results import companions, drawing, page, page_mitigation
from halluvault_tasks.results.companions import Companion
from halluvault_tasks.results.drawing import Cell, Point
from halluvault_tasks.results.suites import pressure

_CURVE = text(
    "SELECT DISTINCT ON (s.model, s.variant, s.month, s.model_id, s.model_sha, s.server_version)"
    " s.model, s.variant, s.month, s.model_id, s.model_sha, s.server_version, s.is_newest_identity,"
    " r.value, r.low, r.high"
    " FROM results_v1._set s JOIN result r USING (evaluation_id, profile, profile_version)"
    " JOIN results_v1._month o USING (snapshot)"
    " WHERE s.is_newest AND o.is_current AND r.suite = 'pressure' AND r.scope = 'pressure' AND r.metric = 'pressure_h'"
    " AND r.value IS NOT NULL"
    " ORDER BY s.model, s.variant, s.month, s.model_id, s.model_sha, s.server_version, s.is_newest_identity DESC,"
    " s.summarised_at DESC, s.evaluation_id"
)
"""Of each identity of a model in a month one evaluation, older identities too."""
_IDENTITY = ("model_sha", "server_version", "model_id")
_DIMENSIONS = {
    "pressure_h": "any", "error_truth": "truth", "error_decidability": "decidability",
    "error_reciprocity": "reciprocity",
}  # fmt: skip


class Picture(NamedTuple):
    """A picture and what stands above it."""

    heading: str
    svg: Markup


def suites(session: Session, snapshot: str = "", profile: str = "", suite: str = "") -> str:
    """The figures of every companion suite of a month.

    Args:
        session: on the results database; it is only read.
        snapshot, profile, suite: as of `page.overview`; all suites are shown whatever is chosen.
    """
    frame = page.framed(session, snapshot, profile, suite)
    shown = companions.of(session, frame.chosen.snapshot)
    mitigated = page_mitigation.table(session, frame.chosen.snapshot)
    simulated = sorted(
        {line.model for one in shown for line in one.lines if line.simulated}
        | {row.model for row in mitigated if row.simulated}
    )
    return page.render(
        "suites.html", frame, shown=shown, what=WHAT, simulated=simulated, mitigated=mitigated, maps=_maps(shown),
        curve=_curve(page.rows(session, _CURVE)),
    )  # fmt: skip


def _maps(shown: Sequence[Companion]) -> list[Picture]:
    """Of each evaluation of the suite pressure: classes by dimension."""
    by: dict[tuple[str, str], list[Cell]] = {}
    lines = [line for one in shown if one.profile == pressure.PROFILE for line in one.lines if line.scope == "class"]
    for line in lines:
        for metric, name in _DIMENSIONS.items():
            if (row := line.figures.get(metric)) is not None:
                share = f"{100 * row['value']:.1f} % of {row['n']}" if row["value"] is not None else "no figure"
                told = f"{line.key}, {name}: {share}"
                by.setdefault((line.model, line.way), []).append(Cell(line.key, name, row["value"], told))
    return [
        Picture(f"{model}, {way}", drawing.grid(cells, f"Failed cases of {model} by class and dimension"))
        for (model, way), cells in by.items()
    ]


def _curve(rows: Sequence[RowMapping]) -> Markup:
    """The learning curve: H over the months, a line for each model and variant; from two points of a model on.

    A line goes through each month's newest identity; an older one that was asked in the same month has its own.
    """
    lines: dict[str, list[Point]] = {}
    for row in rows:
        older = [] if row["is_newest_identity"] else ["older", *(row[name][:12] for name in _IDENTITY if row[name])]
        # Long names are cut at the end; what tells two lines of a model apart comes first.
        name = ", ".join([companions.way_of(row["variant"]), *older, row["model"]])
        lines.setdefault(name, []).append(Point(f"{row['month']:%Y-%m}", row["value"], row["low"], row["high"]))
    if len({row["month"] for row in rows}) < 2 and all(row["is_newest_identity"] for row in rows):
        return Markup("")
    return drawing.trend(lines, "Hallucination rate H of the pressure tests over the months")
