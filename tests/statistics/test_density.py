"""Densities that never saw their points, and how well they tell the bad ones: against scikit-learn and DeLong."""

import numpy as np
import pytest
from scipy.stats import multivariate_normal, norm
from sklearn.metrics import roc_auc_score

from halluvault_tasks.statistics import density


def test_the_area_under_the_curve_is_how_often_a_bad_point_scores_lower() -> None:
    random = np.random.default_rng(1)
    scores = np.concatenate([random.normal(0, 1, 400), random.normal(-1.5, 1, 400)]).round(1)
    bad = np.arange(800) >= 400
    found = density.area(scores, bad)
    assert found.value == pytest.approx(roc_auc_score(bad, -scores))
    assert found.low < norm.cdf(1.5 / np.sqrt(2)) < found.high, "the law of two Gaussians"
    assert density.area(np.zeros(20), np.arange(20) >= 10).value == 0.5


def test_a_point_is_scored_by_a_density_that_never_saw_it() -> None:
    random = np.random.default_rng(2)
    points = np.concatenate([random.normal(0, 1, (40, 2)), random.normal(4, 1, (15, 2))])
    bad = np.arange(55) >= 40
    told = density.cross_fit(points, bad)
    assert told is not None
    assert told.below[~bad].mean() < 0.1 < 0.9 < told.below[bad].mean(), "the two kinds lie four deviations apart"
    moved = points.copy()
    moved[0] = (50.0, 50.0)
    again = density.cross_fit(moved, bad)
    assert again is not None
    assert again.scores[0] < -100 < told.scores.min(), "one normal point far away is strange to a fit without it"
    same = density.log_density(moved[:40], moved)
    assert same[0] > again.scores[0], "and less strange to the fit that has it"


@pytest.mark.parametrize(("normal", "wrong", "enough"), [(10, 5, True), (9, 5, False), (10, 4, False)])
def test_five_folds_need_two_normal_points_and_a_bad_one_each(normal: int, wrong: int, enough: bool) -> None:
    points = np.random.default_rng(6).normal(0, 1, (normal + wrong, 2))
    assert (density.cross_fit(points, np.arange(normal + wrong) >= normal) is not None) is enough


def test_the_interval_of_an_area_is_as_wide_as_delongs() -> None:
    random = np.random.default_rng(3)
    normal, wrong = random.normal(0, 1, 300), random.normal(-0.8, 1, 200)
    # DeLong (1988): the variance of the area from the share of the other kind that each point is placed right of.
    placed = (wrong[:, None] < normal).astype(float)
    error = np.sqrt(placed.mean(axis=1).var(ddof=1) / 200 + placed.mean(axis=0).var(ddof=1) / 300)
    for level in (0.95, 0.5):
        found = density.area(np.concatenate([normal, wrong]), np.arange(500) >= 300, level=level)
        half = norm.ppf((1 + level) / 2) * error
        assert found.value == pytest.approx(placed.mean())
        assert (found.low, found.high) == pytest.approx((found.value - half, found.value + half), abs=0.25 * error)


def test_the_density_is_scipys_on_standardised_points() -> None:
    random = np.random.default_rng(4)
    points = random.multivariate_normal([3, -1], [[0.04, 0.03], [0.03, 4]], 60)
    theirs = multivariate_normal(points.mean(axis=0), np.cov(points, rowvar=False, bias=True)).logpdf(points)
    assert density.log_density(points, points) == pytest.approx(theirs + np.log(points.std(axis=0)).sum(), abs=1e-4)


def test_every_fold_holds_a_fifth_of_either_kind() -> None:
    """What a point is has no weight in the scores of its own fold alone."""
    random = np.random.default_rng(5)
    points, bad = random.normal(0, 1, (50, 2)), np.arange(50) >= 40
    before = density.cross_fit(points, bad)
    assert before is not None
    for at in (0, 17, 39):
        moved = points.copy()
        moved[at] += 100
        after = density.cross_fit(moved, bad)
        assert after is not None
        same = np.isclose(before.scores, after.scores)
        same[at] = True
        assert (same[~bad].sum(), same[bad].sum()) == (8, 2)


def test_a_point_counts_as_bad_up_to_halfway_from_the_best_cut_to_the_next_score() -> None:
    scores = np.array([-9.0, -8.0, -4.0, -3.0, -2.0, -8.5])
    assert density.threshold(scores, np.array([True, True, False, False, False, True])) == -6.0
    assert density.threshold(scores, np.array([True, False, False, False, False, True])) == -8.25
    assert density.threshold(scores, np.array([False, False, False, False, True, False])) == -2.0
