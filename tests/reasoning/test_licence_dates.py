"""The law of semantics.md §1 on dates and numbers: which refutes which."""

import re
from decimal import Decimal

import pytest

from halluvault_tasks.reasoning.grounds import Licence, Refusal
from halluvault_tasks.reasoning.licence import license_amount, license_date
from halluvault_tasks.reasoning.licence.slot import settled
from halluvault_tasks.reasoning.sole_values import has_settled_date
from halluvault_tasks.reasoning.world import World
from halluvault_tasks.reasoning.world.slots import Bounds, Functional
from halluvault_tasks.wikidata.days import day_number
from tests.reasoning.licence_worlds import changed, world_of

CHILD = 1


def test_a_date_refutes_only_for_subjects_of_the_classes_that_have_one() -> None:
    day = (day_number(1950), day_number(1950))
    founded = world_of(
        functional={571: Functional(classes=frozenset({5}), never=frozenset({6}))},
        bounds={(571, s): Bounds(s, 1, (day,)) for s in (1, 2, 3, 4)},
        types={1: frozenset({5}), 2: frozenset({7}), 3: frozenset({5, 6}), 4: frozenset({5})},
        renewed=frozenset({4}),
    )
    long_before = (day_number(1800), day_number(1800))
    found = {s: license_date(founded, 571, s, *long_before) for s in (1, 2, 3, 4)}
    assert isinstance(found[1], Licence)
    assert [found[s].code for s in (2, 3, 4)] == ["class", "class", "renewed"]  # type: ignore[union-attr]
    agreed = changed(founded, seconded=frozenset((571, s) for s in founded.containment.types))
    again = {s: license_date(agreed, 571, s, *long_before) for s in (2, 3, 4)}
    assert again == {s: found[s] for s in (2, 3, 4)}, "a second statement of the year makes it nothing else"
    of_anything = changed(founded, functional={571: Functional()})
    assert isinstance(license_date(of_anything, 571, 4, *long_before), Licence), "a birth is not renewed"


@pytest.mark.parametrize("ends", [(569, 570), (571, 576), (580, 582)])
def test_of_an_end_before_its_beginning_neither_date_refutes_anything(ends: tuple[int, int]) -> None:
    def year(wanted: int) -> tuple[int, int]:
        return day_number(wanted), day_number(wanted, 12, 31)

    def world(first: int, last: int) -> World:
        bounds = {(ends[0], CHILD): Bounds(1, 1, (year(first),)), (ends[1], CHILD): Bounds(2, 1, (year(last),))}
        return world_of(functional=dict.fromkeys(ends, Functional()), bounds=bounds)

    for p in ends:
        assert isinstance(license_date(world(1900, 1950), p, CHILD, *year(1800)), Licence)
        assert isinstance(license_date(world(1900, 1900), p, CHILD, *year(1800)), Licence)
        found = license_date(world(1950, 1900), p, CHILD, *year(1800))
        assert isinstance(found, Refusal)
        assert found.code == "contradicted"
        alone = changed(world(1950, 1900), bounds={(p, CHILD): Bounds(1, 1, (year(1950),))})
        assert isinstance(license_date(alone, p, CHILD, *year(1800)), Licence)


def test_a_date_is_refuted_only_by_disjoint_bounds_with_old_calendars_allowed_for() -> None:
    world = world_of(
        functional={569: Functional()},
        bounds={
            (569, 1): Bounds(4, 1, ((day_number(1950), day_number(1950, 12, 31)),)),
            (569, 2): Bounds(5, 1, ((day_number(1649, 1, 30), day_number(1649, 1, 30)),)),
            (569, 3): Bounds(6, 2, ((day_number(1950), day_number(1950)),)),
            (569, 4): Bounds(7, 1, ((day_number(1950), day_number(1950)),), hedged=True),
            (569, 5): Bounds(8, 2, ((day_number(1950), day_number(1950)), (None, day_number(1960)))),
        },
    )

    def year(s: int, wanted: int) -> bool:
        return isinstance(license_date(world, 569, s, day_number(wanted), day_number(wanted, 12, 31)), Licence)

    # A year says no more than a day more at either end: the neighbouring years are not refuted.
    assert [year(1, one) for one in (1948, 1949, 1950, 1951, 1952)] == [True, False, False, False, True]
    assert [year(2, one) for one in (1646, 1648, 1649, 1650, 1652)] == [True, False, False, False, True]
    assert not year(3, 1800)
    assert not year(4, 1800)
    assert not year(5, 1800), "one of its dates has no beginning"


def test_a_date_refutes_what_lies_more_than_a_day_outside_it() -> None:
    first, last = day_number(1950, 3, 1), day_number(1950, 3, 31)
    bounds = {(577, CHILD): Bounds(4, 1, ((first, last),))}
    exact = world_of(functional={577: Functional()}, bounds=bounds)
    no_later = changed(exact, functional={577: Functional(classes=frozenset(), no_later_than=True)})

    def refuted(world: World, day: int) -> bool:
        return isinstance(license_date(world, 577, CHILD, day, day), Licence)

    assert [refuted(exact, day) for day in (first - 2, first - 1, last + 1, last + 2)] == [True, False, False, True]
    assert [refuted(no_later, day) for day in (first - 2, first - 1, last + 1, last + 2)] == [False, False, False, True]


def test_the_reason_why_a_date_is_refuted_names_the_bounds_that_are_known() -> None:
    day, refuted = day_number(1950, 3, 1), (day_number(2000), day_number(2000))
    exact = world_of(functional={577: Functional()}, bounds={(577, CHILD): Bounds(4, 1, ((day, day),))})
    no_later = changed(exact, functional={577: Functional(classes=frozenset(), no_later_than=True)})

    def days(world: World) -> list[str]:
        return re.findall(r"day (\S+)", license_date(world, 577, CHILD, *refuted).why)

    assert (days(exact), days(no_later)) == ([f"{day - 1}", f"{day + 1}"], [f"{day + 1}"])


def test_a_date_within_the_recording_lag_refutes_nothing() -> None:
    last = day_number(2020, 6, 30)
    spans = {1: last - 100, 2: last, 3: last + 1, 4: last + 100}
    world = world_of(
        functional={569: Functional()},
        bounds={(569, s): Bounds(s, 1, ((latest - 3, latest),)) for s, latest in spans.items()},
        recorded=last,
    )
    long_before = (day_number(1800), day_number(1800))
    found = [license_date(world, 569, s, *long_before) for s in spans]
    assert [one.code if isinstance(one, Refusal) else "" for one in found] == ["", "", "young", "young"]


def test_a_number_is_refuted_by_another_in_the_same_unit() -> None:
    world = world_of(functional={1086: Functional()}, bounds={(1086, 1): Bounds(4, 1, amount=Decimal(79))})
    assert isinstance(license_amount(world, 1086, 1, Decimal(80)), Licence)
    assert isinstance(license_amount(world, 1086, 1, Decimal("79.0")), Refusal)
    assert isinstance(license_amount(world, 1086, 1, Decimal(80), unit=11573), Refusal)


def test_a_release_has_one_year_where_the_description_begins_with_it_and_no_lower_bound_elsewhere() -> None:
    day = (day_number(1975, 6, 20), day_number(1975, 6, 20))
    world = world_of(
        functional={577: Functional(classes=frozenset(), no_later_than=True, described=True)},
        bounds={(577, 1): Bounds(4, 1, spans=(day,)), (577, 2): Bounds(5, 1, spans=(day,))},
        seconded=frozenset({(577, 2)}),
        renewed=frozenset({2}),
    )
    year_before = (day_number(1974, 1, 1), day_number(1974, 12, 30))
    assert isinstance(license_date(world, 577, 1, *year_before), Refusal)
    assert isinstance(license_date(world, 577, 2, *year_before), Licence)
    assert isinstance(license_date(world, 577, 2, day_number(1975, 1, 5), day_number(1975, 1, 5)), Refusal)
    assert [has_settled_date(world, 577, s) for s in (1, 2)] == [False, True]


def test_a_year_on_which_sources_differ_is_asked_about_only_where_a_second_statement_gives_it() -> None:
    """What may convict a claim does not depend on it."""
    span = ((day_number(1795, 1, 1), day_number(1795, 12, 31)),)
    world = world_of(
        functional={571: Functional(seconded_by=frozenset({580}))},
        bounds={(571, 1): Bounds(4, 1, spans=span), (571, 2): Bounds(5, 1, spans=span)},
        seconded=frozenset({(571, 2)}),
    )
    assert isinstance(settled(world, 571, 1), Refusal)
    assert has_settled_date(world, 571, 2)
    assert isinstance(license_date(world, 571, 1, day_number(1794, 1, 1), day_number(1794, 1, 2)), Licence)
