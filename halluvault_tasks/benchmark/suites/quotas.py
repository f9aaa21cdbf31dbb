"""What `config/benchmark.yaml` says of the parts of a month: sizes, quotas and caps."""

from collections.abc import Iterable
from typing import Any, Literal

from pydantic import Field, create_model, model_validator

from halluvault_tasks.benchmark.cases.suite_names import HEADLINE
from halluvault_tasks.benchmark.selection.bounds import ShareBound
from halluvault_tasks.benchmark.selection.features import FEATURES, FactGroup
from halluvault_tasks.benchmark.wording.forms import Strict

RelationKind = Literal["symmetric", "inverse", "transitive", "composite", "negation.polarity", "negation.value"]
Operator = Literal["F", "G", "N", "U", "!", "&", "|", "atom"]


class BoundEntry(Strict):
    """The share of a suite's questions that a feature is to have (`bounds.ShareBound`)."""

    feature: str
    """Of `features.FEATURES`, or a group of `groups`."""
    of: tuple[str, ...] = ()
    """Values that it is about; none: each that there is."""
    at_least: float = Field(default=0, ge=0, lt=1)
    at_most: float = Field(default=1, gt=0, le=1)

    @model_validator(mode="after")
    def _says_something(self) -> "BoundEntry":
        if self.at_least == 0 and self.at_most == 1:
            raise ValueError("give at_least, at_most or both")
        if self.at_least > self.at_most:
            raise ValueError(f"at_least is {self.at_least}, more than at_most, {self.at_most}")
        if self.at_least and self.feature == "shape":
            raise ValueError("a shape of sentence is bounded by at_most alone")
        return self

    def bound(self) -> ShareBound:
        """As a value."""
        return ShareBound(self.feature, self.of, self.at_least, self.at_most)


class GroupEntry(Strict):
    """Facts that are bounded together, by what they rest on (`features.FactGroup`); properties by number."""

    resting_on: tuple[int, ...] = Field(min_length=1)
    beside: tuple[int, ...] = ()
    counted_for: dict[str, str] = Field(default_factory=dict)
    """Domain → the domain that such facts of its subjects count for instead."""

    def facts(self) -> FactGroup:
        """As a value."""
        return FactGroup(self.resting_on, self.beside)


class Size(Strict):
    """How large a benchmark is, beside the cases, mutants included, of each suite: a field of its name (`sized`)."""

    candidates_per_rule: int = Field(ge=1, le=1_000_000)
    """Facts looked at per domain and rule, and per domain and operator."""

    least: dict[str, int] = Field(default_factory=dict)
    """Suite → cases below which its ceilings make it no smaller."""

    bounds: dict[str, tuple[BoundEntry, ...]] = Field(default_factory=dict)
    """Suite → what it is to be made of."""

    blind_ends: bool = False
    """Whether the interval of each blind baseline must end below `blind_limit` and begin above its mirror image; else
    only an interval that lies beyond is refused, since a small part is too short for more."""

    def target(self, suite: str) -> int:
        """Cases, mutants included, that a suite is to have."""
        return int(getattr(self, suite))


def sized(suites: Iterable[str]) -> type[Size]:
    """The sizes with a field for each of these suites; those of the headline must be given."""
    targets: dict[str, Any] = {
        suite: (int, Field(default=... if suite in HEADLINE else 0, ge=0, le=1_000_000)) for suite in suites
    }
    return create_model("Size", __base__=Size, **targets)


class Rewrite(Strict):
    """Who rewrites the questions (`rewrite`)."""

    model: str = Field(min_length=1)
    """Registry name in models.yaml."""


class Quotas(Strict):
    """What benchmark.yaml says of the parts: all of the file but the prompts."""

    seed: int
    suites: tuple[str, ...] = HEADLINE
    """The parts of a month that are built."""
    sizes: dict[str, Size]
    kinds: dict[RelationKind, float]
    operators: dict[Operator, float]
    subject_cap: int = Field(ge=1)
    object_cap: int = Field(ge=1)
    fact_cap: int = Field(default=2, ge=1)
    groups: dict[str, GroupEntry] = Field(default_factory=dict)
    """Name → facts that are bounded together."""
    blind_limit: float = Field(default=0.55, gt=0.5, le=1)
    """What a blind baseline may score; 1 lets everything pass, for a reading and never for a month."""
    guess_limit: float = Field(default=0.05, gt=0, le=1)
    """Share of open questions whose answer a blind baseline may guess."""
    renewal: float = Field(default=0.05, ge=0, lt=1)
    """Share of the blocks of last month's part that give their place to others."""
    rewrite: Rewrite | None = None

    @model_validator(mode="after")
    def _weights(self) -> "Quotas":
        for name, weights in (("kinds", self.kinds), ("operators", self.operators)):
            for key, weight in weights.items():
                if not 0 <= weight <= 1000:
                    raise ValueError(f"{name}.{key} is {weight}; a weight is a number from 0 to 1000")
        known = {*FEATURES, *self.groups}
        for name, size in self.sizes.items():
            for suite, bounds in size.bounds.items():
                if unknown := sorted({bound.feature for bound in bounds} - known):
                    accepted = ", ".join(sorted(known))
                    raise ValueError(f"sizes.{name}.bounds.{suite}: no feature {unknown[0]}; there are {accepted}")
        if not self.suites or len(set(self.suites)) < len(self.suites):
            raise ValueError("suites: give at least one, without duplicates")
        return self
