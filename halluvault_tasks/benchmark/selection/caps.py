"""How often a benchmark asks about one entity and one property of it, and that it asks about no pair twice."""

from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

from halluvault_tasks.benchmark.cases.candidate import Candidate


class Caps(NamedTuple):
    """Most groups one entity may be in; of those asked both ways round it is in one at most.

    Attributes:
        subject: as the subject.
        object: as anything else.
        fact: about one property of one subject: near-copies of one fact are no breadth.
    """

    subject: int
    object: int
    fact: int


class Used:
    """What has been asked about so far.

    Args:
        caps: per entity.
    """

    def __init__(self, caps: Caps) -> None:
        self._caps = caps
        self._places: Counter[_Place] = Counter()
        self._pairs: set[tuple[object, ...]] = set()
        # Who is once the parent is known for the parent everywhere: asked both ways round, an entity stands once.
        self._both_ways: set[int] = set()

    @staticmethod
    def _pair(one: Candidate) -> tuple[object, ...]:
        if one.suite == "temporal":
            return ("temporal", *one.identity)
        if one.object is None:
            return ("amount", *one.identity[2:])
        return tuple(sorted((one.subject, one.object or 0)))

    def met(self, several: Sequence[Candidate]) -> str:
        """What keeps them from being asked beside what is chosen; empty: nothing."""
        pairs = [self._pair(one) for one in several]
        if len(set(pairs)) < len(pairs) or not self._pairs.isdisjoint(pairs):
            return "a pair of entities is asked about once"
        if any(one.balanced and not self._both_ways.isdisjoint(one.entities) for one in several):
            return "who is asked about both ways round is asked about once"
        for place, number in _places(several).items():
            if self._places[place] + number > getattr(self._caps, place.cap):
                return f"{_CALLED[place.cap]} is in as many groups as may be"
        return ""

    def take(self, several: Sequence[Candidate]) -> None:
        """Count them among what is chosen."""
        for one in several:
            self._pairs.add(self._pair(one))
            if one.balanced:
                self._both_ways.update(one.entities)
        self._places.update(_places(several))


class _Place(NamedTuple):
    """What a group takes up: a field of `Caps`, and of whom or what."""

    cap: str
    of: tuple[object, ...]


_CALLED = {"subject": "a subject", "object": "an object", "fact": "a property of a subject"}


def _places(several: Sequence[Candidate]) -> Counter[_Place]:
    found: Counter[_Place] = Counter()
    for one in several:
        found[_Place("subject", (one.subject,))] += 1
        found[_Place("fact", (one.subject, one.about))] += 1
        if (stated := one.stated_of) is not None:
            found[_Place("fact", stated)] += 1
        found.update(_Place("object", (other,)) for other in set(one.entities) - {one.subject})
    return found
