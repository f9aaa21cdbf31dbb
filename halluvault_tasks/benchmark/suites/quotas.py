"""What `config/benchmark.yaml` says of the parts of a month: sizes, quotas and caps."""

from collections.abc import Iterable
from typing import Any, Literal

from pydantic import Field, create_model, model_validator

from halluvault_tasks.benchmark.cases.suite_names import HEADLINE
from halluvault_tasks.benchmark.selection.balance import Shares
from halluvault_tasks.benchmark.wording.forms import Strict

RelationKind = Literal["symmetric", "inverse", "transitive", "composite", "negation.polarity", "negation.value"]
Operator = Literal["F", "G", "N", "U", "!", "&", "|", "atom"]


class ShareLimits(Strict):
    """Most that one of each may make of a suite's cases (`balance.Shares`)."""

    rule: float = Field(default=1, gt=0, le=1)
    property: float = Field(default=1, gt=0, le=1)
    kind: float = Field(default=1, gt=0, le=1)
    orders: float = Field(default=1, gt=0, le=1)
    given_up: float = Field(default=0, ge=0, lt=1)
    """Most of the questions of a month that may be given up to come nearer to the bounds."""

    def shares(self) -> Shares:
        """As a value."""
        return Shares(self.rule, self.property, self.kind, self.orders, self.given_up)


class Size(Strict):
    """How large a benchmark is, beside the cases, mutants included, of each suite: a field of its name (`sized`)."""

    candidates_per_rule: int = Field(ge=1, le=1_000_000)
    """Facts looked at per domain and rule, and per domain and operator."""

    shares: ShareLimits = ShareLimits()
    """Of the suites relation and recall."""

    temporal_shares: ShareLimits = ShareLimits()
    """Of the suite temporal."""

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
    blind_limit: float = Field(default=0.55, gt=0.5, le=1)
    """What a blind baseline may score; 1 lets everything pass, for a reading and never for a month."""
    rewrite: Rewrite | None = None

    @model_validator(mode="after")
    def _weights(self) -> "Quotas":
        for name, weights in (("kinds", self.kinds), ("operators", self.operators)):
            for key, weight in weights.items():
                if not 0 <= weight <= 1000:
                    raise ValueError(f"{name}.{key} is {weight}; a weight is a number from 0 to 1000")
        if not self.suites or len(set(self.suites)) < len(self.suites):
            raise ValueError("suites: give at least one, without duplicates")
        return self
