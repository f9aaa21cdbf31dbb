"""Rates over planted responses with Wilson bounds on the cluster-effective size.

Formulas of research/evals.md section 5, as the results room has them for real responses; a test holds the two to one
figure. A cluster is a seed fact: responses on one premise succeed and fail together.
"""

import math
from collections import defaultdict
from collections.abc import Iterable
from typing import NamedTuple

from scipy.stats import norm

LEVEL = 0.95
"""Confidence of every interval."""


class Rate(NamedTuple):
    """A share with its interval.

    Attributes:
        rate: 0 to 1.
        low: lower end of the Wilson interval.
        high: upper end.
        hits: numerator.
        total: denominator, responses.
        clusters: seed facts behind the denominator.
        design_effect: None where all responses agree, so that nothing shows how clusters differ; then every cluster
            counts as one response, the most cautious reading.
    """

    rate: float
    low: float
    high: float
    hits: int
    total: int
    clusters: int
    design_effect: float | None


def rate(outcomes: Iterable[tuple[str, bool]], level: float = LEVEL) -> Rate | None:
    """The share of true outcomes, given as (cluster, outcome); None for none."""
    listed = list(outcomes)
    if not listed:
        return None
    total, hits = len(listed), sum(outcome for _, outcome in listed)
    share = hits / total
    sums: dict[str, float] = defaultdict(float)
    for cluster, outcome in listed:
        sums[cluster] += (outcome - share) / total
    clusters = len(sums)
    plain = share * (1 - share) / total
    effect = None
    size: float = clusters
    if plain > 0 and clusters > 1:
        variance = clusters / (clusters - 1) * math.fsum(summed * summed for summed in sums.values())
        effect = variance / plain
        size = total / max(effect, 1.0)
    low, high = wilson(share, size, level)
    return Rate(share, low, high, hits, total, clusters, effect)


def wilson(share: float, size: float, level: float = LEVEL) -> tuple[float, float]:
    """Wilson's score interval on `size` independent units, which may be fractional."""
    z = float(norm.ppf((1 + level) / 2))
    scale = 1 + z * z / size
    centre = (share + z * z / (2 * size)) / scale
    half = z * math.sqrt(share * (1 - share) / size + z * z / (4 * size * size)) / scale
    return max(0.0, min(share, centre - half)), min(1.0, max(share, centre + half))


def succession(successes: int, trials: int) -> float:
    """Laplace's rule: the chance that the next trial succeeds, (s + 1) / (n + 2).

    As Drowzee reports it: 270 of 270 gives 99.6 %. It knows nothing of clusters and is no bound.
    """
    return (successes + 1) / (trials + 2)
