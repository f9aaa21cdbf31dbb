"""Rates and means with honest intervals: answers within a group are not independent.

Question i has s_i and weight w_i (1/n for a plain rate); group g is its metamorphic group. Clustered variance
SE² = G/(G−1) · Σ_g (Σ_{i∈g} w_i (s_i − centre))² (Miller, arXiv:2411.00640, with the finite-cluster factor); design
effect = SE² / (p(1−p)/n); Wilson's interval on n_e = n / max(deff, 1) with Student's quantile for G − 1 degrees of
freedom in place of the normal one, since the design effect is itself estimated from G groups.
"""

import math
from collections.abc import Hashable, Iterable, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from halluvault_tasks.statistics import LEVEL

Floats = NDArray[np.float64]


class ShareRate(NamedTuple):
    """A share with its interval.

    Attributes:
        rate: 0 to 1.
        low: lower end of the interval.
        high: upper end.
        hits: numerator.
        total: denominator, responses.
        clusters: independent groups behind the denominator.
        design_effect: None where all agree (or there is one group), so that nothing shows how groups differ; then
            every group counts as one response, the most cautious reading.
    """

    rate: float
    low: float
    high: float
    hits: int
    total: int
    clusters: int
    design_effect: float | None


class Mean(NamedTuple):
    """A mean of real scores with its interval; `low` and `high` are infinite with a single group."""

    mean: float
    low: float
    high: float
    total: int
    clusters: int


class ShareBounds(NamedTuple):
    """An interval."""

    low: float
    high: float


NORMAL = 1.959963984540054
"""The two-sided normal quantile of `LEVEL`, which is wanted most, as scipy gives it."""


@lru_cache(maxsize=65_536)
def quantile(level: float = LEVEL, groups: int | None = None) -> float:
    """Two-sided quantile: Student's with groups − 1 degrees of freedom, the normal one without groups."""
    if groups is None and level == LEVEL:
        return NORMAL
    from scipy.special import ndtri, stdtrit  # half a second to import, which who judges or derives never needs

    if groups is None:
        return float(ndtri((1 + level) / 2))
    return float(stdtrit(groups - 1, (1 + level) / 2)) if groups > 1 else math.inf


def wilson(share: float, size: float, level: float = LEVEL, groups: int | None = None) -> ShareBounds:
    """Wilson's score interval for a share of `size` independent units; (0, 1) for none.

    Args:
        share: 0 to 1.
        size: may be fractional: an effective size.
        level: of confidence.
        groups: clusters that the size was estimated from; None where it was not estimated.
    """
    if size <= 0:
        return ShareBounds(0.0, 1.0)
    z = quantile(level, groups)
    if math.isinf(z):
        return ShareBounds(0.0, 1.0)
    scale = 1 + z * z / size
    centre = (share + z * z / (2 * size)) / scale
    half = z * math.sqrt(share * (1 - share) / size + z * z / (4 * size * size)) / scale
    return ShareBounds(max(0.0, min(share, centre - half)), min(1.0, max(share, centre + half)))


def rate(outcomes: Iterable[tuple[Hashable, bool]], level: float = LEVEL) -> ShareRate | None:
    """The share of true outcomes, given as (group, outcome); None for none."""
    listed = list(outcomes)
    groups = codes([group for group, _ in listed])
    hits = np.array([bool(outcome) for _, outcome in listed], dtype=float)
    return of_sums(groups, hits, np.ones(len(listed)), level)


def of_sums(groups: NDArray[Any], hits: Floats, sizes: Floats, level: float = LEVEL) -> ShareRate | None:
    """The share Σ hits / Σ sizes; None where nothing was counted.

    Args:
        groups: code of the group of each row, from 0; a group may have several rows.
        hits: numerator of each row.
        sizes: denominator of each row.
        level: of confidence.
    """
    total = float(sizes.sum())
    if total <= 0:
        return None
    share = float(hits.sum()) / total
    return _rate(share, groups, (hits - share * sizes) / total, float(hits.sum()), sizes, level)


def macro_of_sums(
    cells: NDArray[Any], groups: NDArray[Any], hits: Floats, sizes: Floats, level: float = LEVEL
) -> ShareRate | None:
    """The mean over cells of each cell's share, every cell equal; None where nothing was counted.

    The interval takes each cell's share as its own centre and clusters over all cells, since a group may lie in
    several. Arguments as of `of_sums`, with the code of each row's cell.
    """
    of_cell = np.bincount(cells, weights=sizes) if len(cells) else np.zeros(0)
    counted = of_cell > 0
    if not counted.any():
        return None
    shares = np.divide(np.bincount(cells, weights=hits), of_cell, out=np.zeros_like(of_cell), where=counted)
    weight = np.divide(1.0, of_cell, out=np.zeros_like(of_cell), where=counted) / counted.sum()
    deviations = (hits - shares[cells] * sizes) * weight[cells]
    return _rate(float(shares[counted].mean()), groups, deviations, float(hits.sum()), sizes, level)


def mean(groups: Sequence[Hashable], scores: Sequence[float], level: float = LEVEL) -> Mean | None:
    """The mean of real scores, clustered, with Student's interval; None for none.

    Raises:
        ValueError: a score is no finite number.
    """
    values = np.asarray(scores, dtype=float)
    if not np.isfinite(values).all():
        place = int(np.flatnonzero(~np.isfinite(values))[0])
        raise ValueError(f"score {place} is {values[place]}: only finite numbers have a mean")
    return mean_of_sums(codes(groups), values, np.ones(len(values)), level)


def mean_of_sums(groups: NDArray[Any], sums: Floats, sizes: Floats, level: float = LEVEL) -> Mean | None:
    """The mean Σ sums / Σ sizes of real scores; arguments as of `of_sums`, None where nothing was counted."""
    total = float(sizes.sum())
    if total <= 0:
        return None
    centre, asked = float(sums.sum()) / total, sizes > 0
    variance, count = clustered_variance(groups[asked], (sums - centre * sizes)[asked] / total)
    half = quantile(level, count) * math.sqrt(variance) if count > 1 else math.inf
    return Mean(centre, centre - half, centre + half, round(total), count)


def clustered_variance(groups: NDArray[Any], deviations: Floats) -> tuple[float, int]:
    """Variance of a sum whose terms are independent between groups only, and the number of groups.

    With a single group it is infinite: one cluster says nothing about the spread between clusters.
    """
    there = np.bincount(groups) > 0 if len(groups) else np.zeros(0, dtype=bool)
    count = int(there.sum())
    if count < 2:
        return math.inf, count
    # Only groups that are there: codes that other rows use would change the order of the sum, and so its last bit.
    sums = np.bincount(groups, weights=deviations)[there]
    return count / (count - 1) * float((sums * sums).sum()), count


def succession(successes: int, trials: int) -> float:
    """Laplace's rule: the chance that the next trial succeeds, (s + 1) / (n + 2).

    As Drowzee reports it: 270 of 270 gives 99.6 %. It knows nothing of clusters and is no bound.
    """
    return (successes + 1) / (trials + 2)


def codes(names: Sequence[Hashable]) -> NDArray[np.int64]:
    """A number from 0 for each distinct name, by first appearance."""
    known: dict[Hashable, int] = {}
    return np.array([known.setdefault(name, len(known)) for name in names], dtype=np.int64)


def _rate(
    share: float, groups: NDArray[Any], deviations: Floats, hits: float, sizes: Floats, level: float
) -> ShareRate:
    asked = sizes > 0
    total = float(sizes.sum())
    variance, count = clustered_variance(groups[asked], deviations[asked])
    plain = share * (1 - share) / total
    if plain <= 1e-15 or math.isinf(variance):
        # At 0 or 1 the answers show no spread, and with one group no spread between groups: only then is each
        # group taken as a single unit, the most cautious reading.
        bounds = wilson(share, count, level)
        return ShareRate(share, bounds.low, bounds.high, round(hits), round(total), count, None)
    effect = variance / plain
    bounds = wilson(share, total / max(effect, 1.0), level, count)
    return ShareRate(share, bounds.low, bounds.high, round(hits), round(total), count, effect)
