"""Where a place lies, as texts tell it."""

from halluvault_tasks.reasoning.world import World


def countries(world: World, place: int) -> list[int]:
    """The present countries of a settlement or unit that one country places, ascending; none of any other place."""
    return sorted(world.containment.countries.get(place, ())) if place in world.containment.settled else []


def every_country(world: World) -> frozenset[int]:
    """All that some place is said to lie in."""
    return frozenset(country for stated in world.containment.countries.values() for country in stated)


def share_country(world: World, place: int, other: int) -> bool:
    """Whether two places are said to lie in one country."""
    return bool(set(world.containment.countries.get(place, ())) & set(world.containment.countries.get(other, ())))


def containers(world: World, place: int) -> frozenset[int]:
    """What a place lies in by P131, step by step."""
    above: set[int] = set()
    frontier = [place]
    while frontier:
        fresh = set(world.containment.inside.get(frontier.pop(), ())) - above
        above |= fresh
        frontier += fresh
    return frozenset(above - {place})
