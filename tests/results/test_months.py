"""Two models on the same questions: the paired comparison, against independent figures and its own laws."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import ttest_rel

from halluvault_tasks.results.months import ModelPair, compare

PAIRS = st.lists(
    st.builds(ModelPair, st.sampled_from("abcdefgh"), st.booleans(), st.booleans()), min_size=2, max_size=60
)


def test_nothing_in_common_is_no_difference() -> None:
    assert compare([]) is None


@given(pairs=PAIRS)
def test_the_comparison_turns_its_sign_with_its_sides(pairs: list[ModelPair]) -> None:
    there = compare(pairs)
    back = compare([ModelPair(pair.group, pair.baseline_errs, pair.errs) for pair in pairs])
    assert there is not None and back is not None
    assert back.difference == -there.difference
    assert (back.low, back.high) == pytest.approx((-there.high, -there.low))
    assert back.p_value == pytest.approx(there.p_value)
    assert -1 <= there.low <= there.difference <= there.high <= 1


@given(outcomes=st.lists(st.tuples(st.booleans(), st.booleans()), min_size=5, max_size=80))
def test_where_every_fact_is_asked_once_the_interval_is_that_of_the_paired_t_test(
    outcomes: list[tuple[bool, bool]],
) -> None:
    found = compare([ModelPair(f"g{number}", *both) for number, both in enumerate(outcomes)])
    mine, theirs = ([float(each[side]) for each in outcomes] for side in (0, 1))
    expected = ttest_rel(mine, theirs).confidence_interval(0.95)
    assert found is not None
    if len({one - other for one, other in zip(mine, theirs, strict=True)}) > 1:
        assert (found.low, found.high) == pytest.approx((max(-1, expected.low), min(1, expected.high)))


def test_p_is_exact_where_few_facts_differ() -> None:
    pairs = [ModelPair(f"g{n}", True, False) for n in range(9)] + [ModelPair(f"h{n}", False, True) for n in range(1)]
    found = compare([*pairs, *(ModelPair(f"i{n}", True, True) for n in range(40))])
    assert found is not None
    # 2 * (C(10,0) + C(10,1)) / 2**10
    assert found.p_value == pytest.approx(22 / 1024)
    assert (found.pairs, found.only_model, found.only_baseline) == (50, 9, 1)


def test_wordings_of_one_fact_widen_the_interval() -> None:
    alone = compare([ModelPair(f"g{n}", n % 2 == 0, False) for n in range(20)])
    together = compare([ModelPair(f"g{n // 4}", n // 4 % 2 == 0, False) for n in range(20)])
    assert alone is not None and together is not None
    assert together.high - together.low > 1.5 * (alone.high - alone.low)
