"""What a blind rule scored, as it is stored with a part."""

from collections.abc import Mapping
from typing import Any, NamedTuple, Self


class Baseline(NamedTuple):
    """What a blind rule scores on blocks that it has not seen.

    Attributes:
        scope: the suite.
        name: yes, no, length, words, template, popularity or places (entity, position and polarity).
        accuracy: share of right answers.
        low, high: 95 % interval, clustered by block: members of a block stand or fall together.
        cases: how many it was scored on.
        blocks: in how many blocks.
        leaks: what it goes by, the strongest first: a word or two words, or a length.
        over: refused by the gate.
    """

    scope: str
    name: str
    accuracy: float
    low: float
    high: float
    cases: int
    blocks: int = 0
    leaks: tuple[str, ...] = ()
    over: bool = False

    def as_json(self) -> dict[str, Any]:
        """As it is stored in a benchmark's counts, rounded so that the same benchmark has the same bytes."""
        found = self._asdict() | {"leaks": list(self.leaks)}
        return {name: round(value, 4) if isinstance(value, float) else value for name, value in found.items()}

    @classmethod
    def of(cls, stored: Mapping[str, Any]) -> Self:
        """Out of a part's counts, whichever version wrote it."""
        known = {name: stored[name] for name in cls._fields if name in stored}
        return cls(**{**known, "leaks": tuple(known.get("leaks", ()))})
