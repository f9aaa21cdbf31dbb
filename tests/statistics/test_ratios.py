"""The cluster bootstrap against the clustered interval of a plain share, and the ratios against scikit-learn."""

import numpy as np
import pytest
from sklearn.metrics import balanced_accuracy_score, cohen_kappa_score, f1_score

from halluvault_tasks.statistics.ratios import balanced_accuracy, f1, kappa, ratio
from halluvault_tasks.statistics.shares import mean, quantile


@pytest.fixture(scope="module")
def drawn() -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    random = np.random.default_rng(0)
    groups = np.repeat(np.arange(120), 4)
    truth = np.repeat(random.random(120) < 0.5, 4)
    said = np.where(random.random(480) < np.repeat(random.beta(4, 1, 120), 4), truth, ~truth)
    return groups, truth, said


def by_group(groups: np.ndarray, *flags: np.ndarray) -> list[np.ndarray]:
    return [np.bincount(groups, weights=flag.astype(float)) for flag in flags]


def test_the_ratios_are_those_of_scikit_learn(drawn: tuple[np.ndarray, ...]) -> None:
    groups, truth, said = drawn
    ones = np.ones_like(truth)
    for statistic, flags, theirs in (
        (f1, (truth & said, said, truth), f1_score(truth, said)),
        (kappa, (truth & said, said, truth, ones), cohen_kappa_score(truth, said)),
        (balanced_accuracy, (truth & said, truth, ~truth & ~said, ~truth), balanced_accuracy_score(truth, said)),
    ):
        found = ratio(statistic, by_group(groups, *flags), resamples=200)
        assert found.value == pytest.approx(theirs)
        assert found.low < found.value < found.high  # type: ignore[operator]
        assert found == ratio(statistic, by_group(groups, *flags), resamples=200), "seeded"


def test_kappa_of_two_who_agree_less_than_by_chance_is_negative() -> None:
    # Of 20 both say yes to 1, either to 5: agreed 12/20, by chance (25 + 225)/400.
    assert kappa(1, 5, 5, 20) == pytest.approx((0.6 - 0.625) / (1 - 0.625))


@pytest.mark.parametrize("level", [0.95, 0.5])
def test_its_interval_of_a_share_is_the_clustered_one(drawn: tuple[np.ndarray, ...], level: float) -> None:
    groups, truth, said = drawn
    hit = truth == said
    found = ratio(lambda hits, total: hits / total, by_group(groups, hit, np.ones_like(hit)), level)
    plain = mean(list(groups), list(hit.astype(float)), level)
    assert plain is not None
    error = (plain.high - plain.low) / 2 / quantile(level, 120)
    assert (found.low, found.high) == pytest.approx((plain.low, plain.high), abs=0.15 * error)


def test_a_group_is_drawn_with_all_that_it_adds() -> None:
    sums = np.arange(1.0, 9.0)
    assert ratio(f1, [sums, sums, sums], resamples=200) == (1, 1, 1, 8)


def test_what_is_undefined_has_no_value_and_one_group_no_interval() -> None:
    zero = np.zeros(3)
    assert ratio(f1, [zero, zero, zero]) == (None, None, None, 3)
    one = np.ones(1)
    assert ratio(f1, [one, one, one]) == (1.0, None, None, 1)
    assert ratio(f1, [np.array([1, 0]), np.ones(2), np.ones(2)]) == (0.5, 0.0, 1.0, 2)
    assert ratio(f1, [np.zeros(0)] * 3).value is None
