"""Which facts become questions: seeded, spread over domains and kinds, no entity over-used, never padded.

What is chosen is a block: groups whose yes and no weigh each other up wording by wording, so that no word tells the
answer (`blocks`). Cells (domain × kind) are filled in proportion to their weights. A cell that runs dry leaves its
share to the others, and what it owes is counted as its shortfall; nothing is asked twice to fill a quota. Blocks
without a counterpart, whose affirmative question is always a yes, get a small fixed share: what they give away counts
against the limit of the blind baselines.
"""

import hashlib
from collections import Counter, defaultdict, deque
from collections.abc import Collection, Iterable, Mapping, Sequence
from itertools import zip_longest
from typing import NamedTuple

from halluvault_tasks.benchmark.cases import Candidate
from halluvault_tasks.benchmark.mutants import gold_of

Cell = tuple[str, str]


class Block(NamedTuple):
    """Groups that are asked together or not at all.

    Attributes:
        candidates: one group each.
        yes_only: nothing shows that the like of it is false, so its affirmative question is always a yes.
    """

    candidates: tuple[Candidate, ...]
    yes_only: bool = False

    @property
    def cell(self) -> Cell:
        """Where it is picked from: the cell of its first group."""
        return self.candidates[0].cell

    @property
    def identity(self) -> tuple[object, ...]:
        """What draws are made by."""
        return self.candidates[0].identity

    def turn(self, seed: int) -> int:
        """Which paraphrase all its groups take."""
        return int(drawn(seed, "turn", *self.identity)[:8], 16)


class Chosen(NamedTuple):
    """One group that will be asked.

    Attributes:
        turn: picks its paraphrase.
        block: number of its block; groups of one block share names and words.
        yes_only: of its block.
    """

    candidate: Candidate
    turn: int
    block: int
    yes_only: bool

    @property
    def size(self) -> int:
        """Number of its cases."""
        return len(self.candidate.members(self.turn))


class Caps(NamedTuple):
    """Most groups one entity may be in."""

    subject: int
    object: int


class Owed(NamedTuple):
    """What a cell has less than its share, in cases: a sixth member for each answer of each polarity of wording."""

    affirmative_yes: int
    affirmative_no: int
    negated_yes: int
    negated_no: int

    @property
    def cases(self) -> int:
        """All of it."""
        return sum(self)


class Selection(NamedTuple):
    """The chosen groups, in the order of choice, and what each cell owes.

    Attributes:
        repeated: groups that were passed over because a question of theirs, or of their block, is asked already.
    """

    chosen: list[Chosen]
    shortfall: dict[Cell, Owed]
    repeated: int = 0

    @property
    def cases(self) -> int:
        """Number of cases."""
        return sum(one.size for one in self.chosen)


def drawn(seed: int, *key: object) -> str:
    """A seeded order that is the same on every machine: sha256 of seed and key."""
    return hashlib.sha256(f"{seed}:{'|'.join(map(str, key))}".encode()).hexdigest()


def in_turn(blocks: Iterable[Block], seed: int) -> list[Block]:
    """One cell's blocks, its strands taken in turn, each strand in seeded order."""
    strands: dict[str, list[Block]] = defaultdict(list)
    for block in blocks:
        strands[block.candidates[0].strand].append(block)
    ordered = [sorted(strands[name], key=lambda one: drawn(seed, *one.identity)) for name in sorted(strands)]
    ordered.sort(key=lambda strand: drawn(seed, "strand", strand[0].candidates[0].strand))
    return [one for turn in zip_longest(*ordered) for one in turn if one is not None]


def choose(
    blocks: Iterable[Block],
    weights: Mapping[Cell, float],
    target: int,
    *,
    seed: int,
    caps: Caps,
    yes_only: float,
    asked: Collection[str] = (),
) -> Selection:
    """Choose blocks until `target` cases are reached or nothing is left.

    Laws (tested): never more than `target` cases; no entity above its cap; no pair of entities, no group and no
    question text twice; blocks whole or not at all; yes-only cases at most the share `yes_only` of all; the same input
    in any order gives the same choice.

    Args:
        blocks: what can be asked.
        weights: cell → weight; a cell without one, or with 0, gets nothing.
        target: cases, mutants included.
        seed: of the order.
        caps: per entity.
        yes_only: most that blocks without a counterpart may make of all cases, from 0 to 1.
        asked: questions that the month asks elsewhere.
    """
    waiting: dict[bool, list[Block]] = {False: [], True: []}
    for block in blocks:
        if weights.get(block.cell, 0) > 0:
            waiting[block.yes_only].append(block)
    picking = _Picking(weights, seed, caps, asked)
    picking.fill(waiting[False], target - int(target * yes_only))
    for _ in range(2):
        # The share is of what there is in the end, however little that is.
        allowed = target if yes_only >= 1 else min(target, int(picking.balanced / (1 - yes_only)))
        picking.fill(waiting[True], allowed)
        picking.fill(waiting[False], target)
    return Selection(picking.chosen, _shortfall(weights, picking.counted, target), len(picking.repeated))


class _Picking:
    """What has been chosen so far."""

    def __init__(self, weights: Mapping[Cell, float], seed: int, caps: Caps, asked: Collection[str]) -> None:
        self._weights, self._seed = weights, seed
        self._asked = set(asked)
        self.repeated: set[tuple[object, ...]] = set()
        self._used = _Used(caps)
        self._filled: Counter[Cell] = Counter()
        self._taken: set[tuple[object, ...]] = set()
        self.counted: dict[Cell, Counter[tuple[bool, str]]] = defaultdict(Counter)
        self.chosen: list[Chosen] = []
        self.cases = 0
        self.balanced = 0
        self._blocks = 0

    def fill(self, blocks: Sequence[Block], upto: int) -> None:
        """Take blocks, the emptiest cell first, until there are `upto` cases; a block that does not fit is let go."""
        cells: dict[Cell, list[Block]] = defaultdict(list)
        for block in blocks:
            if block.identity not in self._taken:
                cells[block.cell].append(block)
        queues = {cell: deque(in_turn(cells[cell], self._seed)) for cell in sorted(cells)}
        while self.cases < upto and queues:
            cell = min(queues, key=self._emptiness)
            if not queues[cell]:
                del queues[cell]
                continue
            self._try(queues[cell].popleft(), upto)

    def _emptiness(self, cell: Cell) -> tuple[float, str]:
        return self._filled[cell] / self._weights[cell], drawn(self._seed, *cell)

    def _try(self, block: Block, upto: int) -> None:
        turn = block.turn(self._seed)
        members = [one.members(turn) for one in block.candidates]
        size = sum(map(len, members))
        if self.cases + size > upto or not self._used.free(block.candidates):
            return
        questions = [member.question for asked in members for member in asked]
        if len(set(questions)) < size or not self._asked.isdisjoint(questions):
            self.repeated.update(one.identity for one in block.candidates)
            return
        self._asked.update(questions)
        self._used.take(block.candidates)
        self._taken.add(block.identity)
        self.cases += size
        self.balanced += 0 if block.yes_only else size
        for one, asked in zip(block.candidates, members, strict=True):
            self.chosen.append(Chosen(one, turn, self._blocks, block.yes_only))
            self._filled[one.cell] += len(asked)
            for member in asked:
                self.counted[one.cell][negative(member.mutation), gold_of(one.truth, member.opposed)] += 1
        self._blocks += 1


def negative(mutation: str) -> bool:
    """Whether a wording is negated: the polarity that balance is kept for."""
    return mutation.endswith("negated")


def _shortfall(
    weights: Mapping[Cell, float], counted: Mapping[Cell, Counter[tuple[bool, str]]], target: int
) -> dict[Cell, Owed]:
    """What each cell has less than its plain share of the target (less than a group is none)."""
    total = sum(weights.values())
    owed = {}
    for cell in sorted(weights):
        share = int(target * weights[cell] / total) if total else 0
        has = counted.get(cell, Counter())
        missing = share - has.total()
        if missing <= 2:
            continue
        # A third of a group's wordings are negated, and each answer is to come as often as the other.
        wanted = [share / 3, share / 3, share / 6, share / 6]
        found = [has[False, "yes"], has[False, "no"], has[True, "yes"], has[True, "no"]]
        gaps = [max(0.0, want - got) for want, got in zip(wanted, found, strict=True)]
        owed[cell] = Owed(*_apportioned(missing, gaps))
    return owed


def _apportioned(total: int, parts: Sequence[float]) -> list[int]:
    """Whole numbers in the proportion of `parts` that add up to `total`."""
    whole, before, so_far = [], 0, 0.0
    for part in parts:
        so_far += part
        upto = round(total * so_far / sum(parts))
        whole.append(upto - before)
        before = upto
    return whole


class _Used:
    """What has been asked about so far."""

    def __init__(self, caps: Caps) -> None:
        self._caps = caps
        self._subjects: Counter[int] = Counter()
        self._objects: Counter[int] = Counter()
        self._pairs: set[tuple[object, ...]] = set()

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
        subjects = Counter(one.subject for one in several)
        if any(self._subjects[one] + number > self._caps.subject for one, number in subjects.items()):
            return False
        objects = Counter(other for one in several for other in set(one.entities) - {one.subject})
        return all(self._objects[one] + number <= self._caps.object for one, number in objects.items())

    def take(self, several: Sequence[Candidate]) -> None:
        for one in several:
            self._pairs.add(self._pair(one))
            self._subjects[one.subject] += 1
            self._objects.update(set(one.entities) - {one.subject})
