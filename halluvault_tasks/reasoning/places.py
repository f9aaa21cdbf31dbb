"""When two places are positively disjoint (semantics.md §1.3): present containment, chains, levels, countries."""

from halluvault_tasks.reasoning.grounds import Difference, Place, Reason, Refusal
from halluvault_tasks.reasoning.licence_facts import LicenceFacts

COUNTRY_TYPES = frozenset({6_256, 3_624_078})
"""Country, sovereign state."""


def _is_country(facts: LicenceFacts, item: int) -> bool:
    return bool(facts.types.get(item, frozenset()) & COUNTRY_TYPES) or item in facts.countries.get(item, ())


def place_of(facts: LicenceFacts, item: int) -> Place:
    """The chain of present containers of a place; worked out once."""
    if item not in facts.places:
        facts.places[item] = chain_of(facts, item)
    return facts.places[item]


def chain_of(facts: LicenceFacts, item: int) -> Place:
    """The chain of present containers of a place, up to one country; `gap` says what it lacks."""
    reached = {item}
    frontier = [item]
    tops: set[int] = set()
    countries: set[int] = set()
    historic, whole = False, True
    while frontier:
        one = frontier.pop()
        historic |= facts.historic(one)
        countries |= set(facts.countries.get(one, ()))
        above = facts.inside.get(one, {})
        if not above and not _is_country(facts, one):
            if one in facts.located:
                return Place(0, gap=f"Q{one} has no present container")
            if one == item:
                return Place(0, gap=f"Q{one} has no container (P131)")
            if len(facts.countries.get(one, ())) != 1:
                return Place(0, gap=f"the chain ends at Q{one}, in no country or in several")
            tops |= set(facts.countries[one])
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
    historic |= facts.historic(top)
    return Place(top, frozenset((reached | {top}) - {item}), historic, whole)


def levels(facts: LicenceFacts, place: Place) -> dict[int, int]:
    """Type → the one container of that type; a type whose members contain each other is no level."""
    found: dict[int, list[int]] = {}
    for container in sorted(place.chain):
        for kind in facts.types.get(container, frozenset()) - facts.nested_types():
            found.setdefault(kind, []).append(container)
    return {kind: containers[0] for kind, containers in found.items() if len(containers) == 1}


def different_places(facts: LicenceFacts, left: int, right: int) -> Difference | Refusal:
    """Whether two places are positively disjoint: whole chains that differ at a level, or in present country."""
    one, other = place_of(facts, left), place_of(facts, right)
    for place in (one, other):
        if not place.country:
            return Refusal("no chain", place.gap)
    if one.historic or other.historic:
        return Refusal("historic", f"a historic unit contains Q{left} or Q{right}")
    if not facts.related(one.country, other.country):
        return Difference(Reason.PLACE_COUNTRY, one.country, other.country)
    if not (one.whole and other.whole):
        # A step that is not recorded may lead from one of them into the other.
        return Refusal("no chain", f"Q{left} or Q{right} has no whole chain, and they lie in one country")
    mine, theirs = levels(facts, one), levels(facts, other)
    for level in sorted(mine.keys() & theirs.keys()):
        a, b = mine[level], theirs[level]
        if not facts.related(a, b) and not {a, b} & {left, right}:
            return Difference(Reason.PLACE_LEVEL, a, b, level)
    return Refusal("no level", f"Q{left} and Q{right} differ at no shared level")
