"""The one value of a slot, as texts tell it: an item, a year, a whole number."""

from halluvault_tasks.reasoning.grounds import Refusal
from halluvault_tasks.reasoning.licence.slot import settled
from halluvault_tasks.reasoning.world import World
from halluvault_tasks.wikidata.days import civil


def functional(world: World) -> frozenset[int]:
    """Properties of which a subject has one value."""
    return frozenset(world.slots.functional)


def takes_places(world: World, p: int) -> bool:
    """Whether the values of a functional property are places."""
    return world.slots.functional[p].place


def has_one_item(world: World, p: int, s: int) -> bool:
    """Whether a slot of a functional property has one value, of every rank, with a doubt or not."""
    values = world.slots.known.get((p, s))
    return values is not None and values.distinct == 1 and p in world.slots.functional


def has_number(world: World, p: int, s: int) -> bool:
    """Whether a slot holds a number."""
    bounds = world.slots.bounds.get((p, s))
    return bounds is not None and bounds.amount is not None


def has_settled_date(world: World, p: int, s: int) -> bool:
    """Whether (p, s) is a settled slot with one date, so that earlier and later ones are false."""
    slot = settled(world, p, s)
    return not isinstance(slot, Refusal) and slot.earliest is not None and slot.latest is not None


def certain_year(world: World, p: int, s: int) -> int | None:
    """The year of our era in which a settled date lies, whatever its day; None where it is not certain."""
    slot = settled(world, p, s)
    if isinstance(slot, Refusal) or slot.earliest is None or slot.latest is None:
        return None
    # The slot is a day wider at each end than the dates that it is made of.
    first, last = civil(slot.earliest + 1).year, civil(slot.latest - 1).year
    return first if first == last > 0 else None
