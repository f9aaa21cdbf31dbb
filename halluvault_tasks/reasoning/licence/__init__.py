"""When a statement is known to be false: the one function behind every "No" (semantics.md §1.2-1.4).

Wikidata is an open world, so absence shows nothing. `license_no` says that p(s, o) is false only because something
else is stated that rules it out, and says what. Derivation, oracles and audit all ask here; the Prolog side only joins
what was licensed here (`alternatives`) with the subjects it was licensed for.
"""

from decimal import Decimal

from halluvault_tasks.reasoning.grounds import Licence, Reason, Refusal
from halluvault_tasks.reasoning.licence.checked import license_checked
from halluvault_tasks.reasoning.licence.difference import different
from halluvault_tasks.reasoning.licence.listed import license_listed
from halluvault_tasks.reasoning.licence.one_way import license_converse
from halluvault_tasks.reasoning.licence.slot import convicting
from halluvault_tasks.reasoning.world import World


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
    if (converse := license_converse(world, p, s, o)) is not None:
        return converse
    if (finding := world.findings.checked.get((p, s, o))) and (finding.since or p not in world.findings.time_bound):
        return license_checked(world, p, s, o)
    if (p, s) in world.lists.of:
        return license_listed(world, p, s, o)
    return _license_other(world, p, s, o)


def _license_other(world: World, p: int, s: int, o: int) -> Licence | Refusal:
    """By the one value that s has for p, if it has one."""
    slot = convicting(world, p, s)
    if isinstance(slot, Refusal):
        return slot
    if slot.value is None:
        return Refusal("no value", f"P{p} of Q{s} is no item")
    functional = world.slots.functional[p]
    difference = different(world, slot.value, o, functional.place, functional.distinct)
    if isinstance(difference, Refusal):
        return difference
    why = f"P{p} of Q{s} is Q{slot.value} and only that"
    if difference.left:
        level = f" (both Q{difference.level})" if difference.level else " (countries)"
        why += f"; Q{slot.value} lies in Q{difference.left}, Q{o} in Q{difference.right}{level}"
    return Licence(difference.reason, slot.sid, why, difference)


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
    difference = different(world, stated, o, place=False)
    if isinstance(difference, Refusal):
        return difference
    return Licence(difference.reason, 0, f"P{p} of Q{s} is Q{stated} alone, who is called by that")


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
