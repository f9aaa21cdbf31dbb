"""When two things are different values: of one type, unrelated, differently named; places also disjoint.

Values by semantics.md §1.2, places by §1.3: present containment, chains, levels, countries. A country alone (P17)
places a settlement or an administrative unit that is in one country only, and shows only that a place in another
country is a different one. It places no lake, mountain, event or organisation.
"""

from collections.abc import Collection, Mapping

from halluvault_tasks.reasoning.grounds import Difference, Reason, Refusal
from halluvault_tasks.reasoning.world import World
from halluvault_tasks.reasoning.world.containment import Containment

_NOTHING: frozenset[int] = frozenset()
_OTHER_VALUE = Difference(Reason.OTHER_VALUE)


def different(
    world: World, left: int, right: int, place: bool, distinct: Collection[int] = _NOTHING
) -> Difference | Refusal:
    """Whether having `left` as the only value rules out `right`: same type, unrelated, no common name token.

    Args:
        world: the snapshot.
        left: the true value.
        right: the value to rule out.
        place: both are places, so that they must be positively disjoint.
        distinct: things, and types of things, of which no two are the same, whatever their types and names say.
    """
    containment = world.containment
    if containment.related(left, right):
        return Refusal("related", f"Q{left} and Q{right} are the same, one above the other, or linked")
    for item in (left, right):
        if item in containment.classes:
            return Refusal("class", f"Q{item} is a class, not a thing of its kind")
    known_apart = all(
        item in distinct or not containment.types.get(item, _NOTHING).isdisjoint(distinct) for item in (left, right)
    )
    if not known_apart and containment.types.get(left, _NOTHING).isdisjoint(containment.types.get(right, _NOTHING)):
        return Refusal("type", f"Q{left} and Q{right} share no type")
    mine, theirs = world.naming.marks.get(left), world.naming.marks.get(right)
    if not mine or not theirs:
        return Refusal("unnamed", f"Q{right if mine else left} has no label, so names cannot be compared")
    if not mine.isdisjoint(theirs) and not known_apart:
        return Refusal("name", f"both names contain {min(mine & theirs)!r}")
    return different_places(world, left, right) if place else _OTHER_VALUE


def different_places(world: World, left: int, right: int) -> Difference | Refusal:
    """Whether two places are positively disjoint: whole chains that differ at a level, or in present country."""
    containment = world.containment
    parted = parted_by_country(containment, left, right)
    if parted is not None:
        return parted
    levels = containment.levels_of(left), containment.levels_of(right)
    return parted_by_level(containment, left, right, *levels, besides={left, right})


def parted_by_country(containment: Containment, left: int, right: int) -> Difference | Refusal | None:
    """Whether two places lie in different present countries; None: in one, and the chains of both are whole."""
    here, there = containment.place_of(left), containment.place_of(right)
    if not here.country or not there.country:
        return Refusal("no chain", here.gap or there.gap)
    if here.historic or there.historic:
        return Refusal("historic", f"a historic unit contains Q{left} or Q{right}")
    if not containment.related(here.country, there.country):
        return Difference(Reason.PLACE_COUNTRY, here.country, there.country)
    if here.whole and there.whole:
        return None
    # A step that is not recorded may lead from one of them into the other.
    return Refusal("no chain", f"Q{left} or Q{right} has no whole chain, and they lie in one country")


def parted_by_level(
    containment: Containment,
    left: int,
    right: int,
    mine: Mapping[int, int],
    theirs: Mapping[int, int],
    besides: Collection[int],
) -> Difference | Refusal:
    """Whether two places of one country lie in different units of a level.

    Args:
        containment: of the snapshot.
        left: the one place.
        right: the other.
        mine: level → the one unit of it that the one lies in.
        theirs: the same of the other.
        besides: units that part nothing.
    """
    for level in sorted(mine.keys() & theirs.keys()):
        unit, other = mine[level], theirs[level]
        if not containment.related(unit, other) and unit not in besides and other not in besides:
            return Difference(Reason.PLACE_LEVEL, unit, other, level)
    return Refusal("no level", f"Q{left} and Q{right} differ at no shared level")
