"""People and places whose relations are all known, for the tests of the licence."""

import dataclasses
import re
from typing import Any

from halluvault_tasks.reasoning.grounds import Licence, Refusal
from halluvault_tasks.reasoning.licence import license_no
from halluvault_tasks.reasoning.world import World
from halluvault_tasks.reasoning.world.naming import marks, words
from halluvault_tasks.reasoning.world.slots import Functional, Known

CHILD, FATHER, OTHER = 1, 2, 3
TOWN, COUNTY, STATE, COUNTRY, FAR_TOWN, FAR_COUNTRY = 10, 11, 12, 13, 20, 23
NEAR_TOWN, NEAR_COUNTY, THIRD_COUNTRY = 30, 31, 33
CITY_TYPE, COUNTY_TYPE, STATE_TYPE, COUNTRY_TYPE, SETTLEMENT = 515, 28575, 7275, 6256, 486972


def tokens(names: list[str]) -> frozenset[str]:
    return marks([words(name) for name in names])


def sets(pairs: dict[int, list[int]]) -> dict[int, frozenset[int]]:
    return {key: frozenset(values) for key, values in pairs.items()}


def changed(world: World, **fields: Any) -> World:
    """The same world, but for these fields, each in the part that has it."""
    parts = {}
    for part in (world.containment, world.naming, world.slots, world.findings):
        own = {each.name: fields.pop(each.name) for each in dataclasses.fields(part) if each.name in fields}
        parts[type(part).__name__.lower()] = dataclasses.replace(part, **own)
    assert not fields, f"no part has {sorted(fields)}"
    return World(**parts)


def world_of(**fields: Any) -> World:
    """A world that knows only this."""
    return changed(World(), **fields)


def persons() -> World:
    """CHILD's father is FATHER; OTHER is a man like him."""
    return world_of(
        functional={22: Functional()},
        asymmetric=frozenset({22}),
        irreflexive=frozenset({22}),
        known={(22, CHILD): Known(1, {FATHER: 7})},
        seen={(22, CHILD): frozenset({FATHER})},
        types=sets({CHILD: [5], FATHER: [5], OTHER: [5]}),
        marks={CHILD: tokens(["Ada"]), FATHER: tokens(["George Byron"]), OTHER: tokens(["Isaac Newton"])},
    )


def places() -> World:
    """CHILD was born in TOWN; FAR_TOWN lies in another country, NEAR_TOWN in another county of the same state."""
    containment = {TOWN: COUNTY, COUNTY: STATE, STATE: COUNTRY, FAR_TOWN: FAR_COUNTRY, NEAR_TOWN: NEAR_COUNTY}
    containment[NEAR_COUNTY] = STATE
    kinds = {TOWN: CITY_TYPE, FAR_TOWN: CITY_TYPE, NEAR_TOWN: CITY_TYPE, COUNTY: COUNTY_TYPE, NEAR_COUNTY: COUNTY_TYPE}
    kinds |= {STATE: STATE_TYPE, COUNTRY: COUNTRY_TYPE, FAR_COUNTRY: COUNTRY_TYPE, THIRD_COUNTRY: COUNTRY_TYPE}
    return world_of(
        functional={19: Functional(place=True)},
        known={(19, CHILD): Known(1, {TOWN: 1})},
        seen={(19, CHILD): frozenset({TOWN})},
        types=sets({item: [kind] for item, kind in kinds.items()}),
        marks={item: tokens([f"name{item}"]) for item in kinds},
        up=sets({low: [high] for low, high in containment.items()}),
        inside={low: {high: 100 + low} for low, high in containment.items()},
    )


def refusal(world: World, p: int, s: int, o: int) -> str:
    found = license_no(world, p, s, o)
    assert isinstance(found, Refusal), found
    return found.code


def items(found: Licence | Refusal) -> set[int]:
    """The items that the reason names."""
    return {int(number) for number in re.findall(r"Q(\d+)", found.why)}
