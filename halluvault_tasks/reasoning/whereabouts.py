"""Where a place lies, as texts tell it."""

from halluvault_tasks.reasoning.licence_facts import LicenceFacts


def countries(known: LicenceFacts, place: int) -> list[int]:
    """The present countries of a settlement or unit that one country places, ascending; none of any other place."""
    return sorted(known.countries.get(place, ())) if place in known.settled else []


def every_country(known: LicenceFacts) -> frozenset[int]:
    """All that some place is said to lie in."""
    return frozenset(country for stated in known.countries.values() for country in stated)


def share_country(known: LicenceFacts, place: int, other: int) -> bool:
    """Whether two places are said to lie in one country."""
    return bool(set(known.countries.get(place, ())) & set(known.countries.get(other, ())))


def containers(known: LicenceFacts, place: int) -> frozenset[int]:
    """What a place lies in by P131, step by step."""
    above: set[int] = set()
    frontier = [place]
    while frontier:
        fresh = set(known.inside.get(frontier.pop(), ())) - above
        above |= fresh
        frontier += fresh
    return frozenset(above - {place})
