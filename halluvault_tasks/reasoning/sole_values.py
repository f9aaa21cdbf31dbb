"""The one value of a slot, as texts tell it: an item, a year, a whole number."""

from halluvault_tasks.reasoning.grounds import Refusal
from halluvault_tasks.reasoning.licence_facts import LicenceFacts
from halluvault_tasks.reasoning.slots import settled
from halluvault_tasks.wikidata.days import civil


def functional(known: LicenceFacts) -> frozenset[int]:
    """Properties of which a subject has one value."""
    return frozenset(known.functional)


def takes_places(known: LicenceFacts, p: int) -> bool:
    """Whether the values of a functional property are places."""
    return known.functional[p].place


def has_one_item(known: LicenceFacts, p: int, s: int) -> bool:
    """Whether a slot of a functional property has one value, of every rank, with a doubt or not."""
    values = known.known.get((p, s))
    return values is not None and values.distinct == 1 and p in known.functional


def has_number(known: LicenceFacts, p: int, s: int) -> bool:
    """Whether a slot holds a number."""
    bounds = known.bounds.get((p, s))
    return bounds is not None and bounds.amount is not None


def certain_year(known: LicenceFacts, p: int, s: int) -> int | None:
    """The year of our era in which a settled date lies, whatever its day; None where it is not certain."""
    slot = settled(known, p, s)
    if isinstance(slot, Refusal) or slot.earliest is None or slot.latest is None:
        return None
    # The slot is a day wider at each end than the dates that it is made of.
    first, last = civil(slot.earliest + 1).year, civil(slot.latest - 1).year
    return first if first == last > 0 else None
