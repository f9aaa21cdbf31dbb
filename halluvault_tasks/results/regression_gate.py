"""The gate: is a model shown to be no worse than another, shown to be worse, or is that still open?

A release should not depend on a difference that chance explains, nor pass because too few questions were asked. So
there are three outcomes, each with its number of questions; several baselines are judged together after Holm. A fourth
is that one of the two has no headline: a model of which nothing can be read errs nowhere.
"""

import enum
import math
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from sqlalchemy import text
from sqlalchemy.orm import Session

from halluvault_tasks.errors import UserError
from halluvault_tasks.results import comparing, figures, headlines, page_words, read
from halluvault_tasks.results.comparing import JudgedEvaluation
from halluvault_tasks.statistics import comparisons
from halluvault_tasks.statistics.comparisons import PairedDifference

SIGNIFICANCE = 0.025
"""One-sided: with one baseline it decides as the 95 % interval does."""


class GateOutcome(enum.IntEnum):
    """Exit codes of `halluvault results gate`; 2 is bad input."""

    NOT_WORSE = 0
    WORSE = 1
    UNDECIDED = 3
    NO_HEADLINE = headlines.STATUS


class GateJudgement(NamedTuple):
    """A model compared with one baseline."""

    outcome: GateOutcome
    baseline: str
    found: PairedDifference | None
    """None where one of the two has no headline."""
    needed: int | None
    """Questions in all that would decide, were the difference what was found; None where nothing tells."""
    why_none: str = ""
    """Which of the two has no headline, and why."""

    def __str__(self) -> str:
        if self.found is None:
            return f"not compared with {self.baseline}: {self.why_none}"
        low, high = 100 * self.found.low, 100 * self.found.high
        basis = f"{low:+.1f} to {high:+.1f} points on {self.found.shared} shared questions"
        if self.outcome is GateOutcome.NOT_WORSE:
            return f"shown not worse than {self.baseline}: {basis}"
        if self.outcome is GateOutcome.WORSE:
            return f"shown worse than {self.baseline}: {basis}"
        if self.needed is None:
            return f"undecided against {self.baseline}: {basis}; no number of questions follows from these answers"
        more = max(0, self.needed - self.found.shared)
        if more > page_words.MOST_TIMES * self.found.shared:
            half = 100 * (self.found.high - self.found.low) / 2
            least = f"this month cannot decide a difference below {half:.1f} points"
            return f"undecided against {self.baseline}: {basis}; {least}"
        return f"undecided against {self.baseline}: {basis}; about {more} more questions would decide"


class GateTerms(NamedTuple):
    """What counts as worse, and on which figures.

    Attributes:
        max_regression: by how much the hallucination rate may be higher, 0 to 1.
        profile: oracle profile.
        suite: `headline` or one suite.
        snapshot: month of those that name none; empty: the newest.
        variant: prompt variant, as the views write it; needed only where a model was asked in several.
    """

    max_regression: float
    profile: str
    suite: str = figures.HEADLINE
    snapshot: str = ""
    variant: str = ""


class _Named(NamedTuple):
    model: str
    snapshot: str


_FIND = text("""
SELECT evaluation_id, profile_version, variant FROM results_v1._set
WHERE model = :model AND snapshot = :snapshot AND profile = :profile AND is_newest AND is_newest_identity
ORDER BY variant
""")
_KNOWN = text("SELECT DISTINCT model FROM results_v1._set WHERE snapshot = :snapshot ORDER BY model")


def judge(session: Session, model: str, baselines: Sequence[str], terms: GateTerms) -> list[GateJudgement]:
    """Compare a model with each baseline on the questions that both answered.

    Args:
        session: open session; it is only read.
        model: registry name, or NAME@MONTH.
        baselines: the same; `NAME@MONTH` holds a model against itself in another month, on persisting questions.
        terms: what counts as worse, and on which figures.

    Raises:
        UserError: unknown model, month or suite, a bad margin, or no shared question.
    """
    if not math.isfinite(terms.max_regression) or not 0 <= terms.max_regression < 1:
        raise UserError(
            f"--max-regression is {terms.max_regression}; it is a share of responses, 0 or more and below 1",
            "2 points are --max-regression 0.02",
        )
    if not baselines:
        raise UserError("no baseline to compare it with", "name one: --baseline MODEL, or MODEL@2026-09")
    one = _evaluation(session, model, terms)
    silent, found = [], []
    for name in baselines:
        other = _evaluation(session, name, terms)
        if other.evaluation_id == one.evaluation_id:
            raise UserError(f"{name!r} is the model itself in the same month", "name another model, or NAME@MONTH")
        if other.version != one.version:
            raise UserError(
                f"{model} was judged by version {one.version} of {terms.profile} and {name} by {other.version}: the "
                "difference could be the judge's",
                "`halluvault evaluate --snapshot MONTH` judges its stored answers anew; nothing is asked again",
            )
        if why := _no_headline(session, {model: one, name: other}, terms.suite):
            silent.append(GateJudgement(GateOutcome.NO_HEADLINE, name, None, None, why))
            continue
        apart = comparing.difference(session, one, other, terms.suite)
        if apart is None:
            raise UserError(
                f"{model} and {name} share no judged question of suite {terms.suite}",
                "evaluate both on the same month: halluvault evaluate --model NAME",
            )
        found.append((name, apart))
    better = comparisons.holm([comparisons.below(apart, terms.max_regression) for _, apart in found])
    worse = comparisons.holm([comparisons.above(apart, terms.max_regression) for _, apart in found])
    return silent + [
        GateJudgement(_outcome(p_better, p_worse), name, apart, comparisons.needed(apart, terms.max_regression))
        for (name, apart), p_better, p_worse in zip(found, better, worse, strict=True)
    ]


def outcome(judged: Sequence[GateJudgement]) -> GateOutcome:
    """The outcome over all baselines: worse than one is worse; else no headline or open against one is that."""
    for verdict in (GateOutcome.WORSE, GateOutcome.NO_HEADLINE, GateOutcome.UNDECIDED):
        if any(one.outcome is verdict for one in judged):
            return verdict
    return GateOutcome.NOT_WORSE


def _no_headline(session: Session, several: Mapping[str, JudgedEvaluation], suite: str) -> str:
    """Which of these have no rate on the suite, and why; empty where all have one."""
    silent = headlines.without(session, [one.evaluation_id for one in several.values()])
    found = {name: silent.get((*one, suite)) for name, one in several.items()}
    return "; ".join(f"{name} has no rate, {why}" for name, why in found.items() if why)


def _outcome(p_better: float, p_worse: float) -> GateOutcome:
    if p_better <= SIGNIFICANCE:
        return GateOutcome.NOT_WORSE
    return GateOutcome.WORSE if p_worse <= SIGNIFICANCE else GateOutcome.UNDECIDED


def _evaluation(session: Session, name: str, terms: GateTerms) -> JudgedEvaluation:
    model, _, month = name.rpartition("@") if "@" in name else (name, "", terms.snapshot)
    named = _Named(model, read.meant(session, month))
    profile, variant = terms.profile, terms.variant
    rows = session.execute(_FIND, {**named._asdict(), "profile": profile}).all()
    rows = [row for row in rows if not variant or row.variant == variant]
    if not rows:
        known = session.scalars(_KNOWN, {"snapshot": named.snapshot}).all()
        raise UserError(
            f"no results of {named.model!r} in {named.snapshot} under profile {profile}"
            + (f" and variant {variant!r}" if variant else "")
            + f"; there are {', '.join(known) or 'none'}",
            "`halluvault results show` lists models, `halluvault evaluate --model NAME` makes results",
        )
    if len(rows) > 1:
        raise UserError(
            f"{named.model} was asked in several ways in {named.snapshot}: {'; '.join(row.variant for row in rows)}",
            "choose one: --variant TEXT",
        )
    return JudgedEvaluation(rows[0].evaluation_id, profile, rows[0].profile_version)
