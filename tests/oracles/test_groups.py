"""The metamorphic oracle: its law by brute force over the truth of the base proposition, and its stage."""

import itertools

import pytest
from sqlalchemy import select
from sqlalchemy.orm import Session

from halluvault_tasks.oracles.asked import opposed
from halluvault_tasks.oracles.groups import GroupMember, judge
from halluvault_tasks.storage.tables import group_verdict

RELATIONS = (("same", False), ("contradictory", True), ("contrary", True), ("converse", False), ("converse", True))


def right_answers(truth: bool, relation: str, is_opposed: bool) -> set[str]:
    """Answers that are right for a wording if the base proposition has this truth."""
    if relation == "contrary":
        return {"no"} if truth else {"yes", "no"}
    return {"yes"} if truth != is_opposed else {"no"}


def test_a_group_is_inconsistent_exactly_if_no_truth_makes_every_answer_right() -> None:
    for kinds in itertools.product(RELATIONS, repeat=3):
        for answers in itertools.product(("yes", "no", "refusal"), repeat=3):
            members = [
                GroupMember(str(n), relation, flipped, answer, True)
                for n, ((relation, flipped), answer) in enumerate(zip(kinds, answers, strict=True))
            ]
            decided = [one for one in members if one.decided]
            found = judge(members)
            possible = any(
                all(one.answer in right_answers(truth, one.relation, one.opposed) for one in decided)
                for truth in (True, False)
            )
            if len(decided) < 2:
                assert found.verdict == "not assessable"
            else:
                assert (found.verdict == "inconsistent") == (not possible)
                assert bool(found.against) == (not possible)


def test_consistent_answers_are_right_or_a_stable_misbelief() -> None:
    for correct, verdict in ((True, "consistent, right"), (False, "consistent, stable misbelief")):
        members = [
            GroupMember("a", "same", False, "yes", correct),
            GroupMember("b", "contradictory", True, "no", correct),
        ]
        assert judge(members).verdict == verdict


@pytest.mark.parametrize(
    ("relation", "gold", "truth", "expected"),
    [
        ("same", "yes", True, False),
        ("contradictory", "no", True, True),
        ("contrary", "no", True, True),
        ("converse", "yes", True, False),
        ("converse", "no", True, True),
        ("converse", "yes", False, True),
        ("same", "no", True, True),  # a formula that denies what its wordings ask
        ("same", "yes", False, True),
    ],
)
def test_a_wording_is_opposed_if_its_right_answer_is_not_the_propositions(
    relation: str, gold: str, truth: bool, expected: bool
) -> None:
    assert opposed(relation, gold, {"truth": truth}) is expected


def test_the_verdicts_of_an_evaluation_are_kept_and_change_with_the_answers(session: Session) -> None:
    from halluvault_tasks.oracles.groups import store
    from halluvault_tasks.storage.tables import verdict
    from tests.oracles.material import fill

    evaluation = fill(session, [("c1", "Yes."), ("c2", "Yes.")])

    def answer(case: str, said: str, gold: str) -> None:
        session.execute(verdict.delete().where(verdict.c.case_id == case, verdict.c.evaluation_id == evaluation))
        session.execute(
            verdict.insert().values(
                evaluation_id=evaluation, case_id=case, sample=1, profile="replay/syntax",
                profile_version="1", answer=said,
                correct=said == gold, category="normal", detail={},
            )
        )  # fmt: skip

    def kept() -> list[tuple[str, str, list[str]]]:
        rows = session.execute(select(group_verdict).where(group_verdict.c.evaluation_id == evaluation)).all()
        return [(row.group_id, row.verdict, row.against) for row in rows]

    answer("c1", "yes", "yes")
    answer("c2", "yes", "no")
    assert store(session, evaluation) == 1
    assert kept() == [("g1", "inconsistent", ["c1", "c2"])]
    answer("c2", "no", "no")
    store(session, evaluation)
    store(session, evaluation)
    assert kept() == [("g1", "consistent, right", [])]
    session.rollback()
