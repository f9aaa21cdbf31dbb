"""A small part of a benchmark by which a model can be placed among others, and what its score on the whole would be.

Strata keep their place in the part. Within a stratum the items that tell abilities apart best are taken, once enough
models have shown which these are (Fisher's information of the item model: Lord 1980; van der Linden 2005); before that,
items are drawn. What is hard for everybody and what everybody knows tell little, so a plain mean over the part would be
off: the score is the mean, over the whole, of the chance that the item model gives an ability with these answers.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from halluvault_tasks.statistics.item_response import OF_ITEMS, Answers, Ints, ItemModel
from halluvault_tasks.statistics.shares import NORMAL, Floats

_ABILITIES: Floats = np.linspace(-8.0, 8.0, 129)
_WIDER = 1.3
"""How much wider than the models asked so far a new one is expected to be."""
_UNKNOWN = 2.0
"""The same, in logits, while fewer than three were asked."""
_CHECKED = 5
"""From so many models on they show how far the model itself is off."""
_EDGE = 1e-6


class CoreScore(NamedTuple):
    """Estimated mean over all questions, "don't know" counted as half right, with its 95 % interval."""

    value: float
    low: float
    high: float


class QuestionStrata(NamedTuple):
    """How questions lie in strata.

    Attributes:
        cells: code of each question's stratum.
        groups: code of each question's metamorphic group.
        order: a key for each question, by which equal ones are drawn (`seeds.drawn`).
    """

    cells: Ints
    groups: Ints
    order: Sequence[str]


class Estimator:
    """From answers to some of a benchmark's questions to the score on all of them."""

    def __init__(self, model: ItemModel, answers: Answers) -> None:
        """Make it.

        Args:
            model: fitted to `answers`.
            answers: of the models asked so far.
        """
        known = np.array([one.value for one in model.abilities])
        self.middle = float(known.mean()) if len(known) >= 3 else 0.0
        self.spread = _WIDER * max(0.5, float(known.std(ddof=1))) if len(known) >= 3 else _UNKNOWN
        self.chances = np.clip(model.chances(_ABILITIES), _EDGE, 1 - _EDGE)
        self.whole = self.chances.mean(axis=0)
        self.answers = answers

    def score(self, right: Floats, off: float = 0.0) -> CoreScore:
        """The score on all questions.

        Args:
            right: (questions) as `Answers.right`; NaN where nothing was asked or read.
            off: standard error that the model itself adds, from `misfit`.
        """
        belief = self._belief(right)
        value = float(belief @ self.whole)
        unseen = self.chances @ belief
        by_chance = float((unseen * (1 - unseen)).mean()) / len(unseen)  # the whole is one draw, too
        error = float(np.sqrt(belief @ (self.whole - value) ** 2 + by_chance + off**2))
        return CoreScore(value, max(0.0, value - NORMAL * error), min(1.0, value + NORMAL * error))

    def misfit(self, drawn: Ints) -> float:
        """Standard error beyond what chance explains, shown by the models that were asked everything; 0 for few.

        Args:
            drawn: questions that were drawn: on those that were chosen by these models' answers, they are no witnesses.
        """
        if self.answers.models < _CHECKED:
            return 0.0
        off, expected = list[float](), list[float]()
        for column in self.answers.right.T:
            part = np.full(len(column), np.nan)
            part[drawn] = column[drawn]
            found = self.score(part)
            off.append(found.value - float(np.nanmean(column)))
            expected.append((found.high - found.low) / (2 * NORMAL))
        beyond = float(np.mean(np.square(off)) - np.mean(np.square(expected)))
        return float(np.sqrt(max(0.0, beyond)))

    def choose(self, part: QuestionStrata, n: int) -> Ints:
        """Places of the questions of a core, ascending, each the one that adds most to what those before it tell.

        What counts is the error of the score, averaged over abilities like those of the models asked. Each stratum has
        its share: by what its questions tell would lean on those strata in which these models differ by chance.
        """
        slopes = np.gradient(self.chances, _ABILITIES, axis=1)
        information = slopes**2 / (self.chances * (1 - self.chances))
        weights = np.exp(self._prior()) * np.gradient(self.whole, _ABILITIES) ** 2
        left = shared_out(np.bincount(part.cells), n)
        told = np.full(len(_ABILITIES), self.spread**-2)
        first = np.argsort(part.order, kind="stable")  # of equal ones the first in this order is taken
        fresh, free, taken = np.ones(len(part.cells), dtype=bool), np.ones(len(part.cells), dtype=bool), list[int]()
        for _ in range(int(left.sum())):
            gain = information @ (weights / told**2)
            gain[~free | (left[part.cells] == 0)] = -2.0  # never
            gain[~fresh & (gain >= 0)] -= gain.max() + 1.0  # another wording of a fact only where no fact is left
            chosen = int(first[np.argmax(gain[first])])
            taken.append(chosen)
            left[part.cells[chosen]] -= 1
            free[chosen] = False
            fresh[part.groups == part.groups[chosen]] = False
            told += information[chosen]
        return np.array(sorted(taken), dtype=np.int64)

    def _prior(self) -> Floats:
        """Log weights of abilities, before an answer."""
        found: Floats = -0.5 * ((_ABILITIES - self.middle) / self.spread) ** 2
        return found

    def _belief(self, right: Floats) -> Floats:
        seen = ~np.isnan(right)
        chances, given = self.chances[seen], right[seen][:, None]
        logs = (given * np.log(chances) + (1 - given) * np.log1p(-chances)).sum(axis=0) + self._prior()
        belief = np.exp(logs - logs.max())
        found: Floats = belief / belief.sum()
        return found


def drawn(part: QuestionStrata, n: int) -> Ints:
    """Places of n drawn questions, ascending: each stratum its share, no fact twice while there are others."""
    left, used, taken = shared_out(np.bincount(part.cells), n), set[int](), []
    ranked = sorted(range(len(part.cells)), key=lambda item: part.order[item])
    for again in (False, True):
        for item in ranked:
            cell, group = int(part.cells[item]), int(part.groups[item])
            if left[cell] and (group not in used or (again and item not in taken)):
                left[cell] -= 1
                used.add(group)
                taken.append(item)
    return np.array(sorted(taken), dtype=np.int64)


def shared_out(sizes: Ints, n: int) -> Ints:
    """How many of n each stratum gets: in proportion to its questions, one at least, and none more than it has."""
    most = np.minimum(sizes, 1 if n >= np.count_nonzero(sizes) else 0).astype(np.int64)
    wanted = min(n, int(sizes.sum()))
    while most.sum() < wanted:
        # D'Hondt's next seat: whoever is farthest below its share.
        most[int(np.argmax(np.where(most < sizes, sizes / (most + 1), -1.0)))] += 1
    return most


def informative(answers: Answers) -> bool:
    """Whether enough models were asked to choose by items, not by strata alone."""
    return answers.models >= OF_ITEMS


def cells_of(*labels: Sequence[str]) -> NDArray[np.int64]:
    """Codes of the cells that several labels make together."""
    names = [" × ".join(one) for one in zip(*labels, strict=True)]
    return np.unique(names, return_inverse=True)[1].astype(np.int64)
