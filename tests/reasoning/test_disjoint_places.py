"""Two places of which neither is in the other, as far as levels, chains and countries show (semantics.md §1.3)."""

import pytest

from halluvault_tasks.reasoning.grounds import Licence, Reason
from halluvault_tasks.reasoning.licence import license_no
from halluvault_tasks.reasoning.world import World
from tests.reasoning.licence_worlds import (
    CHILD,
    CITY_TYPE,
    COUNTRY,
    COUNTRY_TYPE,
    COUNTY,
    COUNTY_TYPE,
    FAR_COUNTRY,
    FAR_TOWN,
    FATHER,
    NEAR_COUNTY,
    NEAR_TOWN,
    OTHER,
    SETTLEMENT,
    STATE,
    THIRD_COUNTRY,
    TOWN,
    changed,
    items,
    persons,
    places,
    refusal,
    sets,
)


def test_the_reason_why_a_place_is_denied_names_both_containers_and_their_level() -> None:
    values = {CHILD, TOWN}
    assert items(license_no(places(), 19, CHILD, FAR_TOWN)) == values | {FAR_TOWN, COUNTRY, FAR_COUNTRY}
    assert items(license_no(places(), 19, CHILD, NEAR_TOWN)) == values | {NEAR_TOWN, COUNTY, NEAR_COUNTY, COUNTY_TYPE}
    assert items(license_no(persons(), 22, CHILD, OTHER)) == {CHILD, FATHER}


def test_a_place_must_differ_at_a_level_or_in_country() -> None:
    far, near = license_no(places(), 19, CHILD, FAR_TOWN), license_no(places(), 19, CHILD, NEAR_TOWN)
    assert isinstance(far, Licence)
    assert isinstance(near, Licence)
    assert far.difference is not None
    assert near.difference is not None
    assert (far.reason, far.difference.left, far.difference.right) == (Reason.PLACE_COUNTRY, COUNTRY, FAR_COUNTRY)
    assert (near.reason, near.difference.left, near.difference.right) == (Reason.PLACE_LEVEL, COUNTY, NEAR_COUNTY)


@pytest.mark.parametrize("container", [COUNTY, STATE, COUNTRY])
def test_no_container_of_the_true_place_is_denied_whatever_its_type(container: int) -> None:
    world = places()
    everything_a_city = sets(dict.fromkeys(world.containment.types, (CITY_TYPE,)))  # type: ignore[arg-type]
    assert refusal(changed(world, types=everything_a_city), 19, CHILD, container) == "related"


@pytest.mark.parametrize(
    ("change", "code"),
    [
        ({"inside": {}}, "no chain"),
        ({"ended": frozenset({STATE})}, "historic"),
        ({"ended": frozenset({FAR_COUNTRY})}, "historic"),
        ({"links": sets({COUNTRY: [FAR_COUNTRY]})}, "no level"),
        ({"countries": {TOWN: {FAR_COUNTRY: 1}}}, "no chain"),
        ({"inside": {**places().containment.inside, FAR_TOWN: {FAR_COUNTRY: 1, THIRD_COUNTRY: 2}}}, "no chain"),
    ],
)
def test_doubtful_places_are_never_denied(change: dict[str, object], code: str) -> None:
    assert refusal(changed(places(), **change), 19, CHILD, FAR_TOWN) == code  # type: ignore[arg-type]


def test_a_type_whose_members_contain_each_other_is_no_level() -> None:
    world = places()
    types = dict(world.containment.types) | {STATE: frozenset({COUNTY_TYPE})}
    assert refusal(changed(world, types=types), 19, CHILD, NEAR_TOWN) == "no level"
    elsewhere = changed(
        world,
        types={**world.containment.types, **sets({98: [COUNTY_TYPE], 99: [COUNTY_TYPE]})},
        up={**world.containment.up, 98: frozenset({99})},
        inside={**world.containment.inside, 98: {99: 1}},
    )
    assert refusal(elsewhere, 19, CHILD, NEAR_TOWN) == "no level"


def test_a_stray_statement_about_what_a_division_belongs_to_does_not_make_it_nested() -> None:
    """Of the contiguous United States, of which California is a part, one source says that they lie in Kansas."""
    stray = changed(
        places(), up={**places().containment.up, NEAR_COUNTY: frozenset({STATE, 98}), 98: frozenset({COUNTY})}
    )
    assert COUNTY_TYPE in stray.containment.division_types
    assert COUNTY_TYPE not in stray.containment.nested_types


def test_a_county_and_a_park_in_one_country_are_of_no_shared_level() -> None:
    """What both are not, and the towns in them and the country are, is none."""
    world, park = places(), 99
    kinds = {**world.containment.types, **sets({NEAR_COUNTY: [park], COUNTRY: [COUNTRY_TYPE, SETTLEMENT]})}
    kinds |= sets({town: [CITY_TYPE, SETTLEMENT] for town in (TOWN, NEAR_TOWN)})
    inside = {TOWN: {COUNTY: 1}, COUNTY: {COUNTRY: 2}, NEAR_TOWN: {NEAR_COUNTY: 3}, NEAR_COUNTY: {COUNTRY: 4}}
    assert refusal(changed(world, types=kinds, inside=inside), 19, CHILD, NEAR_TOWN) == "no level"


def test_a_chain_that_only_knows_its_country_cannot_tell_counties_apart() -> None:
    world = places()
    inside = {low: high for low, high in world.containment.inside.items() if low != NEAR_COUNTY}
    cut = changed(
        world,
        inside=inside,
        countries={NEAR_COUNTY: {COUNTRY: 5}},
        settled=frozenset({NEAR_COUNTY}),
    )
    assert refusal(cut, 19, CHILD, NEAR_TOWN) == "no chain"
    assert isinstance(license_no(cut, 19, CHILD, FAR_TOWN), Licence)


def by_country() -> World:
    """FAR_TOWN is a settlement of which the country alone is known."""
    world = places()
    return changed(
        world,
        inside={low: high for low, high in world.containment.inside.items() if low != FAR_TOWN},
        countries={FAR_TOWN: {FAR_COUNTRY: 5}},
        settled=frozenset({FAR_TOWN}),
    )


def test_a_settlement_is_placed_by_its_country_where_that_is_present_and_the_only_one() -> None:
    assert isinstance(license_no(by_country(), 19, CHILD, FAR_TOWN), Licence)
    for change in (
        {"settled": frozenset()},
        {"countries": {FAR_TOWN: {FAR_COUNTRY: 5, COUNTRY: 6}}},
        {"countries": {FAR_TOWN: {NEAR_COUNTY: 5}}},
        {"countries": {FAR_TOWN: {COUNTRY: 5}}},  # its own country: which county it lies in is not known
        {
            "inside": {**places().containment.inside, FAR_TOWN: {98: 1}},
            "countries": {FAR_TOWN: {FAR_COUNTRY: 5}, 98: {FAR_COUNTRY: 6, COUNTRY: 7}},
        },
        {
            "inside": {**places().containment.inside, FAR_TOWN: {98: 1}, 98: {99: 2}},
            "countries": {99: {98: 3}},  # said to be the country of what contains it
            "settled": frozenset({99}),
        },
    ):
        assert refusal(changed(by_country(), **change), 19, CHILD, FAR_TOWN) == "no chain"  # type: ignore[arg-type]
    assert refusal(changed(by_country(), ended=frozenset({FAR_COUNTRY})), 19, CHILD, FAR_TOWN) == "historic"
    assert refusal(changed(by_country(), ended=frozenset({FAR_TOWN})), 19, CHILD, FAR_TOWN) == "historic"


@pytest.mark.parametrize("container", [FAR_TOWN - 1, FAR_TOWN + 1])
def test_the_country_of_the_last_known_container_places_what_lies_in_it(container: int) -> None:
    """Whichever of the two has the higher number."""
    world = places()
    inside = {**world.containment.inside, FAR_TOWN: {container: 1}}
    world = changed(
        world, inside=inside, countries={container: {FAR_COUNTRY: 2}}, settled=frozenset({container}), up={}
    )
    found = license_no(world, 19, CHILD, FAR_TOWN)
    assert isinstance(found, Licence)
    assert found.reason == Reason.PLACE_COUNTRY
    assert world.containment.place_of(FAR_TOWN).chain == {container, FAR_COUNTRY}
    assert world.containment.place_of(TOWN).chain == {COUNTY, STATE, COUNTRY}


@pytest.mark.parametrize("of", [(TOWN, NEAR_TOWN), (COUNTY, NEAR_COUNTY)])
def test_a_whole_chain_is_not_broken_by_a_country_that_is_stated_as_well(of: tuple[int, int]) -> None:
    world = changed(places(), countries={place: {COUNTRY: place} for place in of}, settled=frozenset(of))
    found = license_no(world, 19, CHILD, NEAR_TOWN)
    assert isinstance(found, Licence)
    assert found.reason == Reason.PLACE_LEVEL


def test_a_place_in_two_units_of_a_type_differs_in_neither() -> None:
    world = places()
    twice = changed(
        world,
        inside={**world.containment.inside, TOWN: {COUNTY: 1, 99: 2}, 99: {STATE: 3}},
        types={**world.containment.types, 99: frozenset({COUNTY_TYPE})},
    )
    assert refusal(twice, 19, CHILD, NEAR_TOWN) == "no level"
