"""Counts that differ by more than chance: the beta-binomial, and what it holds of a past.

Editors work in bulk: one run of a bot removes hundreds of statements of one property. So the share that a class loses
in a month is no coin's, but itself drawn from a beta distribution with mean m and variance m(1 − m)ρ; the loss is
beta-binomial. m and ρ are estimated by moments over all counts (Kleinman, J. Am. Stat. Assoc. 68:46–54, 1973,
equal weights): with shares p_i = x_i / n_i,

    m = Σ x_i / Σ n_i,    Σ (p_i − m)² / N = m(1 − m) · (ρ + (1 − ρ) · Σ (1 / n_i) / N).
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

_LEAST_RHO = 1e-6
_LEAST_MEAN = 1e-6


class Spread(NamedTuple):
    """A beta-binomial.

    Attributes:
        mean: expected share, 0 to 1.
        rho: correlation of two rows of one count: 0 is plain chance, 1 is all or nothing.
    """

    mean: float
    rho: float

    def over(self, times: float) -> "Spread":
        """The same over several of its periods, each drawn anew: the mean and the variance add up."""
        return self._replace(mean=1 - (1 - self.mean) ** times)

    def chance(self, lost: int, of: int) -> float:
        """Chance of losing so many of a count or more."""
        from scipy.special import logsumexp  # late: only where a gate is judged
        from scipy.stats import betabinom

        if lost <= 0:
            return 1.0
        mean, rho = max(self.mean, _LEAST_MEAN), max(self.rho, _LEAST_RHO)
        strength = 1 / rho - 1
        tail = betabinom.logpmf(np.arange(lost, of + 1), of, mean * strength, (1 - mean) * strength)
        return min(1.0, float(np.exp(logsumexp(tail))))


def estimated(lost: Sequence[float] | Floats, of: Sequence[float] | Floats, before: Spread, weight: float) -> Spread:
    """The spread of a past, with what was held before anything was seen counted as so many counts of it.

    Args:
        lost: of each count, what it lost.
        of: of each count, its rows; at least 1.
        before: held before.
        weight: counts that it is worth.
    """
    x, n = np.asarray(lost, dtype=float), np.asarray(of, dtype=float)
    if not len(x):
        return before
    mean = float(x.sum() / n.sum())
    share = len(x) / (len(x) + weight)
    centre = share * mean + (1 - share) * before.mean
    chance = float((1 / n).mean())
    around = float(((x / n - mean) ** 2).mean())
    alike = mean * (1 - mean)
    rho = min(max((around / alike - chance) / (1 - chance), 0.0), 1.0) if alike and chance < 1 else 0.0
    return Spread(centre, share * rho + (1 - share) * before.rho)
