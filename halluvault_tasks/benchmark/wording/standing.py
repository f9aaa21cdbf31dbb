"""What stands today, and is asked about in the present: one value was ever stated, without an end (semantics.md §3.3)."""

from collections import defaultdict
from collections.abc import Mapping
from functools import cached_property

from halluvault_tasks.benchmark.wording.entity_index import EntityIndex
from halluvault_tasks.benchmark.wording.lexicon import Lexicon, Standing
from halluvault_tasks.reasoning.world import World


class Standings:
    """What stands in one snapshot.

    Args:
        lexicon: its entries say what may be asked in the present.
        world: what was ever stated.
        index: what is over, and which statements have an end.
    """

    def __init__(self, lexicon: Lexicon, world: World, index: EntityIndex) -> None:
        self._world, self._index = world, index
        entries = (one for of in (lexicon.properties, lexicon.inverses) for several in of.values() for one in several)
        self._turned = frozenset(one.standing.turned for one in entries if one.standing)

    def holds(self, standing: Standing, s: int, o: int, *, truth: bool) -> bool:
        """Whether it may be asked in the present of these two.

        Args:
            standing: its form.
            s: subject.
            o: object.
            truth: whether the two belong together; nothing else may then be what stands.
        """
        owner, other = (s, o) if standing.of == "s" else (o, s)
        only = self._only(standing, owner)
        return only is not None and owner not in standing.never and (other == only or not truth)

    def _only(self, standing: Standing, owner: int) -> int | None:
        """The one value of what is not over, stated without an end."""
        by, turned, slots = standing.by, standing.turned, self._world.slots
        values = slots.seen.get((by, owner), frozenset()) | self._of_object.get((turned, owner), frozenset())
        if len(values) != 1 or self._index.over(owner):
            return None
        (value,) = values
        said = ((slots.known.get((by, owner)), value), (slots.known.get((turned, value)), owner))
        sids = {known.items[item] for known, item in said if known and item in known.items}
        return value if sids and self._index.dated.isdisjoint(sids) else None

    @cached_property
    def _of_object(self) -> Mapping[tuple[int, int], frozenset[int]]:
        """(p, o) → subjects, of the properties that say it from the other end."""
        found: dict[tuple[int, int], set[int]] = defaultdict(set)
        for (p, s), items in self._world.slots.seen.items():
            if p in self._turned:
                for o in items:
                    found[p, o].add(s)
        return {key: frozenset(subjects) for key, subjects in found.items()}
