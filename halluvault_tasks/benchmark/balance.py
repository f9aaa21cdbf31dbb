"""Which facts become questions: seeded, spread over domains and kinds, no entity over-used, never padded.

Cells (domain × kind) are filled in proportion to their weights. A cell that runs dry leaves its share to the others,
and what it owes is counted as its shortfall; nothing is asked twice to fill a quota.
"""

import hashlib
from collections import Counter, defaultdict, deque
from collections.abc import Callable, Iterable, Mapping
from itertools import zip_longest
from typing import Literal, NamedTuple

from halluvault_tasks.benchmark.cases import Candidate

Cell = tuple[str, str]


class Chosen(NamedTuple):
    """One group that will be asked, and which paraphrase of it."""

    candidate: Candidate
    paraphrase: Literal["", "same", "opposed"]

    @property
    def size(self) -> int:
        """Number of its cases."""
        return 3 if self.paraphrase else 2


class Caps(NamedTuple):
    """Most groups one entity may be in."""

    subject: int
    object: int


class Selection(NamedTuple):
    """The chosen groups, in the order of choice, and what each cell owes."""

    chosen: list[Chosen]
    shortfall: dict[Cell, int]

    @property
    def cases(self) -> int:
        """Number of cases."""
        return sum(one.size for one in self.chosen)


def drawn(seed: int, *key: object) -> str:
    """A seeded order that is the same on every machine: sha256 of seed and key."""
    return hashlib.sha256(f"{seed}:{'|'.join(map(str, key))}".encode()).hexdigest()


def in_turn(candidates: Iterable[Candidate], seed: int) -> list[Candidate]:
    """One cell's candidates, its strands taken in turn, each strand in seeded order."""
    strands: dict[str, list[Candidate]] = defaultdict(list)
    for candidate in candidates:
        strands[candidate.strand].append(candidate)
    ordered = [sorted(strands[name], key=lambda one: drawn(seed, *one.identity)) for name in sorted(strands)]
    ordered.sort(key=lambda strand: drawn(seed, "strand", strand[0].strand))
    return [one for turn in zip_longest(*ordered) for one in turn if one is not None]


def choose(
    candidates: Iterable[Candidate],
    weights: Mapping[Cell, float],
    target: int,
    *,
    seed: int,
    caps: Caps,
    paraphrase: bool,
) -> Selection:
    """Choose groups until `target` cases are reached or nothing is left.

    Laws (tested): never more than `target` cases; no entity above its cap; no pair of entities and no group twice;
    in each cell the golds differ by at most one, and so do true and false bases while it has both; the same input in
    any order gives the same choice.

    Args:
        candidates: what can be asked.
        weights: cell → weight; a cell without one, or with 0, gets nothing.
        target: cases, mutants included.
        seed: of the order.
        caps: per entity.
        paraphrase: whether groups that have one get one.
    """
    cells: dict[Cell, list[Candidate]] = defaultdict(list)
    for candidate in candidates:
        if weights.get(candidate.cell, 0) > 0:
            cells[candidate.cell].append(candidate)
    queues = {cell: _Queue(in_turn(cells[cell], seed)) for cell in sorted(cells)}
    filled: Counter[Cell] = Counter()
    tilt: Counter[Cell] = Counter()  # yes minus no
    truths: Counter[Cell] = Counter()  # true minus false bases
    used = _Used(caps)
    chosen: list[Chosen] = []
    left = target
    while left >= 2 and queues:
        cell = min(queues, key=lambda one: (filled[one] / weights[one], drawn(seed, *one)))
        free = queues[cell].take(used.free, wanted=(truths[cell] or truths.total()) <= 0)
        if free is None:
            del queues[cell]
            continue
        used.take(free)
        truths[cell] += 1 if free.truth else -1
        kind = _paraphrase(free, tilt[cell] or tilt.total(), seed) if paraphrase and left >= 3 else ""
        group = Chosen(free, kind)
        if kind:
            tilt[cell] += 1 if free.truth == (kind == "same") else -1
        filled[cell] += group.size
        left -= group.size
        chosen.append(group)
    return Selection(chosen, _shortfall(weights, filled, target))


def _paraphrase(candidate: Candidate, tilt: int, seed: int) -> Literal["", "same", "opposed"]:
    """The paraphrase whose gold brings the cell, or else the suite, back into balance; drawn where both are."""
    words = candidate.wordings
    if not (words.paraphrase and words.paraphrase_negated):
        return ""
    wants_yes = tilt < 0 or (tilt == 0 and drawn(seed, "paraphrase", *candidate.identity)[0] < "8")
    return "same" if wants_yes == candidate.truth else "opposed"


def _shortfall(weights: Mapping[Cell, float], filled: Mapping[Cell, int], target: int) -> dict[Cell, int]:
    """What each cell has less than its plain share of the target, in cases (less than a group is none)."""
    total = sum(weights.values())
    owed = {}
    for cell in sorted(weights):
        share = int(target * weights[cell] / total) if total else 0
        if share - filled.get(cell, 0) > 2:
            owed[cell] = share - filled.get(cell, 0)
    return owed


class _Queue:
    """A cell's candidates, true and false ones apart, so that a plain question is denied as often as affirmed."""

    def __init__(self, ordered: Iterable[Candidate]) -> None:
        self._waiting: dict[bool, deque[Candidate]] = {True: deque(), False: deque()}
        for one in ordered:
            self._waiting[one.truth].append(one)

    def take(self, free: Callable[[Candidate], bool], *, wanted: bool) -> Candidate | None:
        """The next candidate that is free, of the wanted truth while there is one; what is not free is let go."""
        for truth in (wanted, not wanted):
            waiting = self._waiting[truth]
            while waiting:
                if free(one := waiting.popleft()):
                    return one
        return None


class _Used:
    """What has been asked about so far."""

    def __init__(self, caps: Caps) -> None:
        self._caps = caps
        self._subjects: Counter[int] = Counter()
        self._objects: Counter[int] = Counter()
        self._pairs: set[tuple[object, ...]] = set()

    def _pair(self, one: Candidate) -> tuple[object, ...]:
        if one.suite == "temporal":
            return ("temporal", *one.identity)
        return tuple(sorted((one.subject, one.object or 0)))

    def free(self, one: Candidate) -> bool:
        if self._pair(one) in self._pairs:
            return False
        if self._subjects[one.subject] >= self._caps.subject:
            return False
        return all(self._objects[other] < self._caps.object for other in set(one.entities) - {one.subject})

    def take(self, one: Candidate) -> None:
        self._pairs.add(self._pair(one))
        self._subjects[one.subject] += 1
        self._objects.update(set(one.entities) - {one.subject})
