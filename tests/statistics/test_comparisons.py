"""Differences of two models: against scipy, by enumeration, and simulated under a true null."""

import itertools

import numpy as np
import pytest
from scipy.stats import binomtest, permutation_test, ttest_1samp
from statsmodels.stats.multitest import multipletests
from statsmodels.stats.power import NormalIndPower

from halluvault_tasks.statistics import comparisons
from halluvault_tasks.statistics.comparisons import PairedDifference, paired, paired_sums, sign_flip
from halluvault_tasks.statistics.shares import Floats, mean


def draw(random: np.random.Generator, clusters: int, size: int = 4, gap: float = 0.0) -> tuple[Floats, Floats, Floats]:
    """Two models of the same rate (½, or ½ + gap for A) whose errors are correlated within clusters (ICC ⅓)."""
    rates = [random.beta(2 * p, 2 * (1 - p), size=clusters) for p in (0.5 + gap, 0.5)]
    a, b = (random.binomial(1, np.repeat(chances, size)).astype(float) for chances in rates)
    return np.repeat(np.arange(clusters), size), a, b


def test_the_interval_is_the_clustered_interval_of_the_mean_difference() -> None:
    groups, a, b = draw(np.random.default_rng(1), 40, gap=0.1)
    found, plain = paired(groups, a - b), mean(list(groups), list(a - b))
    assert found is not None
    assert plain is not None
    assert (found.difference, found.low, found.high) == pytest.approx((plain.mean, plain.low, plain.high))
    assert (found.shared, found.groups) == (160, 40)


def test_of_single_questions_the_interval_is_students() -> None:
    differences = np.array([1.0, 0.0, -1.0, 1.0, 1.0, 0.0, 1.0, 0.0])
    found = paired(np.arange(8), differences)
    assert found is not None
    assert (found.low, found.high) == pytest.approx(ttest_1samp(differences, 0).confidence_interval(0.95))
    assert (found.shared, found.groups) == (8, 8)


def test_p_is_exact_for_few_groups() -> None:
    sums = np.array([2.0, -1.0, 3.0, 0.0, 1.0])
    every = [
        abs(sum(s * d for s, d in zip(signs, sums, strict=True))) for signs in itertools.product((1, -1), repeat=5)
    ]
    exact = np.mean([each >= 5 for each in every])
    assert sign_flip(sums[:, None])[0] == exact
    assert sign_flip(np.append(sums, np.zeros(30))[:, None])[0] == exact, "groups that do not differ cannot flip"
    assert sign_flip(np.ones((12, 1)))[0] == 2 / 2**12


def test_p_of_many_groups_lies_between_one_in_ten_thousand_and_one() -> None:
    one_sided, balanced = np.ones(50), np.tile([1.0, -1.0], 25)
    assert list(sign_flip(np.stack([one_sided, balanced], axis=1))) == [1 / 10_000, 1]


def test_p_is_that_of_scipys_permutation_test_over_clusters() -> None:
    random = np.random.default_rng(5)
    sums = random.integers(-3, 5, size=60).astype(float)
    theirs = permutation_test(
        (sums, np.zeros(60)), lambda x, y, axis: (x - y).sum(axis=axis), permutation_type="samples", vectorized=True,
        n_resamples=20_000, rng=1,
    )  # fmt: skip
    assert sign_flip(sums[:, None])[0] == pytest.approx(theirs.pvalue, abs=0.01)


def test_many_comparisons_at_once_are_each_what_they_are_alone() -> None:
    random = np.random.default_rng(2)
    drawn = [draw(random, 30, gap=gap) for gap in (0.0, 0.2)]
    sums = np.stack([np.bincount(groups, weights=a - b) for groups, a, b in drawn], axis=1)
    sizes = np.full_like(sums, 4.0)
    together = paired_sums(sums, sizes)
    alone = [paired(groups, a - b) for groups, a, b in drawn]
    assert together == alone
    assert paired_sums(sums, sizes) == together, "the seed fixes p"


def test_questions_that_only_one_answered_are_no_part_of_it() -> None:
    sums, sizes = np.array([[1.0], [0.0], [0.0]]), np.array([[2.0], [2.0], [0.0]])
    found = paired_sums(sums, sizes)[0]
    assert found is not None
    assert (found.shared, found.groups, found.difference) == (4, 2, 0.25)
    assert paired_sums(np.zeros((2, 1)), np.zeros((2, 1))) == [None]
    assert paired(np.zeros(0, dtype=int), np.zeros(0)) is None


@pytest.mark.parametrize(("groups", "high"), [(2, 0.658), (20, 0.161)])
def test_two_that_never_differ_are_not_shown_to_be_the_same(groups: int, high: float) -> None:
    found = paired(np.repeat(np.arange(groups), 2), np.zeros(2 * groups))
    assert found is not None
    assert (found.difference, found.p) == (0, 1)
    assert found.high == -found.low == pytest.approx(high, abs=1e-3), "as Wilson's upper end for 0 of so many"
    assert comparisons.needed(found) is None


def test_where_every_group_differs_alike_nothing_tells_how_many_questions_would_decide() -> None:
    found = paired(np.repeat(np.arange(20), 2), np.ones(40))
    assert found is not None
    assert (found.difference, found.error) == (1, 0)
    assert comparisons.needed(found) is None


@pytest.mark.parametrize("questions", [1, 6])
def test_one_group_decides_nothing(questions: int) -> None:
    found = paired(np.zeros(questions, dtype=int), np.ones(questions))
    assert found is not None
    assert (found.low, found.high, found.groups, found.error) == (-1, 1, 1, 0)
    assert found.p == 1


def test_without_spread_the_side_of_a_margin_is_shown_or_not_as_the_interval_lies() -> None:
    found = paired(np.repeat(np.arange(20), 2), np.zeros(40))
    assert found is not None
    assert (comparisons.above(found, -0.2), comparisons.above(found, 0.0), comparisons.above(found, 0.2)) == (0, 1, 1)
    assert (comparisons.below(found, 0.2), comparisons.below(found, 0.0), comparisons.below(found, -0.2)) == (0, 1, 1)


def mcnemar(a: Floats, b: Floats) -> float:
    only_a, only_b = int((a > b).sum()), int((b > a).sum())
    return binomtest(only_a, only_a + only_b).pvalue if only_a + only_b else 1.0


def test_under_a_true_null_five_percent_are_rejected_where_mcnemar_rejects_fifteen() -> None:
    """100 clusters of 4, ICC ⅓, both models wrong half of the time."""
    random, runs = np.random.default_rng(11), 3_000
    plain = 0
    sums = np.empty((100, runs))
    for run in range(runs):
        groups, a, b = draw(random, 100)
        sums[:, run] = np.bincount(groups, weights=a - b)
        plain += mcnemar(a, b) < 0.05
    found = [one for one in paired_sums(sums, np.full_like(sums, 4.0)) if one is not None]
    by_p = np.mean([one.p <= 0.05 for one in found])
    by_interval = np.mean([not one.low <= 0 <= one.high for one in found])
    assert 0.04 <= by_p <= 0.06
    assert 0.04 <= by_interval <= 0.06
    assert plain / runs > 0.12


def test_needed_is_statsmodels_power_for_independent_questions() -> None:
    found = PairedDifference(0.03, 0.0, 0.06, 0.04, shared=1_000, groups=1_000, error=0.4 / np.sqrt(1_000))
    theirs = NormalIndPower(ddof=0).solve_power(effect_size=0.03 / 0.4, alpha=0.05, power=0.8, ratio=0)
    assert comparisons.needed(found) == pytest.approx(theirs, rel=0.01)
    assert comparisons.needed(found, margin=0.03) is None
    # evals.md §5: discordance 15 %, design effect 2, 80 % power: 2 points need about 5.9k questions
    book = PairedDifference(0.02, 0, 0, 1, shared=1_000, groups=500, error=float(np.sqrt(2 * 0.15 / 1_000)))
    assert comparisons.needed(book) == pytest.approx(5_900, rel=0.02)


def test_as_many_questions_as_needed_decide_four_times_in_five() -> None:
    random, runs, clusters = np.random.default_rng(4), 600, 150
    pilot = [paired(g, a - b) for g, a, b in (draw(random, clusters, gap=0.1) for _ in range(100))]
    error = float(np.mean([one.error for one in pilot if one]))
    wanted = comparisons.needed(PairedDifference(0.1, 0, 0, 1, clusters * 4, clusters, error))
    assert wanted is not None
    sums = np.stack(
        [np.bincount(g, weights=a - b) for g, a, b in (draw(random, round(wanted / 4), gap=0.1) for _ in range(runs))],
        axis=1,
    )
    decided = [one for one in paired_sums(sums, np.full_like(sums, 4.0)) if one and one.p <= 0.05]
    assert 0.74 <= len(decided) / runs <= 0.86


def test_one_sided_p_values_say_on_which_side_of_the_margin_it_lies() -> None:
    groups, a, b = draw(np.random.default_rng(8), 400, gap=0.1)
    found = paired(groups, a - b)
    assert found is not None
    assert comparisons.above(found, 0.0) < 0.025 < comparisons.above(found, found.difference)
    assert comparisons.below(found, 0.3) < 0.025
    assert comparisons.above(found, 0.05) == pytest.approx(1 - comparisons.below(found, 0.05))
    assert (found.high < 0.3) == (comparisons.below(found, 0.3) < 0.025), "as the 95 % interval says"


def test_adjusted_p_values_are_those_of_the_textbook() -> None:
    assert comparisons.holm([0.01, 0.04, 0.03]) == pytest.approx([0.03, 0.06, 0.06])
    assert comparisons.benjamini_hochberg([0.01, 0.04, 0.03]) == pytest.approx([0.03, 0.04, 0.04])
    assert comparisons.holm([]) == comparisons.benjamini_hochberg([]) == []


def test_holm_agrees_with_statsmodels() -> None:
    random = np.random.default_rng(8)
    for size in (1, 2, 7, 400):
        ps = [float(p) for p in random.choice([*random.random(size), 0.0, 1.0], size)]
        assert comparisons.holm(ps) == pytest.approx(multipletests(ps, method="holm")[1])
