"""How far two people agree, how far an oracle agrees with them, and how that corrects a measured rate."""

import math
from collections import Counter
from collections.abc import Mapping
from typing import NamedTuple

from halluvault_tasks.oracles.measure.responses import CONVICTING
from halluvault_tasks.results.annotation_sheets import CATEGORIES, AnnotatorSheet, Key, Shown
from halluvault_tasks.statistics import LEVEL
from halluvault_tasks.statistics.agreement import cohen, nominal
from halluvault_tasks.statistics.shares import ShareRate, quantile, rate

LEAST_LABELS = 200
"""Human labels on real responses below which no rate is corrected (semantics.md section 4.5)."""

LEAST_OF_MODEL = 50
LEAST_YOUDEN = 0.3
"""TPR + TNR − 1 must be above this at its lower bound."""


class AnnotatorAgreement(NamedTuple):
    """Two annotators on the items that both labelled."""

    items: int
    same: int
    alpha: float | None
    """Krippendorff's α over the categories; None where only one category was used or nothing is shared."""

    kappa: float | None
    """Cohen's κ over the categories."""

    alpha_binary: float | None
    """Krippendorff's α on hallucination or not."""

    kappa_binary: float | None


class Quality(NamedTuple):
    """An oracle compared with the items on which both annotators agree."""

    profile: str
    version: str
    items: int
    tpr: ShareRate | None
    """Rate of hallucinations that it flags; clustered by metamorphic group."""

    tnr: ShareRate | None
    """Rate of sound responses that it passes."""

    category: ShareRate | None
    """Rate whose category is the people's."""

    precision: ShareRate | None
    """Rate of hallucinations among those that it flags."""

    hallucinated: float
    """Rate of hallucinations: a constant verdict would have TPR 1 and TNR 0, or the reverse."""


class Measured(NamedTuple):
    """What an oracle makes of one model."""

    model: str
    flagged: int
    """Its responses that the oracle flags."""

    delivered: int
    simulated: bool
    """As its server said, whatever its name in models.yaml."""


class Corrected(NamedTuple):
    """A rate after Rogan and Gladen, or why there is none."""

    model: str
    measured: float
    rate: float | None
    low: float | None
    high: float | None
    reason: str


def agreement(one: AnnotatorSheet, other: AnnotatorSheet) -> AnnotatorAgreement:
    """Agreement on the items that both labelled."""
    shared = sorted(set(one.by_item) & set(other.by_item))
    left, right = [one.by_item[item] for item in shared], [other.by_item[item] for item in shared]
    binary = [[str(label in CONVICTING) for label in labels] for labels in (left, right)]
    return AnnotatorAgreement(
        items=len(shared),
        same=sum(a == b for a, b in zip(left, right, strict=True)),
        alpha=_alpha(left, right),
        kappa=cohen(left, right),
        alpha_binary=_alpha(*binary),
        kappa_binary=cohen(*binary),
    )


def _alpha(left: list[str], right: list[str]) -> float | None:
    return nominal(dict(enumerate(zip(left, right, strict=True)))).alpha


def agreed(one: AnnotatorSheet, other: AnnotatorSheet) -> dict[str, str]:
    """Item → category where both say the same: what an oracle is compared with."""
    return {item: label for item, label in sorted(one.by_item.items()) if other.by_item.get(item) == label}


def quality(
    profile: str, version: str, truth: Mapping[str, str], known: Mapping[str, Shown], said: Mapping[Key, str]
) -> Quality:
    """An oracle's verdicts compared with agreed labels.

    Args:
        profile: its name.
        version: its version.
        truth: item → category that both annotators gave.
        known: item → response.
        said: response → the oracle's category; responses without a verdict are left out.
    """
    rows = [(known[item], label, said[known[item].key]) for item, label in truth.items() if known[item].key in said]
    flagged = [(shown.group, verdict in CONVICTING, label in CONVICTING) for shown, label, verdict in rows]
    return Quality(
        profile,
        version,
        len(rows),
        rate((group, flag) for group, flag, faulty in flagged if faulty),
        rate((shown.group, verdict not in CONVICTING) for shown, label, verdict in rows if label not in CONVICTING),
        rate((shown.group, verdict == label) for shown, label, verdict in rows),
        rate((group, faulty) for group, flag, faulty in flagged if flag),
        sum(label in CONVICTING for _, label, _ in rows) / len(rows) if rows else 0.0,
    )


def corrected(measured: Measured, found: Quality, labelled: Mapping[str, int], level: float = LEVEL) -> Corrected:
    """A model's rate corrected for the oracle's errors, where semantics.md section 4.5 allows it.

    θ = (p + TNR − 1) / (TPR + TNR − 1), with the interval of Lang and Reiczigel (2014, Prev. Vet. Med. 113:13-22),
    which carries the uncertainty of TPR and TNR.

    Args:
        measured: the model's responses, counted.
        found: the oracle compared with people, on real responses alone.
        labelled: real model → how many of its responses have an agreed label.
        level: of confidence.
    """
    name, delivered = measured.model, measured.delivered
    share = measured.flagged / delivered if delivered else 0.0

    def refused(reason: str) -> Corrected:
        return Corrected(name, share, None, None, None, reason)

    if measured.simulated:
        return refused("it is simulated, not a real model")
    if not delivered:
        return refused("it delivered no response")
    if sum(labelled.values()) < LEAST_LABELS:
        return refused(f"{sum(labelled.values())} human labels on real responses; {LEAST_LABELS} are needed")
    if labelled.get(name, 0) < LEAST_OF_MODEL:
        return refused(f"{labelled.get(name, 0)} human labels on its responses; {LEAST_OF_MODEL} are needed")
    if found.tpr is None or found.tnr is None:
        return refused("the labels contain only hallucinations, or none")
    if (bound := youden_low(found.tpr, found.tnr)) <= LEAST_YOUDEN:
        return refused(f"TPR + TNR − 1 may be as low as {bound:.2f}; it must be above {LEAST_YOUDEN}")
    point = (share + found.tnr.rate - 1) / (found.tpr.rate + found.tnr.rate - 1)
    low, high = _interval(share, delivered, found.tpr, found.tnr, level)
    return Corrected(name, share, min(1.0, max(0.0, point)), low, high, "")


def youden_low(tpr: ShareRate, tnr: ShareRate) -> float:
    """Lower bound of TPR + TNR − 1 from the two lower bounds (Newcombe's square-and-add)."""
    return tpr.rate + tnr.rate - 1 - math.hypot(tpr.rate - tpr.low, tnr.rate - tnr.low)


def _interval(share: float, size: int, tpr: ShareRate, tnr: ShareRate, level: float) -> tuple[float, float]:
    z = quantile(level)
    count, sick, well = size + z * z, _effective(tpr) + 2, _effective(tnr) + 2
    p = (size * share + z * z / 2) / count
    se, sp = (tpr.rate * (sick - 2) + 1) / sick, (tnr.rate * (well - 2) + 1) / well
    slope = se + sp - 1
    theta = (p + sp - 1) / slope
    shift = 2 * z * z * (theta * se * (1 - se) / sick - (1 - theta) * sp * (1 - sp) / well)
    variance = p * (1 - p) / count + theta**2 * se * (1 - se) / sick + (1 - theta) ** 2 * sp * (1 - sp) / well
    half = z * math.sqrt(variance) / slope
    return min(1.0, max(0.0, theta + shift - half)), min(1.0, max(0.0, theta + shift + half))


def _effective(found: ShareRate) -> float:
    """Independent responses behind a clustered share."""
    return found.total / max(found.design_effect or 1.0, 1.0)


def confusion(truth: Mapping[str, str], known: Mapping[str, Shown], said: Mapping[Key, str]) -> dict[str, Counter[str]]:
    """People's category → the oracle's → items."""
    found = {label: Counter[str]() for label in CATEGORIES}
    for item, label in truth.items():
        if (verdict := said.get(known[item].key)) is not None:
            found[label][verdict] += 1
    return {label: counts for label, counts in found.items() if counts}
