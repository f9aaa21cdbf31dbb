"""Which facts become questions: by design, not by what is plentiful.

What is chosen is a block: groups whose yes and no weigh each other up wording by wording, so that no word tells the
answer (`blocks`). Every share of a suite is bounded (`Shares`): of a rule, a property, a rule kind, and of orders of
dates together. The objective: the next block is always one of the class that is emptiest against what is wanted of its
kind, rule, domain, number of hops and popularity, the kind counting three times. What a class cannot give goes to the
others only as far as their bounds let it; then the benchmark is smaller, and what it lacks is counted. The bounds are
shares of what there is in the end, not only of what was wished for: what was taken last of too plentiful a thing goes
again until they hold. They are tried one after the other, that of orders first, then kinds, properties, rules, and each
is kept that leaves half of the questions; one that does not (a source with fewer rules than the bound needs)
stays a share of the target, and what is beyond it is told. Then the target itself is lowered as far as `given_up`
allows: all shares of a smaller suite come nearer to their bounds, since what is scarce is taken whole all the same.
"""

import heapq
from collections import Counter, defaultdict, deque
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from copy import copy
from typing import NamedTuple

from halluvault_tasks.benchmark.cases.candidate import Candidate
from halluvault_tasks.benchmark.cases.mutants import gold_of
from halluvault_tasks.benchmark.selection.caps import Caps, Used
from halluvault_tasks.reasoning.grounds import LicenceKind
from halluvault_tasks.statistics.seeds import drawn

Cell = tuple[str, str]


class Block(NamedTuple):
    """Groups that are asked together or not at all."""

    candidates: tuple[Candidate, ...]

    @property
    def identity(self) -> tuple[object, ...]:
        """What draws are made by."""
        return self.candidates[0].identity

    @property
    def licence(self) -> LicenceKind:
        """The weakest that its falsehoods rest on: what is proved alone must stay balanced."""
        return LicenceKind.weakest(one.licence for one in self.candidates)

    def turn(self, seed: int) -> int:
        """Which paraphrase all its groups take."""
        return int(drawn(seed, "turn", *self.identity)[:8], 16)


class Chosen(NamedTuple):
    """One group that will be asked.

    Attributes:
        turn: picks its paraphrase.
        block: number of its block; groups of one block share names and words.
        licence: of its block.
    """

    candidate: Candidate
    turn: int
    block: int
    licence: LicenceKind

    @property
    def size(self) -> int:
        """Number of its cases."""
        return len(self.candidate.members(self.turn))


class Shares(NamedTuple):
    """Most that one of each may make of a suite's cases, from 0 to 1."""

    rule: float = 1.0
    property: float = 1.0
    kind: float = 1.0
    orders: float = 1.0
    """All orders of dates together."""

    given_up: float = 0.0
    """Not a bound, but most of the questions that a month carries that may be given up to come nearer to the bounds."""


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
        beyond: what makes more of the cases than its bound → its share.
    """

    chosen: list[Chosen]
    shortfall: dict[Cell, Owed]
    repeated: int = 0
    beyond: Mapping[str, float] = {}

    @property
    def cases(self) -> int:
        """Number of cases."""
        return sum(one.size for one in self.chosen)


HOPS: Mapping[int, float] = {1: 0.4, 2: 0.3, 3: 0.2, 4: 0.1}
"""Statements that an answer rests on → share of the cases that is wanted; four stands for more, too."""

_KIND_COUNTS = 3.0
_NEAR_ENOUGH = 0.02  # of the target, where it is lowered
_KEPT = 0.5  # of the questions must be left where a bound is kept to the letter
_BOUNDS = ("orders", "kind", "property", "rule")  # in the order in which they are tried, the widest first


def choose(
    blocks: Iterable[Block],
    weights: Mapping[Cell, float],
    target: int,
    *,
    seed: int,
    caps: Caps,
    shares: Shares = Shares(),
    asked: Collection[str] = (),
) -> Selection:
    """Choose blocks until `target` cases are reached or nothing more fits the bounds.

    Laws (tested): never more than `target` cases; no share of the cases chosen above its bound but those in `beyond`;
    no entity above its cap; no pair of entities, no group and no question text twice; blocks whole or not at all; the
    same input in any order gives the same choice.

    Args:
        blocks: what can be asked.
        weights: cell → weight; a cell without one, or with 0, gets nothing.
        target: cases, mutants included.
        seed: of the order.
        caps: per entity.
        shares: bounds.
        asked: questions that the month asks elsewhere.
    """
    material = _Material(blocks, weights, seed)

    def settled(target: int) -> _Picked:
        picked = whole = material.pick(target, caps, shares, asked)
        least = _KEPT * whole.cases
        kept = Shares()
        for name in _BOUNDS:
            tried = kept._replace(**{name: getattr(shares, name)})
            trimmed = whole.trimmed(tried)
            if trimmed.cases >= least:
                picked, kept = trimmed, tried
        return picked

    picked = settled(target)
    if shares.given_up and picked.beyond(shares):
        least = (1 - shares.given_up) * picked.cases
        few, many = int(least), target
        while many - few > max(1, _NEAR_ENOUGH * many):
            between = settled((few + many) // 2)
            if between.cases >= least:
                picked, many = between, (few + many) // 2
            else:
                few = (few + many) // 2
    counted = picked.counted()
    return Selection(picked.chosen(), _shortfall(weights, counted, target), len(picked.repeated), picked.beyond(shares))


def negative(mutation: str) -> bool:
    """Whether a wording is negated: the polarity that balance is kept for."""
    return mutation.endswith("negated")


_Feature = tuple[str, object]


class _Ready(NamedTuple):
    """A block with what is counted of it, found once."""

    block: Block
    turn: int
    questions: tuple[str, ...]
    sizes: tuple[int, ...]
    answers: tuple[tuple[Cell, bool, str], ...]
    bounded: Counter[_Feature]
    """What bounds are about → its cases."""

    wanted: Counter[_Feature]
    """What the objective is about → its cases."""


class _Material:
    """The blocks, in classes of those that count alike."""

    def __init__(self, blocks: Iterable[Block], weights: Mapping[Cell, float], seed: int) -> None:
        self._seed = seed
        self._classes: dict[tuple[object, ...], list[_Ready]] = defaultdict(list)
        for block in blocks:
            first = block.candidates[0]
            if weights.get(first.cell, 0) > 0:
                self._classes[_class(first)].append(_ready(block, seed))
        for several in self._classes.values():
            several.sort(key=lambda one: drawn(seed, *one.block.identity))
        self._quota = _quotas(weights, self._classes)

    def pick(self, target: int, caps: Caps, shares: Shares, asked: Collection[str]) -> "_Picked":
        """Fill up to `target` cases, each bound a share of that."""
        picked = _Picked(target, caps, shares, asked)
        queues = {key: deque(self._classes[key]) for key in sorted(self._classes, key=str)}
        waiting = [(0.0, drawn(self._seed, "class", *key), key) for key in queues]
        heapq.heapify(waiting)
        while waiting and picked.cases < target:
            before, tie, key = heapq.heappop(waiting)
            queue = queues[key]
            if not queue:
                continue
            # Classes only get fuller: one that is as empty as when it was put in is the emptiest.
            now = self._fullness(queue[0], picked, target)
            if now > before + 1e-12:
                heapq.heappush(waiting, (now, tie, key))
                continue
            picked.take(queue.popleft())
            heapq.heappush(waiting, (before, tie, key))
        return picked

    def _fullness(self, one: _Ready, picked: "_Picked", target: int) -> float:
        total = 0.0
        for feature in one.wanted:
            wanted = self._quota.get(feature, 0.0) * target
            share = picked.filled[feature] / wanted if wanted else 0.0
            total += share * (_KIND_COUNTS if feature[0] == "kind" else 1.0)
        return total


def _class(one: Candidate) -> tuple[object, ...]:
    return one.domain, one.kind, one.strand, one.about, one.stratum, min(one.hops, 4)


def _ready(block: Block, seed: int) -> _Ready:
    turn = block.turn(seed)
    members = [one.members(turn) for one in block.candidates]
    bounded: Counter[_Feature] = Counter()
    wanted: Counter[_Feature] = Counter()
    answers: list[tuple[Cell, bool, str]] = []
    for one, several in zip(block.candidates, members, strict=True):
        size = len(several)
        for feature in (("rule", one.strand), ("property", one.about), ("kind", one.kind)):
            bounded[feature] += size
        if one.order:
            bounded["orders", ""] += size
        about: tuple[_Feature, ...] = (
            ("kind", one.kind), ("rule", one.strand), ("domain", one.domain), ("hops", min(one.hops, 4)),
            ("stratum", one.stratum),
        )  # fmt: skip
        for name in about:
            wanted[name] += size
        answers += [(one.cell, negative(m.mutation), gold_of(one.truth, m.opposed)) for m in several]
    questions = tuple(member.question for asked in members for member in asked)
    return _Ready(block, turn, questions, tuple(map(len, members)), tuple(answers), bounded, wanted)


def _quotas(
    weights: Mapping[Cell, float], classes: Mapping[tuple[object, ...], Sequence[_Ready]]
) -> dict[_Feature, float]:
    """Of each feature the share of the cases that is wanted: kinds by weight, the others evenly, hops by `HOPS`."""
    kinds: dict[str, float] = {}
    for (_, kind), weight in weights.items():
        kinds[kind] = max(weight, kinds.get(kind, 0.0))
    there = sorted({feature for several in classes.values() for one in several for feature in one.wanted}, key=str)
    number = Counter(name for name, _ in there)
    quota: dict[_Feature, float] = {}
    for name, value in there:
        if name == "kind":
            quota[name, value] = kinds.get(str(value), 0.0) / sum(kinds.values())
        elif name == "hops":
            quota[name, value] = HOPS.get(value, 0.1) if isinstance(value, int) else 0.1
        else:
            quota[name, value] = 1 / number[name]
    return quota


class _Picked:
    """What has been chosen so far."""

    def __init__(self, target: int, caps: Caps, shares: Shares, asked: Collection[str]) -> None:
        self._target, self._shares = target, shares
        self._asked = set(asked)
        self.repeated: set[tuple[object, ...]] = set()
        self._used = Used(caps)
        self.filled: Counter[_Feature] = Counter()
        self._bounded: Counter[_Feature] = Counter()
        self._taken: list[_Ready] = []
        self.cases = 0

    def take(self, one: _Ready) -> None:
        """Take a block if it fits; one that does not is let go."""
        size = len(one.questions)
        candidates = one.block.candidates
        if self.cases + size > self._target or not self._within(one):
            return
        if len(set(one.questions)) < size or not self._asked.isdisjoint(one.questions):
            self.repeated.update(candidate.identity for candidate in candidates)
            return
        if not self._used.free(candidates):
            return
        self._asked.update(one.questions)
        self._used.take(candidates)
        self.cases += size
        self._bounded.update(one.bounded)
        self.filled.update(one.wanted)
        self._taken.append(one)

    def trimmed(self, shares: Shares) -> "_Picked":
        """What is left when blocks are given back, the last ones first, until no share is beyond its bound."""
        left = copy(self)
        left._taken, left._bounded = self._taken.copy(), self._bounded.copy()
        while left._taken:
            over = [
                (number / (_bound(shares, feature) * left.cases), str(feature), feature)
                for feature, number in left._bounded.items()
                if number > _bound(shares, feature) * left.cases
            ]
            if not over:
                break
            _, _, worst = max(over)
            at = next(at for at in range(len(left._taken) - 1, -1, -1) if worst in left._taken[at].bounded)
            gone = left._taken.pop(at)
            left.cases -= len(gone.questions)
            left._bounded.subtract(gone.bounded)
        return left

    def beyond(self, shares: Shares) -> dict[str, float]:
        """What makes more of the cases than its bound → its share."""
        return {
            " ".join(map(str, feature)).strip(): round(number / self.cases, 4)
            for feature, number in sorted(self._bounded.items(), key=str)
            if self.cases and number > _bound(shares, feature) * self.cases
        }

    def chosen(self) -> list[Chosen]:
        """The groups, in the order of choice."""
        return [
            Chosen(candidate, one.turn, number, one.block.licence)
            for number, one in enumerate(self._taken)
            for candidate in one.block.candidates
        ]

    def counted(self) -> dict[Cell, Counter[tuple[bool, str]]]:
        """Cell → cases by polarity of wording and answer."""
        found: dict[Cell, Counter[tuple[bool, str]]] = defaultdict(Counter)
        for one in self._taken:
            for cell, polarity, gold in one.answers:
                found[cell][polarity, gold] += 1
        return found

    def _within(self, one: _Ready) -> bool:
        return all(
            self._bounded[feature] + number <= _bound(self._shares, feature) * self._target
            for feature, number in one.bounded.items()
        )


def _bound(shares: Shares, feature: _Feature) -> float:
    return float(getattr(shares, feature[0]))


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


def _apportioned(total: int, parts: Sequence[float]) -> Iterator[int]:
    """Whole numbers in the proportion of `parts` that add up to `total`."""
    before, so_far = 0, 0.0
    for part in parts:
        so_far += part
        upto = round(total * so_far / sum(parts))
        yield upto - before
        before = upto
