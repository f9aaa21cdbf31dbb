"""Blind baselines find what leaks, name it, and do not cry at chance."""

import random

import pytest

from halluvault_tasks.benchmark.selection.baseline import Baseline
from halluvault_tasks.benchmark.selection.blind_gate import BlindCase, Gate, check, run
from halluvault_tasks.errors import UserError

GATE = Gate(0.55)
NAMES = [f"{first} {last}" for first in ("Ada", "Ben", "Cy", "Dora", "Eve") for last in ("Ash", "Birch", "Elm", "Fir")]


def fair(blocks: int, seed: int = 1) -> list[BlindCase]:
    """Every wording as often a yes as a no, with the same words."""
    rng = random.Random(seed)
    made = []
    for block in range(blocks):
        one, other = rng.sample(NAMES, 2)
        for a, b, gold in ((one, other, "yes"), (other, one, "no")):
            made.append(BlindCase(f"Is {a} older than {b}?", gold, "relation", block))
            made.append(BlindCase(f"Is this true? {a} is not older than {b}.", "no" if gold == "yes" else "yes",
                              "relation", block))  # fmt: skip
    return made


def leaking(blocks: int) -> list[BlindCase]:
    """A family whose affirmative question is always a yes."""
    made = []
    for block in range(blocks):
        made.append(BlindCase(f"Was {NAMES[block % 20]} ever married?", "yes", "relation", block))
        made.append(BlindCase(f"Is this true? {NAMES[block % 20]} was never married.", "no", "relation", block))
    return made


def by_name(found: list[Baseline], scope: str = "relation") -> dict[str, Baseline]:
    return {one.name: one for one in found if one.scope == scope}


def test_a_fair_benchmark_passes_every_baseline() -> None:
    found = run(fair(300), GATE)
    check(found, GATE)
    assert not any(one.over for one in found)
    assert by_name(found)["yes"].accuracy == by_name(found)["no"].accuracy == 0.5


def test_words_that_tell_the_answer_fail_the_freeze_and_are_named() -> None:
    found = run([*fair(60), *[one._replace(block=one.block + 1000) for one in leaking(60)]], GATE)
    words = by_name(found)["words"]
    assert words.over
    assert words.accuracy > 0.6
    with pytest.raises(UserError, match=r"blind baseline `words` .* at most 55% may be.*“ever”: yes") as refused:
        check(found, GATE)
    assert "never" in str(refused.value)
    assert "config/" in refused.value.way_out


def test_an_answer_that_prevails_fails_the_freeze() -> None:
    found = run([one._replace(gold="yes") if n % 3 else one for n, one in enumerate(fair(200))], GATE)
    with pytest.raises(UserError, match="give their answers away"):
        check(found, GATE)
    assert by_name(found)["yes"].over


def test_a_length_that_tells_the_answer_fails_the_freeze() -> None:
    rng = random.Random(3)
    made = []
    for block in range(200):
        text = "".join(rng.choice("abcdefgh ") for _ in range(rng.choice((20, 60))))
        made.append(BlindCase(text, "yes" if len(text) > 40 else "no", "relation", block))
    length = by_name(run(made, GATE))["length"]
    assert length.over
    assert length.accuracy == 1.0
    assert length.leaks == ("longer than 20 characters: yes",)


def test_a_handful_of_questions_does_not_fail_by_chance() -> None:
    few = run(fair(8)[:25], GATE)
    check(few, GATE)
    assert all(one.high - one.low > 0.05 for one in few if one.name == "words")


def test_a_suite_is_scored_by_itself_and_a_small_one_not_hidden_by_a_large_one() -> None:
    late = [one._replace(suite="temporal", block=one.block + 1000) for one in leaking(40)]
    found = run([*fair(400), *late], GATE)
    assert by_name(found, "temporal")["words"].over
    assert not any(one.over for one in by_name(found, "relation").values())


def test_the_order_of_the_cases_changes_nothing() -> None:
    some = [*fair(40), *[one._replace(block=one.block + 1000) for one in leaking(20)]]
    assert run(list(reversed(some)), GATE) == run(some, GATE)


def test_the_gate_decides_by_intervals_and_on_both_sides() -> None:
    assert Gate(0.55).over(0.551, 0.6)
    assert Gate(0.55).over(0.4, 0.449)
    assert not Gate(0.55).over(0.53, 0.58)
    assert Gate(0.55, ends=True).over(0.53, 0.56)
    assert not Gate(0.55, ends=True).over(0.46, 0.54)


def placed(chains: int, *, drawn: bool) -> list[BlindCase]:
    """Orders of three things; the one in the middle is once the earlier and once the later, unless places are drawn."""
    rng = random.Random(5)
    made = []
    for chain in range(chains):
        for block, (one, other) in enumerate(((0, 1), (1, 2))):
            a, b = 3 * chain + one, 3 * chain + other
            gold = rng.choice(("yes", "no")) if drawn else "yes"
            number = 2 * chain + block
            for said, first, second in ((gold, a, b), ("no" if gold == "yes" else "yes", b, a)):
                made.append(
                    BlindCase(f"{first} {second}?", said, "relation", number, places=((first, True), (second, False)))
                )
    return made


def test_who_stands_where_tells_chains_of_orders_and_not_drawn_ones() -> None:
    assert by_name(run(placed(300, drawn=False), GATE))["places"].over
    assert not by_name(run(placed(300, drawn=True), GATE))["places"].over


def test_popularity_and_template_that_tell_are_found() -> None:
    rng = random.Random(7)
    made = []
    for block in range(300):
        gold = rng.choice(("yes", "no"))
        fame = 5.0 + rng.random() if gold == "yes" else rng.random()
        made.append(BlindCase(f"{block}?", gold, "relation", block, template=gold + "?", fame=fame))
    found = by_name(run(made, GATE))
    assert found["popularity"].over
    assert found["template"].over


def test_one_block_alone_shows_nothing() -> None:
    assert not any(one.over for one in run(leaking(1), GATE))
