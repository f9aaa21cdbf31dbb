"""A Gaussian on normal points, and how well it separates the rest: cross-fit, with bootstrap intervals."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from halluvault_tasks.statistics import LEVEL

Floats = NDArray[np.float64]

FOLDS = 5
DRAWS = 2000
SEED = 20260101
_RIDGE = 1e-6
"""Of a standardised variance: answers that are all alike still have a density."""


class Area(NamedTuple):
    """Area under the ROC curve, with a percentile bootstrap interval over points."""

    value: float
    low: float
    high: float


class HeldOutScores(NamedTuple):
    """Points scored by a density that never saw them.

    Attributes:
        scores: logarithm of the density, in standard units; shape (points,).
        below: whether the score lies at or below the threshold that the other folds chose.
    """

    scores: Floats
    below: NDArray[np.bool_]


def log_density(fit_on: Floats, points: Floats) -> Floats:
    """Logarithm of a Gaussian's density, fitted by maximum likelihood.

    Args:
        fit_on: normal points, shape (n, dimensions), n at least 2.
        points: shape (m, dimensions).

    Returns:
        Shape (m,), of standardised points, so that scores of several fits compare.
    """
    from scipy.stats import multivariate_normal  # late: it takes a second to import

    centre = fit_on.mean(axis=0)
    scale = np.maximum(fit_on.std(axis=0), 1e-9)
    standard = (fit_on - centre) / scale
    covariance = np.atleast_2d(np.cov(standard, rowvar=False, bias=True)) + _RIDGE * np.eye(fit_on.shape[1])
    return np.atleast_1d(multivariate_normal(np.zeros(fit_on.shape[1]), covariance).logpdf((points - centre) / scale))


def threshold(scores: Floats, bad: NDArray[np.bool_]) -> float:
    """The score at or below which a point counts as bad: where TPR − FPR is greatest (Youden), the lowest of these.

    It lies halfway to the next score: at the highest bad score itself, every further point that is a little less bad
    would pass, which left a planted rate of 30 % at 28.5.
    """
    cuts = np.unique(scores)
    found, alarms = (np.searchsorted(np.sort(of), cuts, "right") / len(of) for of in (scores[bad], scores[~bad]))
    best = int(np.argmax(found - alarms))
    return float(cuts[best : best + 2].mean())


def cross_fit(points: Floats, bad: NDArray[np.bool_], folds: int = FOLDS, seed: int = SEED) -> HeldOutScores | None:
    """Score every point by a Gaussian on the normal points of the other folds; None with too few of either kind.

    Args:
        points: shape (n, dimensions).
        bad: shape (n,); the others are normal.
        folds: of normal and bad points each.
        seed: of the folds.
    """
    if (~bad).sum() < 2 * folds or bad.sum() < folds:
        return None
    random = np.random.default_rng(seed)
    fold = np.empty(len(points), dtype=int)
    for kind in (bad, ~bad):
        places = random.permutation(np.flatnonzero(kind))
        fold[places] = np.arange(len(places)) % folds
    scores, below = np.empty(len(points)), np.empty(len(points), dtype=bool)
    for each in range(folds):
        held, rest = fold == each, fold != each
        fit_on = points[rest & ~bad]
        scores[held] = log_density(fit_on, points[held])
        below[held] = scores[held] <= threshold(log_density(fit_on, points[rest]), bad[rest])
    return HeldOutScores(scores, below)


def area(scores: Sequence[float] | Floats, bad: NDArray[np.bool_], seed: int = SEED, level: float = LEVEL) -> Area:
    """How often a bad point scores lower than a normal one; both kinds must be there."""
    given = -np.asarray(scores, dtype=float)
    random = np.random.default_rng(seed)
    normal, wrong = np.flatnonzero(~bad), np.flatnonzero(bad)
    drawn = []
    for _ in range(DRAWS):
        places = np.concatenate([random.choice(normal, len(normal)), random.choice(wrong, len(wrong))])
        drawn.append(_area(given[places], len(normal)))
    low, high = np.quantile(drawn, [(1 - level) / 2, (1 + level) / 2])
    whole = np.concatenate([given[normal], given[wrong]])
    return Area(_area(whole, len(normal)), float(low), float(high))


def _area(given: Floats, normal: int) -> float:
    """By ranks, as two thousand draws need it: normal points first."""
    ordered = np.sort(given[:normal])
    bad = given[normal:]
    lower, upper = np.searchsorted(ordered, bad, "left"), np.searchsorted(ordered, bad, "right")
    return float((lower + upper).mean() / (2 * normal))
