"""How often a benchmark asks about one entity, and that it asks about no pair twice."""

from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

from halluvault_tasks.benchmark.cases.candidate import Candidate


class Caps(NamedTuple):
    """Most groups one entity may be in; of those asked both ways round it is in one at most."""

    subject: int
    object: int


class Used:
    """What has been asked about so far.

    Args:
        caps: per entity.
    """

    def __init__(self, caps: Caps) -> None:
        self._caps = caps
        self._subjects: Counter[int] = Counter()
        self._objects: Counter[int] = Counter()
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

    def free(self, several: Sequence[Candidate]) -> bool:
        """Whether all of them can be asked beside what is chosen."""
        pairs = [self._pair(one) for one in several]
        if len(set(pairs)) < len(pairs) or not self._pairs.isdisjoint(pairs):
            return False
        if any(one.balanced and not self._both_ways.isdisjoint(one.entities) for one in several):
            return False
        subjects = Counter(one.subject for one in several)
        if any(self._subjects[one] + number > self._caps.subject for one, number in subjects.items()):
            return False
        objects = Counter(other for one in several for other in set(one.entities) - {one.subject})
        return all(self._objects[one] + number <= self._caps.object for one, number in objects.items())

    def take(self, several: Sequence[Candidate]) -> None:
        """Count them among what is chosen."""
        for one in several:
            self._pairs.add(self._pair(one))
            if one.balanced:
                self._both_ways.update(one.entities)
            self._subjects[one.subject] += 1
            self._objects.update(set(one.entities) - {one.subject})
