"""By how much a mitigation changes the hallucination rate: the same cases before and after, paired."""

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np
from sqlalchemy import select
from sqlalchemy.orm import Session

from halluvault_tasks.errors import UserError
from halluvault_tasks.results.mitigation.facts import WRONG, HeadlineEvaluation, judged
from halluvault_tasks.statistics import comparisons
from halluvault_tasks.statistics.comparisons import PairedDifference
from halluvault_tasks.statistics.shares import codes
from halluvault_tasks.storage.tables import mitigation_use


class CaseOutcome(NamedTuple):
    """One case's verdict.

    Attributes:
        meaningless: it could not be read, or repeats itself: what a collapsed model gives.
    """

    group: str
    rule_kind: str
    category: str
    meaningless: bool
    original: bool = True

    @property
    def wrong(self) -> bool:
        """Whether it is a hallucination."""
        return self.category in WRONG


class Gain(NamedTuple):
    """A part of the shared cases before and after.

    Attributes:
        before, after: share of the cases that fail.
        difference: after minus before.
    """

    part: str
    before: float
    after: float
    difference: PairedDifference


def outcomes(session: Session, of: HeadlineEvaluation, snapshot: str) -> dict[str, CaseOutcome]:
    """Case → verdict of an evaluation, of the headline's suites."""
    return {
        row.case_id: CaseOutcome(
            row.group_id, row.rule_kind, row.category,
            row.category == "unparseable" or bool(((row.detail or {}).get("flags") or {}).get("loops")),
            row.mutation == "original",
        )
        for row in judged(session, of, snapshot)
        if row.sample == 1
    }  # fmt: skip


def gains(before: dict[str, CaseOutcome], after: dict[str, CaseOutcome], *, retried: bool = False) -> list[Gain]:
    """Gains over all shared cases, by rule kind, and by the category that a case had before.

    Args:
        before: case → verdict without the mitigation.
        after: with it.
        retried: only failed cases are asked again; the others keep what they had.

    Raises:
        UserError: no case is shared.
    """
    if retried:
        after = {case: after[case] if one.wrong and case in after else one for case, one in before.items()}
    shared = sorted(set(before) & set(after))
    if not shared:
        raise UserError("the two evaluations share no case", "name two of one month")
    made = [paired("all", before, after, shared)]
    for kind in sorted({before[case].rule_kind for case in shared}):
        made.append(paired(f"kind: {kind}", before, after, [one for one in shared if before[one].rule_kind == kind]))
    for category in sorted({before[case].category for case in shared}):
        mine = [one for one in shared if before[one].category == category]
        made.append(paired(f"was: {category}", before, after, mine))
    return made


def paired(
    part: str, before: dict[str, CaseOutcome], after: dict[str, CaseOutcome], shared: Sequence[str],
    failed: Callable[[CaseOutcome], bool] = lambda one: one.wrong,
) -> Gain:  # fmt: skip
    """One part; a metamorphic group is a cluster."""
    groups = codes([before[case].group for case in shared])
    old = np.array([float(failed(before[case])) for case in shared])
    new = np.array([float(failed(after[case])) for case in shared])
    found = comparisons.paired(groups, new - old)
    assert found is not None
    return Gain(part, float(old.mean()), float(new.mean()), found)


def stays(before: dict[str, CaseOutcome], after: dict[str, CaseOutcome]) -> dict[str, tuple[int, int]]:
    """What the mitigation does not change: category → (cases that failed so, those of them that still fail)."""
    found: dict[str, tuple[int, int]] = {}
    for case, one in sorted(before.items()):
        if one.wrong and case in after:
            failed, still = found.get(one.category, (0, 0))
            found[one.category] = failed + 1, still + after[case].wrong
    return found


def edited(session: Session, model: str, before: dict[str, CaseOutcome], after: dict[str, CaseOutcome]) -> list[Gain]:
    """An edited or tuned model against the one whose requests were made: targets, rephrasings, locality, the rest.

    Args:
        session: open session.
        model: whose requests: the name before.
        before: its verdicts.
        after: of the changed model.

    Raises:
        UserError: nothing was requested of the model, or none of it is among the cases.
    """
    c = mitigation_use.c
    used = session.execute(select(c.kind, c.case_id, c.group_id, c.split).where(c.model == model)).all()
    if not used:
        raise UserError(f"no edit or training data was made for {model}", "`halluvault results edits` makes requests")
    return changed([(row.kind, row.case_id, row.group_id, row.split) for row in used], before, after)


def changed(
    used: Sequence[tuple[str, str, str, str]], before: dict[str, CaseOutcome], after: dict[str, CaseOutcome]
) -> list[Gain]:
    """The same of uses given as (kind, case, group, split).

    Raises:
        UserError: none of them is among the shared cases.
    """
    shared = sorted(set(before) & set(after))
    exact = {case for kind, case, _, _ in used if kind == "edit"}
    groups = {kind: {group for each, _, group, _ in used if each == kind} for kind in ("edit", "locality")}
    trained = {split: {case for kind, case, _, each in used if kind == "train" and each == split} for split in
               ("train", "test")}  # fmt: skip
    touched = groups["edit"] | groups["locality"]
    apart = trained["train"] | trained["test"]
    parts: list[tuple[str, list[str]]] = [
        ("targets", [one for one in shared if one in exact]),
        ("rephrasings", [one for one in shared if one not in exact and before[one].group in groups["edit"]]),
        ("locality", [one for one in shared if before[one].group in groups["locality"]]),
        ("used for training", [one for one in shared if one in trained["train"]]),
        ("held out from training", [one for one in shared if one in trained["test"]]),
        ("everything else", [one for one in shared if before[one].group not in touched and one not in apart]),
    ]
    made = [paired(name, before, after, mine) for name, mine in parts if mine]
    if not any(mine for _, mine in parts[:-1]):
        raise UserError("none of what was requested is among the shared cases", "compare evaluations of the same month")
    made.append(paired("all", before, after, shared))
    return [*made, paired("meaningless responses", before, after, shared, lambda one: one.meaningless)]
