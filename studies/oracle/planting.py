"""The planted responses of a part: plan and text, or what was written by hand."""

import hashlib
import json
from collections.abc import Mapping, Sequence
from typing import Literal, NamedTuple

from sqlalchemy.orm import Session

from halluvault_tasks.local.personas.fault_kinds import FaultKind
from halluvault_tasks.oracles.unjudged import UnstoredText
from studies.oracle import facts, hand_written, hand_written_cases, split
from studies.oracle.plan import make_plan
from studies.oracle.style import Style, styles
from studies.oracle.writer import write

PartName = Literal["development", "kept_back", "hand_written"]
PARTS: tuple[PartName, ...] = ("development", "kept_back", "hand_written")

SEED = 20261121
"""Of the study unless another is given."""

STYLES: Mapping[split.Part, tuple[Style, ...]] = {
    "development": styles("development", "former", "second", "third", "fourth", "fifth"),
    "kept_back": styles("kept_back"),
}


class Planted(NamedTuple):
    """One response of the study: its label, fixed first, and its text."""

    case_id: str
    sample: int
    question: str
    text: str
    cluster: str
    fault: FaultKind
    category: str
    sub_label: str
    row: str
    """Of the decision table."""

    right: bool | None
    style: str
    form: str
    claims: int

    @property
    def item(self) -> UnstoredText:
        """What the oracles see of it."""
        return UnstoredText(self.case_id, self.sample, self.text)


def plant(session: Session, snapshot: str, part: PartName, seed: int = SEED) -> list[Planted]:
    """The responses of a part, in a fixed order.

    For what was written by hand, its questions are placed into the benchmark first; roll back when they are judged.

    Raises:
        UserError: the snapshot has no benchmark.
    """
    if part == "hand_written":
        placed = hand_written_cases.place(session, snapshot)
        listed = [case for case in facts.load_cases(session, snapshot) if case.id in placed]
        return [_by_hand(one) for one in hand_written.matched(listed)]
    cases = facts.load_cases(session, snapshot)
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
