"""How one suite's responses are judged: a suite that is not yes/no questions brings a judge and profiles of its own."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from sqlalchemy import select
from sqlalchemy.orm import Session

from halluvault_tasks.oracles import exchange
from halluvault_tasks.oracles.exchange import HeardResponse
from halluvault_tasks.oracles.profile import PLANTED_ONLY, OracleProfile
from halluvault_tasks.storage.tables import benchmark_case, cases

if TYPE_CHECKING:  # it asks which suites have judges
    from halluvault_tasks.oracles.asked import CaseToJudge
    from halluvault_tasks.oracles.replay_profile import ReasonedText


class ArguedAnswer(NamedTuple):
    """An answer and the text that argues for it, as the replay judges what a yes or a no to a proposition rests on.

    Attributes:
        asked: the case's fact as a proposition; its gold is yes.
        text: what argues.
        answer: yes where the answer is right, no where it is wrong.
    """

    asked: "CaseToJudge"
    text: str
    answer: str


Argued = Callable[[HeardResponse, Any, Mapping[str, Any]], ArguedAnswer | None]
"""A response, its case and the columns of its verdict to what the replay judges; None where there is nothing."""

Reasons = Callable[[Sequence[ArguedAnswer]], Sequence["ReasonedText"]]
"""Answers to what the texts that argue for them make of them."""


class SuiteJudge(NamedTuple):
    """How one suite's responses are judged.

    Attributes:
        suite: its name.
        profiles: named after the suite (`recognition/strict`).
        verdicts: session, snapshot and responses, each with its case (gold, question, fact) → of each the columns of
            table `verdict` from `profile` on, by profile. What says nothing comes as an empty text.
        argued: what the replay judges of a response; None: the suite's responses hold no reasoning of their own.
        untried: what its figures are called as long as those are not enough.
        load: reads what verdicts need of a month, once a session: no response is slow because it is the first.
    """

    suite: str
    profiles: tuple[OracleProfile, ...]
    verdicts: Callable[[Session, str, Sequence[tuple[HeardResponse, Any]]], Sequence[Sequence[dict[str, Any]]]]
    argued: Argued | None = None
    untried: str = PLANTED_ONLY
    load: Callable[[Session, str], object] | None = None

    def judge(
        self, session: Session, snapshot: str, batch: Sequence[Any], reasons: Reasons | None = None
    ) -> list[dict[str, Any]]:
        """Rows of table `verdict` without evaluation_id.

        Args:
            session: open session; it is only read.
            snapshot: exact key.
            batch: responses with the columns of `exchange.COLUMNS`.
            reasons: judges the reasoning; None: it is not judged.
        """
        case = benchmark_case.c
        query = (
            select(cases, case.fact, case.premises, case.rule_kind, case.subject)
            .join(benchmark_case, benchmark_case.c.case_id == cases.c.id)
            .where(benchmark_case.c.snapshot == snapshot, cases.c.id.in_([row.case_id for row in batch]))
        )
        asked = {case.id: case for case in session.execute(query)}
        responses = [exchange.heard(row) for row in batch]
        found = self.verdicts(session, snapshot, [(each, asked[each.case_id]) for each in responses])
        if self.argued is not None and reasons is not None:
            _add_reasoning(self.argued, reasons, responses, [asked[each.case_id] for each in responses], found)
        return [
            # All rows have the same columns, or they could not be stored by one statement.
            {"case_id": said.case_id, "sample": said.sample, "profile_version": self.versions[one["profile"]]}
            | {"reasoning_faulty": None}
            | one
            | _unread(said, one)
            for said, each in zip(responses, found, strict=True)
            for one in each
        ]

    @property
    def versions(self) -> Mapping[str, str]:
        """Profile → version."""
        return {one.name: one.version for one in self.profiles}

    @property
    def planted_only(self) -> bool:
        """Whether some profile was not held against enough labels, so that every figure of the suite must say so."""
        return not all(one.is_held for one in self.profiles)


def _add_reasoning(
    argued: Argued,
    reasons: Reasons,
    responses: Sequence[HeardResponse],
    asked: Sequence[Any],
    found: Sequence[Sequence[dict[str, Any]]],
) -> None:
    """Put what is made of the reasoning into verdicts."""
    told = [
        (one, given)
        for said, case, each in zip(responses, asked, found, strict=True)
        for one in each
        if (given := argued(said, case, one)) is not None
    ]
    for (one, given), found_so in zip(told, reasons([given for _, given in told]) if told else (), strict=True):
        opposed = given.answer == given.asked.gold and found_so.conclusion_opposed
        one["reasoning_faulty"] = found_so.premise_contradicted or found_so.false_step or opposed
        one["detail"]["reasoning"] = {
            "claims": len(found_so.claims),
            "statuses": dict(sorted(Counter(status for _, status in found_so.claims).items())),
            "contradicted": [text for text, status in found_so.claims if status == "contradicted"],
            "incidental_error": found_so.incidental_error,
        }


def _unread(said: HeardResponse, verdict: Mapping[str, Any]) -> dict[str, Any]:
    """What a verdict is in place of a judge's, where there was nothing to judge."""
    unsaid = said.unsaid or ("cut_off" if said.cut and verdict["category"] == "unparseable" else "")
    if not unsaid:
        return {}
    return {"answer": "unparseable", "correct": None, "category": "unparseable", "sub_label": unsaid}
