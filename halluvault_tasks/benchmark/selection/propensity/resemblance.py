"""How much an object resembles what a subject might have, by everything that a snapshot says but the asked relation.

Four figures of a pair (semantics.md §3.5): the share of the subject's near peers that have the object, how frequent the
object is, how near the two lie in the graph, and how alike their labels are. Of the relation that is asked, and of what
follows from it, the graph knows nothing, and of peers and frequencies what the block itself asks is left out: whoever
knows that needs no figures. In a square of two couples each would else be told by the other.
"""

from collections.abc import Mapping, Sequence
from sys import intern
from typing import Any, NamedTuple

import numpy as np
import scipy  # of its parts each is imported where it is first used: some take a second
from numpy.typing import NDArray
from sqlalchemy import select
from sqlalchemy.orm import Session

from halluvault_tasks.reasoning.records import Rule
from halluvault_tasks.storage import arrays
from halluvault_tasks.storage.tables import entity, statement
from halluvault_tasks.wikidata import properties as wd
from halluvault_tasks.wikidata.names import fold
from halluvault_tasks.wikidata.relation import Kind, Relation

PEERS = 50
"""Nearest subjects of the relation that are looked at."""

FIGURES = (
    "the share of near peers that have the object", "how frequent the object is", "distance in the graph",
    "common neighbours", "likeness of labels",
)  # fmt: skip
"""Columns of `Resemblance.figures`."""

_COMMON = 1000
"""Statements from which on what two things have in common says nothing, and through which no path goes."""

_LETTERS = 3

Floats = NDArray[np.float64]


class AskedPair(NamedTuple):
    """What is asked of two items, true or false.

    Attributes:
        beside: subjects of the block in which it is asked, its own among them.
    """

    relation: Relation
    s: int
    o: int
    beside: frozenset[int] = frozenset()


class Resemblance:
    """The statements of one snapshot between items.

    Args:
        statements: shape (n, 3): subject, property, object, each once.
        labels: item → its name.
        following: property → properties that follow from it, or that it follows from.
    """

    def __init__(
        self, statements: NDArray[np.int64], labels: Mapping[int, str], following: Mapping[int, frozenset[int]]
    ) -> None:
        self._labels, self._following = labels, following
        self._qids, places = np.unique(statements[:, [0, 2]], return_inverse=True)
        self._ends = places.reshape(-1, 2)
        self._p = statements[:, 1]
        self._known: dict[AskedPair, Floats] = {}

    def figures(self, pairs: Sequence[AskedPair]) -> Floats:
        """The figures of each pair, worked out once: shape (pairs, `FIGURES`)."""
        by_relation: dict[Relation, list[AskedPair]] = {}
        for pair in dict.fromkeys(pairs):
            if pair not in self._known:
                by_relation.setdefault(pair.relation, []).append(pair)
        for relation, several in by_relation.items():
            self._known.update(zip(several, self._of_relation(relation, several), strict=True))
        return np.array([self._known[pair] for pair in pairs]).reshape(len(pairs), len(FIGURES))

    def _of_relation(self, relation: Relation, pairs: Sequence[AskedPair]) -> Floats:
        subjects, objects = (self._places(ends) for ends in ([pair.s for pair in pairs], [pair.o for pair in pairs]))
        left_out = self._left_out(relation)
        has = self._having(relation)
        asked = [self._places(sorted(pair.beside | {pair.s})) for pair in pairs]
        own = [float(has[some, [o] * len(some)].sum()) for some, o in zip(asked, objects.tolist(), strict=True)]
        frequency = np.log1p(np.asarray(has.sum(axis=0)).ravel()[objects] - np.array(own))
        distance, common = self._paths(subjects, objects, left_out)
        likeness = [_alike(self._labels.get(pair.s, ""), self._labels.get(pair.o, "")) for pair in pairs]
        peers = self._shared_by_peers(has, subjects, objects, asked, left_out)
        return np.column_stack([peers, frequency, distance, common, likeness])

    def _places(self, qids: Sequence[int]) -> NDArray[np.int64]:
        """Places of items; an item of no statement takes the place after the last, where nothing stands."""
        there = np.searchsorted(self._qids, qids)
        known = there < len(self._qids)
        known[known] = self._qids[there[known]] == np.array(qids)[known]
        return np.where(known, there, len(self._qids))

    def _left_out(self, relation: Relation) -> frozenset[int]:
        several = set(relation.properties)
        return frozenset(several.union(*(self._following.get(p, frozenset()) for p in several)))

    def _matrix(self, rows: NDArray[np.bool_]) -> Any:
        """Subjects × objects of these statements; ones."""
        size = len(self._qids) + 1
        ends = self._ends[rows]
        made = scipy.sparse.csr_array((np.ones(len(ends)), (ends[:, 0], ends[:, 1])), shape=(size, size))
        made.data[:] = 1.0
        return made

    def _having(self, relation: Relation) -> Any:
        """Subjects × objects that the relation holds of by the statements."""
        steps = [self._matrix(self._p == p) for p in relation.properties]
        found = steps[0]
        if relation.kind is Kind.SHARE:
            found = found @ found.T
        elif relation.kind is Kind.INVERSE:
            found = found.T
        else:
            for step in steps[1:]:
                found = found @ step
        found = scipy.sparse.csr_array(found)
        found.data[:] = 1.0
        return found

    def _shared_by_peers(
        self,
        has: Any,
        subjects: NDArray[np.int64],
        objects: NDArray[np.int64],
        asked: Sequence[NDArray[np.int64]],
        left_out: frozenset[int],
    ) -> Floats:
        """Share of the nearest subjects of the relation, those asked about left out, that have the object."""
        traits = self._traits(left_out)
        holders = np.flatnonzero(np.diff(has.indptr))
        each, where = np.unique(subjects, return_inverse=True)
        near = scipy.sparse.csr_array(traits[each] @ traits[holders].T)
        having = scipy.sparse.csc_array(has)
        share = np.zeros(len(subjects))
        for at, (o, some) in enumerate(zip(objects.tolist(), asked, strict=True)):
            row = slice(near.indptr[where[at]], near.indptr[where[at] + 1])
            peers, weight = holders[near.indices[row]], near.data[row]
            others = ~np.isin(peers, some)
            peers, weight = peers[others], weight[others]
            if len(peers):
                nearest = peers[np.lexsort((peers, -np.round(weight, 9)))[:PEERS]]
                of_object = having.indices[having.indptr[o] : having.indptr[o + 1]]
                share[at] = np.isin(nearest, of_object).mean()
        return share

    def _traits(self, left_out: frozenset[int]) -> Any:
        """Items × what is stated of them, at either end, the rare weighing more; nothing that is common."""
        kept = ~np.isin(self._p, sorted(left_out))
        (s, o), p = self._ends[kept].T, self._p[kept]
        item, trait = np.concatenate([s, o]), np.concatenate([_coded(p, o), -_coded(p, s)])
        _, column, times = np.unique(trait, return_inverse=True, return_counts=True)
        weight = np.where((times > 1) & (times <= _COMMON), np.log(len(self._qids) / times), 0.0)
        told = weight[column] > 0
        shape = (len(self._qids) + 1, len(times))
        return scipy.sparse.csr_array((weight[column][told], (item[told], column[told])), shape=shape)

    def _paths(
        self, subjects: NDArray[np.int64], objects: NDArray[np.int64], left_out: frozenset[int]
    ) -> tuple[Floats, Floats]:
        """Steps between two items (4: more than three), and the logarithm of how many neighbours they share."""
        joins = self._matrix(~np.isin(self._p, sorted(left_out | set(wd.HOLLOW))))
        joins = scipy.sparse.csr_array(joins + joins.T)
        joins.data[:] = 1.0
        through = scipy.sparse.diags_array((np.diff(joins.indptr) <= _COMMON).astype(float))
        of_subject, of_object = joins[subjects], joins[objects]
        direct = np.asarray(joins[subjects, objects]).ravel() > 0
        one_between = np.asarray((of_subject @ through).multiply(of_object).sum(axis=1)).ravel()
        further = (of_subject @ through) @ (joins @ through)
        two_between = np.asarray(further.multiply(of_object).sum(axis=1)).ravel()
        distance = np.select([direct, one_between > 0, two_between > 0], [1.0, 2.0, 3.0], 4.0)
        return distance, np.log1p(one_between)


def _coded(p: NDArray[np.int64], end: NDArray[np.int64]) -> NDArray[np.int64]:
    """A number for each property with an item."""
    coded: NDArray[np.int64] = p * np.int64(2**32) + end + 1
    return coded


def _alike(one: str, other: str) -> float:
    """Share of the runs of three letters of two labels that both have, 0 to 1."""
    mine, theirs = (
        {text[at : at + _LETTERS] for at in range(len(text) - _LETTERS + 1)} for text in (fold(one), fold(other))
    )
    return len(mine & theirs) / len(mine | theirs) if mine | theirs else 0.0


def load(session: Session, snapshot: str, rules: Mapping[int, Rule]) -> Resemblance:
    """Read the statements between items of a snapshot.

    Args:
        session: open session; only read.
        snapshot: key.
        rules: active rules: what one premise alone concludes follows from it.
    """
    c = statement.c
    # Sorted and rid of repetitions here, in a tenth of the time that the database takes for it.
    stated = select(c.s, c.p, c.o).where(c.snapshot == snapshot, c.kind == "item", c.s != c.o)
    labels = session.execute(select(entity.c.qid, entity.c.label).where(entity.c.snapshot == snapshot))
    following: dict[int, set[int]] = {}
    for rule in rules.values():
        if len(rule.premises) == 1 and rule.conclusion.pid:
            following.setdefault(rule.premises[0], set()).add(rule.conclusion.pid)
            following.setdefault(rule.conclusion.pid, set()).add(rule.premises[0])
    return Resemblance(
        np.unique(arrays.integers(session, stated, 3), axis=0),
        {qid: intern(label) for qid, label in labels if label},
        {p: frozenset(several) for p, several in following.items()},
    )
