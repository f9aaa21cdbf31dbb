"""Whether a claim about a slot may convict, and outside what bounds: one licence both ways (semantics.md §1.8).

A slot is a subject and a property. A question whose "No" or whose order needs the slot to have one value is asked only
if this module says what a wrong claim about it would be; `licence` denies dates and numbers by the same answer.
"""

from collections.abc import Mapping
from decimal import Decimal
from typing import NamedTuple

from halluvault_tasks.reasoning.grounds import Refusal
from halluvault_tasks.reasoning.world import World
from halluvault_tasks.reasoning.world.slots import Bounds
from halluvault_tasks.wikidata import properties as wd
from halluvault_tasks.wikidata.calendars import widened_days
from halluvault_tasks.wikidata.days import civil, day_number

_NOTHING: frozenset[int] = frozenset()


class Slot(NamedTuple):
    """What is known of a slot that has one value; of its value, its span of days and its number, one is set."""

    p: int
    s: int
    sid: int
    """A statement that shows it."""

    value: int | None = None
    """The one item. Which others are ruled out, `licence.license_no` says."""

    earliest: int | None = None
    """A date that ends before this day is false; None: none is too early."""

    latest: int | None = None
    """A date that begins after this day is false; of several stated dates none does."""

    amount: Decimal | None = None
    unit: int | None = None


def convicting(world: World, p: int, s: int) -> Slot | Refusal:
    """Whether a claim about (s, p) may be found false, and by what.

    Args:
        world: the snapshot.
        p: property number.
        s: subject's item number.

    Returns:
        The slot with its value, or why no claim about it convicts. A true statement in it may still be asked about
        where nothing depends on its being the only one.
    """
    if p not in world.slots.functional:
        return Refusal("not functional", f"P{p} is not known to be functional")
    exact = has_one(world, p, s)
    if not exact and not world.slots.functional[p].no_later_than:
        return Refusal("class", f"Q{s} is of no class whose members are known to have one P{p}")
    bounds = world.slots.bounds.get((p, s))
    if bounds is None:
        return _item(world, p, s)
    if bounds.hedged or bounds.distinct != max(1, len(bounds.spans)):
        return Refusal("several values", f"Q{s} has {bounds.distinct} values of P{p}, or a hedged one")
    if bounds.amount is not None:
        return Slot(p, s, bounds.sid, amount=bounds.amount, unit=bounds.unit)
    return _dated(world, p, s, bounds, exact)


def has_one(world: World, p: int, s: int) -> bool:
    """Whether s has one value of the functional property p: by its class, or by its description."""
    functional, seconded = world.slots.functional[p], (p, s) in world.slots.seconded
    if functional.described and seconded:
        return True
    if functional.credited and not seconded:
        return False
    if functional.subjects and s not in functional.subjects:
        return False
    types = world.containment.types.get(s, _NOTHING)
    fits = functional.classes is None or not functional.classes.isdisjoint(types)
    return fits and functional.never.isdisjoint(types)


def settled(world: World, p: int, s: int) -> Slot | Refusal:
    """The slot of a date on which a question may rest: one that may convict, and on which sources agree.

    A founding year is said of the firm, of what it grew from and of what it was renamed; where a second property dates
    a beginning in `../shared/data/wikidata-real`, it gives another year in 17 to 40 of 100 cases (docs/questions.md).
    """
    slot = convicting(world, p, s)
    if (p, s) in world.slots.disputed:
        return Refusal("disputed", f"the description of Q{s} gives another year for P{p}")
    if not isinstance(slot, Refusal) and world.slots.functional[p].seconded_by and (p, s) not in world.slots.seconded:
        return Refusal("disputed", f"no second statement gives the year of P{p} of Q{s}")
    return slot


def _item(world: World, p: int, s: int) -> Slot | Refusal:
    known = world.slots.known.get((p, s))
    if known is None:
        return Refusal("no value", f"nothing is known of Q{s} and P{p}")
    if known.distinct != 1 or len(known.items) != 1:
        return Refusal("several values", f"Q{s} has {known.distinct} values of P{p}, or none that grounds an answer")
    ((value, sid),) = known.items.items()
    if sid in known.young or (p, s) in world.slots.young_events:
        return Refusal("young", f"P{p} of Q{s} is not shown to be older than the recording lag")
    if p in wd.PARENTS and impossible_parent(world, p, s, value):
        return Refusal("contradicted", f"by what is recorded, Q{value} cannot be a parent of Q{s}")
    return Slot(p, s, sid, value=value)


_OTHER_SEX: Mapping[int, int] = {wd.FATHER: 6_581_072, wd.MOTHER: 6_581_097}
"""Of a parent, the sex that it is not: female, male."""

_LEAST_AGE = 10 * 365  # days, of a parent: younger than any that is known


def impossible_parent(world: World, p: int, child: int, parent: int) -> bool:
    """Whether somebody cannot be a father (p 22) or mother (p 25), or an ancestor known as one, by what else is stated.

    It is the child itself, or its child, or born too late, or a father who is stated to be female, a mother to be male.
    """
    slots = world.slots
    if parent == child or any(child in slots.stated(kind, parent) for kind in wd.PARENTS):
        return True
    born, child_born = ([*slots.starts(wd.BIRTH, who), *slots.ends(wd.BIRTH, who)] for who in (parent, child))
    late = bool(born and child_born) and min(born) + _LEAST_AGE > max(child_born)
    return late or _OTHER_SEX[p] in slots.sexes.get(parent, ())


def _contradicted(world: World, p: int, s: int) -> bool:
    """Whether what a date is an end of is over before it began."""
    for start, end in wd.ENDS.items():
        if p in (start, end):
            starts, ends = world.slots.starts(start, s), world.slots.ends(end, s)
            return bool(starts and ends) and min(starts) > max(ends)
    return False


def _dated(world: World, p: int, s: int, bounds: Bounds, exact: bool) -> Slot | Refusal:
    slots = world.slots
    starts, ends = slots.starts(p, s), slots.ends(p, s)
    if not len(starts) == len(ends) == len(bounds.spans) > 0:
        return Refusal("no value", f"Q{s} has no bounded date P{p}")
    if max(ends) > slots.recorded:
        return Refusal("young", f"P{p} of Q{s} is not shown to be older than the recording lag")
    described = slots.functional[p].described and (p, s) in slots.seconded
    if exact and not described and slots.functional[p].classes is not None and s in slots.renewed:
        return Refusal("renewed", f"Q{s} follows or replaces another, or is replaced: P{p} of which of them?")
    if _contradicted(world, p, s):
        return Refusal("contradicted", f"by what is recorded, Q{s} ended before it began")
    # Several dates make one span; a day more at every end, since a date depends on a place's time zone.
    wide = [widened_days(*span) for span in zip(starts, ends, strict=True)]
    first, last = min(span.earliest for span in wide), max(span.latest for span in wide)
    if described:  # the year is certain; a day may be that of one country
        first = day_number(civil(first).year, 1, 1)
    return Slot(p, s, bounds.sid, earliest=first - 1 if exact else None, latest=last + 1)
