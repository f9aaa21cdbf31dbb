"""Internal memory consistency: what counts, what is not assessable, and intervals that hold a planted rate."""

from collections.abc import Sequence
from random import Random

import pytest

from halluvault_tasks.benchmark.suites.memory.fact import MemoryFact
from halluvault_tasks.oracles.suites import memory as judge
from halluvault_tasks.reading import listed
from halluvault_tasks.results.figures import Figure
from halluvault_tasks.results.suites import memory
from halluvault_tasks.results.suites.memory import JudgedMemory


def fact(pairs: Sequence[int], *, strategy: int = 1, shown: Sequence[int] = (), name: str = "") -> MemoryFact:
    """Pair n is (n, 1000 + n), its right end called `Name n`."""
    kind = "set" if len(pairs) > 1 else "single"
    right = tuple(f"Name {one}" for one in pairs)
    return MemoryFact(
        kind=kind, p=36, strategy=strategy if kind == "set" else 0,
        set=(name or ",".join(map(str, sorted(pairs)))) if kind == "set" else "",
        pairs=tuple((one, 1000 + one) for one in pairs), right=right,
        shown=tuple(f"Name {one}" for one in shown or reversed(pairs)) if kind == "set" else (),
        accepted={one: (one,) for one in right}, stratum=0,
    )  # fmt: skip


def judged(one: MemoryFact, reply: str) -> JudgedMemory:
    """A reply through reader and judge, as the results see it."""
    known = {listed.key(name): name for name in one.right}
    said = listed.read(reply, known)
    row = judge.verdict_of(one, said, "dont_know" if reply == "I do not know." else "")
    return JudgedMemory(
        one, bool(row["correct"]), row["detail"]["pairs_right"], row["category"], row["sub_label"] == "abstained"
    )


def by(figures: Sequence[Figure]) -> dict[tuple[str, str], Figure]:
    return {(one.key, one.metric): one for one in figures if one.scope in ("sets", "singles")}


def answer(one: MemoryFact) -> str:
    return ", ".join(one.right)


@pytest.mark.parametrize(
    ("reply", "category", "right"),
    [
        ("Name 1, Name 2, Name 3", "normal", 3),
        ("**Name 1**, “Name 2”, Name 3.", "normal", 3),
        ("Name 2, Name 1, Name 3", "unattributed", 1),
        ("Name 1, Name 2", "unattributed", 2),
        ("Name 1, Name 2, Nobody", "unattributed", 2),
        ("The order is Name 1, Name 2, Name 3", "unparseable", 0),
        ("1. Name 1\n2. Name 2\n3. Name 3", "unparseable", 0),
        ("", "unparseable", 0),
        ("I do not know.", "normal", 0),
    ],
)
def test_a_set_is_right_where_every_pair_is_and_another_form_is_rejected(reply: str, category: str, right: int) -> None:
    found = judged(fact([1, 2, 3]), reply)
    assert (found.category, found.pairs_right, found.right) == (category, right, category == "normal" and right == 3)


def test_only_sets_of_pairs_that_were_right_singly_count() -> None:
    singles = [judged(fact([n]), f"Name {n}" if n < 8 else "Name 0") for n in range(10)]
    sets = [fact([a, b]) for a in range(10) for b in range(a)]
    replies = [answer(one) if 0 in (pair[0] for pair in one.pairs) else "Name 1, Name 0" for one in sets]
    wrong_order = [judged(one, reply) for one, reply in zip(sets, replies, strict=True)]
    found = by(memory.figures([*singles, *wrong_order]))
    rate = found["k = 2, strategy 1", "internal_hallucination"]
    assert (rate.n, rate.value) == (8 * 7 // 2, None), "28 sets are left: not assessable"
    assert found["k = 2, strategy 1", "assessable_share"].value == pytest.approx(28 / 45)
    assert found["", "known_share"].value == 0.8
    more = [judged(fact([a, b], name=f"{a} {b} again"), answer(fact([a, b]))) for a, b in [(1, 2), (3, 4)]]
    assert by(memory.figures([*singles, *wrong_order, *more]))["k = 2, strategy 1", "internal_hallucination"].n == 30


def test_a_cell_of_fewer_than_thirty_sets_has_no_rate_though_its_k_has_one() -> None:
    singles = [judged(fact([n]), f"Name {n}") for n in range(10)]
    sets = [fact([a, b]).model_copy(update={"stratum": int(a < 4)}) for a in range(10) for b in range(a)]
    found = memory.figures([*singles, *(judged(one, answer(one)) for one in sets)])
    rates = {(one.scope, one.key): (one.n, one.value) for one in found if one.metric == "internal_hallucination"}
    assert rates["sets", "k = 2, strategy 1"] == (45, 0.0)
    assert rates["popularity", "third 0, k = 2"] == (39, 0.0)
    assert rates["popularity", "third 1, k = 2"] == (6, None)


def test_a_reply_in_another_form_is_counted_apart_and_is_not_right() -> None:
    singles = [judged(fact([n]), f"Name {n}") for n in range(40)]
    sets = [fact([n, n + 1]) for n in range(39)] + [fact([0, 2])]
    replies = [answer(one) if at % 4 else f"The order is {answer(one)}" for at, one in enumerate(sets)]
    found = by(memory.figures([*singles, *(judged(*each) for each in zip(sets, replies, strict=True))]))
    for metric in ("rejected_share", "internal_hallucination"):
        assert found["k = 2, strategy 1", metric].value == 0.25
    said = [f"It is Name {n}." if n < 3 else "I do not know." for n in range(4)]
    wordy = by(memory.figures([judged(fact([n]), reply) for n, reply in enumerate(said)]))
    assert [wordy["", f"{what}_share"].value for what in ("known", "rejected", "declined")] == [0, 0.75, 0.25]


def test_of_several_samples_most_make_a_pair_known_and_further_ones_of_a_set_make_no_other_set() -> None:
    replies = [f"Name {n}" if n < 6 or sample < n - 6 else "Name 0" for n in range(9) for sample in range(3)]
    singles = [judged(fact([at // 3]), reply) for at, reply in enumerate(replies)]
    found = by(memory.figures(singles))
    assert found["", "known_share"].value == pytest.approx((6 * 3 + 0 + 1 + 2) / 27)
    sets = [fact([a, b]) for a in range(9) for b in range(a)]
    sampled = [judged(one, answer(one)) for one in sets for _ in range(3)]
    held = by(memory.figures([*singles, *sampled]))["k = 2, strategy 1", "internal_hallucination"]
    assert (held.n, held.value) == (3 * (7 * 6 // 2), None), "21 sets, of which 63 samples: not assessable"


def test_a_model_that_echoes_the_list_scores_chance_and_a_right_one_nothing_wrong() -> None:
    random = Random(1)
    singles = [judged(fact([n]), f"Name {n}") for n in range(40)]
    sets = []
    for number in range(600):
        pairs = random.sample(range(40), 3)
        sets.append(fact(pairs, shown=random.sample(pairs, 3), name=str(number)))
    echoed = by(memory.figures([*singles, *(judged(one, ", ".join(one.shown)) for one in sets)]))
    rate, echo = (echoed["k = 3, strategy 1", name] for name in ("internal_hallucination", "echo"))
    assert rate.value is not None
    assert echo.value == pytest.approx(1 - rate.value)
    assert echo.low < 1 / 6 < echo.high  # type: ignore[operator]
    right = by(memory.figures([*singles, *(judged(one, answer(one)) for one in sets)]))
    assert right["k = 3, strategy 1", "internal_hallucination"].value == 0
    assert right["k = 3, strategy 1", "pair_share"].value == 1


def test_over_200_seeds_the_interval_holds_the_planted_rate_in_93_to_97_of_100() -> None:
    singles = [judged(fact([n]), f"Name {n}") for n in range(30)]
    held = drawn = 0
    for seed in range(200):
        random = Random(seed)
        for rate in (0.1, 0.3, 0.58):
            pairs = random.sample(range(30), 3)
            right, wrong = fact(pairs), ", ".join(fact(pairs).right[::-1])
            sets = []
            for number in range(100):
                one = right.model_copy(update={"set": str(number)})
                reply = wrong if random.random() < rate else answer(one)
                sets.append(_verdict(one, reply == wrong))
            found = by(memory.figures([*singles, *sets]))["k = 3, strategy 1", "internal_hallucination"]
            assert found.low is not None
            assert found.high is not None
            held += found.low <= rate <= found.high
            drawn += 1
    assert 0.93 <= held / drawn <= 0.97, held / drawn


def _verdict(one: MemoryFact, wrong: bool) -> JudgedMemory:
    """A sampled verdict: the same as `judged`, without reading a text."""
    return JudgedMemory(one, not wrong, 1 if wrong else 3, "unattributed" if wrong else "normal", False)
