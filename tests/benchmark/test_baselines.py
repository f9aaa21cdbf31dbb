"""Blind baselines find what leaks, name it, and do not cry at chance."""

import random

import pytest

from halluvault_tasks.benchmark.baselines import Asked, Baseline, check, run
from halluvault_tasks.errors import UserError

NAMES = [f"{first} {last}" for first in ("Ada", "Ben", "Cy", "Dora", "Eve") for last in ("Ash", "Birch", "Elm", "Fir")]


def fair(blocks: int, seed: int = 1) -> list[Asked]:
    """Every wording as often a yes as a no, with the same words."""
    rng = random.Random(seed)
    made = []
    for block in range(blocks):
        one, other = rng.sample(NAMES, 2)
        for a, b, gold in ((one, other, "yes"), (other, one, "no")):
            made.append(Asked(f"Is {a} older than {b}?", gold, "relation", block))
            made.append(Asked(f"Is this true? {a} is not older than {b}.", "no" if gold == "yes" else "yes",
                              "relation", block))  # fmt: skip
    return made


def leaking(blocks: int) -> list[Asked]:
    """A family whose affirmative question is always a yes."""
    made = []
    for block in range(blocks):
        made.append(Asked(f"Was {NAMES[block % 20]} ever married?", "yes", "relation", block))
        made.append(Asked(f"Is this true? {NAMES[block % 20]} was never married.", "no", "relation", block))
    return made


def by_name(found: list[Baseline], scope: str = "relation") -> dict[str, Baseline]:
    return {one.name: one for one in found if one.scope == scope}


def test_a_fair_benchmark_passes_every_baseline() -> None:
    found = run(fair(300), 0.55)
    check(found, 0.55)
    assert not any(one.over for one in found)
    assert by_name(found)["yes"].accuracy == by_name(found)["no"].accuracy == 0.5


def test_words_that_tell_the_answer_fail_the_freeze_and_are_named() -> None:
    found = run([*fair(60), *[one._replace(block=one.block + 1000) for one in leaking(60)]], 0.55)
    words = by_name(found)["words"]
    assert words.over
    assert words.accuracy > 0.6
    with pytest.raises(UserError, match=r"blind baseline `words` .* at most 55% may be.*“ever”: yes") as refused:
        check(found, 0.55)
    assert "never" in str(refused.value)
    assert "config/" in refused.value.way_out


def test_an_answer_that_prevails_fails_the_freeze() -> None:
    found = run([one._replace(gold="yes") if n % 3 else one for n, one in enumerate(fair(200))], 0.55)
    with pytest.raises(UserError, match="give their answers away"):
        check(found, 0.55)
    assert by_name(found)["yes"].over


def test_a_length_that_tells_the_answer_fails_the_freeze() -> None:
    rng = random.Random(3)
    made = []
    for block in range(200):
        text = "".join(rng.choice("abcdefgh ") for _ in range(rng.choice((20, 60))))
        made.append(Asked(text, "yes" if len(text) > 40 else "no", "relation", block))
    length = by_name(run(made, 0.55))["length"]
    assert length.over
    assert length.accuracy == 1.0
    assert length.leaks == ("longer than 20 characters: yes",)


def test_a_handful_of_questions_does_not_fail_by_chance() -> None:
    few = run(fair(8)[:25], 0.55)
    check(few, 0.55)
    assert all(one.high - one.low > 0.05 for one in few if one.name == "words")


def test_a_suite_is_scored_by_itself_and_a_small_one_not_hidden_by_a_large_one() -> None:
    late = [one._replace(suite="temporal", block=one.block + 1000) for one in leaking(40)]
    found = run([*fair(400), *late], 0.55)
    assert by_name(found, "temporal")["words"].over
    assert not any(one.over for one in by_name(found, "relation").values())


def test_the_order_of_the_cases_changes_nothing() -> None:
    some = [*fair(40), *[one._replace(block=one.block + 1000) for one in leaking(20)]]
    assert run(list(reversed(some)), 0.55) == run(some, 0.55)


def test_one_block_alone_shows_nothing() -> None:
    assert not any(one.over for one in run(leaking(1), 0.55))
