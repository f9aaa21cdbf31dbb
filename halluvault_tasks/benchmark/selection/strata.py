"""Popularity: how well known what a question is about is, in thirds of what a month can ask; and what is news."""

from bisect import bisect_right
from collections.abc import Callable, Iterable, Mapping, Sequence

from halluvault_tasks.benchmark.cases.candidate import Candidate
from halluvault_tasks.benchmark.selection.balance import Block

STRATA = 3
"""0 is the least known third."""

NEWS = STRATA
"""The stratum of what rests on a statement that changed, whoever it is about."""


def rests_on(one: Candidate) -> Sequence[int]:
    """Statements that a fact of the relation suite is found by, before it is proved."""
    return one.fact.evidence


def stratified(
    *several: Iterable[Block], fame: Mapping[int, float], news: Callable[[Candidate], bool] = lambda _: False
) -> list[list[Block]]:
    """The blocks with each candidate's fame, that of its least known end, and its stratum.

    Args:
        several: lists of blocks, whose candidates are ranked together.
        fame: of entities (`EntityIndex.fame`); 0 for those that it lacks.
        news: whether a fact rests on a statement that changed.
    """
    lists = [list(blocks) for blocks in several]
    between = edges(_fame(one.entities, fame) for blocks in lists for block in blocks for one in block.candidates)
    return [[_placed(block, fame, between, news) for block in blocks] for blocks in lists]


def edges(fames: Iterable[float]) -> list[float]:
    """Where one third of these ends and the next begins; none where there are none."""
    known = sorted(fames)
    return [known[len(known) * n // STRATA] for n in range(1, STRATA)] if known else []


def third(fame: float, between: Sequence[float]) -> int:
    """The stratum of a fame: 0 is the least known."""
    return bisect_right(between, fame)


def _fame(entities: Sequence[int], fame: Mapping[int, float]) -> float:
    return min((fame.get(qid, 0.0) for qid in entities), default=0.0)


def _placed(
    block: Block, fame: Mapping[int, float], between: Sequence[float], news: Callable[[Candidate], bool]
) -> Block:
    least = [_fame(one.entities, fame) for one in block.candidates]
    # A block is asked whole, so it stands in one stratum: that of its least known member.
    stratum = NEWS if any(map(news, block.candidates)) else third(min(least), between)
    return Block(
        tuple(one._replace(fame=own, stratum=stratum) for one, own in zip(block.candidates, least, strict=True))
    )
