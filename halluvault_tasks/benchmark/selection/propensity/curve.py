"""How well a model that never saw an entity tells right from wrong by figures alone: cross-fitted, as an area."""

from collections.abc import Collection, Sequence
from typing import Any, NamedTuple

import numpy as np
import scipy  # of its parts each is imported where it is first used: some take a second
from numpy.typing import NDArray

_FOLDS = 5

HUB = 20
"""Pairs from which on an item joins nothing: one country would hold half of all pairs together. Of such an item a
model has seen other pairs, which makes the gate no milder."""

Floats = NDArray[np.float64]


class PairSample(NamedTuple):
    """Pairs of items that are asked about.

    Attributes:
        figures: shape (pairs, figures).
        truth: shape (pairs,); whether the pair is true.
        blocks: shape (pairs,); pairs of one block are never parted.
        ends: shape (pairs, 2); both items.
    """

    figures: Floats
    truth: NDArray[np.bool_]
    blocks: NDArray[np.int64]
    ends: NDArray[np.int64]

    @property
    def size(self) -> int:
        """Pairs."""
        return len(self.truth)

    def take(self, rows: NDArray[Any]) -> "PairSample":
        """Some of the pairs, by place or mask."""
        return PairSample(*(column[rows] for column in self))


def propensity(sample: PairSample) -> Floats:
    """How true each pair looks to a model that was fitted on pairs of other blocks and entities; .5 where none can be.

    Gradient boosting over the figures, five folds. Scores are rounded, so that they are the same on every machine.
    """
    from sklearn.ensemble import HistGradientBoostingClassifier  # a second to import, and needed at a freeze only
    from sklearn.model_selection import GroupKFold
    from threadpoolctl import threadpool_limits

    scores, groups = np.full(sample.size, 0.5), _together(sample)
    folds = min(_FOLDS, len(set(groups.tolist())))
    if folds < 2:
        return scores
    # So little is to be fitted that threads wait for each other longer than they work.
    with threadpool_limits(1):
        for train, test in GroupKFold(n_splits=folds).split(sample.figures, groups=groups):
            if len(set(sample.truth[train].tolist())) == 2:
                model = HistGradientBoostingClassifier(max_depth=3, max_iter=50, early_stopping=False, random_state=0)
                model.fit(sample.figures[train], sample.truth[train])
                scores[test] = model.predict_proba(sample.figures[test])[:, 1]
    return np.round(scores, 9)


def area(scores: Floats, truth: NDArray[np.bool_]) -> float:
    """How often a true pair scores higher than a false one (a tie is half); .5 where there are not both."""
    right, wrong = int(truth.sum()), int((~truth).sum())
    if not right or not wrong:
        return 0.5
    return float((scipy.stats.rankdata(scores)[truth].sum() - right * (right + 1) / 2) / (right * wrong))


def strongest(sample: PairSample, names: Sequence[str]) -> str:
    """The figure that tells most by itself, with its own area."""
    alone = [area(sample.figures[:, at], sample.truth) for at in range(sample.figures.shape[1])]
    best = max(range(len(alone)), key=lambda at: abs(alone[at] - 0.5))
    return f"{names[best]} ({alone[best]:.2f} by itself)"


def telling(
    sample: PairSample, scores: Floats, low: float, high: float, last: Collection[int] = ()
) -> NDArray[np.int64]:
    """The fewest blocks without which the area lies within these bounds, those first that tell most; ascending.

    A block tells as far as its true pairs rank above its false ones, or below where the area lies below.

    Args:
        sample: what is measured.
        scores: of its pairs.
        low, high: bounds.
        last: blocks that go only after all others.
    """
    found = area(scores, sample.truth)
    if low <= found <= high:
        return np.zeros(0, dtype=np.int64)
    leaning = (
        np.where(sample.truth, 1.0, -1.0)
        * (scipy.stats.rankdata(scores) - (len(scores) + 1) / 2)
        * np.sign(found - 0.5)
    )
    numbers, where = np.unique(sample.blocks, return_inverse=True)
    tilt = np.round(np.bincount(where, weights=leaning), 6)
    order = numbers[np.lexsort((numbers, -tilt, np.isin(numbers, sorted(last))))]

    def within(gone: int) -> bool:
        """Whether it leans that way no more; a step too far is mended by the next fit, not by taking more."""
        rest = ~np.isin(sample.blocks, order[:gone])
        left = area(scores[rest], sample.truth[rest])
        return left <= high if found > high else left >= low

    few, many = 0, len(order)
    while many - few > 1:
        between = (few + many) // 2
        few, many = (few, between) if within(between) else (between, many)
    return np.sort(order[:many])


def _together(sample: PairSample) -> NDArray[np.int64]:
    """Which pairs must stand in one fold: those of a block, and those that share an item which is no hub."""
    items, places, times = np.unique(sample.ends, return_inverse=True, return_counts=True)
    _, blocks = np.unique(sample.blocks, return_inverse=True)
    rows, each = sample.size, np.repeat(np.arange(sample.size), 2)
    joins = times[places.reshape(-1)] <= HUB
    left = np.concatenate([np.arange(rows), each[joins]])
    right = rows + np.concatenate([len(items) + blocks, places.reshape(-1)[joins]])
    size = rows + len(items) + int(blocks.max(initial=-1)) + 1
    graph = scipy.sparse.csr_array((np.ones(len(left)), (left, right)), shape=(size, size))
    _, labels = scipy.sparse.csgraph.connected_components(graph, directed=False)
    together: NDArray[np.int64] = labels[:rows].astype(np.int64)
    return together
