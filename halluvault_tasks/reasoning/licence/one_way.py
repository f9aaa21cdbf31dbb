"""When a relation that runs one way denies its converse (semantics.md §1.4)."""

from halluvault_tasks.reasoning.grounds import Licence, Reason
from halluvault_tasks.reasoning.world import World
from halluvault_tasks.wikidata import properties as wd


def license_converse(world: World, p: int, s: int, o: int) -> Licence | None:
    """That p(s, o) is false because p(o, s) is stated."""
    if p not in world.slots.asymmetric:
        return None
    sid = world.slots.stated(p, o).get(s)
    if sid is None or sid in world.slots.known[p, o].young or not _told_apart(world, p, o, s):
        return None
    return Licence(Reason.CONVERSE, sid, f"Q{o} has P{p} Q{s}, and P{p} runs one way")


def runs_one_way(world: World, p: int, s: int, o: int) -> bool:
    """Whether p(o, s) is false because p(s, o), which is true, runs one way.

    Wider than `license_converse`: p(s, o) may be derived, through an inverse or a chain, and stated nowhere.
    """
    slots = world.slots
    return p in slots.asymmetric and s != o and not slots.ever_seen(p, o, s) and _told_apart(world, p, s, o)


def _told_apart(world: World, p: int, s: int, o: int) -> bool:
    """Nothing shows that the two ends of p(s, o) may be one, or each other's.

    A class (or taxon) above a single other one is often the same in other words; so are two that are linked.
    """
    links = world.containment.links
    if o in links.get(s, ()) or s in links.get(o, ()):
        return False
    if p in wd.CLASSES and world.slots.members(p).get(o, 0) < 2:
        return False
    return not _leads_to(world, p, o, s)


def _leads_to(world: World, p: int, start: int, end: int) -> bool:
    """`end` can be reached from `start` over p: then both directions are claimed, and neither is denied."""
    reached, frontier = {start}, [start]
    while frontier:
        fresh = set(world.slots.stated(p, frontier.pop())) - reached
        if end in fresh:
            return True
        reached |= fresh
        frontier += fresh
    return False
