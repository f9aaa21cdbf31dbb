"""What a case of the suite memory is about."""

from typing import Literal

from pydantic import BaseModel, ConfigDict

NAME = "memory"


class MemoryFact(BaseModel):
    """`benchmark_case.fact` of this suite."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    kind: Literal["single", "set"]
    p: int
    """Property."""
    strategy: int
    """Of a set: 1 one shuffle, 2 one of all permutations; 0 of a single."""
    set: str
    """Id of the set: the same pairs, however shuffled; empty for a single."""
    pairs: tuple[tuple[int, int], ...]
    """(left, right) items, in the order in which the left ends are asked."""
    right: tuple[str, ...]
    """Right answers in that order."""
    shown: tuple[str, ...]
    """Right ends in the order in which they are listed; of a single none."""
    accepted: dict[str, tuple[str, ...]]
    """Answer → every name of it that no other listed item has."""
    stratum: int
    """Third of the relation's pairs by how well they are known, 0 the least; -1: over all of them."""

    @property
    def k(self) -> int:
        """How many pairs are asked."""
        return len(self.pairs)
