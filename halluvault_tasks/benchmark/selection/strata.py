"""Popularity: how well known what a question is about is, in thirds of what a month can ask."""

from bisect import bisect_right
from collections.abc import Iterable, Mapping, Sequence

from halluvault_tasks.benchmark.selection.balance import Block

STRATA = 3
"""0 is the least known third."""


def stratified(*several: Iterable[Block], fame: Mapping[int, float]) -> list[list[Block]]:
    """The blocks with each candidate's fame, that of its least known end, and its stratum.

    Args:
        several: lists of blocks, whose candidates are ranked together.
        fame: of entities (`EntityIndex.fame`); 0 for those that it lacks.
    """
    lists = [list(blocks) for blocks in several]
    known = sorted(_fame(one.entities, fame) for blocks in lists for block in blocks for one in block.candidates)
    edges = [known[len(known) * n // STRATA] for n in range(1, STRATA)] if known else []
    return [[_placed(block, fame, edges) for block in blocks] for blocks in lists]


def _fame(entities: Sequence[int], fame: Mapping[int, float]) -> float:
    return min((fame.get(qid, 0.0) for qid in entities), default=0.0)


def _placed(block: Block, fame: Mapping[int, float], edges: Sequence[float]) -> Block:
    least = [_fame(one.entities, fame) for one in block.candidates]
    # A block is asked whole, so it stands in one stratum: that of its least known member.
    stratum = bisect_right(edges, min(least))
    return Block(
        tuple(one._replace(fame=own, stratum=stratum) for one, own in zip(block.candidates, least, strict=True))
    )
