"""Groups that balance each other, so that neither a word nor a name tells the answer.

- a relation that runs one way, asked both ways round: one group, the same words, yes and no;
- two true facts of a property with exactly one value, and the same two with their values exchanged, where both of
  those are licensed as false (`swaps`): four groups, each subject, object and wording twice yes and twice no;
- a formula that holds at one time and does not at another: two groups, for decades of two or three events;
- statements that people found to be false, in a ring with true ones of the same words (`_rings`): each subject and each
  object has a yes and a no;
- what is left and true has no sound No: it is for the suite `recall`; what is left and false has nothing to be weighed
  against and is not asked.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from halluvault_tasks.benchmark.cases.candidate import Candidate
from halluvault_tasks.benchmark.cases.hindrances import Hindrance, Unasked
from halluvault_tasks.benchmark.selection.balance import Block
from halluvault_tasks.benchmark.selection.grid import CellPool
from halluvault_tasks.benchmark.selection.stood import NOTHING, Stood
from halluvault_tasks.statistics.seeds import drawn

_PAIR = 2
_LONGEST = 3  # false facts of a ring, and as many true ones
_LOOKED_AT = 20  # ways on from an object, and from a subject, so that work grows with the number of facts only


class Blocks(NamedTuple):
    """What can be chosen from, and why the rest cannot: reason → facts; and what there is for each cell."""

    blocks: list[Block]
    dropped: Counter[Unasked]
    pool: CellPool = CellPool()


class Gathered(NamedTuple):
    """What a month carries, for the suites relation and recall."""

    balanced: list[Block]
    true_only: list[Block]
    """Nothing shows that the like of it is false, so that its affirmative question is always a yes."""

    dropped: Counter[Unasked]
    pool: CellPool = CellPool()


def relation_blocks(
    candidates: Iterable[Candidate], swaps: Iterable[Sequence[Candidate]], *, seed: int, stood: Stood = NOTHING
) -> Gathered:
    """Blocks of the suites relation and recall.

    Args:
        candidates: groups by themselves.
        swaps: fours that balance each other; their true ones are among the candidates.
        seed: of draws.
        stood: what was asked before.
    """
    found = [Block(tuple(four)) for four in swaps]
    paired = {one.identity for block in found for one in block.candidates}
    alone: list[Candidate] = []
    for one in candidates:
        if one.balanced:
            found.append(Block((one,)))
        elif one.identity not in paired:
            alone.append(one)
    rings = stood.first(alone, lambda several: _rings(several, seed), lambda one: one)
    found += map(Block, rings)
    paired = {one.identity for ring in rings for one in ring}
    left = [one for one in alone if one.identity not in paired]
    dropped = Counter({Hindrance.UNPAIRED(): number} if (number := sum(not one.truth for one in left)) else {})
    return Gathered(found, [Block((one,)) for one in left if one.truth], dropped)


def _rings(alone: Iterable[Candidate], seed: int) -> list[tuple[Candidate, ...]]:
    """False facts in rings with true ones of their words: each subject and each object has one yes and one no."""
    families: dict[str, tuple[list[Candidate], list[Candidate]]] = defaultdict(lambda: ([], []))
    for one in alone:
        families[one.family][one.truth].append(one)
    found = []
    for family in sorted(families):
        false, true = (
            sorted(several, key=lambda one: drawn(seed, "ring", *one.identity)) for several in families[family]
        )
        edges = _Edges(false, true)
        for one in false:
            if one.identity not in edges.taken and (ring := edges.ring([one], [])):
                edges.taken |= {each.identity for each in ring}
                found.append(ring)
    return found


class _Edges:
    """Facts of one wording between subjects and objects, those that are in a ring and those that are not."""

    def __init__(self, false: Iterable[Candidate], true: Iterable[Candidate]) -> None:
        self.taken: set[tuple[object, ...]] = set()
        self._false: dict[int, list[Candidate]] = defaultdict(list)
        self._true: dict[int | None, list[Candidate]] = defaultdict(list)
        for one in false:
            self._false[one.subject].append(one)
        for one in true:
            if one.subject in self._false:
                self._true[one.object].append(one)

    def ring(self, false: list[Candidate], true: list[Candidate]) -> tuple[Candidate, ...]:
        """A ring that goes on from these: no of s1 and o1, yes of o1 and s2, no of s2 and o2 … back to s1; () if none.

        Args:
            false: so far; the true ones lead from the object of each to the subject of the next.
            true: so far, one less.
        """
        subjects, objects = {one.subject for one in false}, {one.object for one in false}
        near = [one for one in self._true[false[-1].object] if one.identity not in self.taken]
        if len(false) > 1 and (last := next((one for one in near if one.subject == false[0].subject), None)):
            return (*true, last, *false)
        if len(false) == _LONGEST:
            return ()
        ways = (
            (one, other)
            for one in near[:_LOOKED_AT]
            if one.subject not in subjects
            for other in self._false[one.subject][:_LOOKED_AT]
            if other.identity not in self.taken and other.object not in objects
        )
        return next(filter(None, (self.ring([*false, other], [*true, one]) for one, other in ways)), ())


def temporal_blocks(candidates: Iterable[Candidate], stood: Stood = NOTHING) -> Blocks:
    """Blocks of the temporal suite: a formula's true time with its false one; of decades two or three such pairs.

    Args:
        candidates: groups by themselves.
        stood: what was asked before.
    """
    formulas: dict[object, list[Candidate]] = defaultdict(list)
    stories: dict[tuple[object, ...], list[Candidate]] = defaultdict(list)
    terms: list[Candidate] = []
    for one in candidates:
        formula, _, granularity = one.identity
        if one.paired and one.ring:
            terms.append(one)
        else:
            (stories[one.paired] if one.paired else formulas[formula, granularity]).append(one)
    found, dropped = _paired(stories, stood)
    exchanged_events = stood.first(terms, lambda several: _rings(several, seed=0), lambda one: one)
    found += map(Block, exchanged_events)
    if alone := len(terms) - sum(map(len, exchanged_events)):
        dropped[Hindrance.STORY_UNMATCHED()] += alone
    decades: list[Block] = []
    for several in formulas.values():
        true = sorted((one for one in several if one.truth), key=lambda one: one.identity)
        false = sorted((one for one in several if not one.truth), key=lambda one: one.identity)
        for pair in zip(true, false, strict=False):
            (found if None in (pair[0].decade, pair[1].decade) else decades).append(Block(pair))
        if alone := abs(len(true) - len(false)):
            dropped[Hindrance.ONE_WAY()] += alone
    exchanged = _decades(decades, stood)
    return Blocks(found + exchanged.blocks, dropped + exchanged.dropped)


def _paired(
    stories: Mapping[tuple[object, ...], Sequence[Candidate]], stood: Stood
) -> tuple[list[Block], Counter[Unasked]]:
    """A true and a false fact of the same words; nobody and nothing is in two such blocks.

    Who is in a true story of one block and in a false one of another tells the opposite: "Mailer lived" was a yes here,
    so that it is a no there. Words alone were right on 46.7 % [45.1, 48.3] of the sample's temporal suite.
    """
    found: list[Block] = []
    dropped: Counter[Unasked] = Counter()
    taken: set[int] = set()
    for several in stood.together((one for alike in stories.values() for one in alike), lambda one: one):
        if len(several) == _PAIR and several[0].truth is not several[1].truth:
            found.append(Block(tuple(sorted(several, key=lambda one: not one.truth))))
            taken.update(*(one.entities for one in several))
    again = {one.identity for block in found for one in block.candidates}
    # What joins two first, and of that what is rare, since it has the least choice.
    for key in sorted(stories, key=lambda key: (stories[key][0].object is None, _carried(stories[key]), str(key))):
        waiting: dict[bool, list[Candidate]] = {True: [], False: []}
        for one in stories[key]:
            others = waiting[not one.truth]
            if one.identity in again:
                continue
            if not taken.isdisjoint(one.entities):
                dropped[Hindrance.STORY_ASKED()] += 1
            elif match := next((each for each in others if taken.isdisjoint(each.entities)), None):
                others.remove(match)
                found.append(Block(tuple(sorted((one, match), key=lambda each: not each.truth))))
                taken.update(one.entities, match.entities)
            else:
                waiting[one.truth].append(one)
        dropped[Hindrance.STORY_UNMATCHED()] += sum(map(len, waiting.values()))
    return found, +dropped


def _carried(several: Iterable[Candidate]) -> int:
    """Most blocks of a true and a false one."""
    true = [one.truth for one in several]
    return min(true.count(True), true.count(False))


def _decades(pairs: Sequence[Block], stood: Stood) -> Blocks:
    """Two or three events of a kind that happened in each other's wrong decades: else a decade would tell the answer.

    Most people of a source were born in few decades, so that the others would be named in false questions above all.
    """
    waiting = _Decades()
    found = []
    # Those of one former block wait for each other alone.
    for former in stood.together(pairs, lambda pair: pair.candidates[0]):
        again = _Decades()
        for pair in former:
            if ring := again.ring(pair):
                found.append(Block(tuple(one for each in ring for one in each.candidates)))
            else:
                again.add(pair)
        waiting.asked |= again.asked
    known = {one.identity for block in found for one in block.candidates}
    for pair in pairs:
        if pair.candidates[0].identity in known:
            continue
        if ring := waiting.ring(pair):
            found.append(Block(tuple(one for each in ring for one in each.candidates)))
        else:
            waiting.add(pair)
    dropped: Counter[Unasked] = Counter()
    for pair in waiting.left():
        dropped[Hindrance.REPEATED() if waiting.asked & _questions(pair) else Hindrance.UNEXCHANGED()] += len(
            pair.candidates
        )
    return Blocks(found, dropped)


class _Decades:
    """Pairs that wait for others, by the kind of event and the right and the wrong decade."""

    def __init__(self) -> None:
        self.asked: set[str] = set()
        self._waiting: dict[tuple[str | int, ...], dict[int, dict[int, list[Block]]]] = defaultdict(
            lambda: defaultdict(lambda: defaultdict(list))
        )

    def add(self, pair: Block) -> None:
        right, wrong = _right_and_wrong(pair)
        self._waiting[_exchanged_among(pair)][right][wrong].append(pair)

    def left(self) -> Iterable[Block]:
        """What found no other."""
        return [
            one for by in self._waiting.values() for of in by.values() for several in of.values() for one in several
        ]

    def ring(self, pair: Block) -> list[Block]:
        """A pair with one or two that waited, each right of the decade that is wrong of the one before; or nothing."""
        (right, wrong), kind = _right_and_wrong(pair), _exchanged_among(pair)
        if self.asked & _questions(pair):
            return []
        found = self._path(kind, wrong, right, _questions(pair))
        for one in found:
            self._waiting[kind][_right_and_wrong(one)[0]][_right_and_wrong(one)[1]].remove(one)
        ring = [pair, *found] if found else []
        self.asked.update(*map(_questions, ring))
        return ring

    def _path(self, kind: tuple[str | int, ...], first: int, last: int, used: set[str]) -> list[Block]:
        """Pairs that lead from a right decade to a wrong one: one, else two."""
        if direct := self._free(kind, first, last, used):
            return [direct]
        for between in sorted(self._waiting[kind][first]):
            one = self._free(kind, first, between, used)
            other = one and self._free(kind, between, last, used | _questions(one))
            if one and other:
                return [one, other]
        return []

    def _free(self, kind: tuple[str | int, ...], right: int, wrong: int, used: set[str]) -> Block | None:
        several = self._waiting[kind][right][wrong]
        return next((one for one in several if not (self.asked | used) & _questions(one)), None)


def _exchanged_among(pair: Block) -> tuple[str | int, ...]:
    """What pairs must share to be exchanged: the kind of event, of terms the office."""
    one = pair.candidates[0]
    return (one.event, *one.ring)


def _right_and_wrong(pair: Block) -> tuple[int, int]:
    """The decade that a pair asks about rightly, and the one that it does not."""
    right, wrong = sorted(pair.candidates, key=lambda one: one.truth == one.wordings.denies)
    assert right.decade is not None and wrong.decade is not None
    return right.decade, wrong.decade


def _questions(pair: Block) -> set[str]:
    return {one.wordings.original for one in pair.candidates}
