"""Which licensed wrong values to offer for each true value of a functional property: plausible, even, no chance.

The values of one type stand in a circle, and those of one type and country in a smaller one; a value's alternatives are
the licensed ones that follow it, its own country's first. Every value follows the same number of others, so no hub
dominates, and nothing is drawn at random.
"""

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from halluvault_tasks.reasoning.grounds import Difference, Refusal
from halluvault_tasks.reasoning.licence import different, same_kind
from halluvault_tasks.reasoning.licence_facts import LicenceFacts
from halluvault_tasks.reasoning.places import place_of
from halluvault_tasks.reasoning.slots import convicting

_MOST = 255  # for one true value: enough that even a hub's subjects differ, and a bounded search
_TRIES = 8  # looks per wanted alternative before giving up: a circle of relatives must not cost quadratic time


class Alternatives(NamedTuple):
    """Licensed wrong values for every subject whose only value of `p` is `value`."""

    p: int
    value: int
    wrongs: tuple[tuple[int, int], ...]
    """(wrong value, reason code)."""


def subjects_with_one_value(facts: LicenceFacts, p: int) -> dict[int, int]:
    """Subject → its only value, where that value can rule out others."""
    found = {}
    for subject in facts.subjects(p):
        slot = convicting(facts, p, subject)
        if not isinstance(slot, Refusal) and slot.value is not None:
            found[subject] = slot.value
    return found


def alternatives(
    facts: LicenceFacts, p: int, per_fact: int, sole: Mapping[int, int] | None = None
) -> Iterator[Alternatives]:
    """The wrong values of one functional property, by ascending true value.

    Args:
        facts: the snapshot.
        p: an active functional property.
        per_fact: wrong values wanted for one subject.
        sole: what `subjects_with_one_value` found, if it was asked already.
    """
    place = facts.functional[p].place
    uses = Counter((subjects_with_one_value(facts, p) if sole is None else sole).values())
    circles = _circles(facts, (item for item in uses if item in facts.tokens), place)
    for value in sorted(uses):
        wanted = min(_MOST, per_fact * uses[value])
        found: dict[int, int] = {}
        for circle in _around(facts, circles, value, place):
            for other in _following(circle, value, _TRIES * wanted + 64):
                if len(found) >= wanted:
                    break
                if other not in found:
                    verdict = different(facts, value, other, place)
                    if isinstance(verdict, Difference):
                        found[other] = int(verdict.reason)
        if found:
            yield Alternatives(p, value, tuple(found.items()))


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


def _following(circle: list[int], value: int, tries: int) -> Iterator[int]:
    start = bisect_left(circle, value)
    for step in range(1, min(len(circle), tries + 1)):
        yield circle[(start + step) % len(circle)]
