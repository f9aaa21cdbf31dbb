"""What is never offered as false of a subject, and what would be, were one of its true facts not known.

Never offered (semantics.md §1.10.1) is what s was ever stated to have at any rank in any month, what follows, what any
statement joins to s or, of a chain, to something on a way from s, and what lies above or below a value of s, is linked
to one or shares a distinctive word with one.

A fact is hidden by hiding what one step alone says: of a property the statement, of a chain the first step, or a later
one. Its object is offered then if nothing that is still known speaks against it, and few near subjects still have it.
With the first step all goes that lay behind it, so that least speaks against the object; with a later step go the facts
of other subjects that rest on it, so that fewer have it. For each fact the worst counts.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import scipy  # of its parts each is imported where it is first used: some take a second

from halluvault_tasks.reasoning.measuring.recorded import (
    Bools,
    Ints,
    StatedItems,
    TrueFacts,
    among,
    ascending,
    both_ways,
    pair,
)
from halluvault_tasks.reasoning.measuring.ways import Edge
from halluvault_tasks.reasoning.world import World
from halluvault_tasks.wikidata.relation import Relation


@dataclass(frozen=True, eq=False)
class Exclusion:
    """What is never offered of one relation.

    Attributes:
        recorded: the snapshot.
        relation: what is asked.
        known: what is known of it.
    """

    recorded: StatedItems
    relation: Relation
    known: TrueFacts

    def never(self, s: Ints, o: Ints) -> Bools:
        """Whether an item is never offered as a value of a subject.

        Args:
            s: subjects.
            o: as many items.
        """
        asked = pair(s, o)
        spoken = among(asked, self.recorded.joined) | among(asked, self._joined_on_the_way)
        return np.asarray((s == o) | (self._close_values(s, o) > 0) | spoken)

    def hidden(self, first: Ints, second: Ints, most: int) -> Bools:
        """Of two facts each with one object whether the second would offer it beside the first, were that not known.

        Args:
            first, second: numbers of facts of near subjects; all that stand beside one fact stand here.
            most: near subjects that may have what is offered.
        """
        known = self.known
        same = known.o[first] == known.o[second]
        found, best = np.zeros(len(first), dtype=bool), np.zeros(len(known.s), dtype=np.int64)
        for left in self._left(first, second, same):
            held = np.bincount(first[left], minlength=len(known.s))
            held[held > most] = 0
            found = np.where((held > best)[first], left, found)
            best = np.maximum(held, best)
        return np.asarray(found & (best > 0)[first] & ~self._spoken[first])

    def _left(self, first: Ints, second: Ints, same: Bools) -> Iterator[Bools]:
        """For each step that may be hidden, which facts of the same object as the first one's are known without it."""
        yield same  # the first step is a subject's own
        at = np.flatnonzero(same)
        pairs = list(zip(first[at].tolist(), second[at].tolist(), strict=True))
        for edges in self._edges:
            left = np.zeros(len(first), dtype=bool)
            left[at] = [not edges[other] <= edges[one] for one, other in pairs]
            yield left

    @cached_property
    def _edges(self) -> Sequence[Sequence[frozenset[Edge]]]:
        """For each step but the first, what it leads from and to on the ways of each fact."""
        ways = self.known.ways
        ends = list(zip(self.known.s.tolist(), self.known.o.tolist(), strict=True))
        return [
            [frozenset(edge for each in ways for edge in each.edges(s, o, step)) for s, o in ends]
            for step in range(1, max((len(each.properties) for each in ways), default=1))
        ]

    @cached_property
    def _spoken(self) -> Bools:
        """Of each fact whether something else speaks against its object, were it not known."""
        return self._on_other_ways if self.known.ways else self._stated_otherwise

    @property
    def _stated_otherwise(self) -> Bools:
        """Of a property: what no statement of it says, nor one that says the same from the other end."""
        known, recorded = self.known, self.recorded
        other = ~np.isin(recorded.p, [self.relation.pid, *recorded.backwards.get(self.relation, ())])
        # A value that is hidden is close to itself, and joined by its own statement.
        close = self._close_values(known.s, known.o) > 1
        joined = among(pair(known.s, known.o), both_ways(recorded.s[other], recorded.o[other]))
        return np.asarray((known.s == known.o) | close | joined)

    @property
    def _on_other_ways(self) -> Bools:
        """Of a chain: what is known without the first steps to the object."""
        known = self.known
        close, items = self._close, self._items
        near = {item: set(items[close[at].indices].tolist()) for at, item in enumerate(items.tolist())}
        spoken = known.s == known.o
        of, asked = [], []
        for at, (s, o) in enumerate(zip(known.s.tolist(), known.o.tolist(), strict=True)):
            left = [ways.without(s, o) for ways in known.ways]
            spoken[at] |= any(not near[o].isdisjoint(each.values) for each in left)
            joined = {s}.union(*(each.between for each in left))
            of += [at] * len(joined)
            asked += [(item, o) for item in joined]
        ends = np.array(asked, dtype=np.int64).reshape(-1, 2)
        spoken[np.array(of, dtype=np.int64)[among(pair(ends[:, 0], ends[:, 1]), self.recorded.joined)]] = True
        return np.asarray(spoken)

    @cached_property
    def _joined_on_the_way(self) -> Ints:
        """Pairs of a subject and what some statement joins, either way round, to something on a way from it."""
        between = [(s, item) for s in np.unique(self.known.s).tolist() for item in self.known.between(s)]
        if not between:
            return np.zeros(0, dtype=np.int64)
        s, item = np.array(between, dtype=np.int64).T
        ends, joined = np.divmod(self.recorded.joined, 1 << 32)
        start, end = np.searchsorted(ends, item), np.searchsorted(ends, item, side="right")
        number = end - start
        at = np.arange(number.sum()) - np.repeat(np.cumsum(number) - number, number) + np.repeat(start, number)
        return ascending(pair(np.repeat(s, number), joined[at]))

    def _close_values(self, s: Ints, o: Ints) -> Ints:
        """How many values that a subject ever had are close to an item."""
        counted, number = self._counted
        asked = pair(s, o)
        at = np.minimum(np.searchsorted(counted, asked), len(counted) - 1)
        return np.where(counted[at] == asked, number[at], 0)

    @cached_property
    def _counted(self) -> tuple[Ints, Ints]:
        """Subjects with what is close to values of theirs, ascending, and to how many."""
        own, value = np.divmod(self.known.ever, 1 << 32)
        subjects, of = np.unique(own, return_inverse=True)
        held = scipy.sparse.csr_matrix(
            (np.ones(len(own), dtype=np.int32), (of, np.searchsorted(self._items, value))),
            shape=(len(subjects), len(self._items)),
        )
        near_values = scipy.sparse.csr_matrix(held @ self._close).tocoo()
        counted = pair(subjects[near_values.row], self._items[near_values.col])
        order = np.argsort(counted)
        return counted[order], near_values.data[order]

    @cached_property
    def _items(self) -> Ints:
        """All values."""
        return np.unique(np.concatenate([self.known.ever % (1 << 32), self.known.o]))

    @cached_property
    def _close(self) -> "scipy.sparse.csr_matrix":
        return _close(self.recorded.world, self._items)


def _close(world: World, items: Ints) -> "scipy.sparse.csr_matrix":
    """Items × items: the same, above, below, linked, or with a distinctive word of their names in common."""
    number = {item: at for at, item in enumerate(items.tolist())}
    row, column = list(range(len(items))), list(range(len(items)))
    words: dict[str, int] = {}
    named: tuple[list[int], list[int]] = ([], [])
    for item, at in number.items():
        upper = world.containment.above(item) | world.containment.links.get(item, frozenset())
        for other in upper:
            if other in number:
                row += [at, number[other]]
                column += [number[other], at]
        for mark in world.naming.marks.get(item, ()):
            named[0].append(at)
            named[1].append(words.setdefault(mark, len(words)))
    size = len(items)
    related = scipy.sparse.csr_matrix((np.ones(len(row), dtype=np.int32), (row, column)), shape=(size, size))
    bearing = scipy.sparse.csr_matrix((np.ones(len(named[0]), dtype=np.int32), named), shape=(size, max(1, len(words))))
    return scipy.sparse.csr_matrix(((related + bearing @ bearing.T) > 0).astype(np.int32))
