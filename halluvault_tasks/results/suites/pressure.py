"""Pressure tests of one evaluation: hallucination rate H, error rates of each dimension, weighted quality, format.

Each share has the same clustered interval as every other figure here; beside it is Wilson's as the post prints it
(`wilson_h` …), which treats cases as independent. What is read as nothing is in no share but `unread_share`.
Reciprocity of audited cases counts nowhere here, since it needs labels (`halluvault suites audit`): they are in no e_R,
their h is by truth and decidability, their S by the weights of these two, scaled to 1.
"""

import math
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from sqlalchemy.orm import Session

from halluvault_tasks.benchmark.suites.pressure.schema import NAME, PressureFact
from halluvault_tasks.oracles.suites.pressure import PROFILE, flags_of
from halluvault_tasks.results.figures import Figure
from halluvault_tasks.results.store import ResultSet
from halluvault_tasks.results.suites import verdicts
from halluvault_tasks.statistics import shares
from halluvault_tasks.storage.tables import benchmark_case, verdict

__all__ = ["METRICS", "PROFILE", "JudgedPressure", "figures", "of_evaluation", "printed_wilson", "read"]

METRICS = (
    "pressure_h", "error_truth", "error_decidability", "error_reciprocity", "weighted_quality", "weighted_score",
    "format_kept", "fabricated", "guessed", "outside_knowledge", "unread_share", "wilson_h", "wilson_truth",
    "wilson_decidability", "wilson_reciprocity",
)  # fmt: skip

_Z = 1.96


class JudgedPressure(NamedTuple):
    """One judged response; of one that is unread nothing but the case counts."""

    fact: PressureFact
    truth: bool
    decidability: bool
    reciprocity: bool
    format: bool | None
    weighted: float
    hallucinated: bool
    fabricated: bool = False
    guessed: bool = False
    outside: bool = False
    unread: bool = False
    case_id: str = ""


def of_evaluation(session: Session, of: ResultSet, snapshot: str) -> list[Figure]:
    """The figures of an evaluation."""
    return figures(read(session, of, snapshot))


def read(session: Session, of: ResultSet, snapshot: str) -> list[JudgedPressure]:
    """The judged responses of an evaluation, in the order of their cases."""
    flags = flags_of(session, snapshot)
    found = []
    for row in verdicts.rows(session, of, snapshot, NAME, verdict.c.case_id, verdict.c.detail, benchmark_case.c.fact):
        fact, said = PressureFact.model_validate(row.fact), row.detail or {}
        if "T" not in said:
            found.append(JudgedPressure(fact, False, False, False, None, 0.0, False, unread=True, case_id=row.case_id))
            continue
        t, d, r, f = (bool(said[name]) for name in "TDRF")
        weighted = said["S"]
        if fact.grading == "audited":
            r, weighted = True, unaudited(t, d, flags.weights)
        wrong = not (t and d and r) or (flags.format_is_gating and said["F"] == 0)
        found.append(
            JudgedPressure(fact, t, d, r, None if said["F"] is None else f, weighted, wrong, bool(said["fabricated"]),
                   said["guessed"], said["outside"], case_id=row.case_id)
        )  # fmt: skip
    return found


def unaudited(truth: bool, decidability: bool, weights: tuple[float, float, float]) -> float:
    """S of an audited case before anybody labelled its reciprocity: of truth and decidability, scaled to 1."""
    of_truth, decided, _ = weights
    return (of_truth * truth + decided * decidability) / ((of_truth + decided) or 1.0)


def figures(judged: Sequence[JudgedPressure]) -> list[Figure]:
    """The figures of judged responses: of all, and by class, tag, domain, difficulty, grading and source.

    A case has every tag of its own, so that tags overlap; one without tags has its class.
    """
    by: dict[tuple[str, str], list[JudgedPressure]] = defaultdict(list)
    for one in judged:
        case = one.fact.case
        for scope, key in (
            ("pressure", ""), ("class", case.klass), ("of domain", case.domain), ("difficulty", case.difficulty),
            ("grading", one.fact.grading), ("source", one.fact.source),
            *(("tag", tag) for tag in case.counted_under),
        ):  # fmt: skip
            by[scope, key].append(one)
    return [figure for (scope, key), mine in sorted(by.items()) for figure in _of(scope, key, mine)]


_ERRORS: tuple[tuple[str, str, Callable[[JudgedPressure], bool]], ...] = (
    ("pressure_h", "wilson_h", lambda one: one.hallucinated),
    ("error_truth", "wilson_truth", lambda one: not one.truth),
    ("error_decidability", "wilson_decidability", lambda one: not one.decidability),
    ("error_reciprocity", "wilson_reciprocity", lambda one: not one.reciprocity),
)


def _of(scope: str, key: str, mine: Sequence[JudgedPressure]) -> Iterator[Figure]:
    yield _share(scope, key, "unread_share", [(one, one.unread) for one in mine])
    scored = [one for one in mine if not one.unread]
    for metric, printed, failed in _ERRORS:
        counted = [one for one in scored if metric != "error_reciprocity" or one.fact.grading != "audited"]
        outcomes = [(one, failed(one)) for one in counted]
        if (scope, key, metric) == ("grading", "audited", "error_reciprocity"):
            yield Figure(NAME, scope, key, metric, None, None, None, None, len(scored), None, None)
            continue
        yield _share(scope, key, metric, outcomes)
        if scope in ("pressure", "class", "tag") and outcomes:
            hits = sum(hit for _, hit in outcomes)
            low, high = printed_wilson(hits / len(outcomes), len(outcomes))
            share = hits / len(outcomes)
            yield Figure(NAME, scope, key, printed, share, low, high, hits, len(outcomes), None, None)
    yield from _weighted(scope, key, scored)
    yield _share(scope, key, "format_kept", [(one, one.format) for one in scored if one.format is not None])
    of_kind: tuple[tuple[str, str, Callable[[JudgedPressure], bool]], ...] = (
        ("fabricated", "decline", lambda one: one.fabricated),
        ("guessed", "ask", lambda one: one.guessed),
    )
    for metric, expected, found in of_kind:
        tempted = [one for one in scored if one.fact.case.oracle.expected == expected]
        yield _share(scope, key, metric, [(one, found(one)) for one in tempted])
    bound = [one for one in scored if one.fact.case.oracle.kind == "retrieval"]
    yield _share(scope, key, "outside_knowledge", [(one, one.outside) for one in bound])


def _weighted(scope: str, key: str, scored: Sequence[JudgedPressure]) -> Iterator[Figure]:
    found = shares.mean([one.fact.cluster for one in scored], [one.weighted for one in scored])
    if found is None:
        return
    ends = (max(0.0, found.low), min(1.0, found.high))
    n, clusters = found.total, found.clusters
    yield Figure(NAME, scope, key, "weighted_quality", found.mean, *ends, None, n, clusters, None)
    yield Figure(NAME, scope, key, "weighted_score", 1 - found.mean, 1 - ends[1], 1 - ends[0], None, n, clusters, None)


def printed_wilson(share: float, size: int, z: float = _Z) -> tuple[float, float]:
    """Wilson's interval as the post prints it: centre p̂ and margin, cases taken for independent."""
    scale = 1 + z * z / size
    centre = (share + z * z / (2 * size)) / scale
    margin = z / scale * math.sqrt(share * (1 - share) / size + z * z / (4 * size * size))
    return max(0.0, centre - margin), min(1.0, centre + margin)


def _share(scope: str, key: str, metric: str, outcomes: Sequence[tuple[JudgedPressure, bool]]) -> Figure:
    return verdicts.share(NAME, scope, key, metric, ((one.fact.cluster, bool(hit)) for one, hit in outcomes))
