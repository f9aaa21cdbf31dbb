"""The stage: plant a part's faults, have every profile judge them, keep the figures.

The development part may be run as often as anybody likes. The kept-back part runs once for every version of the
oracles, known by the hash of everything a verdict depends on; asked again, the stored figures are given back.
"""

import logging
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from sqlalchemy.orm import Session

from halluvault_tasks.oracles.unjudged import UnstoredText
from studies.oracle import measure
from studies.oracle.measure import Outcome, Report
from studies.oracle.planting import SEED, PartName, Planted, plan_hash, plant
from studies.oracle.store import Study, keep, stored

_log = logging.getLogger(__name__)

Judge = Callable[[Sequence[UnstoredText]], list[dict[str, Any]]]
"""Texts to verdict rows, one per text and profile (`oracles.stages.judge` with session and snapshot given)."""


def run(
    session: Session,
    snapshot: str,
    part: PartName,
    *,
    judge: Judge,
    hash_: str,
    seed: int = SEED,
    limit: int = 0,
) -> Study:
    """Judge a part's responses and keep the figures. Commits.

    Args:
        session: open session.
        snapshot: whose benchmark the faults are planted in.
        part: development, kept_back or hand_written.
        judge: the oracles.
        hash_: their version, by `oracle_hash`.
        seed: of plan and texts.
        limit: judge the first so many only, to try things out; 0 means all. Such a run is not stored.

    Returns:
        The run; of the kept-back part the earlier one, if this version has had it.
    """
    if part == "kept_back" and (earlier := stored(session, part, hash_)):
        return earlier
    planted = plant(session, snapshot, part, seed)
    planted = planted[:limit] if limit else planted
    _log.info("%s: %d responses planted", part, len(planted))
    by_profile = outcomes(planted, judge([one.item for one in planted]))
    session.rollback()  # the questions answered by hand, which are no part of the benchmark
    found = figures(by_profile, planted, part, _threshold(session, hash_))
    study = Study(snapshot, part, hash_, plan_hash(planted), seed, len(planted), found, None, False)
    if not limit:
        keep(session, study)
    return study


def outcomes(planted: Sequence[Planted], rows: Sequence[Mapping[str, Any]]) -> dict[tuple[str, str], list[Outcome]]:
    """(profile, version) → one outcome for every planted response, in their order."""
    by_key = {(one.case_id, one.sample): one for one in planted}
    found: dict[tuple[str, str], dict[tuple[str, int], Outcome]] = defaultdict(dict)
    for row in rows:
        key = (row["case_id"], row["sample"])
        one = by_key[key]
        found[row["profile"], row["profile_version"]][key] = Outcome(
            cluster=one.cluster,
            fault=one.fault,
            style=one.style,
            form=one.form,
            right=one.right,
            expected=one.category,
            said=row["category"],
            answer=row["answer"],
            correct=row["correct"],
            claims=one.claims,
            linked=linked(row["detail"]),
            edge=row["edge_similarity"],
            node=row["node_similarity"],
        )
    return {profile: [verdicts[key] for key in by_key] for profile, verdicts in sorted(found.items())}


def linked(detail: Mapping[str, Any]) -> int | None:
    """Places of a response that a verdict links to a property of the snapshot, or triples that it read.

    A claim whose words mean no known property ("unread") is not linked; of one place read twice (a table's row as
    two sentences) one counts. None where the detail shows neither claims nor triples.
    """
    if "claims" in detail:
        return len({tuple(claim["span"]) for claim in detail["claims"] if claim["by"] != "unread"})
    return detail.get("triples_found")


def figures(
    by_profile: Mapping[tuple[str, str], Sequence[Outcome]],
    planted: Sequence[Planted],
    part: PartName,
    threshold: float | None,
) -> dict[str, Any]:
    """All figures of a run, as JSON values."""
    reports: list[Report] = []
    chosen = threshold
    for (profile, version), listed in by_profile.items():
        reports.append(measure.report(profile, version, listed))
        if any(one.edge is not None for one in listed) and not profile.endswith("answer-gated"):
            if part == "development":
                chosen = measure.best_threshold(listed, by_likeness)
            if chosen is not None:
                name = f"{profile}, likeness ≥ {chosen:g} (set on development)"
                reports.append(measure.report(name, version, measure.rethreshold(listed, chosen, by_likeness)))
    first = next(iter(by_profile.values()), [])
    reports += [measure.report(name, "baseline", listed) for name, listed in measure.baselines(first).items()]
    return {
        "on": "planted faults, not model output",
        "shares": dict(measure.shares(first)),
        "likeness_threshold": chosen,
        "reports": [as_json(each) for each in reports],
        "planted": len(planted),
    }


def by_likeness(edge: float, node: float, threshold: float) -> str:
    """Category of edge and node likeness (HalluVault Algorithm 3, lines 14 to 19) at another threshold."""
    if edge < threshold:
        return "both" if node < threshold else "error_inference"
    return "error_knowledge" if node < threshold else "normal"


def _threshold(session: Session, hash_: str) -> float | None:
    """The likeness threshold that this version's development run chose."""
    development = stored(session, "development", hash_)
    return development.figures.get("likeness_threshold") if development else None


def as_json(value: Any) -> Any:
    """Named tuples as objects, all else as it is."""
    if hasattr(value, "_asdict"):
        return {name: as_json(member) for name, member in value._asdict().items()}
    if isinstance(value, dict):
        return {key: as_json(member) for key, member in value.items()}
    return [as_json(member) for member in value] if isinstance(value, list | tuple) else value
