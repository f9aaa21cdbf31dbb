"""The core, on simulated models held out: `benchmarks/items.py` has the figures at full size."""

import numpy as np
import pytest

from halluvault_tasks.statistics import core_sample, item_response, seeds
from halluvault_tasks.statistics.core_sample import Estimator, QuestionStrata
from tests.statistics.test_item_response import STRATA, Planted, planted

QUESTIONS, CORE, MODELS, HELD_OUT = 1200, 150, 36, 24


@pytest.fixture(scope="module")
def world() -> Planted:
    """Models of all abilities by turns: every third or so is held out."""
    return planted(models=MODELS + HELD_OUT, questions=QUESTIONS, seed=9)


@pytest.fixture(scope="module")
def asked() -> np.ndarray:
    return np.arange(MODELS + HELD_OUT) % 5 < 3


@pytest.fixture(scope="module")
def estimator(world: Planted, asked: np.ndarray) -> Estimator:
    of = world.answers
    answers = item_response.Answers(
        of.right[:, asked], of.strata, of.properties, of.groups, of.stratum_names, of.property_names
    )
    return Estimator(item_response.fit(answers, steps=300), answers)


@pytest.fixture(scope="module")
def part(world: Planted) -> QuestionStrata:
    gold = np.arange(QUESTIONS) % 2
    cells = core_sample.cells_of(world.answers.strata[:, 0].astype(str), gold.astype(str))
    return QuestionStrata(cells, world.answers.groups, [seeds.drawn(1, str(n)) for n in range(QUESTIONS)])


def test_models_held_out_are_placed_as_the_whole_places_them(
    world: Planted, asked: np.ndarray, estimator: Estimator, part: QuestionStrata
) -> None:
    drawn = core_sample.drawn(part, CORE)
    new, errors, held, wide = world.answers.right[:, ~asked], {}, {}, {}
    for name, chosen in (("drawn", drawn), ("chosen", estimator.choose(part, CORE))):
        scores = []
        for column in new.T:
            answered = np.full(QUESTIONS, np.nan)
            answered[chosen] = column[chosen]
            scores.append(estimator.score(answered, estimator.misfit(drawn)))
        value, whole = np.array([one.value for one in scores]), new.mean(axis=0)
        errors[name] = np.sqrt(np.mean((value - whole) ** 2))
        held[name] = np.mean([one.low <= truth <= one.high for one, truth in zip(scores, whole, strict=True)])
        wide[name] = np.mean([one.high - one.low for one in scores])
        far = np.abs(whole[:, None] - whole) > 0.05
        assert np.mean((np.sign(value[:, None] - value) == np.sign(whole[:, None] - whole))[far]) >= 0.95
    plain = np.sqrt(np.mean((new[drawn].mean(axis=0) - new.mean(axis=0)) ** 2))
    assert max(errors.values()) < plain
    assert wide["chosen"] < wide["drawn"]
    assert min(held.values()) >= 0.85


def test_every_stratum_is_there_and_no_fact_twice_while_there_are_others(
    estimator: Estimator, part: QuestionStrata
) -> None:
    for chosen in (core_sample.drawn(part, CORE), estimator.choose(part, CORE)):
        assert len(set(chosen.tolist())) == CORE
        assert set(part.cells[chosen].tolist()) == set(range(2 * len(STRATA)))
        assert len(set(part.groups[chosen].tolist())) == CORE


def test_the_same_questions_give_the_same_core_and_a_core_of_more_than_all_is_all(
    estimator: Estimator, part: QuestionStrata
) -> None:
    assert (estimator.choose(part, CORE) == estimator.choose(part, CORE)).all()
    assert (core_sample.drawn(part, CORE) == core_sample.drawn(part, CORE)).all()
    assert core_sample.drawn(part, 10 * QUESTIONS).tolist() == [*range(QUESTIONS)]
    assert estimator.choose(part, 10 * QUESTIONS).tolist() == [*range(QUESTIONS)]


def test_seats_are_shared_in_proportion_one_at_least_and_none_beyond_what_there_is() -> None:
    assert core_sample.shared_out(np.array([60, 30, 9, 1]), 20).tolist() == [12, 6, 1, 1]
    assert core_sample.shared_out(np.array([3, 4]), 100).tolist() == [3, 4]
    assert core_sample.shared_out(np.array([3, 4]), 1).tolist() == [0, 1]


def test_who_answers_nothing_is_expected_where_others_are_with_a_wide_interval(estimator: Estimator) -> None:
    found = estimator.score(np.full(QUESTIONS, np.nan))
    assert found.low < 0.65 < found.value < 0.9 < found.high
