"""When a complete list rules something out: it is like what is listed, and none of it (semantics.md §1.10)."""

from halluvault_tasks.reasoning.grounds import Licence, Reason, Refusal
from halluvault_tasks.reasoning.licence.difference import different
from halluvault_tasks.reasoning.world import World


def license_listed(world: World, p: int, s: int, o: int) -> Licence | Refusal:
    """Whether p(s, o) is false because all objects that s has of p are known.

    Args:
        world: the snapshot.
        p: property number.
        s: subject's item number.
        o: object's item number, never recorded for s and p.
    """
    found = world.lists.of.get((p, s))
    if found is None:
        return Refusal("not listed", f"nothing shows that all P{p} of Q{s} are stated")
    types = world.containment.types
    if found.only and not types.get(o, frozenset()) & found.only:
        return Refusal("type", f"what was counted is of another kind than Q{o}")
    alike = bool(found.only)
    for value in found.values:
        difference = different(world, value, o, place=False)
        if isinstance(difference, Refusal):
            told_apart = difference.code == "name" if found.only else _unlike(world, difference, value, o)
            if not told_apart:
                return difference
        else:
            alike = True
    if not alike:
        return Refusal("type", f"Q{o} is of no kind that is listed")
    several = len(found.values)
    why = f"Q{s} has {several} P{p}, all stated ({found.why}), and Q{o} is none of them"
    return Licence(Reason.LIST, min(found.values.values()), why, counted=several)


def _unlike(world: World, difference: Refusal, value: int, o: int) -> bool:
    """Things of two kinds are two things, unless they are called alike: a river and the lake of that name."""
    marks = world.naming.marks
    mine, theirs = marks.get(value), marks.get(o)
    return difference.code == "type" and bool(mine and theirs) and mine.isdisjoint(theirs)  # type: ignore[union-attr,arg-type]
