"""Baseline against constrained: the same pressure cases under two prompts or two servers, paired.

The post's ΔH is relative, (H_base − H_constrained) / H_base; beside it is the difference with its clustered interval
and p. The relative one has a seeded bootstrap interval over clusters; if the baseline has no error, it is undefined.
They are stored as figures of the one that is compared, scope `paired`; key: model and variant of the baseline. Scope
`paired by tag` has the same of each tag, key `tag × baseline`; a case counts under every tag of its own.
"""

from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from sqlalchemy import text
from sqlalchemy.orm import Session

from halluvault_tasks.benchmark.suites.pressure.schema import NAME
from halluvault_tasks.errors import UserError
from halluvault_tasks.results import store
from halluvault_tasks.results.figures import CELL, Figure
from halluvault_tasks.results.store import ResultSet
from halluvault_tasks.results.suites.pressure import PROFILE, JudgedPressure, read
from halluvault_tasks.statistics import comparisons
from halluvault_tasks.statistics.comparisons import PairedDifference
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
    difference: PairedDifference
    relative: float | None
    low: float | None
    high: float | None


_DIMENSIONS: tuple[tuple[str, Callable[[JudgedPressure], float]], ...] = (
    ("H", lambda one: one.hallucinated),
    ("truth", lambda one: not one.truth),
    ("decidability", lambda one: not one.decidability),
    ("reciprocity", lambda one: not one.reciprocity),
    ("weighted quality", lambda one: one.weighted),
)

_SUFFIXES = {"H": "h", "weighted quality": "quality"}

METRICS = tuple(
    f"{kind}_{_SUFFIXES.get(name, name)}"
    for name, _ in _DIMENSIONS for kind in ("difference", "reduction")
    if (kind, name) != ("reduction", "weighted quality")
)  # fmt: skip
"""`difference_h`: constrained minus base; `reduction_h`: the post's ΔH."""

_FOUND = text(
    "SELECT DISTINCT evaluation_id, profile_version, model, variant FROM results_v1.metrics WHERE snapshot = :snapshot"
    " AND model = :model AND profile = :profile AND is_current AND starts_with(variant, :variant) ORDER BY variant"
)

_OF_MONTH = text("""
SELECT s.evaluation_id, s.profile_version, s.model, s.variant, (s.model, s.route, v.form, v.context)::text AS alike,
    v.template = 'pressure/baseline' AS base,
    ARRAY(SELECT DISTINCT r.key FROM result r WHERE r.evaluation_id = s.evaluation_id AND r.profile = s.profile
        AND r.profile_version = s.profile_version AND r.scope = 'paired') AS stored
FROM results_v1._set s
JOIN evaluation e ON e.id = s.evaluation_id
JOIN prompt_variant v ON v.id = e.variant_id
WHERE s.snapshot = :snapshot AND s.profile = :profile AND s.is_newest_identity AND s.is_newest
ORDER BY s.model, s.variant
""")


class PairedEvaluation(NamedTuple):
    """An evaluation of the suite, and how the views call it."""

    of: ResultSet
    model: str
    variant: str

    @property
    def key(self) -> str:
        """What it is called as a baseline."""
        return f"{self.model}, {self.variant}"


def evaluation(session: Session, snapshot: str, model: str, variant: str) -> PairedEvaluation:
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
    return _named(rows[0])


def _named(row: Any) -> PairedEvaluation:
    return PairedEvaluation(ResultSet(row.evaluation_id, PROFILE, row.profile_version), row.model, row.variant)


def store_month(session: Session, snapshot: str, also: tuple[PairedEvaluation, PairedEvaluation] | None = None) -> int:
    """Store each evaluation of a month against the same model's baseline, and against others that it is stored against.

    What was stored before is replaced. Two that share no case that was read in both have no figure.

    Args:
        session: open session.
        snapshot: exact key.
        also: one to be stored against another, too.

    Returns:
        Rows written; the caller commits.
    """
    rows = session.execute(_OF_MONTH, {"snapshot": snapshot, "profile": PROFILE}).all()
    every = {found.key: found for found in map(_named, rows)}
    bases = {row.alike: _named(row).key for row in rows if row.base}
    written = 0
    for row in rows:
        one = _named(row)
        wanted = {*row.stored, bases.get(row.alike, "")} | ({also[1].key} if also and also[0] == one else set())
        against = [every[key] for key in sorted(wanted - {one.key}) if key in every]
        if not against and not row.stored:
            continue
        mine = read(session, one.of, snapshot)
        pairs = ((base.key, _both(read(session, base.of, snapshot), mine)) for base in against)
        figures = [figure for key, both in pairs if both for figure in _figures(key, both)]
        written += store.put(session, one.of, figures, METRICS)
    return written


def _figures(key: str, both: Sequence[tuple[JudgedPressure, JudgedPressure]]) -> Iterator[Figure]:
    rows = [("paired", key, one) for one in _reductions(both)]
    rows += [("paired by tag", f"{tag}{CELL}{key}", one) for tag, found in _by_tag(both).items() for one in found]
    for scope, of, one in rows:
        name, apart = _SUFFIXES.get(one.dimension, one.dimension), one.difference
        counted = (None, apart.shared, apart.groups, None)
        yield Figure(NAME, scope, of, f"difference_{name}", apart.difference, apart.low, apart.high, *counted)
        if one.dimension != "weighted quality":
            yield Figure(NAME, scope, of, f"reduction_{name}", one.relative, one.low, one.high, *counted)


def reductions(base: Sequence[JudgedPressure], constrained: Sequence[JudgedPressure]) -> list[Reduction]:
    """Each dimension over the cases that both answered and that were read.

    Raises:
        UserError: they share none.
    """
    both = _both(base, constrained)
    if not both:
        raise UserError(
            "the two evaluations share no case that was read in both", "name two of one month's suite pressure"
        )
    return _reductions(both)


def by_tag(base: Sequence[JudgedPressure], constrained: Sequence[JudgedPressure]) -> dict[str, list[Reduction]]:
    """Tag → each dimension over its cases that both answered and that were read; a case is under each of its tags."""
    return _by_tag(_both(base, constrained))


def _by_tag(both: Sequence[tuple[JudgedPressure, JudgedPressure]]) -> dict[str, list[Reduction]]:
    by: dict[str, list[tuple[JudgedPressure, JudgedPressure]]] = defaultdict(list)
    for pair in both:
        for tag in pair[0].fact.case.counted_under:
            by[tag].append(pair)
    return {tag: _reductions(mine) for tag, mine in sorted(by.items())}


def _both(
    base: Sequence[JudgedPressure], constrained: Sequence[JudgedPressure]
) -> list[tuple[JudgedPressure, JudgedPressure]]:
    others = {one.case_id: one for one in constrained if not one.unread}
    return [(one, others[one.case_id]) for one in base if not one.unread and one.case_id in others]


def _reductions(both: Sequence[tuple[JudgedPressure, JudgedPressure]]) -> list[Reduction]:
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
