"""What two filled-in sheets say: agreement, every profile's quality, and rates corrected where that is allowed."""

from collections import Counter, defaultdict
from collections.abc import Mapping
from typing import NamedTuple

from sqlalchemy import select
from sqlalchemy.orm import Session

from halluvault_tasks.oracles.measure.responses import CONVICTING
from halluvault_tasks.results import joins
from halluvault_tasks.results.labels import Key, Labels, Shown
from halluvault_tasks.results.labels_agreement import (
    Agreement,
    Corrected,
    Measured,
    Quality,
    agreed,
    agreement,
    confusion,
    corrected,
    quality,
)
from halluvault_tasks.storage.tables import evaluation, model, response, verdict


class LabelReport(NamedTuple):
    """Everything two sheets say about a month."""

    agreement: Agreement
    real: int
    """Agreed labels on real models' responses."""

    qualities: list[Quality]
    """Every profile and version, on all agreed labels."""

    confusions: dict[str, dict[str, dict[str, int]]]
    """Profile → people's category → the oracle's → responses."""

    corrected: list[tuple[str, Corrected]]
    """(profile, model's rate), from agreed labels on real responses alone."""


def report(session: Session, snapshot: str, one: Labels, other: Labels, known: Mapping[str, Shown]) -> LabelReport:
    """Hold every profile's newest verdicts against the labels on which both annotators agree.

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
    qualities, corrections, confusions = [], [], {}
    for (profile, version), said in sorted(_verdicts(session, snapshot).items()):
        qualities.append(quality(profile, version, truth, known, said))
        confusions[profile] = {label: dict(counts) for label, counts in confusion(truth, known, said).items()}
        on_real = quality(profile, version, real, known, said)
        for measured in _rates(session, snapshot, profile, version):
            corrections.append((profile, corrected(measured, on_real, labelled)))
    return LabelReport(agreement(one, other), len(real), qualities, confusions, corrections)


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
