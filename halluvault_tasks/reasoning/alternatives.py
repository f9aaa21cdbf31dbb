"""Which licensed wrong values to offer for each true value of a functional property: plausible, even, no chance.

All same-type values stand in a circle, ordered by country; a value's alternatives are the licensed ones that follow
it. Neighbours in the circle are of one country, so the plausible come first; every value is followed by the same
number of others, so no hub dominates; and nothing is drawn at random.
"""

from collections import Counter
from collections.abc import Iterator
from typing import NamedTuple

from halluvault_tasks.reasoning.licence import Difference, Refusal, World, different, same_kind, sole_value

_MOST = 255  # for one true value: enough that even a hub's subjects differ, and a bounded search
_TRIES = 8  # looks per wanted alternative before giving up: a circle of relatives must not cost quadratic time


class Alternatives(NamedTuple):
    """Licensed wrong values for every subject whose only value of `p` is `value`."""

    p: int
    value: int
    wrongs: tuple[tuple[int, int], ...]
    """(wrong value, reason code)."""


def subjects_with_one_value(world: World, p: int) -> dict[int, int]:
    """Subject → its only value, where that value can rule out others."""
    found = {}
    for property_, subject in world.known:
        if property_ == p:
            sole = sole_value(world, p, subject)
            if not isinstance(sole, Refusal):
                found[subject] = sole[0]
    return found


def alternatives(world: World, p: int, per_fact: int) -> Iterator[Alternatives]:
    """The wrong values of one functional property, by ascending true value.

    Args:
        world: the snapshot.
        p: an active functional property.
        per_fact: wrong values wanted for one subject.
    """
    place = world.functional[p].place
    uses = Counter(subjects_with_one_value(world, p).values())
    groups = same_kind(world, (item for item in uses if item in world.tokens))
    for kind, items in groups.items():
        groups[kind] = sorted(items, key=lambda item: (world.place(item).country if place else 0, item))
    position = {kind: {item: at for at, item in enumerate(items)} for kind, items in groups.items()}
    for value in sorted(uses):
        wanted = min(_MOST, per_fact * uses[value])
        found: dict[int, int] = {}
        # The rarest type first: two medieval towns make a better question than two settlements.
        kinds = sorted(world.types.get(value, ()), key=lambda kind: (len(groups.get(kind, ())), kind))
        for kind in kinds:
            items = groups.get(kind, [])
            if value not in position.get(kind, {}):
                continue
            start = position[kind][value]
            for step in range(1, min(len(items), _TRIES * wanted + 64)):
                other = items[(start + step) % len(items)]
                if len(found) >= wanted:
                    break
                if other not in found:
                    verdict = different(world, value, other, place)
                    if isinstance(verdict, Difference):
                        found[other] = int(verdict.reason)
        if found:
            yield Alternatives(p, value, tuple(found.items()))
