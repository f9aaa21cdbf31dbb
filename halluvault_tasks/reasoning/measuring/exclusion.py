"""What is never offered as false of a subject, and what would be, were one of its true facts not known.

Never offered (semantics.md §1.10.1) is what s was ever stated to have at any rank in any month, what follows, what any
statement joins to s or, of a chain, to something on a way from s, and what lies above or below a value of s, is linked
to one or shares a distinctive word with one.

A fact is hidden by hiding what one step alone says: of a property the statement, of a chain the first step, or a later
one. Its object is offered then if nothing that is still known speaks against it, and few near subjects still have it.
With the first step all goes that lay behind it, so that least speaks against the object; with a later step go the facts
of other subjects that rest on it, so that fewer have it. For each fact the worst counts.
"""

from collections.abc import Iterator

import numpy as np
from scipy import sparse

from halluvault_tasks.reasoning.measuring.recorded import Bools, Ints, StatedItems, TrueFacts, among, both_ways, pair
from halluvault_tasks.reasoning.world import World
from halluvault_tasks.wikidata.relation import Relation


def excluded(recorded: StatedItems, known: TrueFacts, s: Ints, o: Ints) -> Bools:
    """Whether an item is never offered as a value of a subject.

    Args:
        recorded: the snapshot.
        known: what is known of the relation.
        s: subjects.
        o: as many items.
    """
    asked = pair(s, o)
    spoken = among(asked, recorded.joined) | among(asked, _joined_on_the_way(recorded, known, np.unique(s)))
    return np.asarray((s == o) | (_close_values(recorded.world, known, s, o) > 0) | spoken)


def hidden_offers(
    recorded: StatedItems, relation: Relation, known: TrueFacts, first: Ints, second: Ints, most: int
) -> Bools:
    """Of each two facts with one object whether the second would offer it beside the first, were the first not known.

    Args:
        recorded: the snapshot.
        relation: of the facts.
        known: what is known of it.
        first, second: numbers of facts of near subjects.
        most: near subjects that may have what is offered.
    """
    same = known.o[first] == known.o[second]
    speaks = _speaks_when_hidden if known.ways else _speaks_when_not_stated
    spoken = speaks(recorded, relation, known)
    found, best = np.zeros(len(first), dtype=bool), np.zeros(len(known.s), dtype=np.int64)
    for left in _left(known, first, second, same):
        held = np.bincount(first[left], minlength=len(known.s))
        held[held > most] = 0
        found = np.where((held > best)[first], left, found)
        best = np.maximum(held, best)
    return np.asarray(found & (best > 0)[first] & ~spoken[first])


def _left(known: TrueFacts, first: Ints, second: Ints, same: Bools) -> Iterator[Bools]:
    """For each step that may be hidden, which facts of the same object as the first one's are known without it."""
    yield same  # the first step is a subject's own
    at = np.flatnonzero(same)
    pairs = list(zip(first[at].tolist(), second[at].tolist(), strict=True))
    for step in range(1, max((len(ways.properties) for ways in known.ways), default=1)):
        edges = [
            frozenset(edge for ways in known.ways for edge in ways.edges(s, o, step))
            for s, o in zip(known.s.tolist(), known.o.tolist(), strict=True)
        ]
        left = np.zeros(len(first), dtype=bool)
        left[at] = [not edges[other] <= edges[one] for one, other in pairs]
        yield left


def _speaks_when_not_stated(recorded: StatedItems, relation: Relation, known: TrueFacts) -> Bools:
    """Of each fact of a property whether something else speaks against its object, were it not known."""
    asked = pair(known.s, known.o)
    other = ~np.isin(recorded.p, [relation.pid, *recorded.backwards.get(relation, ())])
    # A value that is hidden is close to itself, and joined by its own statement.
    close = _close_values(recorded.world, known, known.s, known.o) > 1
    return np.asarray((known.s == known.o) | close | among(asked, both_ways(recorded.s[other], recorded.o[other])))


def _speaks_when_hidden(recorded: StatedItems, relation: Relation, known: TrueFacts) -> Bools:
    """Of each fact of a chain whether something speaks against its object, were the first steps to it not known."""
    items = np.unique(np.concatenate([known.o, known.ever % (1 << 32)]))
    close = _close(recorded.world, items)
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
    spoken[np.array(of, dtype=np.int64)[among(pair(ends[:, 0], ends[:, 1]), recorded.joined)]] = True
    return np.asarray(spoken)


def _joined_on_the_way(recorded: StatedItems, known: TrueFacts, subjects: Ints) -> Ints:
    """Pairs of a subject and what some statement joins, either way round, to something on a way from it, ascending."""
    between = [(s, item) for s in subjects.tolist() for item in known.between(s)]
    if not between:
        return np.zeros(0, dtype=np.int64)
    s, item = np.array(between, dtype=np.int64).T
    ends, joined = np.divmod(recorded.joined, 1 << 32)
    start, end = np.searchsorted(ends, item), np.searchsorted(ends, item, side="right")
    number = end - start
    at = np.arange(number.sum()) - np.repeat(np.cumsum(number) - number, number) + np.repeat(start, number)
    return np.unique(pair(np.repeat(s, number), joined[at]))


def _close_values(world: World, known: TrueFacts, s: Ints, o: Ints) -> Ints:
    """How many values that a subject ever had are close to an item."""
    own, value = np.divmod(known.ever, 1 << 32)
    items = np.unique(np.concatenate([value, o]))
    subjects = np.unique(np.concatenate([own, s]))
    held = sparse.csr_matrix(
        (np.ones(len(own), dtype=np.int32), (np.searchsorted(subjects, own), np.searchsorted(items, value))),
        shape=(len(subjects), len(items)),
    )
    near_values = sparse.csr_matrix(held @ _close(world, items)).tocoo()
    counted = pair(subjects[near_values.row], items[near_values.col])
    order = np.argsort(counted)
    counted, number = counted[order], near_values.data[order]
    asked = pair(s, o)
    at = np.minimum(np.searchsorted(counted, asked), len(counted) - 1)
    return np.where(counted[at] == asked, number[at], 0)


def _close(world: World, items: Ints) -> sparse.csr_matrix:
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
    related = sparse.csr_matrix((np.ones(len(row), dtype=np.int32), (row, column)), shape=(size, size))
    bearing = sparse.csr_matrix((np.ones(len(named[0]), dtype=np.int32), named), shape=(size, max(1, len(words))))
    return sparse.csr_matrix(((related + bearing @ bearing.T) > 0).astype(np.int32))
