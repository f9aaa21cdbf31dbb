"""When "in a place that lies in O" is false: the place is known, and it and O are positively disjoint.

This concerns composites with a step that has exactly one value (born in, died in) and containment behind it. What shows
that one is false is what shows that another place is (semantics.md §1.3): whole chains of present containment that
differ.
"""

from halluvault_tasks.reasoning.grounds import Difference, Licence, Reason, Refusal
from halluvault_tasks.reasoning.licence.difference import parted_by_country, parted_by_level
from halluvault_tasks.reasoning.licence.slot import convicting
from halluvault_tasks.reasoning.world import World


def license_outside(world: World, p: int, s: int, o: int) -> Licence | Refusal:
    """Whether the only value that s has for the place property p lies outside o.

    Args:
        world: the snapshot.
        p: a functional property whose values are places.
        s: subject.
        o: a container: a country, a state, a county.
    """
    slot = convicting(world, p, s)
    if isinstance(slot, Refusal):
        return slot
    if slot.value is None:
        return Refusal("no value", f"P{p} of Q{s} is no place")
    value, sid = slot.value, slot.sid
    difference = apart(world, value, o)
    if isinstance(difference, Refusal):
        return difference
    why = (
        f"P{p} of Q{s} is Q{value} and only that; it lies in Q{difference.left}, and Q{o} in or at Q{difference.right}"
    )
    return Licence(difference.reason, sid, why, difference)


def divided(world: World, area: int, o: int) -> Difference | Refusal:
    """Whether whatever lies in an area lies outside of another, both being present divisions of one class.

    Such divisions share no ground, whether or not their own chains are whole.

    Args:
        world: the snapshot.
        area: that the place is shown to lie in.
        o: the other.
    """
    containment = world.containment
    if containment.related(area, o):
        return Refusal("related", f"Q{area} and Q{o} are the same, one above the other, or linked")
    if containment.historic(area) or containment.historic(o):
        return Refusal("historic", f"Q{area} or Q{o} is over")
    mine, theirs = world.naming.marks.get(area), world.naming.marks.get(o)
    if not mine or not theirs or not mine.isdisjoint(theirs):
        return Refusal("name", f"the names of Q{area} and Q{o} share a word, or one has none")
    levels = containment.types.get(area, frozenset()) & containment.types.get(o, frozenset())
    level = min(levels & containment.division_types, default=0)
    if not level:
        return Refusal("no level", f"Q{area} and Q{o} are no divisions of one class")
    return Difference(Reason.PLACE_LEVEL, area, o, level, by_premises=True)


def apart(world: World, value: int, o: int) -> Difference | Refusal:
    """Whether a place lies outside a container: they differ in present country, or at a level that both have."""
    containment = world.containment
    if containment.related(value, o):
        return Refusal("related", f"Q{value} and Q{o} are the same, one above the other, or linked")
    mine, theirs = world.naming.marks.get(value), world.naming.marks.get(o)
    if not mine or not theirs or not mine.isdisjoint(theirs):
        return Refusal("name", f"the names of Q{value} and Q{o} share a word, or one has none")
    parted = parted_by_country(containment, value, o)
    if not isinstance(parted, Refusal) and value == containment.place_of(value).country:
        return Refusal("no chain", f"Q{value} is itself a country")
    if parted is not None:
        return parted
    own = containment.types.get(o, frozenset()) - containment.nested_types
    beside = dict(containment.levels_of(o)) | dict.fromkeys(own, o)
    return parted_by_level(containment, value, o, containment.levels_of(value), beside, besides={value})
