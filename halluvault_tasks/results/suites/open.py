"""What the suite open comes to: shares of answers, SimpleQA's F-score, the index, and how far stated confidence holds.

Answers about one subject are one cluster. A model of which more than `MAX_UNJUDGED` was not judged has no rate, as one
has none that was not delivered or not read (semantics.md §4.4); what it has nevertheless is how much that was.

Confidence is what the model states (variant `open/confidence`), of answers that were judged right or wrong.
Probabilities of tokens are in no response that is stored, so that nothing is made of them.
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from enum import StrEnum
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from sqlalchemy.orm import Session

from halluvault_tasks.benchmark.suites.open.fact import NAME, OpenFact
from halluvault_tasks.oracles.suites.open import PROFILE
from halluvault_tasks.querying import evaluations
from halluvault_tasks.results import figures as shared
from halluvault_tasks.results import tally
from halluvault_tasks.results.figures import Figure
from halluvault_tasks.results.store import ResultSet
from halluvault_tasks.results.suites import verdicts
from halluvault_tasks.statistics import shares
from halluvault_tasks.statistics.shares import Floats, codes
from halluvault_tasks.storage.tables import benchmark_case, cases, verdict

__all__ = ["METRICS", "PROFILE", "JudgedOpen", "Outcome", "figures", "of_evaluation", "read"]

MAX_UNJUDGED = 0.05
"""Above this share of delivered answers that no rule judges a model has no rate: what is left could be a choice."""

BINS = 10
"""Of stated confidence, equally wide; the last has both ends."""

SUREST = (50, 60, 70, 80, 90, 95, 100)
"""Least stated confidence of the answers that selective accuracy is over."""


class Outcome(StrEnum):
    """What became of an answer."""

    RIGHT = "right"
    LESS_PRECISE = "less precise"
    """Right, and not as precise as what is known."""
    WRONG = "wrong"
    ABSTAINED = "abstained"
    """"Don't know", or a refusal in the model's own words."""
    UNJUDGED = "unjudged"
    """Read, and linked to nothing by any rule."""
    UNREAD = "unread"
    BARRED = "barred"
    """Refused by the API."""


_EVERY = frozenset(Outcome)
_RIGHT = frozenset({Outcome.RIGHT, Outcome.LESS_PRECISE})
_ATTEMPTED = _EVERY - {Outcome.ABSTAINED, Outcome.BARRED}

SHARES: Mapping[str, tuple[frozenset[Outcome], frozenset[Outcome]]] = {
    "open_right": (_RIGHT, _EVERY),
    "open_wrong": (frozenset({Outcome.WRONG}), _EVERY),
    "open_less_precise": (frozenset({Outcome.LESS_PRECISE}), _EVERY),
    "open_attempted_right": (_RIGHT, _ATTEMPTED),
    "open_abstained": (frozenset({Outcome.ABSTAINED}), _EVERY),
    "open_unjudged": (frozenset({Outcome.UNJUDGED}), _EVERY),
    "open_unread": (frozenset({Outcome.UNREAD, Outcome.BARRED}), _EVERY),
}
"""Metric → what is counted, and of what."""

WORTH: Mapping[Outcome, float] = {
    **dict.fromkeys(_EVERY, 0.0),
    **dict.fromkeys(_RIGHT, 1.0),
    **dict.fromkeys((Outcome.WRONG, Outcome.UNREAD), -1.0),
}
"""Of an answer in the index: w is 1, since nobody is right by a guess."""

CALIBRATION = ("open_answers_right", "open_stated", "open_calibration_error", "open_brier", "open_covered")

METRICS = (*SHARES, "open_f_score", "open_index", *CALIBRATION)

MAIN = (
    "open_right", "open_wrong", "open_abstained", "open_unjudged", "open_attempted_right", "open_f_score", "open_index",
    "open_calibration_error",
)  # fmt: skip
"""Those that tell of an evaluation at once; what was not judged stands among them."""

POINTS = ("open_index", "open_brier")
"""Those that are no shares."""

CALLED = {
    "open_right": "right", "open_wrong": "wrong", "open_less_precise": "right, less precise",
    "open_attempted_right": "right among attempted", "open_abstained": "don't know", "open_unjudged": "unjudged",
    "open_unread": "unread", "open_f_score": "F-score", "open_index": "index, w = 1",
    "open_answers_right": "right, of those with a stated confidence", "open_stated": "stated confidence",
    "open_calibration_error": "calibration error", "open_brier": "Brier score", "open_covered": "share that is so sure",
}  # fmt: skip
"""Headings."""

_TOLD_ALWAYS = ("open_abstained", "open_unjudged", "open_unread")
"""What is told of a model that has no rate, too."""


class JudgedOpen(NamedTuple):
    """One judged answer.

    Attributes:
        subject: what the question is about, the cluster.
        outcome: what became of it.
        confidence: as stated, 0 to 100; None where none was asked for or read.
        parts: scope → key of what it counts under, beside the suite.
    """

    subject: Any
    outcome: Outcome
    confidence: float | None
    parts: Mapping[str, str]


def outcome_of(correct: bool | None, category: str, sub_label: str | None) -> Outcome:
    """The outcome that columns of a verdict by `PROFILE` stand for."""
    if correct is not None:
        right = Outcome.LESS_PRECISE if sub_label == Outcome.LESS_PRECISE else Outcome.RIGHT
        return right if correct else Outcome.WRONG
    if category == "unparseable":
        return Outcome.BARRED if sub_label == "api_refusal" else Outcome.UNREAD
    return Outcome.UNJUDGED if category == "review" else Outcome.ABSTAINED


def of_evaluation(session: Session, of: ResultSet, snapshot: str) -> list[Figure]:
    """The figures of an evaluation."""
    row = evaluations.find(session, of.evaluation_id)
    planned = tally.planned(session, snapshot, row.samples, row.variant_id)
    return figures(read(session, of, snapshot), sum(n for cell, n in planned.items() if cell.suite == NAME))


def read(session: Session, of: ResultSet, snapshot: str) -> list[JudgedOpen]:
    """The judged answers of an evaluation, in the order of cases and samples."""
    columns = (
        verdict.c.correct, verdict.c.category, verdict.c.sub_label, verdict.c.detail, cases.c.group_id,
        benchmark_case.c.subject, benchmark_case.c.domain, benchmark_case.c.rule_kind, benchmark_case.c.fact,
    )  # fmt: skip
    return [_judged(row) for row in verdicts.rows(session, of, snapshot, NAME, *columns)]


def _judged(row: Any) -> JudgedOpen:
    fact = OpenFact.model_validate(row.fact)
    stated = row.detail.get("confidence")
    parts = {
        "domain": row.domain, "kind": row.rule_kind.partition(".")[0], "asks": fact.asks,
        "stratum": str(fact.difficulty.get("features", {}).get("stratum", "")),
    }  # fmt: skip
    return JudgedOpen(
        row.group_id if row.subject is None else row.subject,
        outcome_of(row.correct, row.category, row.sub_label),
        None if stated is None else float(stated),
        parts,
    )


def figures(judged: Sequence[JudgedOpen], planned: int) -> list[Figure]:
    """The figures of judged answers: of all, and by domain, kind, what is asked for and stratum.

    Args:
        judged: all of an evaluation.
        planned: answers that were wanted.
    """
    unread, unjudged = (
        sum(one.outcome in SHARES[metric][0] for one in judged) for metric in ("open_unread", "open_unjudged")
    )
    why = shared.no_rate(len(judged), planned, unread, unjudged, MAX_UNJUDGED)
    by: dict[tuple[str, str], list[JudgedOpen]] = defaultdict(list)
    for one in judged:
        for scope, key in one.parts.items():
            if key:
                by[scope, key].append(one)
    made = [*_of("suite", "", judged), *calibration(judged)]
    made += [figure for (scope, key), mine in sorted(by.items()) for figure in _of(scope, key, mine)]
    return [shared.without(one, why) if one.metric not in _TOLD_ALWAYS else one for one in made]


def _of(scope: str, key: str, mine: Sequence[JudgedOpen]) -> Iterator[Figure]:
    groups = codes([one.subject for one in mine])
    for metric, (counted, of) in SHARES.items():
        yield shared.share(NAME, scope, key, metric, groups, _mask(mine, counted), _mask(mine, of))
    yield _f_score(scope, key, groups, mine)
    yield _mean(scope, key, "open_index", groups, [WORTH[one.outcome] for one in mine], -1.0)


def _mask(mine: Sequence[JudgedOpen], outcomes: frozenset[Outcome]) -> Floats:
    return np.array([one.outcome in outcomes for one in mine], dtype=float)


def _f_score(scope: str, key: str, groups: NDArray[np.int64], mine: Sequence[JudgedOpen]) -> Figure:
    """The harmonic mean of right among all and right among attempted: of N, A attempted, R right it is 2 R / (N + A).

    So it is a share of sums like any other, and has its interval. Source: SimpleQA (arXiv:2411.04368), §3.
    """
    right = _mask(mine, _RIGHT)
    found = shared.share(NAME, scope, key, "open_f_score", groups, 2 * right, 1 + _mask(mine, _ATTEMPTED))
    return found._replace(hits=int(right.sum()), n=len(mine))


def _mean(
    scope: str, key: str, metric: str, groups: NDArray[np.int64], values: Sequence[float] | Floats, least: float = 0.0
) -> Figure:
    """A mean of values from `least` to 1; with a single cluster without an interval."""
    found = shares.mean(groups.tolist(), list(values))
    if found is None:
        return Figure(NAME, scope, key, metric, None, None, None, None, 0, None, None)
    low, high = (max(least, found.low), min(1.0, found.high)) if found.clusters > 1 else (None, None)
    return Figure(NAME, scope, key, metric, found.mean, low, high, None, found.total, found.clusters, None)


def calibration(judged: Sequence[JudgedOpen]) -> Iterator[Figure]:
    """How far stated confidence holds; nothing where none was stated.

    Scope `suite`: the expected calibration error (the mean distance of confidence from the share right, bin by bin,
    weighted by answers: of few answers it is too large, and so has no interval), Brier's score, what was stated and
    what was right in the mean. Scope `confidence`: the bins. Scope `surest`: selective accuracy, and what it covers.
    """
    told = [one for one in judged if one.confidence is not None and one.outcome in _RIGHT | {Outcome.WRONG}]
    if not told:
        return
    groups = codes([one.subject for one in told])
    right = _mask(told, _RIGHT)
    stated = np.array([one.confidence for one in told], dtype=float)
    apart = 0.0
    bins = np.minimum(stated * BINS // 100, BINS - 1).astype(np.int64)
    for number in range(BINS):
        here = bins == number
        if here.any():
            apart += abs(float((right[here] - stated[here] / 100).sum())) / len(told)
            yield from _stated("confidence", bin_of(number), groups[here], right[here], stated[here])
    yield from _stated("suite", "", groups, right, stated)
    yield Figure(NAME, "suite", "", "open_calibration_error", apart, None, None, None, len(told), None, None)
    yield _mean("suite", "", "open_brier", groups, (stated / 100 - right) ** 2)
    for least in SUREST:
        sure = (stated >= least).astype(float)
        key = f"at least {least}"
        yield shared.share(NAME, "surest", key, "open_answers_right", groups, right * sure, sure)
        yield shared.share(NAME, "surest", key, "open_covered", groups, sure, np.ones(len(told)))


def bin_of(number: int) -> str:
    """The name of a bin of stated confidence, from 0: `0 to 9`, …, `90 to 100`."""
    return f"{100 * number // BINS} to {100 * (number + 1) // BINS - (number < BINS - 1)}"


def _stated(scope: str, key: str, groups: NDArray[np.int64], right: Floats, stated: Floats) -> Iterator[Figure]:
    yield shared.share(NAME, scope, key, "open_answers_right", groups, right, np.ones(len(right)))
    yield _mean(scope, key, "open_stated", groups, stated / 100)
