"""Which facts become questions: by design, not by what is plentiful.

What is chosen is a block: groups whose yes and no weigh each other up wording by wording, so that no word tells the
answer (`balanced_groups`). A suite is filled in two steps. First up to its floors (`ShareBound.at_least`), what is
scarcest against its floor before all else, so that what is plentiful takes no place, name or property from it; then
evenly: the next block is always of the class that is emptiest against what is wanted of its kind, rule, domain, number
of hops and popularity, the kind counting three times.

No feature goes beyond its ceiling (`ShareBound.at_most`), a share of what there is in the end, not of what was wished
for: the suite is made as large as its ceilings let it, and the floors that it has at its least size. If its ceilings
let it have less than `least`, all are raised alike, no further than `least` takes, and what is beyond is told. What a
floor lacks is told, and never made up from what is plentiful.
"""

import heapq
import math
from collections import Counter, defaultdict, deque
from collections.abc import Callable, Collection, Container, Iterable, Mapping
from copy import copy
from typing import NamedTuple

from halluvault_tasks.benchmark.cases.candidate import Candidate
from halluvault_tasks.benchmark.selection.bounds import BoundStanding, ShareBound, SuiteBounds
from halluvault_tasks.benchmark.selection.caps import Caps, Used
from halluvault_tasks.benchmark.selection.features import FEATURES, Feature, Read, family
from halluvault_tasks.reasoning.grounds import LicenceKind
from halluvault_tasks.statistics.seeds import drawn

Cell = tuple[str, str]


class Block(NamedTuple):
    """Groups that are asked together or not at all."""

    candidates: tuple[Candidate, ...]

    @property
    def identity(self) -> tuple[object, ...]:
        """What draws are made by, whichever of its groups was found first."""
        return min((one.identity for one in self.candidates), key=str)

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


class Design(NamedTuple):
    """What a suite is to be like.

    Attributes:
        weights: cell → weight; a cell without one, or with 0, gets nothing.
        target: most cases, mutants included.
        caps: per entity, and per fact.
        seed: of the order.
        least: cases below which no ceiling makes it smaller.
        bounds: shares.
        features: what bounds are about.
    """

    weights: Mapping[Cell, float]
    target: int
    caps: Caps
    seed: int
    least: int = 0
    bounds: tuple[ShareBound, ...] = ()
    features: Mapping[str, Read] = FEATURES

    @property
    def counted(self) -> Mapping[str, Read]:
        """The features that this suite is bounded by or spread over: to read a shape takes long."""
        names = {*_EVEN, *(bound.feature for bound in self.bounds)}
        return {name: read for name, read in self.features.items() if name in names}


class Selection(NamedTuple):
    """The chosen groups, in the order of choice, and how they stand to what was wanted.

    Attributes:
        standings: to each bound.
        passed_over: cell and what a block met (a feature at its ceiling, a cap) → groups.
        repeated: groups that were passed over because a question of theirs, or of their block, is asked already.
    """

    chosen: list[Chosen]
    standings: list[BoundStanding]
    passed_over: Mapping[tuple[Cell, str], int]
    repeated: int = 0

    @property
    def cases(self) -> int:
        """Number of cases."""
        return sum(one.size for one in self.chosen)


HOPS: Mapping[str, float] = {"1": 0.4, "2": 0.3, "3": 0.2, "4": 0.1}
"""Statements that an answer rests on → share of the cases that is wanted; four stands for more, too."""

_EVEN = ("kind", "rule", "domain", "hops", "stratum")
"""Features that a suite is spread over."""

_KIND_COUNTS = 3.0
_NEAR_ENOUGH = 0.01  # of the target: how closely the largest size is looked for
_NEARLY, _AGAIN = 0.95, 3  # of a size is there, and what lacks are blocks that are too large: so often it is tried
_FREE = 100.0  # times its ceiling, and so anything
_RAISED = 1.05  # how closely the least slack is looked for
_MOST_OF = 0.98  # of the least is as good as all: the last blocks are those that nothing has room for

_TOLERANCE = 1.1
"""Times a ceiling for what stood before (semantics.md A7)."""

REPEATED = "asked already in the same words"


class Supply:
    """What a suite can be chosen from: blocks with what is counted of each, found once.

    Args:
        blocks: what can be asked.
        design: what the suite is to be like.
        stood: groups with mutations that were asked before. Blocks all of whose wordings were are chosen first, and
            their ceilings are a tenth higher: balance is repaired by adding.
    """

    def __init__(self, blocks: Iterable[Block], design: Design, stood: Collection[tuple[str, str]] = ()) -> None:
        features, self._before = design.counted, frozenset(stood)
        weighed = (block for block in blocks if design.weights.get(block.candidates[0].cell, 0) > 0)
        self._ready = [_ready(block, design.seed, features, self._before) for block in weighed]
        self._ready.sort(key=lambda one: drawn(design.seed, *one.block.identity))
        self._design = design

    def without(self, groups: Container[str]) -> "Supply":
        """The same but for the blocks that one of these groups is in."""
        fewer = copy(self)
        fewer._ready = [one for one in self._ready if not any(group in groups for group in one.groups)]
        return fewer

    def only(self, groups: Container[str]) -> "Supply":
        """The blocks of these groups alone."""
        fewer = copy(self)
        fewer._ready = [one for one in self._ready if one.groups[0] in groups]
        return fewer

    def choose(self, asked: Collection[str] = ()) -> Selection:
        """Choose blocks until the target is reached or nothing more fits.

        Laws (tested): never more than `target` cases; no share of the cases chosen above its ceiling but those that
        `standings` tell, and those only where the suite is no larger than `least`; no entity above its cap; no pair of
        entities, no group and no question text twice; blocks whole or not at all; the same input in any order gives the
        same choice.

        Args:
            asked: questions that the month asks elsewhere.
        """
        filling = _Filling(self._ready, self._design, asked)
        target = self._design.target
        least = min(self._design.least, target)
        found = filling.pick(target)
        if found.beyond() or (least and found.lacks()):
            fewest, few = filling.fewest(least), filling.fewest(min(filling.standing, target))
            if few and least < few.target:
                # What stood does not go so that fewer keep a floor: balance is repaired by adding (semantics.md A7).
                # Where that does not do, as many come as went, and the floor is told.
                anew = _Filling([one._replace(stood=False) for one in self._ready], self._design, asked)
                lacking = anew.pick(least).lacks()
                found = _largest(filling.pick, few, target, lacking)
                if found.cases < (asked_before := min(target, len(self._before))):
                    found = _largest(filling.pick, few, asked_before + 1, lacking | few.lacks())
            elif fewest:
                found = _largest(filling.pick, fewest, target, fewest.lacks())
            else:
                found = _least(lambda slack: filling.pick(least, slack), least)
        return found.selection()

    def akin(self, groups: Container[str]) -> list[Candidate]:
        """All facts of the rules and domains of some groups."""
        every = [one for ready in self._ready for one in ready.block.candidates]
        of = {(one.domain, one.strand) for one in every if one.group in groups}
        return [one for one in every if (one.domain, one.strand) in of]


def choose(
    blocks: Iterable[Block], design: Design, *, asked: Collection[str] = (), stood: Collection[tuple[str, str]] = ()
) -> Selection:
    """Choose once (`Supply`)."""
    return Supply(blocks, design, stood).choose(asked)


def _largest(picked: Callable[[int], "_Picked"], found: "_Picked", many: int, lacking: set[Feature]) -> "_Picked":
    """The largest suite within its ceilings and all floors but those that lack anyway: at least as many cases as were
    found, and fewer than `many`."""
    few, near = found.target, max(1, int(_NEAR_ENOUGH * many))
    while many - few > near:
        middle = (few + many) // 2
        between = _settled(picked, middle, max(few, int(_NEARLY * middle)))
        if between.beyond() or (few and between.lacks() - lacking):
            many = middle
        else:
            few, found = middle, between
    return found


def _settled(picked: Callable[[int], "_Picked"], size: int, few: int) -> "_Picked":
    """A suite of a size, or of more than `few` cases: blocks are whole, so that a few may lack of that of which the
    ceilings are shares."""
    found = picked(size)
    for _ in range(_AGAIN):
        if found.beyond() and found.cases > few:
            found = picked(found.cases)
    return found


def _least(picked: Callable[[float], "_Picked"], least: int) -> "_Picked":
    """A suite of so many cases, or all that there are, whose ceilings are raised as little as that takes."""
    low, high = 1.0, _FREE
    found = picked(high)
    enough = _MOST_OF * min(least, found.cases)
    while high / low > _RAISED:
        between = picked(math.sqrt(low * high))
        if between.cases >= enough:
            found, high = between, between.slack
        else:
            low = between.slack
    return found


def negative(mutation: str) -> bool:
    """Whether a wording is negated: the polarity that balance is kept for."""
    return mutation.endswith("negated")


class _Ready(NamedTuple):
    """A block with what is counted of it, found once."""

    block: Block
    groups: tuple[str, ...]
    turn: int
    questions: tuple[str, ...]
    counted: Counter[Feature]
    """Of its cases."""

    like: tuple[str, ...]
    """Blocks that count alike have the same."""

    stood: bool
    """All its wordings were asked before."""


class _Filling:
    """Fills suites of any size from blocks in classes of those that count alike."""

    def __init__(self, ready: Iterable[_Ready], design: Design, asked: Collection[str]) -> None:
        self._design, self._asked = design, asked
        self._stood: list[_Ready] = []
        self._classes: dict[tuple[str, ...], list[_Ready]] = defaultdict(list)
        self._there: Counter[Feature] = Counter()
        for one in ready:
            self._there.update(one.counted)
            (self._stood if one.stood else self._classes[one.like]).append(one)
        self._bounds = SuiteBounds(design.bounds, [*self._there, *_wanted(design.weights)])
        self._quota = _quotas(design.weights, self._there)
        self._even = {key: self._weighed(several[0]) for key, several in self._classes.items()}

    @property
    def standing(self) -> int:
        """Cases of the blocks that stood."""
        return sum(len(one.questions) for one in self._stood)

    def fewest(self, few: int) -> "_Picked | None":
        """A suite of so many cases within its ceilings; None where there is none."""
        found = _settled(self.pick, few, int(_MOST_OF * few))
        return None if found.beyond() or found.cases < _MOST_OF * few else found

    def pick(self, target: int, slack: float = 1.0) -> "_Picked":
        """Fill up to `target` cases, each floor a share of that, and each ceiling times the slack."""
        picked = _Picked(target, slack, self._design.caps, self._bounds, self._asked)
        for one in self._stood:
            picked.take(one)
        queues = {key: deque(self._classes[key]) for key in sorted(self._classes)}
        for feature, share in self._scarcest_first():
            self._fill(picked, queues, share * target, feature)
        self._fill(picked, queues, target)
        return picked

    def _scarcest_first(self) -> list[tuple[Feature, float]]:
        """Floors by how far what there is would reach."""
        floors = self._bounds.floors.items()
        return sorted(floors, key=lambda item: (self._there[item[0]] / item[1], item[0]))

    def _fill(
        self, picked: "_Picked", queues: Mapping[tuple[str, ...], deque[_Ready]], upto: float, of: Feature | None = None
    ) -> None:
        """Take blocks until there are `upto` cases, or such of a feature; always of the emptiest class."""
        there = [key for key, queue in queues.items() if queue and (of is None or of in queue[0].counted)]
        waiting = [(0.0, drawn(self._design.seed, "class", *key), key) for key in there]
        heapq.heapify(waiting)
        while waiting and (picked.counted[of] if of else picked.cases) < upto:
            _, tie, key = waiting[0]
            # Classes only get fuller: one that is no fuller now than any other was is the emptiest.
            now = (self._fullness(key, picked), tie, key)
            heapq.heapreplace(waiting, now)
            if waiting[0] == now:
                picked.take(queues[key].popleft())
                if not queues[key]:
                    heapq.heappop(waiting)

    def _fullness(self, key: tuple[str, ...], picked: "_Picked") -> float:
        return sum(picked.counted[feature] * weight for feature, weight in self._even[key]) / picked.target

    def _weighed(self, one: _Ready) -> list[tuple[Feature, float]]:
        """What a class is spread by → how much a case of it fills that."""
        quotas = ((feature, self._quota.get(feature, 0.0)) for feature in one.counted)
        return [
            (feature, (_KIND_COUNTS if feature.name == "kind" else 1.0) / quota) for feature, quota in quotas if quota
        ]


_LOOSE = "shape"
"""The feature that the questions of a group differ in, and so may blocks of one class."""


def _ready(block: Block, seed: int, features: Mapping[str, Read], stood: frozenset[tuple[str, str]]) -> _Ready:
    turn = block.turn(seed)
    asked = [(one, one.members(turn)) for one in block.candidates]
    counted: Counter[Feature] = Counter()
    like = []
    for name, read in features.items():
        if name == _LOOSE:
            counted.update(Feature(name, read(one, member)) for one, members in asked for member in members)
            continue
        values = [(read(one, members[0]), len(members)) for one, members in asked]
        like.append("|".join(sorted({value for value, _ in values})))
        for value, number in values:
            if value:
                counted[Feature(name, value)] += number
    groups = tuple(one.group for one in block.candidates)
    members_of = zip(groups, (members for _, members in asked), strict=True)
    again = bool(stood) and stood.issuperset(
        (group, each.mutation) for group, members in members_of for each in members
    )
    questions = tuple(member.question for _, members in asked for member in members)
    return _Ready(block, groups, turn, questions, counted, tuple(like), again)


def _wanted(weights: Mapping[Cell, float]) -> Iterable[Feature]:
    """Cells with a weight, their domains and kinds: wanted, whether anything is there or not."""
    for (domain, kind), weight in weights.items():
        if weight > 0:
            yield Feature("domain", domain)
            yield Feature("kind", family(kind))
            yield Feature("cell", f"{domain}/{family(kind)}")


def _quotas(weights: Mapping[Cell, float], there: Collection[Feature]) -> dict[Feature, float]:
    """Of each feature the share of the cases that is wanted: kinds by weight, the others evenly, hops by `HOPS`."""
    of_kind: dict[str, dict[str, float]] = defaultdict(dict)
    for (_, kind), weight in weights.items():
        of_kind[family(kind)][kind] = max(weight, of_kind[family(kind)].get(kind, 0.0))
    kinds = {name: sum(several.values()) for name, several in of_kind.items()}
    number = Counter(feature.name for feature in there)
    quota: dict[Feature, float] = {}
    for feature in there:
        if feature.name == "kind":
            quota[feature] = kinds.get(feature.value, 0.0) / sum(kinds.values())
        elif feature.name == "hops":
            quota[feature] = HOPS[feature.value]
        elif feature.name in _EVEN:
            quota[feature] = 1 / number[feature.name]
    return quota


class _Picked:
    """What has been chosen so far."""

    def __init__(self, target: int, slack: float, caps: Caps, bounds: SuiteBounds, asked: Collection[str]) -> None:
        self.target, self.slack, self._bounds = target, slack, bounds
        self._asked = set(asked)
        self._repeated = 0
        self._passed_over: Counter[tuple[Cell, str]] = Counter()
        self._used = Used(caps)
        self.counted: Counter[Feature] = Counter()
        self._stood: Counter[Feature] = Counter()
        self._taken: list[_Ready] = []
        self.cases = 0

    def take(self, one: _Ready) -> None:
        """Take a block if it fits; one that does not is let go, since whatever it met only gets fuller."""
        candidates = one.block.candidates
        if met := self._met(one):
            self._passed_over.update((each.cell, met) for each in candidates)
            self._repeated += len(candidates) if met == REPEATED else 0
            return
        self._asked.update(one.questions)
        self._used.take(candidates)
        self.cases += len(one.questions)
        self.counted.update(one.counted)
        if one.stood:
            self._stood.update(one.counted)
        self._taken.append(one)

    def beyond(self) -> bool:
        """Whether a feature is beyond its ceiling."""
        return any(number > self._room(feature, self.cases) for feature, number in self.counted.items())

    def lacks(self) -> set[Feature]:
        """The features that are below their floors."""
        floors = self._bounds.floors.items()
        return {feature for feature, share in floors if self.counted[feature] < share * self.cases}

    def selection(self) -> Selection:
        """The groups, in the order of choice, and how they stand."""
        chosen = [
            Chosen(candidate, one.turn, number, one.block.licence)
            for number, one in enumerate(self._taken)
            for candidate in one.block.candidates
        ]
        standings = self._bounds.standings(self.counted, self.cases)
        return Selection(chosen, standings, dict(self._passed_over), self._repeated)

    def _room(self, feature: Feature, cases: int) -> float:
        """The most cases of a feature among so many: a tenth more where they are those that stood before."""
        ceiling = self._bounds.ceiling(feature) * cases
        return max(ceiling, min(self._stood[feature], _TOLERANCE * ceiling))

    def _met(self, one: _Ready) -> str:
        """What a block does not fit; empty: it fits."""
        if self.cases + len(one.questions) > self.target:
            return "the suite is full"
        for feature, number in one.counted.items():
            tolerance = _TOLERANCE if one.stood else 1.0
            ceiling = self._bounds.ceiling(feature) * self.slack * self.target
            if self.counted[feature] + number > tolerance * ceiling:
                return f"{feature} is at its bound"
        if len(set(one.questions)) < len(one.questions) or not self._asked.isdisjoint(one.questions):
            return REPEATED
        return self._used.met(one.block.candidates)
