"""In which years nobody would ask whether something happened."""

import pytest

from halluvault_tasks.benchmark.suites.relation import years
from halluvault_tasks.reasoning.world import World
from halluvault_tasks.reasoning.world.slots import Bounds, Known, Slots
from halluvault_tasks.wikidata.days import day_number


@pytest.mark.parametrize(("year", "outside"), [(1936, True), (1939, False), (1941, False), (1945, False), (1946, True)])
def test_no_part_of_a_war_is_asked_to_have_begun_outside_of_it(year: int, outside: bool) -> None:
    """Nobody would ask whether the Eastern Front of World War II began in 1936."""
    front, war = 1, 2
    begun, over = (day_number(1939, 9, 1),) * 2, (day_number(1945, 9, 2),) * 2
    world = World(
        slots=Slots(
            known={(361, front): Known(1, {war: 7})},
            bounds={(580, war): Bounds(8, 1, (begun,)), (582, war): Bounds(9, 1, (over,))},
        )
    )
    days = day_number(year, 1, 1), day_number(year, 12, 31)
    assert years.outside_its_whole(world, front, *days) is outside
