"""How hard questions are by design: what counts, and that it tells no answer."""

from collections.abc import Iterable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from halluvault_tasks.benchmark.cases.candidate import Candidate
from halluvault_tasks.benchmark.cases.difficulty import HARD, NEWS, Difficulty, FameLevel, FoilNearness, Precision
from halluvault_tasks.benchmark.cases.mutants import ConverseWordings
from halluvault_tasks.benchmark.cases.wordings import Wordings
from halluvault_tasks.benchmark.selection.balance import Block
from halluvault_tasks.benchmark.selection.strata import Surroundings, nearness, stratified
from halluvault_tasks.knowledge.links import Links
from halluvault_tasks.reasoning.records import DerivedFact, DrawnFact
from halluvault_tasks.reasoning.world.containment import Containment
from halluvault_tasks.wikidata.relation import Relation

WORDS = Wordings("q?", "s.", "n.")
SPIELBERG, LUCAS, CINCINNATI, MODESTO, DELFT, OHIO = 1, 2, 11, 12, 13, 21


def stated(s: int, o: int, *, truth: bool = True, hops: int = 1) -> Candidate:
    """A fact between two items."""
    kind = "negation.polarity" if truth else "negation.value"
    source = DerivedFact(1, Relation.of(19), s, o, (1,))
    return Candidate("relation", "people", kind, kind, (kind, s, o), 19, s, o, (s, o), truth, WORDS, source, hops=hops)


def dated(s: int, year: int, *, truth: bool = True) -> Candidate:
    """A year of birth."""
    kind = "negation.polarity" if truth else "negation.value"
    source = DrawnFact(1, Relation.of(569), s, None, year, (1,), 0)
    return Candidate(
        "relation", "people", kind, kind, (kind, s, year), 569, s, None, (s,), truth, WORDS, source,
        precision=Precision.YEAR,
    )  # fmt: skip


def asked_at(formula: str, at: int, *, truth: bool) -> Candidate:
    """A formula at a time."""
    return Candidate(
        "temporal", "people", "F", "life", (formula, at, "month"), 569, 1, None, (1,), truth, WORDS, "id",
        precision=Precision.MONTH,
    )  # fmt: skip


def square(one: Candidate, other: Candidate) -> Block:
    """Two true facts and the two with their values exchanged."""
    assert one.object and other.object
    return Block((
        one, other, stated(one.subject, other.object, truth=False), stated(other.subject, one.object, truth=False)
    ))  # fmt: skip


def placed(blocks: Iterable[Block], around: Surroundings, news: Iterable[int] = ()) -> list[Difficulty]:
    """The difficulty of each block, which all its candidates must have."""
    new = set(news)
    found = stratified(blocks, around, lambda one: one.subject in new)
    several = [{one.difficulty for one in block.candidates} for block in found]
    assert all(len(each) == 1 for each in several), "what is hard would tell the answer"
    return [each.pop() for each in several]


def test_a_block_is_as_little_known_as_the_least_known_that_it_names() -> None:
    fame = {SPIELBERG: 5.0, LUCAS: 4.5, CINCINNATI: 4.8, MODESTO: 2.0, DELFT: 4.0, OHIO: 5.2}
    famous, obscure = (Block((stated(SPIELBERG, CINCINNATI),)), Block((stated(LUCAS, MODESTO),)))
    between = Block((stated(DELFT, OHIO),))
    found = placed([famous, obscure, between], Surroundings(fame))
    assert [one.renown for one in found] == [FameLevel.BEST, FameLevel.LEAST, FameLevel.MIDDLE]
    assert [one.fame for one in found] == [4.8, 2.0, 4.0]


def test_the_tail_is_a_stratum_of_its_own_and_so_is_news() -> None:
    fame = {SPIELBERG: 5.0, LUCAS: 4.5, CINCINNATI: 4.8, MODESTO: 1.0}
    blocks = [Block((stated(SPIELBERG, CINCINNATI),)), Block((stated(LUCAS, MODESTO),))]
    around = Surroundings(fame, frozenset({MODESTO}))
    assert [one.stratum for one in placed(blocks, around)] == [FameLevel.BEST, FameLevel.TAIL]
    assert [one.stratum for one in placed(blocks, around, news=[SPIELBERG])] == [NEWS, FameLevel.TAIL]


@pytest.mark.parametrize(
    ("wrong", "level"),
    [(1947, FoilNearness.CLOSE), (1944, FoilNearness.CLOSE), (1951, FoilNearness.AKIN), (1960, FoilNearness.LOOSE)],
)
def test_a_wrong_year_is_the_nearer_the_fewer_years_it_is_off(wrong: int, level: FoilNearness) -> None:
    block = Block((dated(SPIELBERG, 1946), dated(SPIELBERG, wrong, truth=False)))
    assert nearness(block, Surroundings({})) == level


def test_a_wrong_place_is_near_that_is_joined_to_the_subject_and_akin_that_is_of_the_same_class_and_country() -> None:
    block = square(stated(SPIELBERG, CINCINNATI), stated(LUCAS, MODESTO))
    assert nearness(block, Surroundings({})) == FoilNearness.LOOSE
    types = {
        **dict.fromkeys((CINCINNATI, MODESTO, DELFT), frozenset({515})),
        **dict.fromkeys((30, 55), frozenset({3624078})),
    }
    lies = Containment(types=types, countries={CINCINNATI: {30: 1}, MODESTO: {30: 2}, DELFT: {55: 3}},
                       settled=frozenset({CINCINNATI, MODESTO, DELFT}))  # fmt: skip
    assert nearness(block, Surroundings({}, containment=lies)) == FoilNearness.AKIN
    abroad = square(stated(SPIELBERG, CINCINNATI), stated(LUCAS, DELFT))
    assert nearness(abroad, Surroundings({}, containment=lies)) == FoilNearness.LOOSE
    joined = Links({SPIELBERG: {MODESTO}, LUCAS: {CINCINNATI}}, {})
    assert nearness(block, Surroundings({}, links=joined)) == FoilNearness.CLOSE
    one_alone = Links({SPIELBERG: {MODESTO}}, {})
    assert nearness(block, Surroundings({}, links=one_alone)) == FoilNearness.LOOSE, (
        "a block is as near as its farthest"
    )


def test_a_formula_is_near_where_the_two_times_are() -> None:
    block = Block((asked_at("life", 22_044, truth=True), asked_at("life", 22_046, truth=False)))
    assert nearness(block, Surroundings({})) == FoilNearness.CLOSE
    stories = Block((asked_at("a", 1, truth=True), asked_at("b", 1, truth=False)))
    assert nearness(stories, Surroundings({})) == FoilNearness.ALONE, "two stories have no time in common"


def test_what_is_turned_round_is_close_and_what_stands_alone_is_not() -> None:
    turned = stated(SPIELBERG, LUCAS)._replace(converse=ConverseWordings(WORDS, flips=True))
    assert nearness(Block((turned,)), Surroundings({})) == FoilNearness.CLOSE
    assert nearness(Block((stated(SPIELBERG, LUCAS),)), Surroundings({})) == FoilNearness.ALONE


def test_a_block_has_as_many_steps_as_its_longest_member() -> None:
    block = Block((stated(SPIELBERG, OHIO, hops=3), stated(SPIELBERG, DELFT, truth=False)))
    assert [one.steps for one in placed([block], Surroundings({}))] == [3]


EASY = Difficulty()


@pytest.mark.parametrize(
    ("hard", "plain"),
    [
        (EASY._replace(renown=FameLevel.TAIL, nearness=FoilNearness.CLOSE), EASY._replace(renown=FameLevel.TAIL)),
        (EASY._replace(renown=FameLevel.LEAST, steps=2, bridged=True), EASY._replace(renown=FameLevel.LEAST, steps=2)),
        (EASY._replace(steps=3, nearness=FoilNearness.CLOSE), EASY._replace(steps=2, nearness=FoilNearness.CLOSE)),
        (EASY._replace(changed=True, precision=Precision.DAY), EASY._replace(changed=True, precision=Precision.YEAR)),
        (EASY._replace(renown=FameLevel.LEAST, nearness=FoilNearness.CLOSE, precision=Precision.MONTH),
         EASY._replace(renown=FameLevel.MIDDLE, nearness=FoilNearness.CLOSE, precision=Precision.MONTH)),
    ],
)  # fmt: skip
def test_several_things_together_make_a_question_hard(hard: Difficulty, plain: Difficulty) -> None:
    assert hard.hard and not plain.hard
    assert hard.as_json()["hard"] and hard.features()["design"] == "hard"


LEVELS = st.builds(
    Difficulty, st.sampled_from(FameLevel), st.integers(1, 6), st.booleans(), st.sampled_from(FoilNearness),
    st.sampled_from(Precision), st.booleans(), st.floats(0, 6),
)  # fmt: skip


@given(LEVELS)
def test_no_single_feature_makes_a_question_hard(one: Difficulty) -> None:
    alone = [EASY._replace(**{name: value}) for name, value in one._asdict().items()]
    assert not any(each.hard for each in alone)
    assert one.hard == (one.marks >= HARD)
    assert set(one.features()) == {"stratum", "steps", "bridge", "nearness", "precision", "design"}
