"""Intervals against hand values, published formulas, and simulated coverage."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from halluvault_tasks.results.statistics import Item, macro_rate, rate, wilson


def items(groups: list[tuple[int, int]]) -> list[Item]:
    """Groups of (errors, size)."""
    return [
        Item(f"g{number}", "cell", position < errors)
        for number, (errors, size) in enumerate(groups)
        for position in range(size)
    ]


def test_wilson_gives_the_textbook_interval() -> None:
    # Newcombe (1998), table I: 81 of 263, method 3
    assert wilson(81 / 263, 263) == pytest.approx((0.2553, 0.3662), abs=1e-4)
    assert wilson(0.0, 20) == pytest.approx((0.0, 0.1611), abs=1e-4)


def test_the_clustered_variance_is_millers_with_the_finite_cluster_factor() -> None:
    # by hand: p = 3/6; deviations by group 2·½, ½−½, −2·½ → 1, 0, −1; SE² = 3/2 · 2 / 36 = 1/12; plain = ¼/6 = 1/24
    estimate = rate(items([(2, 2), (1, 2), (0, 2)]))
    assert estimate is not None
    assert estimate.rate == 0.5
    assert estimate.groups == 3
    assert estimate.design_effect == pytest.approx(2.0)
    assert (estimate.low, estimate.high) == pytest.approx(wilson(0.5, 3))


def test_negated_twins_never_make_the_interval_narrower_than_independent_answers() -> None:
    # a constant yes errs once in every pair: no spread between groups at all
    estimate = rate(items([(1, 2)] * 50))
    assert estimate is not None
    assert estimate.design_effect == 0.0
    assert (estimate.low, estimate.high) == pytest.approx(wilson(0.5, 100))


@pytest.mark.parametrize("errors", [0, 4])
def test_without_spread_each_group_counts_once(errors: int) -> None:
    estimate = rate(items([(errors, 4)] * 10))
    assert estimate is not None
    assert estimate.design_effect is None
    assert (estimate.low, estimate.high) == pytest.approx(wilson(errors / 4, 10))


def test_nothing_has_no_rate() -> None:
    assert rate([]) is None
    assert macro_rate([]) is None


def test_the_macro_rate_weighs_every_cell_alike() -> None:
    found = [Item(f"a{n}", "a", n < 1) for n in range(4)] + [Item(f"b{n}", "b", n < 9) for n in range(12)]
    estimate = macro_rate(found)
    assert estimate is not None
    assert estimate.rate == pytest.approx((1 / 4 + 9 / 12) / 2)
    plain = rate([item._replace(cell="same") for item in found])
    one_cell = macro_rate([item._replace(cell="same") for item in found])
    assert plain == pytest.approx(one_cell)


@given(st.lists(st.tuples(st.integers(0, 4), st.integers(1, 4)).map(lambda t: (min(t), t[1])), min_size=1, max_size=30))
def test_an_interval_holds_its_rate_within_0_and_1(groups: list[tuple[int, int]]) -> None:
    for estimate in (rate(items(groups)), macro_rate(items(groups))):
        assert estimate is not None
        assert 0 <= estimate.low <= estimate.rate <= estimate.high <= 1
        assert not math.isnan(estimate.low)


@pytest.mark.parametrize(("probability", "least"), [(0.5, 0.92), (0.3, 0.92), (0.9, 0.90)])
def test_intervals_cover_the_truth_under_correlated_groups(probability: float, least: float) -> None:
    """80 groups of 4 with intra-class correlation ⅓, as research/evals.md §5 simulated; naive intervals cover ~80 %."""
    random = np.random.default_rng(7)
    scale = 2.0  # Beta(2p, 2(1−p)) has intra-class correlation 1 / (scale + 1)
    covered, runs = 0, 400
    for _ in range(runs):
        chances = random.beta(scale * probability, scale * (1 - probability), size=80)
        estimate = rate(items([(int(errors), 4) for errors in random.binomial(4, chances)]))
        assert estimate is not None
        covered += estimate.low <= probability <= estimate.high
    assert least <= covered / runs <= 0.99
