"""When "in a place that lies in O" is false: the place is known, and it and O are positively disjoint.

This concerns composites with a step that has exactly one value (born in, died in) and containment behind it. What shows
that one is false is what shows that another place is (semantics.md §1.3): whole chains of present containment that
differ.
"""

from halluvault_tasks.reasoning.grounds import Difference, Licence, Reason, Refusal
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
    found = apart(world, value, o)
    if isinstance(found, Refusal):
        return found
    why = f"P{p} of Q{s} is Q{value} and only that; it lies in Q{found.left}, and Q{o} in or at Q{found.right}"
    return Licence(found.reason, sid, why, found)


def apart(world: World, value: int, o: int) -> Difference | Refusal:
    """Whether a place lies outside a container: they differ in present country, or at a level that both have."""
    containment = world.containment
    if containment.related(value, o):
        return Refusal("related", f"Q{value} and Q{o} are the same, one above the other, or linked")
    mine, theirs = world.naming.marks.get(value), world.naming.marks.get(o)
    if not mine or not theirs or not mine.isdisjoint(theirs):
        return Refusal("name", f"the names of Q{value} and Q{o} share a word, or one has none")
    here, there = containment.place_of(value), containment.place_of(o)
    if not here.country or not there.country:
        return Refusal("no chain", here.gap or there.gap)
    if here.historic or there.historic:
        return Refusal("historic", f"a historic unit contains Q{value} or Q{o}")
    if value == here.country:
        return Refusal("no chain", f"Q{value} is itself a country")
    if not containment.related(here.country, there.country):
        return Difference(Reason.PLACE_COUNTRY, here.country, there.country)
    if not (here.whole and there.whole):
        return Refusal("no chain", f"Q{value} or Q{o} has no whole chain, and they lie in one country")
    above = containment.levels_of(value)
    own = containment.types.get(o, frozenset()) - containment.nested_types
    beside = dict(containment.levels_of(o)) | dict.fromkeys(own, o)
    for level in sorted(above.keys() & beside.keys()):
        left, right = above[level], beside[level]
        if not containment.related(left, right) and left != value:
            return Difference(Reason.PLACE_LEVEL, left, right, level)
    return Refusal("no level", f"Q{value} and Q{o} differ at no shared level")
