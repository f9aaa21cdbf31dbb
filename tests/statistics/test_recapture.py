"""The expected number of false statements among the unsupported, against worlds whose truth is known."""

import numpy as np
import pytest
from scipy.stats import nbinom

from halluvault_tasks.statistics.recapture import Recorded, Stratum, expected_false


def world(random: np.random.Generator, completeness: dict[str, float], false: int, true: int) -> tuple[bool, float]:
    """Statements about three relations, each recorded in one or two places; whether the interval holds the truth."""
    recorded = {place: Recorded(int(random.binomial(400, c)), 400) for place, c in completeness.items()}
    strata, planted = [], 0
    for places in (("a",), ("a", "b"), ("b", "b")):
        lacking = np.prod([1 - completeness[place] for place in places])
        unsupported = int(random.binomial(true, lacking))
        wrong = int(random.poisson(false))
        strata.append(Stratum(places, true - unsupported, unsupported + wrong))
        planted += wrong
    found = expected_false(strata, recorded)
    if found is None:
        return planted == 0, 0.0
    return found.low <= planted <= found.high, found.value - planted


@pytest.mark.parametrize("completeness", [(0.35, 0.6), (0.6, 0.8), (0.9, 0.95)])
@pytest.mark.parametrize("false", [0, 3, 20])
def test_the_interval_holds_the_planted_number_nineteen_times_of_twenty(
    completeness: tuple[float, float], false: int
) -> None:
    random = np.random.default_rng(17)
    runs = [world(random, dict(zip("ab", completeness, strict=True)), false, 40) for _ in range(300)]
    assert np.mean([covered for covered, _ in runs]) >= 0.93
    if false == 20:
        assert abs(np.mean([error for _, error in runs])) <= 3, "no more than 3 of 60 off on average"


def test_the_expected_number_is_that_of_the_distributions_that_the_model_names() -> None:
    # c ~ Beta(10½, 10½) by Jeffreys' prior, so that (1 − c)/c is 10½/9½ on average; X ~ NB(40½, c).
    found = expected_false([Stratum(("a",), 40, 500)], {"a": Recorded(10, 20)})
    assert found is not None
    assert found.value == pytest.approx(500 - 40.5 * 10.5 / 9.5, abs=1)
    assert found.unsupported == 500


@pytest.mark.parametrize("level", [0.95, 0.5])
def test_of_a_place_whose_completeness_is_known_the_interval_is_that_of_the_negative_binomial(level: float) -> None:
    found = expected_false([Stratum(("a",), 40, 500)], {"a": Recorded(10**8, 2 * 10**8)}, level)
    assert found is not None
    fewest, most = nbinom(40.5, 0.5).ppf([(1 - level) / 2, (1 + level) / 2])
    assert (found.low, found.high) == pytest.approx((500 - most, 500 - fewest), abs=1)


def test_nothing_unsupported_is_nothing_to_expect_and_a_place_without_figures_is_named() -> None:
    assert expected_false([Stratum(("a",), 5, 0)], {}) is None
    with pytest.raises(KeyError, match="b"):
        expected_false([Stratum(("a", "b"), 5, 2)], {"a": Recorded(1, 2)})


def test_the_less_complete_a_place_the_fewer_are_false() -> None:
    def of(hits: int) -> float:
        found = expected_false([Stratum(("a",), 20, 20)], {"a": Recorded(hits, 200)})
        assert found is not None
        return found.value

    assert of(60) < of(120) < of(190)
    assert of(199) > 19
