"""What two filled-in sheets say: agreement, every profile's quality, and corrected rates where allowed."""

import hashlib
import json
from collections import Counter, defaultdict
from collections.abc import Mapping
from typing import Any, NamedTuple

from sqlalchemy import select
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.orm import Session

from halluvault_tasks.errors import UserError
from halluvault_tasks.oracles.measure.responses import CONVICTING
from halluvault_tasks.oracles.profiles import HEADLINE
from halluvault_tasks.results import joins
from halluvault_tasks.results.annotation_agreement import (
    AnnotatorAgreement,
    Corrected,
    Measured,
    Quality,
    agreed,
    agreement,
    confusion,
    corrected,
    quality,
)
from halluvault_tasks.results.annotation_sheets import AnnotatorSheet, Key, Shown
from halluvault_tasks.storage.tables import evaluation, model, oracle_study, response, verdict

REAL_TEXT = "real_text"
"""Part of `oracle_study` that people's labels on real responses make."""


class LabelReport(NamedTuple):
    """Everything two sheets say about a month."""

    agreement: AnnotatorAgreement
    real: int
    """Agreed labels on real models' responses."""

    qualities: list[Quality]
    """Every profile and version, on all agreed labels."""

    confusions: dict[str, dict[str, dict[str, int]]]
    """Profile → people's category → the oracle's → responses."""

    corrected: list[tuple[str, Corrected]]
    """(profile, model's rate), from agreed labels on real responses alone."""

    on_real: list[Quality]
    """Every profile, on agreed labels of real responses alone."""

    on_right: dict[str, Quality]
    """Profile → the same on those of them whose answer is right, where a fault is in the reasoning."""


def report(
    session: Session, snapshot: str, one: AnnotatorSheet, other: AnnotatorSheet, known: Mapping[str, Shown]
) -> LabelReport:
    """Compare every profile's newest verdicts with the labels on which both annotators agree.

    Args:
        session: open session.
        snapshot: the month of the responses.
        one: first annotator.
        other: second annotator.
        known: item → response.
    """
    truth = agreed(one, other)
    real = {item: label for item, label in truth.items() if known[item].real}
    labelled = Counter(known[item].model for item in real)
    qualities, corrections, confusions, on_reals, on_right = [], [], {}, [], {}
    verdicts = _verdicts(session, snapshot)
    answered = _right(session, snapshot, dict(verdicts.keys()).get(HEADLINE, ""))
    right = {item: label for item, label in real.items() if known[item].key in answered}
    for (profile, version), said in sorted(verdicts.items()):
        qualities.append(quality(profile, version, truth, known, said))
        confusions[profile] = {label: dict(counts) for label, counts in confusion(truth, known, said).items()}
        on_real = quality(profile, version, real, known, said)
        on_reals.append(on_real)
        on_right[profile] = quality(profile, version, right, known, said)
        for measured in _rates(session, snapshot, profile, version):
            corrections.append((profile, corrected(measured, on_real, labelled)))
    return LabelReport(agreement(one, other), len(real), qualities, confusions, corrections, on_reals, on_right)


def keep(session: Session, snapshot: str, found: LabelReport) -> int:
    """Keep what was measured on real responses, for the view `oracle_trust` and the report; the caller commits.

    The same labels of the same profile versions are kept once.

    Returns:
        Agreed labels that the figures depend on.

    Raises:
        UserError: none of them is on a real response.
    """
    if not found.real:
        raise UserError(
            "nothing to store: the two sheets agree on no response of a real model",
            "label responses of models that are not simulated: halluvault oracle label sheet FILE --model NAME",
        )
    figures = {"reports": [_kept(one, found.on_right[one.profile]) for one in found.on_real if one.items]}
    versions = {one.profile: one.version for one in found.on_real}
    values = {
        "snapshot": snapshot, "part": REAL_TEXT, "oracle_hash": _digest(versions), "plan_hash": _digest(figures),
        "seed": 0, "responses": found.real, "figures": figures,
    }  # fmt: skip
    session.execute(insert(oracle_study).values(values).on_conflict_do_nothing())
    return found.real


def _kept(one: Quality, right: Quality) -> dict[str, Any]:
    """A profile's figures in the shape of the study's reports."""
    found: dict[str, Any] = {"profile": one.profile, "version": one.version, "all": _figures(one)}
    return found | ({"right_answer": _figures(right)} if right.items else {})


def _figures(one: Quality) -> dict[str, Any]:
    shares = {"precision": one.precision, "recall": one.tpr, "category": one.category}
    told: dict[str, Any] = {
        name: None if share is None else {"rate": share.rate, "low": share.low, "high": share.high}
        for name, share in shares.items()
    }
    return {"responses": one.items, "clusters": one.category.clusters if one.category else 0, **told}


def _digest(value: object) -> str:
    return hashlib.sha256(json.dumps(value, sort_keys=True).encode()).hexdigest()


def _verdicts(session: Session, snapshot: str) -> dict[tuple[str, str], dict[Key, str]]:
    """(profile, its newest version) → response → category."""
    rows = session.execute(
        select(
            verdict.c.profile,
            verdict.c.profile_version,
            verdict.c.evaluation_id,
            verdict.c.case_id,
            verdict.c.sample,
            verdict.c.category,
        )
        .join(evaluation, evaluation.c.id == verdict.c.evaluation_id)
        .where(evaluation.c.snapshot == snapshot)
    )
    found: dict[tuple[str, str], dict[Key, str]] = defaultdict(dict)
    for row in rows:
        found[row.profile, row.profile_version][Key(row.evaluation_id, row.case_id, row.sample)] = row.category
    newest = {profile: max((v for p, v in found if p == profile), key=_version) for profile, _ in found}
    return {(profile, version): found[profile, version] for profile, version in newest.items()}


def _right(session: Session, snapshot: str, version: str) -> set[Key]:
    """Responses whose answer is right, as the headline's profile read it."""
    rows = session.execute(
        select(verdict.c.evaluation_id, verdict.c.case_id, verdict.c.sample)
        .join(evaluation, evaluation.c.id == verdict.c.evaluation_id)
        .where(
            evaluation.c.snapshot == snapshot,
            verdict.c.profile == HEADLINE,
            verdict.c.profile_version == version,
            verdict.c.correct,
        )
    )
    return {Key(*row) for row in rows}


def _version(text: str) -> tuple[int, str]:
    """Versions are counted: 10 comes after 9."""
    return (int(text), "") if text.isdigit() else (0, text)


def _rates(session: Session, snapshot: str, profile: str, version: str) -> list[Measured]:
    """What one profile makes of each model."""
    rows = session.execute(
        select(model.c.name, model.c.model_id, verdict.c.category)
        .select_from(
            joins.asked(response).join(
                verdict,
                (verdict.c.evaluation_id == response.c.evaluation_id)
                & (verdict.c.case_id == response.c.case_id)
                & (verdict.c.sample == response.c.sample),
            )
        )
        .where(
            evaluation.c.snapshot == snapshot,
            response.c.status == "delivered",
            verdict.c.profile == profile,
            verdict.c.profile_version == version,
        )
    )
    flagged: Counter[str] = Counter()
    delivered: Counter[str] = Counter()
    simulated: dict[str, bool] = {}
    for name, served, category in rows:
        delivered[name] += 1
        flagged[name] += category in CONVICTING
        # One simulated identity under a name, and its figures say nothing about a real model.
        simulated[name] = simulated.get(name, False) or joins.simulated(served)
    return [Measured(name, flagged[name], delivered[name], simulated[name]) for name in sorted(delivered)]
