"""Every rate that a tally gives, each with its interval: the one place where rates are defined (semantics.md §4.4)."""

import math
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from halluvault_tasks.benchmark.cases import suite_names
from halluvault_tasks.results.tally import TallyCell, VerdictTally
from halluvault_tasks.statistics import shares
from halluvault_tasks.statistics.shares import Floats

HEADLINE = "headline"
"""Name of the suites `HEADLINE_SUITES` together; any other suite is itself, and never added in."""

HEADLINE_SUITES = suite_names.HEADLINE

MAX_UNDELIVERED = 0.01
"""Above this share of undelivered responses there is no hallucination rate."""

MAX_UNREAD = 0.10
"""Nor above this share of delivered responses in which no verdict could be read: a silent model would look perfect."""

CELL = " × "
"""Between domain and rule kind in the key of a cell, and between a feature of difficulty and its level."""

DIFFICULTY = "difficulty"
"""Scope of the figures by what makes questions hard (`benchmark.cases.difficulty`)."""


class Figure(NamedTuple):
    """A row of table `result` without its evaluation and profile."""

    suite: str
    scope: str
    key: str
    metric: str
    value: float | None
    low: float | None
    high: float | None
    hits: int | None
    n: int
    clusters: int | None
    design_effect: float | None
    no_rate_reason: str | None = None
    """Why a rate of hallucinations is left out; None where it is there, and for every other metric."""


class _Share(NamedTuple):
    """Numerator and denominator of each row of a tally."""

    hits: Floats
    of: Floats


def _hallucinated(t: VerdictTally) -> Floats:
    return t["error_knowledge"] + t["error_inference"] + t["both_errors"] + t["unattributed"]


def _answered(t: VerdictTally) -> Floats:
    return t["delivered"] - t["abstained"] - t["unparseable"]


def _says_no(t: VerdictTally) -> NDArray[np.bool_]:
    """Rows whose right answer is no."""
    return ~t.gold_yes & (t["yes_no"] > 0)


def _count(name: str) -> Callable[[VerdictTally], _Share]:
    return lambda t: _Share(t[name], t["delivered"])


METRICS: Mapping[str, Callable[[VerdictTally], _Share]] = {
    "hallucination_rate": lambda t: _Share(_hallucinated(t), t["delivered"]),
    "band_high": lambda t: _Share(_hallucinated(t) + t["unparseable"] + t["review"], t["delivered"]),
    "unread_share": lambda t: _Share(t["unparseable"], t["delivered"]),
    "unsupported_high": lambda t: _Share(_hallucinated(t) + t["open"], t["delivered"]),
    "unsupported_share": lambda t: _Share(t["unsupported"], t["premises"]),
    "answered_share": lambda t: _Share(_answered(t), t["delivered"]),
    "rate_among_answered": lambda t: _Share(_hallucinated(t), _answered(t)),
    "accuracy": lambda t: _Share(t["right"], t["delivered"]),
    "accuracy_among_answered": lambda t: _Share(t["right"], _answered(t)),
    "yes_rate": lambda t: _Share(t["said_yes"], t["yes_no"]),
    "proved_rate": lambda t: _Share(_hallucinated(t) * t.proved, t["delivered"] * t.proved),
    "proved_accuracy": lambda t: _Share(t["right"] * t.proved, t["delivered"] * t.proved),
    "tpr": lambda t: _Share(t["right"] * t.gold_yes, t["yes_no"] * t.gold_yes),
    "tnr": lambda t: _Share(t["right"] * _says_no(t), t["yes_no"] * _says_no(t)),
    "opposed_share": lambda t: _Share(t["opposed"], t["turns"]),
    "right_sound": lambda t: _Share(t["right"] - t["right_faulty"], t["delivered"]),
    "right_faulty": _count("right_faulty"),
    "wrong_sound": lambda t: _Share(t["decided"] - t["right"] - t["wrong_faulty"], t["delivered"]),
    "wrong_faulty": _count("wrong_faulty"),
    **{
        name: _count(name)
        for name in (
            "normal", "abstained", "error_knowledge", "error_inference", "both_errors", "unattributed", "unparseable",
            "review", "api_refused", "no_answer",
        )
    },
}  # fmt: skip
"""Metric → numerator and denominator; docs/results.md says each in words."""

WRONG_COSTS = 3.0
"""w of the index (semantics.md §4.4): what a wrong answer costs, so that answering pays above 75 % sure.

The prompt of two turns says it (`benchmark.prompts.templates`)."""


def worth(delivered: Floats, right: Floats, silent: Floats) -> Floats:
    """What answers add to the index: right 1, wrong or unread −w, silent ones 0.

    Args:
        delivered: answers, of each row.
        right: of these, right ones.
        silent: of these, don't know, refusals, and what the API refused.
    """
    return right - WRONG_COSTS * (delivered - right - silent)


def _worth(t: VerdictTally) -> Floats:
    return worth(t["delivered"], t["right"], t["abstained"] + t["api_refused"])


MEANS: Mapping[str, Callable[[VerdictTally], _Share]] = {
    "index": lambda t: _Share(_worth(t), t["delivered"]),
    "index_reasons": lambda t: _Share(_worth(t) - (1 + WRONG_COSTS) * t["right_faulty"], t["delivered"]),
    "claims_read": lambda t: _Share(t["claims"], t["delivered"]),
}
"""Metric → sum and number; no shares. In `index_reasons` a right answer with a convicted reason is −w."""

INDEX_BOUNDS: Mapping[str, tuple[float, float]] = dict.fromkeys(("index", "index_reasons"), (-WRONG_COSTS, 1.0))
"""Least and most that a mean can be; others have no bounds."""

OF_HEADLINE = ("hallucination_rate", "band_high", "unsupported_high", "proved_rate", "index", "index_reasons")
"""No value where too much was not delivered or not read."""

OF_JUDGED = (
    *OF_HEADLINE, "rate_among_answered", "accuracy", "accuracy_among_answered", "proved_accuracy", "group_all_right",
)  # fmt: skip
"""Nor these where too much was read and not judged."""

OF_CELLS = ("hallucination_rate", "accuracy", "proved_rate", "proved_accuracy")
"""Metrics of a cell, beside `delivered`: there are many cells, and few questions in each."""

OWNED = (*METRICS, *MEANS, "delivered", "group_all_right")
"""Metrics that a tally gives; suites bring others."""


def of_tally(tally: VerdictTally, planned: Counter[TallyCell], most_unjudged: float = 1.0) -> Iterator[Figure]:
    """All figures of one profile: of the headline, and of each suite alone.

    Args:
        tally: its verdicts.
        planned: responses wanted of each cell.
        most_unjudged: share of delivered responses held back (`review`) above which a suite has no rate at all.
    """
    suites = sorted({cell.suite for cell in planned} | {cell.suite for cell in tally.names})
    headline: list[str] = [suite for suite in suites if suite in HEADLINE_SUITES]
    boards: list[tuple[str, list[str]]] = [(HEADLINE, headline), *((suite, [suite]) for suite in suites)]
    for name, members in boards:
        if not members:
            continue
        of_suite = np.array([cell.suite in members for cell in tally.names], dtype=bool)
        mine = tally.take(of_suite[tally.cells] if len(tally.cells) else np.zeros(0, dtype=bool))
        wanted = Counter({cell: count for cell, count in planned.items() if cell.suite in members})
        # What too much of was not judged has no rate anywhere, also where by chance less of it was not.
        held = unjudged(int(mine["review"].sum()), mine.delivered, most_unjudged)
        yield from (without(one, held) if one.metric in OF_JUDGED else one for one in _of_suite(name, mine, wanted))


def _of_suite(suite: str, tally: VerdictTally, planned: Counter[TallyCell]) -> Iterator[Figure]:
    yield from _whole(suite, "model" if suite == HEADLINE else "suite", "", tally, planned.total(), tuple(METRICS))
    yield from _macro(suite, tally, planned.total())
    scopes: tuple[tuple[str, Callable[[TallyCell], str], tuple[str, ...]], ...] = (
        ("domain", lambda cell: cell.domain, tuple(METRICS)),
        ("rule", lambda cell: cell.rule, tuple(METRICS)),
        ("kind", lambda cell: cell.kind, tuple(METRICS)),
        ("cell", lambda cell: f"{cell.domain}{CELL}{cell.kind}", OF_CELLS),
        *((DIFFICULTY, partial(_level, feature), OF_CELLS) for feature in _features(planned)),
    )
    for scope, key_of, metrics in scopes:
        sizes: Counter[str] = Counter()
        for cell, count in planned.items():
            sizes[key_of(cell)] += count
        keys = sorted(sizes.keys() - {""})
        place = {key: number for number, key in enumerate(keys)}
        # A question that is not planned any more (its part was withdrawn) has no key here, and is in no figure.
        of_cell = np.array([place.get(key_of(cell), -1) for cell in tally.names], dtype=np.int64)
        of_row = of_cell[tally.cells] if len(tally.cells) else np.zeros(0, dtype=np.int64)
        for key in keys:
            rows = np.flatnonzero(of_row == place[key])
            yield from _whole(suite, scope, key, tally.take(rows), sizes[key], metrics)


def _features(planned: Iterable[TallyCell]) -> list[str]:
    """The features of difficulty that some questions have."""
    return sorted({feature for cell in planned for feature in cell.levels})


def _level(feature: str, cell: TallyCell) -> str:
    """Key of a feature and level; empty where a cell has none."""
    level = cell.levels.get(feature)
    return f"{feature}{CELL}{level}" if level is not None else ""


def _whole(
    suite: str, scope: str, key: str, tally: VerdictTally, planned: int, metrics: tuple[str, ...]
) -> Iterator[Figure]:
    delivered = tally.delivered
    share = delivered / planned if planned else None
    yield Figure(suite, scope, key, "delivered", share, None, None, delivered, planned, None, None)
    why = no_rate(delivered, planned, tally.unread)
    for metric in metrics:
        hits, of = METRICS[metric](tally)
        found = shares.of_sums(tally.groups, hits, of)
        yield _explained(_figure(suite, scope, key, metric, found, hits, of), why)
    if metrics is not OF_CELLS:
        yield from (_explained(_mean(suite, scope, key, metric, tally), why) for metric in MEANS)
        yield _all_right(suite, scope, key, tally)


def apart(scope: str, key: str, judged: VerdictTally, planned: Counter[TallyCell]) -> Iterator[Figure]:
    """Every metric of a part of the headline's questions, under a scope and key of its own."""
    yield from _whole(HEADLINE, scope, key, judged, planned.total(), tuple(METRICS))


def share(suite: str, scope: str, key: str, metric: str, groups: NDArray[np.int64], hits: Floats, of: Floats) -> Figure:
    """A clustered share as a figure; without a value where there is nothing to take it of.

    Args:
        suite, scope, key, metric: whose it is.
        groups: code of each row's cluster.
        hits: numerator of each row.
        of: denominator of each row.
    """
    return _figure(suite, scope, key, metric, shares.of_sums(groups, hits, of), hits, of)


def _mean(suite: str, scope: str, key: str, metric: str, tally: VerdictTally) -> Figure:
    sums, sizes = MEANS[metric](tally)
    found = shares.mean_of_sums(tally.groups, sums, sizes)
    if found is None:
        return Figure(suite, scope, key, metric, None, None, None, None, 0, None, None)
    least, most = INDEX_BOUNDS.get(metric, (-math.inf, math.inf))
    alone = found.clusters == 1
    low, high = (None, None) if alone else (max(least, found.low), min(most, found.high))
    return Figure(suite, scope, key, metric, found.mean, low, high, None, found.total, found.clusters, None)


def _macro(suite: str, tally: VerdictTally, planned: int) -> Iterator[Figure]:
    why = no_rate(tally.delivered, planned, tally.unread)
    of_rule = shares.codes([cell.of_rule for cell in tally.names])
    cells = of_rule[tally.cells] if len(tally.cells) else tally.cells
    for metric in OF_CELLS:
        hits, of = METRICS[metric](tally)
        found = shares.macro_of_sums(cells, tally.groups, hits, of)
        yield _explained(_figure(suite, "macro", "", metric, found, hits, of), why)


def _all_right(suite: str, scope: str, key: str, tally: VerdictTally) -> Figure:
    """Groups of which every wording was answered rightly: a group is the unit, so the interval needs no clusters."""
    _, units = np.unique(tally.units, return_inverse=True)
    right = np.bincount(units, weights=tally["right"]) == np.bincount(units, weights=tally["delivered"])
    total, hits = len(right), int(right.sum())
    if not total:
        return Figure(suite, scope, key, "group_all_right", None, None, None, 0, 0, 0, None)
    bounds = shares.wilson(hits / total, total)
    return Figure(suite, scope, key, "group_all_right", hits / total, *bounds, hits, total, total, None)


def no_rate(delivered: int, planned: int, unread: int, held: int = 0, most_unjudged: float = 1.0) -> str | None:
    """Why there is no hallucination rate, such as "100.0 % unread"; None where there is one (semantics.md §4.4).

    Args:
        delivered: responses that arrived.
        planned: responses wanted.
        unread: of those that arrived, those in which no verdict could be read.
        held: of those that arrived, those that were read and not judged.
        most_unjudged: share of those that arrived, above which `held` leaves no rate.
    """
    if not delivered:
        return "nothing delivered"
    lost, told = planned - delivered, []
    if lost > MAX_UNDELIVERED * planned:
        told.append(f"{100 * lost / planned:.1f} % undelivered")
    if unread > MAX_UNREAD * delivered:
        told.append(f"{100 * unread / delivered:.1f} % unread")
    if why := unjudged(held, delivered, most_unjudged):
        told.append(why)
    return ", ".join(told) or None


def unjudged(held: int, delivered: int, most: float) -> str | None:
    """Why there is no rate where too many responses were read and not judged, such as "7.1 % unjudged"."""
    return f"{100 * held / delivered:.1f} % unjudged" if held > most * delivered else None


def _explained(figure: Figure, why: str | None) -> Figure:
    """The figure, without its value and with the reason where it belongs to a headline that there is none of."""
    return without(figure, why) if figure.metric in OF_HEADLINE else figure


def without(figure: Figure, why: str | None) -> Figure:
    """The figure without its value and with the reason, beside one that it has; as it is where there is no reason."""
    if why is None:
        return figure
    reason = ", ".join(filter(None, (figure.no_rate_reason, why)))
    return figure._replace(value=None, low=None, high=None, clusters=None, design_effect=None, no_rate_reason=reason)


def _figure(
    suite: str, scope: str, key: str, metric: str, found: shares.ShareRate | None, hits: Floats, of: Floats
) -> Figure:
    counted, total = int(hits.sum()), int(of.sum())
    if found is None:
        return Figure(suite, scope, key, metric, None, None, None, counted, total, None, None)
    bounds = (found.rate, found.low, found.high)
    return Figure(suite, scope, key, metric, *bounds, counted, total, found.clusters, found.design_effect)
