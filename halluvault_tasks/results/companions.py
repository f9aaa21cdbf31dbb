"""The figures of companion suites in a month, for page, report and terminal: the main ones, then all of them.

Each suite comes with what is known about its judge, so that nobody shows a figure without it.
"""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from sqlalchemy import RowMapping, text
from sqlalchemy.orm import Session

from halluvault_tasks.oracles import suites
from halluvault_tasks.results import page_words
from halluvault_tasks.results.suites import FIGURES

_ROWS = text(
    "SELECT m.* FROM results_v1.metrics m"
    " WHERE m.snapshot = :snapshot AND m.is_current AND m.suite = ANY(:suites) AND m.profile = ANY(:profiles)"
    " AND m.metric = ANY(:metrics) ORDER BY m.suite, m.profile, m.model, m.variant, m.scope, m.key, m.metric"
)


class CompanionLine(NamedTuple):
    """What an evaluation has of one scope and key: metric → row of view `metrics`."""

    model: str
    simulated: bool
    variant: str
    way: str
    """The variant in short, where that tells the model's evaluations apart."""
    scope: str
    key: str
    figures: Mapping[str, RowMapping]


class CompanionRow(NamedTuple):
    """The main figures of one evaluation, a column each; None where it has none."""

    model: str
    simulated: bool
    way: str
    cells: Sequence[RowMapping | None]


class Companion(NamedTuple):
    """A suite as one of its profiles judged it."""

    suite: str
    profile: str
    untried: str
    """What its figures are called as long as its judge was held against too few labels; empty from then on."""
    trust: str
    """How far the profile was compared with labels, in words."""
    lines: Sequence[CompanionLine]

    def metrics(self, lines: Sequence[CompanionLine]) -> list[str]:
        """Those that some of its lines have, in the order in which the suite names them."""
        there = {metric for line in lines for metric in line.figures}
        return [metric for metric in FIGURES[self.profile].shown if metric in there]

    def called(self, metric: str) -> str:
        """A metric's heading."""
        return FIGURES[self.profile].called.get(metric, metric.replace("_", " "))

    def main(self) -> tuple[list[str], list[CompanionRow]]:
        """Headings and rows of the main figures; nothing where the suite shows them under another profile."""
        own = FIGURES[self.profile].main
        columns = [
            (one, key)
            for one in own
            for key in sorted({line.key for line in self.lines if one.has(line.scope, line.key)}, key=_by_length)
        ]
        at = {
            (line.model, line.variant, line.scope, line.key, metric): row
            for line in self.lines
            for metric, row in line.figures.items()
        }
        asked = dict.fromkeys((line.model, line.simulated, line.variant, line.way) for line in self.lines)
        rows = [
            CompanionRow(
                model, simulated, way, [at.get((model, variant, one.scope, key, one.metric)) for one, key in columns]
            )
            for model, simulated, variant, way in asked
        ]
        headings = [f"{self.called(one.metric)}: {key}" if key else self.called(one.metric) for one, key in columns]
        return headings, rows if columns else []


def of(session: Session, snapshot: str) -> list[Companion]:
    """Every companion suite of a month and profile that has figures; writes nothing."""
    found = session.execute(_ROWS, {
        "snapshot": snapshot, "suites": list(suites.JUDGES), "profiles": list(FIGURES),
        "metrics": sorted({metric for one in FIGURES.values() for metric in one.shown}),
    }).mappings()  # fmt: skip
    by: dict[tuple[str, str], dict[tuple[str, bool, str, str, str], dict[str, RowMapping]]] = {}
    for row in found:
        # Suites share names of scopes and metrics; another suite's would be an empty line.
        if row["metric"] in FIGURES[row["profile"]].shown:
            line = (row["model"], row["simulated"], row["variant"], row["scope"], row["key"])
            by.setdefault((row["suite"], row["profile"]), {}).setdefault(line, {})[row["metric"]] = row
    return [
        Companion(suite, profile, suites.untried(suite), suites.trust(profile), _lines(lines))
        for (suite, profile), lines in by.items()
    ]


def figure(row: RowMapping | None) -> str:
    """A row of view `metrics` in words: a share in per cent, with its interval where it has one; or why there is none.

    What may be below 0 or is the mean of squares is no share: "+0.35 [0.21, 0.49]".
    """
    if row is None:
        return ""
    if row["value"] is None:
        return page_words.dash(row["no_rate_reason"])
    if row["metric"] in FIGURES[row["profile"]].points:
        ends = "" if row["low"] is None else f" [{row['low']:.2f}, {row['high']:.2f}]"
        return f"{row['value']:.2f}{ends}"
    ends = "" if row["low"] is None else f" [{100 * row['low']:.1f}, {100 * row['high']:.1f}]"
    return page_words.percent(row["value"]) + ends


def _lines(found: Mapping[tuple[str, bool, str, str, str], Mapping[str, RowMapping]]) -> list[CompanionLine]:
    asked = list(dict.fromkeys((model, variant) for model, _, variant, *_ in found))
    short = [(model, way_of(variant)) for model, variant in asked]
    ways = {
        (model, variant): way_of(variant) if short.count((model, way_of(variant))) == 1 else variant
        for model, variant in asked
    }
    return [
        CompanionLine(model, simulated, variant, ways[model, variant], scope, key, figures)
        for (model, simulated, variant, scope, key), figures in found.items()
    ]


def way_of(variant: str) -> str:
    """A variant in short: `recognition/cot v1, chat, closed-book, chat` is cot, with temperature and samples."""
    template, *rest = variant.split(", ")
    warmth = [one for one in rest if one.startswith("temperature ") or one.endswith(" samples")]
    return ", ".join([template.partition(" ")[0].rpartition("/")[2], *warmth])


def _by_length(key: str) -> tuple[int, str]:
    """So that k = 10 comes after k = 2."""
    return len(key), key
