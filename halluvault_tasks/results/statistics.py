"""Rates with honest intervals: answers within a metamorphic group are not independent.

Formulas of `research/evals.md` §5. Question i has s_i ∈ {0, 1} and weight w_i (1/n for a plain rate); cluster g is
its metamorphic group. Clustered variance SE² = G/(G−1) · Σ_g (Σ_{i∈g} w_i (s_i − centre))² (Miller, arXiv:2411.00640,
with the finite-cluster factor); design effect = SE² / (p(1−p)/n); Wilson's interval on n_e = n / max(deff, 1).
"""

import math
from collections import defaultdict
from collections.abc import Hashable, Iterable, Sequence
from typing import NamedTuple

from scipy.stats import norm

LEVEL = 0.95
"""Confidence of every interval shown."""


class Item(NamedTuple):
    """One response: the group it belongs to, the cell (domain × rule) it counts for, and whether it errs."""

    group: str
    cell: Hashable
    error: bool


class Estimate(NamedTuple):
    """A rate with its interval.

    Attributes:
        rate: 0 to 1.
        low: lower end.
        high: upper end.
        groups: clusters.
        design_effect: None where the rate is 0 or 1 and the data cannot tell.
    """

    rate: float
    low: float
    high: float
    groups: int
    design_effect: float | None


class Share(NamedTuple):
    """A counted share with its interval: an `Estimate` with what it counts.

    Attributes:
        rate: 0 to 1.
        low: lower end.
        high: upper end.
        hits: numerator.
        total: denominator.
        clusters: groups behind the denominator.
        design_effect: as of an `Estimate`.
    """

    rate: float
    low: float
    high: float
    hits: int
    total: int
    clusters: int
    design_effect: float | None


class Bounds(NamedTuple):
    """An interval on [0, 1]."""

    low: float
    high: float


def wilson(rate: float, size: float, level: float = LEVEL) -> Bounds:
    """Wilson's score interval for a proportion observed on `size` independent units; size may be fractional."""
    z = float(norm.ppf((1 + level) / 2))
    denominator = 1 + z * z / size
    centre = (rate + z * z / (2 * size)) / denominator
    half = z * math.sqrt(rate * (1 - rate) / size + z * z / (4 * size * size)) / denominator
    return Bounds(max(0.0, min(rate, centre - half)), min(1.0, max(rate, centre + half)))


def rate(items: Sequence[Item], level: float = LEVEL) -> Estimate | None:
    """The share of errors, clustered by group; None for no items."""
    if not items:
        return None
    share = 1 / len(items)
    mean = sum(item.error for item in items) * share
    return _estimate(mean, ((item.group, share * (item.error - mean)) for item in items), len(items), level)


def clustered_share(outcomes: Iterable[tuple[str, bool]], level: float = LEVEL) -> Share | None:
    """The share of true outcomes, given as (cluster, outcome); None for none."""
    items = [Item(cluster, "", outcome) for cluster, outcome in outcomes]
    found = rate(items, level)
    if found is None:
        return None
    hits = sum(item.error for item in items)
    return Share(found.rate, found.low, found.high, hits, len(items), found.groups, found.design_effect)


def macro_rate(items: Sequence[Item], level: float = LEVEL) -> Estimate | None:
    """The mean over cells of each cell's share of errors, every cell equal; None for no items.

    The interval takes each cell's rate as its own centre and clusters over all cells, since a group may lie in
    several.
    """
    cells: dict[Hashable, list[Item]] = defaultdict(list)
    for item in items:
        cells[item.cell].append(item)
    if not cells:
        return None
    means = {cell: sum(item.error for item in members) / len(members) for cell, members in cells.items()}
    mean = sum(means.values()) / len(cells)
    parts = (
        (item.group, (item.error - means[cell]) / (len(cells) * len(members)))
        for cell, members in cells.items()
        for item in members
    )
    return _estimate(mean, parts, len(items), level)


def clustered_variance(parts: Iterable[tuple[str, float]]) -> tuple[float, int]:
    """Variance of a sum whose terms are independent between groups only, and the number of groups.

    Args:
        parts: (group, weighted deviation) of each item. With a single group the variance is infinite: one cluster
            says nothing about the spread between clusters.
    """
    sums: dict[str, float] = defaultdict(float)
    for group, deviation in parts:
        sums[group] += deviation
    count = len(sums)
    if count < 2:
        return math.inf, count
    return count / (count - 1) * math.fsum(total * total for total in sums.values()), count


def _estimate(mean: float, parts: Iterable[tuple[str, float]], size: int, level: float) -> Estimate:
    variance, groups = clustered_variance(parts)
    plain = mean * (1 - mean) / size
    if plain <= 0 or math.isinf(variance):
        # At 0 or 1 the answers show no spread, and with one group no spread between groups: only then is each
        # group taken as a single unit, the most cautious reading.
        bounds = wilson(mean, groups, level)
        return Estimate(mean, bounds.low, bounds.high, groups, None)
    effect = variance / plain
    bounds = wilson(mean, size / max(effect, 1.0), level)
    return Estimate(mean, bounds.low, bounds.high, groups, effect)
