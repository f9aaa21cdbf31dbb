"""Recognition's figures: intervals that hold a planted rate, and which text counts where."""

from random import Random

from halluvault_tasks.benchmark.suites.recognition.fact import RecognitionFact
from halluvault_tasks.results.suites import recognition
from halluvault_tasks.results.suites.recognition import JudgedRecognition


def fact(pair: int, member: str, **more: object) -> RecognitionFact:
    return RecognitionFact.model_validate({
        "task": "qa", "pattern": "factualness", "generator": "licensed swaps", "pair": str(pair), "member": member,
        "words": 1, "characters": 5, "other_words": 1, "other_characters": 6, "why": "", "instruction": "", **more,
    })  # fmt: skip


def test_over_200_seeds_the_interval_holds_the_planted_rate_in_93_to_97_of_100() -> None:
    """Both members of a pair are judged wrongly together half of the time: that is what the cluster is for."""
    held = drawn = 0
    for seed in range(200):
        random = Random(seed)
        for rate in (0.1, 0.25, 0.4):
            judged = []
            for pair in range(120):
                together = random.random() < rate
                for member in ("right", "false"):
                    wrong = together if random.random() < 0.5 else random.random() < rate
                    answer = "yes" if (member == "false") != wrong else "no"
                    judged.append(JudgedRecognition(fact(pair, member), answer, not wrong, False))
            figures = recognition.figures(judged)
            found = next(one for one in figures if one.scope == "task" and one.metric == "recognised")
            assert found.low is not None
            assert found.high is not None
            held += found.low <= 1 - rate <= found.high
            drawn += 1
    assert 0.93 <= held / drawn <= 0.97, held / drawn


def test_mended_texts_are_counted_apart() -> None:
    judged = [
        JudgedRecognition(fact(1, "right"), "no", True, False),
        JudgedRecognition(fact(1, "false"), "no", False, False),
    ]
    mended = JudgedRecognition(fact(2, "false", instruction=None, refine="…", names=("a", "b")), "text", True, False)
    found = {(one.scope, one.metric): one for one in recognition.figures([*judged, mended])}
    assert (found["task", "recognised"].n, found["task", "recognised"].value) == (2, 0.5)
    assert (found["refined", "mended"].n, found["refined", "mended"].value) == (1, 1.0)


def test_a_reply_without_a_judgement_is_in_neither_rate_and_generators_stay_apart() -> None:
    judged = [
        JudgedRecognition(fact(1, "right"), "no", True, False), JudgedRecognition(fact(1, "false"), "yes", True, False),
        JudgedRecognition(fact(2, "right"), "yes", False, False), JudgedRecognition(fact(2, "false"), "", False, True),
        JudgedRecognition(fact(3, "false", generator="HaluEval"), "no", False, False),
    ]  # fmt: skip
    found = {(one.key, one.metric): one for one in recognition.figures(judged) if one.scope == "task"}
    mine, theirs = "qa, licensed swaps", "qa, HaluEval"
    names = ("recognised", "true_positive_rate", "true_negative_rate", "yes_share")
    shares = {name: (found[mine, name].hits, found[mine, name].n) for name in names}
    assert tuple(shares.values()) == ((2, 4), (1, 1), (1, 2), (2, 3))
    assert (found[theirs, "true_positive_rate"].hits, found[theirs, "true_positive_rate"].n) == (0, 1)
