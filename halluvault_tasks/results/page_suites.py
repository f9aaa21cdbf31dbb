"""The page's tab of companion suites: their own figures of a month, model by model, none of them in the headline."""

from collections.abc import Iterable, Mapping

from sqlalchemy import RowMapping, text
from sqlalchemy.orm import Session

from halluvault_tasks.benchmark.cases import COMPANIONS
from halluvault_tasks.results import page
from halluvault_tasks.results.suites import FIGURES

_ROWS = text(
    "SELECT m.*, left(m.profile, strpos(m.profile, '/') - 1) AS of FROM results_v1.metrics m"
    " WHERE m.snapshot = :snapshot AND m.is_current AND m.suite = ANY(:suites) AND m.profile = ANY(:profiles)"
    " AND m.metric = ANY(:metrics) ORDER BY m.suite, m.profile, m.model, m.variant, m.scope, m.key, m.metric"
)


def suites(session: Session, snapshot: str = "", profile: str = "", suite: str = "") -> str:
    """The figures of every companion suite of a month.

    Args:
        session: on the results database; it is only read.
        snapshot, profile, suite: as of `page.overview`; all suites are shown whatever is chosen.
    """
    frame = page.framed(session, snapshot, profile, suite)
    found = page.rows(
        session, _ROWS, snapshot=frame.chosen.snapshot, suites=list(COMPANIONS), profiles=list(FIGURES),
        metrics=sorted({metric for one in FIGURES.values() for metric in one.metrics}),
    )  # fmt: skip
    tables: dict[tuple[str, str], dict[tuple[str, str, str, str], dict[str, RowMapping]]] = {}
    for row in found:
        line = (row["model"], row["variant"], row["scope"], row["key"])
        tables.setdefault((row["suite"], row["profile"]), {}).setdefault(line, {})[row["metric"]] = row
    metrics = {key: _metrics(key[1], lines.values()) for key, lines in tables.items()}
    simulated = sorted({row["model"] for row in found if row["simulated"]})
    return page.render("suites.html", frame, tables=tables, metrics=metrics, simulated=simulated)


def _metrics(profile: str, lines: Iterable[Mapping[str, RowMapping]]) -> list[str]:
    """Metrics that some line has, in the order in which the suite names them."""
    there = {metric for line in lines for metric in line}
    return [metric for metric in FIGURES[profile].metrics if metric in there]
