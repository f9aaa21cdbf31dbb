"""The stage: plant a part's faults, have every profile judge them, keep the figures.

The development part may be run as often as anybody likes. The kept-back part runs once for every version of the
oracles, known by the hash of everything a verdict depends on; asked again, the stored figures are given back.
"""

import hashlib
import json
import logging
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any, Literal, NamedTuple

from sqlalchemy import select
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.orm import Session

from halluvault_tasks.oracles.stages import Item
from halluvault_tasks.oracles.study import facts, hand_written, measure, split, styles_development, styles_kept_back
from halluvault_tasks.oracles.study.faults import Fault
from halluvault_tasks.oracles.study.measure import Outcome, Report
from halluvault_tasks.oracles.study.plan import make_plan
from halluvault_tasks.oracles.study.style import Style
from halluvault_tasks.oracles.study.writer import write
from halluvault_tasks.storage.tables import oracle_study

_log = logging.getLogger(__name__)

PartName = Literal["development", "kept_back", "hand_written"]
PARTS: tuple[PartName, ...] = ("development", "kept_back", "hand_written")

SEED = 20261121
"""Of the study unless another is given."""

STYLES: Mapping[split.Part, tuple[Style, ...]] = {
    "development": styles_development.STYLES,
    "kept_back": styles_kept_back.STYLES,
}

Judge = Callable[[Sequence[Item]], list[dict[str, Any]]]
"""Texts to verdict rows, one per text and profile (`oracles.stages.judge` with session and snapshot given)."""


class Planted(NamedTuple):
    """One response of the study: its label, fixed first, and its text."""

    case_id: str
    sample: int
    question: str
    text: str
    cluster: str
    fault: Fault
    category: str
    sub_label: str
    row: str
    """Of the decision table."""

    right: bool | None
    style: str
    form: str
    claims: int

    @property
    def item(self) -> Item:
        """What the oracles see of it."""
        return Item(self.case_id, self.sample, self.text)


class Study(NamedTuple):
    """One run, as table `oracle_study` keeps it."""

    snapshot: str
    part: PartName
    oracle_hash: str
    plan_hash: str
    seed: int
    responses: int
    figures: dict[str, Any]
    ran_at: datetime | None
    repeated: bool
    """Whether these are figures of an earlier run of the same oracle version."""


def plant(session: Session, snapshot: str, part: PartName, seed: int = SEED) -> list[Planted]:
    """The responses of a part, in a fixed order.

    Raises:
        UserError: the snapshot has no benchmark.
    """
    cases = facts.load_cases(session, snapshot)
    if part == "hand_written":
        return [_by_hand(one) for one in hand_written.matched(cases)]
    known = facts.load(session, snapshot)
    styles = {style.name: style for style in STYLES[part]}
    plan = make_plan(part, split.split(cases, seed)[part], known, tuple(styles), seed)
    questions = {case.id: case.question for case in cases}
    return [
        Planted(
            case_id=one.case_id,
            sample=one.sample,
            question=questions[one.case_id],
            text=write(one, styles[one.style], questions[one.case_id], seed),
            cluster=one.cluster,
            fault=one.fault,
            category=one.label.category,
            sub_label=one.label.sub_label,
            row=one.label.row,
            right=one.right,
            style=one.style,
            form=one.form,
            claims=one.claims,
        )
        for one in plan
    ]


def _by_hand(one: hand_written.Matched) -> Planted:
    return Planted(
        case_id=one.case_id,
        sample=one.sample,
        question=one.question,
        text=one.response.text,
        cluster=one.cluster,
        fault=one.response.fault,
        category=one.response.category,
        sub_label=one.response.sub_label,
        row="",
        right=one.response.right,
        style=one.response.style,
        form=one.response.form,
        claims=one.response.claims,
    )


def plan_hash(planted: Sequence[Planted]) -> str:
    """sha256 over texts and labels: two runs with one hash judged the very same responses."""
    rows = [(one.case_id, one.sample, one.text, one.fault.value, one.category) for one in planted]
    return hashlib.sha256(json.dumps(rows, ensure_ascii=False).encode()).hexdigest()


def oracle_hash(config_dir: Path, prolog_dir: Path, embedding: str) -> str:
    """sha256 over everything a verdict depends on beside the snapshot.

    That is the oracles' code (not the study's), the licence and rules it asks, the word lists in the configuration,
    the hand-written Prolog, and the embedding model's name.
    """
    package = Path(__file__).resolve().parents[2]
    files = [path for path in (package / "oracles").rglob("*.py") if "study" not in path.parts]
    files += [*(package / "reasoning").rglob("*.py"), *prolog_dir.rglob("*.pl"), *config_dir.glob("*.yaml")]
    digest = hashlib.sha256(embedding.encode())
    for path in sorted(files):
        if path.name.startswith("labels"):
            continue
        digest.update(path.name.encode() + b"\0" + path.read_bytes() + b"\0")
    return digest.hexdigest()


def stored(session: Session, part: PartName, hash_: str) -> Study | None:
    """The earliest run of a part by an oracle version, if there was one."""
    row = session.execute(
        select(oracle_study)
        .where(oracle_study.c.part == part, oracle_study.c.oracle_hash == hash_)
        .order_by(oracle_study.c.ran_at, oracle_study.c.plan_hash)
        .limit(1)
    ).one_or_none()
    return None if row is None else Study(**row._mapping, repeated=True)


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
    found = figures(by_profile, planted, part, _threshold(session, hash_))
    study = Study(snapshot, part, hash_, plan_hash(planted), seed, len(planted), found, None, False)
    if not limit:
        values = {name: getattr(study, name) for name in Study._fields if name not in ("ran_at", "repeated")}
        session.execute(insert(oracle_study).values(values).on_conflict_do_nothing())
        session.commit()
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
    """Claims that a verdict's detail shows as linked to the snapshot, or triples read; None where it shows neither."""
    if "claims" in detail:
        return sum(1 for claim in detail["claims"] if claim.get("status") != "unlinked" and claim.get("role") != "none")
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
