"""Responses written one by one (by a language model, not by people), each with its label decided beforehand.

They lie in `hand_written.jsonl`, a line each. A line names its fact by ids (rule, property, subject, object, or formula
and year); the question with its evidence is kept in `hand_written_cases.jsonl` (`hand_written_cases`).
"""

import json
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Annotated, Literal, NamedTuple

from pydantic import BaseModel, ConfigDict, Field

from halluvault_tasks.local.personas.fault_kinds import FaultKind
from studies.oracle.facts import Case

FILE = Path(__file__).with_name("hand_written.jsonl")


class Fact(BaseModel):
    """Which case a response answers."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    rule: str = ""
    """Name of the rule; empty for a temporal question."""

    property: int = 0
    subject: int = 0
    object: int = 0
    formula: str = ""
    at: int = 0
    opposed: bool = False
    """Whether the question denies the base proposition."""


class Response(BaseModel):
    """One line of the file."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    fact: Fact
    question: str
    """As the writer read it."""

    gold: Literal["yes", "no"]
    answer: Literal["yes", "no", "dont_know", "refusal", "both", "none"]
    category: Literal["normal", "error_knowledge", "error_inference", "both", "unattributed", "unparseable"]
    sub_label: str = ""
    fault: FaultKind
    style: str
    form: Literal["prose", "bullets", "table"] = "prose"
    claims: Annotated[int, Field(ge=0)]
    """Claims of knowledge in the text, counted by the writer."""

    text: str

    @property
    def right(self) -> bool | None:
        """Whether the answer is the gold one; None where it is neither yes nor no."""
        return self.answer == self.gold if self.answer in ("yes", "no") else None


class Matched(NamedTuple):
    """A response and the case it belongs to in a benchmark."""

    case_id: str
    sample: int
    question: str
    cluster: str
    response: Response


def load(path: Path = FILE) -> list[Response]:
    """All responses, in the file's order."""
    return [Response.model_validate(json.loads(line)) for line in path.read_text(encoding="utf-8").splitlines() if line]


def fact_of(case: Case) -> Fact:
    """What a line must say to mean this case."""
    return Fact(
        rule=case.rule,
        property=case.pid,
        subject=case.subject.qid if case.subject and not case.formula else 0,
        object=case.object.qid if case.object and not case.formula else 0,
        formula=case.formula,
        at=case.at,
        opposed=case.opposed,
    )


def matched(cases: Iterable[Case], responses: Sequence[Response] | None = None) -> list[Matched]:
    """Responses with the cases that ask their question; those that nobody asks are left out."""
    by_question = {(fact_of(case), case.question): case for case in cases}
    found: list[Matched] = []
    counts: dict[str, int] = {}
    for response in load() if responses is None else responses:
        if (case := by_question.get((response.fact, response.question))) is not None:
            counts[case.id] = counts.get(case.id, 0) + 1
            cluster = str(min(premise.sid for premise in case.premises))
            found.append(Matched(case.id, counts[case.id], case.question, cluster, response))
    return found
