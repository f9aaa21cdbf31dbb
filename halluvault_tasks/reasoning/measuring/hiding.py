"""π: how often a true fact would be offered as false, were it alone not known (semantics.md §1.10.2).

Each fact is hidden with its inverse and what follows from it, its subject staying in; the chance that the nearness
would offer its object is counted over all that it offers there, not drawn.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from halluvault_tasks.reasoning.measuring.offers import Offers
from halluvault_tasks.reasoning.measuring.recorded import Ints

Floats = NDArray[np.float64]

ONE_SIDED = 1.6448536269514722
"""Normal quantile of a one-sided bound of 95 %."""
_FEW_HIT = 5  # subjects, or objects, with a hit, below which their spread is not known
_NONE_SEEN = 3.0  # so many, at most, stand behind none seen, one-sided 95 %


class HidingFigures(NamedTuple):
    """What hiding shows of some facts.

    Attributes:
        share: mean chance that a hidden fact is offered as false.
        high: its upper bound, one-sided 95 %, clustered by subject, by object and by what a chain's last step leads
            from, whichever is widest.
        facts: hidden ones beside which anything is offered.
        subjects: distinct.
        objects: distinct.
    """

    share: float
    high: float
    facts: int
    subjects: int
    objects: int


class Chances(NamedTuple):
    """Of each fact beside which anything is offered, the chance that it would itself be, were it not known."""

    s: Ints
    o: Ints
    last: Ints
    """What the last step leads from; the subject, where it is the only one."""

    chance: Floats
    """From 0 to 1."""

    offered: Ints
    """Offers beside it."""

    def part(self, places: Ints) -> "Chances":
        """Those at some places."""
        s, o, last, chance, offered = self
        return Chances(s[places], o[places], last[places], chance[places], offered[places])


def chances(offers: Offers) -> Chances:
    """Hide each fact by itself."""
    size = len(offers.s)
    others = np.bincount(offers.first[offers.free], minlength=size)
    own = np.bincount(offers.first[offers.same], minlength=size)
    asked = (others + own) > 0
    offered = (others + own)[asked]
    return Chances(offers.s[asked], offers.o[asked], offers.last[asked], own[asked] / offered, offered)


def hidden(found: Chances) -> HidingFigures:
    """Mean and bound over facts; a bound of 1 where there are none."""
    facts = len(found.chance)
    if not facts:
        return HidingFigures(0.0, 1.0, 0, 0, 0)
    share = float(found.chance.mean())
    bound = ONE_SIDED * max(_spread(found.chance - share, cluster) for cluster in (found.s, found.o, found.last))
    subjects, objects = len(np.unique(found.s)), len(np.unique(found.o))
    least, hit = min(subjects, objects, len(np.unique(found.last))), found.chance > 0
    if min(len(np.unique(found.s[hit])), len(np.unique(found.o[hit]))) < _FEW_HIT:
        # What is hardly ever hit shows no spread: as many hits more as may stand behind none.
        bound = max(bound, _NONE_SEEN / least * float((1 / found.offered).mean()))
    return HidingFigures(share, min(1.0, share + bound), facts, subjects, objects)


def _spread(deviations: Floats, cluster: Ints) -> float:
    """Standard error of a mean whose parts belong together in clusters (Miller, arXiv:2411.00640)."""
    _, of = np.unique(cluster, return_inverse=True)
    sums = np.bincount(of, weights=deviations)
    groups = len(sums)
    return float(np.sqrt((sums**2).sum() * groups / max(1, groups - 1)) / len(deviations)) if groups > 1 else 1.0
