"""Intervals of statistics that are not means: F1, κ, balanced accuracy. Groups are resampled, never single answers."""

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np

from halluvault_tasks.statistics import LEVEL
from halluvault_tasks.statistics.shares import Floats

RESAMPLES = 2_000


class Ratio(NamedTuple):
    """A ratio with its percentile interval; the ends are None with a single group or where it is undefined."""

    value: float | None
    low: float | None
    high: float | None
    clusters: int


def ratio(
    statistic: Callable[..., Any],
    sums: Sequence[Floats],
    level: float = LEVEL,
    seed: int = 0,
    resamples: int = RESAMPLES,
) -> Ratio:
    """A function of totals, with a cluster bootstrap.

    Args:
        statistic: takes the totals in the order of `sums`, as arrays of one shape, and gives the ratio.
        sums: for each total, what each group adds to it; all of one length.
        level: of confidence.
        seed: of the resampling: the same figures give the same interval.
        resamples: at least 2,000 for 95 %.
    """
    from scipy.stats import bootstrap  # late: it takes a second to import

    groups = len(sums[0])

    def of_totals(*parts: Any, axis: int = -1) -> Any:
        with np.errstate(divide="ignore", invalid="ignore"):
            return statistic(*(np.asarray(part).sum(axis=axis) for part in parts))

    value = float(of_totals(*sums)) if groups else float("nan")
    if not np.isfinite(value):
        return Ratio(None, None, None, groups)
    if groups < 2:
        return Ratio(value, None, None, groups)
    found = bootstrap(
        tuple(sums), of_totals, n_resamples=resamples, batch=max(1, 2_000_000 // groups), vectorized=True, paired=True,
        confidence_level=level, method="percentile", rng=np.random.default_rng(seed),
    )  # fmt: skip
    drawn = found.bootstrap_distribution[np.isfinite(found.bootstrap_distribution)]
    if not len(drawn):
        return Ratio(value, None, None, groups)
    low, high = np.quantile(drawn, [(1 - level) / 2, (1 + level) / 2])
    return Ratio(value, float(low), float(high), groups)


def f1(right: Any, found: Any, true: Any) -> Any:
    """F1 from hits, flagged and true totals."""
    return 2 * right / (found + true)


def balanced_accuracy(true_yes: Any, yes: Any, true_no: Any, no: Any) -> Any:
    """Mean of TPR and TNR."""
    return (true_yes / yes + true_no / no) / 2


def kappa(both: Any, one: Any, other: Any, total: Any) -> Any:
    """Cohen's κ of two yes/no raters: both yes, yes of each, and the number of items."""
    neither = total - one - other + both
    chance = (one * other + (total - one) * (total - other)) / (total * total)
    agreed = (both + neither) / total
    return (agreed - chance) / (1 - chance)
