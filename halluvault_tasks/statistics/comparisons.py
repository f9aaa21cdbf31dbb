"""Two participants on the questions that both answered: difference, interval, p, and the questions that would decide.

Question i has d_i = s_A − s_B; group g sums D_g = Σ d_i over its n_g shared questions. The difference is
d̄ = Σ D_g / n with SE² = G/(G−1) · Σ_g (D_g − d̄ n_g)² / n² and Student's quantile for G − 1 degrees of freedom. p is a
cluster sign-flip test: were A and B alike, each D_g had either sign with equal chance. McNemar's test takes wordings of
one fact for independent answers, and rejects a true null in 15 % of runs where this rejects in 5 %.
"""

import math
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np
import scipy  # of its parts each is imported where it is first used: some take a second
from numpy.typing import NDArray

from halluvault_tasks.statistics import LEVEL
from halluvault_tasks.statistics.shares import Floats, quantile, wilson

FLIPS = 9_999
"""Sign vectors drawn: the least p is 1 / (FLIPS + 1), fine enough for Holm over 190 pairs."""

POWER = 0.8
SEED = 20_26
_EXACT = 12  # up to this many groups that differ, every sign vector is tried
_CHUNK = 500
_TIE = 1e-4  # sums of shares of samples that are equal but for rounding count as equal


class PairedDifference(NamedTuple):
    """A − B, paired.

    Attributes:
        difference: mean of A minus mean of B over the shared questions.
        low, high: ends of its interval.
        p: two-sided, cluster sign-flip; 1 where nothing differs.
        shared: questions that both answered.
        groups: clusters of them.
        error: clustered standard error; 0 where the groups show no spread.
    """

    difference: float
    low: float
    high: float
    p: float
    shared: int
    groups: int
    error: float


def paired(
    groups: NDArray[Any], differences: Floats, level: float = LEVEL, seed: int = SEED
) -> PairedDifference | None:
    """One comparison: code of the group of each shared question, and its d_i; None without a shared question."""
    if not len(groups):
        return None
    sums = np.bincount(groups, weights=differences).astype(np.float64)
    sizes = np.bincount(groups).astype(np.float64)
    return paired_sums(sums[:, None], sizes[:, None], level, seed)[0]


def paired_sums(sums: Floats, sizes: Floats, level: float = LEVEL, seed: int = SEED) -> list[PairedDifference | None]:
    """Many comparisons over the same groups at once.

    Args:
        sums: (G, K): D_g of each comparison.
        sizes: (G, K): shared questions of each group; 0 where the comparison has none there.
        level: of confidence.
        seed: of the sign vectors, which all comparisons share.

    Returns:
        K differences; None where nothing is shared.
    """
    ps = sign_flip(sums, seed)
    return [_difference(sums[:, k], sizes[:, k], float(ps[k]), level) for k in range(sums.shape[1])]


def _difference(sums: Floats, sizes: Floats, p: float, level: float) -> PairedDifference | None:
    shared = float(sizes.sum())
    if shared <= 0:
        return None
    count = int((sizes > 0).sum())
    mean = float(sums.sum()) / shared
    error = 0.0
    if count > 1:
        spread = (sums - mean * sizes) / shared
        error = math.sqrt(count / (count - 1) * float((spread * spread).sum()))
    if error > 1e-12:
        half = quantile(level, count) * error
    else:
        # No group differs from another: as for a rate of 0, what each group might have shown as a single unit.
        half = wilson(0.0, count, level).high if count > 1 else math.inf
    return PairedDifference(mean, max(-1.0, mean - half), min(1.0, mean + half), p, round(shared), count, error)


def sign_flip(sums: Floats, seed: int = SEED, flips: int = FLIPS) -> Floats:
    """Two-sided p of each column's sum when every row's sign is a coin; exact for few rows that are not 0.

    A column's p depends on its own rows and their number alone, not on the columns beside it.
    """
    rows, columns = sums.shape
    found = np.empty(columns)
    differing = (sums != 0).sum(axis=0)
    for k in np.flatnonzero(differing <= _EXACT):
        values = sums[sums[:, k] != 0, k]
        found[k] = (np.abs(_every(len(values)) @ values) >= abs(values.sum()) - _TIE).mean()
    many = np.flatnonzero(differing > _EXACT)
    if len(many):
        values = np.ascontiguousarray(sums[:, many], dtype=np.float32)
        limits = np.abs(values.sum(axis=0)) - _TIE
        reached = np.zeros(len(many))
        for signs in _drawn(rows, flips, seed):
            reached += (np.abs(signs @ values) >= limits).sum(axis=0)
        found[many] = (reached + 1) / (flips + 1)
    return found


def _every(rows: int) -> NDArray[np.float64]:
    return (1 - 2 * (np.arange(2**rows)[:, None] >> np.arange(rows) & 1)).astype(np.float64)


def _drawn(rows: int, flips: int, seed: int) -> Iterator[NDArray[np.float32]]:
    random = np.random.default_rng(seed)
    for start in range(0, flips, _CHUNK):
        height = min(_CHUNK, flips - start)
        packed = np.frombuffer(random.bytes(height * -(-rows // 8)), dtype=np.uint8).reshape(height, -1)
        yield 1 - 2 * np.unpackbits(packed, axis=1)[:, :rows].astype(np.float32)


def above(found: PairedDifference, margin: float) -> float:
    """One-sided p against "A − B is at most `margin`": small where A is shown to be above it.

    Student's test on the clustered error; where the groups show no spread, 0 or 1 as the interval lies.
    """
    if found.error <= 1e-12:
        return 0.0 if found.low > margin else 1.0
    return float(scipy.special.stdtr(found.groups - 1, (margin - found.difference) / found.error))


def below(found: PairedDifference, margin: float) -> float:
    """One-sided p against "A − B is at least `margin`": small where A is shown to be below it."""
    if found.error <= 1e-12:
        return 0.0 if found.high < margin else 1.0
    return float(scipy.special.stdtr(found.groups - 1, (found.difference - margin) / found.error))


class RankInterval(NamedTuple):
    """Where one of M participants stands: 1 + those shown to be better, to M − those shown to be worse."""

    low: int
    high: int


def rank_intervals(sums: Floats, sizes: Floats, level: float = LEVEL) -> list[RankInterval]:
    """Of means of the same questions, who may stand where.

    All M(M − 1) one-sided tests, paired by question and clustered, after Holm: with probability `level` every interval
    holds its participant's true rank (semantics.md §4.4).

    Args:
        sums: (G, M): what each participant's answers to a group's questions add up to.
        sizes: (G, M): how many there are.
        level: of confidence.
    """
    groups, participants = sums.shape
    if participants < 2 or groups < 2:
        return [RankInterval(1, participants)] * participants
    totals = sizes.sum(axis=0)
    means = sums.sum(axis=0) / totals
    # What each group adds to a mean's deviation: the covariance of two means is that of these.
    deviations = (sums - means * sizes) / totals
    together = groups / (groups - 1) * deviations.T @ deviations
    own = np.diag(together)
    error = np.sqrt(np.maximum(own[:, None] + own[None, :] - 2 * together, 0.0))
    apart = means[:, None] - means[None, :]
    with np.errstate(divide="ignore", invalid="ignore"):
        ps = np.where(error > 1e-12, scipy.special.stdtr(groups - 1, -apart / error), np.where(apart > 1e-12, 0.0, 1.0))
    # Where no group differs from another the error is nought; the signs of so many groups can show no more than this.
    ps = np.maximum(ps, 0.5**groups)
    others = ~np.eye(participants, dtype=bool)
    shown = np.zeros_like(others)
    shown[others] = np.array(holm(ps[others].tolist())) <= 1 - level
    better, worse = shown.sum(axis=0), shown.sum(axis=1)
    return [RankInterval(1 + int(b), participants - int(w)) for b, w in zip(better, worse, strict=True)]


def needed(found: PairedDifference, margin: float = 0.0, level: float = LEVEL, power: float = POWER) -> int | None:
    """Questions that would tell the observed difference from `margin` with this power; None if they are the same.

    n' = n · ((z_{α/2} + z_β) · SE / |d̄ − margin|)²: the design effect and the share of questions on which the two
    differ are taken to stay as they are.
    """
    gap = abs(found.difference - margin)
    if gap < 1e-9 or found.error <= 1e-12:
        return None
    factor = (float(scipy.special.ndtri((1 + level) / 2)) + float(scipy.special.ndtri(power))) * found.error / gap
    return math.ceil(found.shared * factor * factor)


def holm(ps: Sequence[float]) -> list[float]:
    """Adjusted p values that hold the chance of any false rejection: for gates (Holm 1979)."""
    # statsmodels' function of the name runs the garbage collector each time: seconds, where a process holds a month.
    if not len(ps):
        return []
    order = np.argsort(ps, kind="stable")
    stepped = np.maximum.accumulate(np.asarray(ps)[order] * np.arange(len(ps), 0, -1))
    adjusted = np.empty(len(ps))
    adjusted[order] = np.minimum(stepped, 1.0)
    return [float(p) for p in adjusted]


def benjamini_hochberg(ps: Sequence[float]) -> list[float]:
    """Adjusted p values that hold the share of false ones among rejections: for boards of many pairs."""
    from scipy.stats import false_discovery_control  # late: it takes a second to import

    return [float(p) for p in false_discovery_control(list(ps))] if len(ps) else []
