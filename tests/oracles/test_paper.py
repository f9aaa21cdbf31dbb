import pytest

from halluvault_tasks.oracles.anchored import PhraseTriple
from halluvault_tasks.oracles.paper import GATED, JUDGED, Compared, judge
from halluvault_tasks.oracles.structure import Likeness
from halluvault_tasks.reading.base import Answer, TextSpan


def verdicts(
    kind: str, gold: str, edge: float | None = None, node: float | None = None
) -> dict[str, tuple[str, object]]:
    answer = Answer(kind, TextSpan(0, 3), "leading")  # type: ignore[arg-type]
    compared = None
    if edge is not None and node is not None:
        compared = Compared([PhraseTriple("Kent", "lies in", "England")], [], Likeness(edge, ()), Likeness(node, ()))
    found = judge(answer, gold, compared)
    assert [each.profile for each in found] == [JUDGED, GATED]
    return {each.profile: (each.category, each.correct) for each in found}


@pytest.mark.parametrize(
    ("edge", "node", "category"),
    [
        (0.79, 0.79, "both"),
        (0.79, 0.8, "error_inference"),
        (0.8, 0.79, "error_knowledge"),
        (0.8, 0.8, "normal"),
    ],
)
def test_likeness_below_the_threshold_is_an_error_of_its_kind(edge: float, node: float, category: str) -> None:
    right, wrong = verdicts("yes", "yes", edge, node), verdicts("yes", "no", edge, node)
    assert right == {JUDGED: (category, True), GATED: ("normal", True)}
    assert wrong == {
        JUDGED: (category, False),
        GATED: ("unattributed" if category == "normal" else category, False),
    }


@pytest.mark.parametrize("kind", ["dont_know", "refusal"])
def test_a_refusal_is_normal_whatever_the_gold(kind: str) -> None:
    assert verdicts(kind, "yes") == {JUDGED: ("normal", None), GATED: ("normal", None)}


def test_an_unread_answer_is_neither_right_nor_wrong() -> None:
    assert verdicts("unparseable", "yes") == {JUDGED: ("unparseable", None), GATED: ("unparseable", None)}


def test_a_self_contradiction_is_judged_on_its_reasoning_and_never_right() -> None:
    assert verdicts("contradictory", "yes", 1.0, 1.0) == {JUDGED: ("normal", None), GATED: ("unattributed", None)}
