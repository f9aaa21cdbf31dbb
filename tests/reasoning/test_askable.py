"""What a question may rest on, beyond that its fact is decided."""

from datetime import date

import pytest

from halluvault_tasks.reasoning import askable
from halluvault_tasks.reasoning.world.findings import CheckedNegative
from halluvault_tasks.reasoning.world.slots import Bounds, Functional, Known
from halluvault_tasks.wikidata.days import day_number
from halluvault_tasks.wikidata.relation import Relation
from tests.reasoning.licence_worlds import CHILD, FATHER, OTHER, changed, persons, sets, world_of

FEMALE = 6_581_072


@pytest.mark.parametrize(
    ("chain", "women", "impossible"),
    [
        ((22,), [], False),
        ((22,), [OTHER], True),
        ((25,), [OTHER], False),
        ((22, 22), [OTHER], True),
        ((22, 22), [FATHER], True),  # between the two
        ((26,), [OTHER], False),  # no chain of parents
        ((), [OTHER], False),
    ],
)
def test_an_ancestor_is_impossible_where_somebody_on_the_way_cannot_be_a_parent(
    chain: tuple[int, ...], women: list[int], impossible: bool
) -> None:
    world = changed(persons(), sexes=sets({woman: [FEMALE] for woman in women}))
    assert askable.impossible_ancestor(world, chain, CHILD, OTHER) is impossible


def test_nothing_else_may_be_right_of_one_value_of_a_functional_property_alone() -> None:
    world = world_of(
        functional={57: Functional()},
        known={(57, 1): Known(1, {FATHER: 7}), (57, 2): Known(2, {FATHER: 8, OTHER: 9}), (58, 1): Known(1, {OTHER: 3})},
    )
    assert [askable.only_item(world, *slot) for slot in ((57, 1), (57, 2), (57, 3), (58, 1))] == [
        True, False, False, False,
    ]  # fmt: skip


@pytest.mark.parametrize(("since", "over", "never"), [(True, None, True), (False, None, False), (False, 0, True)])
def test_what_people_found_false_never_was_true_if_its_subject_was_over_or_it_was_checked_since(
    since: bool, over: int | None, never: bool
) -> None:
    day = date(2020, 9, 16)
    world = world_of(checked={(106, CHILD, OTHER): CheckedNegative(1, "three readers", day, since)})
    assert askable.was_never(world, 106, CHILD, OTHER, over) is never
    assert not askable.was_never(world, 106, CHILD, FATHER, 0), "nobody has looked"


def test_a_finding_of_the_day_on_which_its_subject_ended_says_nothing_of_the_time_before() -> None:
    day = date(2020, 9, 16)
    world = world_of(checked={(106, CHILD, OTHER): CheckedNegative(1, "three readers", day, False)})
    assert [askable.was_never(world, 106, CHILD, OTHER, day.toordinal() + days) for days in (-1, 0)] == [True, False]


def test_a_work_is_posthumous_more_than_five_years_after_the_last_possible_day_of_a_death() -> None:
    spans = ((day_number(1990), day_number(1990)), (day_number(1990), day_number(1992, 12, 31)))
    world = world_of(bounds={(570, CHILD): Bounds(1, 2, spans), (570, FATHER): Bounds(2, 1, ((None, None),))})
    assert [askable.posthumous(world, CHILD, year) for year in (1980, 1997, 1998)] == [False, False, True]
    assert not askable.posthumous(world, FATHER, 2000), "no day is known"
    assert not askable.posthumous(world, OTHER, 2000), "nothing is"


def test_a_chain_is_false_turned_round_if_each_of_its_relations_runs_one_way() -> None:
    world = world_of(asymmetric=frozenset({22, 25}))
    turned = [Relation.chain(22, 25), Relation.chain(22, 26), Relation.of(22), Relation.of(26)]
    assert [askable.false_turned_round(world, each, CHILD, OTHER) for each in turned] == [True, False, True, False]


def test_only_what_many_things_lie_below_is_plainly_the_upper_one() -> None:
    world = world_of(
        known={(171, lower): Known(1, {10: lower}) for lower in (1, 2, 3)} | {(171, 10): Known(1, {11: 4})},
        up=sets({1: [10], 2: [10], 3: [10], 10: [11]}),
    )
    assert [askable.with_many_below(world, 171, many) for many in (3, 4, 5)] == [{10, 11}, {11}, set()]
