"""The metamorphic oracle: does a model answer all wordings of one fact alike? (semantics.md section 4.3)

Needs no knowledge: what the wordings have to do with each other was fixed when they were made. Temporal groups are
judged like the others. A group's verdict changes the category of none of its members.
"""

from collections import defaultdict
from collections.abc import Sequence
from typing import Literal, NamedTuple

from sqlalchemy import Integer, cast, func, select
from sqlalchemy.dialects.postgresql import ARRAY, insert
from sqlalchemy.orm import Session

from halluvault_tasks.oracles import suites
from halluvault_tasks.oracles.asked import opposed
from halluvault_tasks.storage.tables import benchmark_case, cases, evaluation, group_verdict, verdict

Verdict = Literal["not assessable", "inconsistent", "consistent, right", "consistent, stable misbelief"]


class GroupMember(NamedTuple):
    """One wording's answer.

    Attributes:
        relation: same, contradictory, contrary or converse, to the group's original.
        opposed: a yes to it speaks against the base proposition.
        answer: as read; only yes and no decide anything.
        correct: the answer is the gold one; None unless it is yes or no.
    """

    case_id: str
    relation: str
    opposed: bool
    answer: str
    correct: bool | None

    @property
    def decided(self) -> bool:
        """It says yes or no."""
        return self.answer in ("yes", "no")

    @property
    def base(self) -> str:
        """What it says of the base proposition; empty where it leaves that open.

        A contrary wording ("in another place") that is denied leaves it open; a converse one keeps or flips.
        """
        if not self.decided or (self.relation == "contrary" and self.answer == "no"):
            return ""
        return "yes" if (self.answer == "yes") != self.opposed else "no"


class GroupVerdict(NamedTuple):
    """Whether a group was answered consistently.

    Attributes:
        members: wordings that were judged.
        decided: those answered yes or no.
        against: two members that cannot both be right; empty where all agree.
    """

    members: int
    decided: int
    verdict: Verdict
    against: tuple[str, ...]


def judge(members: Sequence[GroupMember]) -> GroupVerdict:
    """One group's verdict.

    Args:
        members: its wordings, each answered by one model in one sample.
    """
    decided = [one for one in members if one.decided]
    if len(decided) < 2:
        return GroupVerdict(len(members), len(decided), "not assessable", ())
    ordered = sorted(decided, key=lambda one: (one.relation != "same", one.case_id))
    affirming = next((one for one in ordered if one.base == "yes"), None)
    denying = next((one for one in ordered if one.base == "no"), None)
    if affirming and denying:
        return GroupVerdict(len(members), len(decided), "inconsistent", (affirming.case_id, denying.case_id))
    right = all(one.correct for one in decided)
    return GroupVerdict(
        len(members), len(decided), "consistent, right" if right else "consistent, stable misbelief", ()
    )


def store(session: Session, evaluation_id: str) -> int:
    """Judge every group of an evaluation and keep the verdicts; the same answers give the same rows.

    The caller commits. Every profile reads the same answer off a response, so any one's verdict is enough. Suites with
    judges of their own have no metamorphic groups.

    Returns:
        Groups (times samples) judged.
    """
    newest = (
        select(verdict.c.case_id, verdict.c.sample, verdict.c.answer)
        .where(verdict.c.evaluation_id == evaluation_id)
        .distinct(verdict.c.case_id, verdict.c.sample)
        .order_by(
            verdict.c.case_id,
            verdict.c.sample,
            verdict.c.profile,
            cast(func.string_to_array(verdict.c.profile_version, "."), ARRAY(Integer)).desc(),
        )
        .subquery()
    )
    found = session.execute(
        select(
            newest.c.case_id, newest.c.sample, newest.c.answer,
            cases.c.gold, cases.c.group_id, cases.c.relation, benchmark_case.c.fact,
        )
        .join(cases, cases.c.id == newest.c.case_id)
        .join(evaluation, evaluation.c.id == evaluation_id)
        .join(
            benchmark_case,
            (benchmark_case.c.case_id == newest.c.case_id) & (benchmark_case.c.snapshot == evaluation.c.snapshot),
        )
        .where(cases.c.suite.not_in(suites.JUDGES))
        .order_by(cases.c.group_id, newest.c.sample, newest.c.case_id)
    )  # fmt: skip
    groups: dict[tuple[str, int], list[GroupMember]] = defaultdict(list)
    for row in found:
        groups[row.group_id, row.sample].append(
            GroupMember(
                row.case_id,
                row.relation,
                opposed(row.relation, row.gold, row.fact),
                row.answer,
                row.answer == row.gold if row.answer in ("yes", "no") else None,
            )
        )
    rows = [
        {"evaluation_id": evaluation_id, "group_id": group, "sample": sample} | judge(members)._asdict()
        for (group, sample), members in groups.items()
    ]
    if rows:
        statement = insert(group_verdict)
        changed = {name: statement.excluded[name] for name in GroupVerdict._fields}
        session.execute(
            statement.on_conflict_do_update(index_elements=["evaluation_id", "group_id", "sample"], set_=changed), rows
        )
    return len(rows)
