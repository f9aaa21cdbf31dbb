"""How many foils of a class are false, by how many later months have refuted and how fast what is missing is added.

A foil that is false is a statement that is missing. Of what is missing a share h is added in a year; so if q of the
foils are false, h · q of them are refuted in a year: q = (refuted ÷ foil-years) ÷ h, where h = statements added at
subjects with a value ÷ (estimated missing · years). Both counts are taken as Poisson; given their sum the refuted are
binomial, so that Clopper and Pearson's bounds, one-sided 95 %, hold for the ratio of the two.
"""

import math
from collections.abc import Sequence
from typing import NamedTuple

import scipy  # of its parts each is imported where it is first used: some take a second

MOST = 0.002
"""Above this the lower bound of q closes a class."""

AT_ONCE = 10
"""More subjects than this refuted by one month, and more than `MOST` of its foils, are no chance: a source changed."""

_LEVEL = 0.95


class FollowedMonth(NamedTuple):
    """What one month says of a class; as `followed_month` has it."""

    years: float
    followed: int
    refuted: int
    events: int
    added: int
    subjects: int

    @property
    def at_once(self) -> bool:
        """Whether it refutes so many that a source must have changed."""
        return self.events > max(AT_ONCE, MOST * self.followed)


class Waited(NamedTuple):
    """What all months say of a class.

    Attributes:
        foil_years: years times foils that nothing had refuted.
        events: refuted, each subject once.
        added: share of what is missing that is added in a year; None where nothing was missing or no time went by.
        q: share of the foils that are false; None where nothing was added, so that nothing is known.
        low, high: its bounds.
    """

    foil_years: float
    events: int
    added: float | None
    q: float | None
    low: float
    high: float


def waited(months: Sequence[FollowedMonth], missing: float) -> Waited:
    """What is known of a class.

    Args:
        months: each that was looked into.
        missing: estimated true values that the source lacks, by subject with a value.
    """
    foil_years = sum(one.years * one.followed for one in months)
    events, added = sum(one.events for one in months), sum(one.added for one in months)
    lacking = missing * sum(one.subjects * one.years for one in months)
    if not foil_years or not lacking:
        return Waited(foil_years, events, None, None, 0.0, 1.0)
    scale = lacking / foil_years
    low = _ratio(float(scipy.special.betaincinv(events, added + 1, 1 - _LEVEL))) * scale if events else 0.0
    high = _ratio(float(scipy.special.betaincinv(events + 1, added, _LEVEL))) * scale if added else math.inf
    q = events / added * scale if added else None
    return Waited(foil_years, events, added / lacking, q, min(low, 1.0), min(high, 1.0))


def _ratio(share: float) -> float:
    return share / (1 - share) if share < 1 else math.inf
