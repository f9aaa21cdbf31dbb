"""Counts that differ by more than chance: the beta-binomial, and what it holds of a past.

Editors work in bulk: one run of a bot removes hundreds of statements of one property. So the share that a class loses
in a month is no coin's, but itself drawn from a beta distribution with mean m and variance m(1 − m)ρ; the loss is
beta-binomial. ρ is estimated by moments over all counts, equally weighted (Kleinman, J. Am. Stat. Assoc. 68:46–54,
1973): of shares p_i = x_i / n_i

    E (p_i − m)² = m(1 − m) · (ρ + (1 − ρ) / n_i).
"""

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


def estimated(lost: Floats, of: Floats, before: Spread, weight: float) -> Spread:
    """The spread of a past, with what was held before anything was seen counted as so many counts of it.

    Args:
        lost: of each count, what it lost.
        of: of each count, its rows; at least 2.
        before: held before.
        weight: counts that it is worth.
    """
    if not lost.any():
        mean, rho = 0.0, before.rho  # nothing tells how it would vary
    else:
        mean = float(lost.sum() / of.sum())
        alike = mean * (1 - mean)
        around = (lost / of - mean) ** 2 - alike / of
        rho = float(np.clip(around.sum() / (alike * (1 - 1 / of)).sum(), 0, 1))
    seen = len(lost) / (len(lost) + weight)
    return Spread(*(seen * found + (1 - seen) * held for found, held in zip((mean, rho), before, strict=True)))
