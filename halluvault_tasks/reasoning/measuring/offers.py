"""What is offered as false beside a fact: the values of near subjects, less what many of them hold and what is never
offered (`exclusion`).

A fact is numbered by its place among the true facts of its relation, in order of subject and object. Two facts make an
*offer* if their subjects are near and each may be asked with the value of the other: a square of two true facts and
two false ones. Which facts those are depends on the snapshot alone, in which order they are tried on the two facts
alone (`benchmark.selection.swaps`), so that a month later the same squares come.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
import scipy  # of its parts each is imported where it is first used: some take a second
from numpy.typing import NDArray

from halluvault_tasks.reasoning.measuring.exclusion import Exclusion
from halluvault_tasks.reasoning.measuring.likeness import CommonMarks, Marks, marks_of
from halluvault_tasks.reasoning.measuring.nearness import Nearness
from halluvault_tasks.reasoning.measuring.recorded import Bools, Ints, StatedItems, TrueFacts, among, ascending, pair
from halluvault_tasks.wikidata import properties as wd
from halluvault_tasks.wikidata.relation import Relation

_COMMON = 4000  # subjects that have a mark, above which it makes none of them near
_POOL = 6  # facts of one subject whose objects are offered elsewhere: more would be questions about few subjects
_ROWS = 128  # compared at once, so that memory stays small
_FACTS = 250  # drawn beside at once, for the same reason


@dataclass(frozen=True, eq=False)
class Offers:
    """What a nearness offers for a relation, on one snapshot.

    Attributes:
        s: subject of each true fact.
        o: its object.
        last: what the last step to it leads from.
        first, second: numbers of two facts of near subjects with like values: what is offered beside the first.
        free: of those, whether the first fact's subject may be asked with the second's object.
        same: the others: the second fact has the first's own object, which would be offered were the first not known.
        near: which of all are asked (`Nearness.asked`).
        excluding: what is never offered, however near.
        together: what a subject must not have in common with others that hold the value (`Nearness.apart`).
    """

    s: Ints
    o: Ints
    last: Ints
    first: Ints
    second: Ints
    free: Bools
    same: Bools
    near: Bools
    excluding: Exclusion
    together: Sequence["_Together"]

    @cached_property
    def mutual(self) -> Bools:
        """Of each two facts, whether both may be asked with the other's value."""
        asked = self.free & self.near
        ways = np.sort(pair(self.first, self.second)[asked])
        return asked & among(pair(self.second, self.first), ways)

    @property
    def nearest(self) -> "Offers":
        """Those alone that are asked, were each fact not known."""
        return self._part(self.near)

    @property
    def exchanges(self) -> "Offers":
        """The squares alone."""
        return self._part(self.mutual)

    def _part(self, kept: Bools) -> "Offers":
        return replace(
            self,
            first=self.first[kept],
            second=self.second[kept],
            free=self.free[kept],
            same=self.same[kept],
            near=self.near[kept],
        )

    @property
    def asked(self) -> list[tuple[int, int]]:
        """Subject and object of each fact that has a partner."""
        facts = ascending(self.first[self.mutual])
        return list(zip(self.s[facts].tolist(), self.o[facts].tolist(), strict=True))

    @cached_property
    def _number(self) -> dict[tuple[int, int], int]:
        return {ends: number for number, ends in enumerate(zip(self.s.tolist(), self.o.tolist(), strict=True))}

    @cached_property
    def _from(self) -> tuple[Ints, Ints]:
        first, second = self.first[self.mutual], self.second[self.mutual]
        order = np.argsort(first, kind="stable")
        return np.searchsorted(first[order], np.arange(len(self.s) + 1)), second[order]

    def partners(self, s: int, o: int) -> Sequence[tuple[int, int]]:
        """Facts (subject, object) that make a square with this one; none where it is no true fact."""
        number = self._number.get((s, o))
        if number is None:
            return ()
        bounds, second = self._from
        near = second[bounds[number] : bounds[number + 1]]
        return list(zip(self.s[near].tolist(), self.o[near].tolist(), strict=True))

    def allows(self, one: tuple[int, int], other: tuple[int, int]) -> bool:
        """Whether nothing excludes the object of another true fact for the subject of this one, be it near or not."""
        numbers = self._number.get(one), self._number.get(other)
        if None in numbers or one[0] == other[0]:
            return False
        first, second = (np.array([number], dtype=np.int64) for number in numbers)
        return not (
            self.excluding.never(self.s[first], self.o[second])[0]
            or any(mates.of(first, second)[0] for mates in self.together)
        )

    def foils(self, most: int) -> list[tuple[int, int]]:
        """At most so many of the foils that are offered, subject and object: which, depends on the two alone."""
        s, o = self.s[self.first[self.free]], self.o[self.second[self.free]]
        s, o = np.divmod(ascending(pair(s, o)), 1 << 32)
        chosen = np.argsort(_mixed(s, o), kind="stable")[:most]
        return list(zip(s[chosen].tolist(), o[chosen].tolist(), strict=True))


def offers(recorded: StatedItems, nearness: Nearness, relation: Relation) -> Offers:
    """What is offered for a relation.

    Args:
        recorded: the snapshot.
        nearness: how subjects are near.
        relation: one of its relations.
    """
    known = recorded.known[relation].part(recorded.fame, nearness.fame)
    if not len(known.s):  # of a property that the source does not state
        none, never = np.zeros(0, dtype=np.int64), np.zeros(0, dtype=bool)
        excluding = Exclusion(recorded, relation, known)
        return Offers(known.s, known.o, known.s, none, none, never, never, never, excluding, ())
    subjects, of = np.unique(known.s, return_inverse=True)
    having = scipy.sparse.csr_matrix((np.ones(len(of), dtype=np.float32), (of, np.arange(len(of)))))
    values = [marks_of([feature.marks(recorded, known.o.tolist())], known.o) for feature in nearness.alike]
    near = near_subjects(
        recorded, nearness, subjects, nearness.reach, [scipy.sparse.csr_matrix(having @ marks) for marks in values]
    )
    likenesses = [
        CommonMarks(feature.marks(recorded, known.o.tolist()), known.o, known.o, bare=bare)
        for features, bare in ((nearness.alike, False), (nearness.agreeing, True))
        for feature in features
    ]
    exclusion, pool = Exclusion(recorded, relation, known), _pool(known.s, known.o, of)
    together = [_Together(feature.marks(recorded, subjects.tolist()), known) for feature in nearness.apart]
    firsts, seconds = [], []
    for start in range(0, len(of), _FACTS):
        first, second = _facts_of(near, of, pool, start)
        for likeness in likenesses:
            alike = likeness.of(first, second)
            first, second = first[alike], second[alike]
        same = known.o[first] == known.o[second]
        offered = np.where(
            same,
            exclusion.hidden(first, second, nearness.most),
            _held_by_few(first, known.o[second], nearness.most) & ~exclusion.never(known.s[first], known.o[second]),
        )
        offered &= _narrow(known.o, second, same, nearness.widest)
        if nearness.lowest:
            offered &= _lowest(recorded, known.o)[second]
        for mates in together:
            offered[offered] = ~mates.of(first[offered], second[offered])
        # Beside a fact with few offers each would be likely to be true, were it so.
        many = np.bincount(first[offered], minlength=len(of)) >= nearness.least
        offered &= many[first]
        firsts.append(first[offered])
        seconds.append(second[offered])
    first, second = np.concatenate(firsts), np.concatenate(seconds)
    same = known.o[first] == known.o[second]
    near = np.ones(len(first), dtype=bool)
    for condition in nearness.conditions(relation):
        near &= condition.holds(recorded, known, first, second)
    return Offers(known.s, known.o, known.last, first, second, ~same, same, near, exclusion, together)


def near_subjects(
    recorded: StatedItems,
    nearness: Nearness,
    subjects: Ints,
    reach: int,
    values: Sequence["scipy.sparse.csr_matrix"] = (),
) -> "scipy.sparse.csr_matrix":
    """Which of some subjects are near each other: rows and columns in their order, `reach` of each and those back.

    Args:
        recorded: the snapshot.
        nearness: what makes them so.
        subjects: of the relation.
        reach: near ones of each.
        values: subjects × what their values have of a feature in which values must be alike, for each such feature.
    """
    shared = marks_of([feature.marks(recorded, subjects.tolist()) for feature in nearness.near], subjects)
    held = np.asarray((shared > 0).sum(axis=0)).ravel()
    kept = (held > 1) & (held <= _COMMON)
    weighted = shared[:, kept] @ scipy.sparse.diags(np.log((1 + len(subjects)) / held[kept]))
    plain = shared[:, kept].T.tocsr()
    within = [marks_of([feature.marks(recorded, subjects.tolist())], subjects) for feature in nearness.within]
    within += values
    without = [marks_of([feature.marks(recorded, subjects.tolist())], subjects) for feature in nearness.without]
    low = _lowest(recorded, subjects) if nearness.lowest else np.ones(len(subjects), dtype=bool)
    size, most = len(subjects), min(reach, len(subjects) - 1)
    rows, columns = [], []
    for start in range(0, size, _ROWS):
        score = (weighted[start : start + _ROWS] @ plain).toarray()
        here = np.arange(start, start + len(score))
        score[here - start, here] = 0
        for having in within:
            score *= (having[here] @ having.T).toarray() > 0
        score *= low[here][:, None] & low
        for having in without:
            some = np.asarray(having.sum(axis=1)).ravel() > 0
            score *= ((having[here] @ having.T).toarray() == 0) & some[here][:, None] & some
        # Who is as near as another comes first by the two of them alone.
        tie = (_mixed(subjects[here][:, None], subjects[None, :]) >> np.uint64(44)).astype(np.float32)
        score = np.where(score > 0, np.round(score, 3) + tie * np.float32(4e-10), 0)
        nearest = (
            np.argpartition(-score, most, axis=1)[:, :most] if most < size else np.zeros((len(here), 0), dtype=int)
        )
        row = np.repeat(here, nearest.shape[1])
        is_near = score[row - start, nearest.ravel()] > 0
        rows.append(row[is_near])
        columns.append(nearest.ravel()[is_near])
    row, column = np.concatenate(rows), np.concatenate(columns)
    one_way = scipy.sparse.csr_matrix((np.ones(len(row), dtype=np.int8), (row, column)), shape=(size, size))
    return scipy.sparse.csr_matrix(((one_way + one_way.T) > 0).astype(np.int8))


def _lowest(recorded: StatedItems, items: Ints) -> Bools:
    """Whether nothing is stated to be a kind of each."""
    holders = recorded.holders(wd.SUBCLASS_OF)
    return np.array([item not in holders for item in items.tolist()], dtype=bool)


def _mixed(one: Ints, other: Ints) -> NDArray[np.uint64]:
    """A number of two items, the same whichever comes first, that looks drawn (SplitMix64)."""
    low, high = np.minimum(one, other).astype(np.uint64), np.maximum(one, other).astype(np.uint64)
    mixed = low * np.uint64(0x9E3779B97F4A7C15) + high
    for shift, factor in ((30, 0xBF58476D1CE4E5B9), (27, 0x94D049BB133111EB)):
        mixed = (mixed ^ (mixed >> np.uint64(shift))) * np.uint64(factor)
    return mixed ^ (mixed >> np.uint64(31))


def _pool(s: Ints, o: Ints, of: Ints) -> Ints:
    """Numbers of the facts whose objects are offered elsewhere: of each subject a few, by subject and object alone."""
    order = np.lexsort((_mixed(s, o), of))
    place = np.arange(len(of)) - np.searchsorted(of[order], of[order])
    return np.sort(order[place < _POOL])


def _facts_of(near: "scipy.sparse.csr_matrix", of: Ints, pool: Ints, start: int) -> tuple[Ints, Ints]:
    """Some facts from a number on, each with every one of the pool of a near subject.

    Args:
        near: which subjects are.
        of: number of each fact's subject.
        pool: numbers of facts whose objects are offered elsewhere.
        start: number of the first fact.
    """
    offered = scipy.sparse.csr_matrix(
        (np.ones(len(pool), dtype=np.int8), (of[pool], pool)), shape=(near.shape[0], len(of))
    )
    between = scipy.sparse.csr_matrix(near[of[start : start + _FACTS]] @ offered).tocoo()
    return between.row.astype(np.int64) + start, between.col.astype(np.int64)


def _held_by_few(first: Ints, value: Ints, most: int) -> Bools:
    """Of values offered beside each fact, whether no more near subjects than that hold them."""
    _, of, held = np.unique(pair(first, value), return_inverse=True, return_counts=True)
    return held[of] <= most


class _Together:
    """Whether a subject has something of a feature in common with another that holds a value.

    Args:
        marks: of the subjects. Where they are values, such as all writers of a film, the value that is asked is none.
        known: their values.
    """

    def __init__(self, marks: Marks, known: TrueFacts) -> None:
        subjects, self._s = np.unique(known.s, return_inverse=True)
        objects, self._o = np.unique(known.o, return_inverse=True)
        shape = (len(subjects), len(objects))
        self._own = marks_of([marks], subjects)
        holding = scipy.sparse.csr_matrix((np.ones(len(known.s), dtype=np.float32), (self._s, self._o)), shape=shape)
        self._theirs = scipy.sparse.csr_matrix(holding.T @ self._own)
        told = [o in marks.get(s, ()) for s, o in zip(known.s.tolist(), known.o.tolist(), strict=True)]
        itself = scipy.sparse.csr_matrix((np.array(told, dtype=np.float32), (self._s, self._o)), shape=shape)
        # What a subject that holds the value has in common with itself, and with all holders by the value alone.
        alone = holding.multiply(self._own.sum(axis=1)) + itself.multiply(itself.sum(axis=0)) - itself
        self._alone = scipy.sparse.csr_matrix(alone)

    def of(self, first: Ints, second: Ints) -> Bools:
        """Of two facts each, of the first's subject and the second's object."""
        ends, back = np.unique(pair(self._s[first], self._o[second]), return_inverse=True)
        s, o = np.divmod(ends, 1 << 32)
        shared = np.asarray(self._own[s].multiply(self._theirs[o]).sum(axis=1)).ravel()
        return np.asarray((shared - np.asarray(self._alone[s, o]).ravel() > 0)[back])


def _narrow(objects: Ints, second: Ints, same: Bools, widest: int) -> Bools:
    """Of values offered, whether no more subjects hold them than that, the one beside whose own fact it is left out."""
    _, of, held = np.unique(objects, return_inverse=True, return_counts=True)
    return held[of][second] - same <= widest if widest else np.ones(len(second), dtype=bool)
