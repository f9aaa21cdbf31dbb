"""Which licensed wrong values to offer for each true value of a functional property: plausible, even, not random.

The values of one type form a circle, and those of one type and country a smaller one; a value's alternatives are the
licensed ones that follow it, its own country's first. Every value is followed by the same number of others, so no hub
dominates, and nothing is drawn at random.
"""

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from halluvault_tasks.reasoning.disjoint_places import different_places, place_of
from halluvault_tasks.reasoning.grounds import Difference, Reason, Refusal
from halluvault_tasks.reasoning.licence import same_kind
from halluvault_tasks.reasoning.licence_facts import LicenceFacts
from halluvault_tasks.reasoning.slots import convicting

_MOST = 255  # for one true value: enough that even a hub's subjects differ, and a bounded search
_TRIES = 8  # looks per wanted alternative before giving up: a circle of relatives must not cost quadratic time


class Alternatives(NamedTuple):
    """Licensed wrong values for every subject whose only value of `p` is `value`."""

    p: int
    value: int
    wrongs: tuple[tuple[int, int], ...]
    """(wrong value, reason code)."""


def subjects_with_one_value(facts: LicenceFacts, p: int) -> dict[int, tuple[int, int]]:
    """Subject → its only value and the statement, where that value can rule out others; ascending."""
    found = {}
    for subject in facts.subjects(p):
        slot = convicting(facts, p, subject)
        if not isinstance(slot, Refusal) and slot.value is not None:
            found[subject] = (slot.value, slot.sid)
    return found


def alternatives(
    facts: LicenceFacts, p: int, per_fact: int, sole: Mapping[int, int] | None = None
) -> Iterator[Alternatives]:
    """The wrong values of one functional property, by ascending true value.

    What `licence.different` asks of two values is asked here of sets of them: a value's ancestors and descendants, what
    is linked to it and who bears a name like its are struck out together, and only places of one country are compared
    one by one. A test holds the two to the same answers.

    Args:
        facts: the snapshot.
        p: an active functional property.
        per_fact: wrong values wanted for one subject.
        sole: subject → its only value, if `subjects_with_one_value` was asked already.
    """
    place = facts.functional[p].place
    if sole is None:
        sole = {subject: value for subject, (value, _) in subjects_with_one_value(facts, p).items()}
    uses = Counter(sole.values())
    named = [item for item in sorted(uses) if _opposable(facts, item)]
    if place:  # what has no place of its own rules out none, and is ruled out by none
        named = [item for item in named if place_of(facts, item).country and not place_of(facts, item).historic]
    circles = _circles(facts, named, place)
    barred = _barred(facts)
    for value in named:
        wanted = min(_MOST, per_fact * uses[value])
        struck = barred[value]
        found: dict[int, int] = {}
        for circle in _around(facts, circles, value, place):
            for other in _following(circle, value, _TRIES * wanted + 64):
                if len(found) >= wanted:
                    break
                if other in struck or other in found:
                    continue
                if reason := _place_reason(facts, value, other) if place else _PLACELESS:
                    found[other] = reason
        if found:
            yield Alternatives(p, value, tuple(found.items()))


_PLACELESS = int(Reason.OTHER_VALUE)


def _place_reason(facts: LicenceFacts, value: int, other: int) -> int:
    verdict = different_places(facts, value, other)
    return int(verdict.reason) if isinstance(verdict, Difference) else 0


def _barred(facts: LicenceFacts) -> Mapping[int, set[int]]:
    """Which values may not be opposed to which: the same, above, below, linked, named alike; worked out once.

    All properties share it, since most values are values of several.
    """
    if facts.barred:
        return facts.barred
    recorded = {value for (p, _), known in facts.known.items() if p in facts.functional for value in known.items}
    values = {value for value in recorded if _opposable(facts, value)}
    bearing: dict[str, list[int]] = {}
    for value in values:
        facts.barred[value] = {value, *facts.links.get(value, ())}
        for mark in facts.tokens[value]:
            bearing.setdefault(mark, []).append(value)
    above = _values_above(facts, values)
    for value in values:
        struck = facts.barred[value]
        uppers = above[value]
        struck |= uppers
        for upper in uppers:
            facts.barred[upper].add(value)
        for mark in facts.tokens[value]:
            struck.update(bearing[mark])
    return facts.barred


def _values_above(facts: LicenceFacts, values: set[int]) -> Mapping[int, set[int]]:
    """Value → the values above it, as `LicenceFacts.above` has them, and the same of what lies between.

    Of a place or class far more lies above than is a value of anything: only values are kept and passed on.
    """
    known: dict[int, set[int]] = {}
    for value in values:
        waiting, entered = [value], {value}
        while value not in known:
            # What lies above comes first: then all but a cycle is a union of what is known.
            fresh = [one for one in facts.up.get(waiting[-1], ()) if one not in known and one not in entered]
            entered.update(fresh)
            waiting += fresh
            if not fresh:
                item = waiting.pop()
                known[item] = values & _reached(facts, item, known)
    return known


def _reached(facts: LicenceFacts, item: int, known: Mapping[int, set[int]]) -> set[int]:
    found: set[int] = set()
    frontier = list(facts.up.get(item, ()))
    while frontier:
        one = frontier.pop()
        if one not in found:
            found.add(one)
            if one in known:
                found |= known[one]
            else:
                frontier += facts.up.get(one, ())
    return found


def _opposable(facts: LicenceFacts, item: int) -> bool:
    """It is named, and no class."""
    return bool(facts.tokens.get(item)) and item not in facts.classes


def _circles(facts: LicenceFacts, items: Iterable[int], place: bool) -> dict[tuple[int, int], list[int]]:
    """(type, country) → values, ascending; country 0 holds all values of the type."""
    circles: dict[tuple[int, int], list[int]] = {}
    for kind, members in same_kind(facts, items).items():
        circles[kind, 0] = members
        for member in members if place else ():
            circles.setdefault((kind, place_of(facts, member).country or -1), []).append(member)
    return circles


def _around(facts: LicenceFacts, circles: dict[tuple[int, int], list[int]], value: int, place: bool) -> list[list[int]]:
    """The circles that a value stands in: its own country's first, and the rarest type first.

    Two medieval towns of one country make a better question than two settlements anywhere.
    """
    keys = [(kind, 0) for kind in facts.types.get(value, ())]
    if place:
        keys += [(kind, place_of(facts, value).country or -1) for kind in facts.types.get(value, ())]
    known = [(key, circles[key]) for key in keys if key in circles and _stands(circles[key], value)]
    return [circle for key, circle in sorted(known, key=lambda one: (one[0][1] == 0, len(one[1]), one[0]))]


def _stands(circle: list[int], value: int) -> bool:
    at = bisect_left(circle, value)
    return at < len(circle) and circle[at] == value


def _following(circle: list[int], value: int, tries: int) -> list[int]:
    start, tries = bisect_left(circle, value) + 1, min(len(circle) - 1, tries)
    return circle[start : start + tries] + circle[: max(0, start + tries - len(circle))]
