"""When "in a place that lies in O" is false: the place is known, and it and O are positively disjoint.

This concerns composites with a step that has exactly one value (born in, died in) and containment behind it. What shows
that one is false is what shows that another place is (semantics.md §1.3): whole chains of present containment that
differ.
"""

from halluvault_tasks.reasoning.disjoint_places import levels_of, place_of
from halluvault_tasks.reasoning.grounds import Difference, Licence, Reason, Refusal
from halluvault_tasks.reasoning.licence_facts import LicenceFacts
from halluvault_tasks.reasoning.slots import convicting


def license_outside(known: LicenceFacts, p: int, s: int, o: int) -> Licence | Refusal:
    """Whether the only value that s has for the place property p lies outside o.

    Args:
        known: the snapshot.
        p: a functional property whose values are places.
        s: subject.
        o: a container: a country, a state, a county.
    """
    slot = convicting(known, p, s)
    if isinstance(slot, Refusal):
        return slot
    if slot.value is None:
        return Refusal("no value", f"P{p} of Q{s} is no place")
    value, sid = slot.value, slot.sid
    found = apart(known, value, o)
    if isinstance(found, Refusal):
        return found
    why = f"P{p} of Q{s} is Q{value} and only that; it lies in Q{found.left}, and Q{o} in or at Q{found.right}"
    return Licence(found.reason, sid, why, found)


def apart(known: LicenceFacts, value: int, o: int) -> Difference | Refusal:
    """Whether a place lies outside a container: they differ in present country, or at a level that both have."""
    if known.related(value, o):
        return Refusal("related", f"Q{value} and Q{o} are the same, one above the other, or linked")
    mine, theirs = known.tokens.get(value), known.tokens.get(o)
    if not mine or not theirs or not mine.isdisjoint(theirs):
        return Refusal("name", f"the names of Q{value} and Q{o} share a word, or one has none")
    one, other = place_of(known, value), place_of(known, o)
    if not one.country or not other.country:
        return Refusal("no chain", one.gap or other.gap)
    if one.historic or other.historic:
        return Refusal("historic", f"a historic unit contains Q{value} or Q{o}")
    if value == one.country:
        return Refusal("no chain", f"Q{value} is itself a country")
    if not known.related(one.country, other.country):
        return Difference(Reason.PLACE_COUNTRY, one.country, other.country)
    if not (one.whole and other.whole):
        return Refusal("no chain", f"Q{value} or Q{o} has no whole chain, and they lie in one country")
    above = levels_of(known, value)
    beside = dict(levels_of(known, o)) | dict.fromkeys(known.types.get(o, frozenset()) - known.nested_types(), o)
    for level in sorted(above.keys() & beside.keys()):
        left, right = above[level], beside[level]
        if not known.related(left, right) and left != value:
            return Difference(Reason.PLACE_LEVEL, left, right, level)
    return Refusal("no level", f"Q{value} and Q{o} differ at no shared level")
