"""What texts tell truly and falsely: foils beside a statement, values that stand alone, and where a place lies."""

from decimal import Decimal

from halluvault_tasks.reasoning import sole_values, whereabouts
from halluvault_tasks.reasoning.foils import beside_statement
from halluvault_tasks.reasoning.foils.beside_statement import StatementFoil
from halluvault_tasks.reasoning.grounds import Refusal
from halluvault_tasks.reasoning.licence import license_no
from halluvault_tasks.reasoning.world.slots import Bounds, Functional, Known
from halluvault_tasks.wikidata.days import day_number
from tests.reasoning.licence_worlds import (
    CHILD,
    COUNTRY,
    COUNTY,
    FAR_COUNTRY,
    FAR_TOWN,
    FATHER,
    OTHER,
    STATE,
    TOWN,
    changed,
    persons,
    places,
    world_of,
)


def year(wanted: int) -> tuple[tuple[int, int], ...]:
    return ((day_number(wanted, 2, 1), day_number(wanted, 11, 30)),)


def test_an_item_beside_a_statement_is_a_foil_exactly_where_the_licence_refuses_it() -> None:
    world = persons()
    foil = beside_statement.item(world, 22, CHILD, OTHER)
    assert isinstance(foil, StatementFoil)
    assert (foil.relation.pid, foil.s, foil.o, foil.value, foil.evidence) == (22, CHILD, OTHER, None, (7,))
    assert foil.licence == license_no(world, 22, CHILD, OTHER)
    assert isinstance(beside_statement.item(world, 22, CHILD, FATHER), Refusal)


def test_a_year_beside_a_date_is_a_foil_only_two_years_off() -> None:
    world = world_of(functional={569: Functional()}, bounds={(569, CHILD): Bounds(3, 1, year(1900))})
    found = {other: beside_statement.year(world, 569, CHILD, 1900, other) for other in (1898, 1899, 1900, 1901, 1902)}
    assert {other for other, foil in found.items() if isinstance(foil, StatementFoil)} == {1898, 1902}
    assert sole_values.certain_year(world, 569, CHILD) == 1900
    two_years = changed(world, bounds={(569, CHILD): Bounds(3, 2, (*year(1900), *year(1902)))})
    assert sole_values.certain_year(two_years, 569, CHILD) is None


def test_a_number_beside_the_one_that_is_stated_is_a_foil() -> None:
    world = world_of(functional={1086: Functional()}, bounds={(1086, CHILD): Bounds(3, 1, amount=Decimal(47))})
    assert sole_values.has_number(world, 1086, CHILD) and not sole_values.has_number(world, 1086, OTHER)
    foil = beside_statement.number(world, 1086, CHILD, 48)
    assert isinstance(foil, StatementFoil) and (foil.o, foil.value) == (None, 48)
    assert isinstance(beside_statement.number(world, 1086, CHILD, 47), Refusal)


def test_another_country_than_that_of_a_place_is_a_foil_if_the_two_are_known_to_be_different() -> None:
    world = changed(places(), countries={TOWN: {COUNTRY: 9}, FAR_TOWN: {COUNTRY: 5, FAR_COUNTRY: 6}},
                    settled=frozenset({TOWN}))  # fmt: skip
    foil = beside_statement.country(world, TOWN, COUNTRY, FAR_COUNTRY)
    assert isinstance(foil, StatementFoil)
    assert (foil.relation.pid, foil.s, foil.o, foil.evidence) == (17, TOWN, FAR_COUNTRY, (9,))
    assert isinstance(beside_statement.country(world, TOWN, COUNTRY, COUNTRY), Refusal)
    assert whereabouts.countries(world, TOWN) == [COUNTRY]
    assert whereabouts.countries(world, FAR_TOWN) == [], "two are stated"
    assert whereabouts.every_country(world) == {COUNTRY, FAR_COUNTRY}
    assert whereabouts.share_country(world, TOWN, FAR_TOWN) and not whereabouts.share_country(world, TOWN, COUNTY)


def test_a_place_lies_in_all_that_is_above_it_and_never_in_itself() -> None:
    world = places()
    assert whereabouts.containers(world, TOWN) == {COUNTY, STATE, COUNTRY}
    inside = {**world.containment.inside, COUNTRY: {TOWN: 1}}
    assert whereabouts.containers(changed(world, inside=inside), TOWN) == {COUNTY, STATE, COUNTRY}, "a circle"


def test_a_value_stands_alone_only_in_a_functional_slot_with_one_value_of_any_rank() -> None:
    world = persons()
    assert sole_values.has_one_item(world, 22, CHILD)
    assert not sole_values.has_one_item(world, 22, OTHER), "nothing is known"
    assert not sole_values.has_one_item(changed(world, known={(22, CHILD): Known(2, {FATHER: 7})}), 22, CHILD)
    assert not sole_values.has_one_item(changed(world, functional={}), 22, CHILD)
