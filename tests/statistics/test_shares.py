"""Intervals against hand values, published formulas, another library, and simulated coverage."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.special import ndtri

from halluvault_tasks.statistics import LEVEL
from halluvault_tasks.statistics.shares import (
    ShareRate,
    codes,
    macro_of_sums,
    mean,
    of_sums,
    quantile,
    rate,
    succession,
    wilson,
)

SIZE, CORRELATION = 4, 1 / 3
"""Of the simulated clusters; answers of one have this intra-class correlation, so the design effect is about 2."""


def outcomes(groups: list[tuple[int, int]]) -> list[tuple[str, bool]]:
    """Groups of (errors, size)."""
    return [
        (f"g{number}", position < errors) for number, (errors, size) in enumerate(groups) for position in range(size)
    ]


def macro(cells: list[str], groups: list[str], hits: list[bool]) -> ShareRate | None:
    ones = np.ones(len(hits))
    return macro_of_sums(codes(cells), codes(groups), np.array(hits, dtype=float), ones)


def test_wilson_gives_the_textbook_interval() -> None:
    # Newcombe (1998), table I: 81 of 263, method 3
    assert wilson(81 / 263, 263) == pytest.approx((0.2553, 0.3662), abs=1e-4)
    assert wilson(0.0, 20) == pytest.approx((0.0, 0.1611), abs=1e-4)
    assert wilson(0.5, 0) == (0, 1)


@given(st.integers(1, 500), st.data())
def test_wilson_agrees_with_statsmodels(size: int, data: st.DataObject) -> None:
    from statsmodels.stats.proportion import proportion_confint

    hits = data.draw(st.integers(0, size))
    assert wilson(hits / size, size) == pytest.approx(proportion_confint(hits, size, method="wilson"), abs=1e-9)


def test_the_clustered_variance_is_millers_with_the_finite_cluster_factor() -> None:
    # by hand: p = 3/6; deviations by group 2·½, ½−½, −2·½ → 1, 0, −1; SE² = 3/2 · 2 / 36 = 1/12; plain = ¼/6 = 1/24
    estimate = rate(outcomes([(2, 2), (1, 2), (0, 2)]))
    assert estimate is not None
    assert estimate.rate == 0.5
    assert estimate.clusters == 3
    assert estimate.design_effect == pytest.approx(2.0)
    assert (estimate.low, estimate.high) == pytest.approx(wilson(0.5, 3, groups=3))


def test_negated_twins_never_make_the_interval_narrower_than_independent_answers() -> None:
    # a constant yes errs once in every pair: no spread between groups at all
    estimate = rate(outcomes([(1, 2)] * 50))
    assert estimate is not None
    assert estimate.design_effect == 0.0
    assert (estimate.low, estimate.high) == pytest.approx(wilson(0.5, 100, groups=50))


@pytest.mark.parametrize("errors", [0, 4])
def test_without_spread_each_group_counts_once(errors: int) -> None:
    estimate = rate(outcomes([(errors, 4)] * 10))
    assert estimate is not None
    assert estimate.design_effect is None
    assert (estimate.low, estimate.high) == pytest.approx(wilson(errors / 4, 10))


def test_nothing_has_no_rate_and_no_mean() -> None:
    assert rate([]) is None
    assert macro([], [], []) is None
    assert mean([], []) is None


def test_a_share_of_nothing_or_of_a_single_group_may_be_anything() -> None:
    assert wilson(0.3, 0) == wilson(0.3, 10, groups=1) == (0, 1)


@pytest.mark.parametrize("share", [0.0, 1.0])
def test_rounding_takes_no_end_out_of_0_and_1(share: float) -> None:
    assert all(0 <= end <= 1 for size in range(1, 60) for end in wilson(share, size))


def test_a_cell_in_which_nothing_was_counted_is_no_part_of_the_macro_rate() -> None:
    hits, sizes = np.array([1.0, 0.0, 1.0, 0.0]), np.array([2.0, 0.0, 2.0, 2.0])
    there = sizes > 0
    for cells in (np.array([0, 1, 0, 2]), np.array([0, 0, 0, 2])):
        found = macro_of_sums(cells, np.arange(4), hits, sizes)
        assert found is not None
        assert found.rate == 0.25
        assert found == macro_of_sums(cells[there], np.arange(3), hits[there], sizes[there])


def test_rows_that_count_several_responses_are_as_so_many_rows_of_one() -> None:
    cells, groups = np.array([0, 0, 1, 1, 1]), np.array([0, 1, 0, 1, 2])
    hits, sizes = np.array([3, 1, 0, 2, 4]), np.array([4, 5, 2, 2, 6])
    each = [np.repeat(codes, sizes) for codes in (cells, groups)]
    hit = np.concatenate([np.arange(size) < of for of, size in zip(hits, sizes, strict=True)]).astype(float)
    ones = np.ones(len(hit))
    assert macro_of_sums(cells, groups, hits, sizes) == pytest.approx(macro_of_sums(*each, hit, ones))
    assert of_sums(groups, hits, sizes) == pytest.approx(of_sums(each[1], hit, ones))


def test_two_groups_have_a_spread_and_one_has_none() -> None:
    # by hand: SE² = 2/1 · (¼² + ¼²) = ¼; Student's quantile for one degree of freedom is 12.706
    assert mean(["a", "b"], [0, 1]) == pytest.approx((0.5, 0.5 - 6.353, 0.5 + 6.353, 2, 2), abs=1e-3)
    assert mean(["a", "a"], [0, 1]) == (0.5, -math.inf, math.inf, 2, 1)


def test_laplaces_rule_is_as_drowzee_prints_it() -> None:
    assert succession(270, 270) == pytest.approx(0.9963, abs=5e-5)
    assert succession(0, 0) == 0.5


def test_the_macro_rate_weighs_every_cell_alike() -> None:
    cells = ["a"] * 4 + ["b"] * 12
    groups = [f"g{n}" for n in range(16)]
    hits = [n < 1 for n in range(4)] + [n < 9 for n in range(12)]
    estimate = macro(cells, groups, hits)
    assert estimate is not None
    assert estimate.rate == pytest.approx((1 / 4 + 9 / 12) / 2)
    assert rate(zip(groups, hits, strict=True)) == pytest.approx(macro(["same"] * 16, groups, hits))


def test_the_interval_of_a_mean_is_that_of_statsmodels_clustered_regression() -> None:
    import statsmodels.api as sm

    random = np.random.default_rng(3)
    groups = [f"g{n % 37}" for n in range(500)]
    scores = random.normal(size=500) + np.repeat(random.normal(size=37), 14)[:500]
    found = mean(groups, list(scores))
    fitted = sm.OLS(scores, np.ones(500)).fit(
        cov_type="cluster", cov_kwds={"groups": codes(groups), "df_correction": True}, use_t=True
    )
    assert found is not None
    # statsmodels' factor is G/(G−1) · (N−1)/(N−K); here K = 1
    assert (found.low, found.high) == pytest.approx(tuple(fitted.conf_int()[0]), rel=1e-6)
    assert found.clusters == 37


@pytest.mark.parametrize("score", [math.nan, math.inf])
def test_a_score_that_is_no_number_is_named(score: float) -> None:
    with pytest.raises(ValueError, match=f"score 1 is {score}"):
        mean(["a", "b"], [0.5, score])


@given(st.lists(st.tuples(st.integers(0, 4), st.integers(1, 4)).map(lambda t: (min(t), t[1])), min_size=1, max_size=30))
def test_an_interval_holds_its_rate_within_0_and_1(groups: list[tuple[int, int]]) -> None:
    listed = outcomes(groups)
    for estimate in (rate(listed), macro(["c"] * len(listed), [g for g, _ in listed], [hit for _, hit in listed])):
        assert estimate is not None
        assert 0 <= estimate.low <= estimate.rate <= estimate.high <= 1
        assert not math.isnan(estimate.low)


def coverage(probability: float, clusters: int, runs: int, seed: int = 7) -> float:
    """How often the interval holds the truth; clusters of SIZE with CORRELATION, seeded."""
    random = np.random.default_rng(seed)
    scale = 1 / CORRELATION - 1  # Beta(scale·p, scale·(1−p)) has intra-class correlation 1 / (scale + 1)
    groups, sizes = np.arange(clusters), np.full(clusters, float(SIZE))
    covered = 0
    for _ in range(runs):
        chances = random.beta(scale * probability, scale * (1 - probability), size=clusters)
        estimate = of_sums(groups, random.binomial(SIZE, chances).astype(float), sizes)
        assert estimate is not None
        covered += estimate.low <= probability <= estimate.high
    return covered / runs


@pytest.mark.parametrize("probability", [0.05, 0.5, 0.95])
@pytest.mark.parametrize(("clusters", "least", "most"), [(200, 0.93, 0.97), (50, 0.91, 0.98)])
def test_intervals_cover_the_truth_under_correlated_groups(
    probability: float, clusters: int, least: float, most: float
) -> None:
    assert least <= coverage(probability, clusters, runs=2_000) <= most


def test_the_normal_quantile_that_is_written_down_is_that_of_scipy() -> None:
    assert quantile() == ndtri((1 + LEVEL) / 2)
