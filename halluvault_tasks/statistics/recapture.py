"""How many of the statements that a source lacks are false, from how complete the source is (capture and recapture).

A fact that a source may record in two places (from either end) shows how complete each place is: of what one place
states, the other has a share c (Lincoln and Petersen). A true statement then has support with probability
C = 1 − Π (1 − c) over the places where its support could be. S supported true statements imply X ~ NB(S + ½, C) true
ones without support (Jeffreys' prior on how many true ones are made); of U without support U − X are false. If the same
hand fills both places, c is too high, X too low, and U − X an upper estimate.
"""

from collections.abc import Hashable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from halluvault_tasks.statistics import LEVEL

DRAWS = 4_000


class Recorded(NamedTuple):
    """One place: of `of` facts that it must have, it has `hits`."""

    hits: int
    of: int


class Stratum(NamedTuple):
    """Statements whose support could be in the same places; none of them chosen for being supported.

    Attributes:
        places: keys of these places, once each time.
        supported: statements that have support.
        unsupported: statements that have none, and that nothing denies.
    """

    places: tuple[Hashable, ...]
    supported: int
    unsupported: int


class Expected(NamedTuple):
    """False ones among the unsupported.

    Attributes:
        value: expected number.
        low, high: ends of its interval.
        unsupported: out of so many.
    """

    value: float
    low: float
    high: float
    unsupported: int


def expected_false(
    strata: Sequence[Stratum], recorded: Mapping[Any, Recorded], level: float = LEVEL, seed: int = 0
) -> Expected | None:
    """How many of the unsupported are false; None where nothing is unsupported.

    Args:
        strata: all with at least one place.
        recorded: what is known of every place; strata that share one are uncertain together.
        level: of the interval.
        seed: of the draws: the same figures give the same interval.

    Raises:
        KeyError: nothing is known of a place.
    """
    total = sum(one.unsupported for one in strata)
    if not total:
        return None
    random = np.random.default_rng(seed)
    needed = sorted({place for one in strata for place in one.places}, key=str)
    missed = {
        place: 1 - random.beta(recorded[place].hits + 0.5, recorded[place].of - recorded[place].hits + 0.5, DRAWS)
        for place in needed
    }
    false = np.zeros(DRAWS)
    for one in strata:
        if one.unsupported:
            lacking = np.prod([missed[place] for place in one.places], axis=0)
            true = random.negative_binomial(one.supported + 0.5, np.maximum(1 - lacking, 1e-6), DRAWS)
            false += one.unsupported - true
    # Cut off at the sum and not before: a stratum by chance below 0 makes up for one above.
    false = np.clip(false, 0, total)
    low, high = np.quantile(false, [(1 - level) / 2, (1 + level) / 2])
    return Expected(float(false.mean()), float(low), float(high), total)
