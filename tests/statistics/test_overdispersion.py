"""Counts that differ by more than chance."""

import numpy as np
import pytest
from scipy.stats import betabinom, binom

from halluvault_tasks.statistics.overdispersion import Spread, estimated

USUAL = Spread(0.005, 0.01)


def test_the_chance_is_the_beta_binomials_tail_down_to_one_in_a_million() -> None:
    for lost, of in ((1, 60), (7, 122), (90, 900)):
        assert Spread(0.02, 0.05).chance(lost, of) == pytest.approx(betabinom.sf(lost - 1, of, 0.38, 18.62), rel=1e-6)
    assert USUAL.chance(0, 50) == 1.0
    assert 0 < USUAL.chance(300, 1000) < 1e-12 and 0 < USUAL.chance(20_000, 100_000) < 1e-9
    assert Spread(0.02, 0.0).chance(7, 122) == pytest.approx(binom.sf(6, 122, 0.02), rel=1e-3)


def test_what_a_past_was_drawn_by_is_found_again() -> None:
    rng = np.random.default_rng(3)
    of = rng.integers(50, 3000, 4000)
    lost = rng.binomial(of, rng.beta(0.02 * 49, 0.98 * 49, len(of)))
    found = estimated(lost, of, USUAL, 200)
    assert found.mean == pytest.approx(0.02, rel=0.1) and found.rho == pytest.approx(0.02, rel=0.2)
    plain = estimated(rng.binomial(of, 0.02), of, Spread(0.02, 0.0), 0)
    assert plain.rho < 0.0005


def test_little_seen_leaves_what_was_held_before() -> None:
    assert estimated(*np.zeros((2, 0)), USUAL, 200) == USUAL
    few = estimated(np.zeros(3), np.full(3, 100.0), USUAL, 200)
    assert few.mean == pytest.approx(USUAL.mean, rel=0.02) and few.rho == pytest.approx(USUAL.rho, rel=0.02)


def test_several_periods_lose_more_and_are_no_more_certain() -> None:
    year = USUAL.over(12)
    assert year.mean == pytest.approx(0.0584, rel=0.01) and year.rho == USUAL.rho
    assert year.chance(100, 1000) > 1000 * USUAL.chance(100, 1000)
