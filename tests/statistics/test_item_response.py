"""The item model, against worlds in which abilities, strata, properties, groups and items were planted."""

from typing import NamedTuple

import numpy as np
import pytest

from halluvault_tasks.statistics import item_response
from halluvault_tasks.statistics.item_response import OF_DISCRIMINATION, Answers, Effect, ItemModel
from halluvault_tasks.statistics.shares import Floats

QUESTIONS = 800
STRATA = np.array([-1.5, -0.5, 0.5, 1.5])


class Planted(NamedTuple):
    """A simulated month: what was planted, and the answers that it gives."""

    answers: Answers
    ability: Floats
    difficulty: Floats
    strata: Floats
    properties: Floats
    slopes: Floats


def planted(models: int, questions: int, seed: int, sharpness: float = 0.0) -> Planted:
    """Groups of four; everything relative to the average question, as the model tells it."""
    random = np.random.default_rng(seed)
    groups = np.repeat(np.arange(questions // 4), 4)
    stratum = random.integers(0, len(STRATA), questions // 4)[groups]
    prop = random.integers(0, 12, questions // 4)[groups]
    properties = random.normal(0, 0.5, 12)
    difficulty = (
        STRATA[stratum]
        + properties[prop]
        + random.normal(0, 0.6, questions // 4)[groups]
        + random.normal(0, 0.6, questions)
    )
    ability = np.linspace(-1.0, 2.5, models)
    slopes = np.exp(random.normal(0, sharpness, questions))
    right = random.random((questions, models)) < item_response.chance(slopes[:, None] * (ability - difficulty[:, None]))
    of_stratum, of_property = STRATA[stratum].mean(), properties[prop].mean()
    answers = Answers(
        right.astype(float),
        stratum[:, None],
        prop,
        groups,
        [f"stratum {n}" for n in range(4)],
        [f"P{n}" for n in range(12)],
    )
    zero = of_stratum + of_property
    return Planted(answers, ability - zero, difficulty - zero, STRATA - of_stratum, properties - of_property, slopes)


def held(effects: list[Effect], truth: Floats) -> float:
    """Share of planted values that lie in their interval."""
    return float(np.mean([one.low <= value <= one.high for one, value in zip(effects, truth, strict=True)]))


@pytest.fixture(scope="module")
def few() -> Planted:
    return planted(models=4, questions=QUESTIONS, seed=5)


@pytest.fixture(scope="module")
def found(few: Planted) -> ItemModel:
    return fit(few.answers)


def fit(answers: Answers) -> ItemModel:
    """Fewer steps than usual: the intervals of these small worlds are wide."""
    return item_response.fit(answers, steps=500)


def test_planted_strata_properties_and_abilities_lie_in_their_intervals(few: Planted, found: ItemModel) -> None:
    assert held(list(found.strata.values()), few.strata) == 1.0
    assert held(list(found.properties.values()), few.properties) >= 10 / 12
    assert held(list(found.abilities), few.ability) >= 3 / 4
    assert max(one.high - one.low for one in found.strata.values()) < 1.5, "an interval that says something"
    assert held(found.difficulties, few.difficulty) > 0.88
    assert found.discriminations == []


def test_what_few_answers_say_of_a_question_is_shrunk_towards_its_stratum(few: Planted, found: ItemModel) -> None:
    inside = np.array([one.value for one in found.difficulties])
    apart = [inside[few.answers.strata[:, 0] == place].std() for place in range(4)]
    planted_apart = [few.difficulty[few.answers.strata[:, 0] == place].std() for place in range(4)]
    assert all(shrunk < truth for shrunk, truth in zip(apart, planted_apart, strict=True))


def test_the_same_answers_give_the_same_figures_and_the_order_of_models_does_not_matter(
    few: Planted, found: ItemModel
) -> None:
    again = fit(few.answers)
    assert found.abilities == again.abilities
    assert (found.belief == again.belief).all()
    right = few.answers.right[:, ::-1].copy()
    turned = fit(Answers(right, *(getattr(few.answers, name) for name in (
        "strata", "properties", "groups", "stratum_names", "property_names")))).abilities[::-1]  # fmt: skip
    for one, other in zip(found.abilities, turned, strict=True):
        assert abs(one.value - other.value) < 0.25 * (one.high - one.low)


def test_nobody_is_expected_below_the_floor_and_a_coin_is_expected_at_it(few: Planted) -> None:
    random = np.random.default_rng(1)
    coin = (random.random((QUESTIONS, 1)) < 0.5).astype(float)
    of = few.answers
    right = np.concatenate([of.right, coin], axis=1)
    found = fit(Answers(right, of.strata, of.properties, of.groups, of.stratum_names, of.property_names))
    abilities = np.array([one.value for one in found.abilities])
    expected = found.chances(abilities)
    assert expected.min() >= item_response.YES_NO
    assert found.chances(np.array([-50.0])) == pytest.approx(0.5)
    assert expected[:, -1].mean() == pytest.approx(coin.mean(), abs=0.04)
    assert expected.mean(axis=0) == pytest.approx(right.mean(axis=0), abs=0.04)


def test_an_open_question_has_no_floor() -> None:
    logits = np.array([-50.0, 0.0, 50.0])
    assert item_response.chance(logits, floor=0.0) == pytest.approx([0.0, 0.5, 1.0])
    assert item_response.chance(logits) == pytest.approx([0.5, 0.75, 1.0])


def test_dont_know_neither_helps_nor_harms_who_would_have_guessed(few: Planted) -> None:
    of = few.answers
    random = np.random.default_rng(2)
    guesser = (random.random((QUESTIONS, 1)) < 0.5).astype(float)
    silent = np.full((QUESTIONS, 1), item_response.DONT_KNOW)
    right = np.concatenate([of.right, guesser, silent], axis=1)
    found = fit(Answers(right, of.strata, of.properties, of.groups, of.stratum_names, of.property_names))
    guessed, said_so = found.abilities[-2:]
    assert said_so.low <= guessed.high
    assert guessed.low <= said_so.high
    assert max(guessed.high, said_so.high) < min(one.value for one in found.abilities[1:4])


def test_a_question_that_nobody_answered_is_as_hard_as_its_stratum_and_not_easy(few: Planted) -> None:
    of = few.answers
    right = of.right.copy()
    right[:4] = np.nan
    right[4] = 1.0
    right[5] = [1.0, 0.5, 1.0, 1.0]
    blank = Answers(right, of.strata, of.properties, of.groups, of.stratum_names, of.property_names)
    assert blank.easy[:6].tolist() == [False, False, False, False, True, False]
    found = fit(blank)
    expected = [*found.strata.values()][of.strata[0, 0]].value + [*found.properties.values()][of.properties[0]].value
    assert found.difficulties[0].value == pytest.approx(expected, abs=0.25)
    assert (
        found.difficulties[0].high - found.difficulties[0].low
        > found.difficulties[40].high - found.difficulties[40].low
    )


def test_from_a_hundred_models_on_it_is_told_how_sharply_an_item_divides_them() -> None:
    many = planted(models=OF_DISCRIMINATION, questions=800, seed=3, sharpness=0.5)
    found = fit(many.answers)
    logs = np.log([one.value for one in found.discriminations])
    assert np.corrcoef(logs, np.log(many.slopes))[0, 1] > 0.6
    assert held(found.discriminations, many.slopes) > 0.85
    assert np.corrcoef([one.value for one in found.difficulties], many.difficulty)[0, 1] > 0.9
