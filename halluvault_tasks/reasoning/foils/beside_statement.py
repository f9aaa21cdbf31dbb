"""Foils beside a statement alone, for texts: another item, year or number in its slot, or another country of its place.

No second fact is exchanged with the first: any value may be tried, and the one value that the slot has decides.
"""

from decimal import Decimal
from typing import NamedTuple

from halluvault_tasks.reasoning.grounds import Licence, Refusal
from halluvault_tasks.reasoning.licence import license_amount, license_date, license_no
from halluvault_tasks.reasoning.licence.difference import different
from halluvault_tasks.reasoning.world import World
from halluvault_tasks.wikidata import properties as wd
from halluvault_tasks.wikidata.days import day_number
from halluvault_tasks.wikidata.relation import Relation

_APART = 2
"""Years of which one is surely not right if the other is: a work is shown before it is released."""


class StatementFoil(NamedTuple):
    """A false fact beside a statement; of `o` and `value` one is set."""

    relation: Relation
    s: int
    o: int | None
    """The item that s does not have."""

    value: int | None
    """Or the number."""

    how: str
    """The way in which it was drawn."""

    licence: Licence
    """What shows that it is false."""

    @property
    def end(self) -> int:
        """The item or number that s does not have."""
        return self.o if self.o is not None else self.value or 0

    @property
    def evidence(self) -> tuple[int, ...]:
        """Statement ids."""
        return (self.licence.sid,) if self.licence.sid else ()

    @property
    def why(self) -> str:
        """What shows it, in words."""
        return self.licence.why


def item(world: World, p: int, s: int, other: int) -> StatementFoil | Refusal:
    """Another item as the value of a slot."""
    licence = license_no(world, p, s, other)
    return (
        licence
        if isinstance(licence, Refusal)
        else StatementFoil(Relation.of(p), s, other, None, "another item", licence)
    )


def year(world: World, p: int, s: int, stated: int, other: int) -> StatementFoil | Refusal:
    """Another year than the one that is stated, of which none might be right of a first showing."""
    if abs(stated - other) < _APART:
        return Refusal("overlap", f"P{p} of Q{s} may lie in {other}")
    licence = license_date(world, p, s, day_number(other, 1, 1), day_number(other, 12, 31))
    return (
        licence
        if isinstance(licence, Refusal)
        else StatementFoil(Relation.of(p), s, None, other, "another year", licence)
    )


def number(world: World, p: int, s: int, other: int) -> StatementFoil | Refusal:
    """Another whole number."""
    licence = license_amount(world, p, s, Decimal(other))
    return (
        licence
        if isinstance(licence, Refusal)
        else StatementFoil(Relation.of(p), s, None, other, "another number", licence)
    )


def country(world: World, place: int, within: int, other: int) -> StatementFoil | Refusal:
    """Another country than the one within which a place lies (`whereabouts.countries`)."""
    difference = different(world, within, other, place=False)
    if isinstance(difference, Refusal):
        return difference
    why = f"Q{place} lies in Q{within} alone, and Q{other} is another country"
    licence = Licence(difference.reason, world.containment.countries[place][within], why)
    return StatementFoil(Relation.of(wd.COUNTRY), place, other, None, "another country", licence)
