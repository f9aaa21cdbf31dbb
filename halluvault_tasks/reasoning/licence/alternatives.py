"""Which licensed wrong values to offer for each true value of a functional property: plausible, even, not random.

The values of one type form a circle, and those of one type and country a smaller one; a value's alternatives are the
licensed ones that follow it, its own country's first. Every value is followed by the same number of others, so no hub
dominates, and nothing is drawn at random.
"""

from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property
from typing import NamedTuple

from halluvault_tasks.reasoning.grounds import Difference, Reason, Refusal
from halluvault_tasks.reasoning.licence.difference import different_places
from halluvault_tasks.reasoning.licence.slot import convicting
from halluvault_tasks.reasoning.world import World

_MOST = 255  # for one true value: enough that even a hub's subjects differ, and a bounded search
_TRIES = 8  # looks per wanted alternative before giving up: a circle of relatives must not cost quadratic time
_PLACELESS = int(Reason.OTHER_VALUE)


class Alternatives(NamedTuple):
    """Licensed wrong values for every subject whose only value of `p` is `value`."""

    p: int
    value: int
    wrongs: tuple[tuple[int, int], ...]
    """(wrong value, reason code)."""


def subjects_with_one_value(world: World, p: int) -> dict[int, tuple[int, int]]:
    """Subject → its only value and the statement, where that value can rule out others; ascending."""
    sole = {}
    for subject in world.slots.subjects(p):
        slot = convicting(world, p, subject)
        if not isinstance(slot, Refusal) and slot.value is not None:
            sole[subject] = (slot.value, slot.sid)
    return sole


class Opposition:
    """Which values may be opposed to which.

    What `difference.different` asks of two values is asked here of sets of them: a value's ancestors and descendants,
    what is linked to it and who bears a name like its are struck out together, and only places of one country are
    compared one by one. A test holds the two to the same answers.

    Args:
        world: the snapshot.
    """

    def __init__(self, world: World) -> None:
        self._world, self._containment, self._marks = world, world.containment, world.naming.marks

    def alternatives(self, p: int, per_fact: int, sole: Mapping[int, int] | None = None) -> Iterator[Alternatives]:
        """The wrong values of one functional property, by ascending true value.

        Args:
            p: an active functional property.
            per_fact: wrong values wanted for one subject.
            sole: subject → its only value, if `subjects_with_one_value` was asked already.
        """
        place = self._world.slots.functional[p].place
        if sole is None:
            sole = {subject: value for subject, (value, _) in subjects_with_one_value(self._world, p).items()}
        uses = Counter(sole.values())
        named = [item for item in sorted(uses) if self._opposable(item)]
        if place:
            named = [item for item in named if self._is_placed(item)]
        circles = self._circles(named, place)
        for value in named:
            wrongs = self._wrongs(value, self._around(circles, value, place), min(_MOST, per_fact * uses[value]), place)
            if wrongs:
                yield Alternatives(p, value, tuple(wrongs.items()))

    def _wrongs(self, value: int, circles: Iterable[list[int]], wanted: int, place: bool) -> dict[int, int]:
        """Wrong value → reason code, as many as are wanted, out of circles in their order."""
        struck, wrongs = self._struck[value], dict[int, int]()
        for circle in circles:
            for other in _following(circle, value, _TRIES * wanted + 64):
                if len(wrongs) >= wanted:
                    return wrongs
                if other in struck or other in wrongs:
                    continue
                if reason := self._place_reason(value, other) if place else _PLACELESS:
                    wrongs[other] = reason
        return wrongs

    @cached_property
    def _struck(self) -> Mapping[int, set[int]]:
        """Which values may not be opposed to which: the same, above, below, linked, named alike.

        All properties share it, since most values are values of several.
        """
        values = self._values()
        struck = {value: {value, *self._containment.links.get(value, ())} for value in values}
        bearing: dict[str, list[int]] = defaultdict(list)
        for value in values:
            for mark in self._marks[value]:
                bearing[mark].append(value)
        above = self._values_above(values)
        for value in values:
            struck[value] |= above[value]
            for upper in above[value]:
                struck[upper].add(value)
            for mark in self._marks[value]:
                struck[value].update(bearing[mark])
        return struck

    def _values(self) -> set[int]:
        """What functional properties have for values, as far as it may be opposed to anything."""
        slots = self._world.slots
        recorded = {value for (p, _), known in slots.known.items() if p in slots.functional for value in known.items}
        return {value for value in recorded if self._opposable(value)}

    def _values_above(self, values: set[int]) -> Mapping[int, set[int]]:
        """Value → the values above it, as `Containment.above` has them, and the same of what lies between.

        Of a place or class far more lies above than is a value of anything: only values are kept and passed on.
        """
        up = self._containment.up
        known: dict[int, set[int]] = {}
        for value in values:
            waiting, entered = [value], {value}
            while value not in known:
                # What lies above comes first: then all but a cycle is a union of what is known.
                fresh = [upper for upper in up.get(waiting[-1], ()) if upper not in known and upper not in entered]
                entered.update(fresh)
                waiting += fresh
                if not fresh:
                    item = waiting.pop()
                    known[item] = values & self._reached(item, known)
        return known

    def _reached(self, item: int, known: Mapping[int, set[int]]) -> set[int]:
        up = self._containment.up
        reached: set[int] = set()
        frontier = list(up.get(item, ()))
        while frontier:
            upper = frontier.pop()
            if upper not in reached:
                reached.add(upper)
                if upper in known:
                    reached |= known[upper]
                else:
                    frontier += up.get(upper, ())
        return reached

    def _opposable(self, item: int) -> bool:
        """It is named, and no class."""
        return bool(self._marks.get(item)) and item not in self._containment.classes

    def _is_placed(self, item: int) -> bool:
        """What has no place of its own rules out none, and is ruled out by none."""
        place = self._containment.place_of(item)
        return bool(place.country) and not place.historic

    def _place_reason(self, value: int, other: int) -> int:
        verdict = different_places(self._world, value, other)
        return int(verdict.reason) if isinstance(verdict, Difference) else 0

    def _circles(self, items: Iterable[int], place: bool) -> dict[tuple[int, int], list[int]]:
        """(type, country) → values, ascending; country 0 holds all values of the type."""
        circles: dict[tuple[int, int], list[int]] = defaultdict(list)
        for item in items:
            for key in self._keys(item, place):
                circles[key].append(item)
        return circles

    def _keys(self, item: int, place: bool) -> list[tuple[int, int]]:
        """The circles that a value stands in."""
        countries = (0, self._containment.place_of(item).country or -1) if place else (0,)
        return [(kind, country) for kind in self._containment.types.get(item, ()) for country in countries]

    def _around(self, circles: dict[tuple[int, int], list[int]], value: int, place: bool) -> list[list[int]]:
        """The circles that a value stands in: its own country's first, and the rarest type first.

        Two medieval towns of one country make a better question than two settlements anywhere.
        """
        keys = sorted(self._keys(value, place), key=lambda key: (key[1] == 0, len(circles[key]), key))
        return [circles[key] for key in keys]


def _following(circle: list[int], value: int, tries: int) -> list[int]:
    start, tries = bisect_left(circle, value) + 1, min(len(circle) - 1, tries)
    return circle[start : start + tries] + circle[: max(0, start + tries - len(circle))]
