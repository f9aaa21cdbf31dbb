"""Section `memory` of suites.yaml."""

from pydantic import Field, field_validator, model_validator

from halluvault_tasks.benchmark.suites.companion_settings import CompanionSettings, Question, Temperatures
from halluvault_tasks.benchmark.wording.forms import Strict

MOST_PERMUTED = 5
"""Pairs of the largest set of which all permutations are asked: 120 of them."""


class Pairing(Strict):
    """A relation whose two ends are to be matched."""

    property: int = Field(ge=1)
    left: str = Field(min_length=1)
    """What the left ends are, in the plural: countries."""
    right: str = Field(min_length=1)
    """What the right ends are: capitals."""
    single: Question
    """The question after one pair; `{s}` is the left end."""


class Memory(CompanionSettings):
    """Memory consistency, internal (docs/suites.md)."""

    relations: tuple[Pairing, ...] = ()
    pairs: int = Field(default=120, ge=2, le=10_000)
    k: tuple[int, ...] = (2, 3, 5, 10)
    sets: int = Field(default=100, ge=1, le=10_000)
    permuted_sets: int = Field(default=10, ge=0, le=10)
    temperatures: Temperatures = (0.95, 0.0)
    samples: int | None = Field(default=None, ge=2, le=100)
    """Replies to each case at a temperature above 0; None: one."""

    @field_validator("k")
    @classmethod
    def _sizes(cls, sizes: tuple[int, ...]) -> tuple[int, ...]:
        if not sizes or len(set(sizes)) < len(sizes) or min(sizes) < 2 or max(sizes) > 100:
            raise ValueError("numbers of pairs from 2 to 100, no duplicates")
        return sizes

    @model_validator(mode="after")
    def _something_to_match(self) -> "Memory":
        if self.enabled and not self.relations:
            raise ValueError("`enabled` needs `relations`")
        if len({one.property for one in self.relations}) < len(self.relations):
            raise ValueError("relations: give each property once")
        return self
