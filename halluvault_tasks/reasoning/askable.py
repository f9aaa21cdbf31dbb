"""What else must hold of a decided fact before a question may rest on it, by what the snapshot knows of its ends.

Whether it is true or false is settled before: by a rule, a licence or people. Here: nothing that it rests on is
impossible, nothing else may be right as well, and turned round it is false.
"""

from collections import Counter
from collections.abc import Sequence

from halluvault_tasks.reasoning.grounds import Refusal
from halluvault_tasks.reasoning.licence.one_way import runs_one_way
from halluvault_tasks.reasoning.licence.slot import convicting, impossible_parent
from halluvault_tasks.reasoning.world import World
from halluvault_tasks.wikidata import properties as wd
from halluvault_tasks.wikidata.days import civil
from halluvault_tasks.wikidata.relation import Relation

_POSTHUMOUS = 5  # years after a death in which a work may still be by somebody


def impossible_ancestor(world: World, chain: Sequence[int], s: int, o: int) -> bool:
    """Whether o, who follows from s by this chain of parents, rests on somebody who cannot be one (semantics.md §1.1).

    Args:
        world: the snapshot.
        chain: properties, from s to o.
        s: child.
        o: parent, or parent's parent.
    """
    if not chain or not set(wd.PARENTS).issuperset(chain):
        return False
    children = {s}
    for p in chain[:-1]:
        steps = [(child, parent) for child in children for parent in world.slots.stated(p, child)]
        if any(impossible_parent(world, p, *step) for step in steps):
            return True
        children = {parent for _, parent in steps}
    return impossible_parent(world, chain[-1], s, o)


def only_item(world: World, p: int, s: int) -> bool:
    """Whether another item than the one that s has for p is false: nothing else may be right (semantics.md §1.8)."""
    slot = convicting(world, p, s)
    return not isinstance(slot, Refusal) and slot.value is not None


def near_a_life(world: World, person: int, place: int) -> bool:
    """Whether a place lies in a country where somebody was born or died: not Moscow, of Marcel Proust.

    And in no area with the place itself: many say that Mary Pickford, who died in Santa Monica, did in Los Angeles.
    """
    places = {stated for p in wd.PLACES_OF_LIFE for stated in world.slots.stated(p, person)}
    countries = {country for stated in places for country in world.slots.stated(wd.COUNTRY, stated)}
    areas = {area for stated in places for area in (stated, *world.slots.stated(wd.LOCATED_IN, stated))}
    within = {place, *world.slots.stated(wd.LOCATED_IN, place)}
    return not countries.isdisjoint(world.slots.stated(wd.COUNTRY, place)) and areas.isdisjoint(within - countries)


def was_never(world: World, p: int, s: int, o: int, over: int | None) -> bool:
    """Whether what people found to be false never was true by the snapshot's day (semantics.md §1.6).

    It never was where they checked it on that day or since, or where its subject's time was over when they did.

    Args:
        world: the snapshot.
        p: property.
        s: subject.
        o: object.
        over: day number by which the subject had died or ended; None: it is not known to have.
    """
    finding = world.findings.checked.get((p, s, o))
    return finding is not None and (finding.since or (over is not None and over < finding.checked_on.toordinal()))


def posthumous(world: World, person: int, year: int) -> bool:
    """Whether a year is so long after somebody's death that the credit for a work of it means what that draws on."""
    days = world.slots.ends(wd.DEATH, person)
    return bool(days) and civil(max(days)).year + _POSTHUMOUS < year


def false_turned_round(world: World, relation: Relation, s: int, o: int) -> bool:
    """Whether a true fact is false with its ends exchanged, since it runs one way (semantics.md §1.4).

    Args:
        world: the snapshot.
        relation: a property, or a chain: that runs one way if each of its properties does.
        s: subject of what is true.
        o: its object.
    """
    if relation.pid:
        return runs_one_way(world, relation.pid, s, o)
    return world.slots.asymmetric.issuperset(relation.properties)


def with_many_below(world: World, p: int, many: int) -> frozenset[int]:
    """Items with so many others below them by p that nobody would take them for the lower one of two (mammal)."""
    below = Counter(upper for s in world.slots.subjects(p) for upper in world.containment.above(s))
    return frozenset(upper for upper, number in below.items() if number >= many)
