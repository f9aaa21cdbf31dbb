"""Difficulty of the blocks that a month can ask: how well known, how many steps, how near what is false, what is news.

A block is asked whole, so it is as hard as its hardest member, and all its members count as that: else what is hard
would be a no more often than a yes.
"""

from bisect import bisect_right
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import NamedTuple

from halluvault_tasks.benchmark.cases.candidate import Candidate
from halluvault_tasks.benchmark.cases.difficulty import Difficulty, FameLevel, FoilNearness, hardest
from halluvault_tasks.benchmark.selection.balance import Block
from halluvault_tasks.knowledge.links import Links
from halluvault_tasks.reasoning.records import Composed
from halluvault_tasks.reasoning.world.containment import Containment

_THIRDS = (FameLevel.LEAST, FameLevel.MIDDLE, FameLevel.BEST)

_CLOSE, _AKIN = 2, 5
"""Most years, or other units, between a right and a wrong number that are close, and that are akin."""


def rests_on(one: Candidate) -> Sequence[int]:
    """Statements that a fact of the relation suite is found by, before it is proved."""
    return one.fact.evidence


class Surroundings(NamedTuple):
    """One snapshot, as far as difficulty goes by it.

    Attributes:
        fame: of entities (`EntityIndex.fame`); 0 for those that it lacks.
        tail: entities that hardly anybody knows (`knowledge.fame.FameCounts.tail`).
        links: what belongs together.
        containment: classes and countries.
    """

    fame: Mapping[int, float]
    tail: frozenset[int] = frozenset()
    links: Links = Links({}, {})
    containment: Containment = Containment()


def stratified(
    blocks: Iterable[Block], around: Surroundings, news: Callable[[Candidate], bool] = lambda _: False
) -> list[Block]:
    """The blocks with each candidate's fame, that of the least known that it names, and its block's difficulty.

    Args:
        blocks: all that a suite can ask, whose candidates are ranked together.
        around: what is known of the snapshot.
        news: whether a fact rests on a statement that changed.
    """
    there = list(blocks)
    between = edges(_fame(one.entities, around) for block in there for one in block.candidates)
    return [_placed(block, around, between, news) for block in there]


def edges(fames: Iterable[float]) -> list[float]:
    """Where one third of these ends and the next begins; none where there are none."""
    known = sorted(fames)
    return [known[len(known) * n // len(_THIRDS)] for n in range(1, len(_THIRDS))] if known else []


def least_known(fame: float, between: Sequence[float]) -> bool:
    """Whether a fame is of the least known third."""
    return bisect_right(between, fame) == 0


def _fame(entities: Sequence[int], around: Surroundings) -> float:
    return min((around.fame.get(qid, 0.0) for qid in entities), default=0.0)


def renown(named: Iterable[int], fame: float, around: Surroundings, between: Sequence[float]) -> FameLevel:
    """How well the least known of what is named is known, among all that can be asked about.

    Args:
        named: items.
        fame: of the least known.
        around: what is known of the snapshot.
        between: `edges` of all fames.
    """
    if not around.tail.isdisjoint(named):
        return FameLevel.TAIL
    return _THIRDS[bisect_right(between, fame)]


def _placed(block: Block, around: Surroundings, between: Sequence[float], news: Callable[[Candidate], bool]) -> Block:
    fames = [_fame(one.entities, around) for one in block.candidates]
    known = zip(block.candidates, fames, strict=True)
    difficulty = Difficulty(
        renown=hardest(renown(one.entities, fame, around, between) for one, fame in known),
        steps=max(one.hops for one in block.candidates),
        bridged=any(isinstance(one.source, Composed) for one in block.candidates),
        nearness=nearness(block, around),
        precision=block.candidates[0].precision,
        changed=any(map(news, block.candidates)),
        fame=min(fames),
    )
    placed = (one._replace(fame=fame, difficulty=difficulty) for one, fame in zip(block.candidates, fames, strict=True))
    return Block(tuple(placed))


def nearness(block: Block, around: Surroundings) -> FoilNearness:
    """How near the false facts of a block lie to the true ones of the same subject, or formula: the farthest one."""
    if all(one.balanced for one in block.candidates):
        return FoilNearness.CLOSE
    true = {_about(one): one for one in block.candidates if one.truth}
    pairs = [(true.get(_about(one)), one) for one in block.candidates if not one.truth]
    levels = [_near(right, wrong, around) if right else FoilNearness.ALONE for right, wrong in pairs]
    return max(levels, key=list(FoilNearness).index, default=FoilNearness.ALONE)


def _about(one: Candidate) -> object:
    """What a right and a wrong fact have in common: the subject, or the formula."""
    if isinstance(one.source, str):
        return one.identity[0]
    return one.subject


def _near(right: Candidate, wrong: Candidate, around: Surroundings) -> FoilNearness:
    if right.object is None or isinstance(right.source, str):
        return _apart(_number(right), _number(wrong))
    mine, theirs = right.object or 0, wrong.object or 0
    joined = around.links.joined
    if theirs in joined(right.subject) or theirs in joined(mine):
        return FoilNearness.CLOSE
    lies = around.containment
    country = lies.place_of(mine).country or mine
    of_class = lies.types.get(mine, frozenset()) & lies.types.get(theirs, frozenset())
    akin = of_class and country == (lies.place_of(theirs).country or theirs)
    return FoilNearness.AKIN if akin else FoilNearness.LOOSE


def _number(one: Candidate) -> int:
    """The number that a fact ends in, or the time that a formula is asked at."""
    if isinstance(one.source, str):
        at = one.decade if one.decade is not None else one.identity[1]
        return at if isinstance(at, int) else 0
    return one.base.end


def _apart(one: int, other: int) -> FoilNearness:
    apart = abs(one - other)
    if apart <= _CLOSE:
        return FoilNearness.CLOSE
    return FoilNearness.AKIN if apart <= _AKIN else FoilNearness.LOOSE
