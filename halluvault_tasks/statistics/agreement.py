"""Agreement of labellers: Krippendorff's α for nominal labels, and Cohen's κ of two."""

from collections import Counter
from collections.abc import Hashable, Mapping, Sequence
from typing import NamedTuple

import krippendorff

ENOUGH = 0.80
"""Least α of labels that a figure may depend on (*Hallucination Testing*)."""


class Agreement(NamedTuple):
    """How far labellers agree.

    Attributes:
        alpha: 1 for perfect agreement, 0 for chance; None where it is undefined.
        why: why it is undefined; else empty.
        units: things with at least two labels.
        labels: of these.
    """

    alpha: float | None
    why: str
    units: int
    labels: int


def nominal(units: Mapping[Hashable, Sequence[Hashable]]) -> Agreement:
    """Krippendorff's α (nominal), by the library of that name.

    Args:
        units: what was labelled → its labels; a unit with one label says nothing.
    """
    paired = {unit: labels for unit, labels in units.items() if len(labels) > 1}
    total = sum(len(labels) for labels in paired.values())
    if not paired:
        return Agreement(None, "nothing has two labels: one annotator cannot agree with anybody", 0, 0)
    values = list(dict.fromkeys(label for labels in paired.values() for label in labels))
    if len(values) == 1:
        why = "all labels are the same: there is no chance agreement to measure by"
        return Agreement(None, why, len(paired), total)
    counted = [Counter(labels) for labels in paired.values()]
    alpha = krippendorff.alpha(
        value_counts=[[each[value] for value in values] for each in counted], level_of_measurement="nominal"
    )
    return Agreement(float(alpha), "", len(paired), total)


def cohen(left: Sequence[str], right: Sequence[str]) -> float | None:
    """Cohen's κ of two labellers' labels, in the same order; None where all labels are the same."""
    if len({*left, *right}) < 2:
        return None
    from sklearn.metrics import cohen_kappa_score  # late: it takes seconds to import

    return float(cohen_kappa_score(left, right))
