"""Recognition's rules without a month: halves as long as each other, and two ways to read a judgement."""

from collections import Counter
from random import Random

import pytest

from halluvault_tasks.benchmark.prompts.templates import TEMPLATES
from halluvault_tasks.benchmark.suites.recognition import demonstrations, judging
from halluvault_tasks.benchmark.suites.recognition.even_lengths import balanced
from halluvault_tasks.benchmark.suites.recognition.swaps import PATTERNS, Swap, Task
from halluvault_tasks.oracles.suites import recognition as judge
from halluvault_tasks.reasoning.case_proofs.members import Falsity


def _swap(pattern: str, s: int, right: str, false: str) -> Swap:
    return Swap("qa", pattern, s, 19, 0, 1, f"Where was {s} born?", right, false, "", (), Falsity("", ()), ())


def test_halves_are_balanced_whatever_the_candidates_are() -> None:
    random = Random(3)
    for _ in range(50):
        found = [
            _swap(random.choice(PATTERNS["qa"]), s, "a b" * random.randint(1, 3), "c " * length)
            for s in range(random.randint(1, 12))
            for length in random.choices(range(1, 9), k=4)
        ]
        chosen = balanced(found, PATTERNS["qa"], 40, random)
        assert Counter(one.longer for one in chosen).get(1, 0) * 2 == len(chosen)
        assert len({(one.setting, one.right) for one in chosen}) == len(chosen), "nothing is asked twice"


@pytest.mark.parametrize(
    ("reply", "correct"),
    [("Paris", True), ("It was Paris, not at all elsewhere.", True), ("London.", False), ("Rome", None),
     ("Paris, not London", None), ("", None)],
)  # fmt: skip
def test_a_mended_text_is_right_where_the_right_name_alone_stands_in_it(reply: str, correct: bool | None) -> None:
    assert judge.refined(judge.STRICT, "Paris", "London", reply)["correct"] is correct


@pytest.mark.parametrize(
    ("reply", "strict", "legacy"),
    [
        ("Yes", "yes", "yes"), ("No.", "no", "no"), ("yes", "yes", "failed"), ("**No**", "no", "no"),
        ("Paris lies in France.\nYes", "yes", "yes"), ("No doubt about it.\nYes", "yes", "failed"),
        ("Perhaps.", "unparseable", "failed"), ("", "unparseable", "failed"),
        ("Not at all: Yes", "unparseable", "failed"),
        ("It is false.\n```\nNo\n```<|im_end|>", "no", "no"), ('<p>Paris.</p><p>{"verdict": "Yes"}</p>', "yes", "yes"),
        ("I don't know", "dont_know", "failed"), ("Yes and No", "unparseable", "failed"),
    ],
)  # fmt: skip
def test_the_two_rules_read_a_judgement(reply: str, strict: str, legacy: str) -> None:
    assert judge.strict(reply) == strict
    assert judge.legacy(reply) == legacy


def test_legacy_is_the_published_rule_on_a_thousand_replies() -> None:
    """As the paper and its issues tell it: stops go; the words are looked for as written; both or none failed."""
    random = Random(7)
    words = [
        "Yes",
        "No",
        "yes",
        "no",
        "NO",
        "Not",
        "None",
        "Y.es",
        "N.o",
        "The",
        "answer",
        "is",
        ".",
        ",",
        "Yes.",
        "\n",
    ]
    right = Counter[str]()
    for _ in range(1000):
        reply, gold = (
            random.choice(["", " "]).join(random.choices(words, k=random.randint(0, 4))),
            random.choice(["yes", "no"]),
        )
        kept = "".join(char for char in reply if char != ".")
        yes, no = kept.find("Yes") >= 0, kept.find("No") >= 0
        published = "failed" if (yes and no) or not (yes or no) else ("correct" if yes == (gold == "yes") else "wrong")
        row = judge.verdict_of(judge.LEGACY, gold, reply)
        assert row["correct"] is (published == "correct")
        assert (row["sub_label"] == judge.FAILED) is (published == "failed")
        right[published] += 1
    assert min(right.values()) > 50


@pytest.mark.parametrize("way", ["base", "knowledge", "cot", "contrast"])
@pytest.mark.parametrize("task", PATTERNS)
def test_an_instruction_shows_each_pattern_judged_both_ways_before_what_is_to_be_judged(way: str, task: Task) -> None:
    shown = judging.DEMONSTRATIONS[task]
    assert [line for line in shown.splitlines() if line.startswith("Judgement: ")] == [
        "Judgement: No", "Judgement: Yes"
    ] * len(PATTERNS[task])  # fmt: skip
    assert all(demonstrations.SHOWN[pattern][0] in shown for pattern in PATTERNS[task])
    template = TEMPLATES[f"recognition/{way}"]
    [turn] = template.turns
    assert template.version == 2 and turn.text.index("{fact.demonstrations}") < turn.text.index("{question}")
