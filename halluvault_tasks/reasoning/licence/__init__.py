"""When a statement is known to be false: the one function behind every "No" (semantics.md §1.2-1.4).

Wikidata is an open world, so absence shows nothing. `license_no` says that p(s, o) is false only because something
else is stated that rules it out, and says what. Derivation, oracles and audit all ask here; the Prolog side only joins
what was licensed here (`alternatives`) with the subjects it was licensed for.
"""

from decimal import Decimal

from halluvault_tasks.reasoning.grounds import Licence, Reason, Refusal
from halluvault_tasks.reasoning.licence.checked import license_checked
from halluvault_tasks.reasoning.licence.difference import different
from halluvault_tasks.reasoning.licence.slot import convicting
from halluvault_tasks.reasoning.world import World
from halluvault_tasks.wikidata import properties as wd


def license_no(world: World, p: int, s: int, o: int) -> Licence | Refusal:
    """Whether the snapshot shows that p(s, o) is false.

    Args:
        world: the snapshot.
        p: property number.
        s: subject's item number.
        o: object's item number.

    Returns:
        The licence with its reason, or why there is none (which does not make p(s, o) true).
    """
    if world.slots.ever_seen(p, s, o):
        return Refusal("seen", f"Q{o} was recorded for Q{s} and P{p}")
    if s == o:
        if p in world.slots.irreflexive:
            return Licence(Reason.REFLEXIVE, 0, f"nothing has P{p} to itself")
        return Refusal("reflexive", f"P{p} of itself is not known to be impossible")
    known = world.slots.known.get((p, s))
    if known and known.none_sid and known.distinct == 1:
        return Licence(Reason.NO_VALUE, known.none_sid, f"Q{s} is stated to have no P{p}")
    if (converse := _converse(world, p, s, o)) is not None:
        return converse
    if (finding := world.findings.checked.get((p, s, o))) and (finding.since or p not in world.findings.time_bound):
        return license_checked(world, p, s, o)
    slot = convicting(world, p, s)
    if isinstance(slot, Refusal):
        return slot
    if slot.value is None:
        return Refusal("no value", f"P{p} of Q{s} is no item")
    found = different(world, slot.value, o, world.slots.functional[p].place)
    if isinstance(found, Refusal):
        return found
    why = f"P{p} of Q{s} is Q{slot.value} and only that"
    if found.left:
        level = f" (both Q{found.level})" if found.level else " (countries)"
        why += f"; Q{slot.value} lies in Q{found.left}, Q{o} in Q{found.right}{level}"
    return Licence(found.reason, slot.sid, why, found)


def license_named(world: World, p: int, s: int, stated: int, o: int) -> Licence | Refusal:
    """Whether p(s, o) is false if somebody is identified by p of s: "the director of Jaws" (semantics.md §1.8).

    Such a question takes for granted, as its proof does, that nobody else is; a claim that somebody else is, convicts.

    Args:
        world: the snapshot.
        p: property number.
        s: subject's item number.
        stated: the one item that the snapshot has for s and p, at any rank.
        o: the item that is claimed.
    """
    if world.slots.ever_seen(p, s, o):
        return Refusal("seen", f"Q{o} was recorded for Q{s} and P{p}")
    found = different(world, stated, o, place=False)
    if isinstance(found, Refusal):
        return found
    return Licence(found.reason, 0, f"P{p} of Q{s} is Q{stated} alone, who is called by that")


def _converse(world: World, p: int, s: int, o: int) -> Licence | None:
    if p not in world.slots.asymmetric:
        return None
    other = world.slots.known.get((p, o))
    sid = other.items.get(s) if other else None
    if other is None or sid is None or sid in other.young or not _told_apart(world, p, o, s):
        return None
    return Licence(Reason.CONVERSE, sid, f"Q{o} has P{p} Q{s}, and P{p} runs one way")


def runs_one_way(world: World, p: int, s: int, o: int) -> bool:
    """Whether p(o, s) is false because p(s, o), which is true, runs one way (semantics.md §1.4).

    Wider than what `license_no` sees: p(s, o) may be derived, through an inverse or a chain, and stated nowhere.
    """
    return p in world.slots.asymmetric and s != o and not world.slots.ever_seen(p, o, s) and _told_apart(world, p, s, o)


def _told_apart(world: World, p: int, s: int, o: int) -> bool:
    """Nothing shows that the two ends of p(s, o) may be one, or each other's.

    A class (or taxon) above a single other one is often the same in other words; so are two that are linked.
    """
    if o in world.containment.links.get(s, ()) or s in world.containment.links.get(o, ()):
        return False
    if p in wd.CLASSES and world.slots.members(p).get(o, 0) < 2:
        return False
    return not _leads_to(world, p, o, s)


def _leads_to(world: World, p: int, start: int, end: int) -> bool:
    """`end` can be reached from `start` over p: then both directions are claimed, and neither is denied."""
    reached, frontier = {start}, [start]
    while frontier:
        known = world.slots.known.get((p, frontier.pop()))
        fresh = set(known.items if known else ()) - reached
        if end in fresh:
            return True
        reached |= fresh
        frontier += fresh
    return False


def license_date(world: World, p: int, s: int, earliest: int, latest: int) -> Licence | Refusal:
    """Whether the date p of s is known to lie outside [earliest, latest] (day numbers, inclusive)."""
    slot = convicting(world, p, s)
    if isinstance(slot, Refusal):
        return slot
    if slot.latest is None:
        return Refusal("no value", f"P{p} of Q{s} is no date")
    if earliest > slot.latest or (slot.earliest is not None and latest < slot.earliest):
        since = "" if slot.earliest is None else f"no sooner than on day {slot.earliest} and "
        return Licence(Reason.BOUNDS, slot.sid, f"P{p} of Q{s} lies {since}no later than on day {slot.latest}")
    return Refusal("overlap", f"P{p} of Q{s} may lie there")


def license_amount(world: World, p: int, s: int, amount: Decimal, unit: int | None = None) -> Licence | Refusal:
    """Whether the number p of s is known to be another one (same unit)."""
    slot = convicting(world, p, s)
    if isinstance(slot, Refusal):
        return slot
    if slot.amount is None or slot.unit != unit:
        return Refusal("no value", f"Q{s} has no number P{p} in that unit")
    if slot.amount != amount:
        return Licence(Reason.BOUNDS, slot.sid, f"P{p} of Q{s} is {slot.amount}")
    return Refusal("overlap", f"P{p} of Q{s} is that number")
