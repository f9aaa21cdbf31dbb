"""Baseline against constrained: the same pressure cases under two prompts or two servers, paired.

The post's ΔH is relative, (H_base − H_constrained) / H_base; beside it is the difference with its clustered interval
and p. The relative one has a seeded bootstrap interval over clusters; if the baseline has no error, it is undefined.
"""

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from sqlalchemy import text
from sqlalchemy.orm import Session

from halluvault_tasks.errors import UserError
from halluvault_tasks.results.store import ResultSet
from halluvault_tasks.results.suites.pressure import PROFILE, Judged
from halluvault_tasks.statistics import comparisons
from halluvault_tasks.statistics.comparisons import Difference
from halluvault_tasks.statistics.shares import Floats, codes

_DRAWS, _SEED = 2_000, 20_26


class Reduction(NamedTuple):
    """One dimension, compared with the baseline.

    Attributes:
        dimension: H, truth, decidability, reciprocity or weighted quality.
        base, constrained: share of the shared cases that fail; of the quality its mean.
        difference: constrained minus base, paired.
        relative: (base − constrained) / base; None where the baseline has none.
        low, high: of `relative`.
    """

    dimension: str
    base: float
    constrained: float
    difference: Difference
    relative: float | None
    low: float | None
    high: float | None


_DIMENSIONS: tuple[tuple[str, Callable[[Judged], float]], ...] = (
    ("H", lambda one: one.hallucinated),
    ("truth", lambda one: not one.truth),
    ("decidability", lambda one: not one.decidability),
    ("reciprocity", lambda one: not one.reciprocity),
    ("weighted quality", lambda one: one.weighted),
)


_FOUND = text(
    "SELECT DISTINCT evaluation_id, profile_version, variant FROM results_v1.metrics WHERE snapshot = :snapshot"
    " AND model = :model AND profile = :profile AND is_current AND starts_with(variant, :variant) ORDER BY variant"
)


def evaluation(session: Session, snapshot: str, model: str, variant: str) -> ResultSet:
    """The evaluation of a model in a variant, by the beginning of its name.

    Raises:
        UserError: there is none that is summarised, or more than one.
    """
    named = {"snapshot": snapshot, "model": model, "variant": variant, "profile": PROFILE}
    rows = session.execute(_FOUND, named).all()
    if len(rows) != 1:
        which = ", ".join(row.variant for row in rows) or "none"
        raise UserError(
            f"{model} of {snapshot} has {len(rows)} evaluations of the suite pressure in {variant!r}: {which}",
            "give the full variant, or ask the model: `halluvault evaluate --model NAME`",
        )
    return ResultSet(rows[0].evaluation_id, PROFILE, rows[0].profile_version)


def reductions(base: Sequence[Judged], constrained: Sequence[Judged]) -> list[Reduction]:
    """Each dimension over the cases that both answered and that were read.

    Raises:
        UserError: they share none.
    """
    others = {one.case_id: one for one in constrained if not one.unread}
    both = [(one, others[one.case_id]) for one in base if not one.unread and one.case_id in others]
    if not both:
        raise UserError(
            "the two evaluations share no case that was read in both", "name two of one month's suite pressure"
        )
    made = []
    for name, value in _DIMENSIONS:
        # Reciprocity of audited cases needs labels.
        mine = [pair for pair in both if name != "reciprocity" or pair[0].fact.grading != "audited"]
        if not mine:
            continue
        groups = codes([one.fact.cluster for one, _ in mine])
        before = np.array([float(value(one)) for one, _ in mine])
        after = np.array([float(value(other)) for _, other in mine])
        found = comparisons.paired(groups, after - before)
        assert found is not None
        relative, low, high = (None, None, None) if name == "weighted quality" else _relative(groups, before, after)
        made.append(Reduction(name, float(before.mean()), float(after.mean()), found, relative, low, high))
    return made


def _relative(
    groups: NDArray[np.int64], before: Floats, after: Floats
) -> tuple[float | None, float | None, float | None]:
    count = int(groups.max()) + 1
    sums = np.array([np.bincount(groups, weights=each, minlength=count) for each in (before, after)])
    if sums[0].sum() == 0:
        return None, None, None
    drawn = np.random.default_rng(_SEED).multinomial(count, np.full(count, 1 / count), size=_DRAWS)
    base, rest = drawn @ sums[0], drawn @ sums[1]
    told = 1 - rest[base > 0] / base[base > 0]
    low, high = np.quantile(told, [0.025, 0.975])
    return float(1 - sums[1].sum() / sums[0].sum()), float(low), float(high)
