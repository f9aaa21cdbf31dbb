"""The one value of a slot, as texts tell it: an item, a year, a whole number."""

from collections import defaultdict

from sqlalchemy import func, select, union
from sqlalchemy.orm import Session

from halluvault_tasks.reasoning.grounds import Refusal
from halluvault_tasks.reasoning.licence.slot import settled
from halluvault_tasks.reasoning.records import Premise
from halluvault_tasks.reasoning.world import World
from halluvault_tasks.storage.tables import deprecated_value, statement
from halluvault_tasks.wikidata.days import civil

_COLUMNS = ("sid", "guid", "s", "p", "o", "kind", "earliest", "latest", "precision", "amount")


def functional(world: World) -> frozenset[int]:
    """Properties of which a subject has one value."""
    return frozenset(world.slots.functional)


def takes_places(world: World, p: int) -> bool:
    """Whether the values of a functional property are places."""
    return world.slots.functional[p].place


def has_one_item(world: World, p: int, s: int) -> bool:
    """Whether a slot of a functional property has one value, of every rank, with a doubt or not."""
    values = world.slots.known.get((p, s))
    return values is not None and values.distinct == 1 and p in world.slots.functional


def has_number(world: World, p: int, s: int) -> bool:
    """Whether a slot holds a number."""
    bounds = world.slots.bounds.get((p, s))
    return bounds is not None and bounds.amount is not None


def has_settled_date(world: World, p: int, s: int) -> bool:
    """Whether (p, s) is a settled slot with one date, so that earlier and later ones are false."""
    slot = settled(world, p, s)
    return not isinstance(slot, Refusal) and slot.earliest is not None and slot.latest is not None


def certain_year(world: World, p: int, s: int) -> int | None:
    """The year of our era in which a settled date lies, whatever its day; None where it is not certain."""
    slot = settled(world, p, s)
    if isinstance(slot, Refusal) or slot.earliest is None or slot.latest is None:
        return None
    # The slot is a day wider at each end than the dates that it is made of.
    first, last = civil(slot.earliest + 1).year, civil(slot.latest - 1).year
    return first if first == last > 0 else None


def both_ways(session: Session, snapshot: str, p: int) -> list[Premise]:
    """Statements functional both ways: one value, and nothing else has it, at any rank and in any month.

    They are between items and hold now and without a doubt, one for each subject, in their order.

    Args:
        session: open session; only read.
        snapshot: exact key.
        p: property.
    """
    ever = [select(table.c.s, table.c.o).where(table.c.p == p) for table in (statement, deprecated_value)]
    values, holders = defaultdict[int, set[int | None]](set), defaultdict[int | None, set[int]](set)
    for s, o in session.execute(union(*ever)):
        values[s].add(o)  # None: an unknown value, which is another one
        holders[o].add(s)
    c = statement.c
    rows = session.execute(
        select(*(c[name] for name in _COLUMNS))
        .where(
            c.snapshot == snapshot,
            c.p == p,
            c.kind == "item",
            ~c.hedged,
            # A value that ended is not what is asked as of the month's date.
            func.coalesce(c.end_earliest, c.end_latest).is_(None),
        )
        .order_by(c.s, c.sid)
    ).all()
    # Two statements with one value are one pair.
    first = {row.s: row for row in reversed(rows) if len(values[row.s]) == len(holders[row.o]) == 1 and row.s != row.o}
    return [Premise(*first[s]) for s in sorted(first)]
