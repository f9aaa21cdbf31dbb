"""When two places are positively disjoint (semantics.md §1.3): present containment, chains, levels, countries."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

from halluvault_tasks.reasoning.grounds import Difference, Reason, Refusal

if TYPE_CHECKING:
    from halluvault_tasks.reasoning.licence import World

COUNTRY_TYPES = frozenset({6_256, 3_624_078})
"""Country, sovereign state."""

HISTORIC_TYPES = frozenset({3_024_240, 19_953_632, 28_171_280, 1_620_908})
"""Historical country, former administrative entity, ancient civilisation, historical region."""


@dataclass(frozen=True)
class Place:
    """The present containers of a place, up to its country."""

    country: int
    """0: the chain is not complete; `gap` says why."""

    chain: frozenset[int] = frozenset()
    """Every container strictly above the place, country included."""

    historic: bool = False
    whole: bool = True
    """Every step up to the country is a P131; False where the last known container only has a country (P17)."""

    gap: str = ""


def _is_country(world: "World", item: int) -> bool:
    return bool(world.types.get(item, frozenset()) & COUNTRY_TYPES) or item in world.countries.get(item, ())


def chain_of(world: "World", item: int) -> Place:
    """The chain of present containers of a place, up to one country; `gap` says what it lacks."""
    reached = {item}
    frontier = [item]
    tops: set[int] = set()
    countries: set[int] = set()
    historic, whole = False, True
    while frontier:
        one = frontier.pop()
        historic |= world.historic(one)
        countries |= set(world.countries.get(one, ()))
        above = world.inside.get(one, {})
        if not above and not _is_country(world, one):
            if one in world.located:
                return Place(0, gap=f"Q{one} has no present container")
            if one == item:
                return Place(0, gap=f"Q{one} has no container (P131)")
            if len(world.countries.get(one, ())) != 1:
                return Place(0, gap=f"the chain ends at Q{one}, in no country or in several")
            tops |= set(world.countries[one])
            whole = False
        elif not above:
            tops.add(one)
        frontier += [upper for upper in above if upper not in reached]
        reached |= set(above)
    if len(tops) != 1:
        return Place(0, gap=f"Q{item}'s chain ends at {len(tops)} countries")
    (top,) = tops
    if countries - {top} - reached:
        return Place(0, gap=f"Q{item}'s chain is assigned to several countries")
    historic |= world.historic(top)
    return Place(top, frozenset((reached | {top}) - {item}), historic, whole)


def levels(world: "World", place: Place) -> dict[int, int]:
    """Type → the one container of that type; a type whose members contain each other is no level."""
    found: dict[int, list[int]] = {}
    for container in sorted(place.chain):
        for kind in world.types.get(container, frozenset()) - world.nested_types():
            found.setdefault(kind, []).append(container)
    return {kind: containers[0] for kind, containers in found.items() if len(containers) == 1}


def different_places(world: "World", left: int, right: int) -> Difference | Refusal:
    """Whether two places are positively disjoint: whole chains that differ at a level, or in present country."""
    one, other = world.place(left), world.place(right)
    for place in (one, other):
        if not place.country:
            return Refusal("no chain", place.gap)
    if one.historic or other.historic:
        return Refusal("historic", f"a historic unit contains Q{left} or Q{right}")
    if not world.related(one.country, other.country):
        return Difference(Reason.PLACE_COUNTRY, one.country, other.country)
    if not (one.whole and other.whole):
        # A step that is not recorded may lead from one of them into the other.
        return Refusal("no chain", f"Q{left} or Q{right} has no whole chain, and they lie in one country")
    mine, theirs = levels(world, one), levels(world, other)
    for level in sorted(mine.keys() & theirs.keys()):
        a, b = mine[level], theirs[level]
        if not world.related(a, b) and not {a, b} & {left, right}:
            return Difference(Reason.PLACE_LEVEL, a, b, level)
    return Refusal("no level", f"Q{left} and Q{right} differ at no shared level")
