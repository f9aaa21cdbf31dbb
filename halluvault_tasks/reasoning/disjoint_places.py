"""When two places are positively disjoint (semantics.md §1.3): present containment, chains, levels, countries.

A country alone (P17) places a settlement or an administrative unit that is in one country only, and shows only that a
place in another country is a different one. It places no lake, mountain, event or organisation.
"""

from collections.abc import Mapping

from halluvault_tasks.reasoning.grounds import Difference, Place, Reason, Refusal
from halluvault_tasks.reasoning.licence_facts import COUNTRY_TYPES, LicenceFacts


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
    historic, gap = False, ""
    while frontier:
        one = frontier.pop()
        historic |= facts.historic(one)
        countries |= set(facts.countries.get(one, ()))
        above = facts.inside.get(one, {})
        if not above and _is_country(facts, one):
            tops.add(one)
        elif not above and one != item and _sole_country(facts, one):
            tops.add(_sole_country(facts, one))
            gap = gap or f"the chain ends at Q{one}"
        elif not above:
            gap = f"the chain ends at Q{one}, in no country or in several"
            return _by_country(facts, item, countries, historic, gap)
        frontier += [upper for upper in above if upper not in reached]
        reached |= set(above)
    if len(tops) != 1:
        return Place(0, gap=f"Q{item}'s chain ends at {len(tops)} countries")
    (top,) = tops
    if countries - {top} - reached:
        return Place(0, gap=f"Q{item}'s chain is assigned to several countries")
    historic |= facts.historic(top)
    return Place(top, frozenset((reached | {top}) - {item}), historic, whole=not gap)


def _sole_country(facts: LicenceFacts, item: int) -> int:
    """The country that alone places a settlement or a unit (P17); 0 if none does."""
    found = facts.countries.get(item, {})
    if item not in facts.settled or len(found) != 1:
        return 0
    (country,) = found
    return country if _is_country(facts, country) else 0


def _by_country(facts: LicenceFacts, item: int, countries: set[int], historic: bool, gap: str) -> Place:
    """A place whose chain of containment is broken, by its country alone, where that is all that is said of it."""
    country = _sole_country(facts, item)
    if not country or countries - {country}:
        return Place(0, gap=gap)
    return Place(country, frozenset({country}), historic or facts.historic(country), whole=False)


def levels(facts: LicenceFacts, place: Place) -> dict[int, int]:
    """Type → the one container of that type; a type whose members contain each other is no level."""
    found: dict[int, list[int]] = {}
    for container in sorted(place.chain):
        for kind in facts.types.get(container, frozenset()) - facts.nested_types():
            found.setdefault(kind, []).append(container)
    return {kind: containers[0] for kind, containers in found.items() if len(containers) == 1}


def levels_of(facts: LicenceFacts, item: int) -> Mapping[int, int]:
    """`levels` of a place; worked out once."""
    if item not in facts.levels:
        facts.levels[item] = levels(facts, place_of(facts, item))
    return facts.levels[item]


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
    mine, theirs = levels_of(facts, left), levels_of(facts, right)
    for level in sorted(mine.keys() & theirs.keys()):
        a, b = mine[level], theirs[level]
        if not facts.related(a, b) and not {a, b} & {left, right}:
            return Difference(Reason.PLACE_LEVEL, a, b, level)
    return Refusal("no level", f"Q{left} and Q{right} differ at no shared level")
