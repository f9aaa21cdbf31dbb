"""Sizes, quotas, caps and prompt variants of a benchmark: `config/benchmark.yaml`, checked when it is loaded."""

import hashlib
import json
from pathlib import Path
from typing import Literal, NamedTuple

from pydantic import BaseModel, ConfigDict, Field, model_validator

from halluvault_tasks.benchmark.lexicon import Lexicon, load_lexicon
from halluvault_tasks.errors import UserError
from halluvault_tasks.wikidata import yaml_files

RelationKind = Literal["symmetric", "inverse", "transitive", "composite", "negation.polarity", "negation.value"]
Operator = Literal["F", "G", "N", "U", "!", "&", "|", "atom"]


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class Size(_Strict):
    """How many cases, mutants included, each suite is to have."""

    relation: int = Field(ge=0, le=1_000_000)
    temporal: int = Field(ge=0, le=1_000_000)
    candidates_per_rule: int = Field(ge=1, le=1_000_000)
    """Facts looked at per domain and rule, and per domain and operator."""


class Variant(_Strict):
    """One kind of prompt."""

    template: Literal["halluvault", "drowzee"]
    form: Literal["plain", "chat"]
    context: Literal["closed-book", "with-evidence", "out-of-distribution"]

    @model_validator(mode="after")
    def _turns(self) -> "Variant":
        if self.context == "out-of-distribution" and self.form != "chat":
            raise ValueError("out-of-distribution has two turns: its form is chat, not plain")
        return self


class Recent(_Strict):
    """What the first turn of an out-of-distribution prompt tells."""

    months: int = Field(default=36, ge=1, le=600)
    """An event is recent if its date lies in this many months before the snapshot's date."""
    events: int = Field(default=6, ge=2, le=50)
    """Events in one list; what a question rests on comes first, others fill up as far as there are."""


class Rewrite(_Strict):
    """Who rewrites the questions (`rewrite`)."""

    model: str = Field(min_length=1)
    """Registry name in models.yaml."""


class Quotas(_Strict):
    """The whole file."""

    seed: int
    sizes: dict[str, Size]
    kinds: dict[RelationKind, float]
    operators: dict[Operator, float]
    subject_cap: int = Field(ge=1)
    object_cap: int = Field(ge=1)
    yes_only: float = Field(default=0.08, ge=0, le=1)
    """Most that facts whose like is never shown to be false may make of a suite's cases."""
    blind_limit: float = Field(default=0.55, gt=0.5, le=1)
    """What a blind baseline may score; 1 lets everything pass, for a reading and never for a month."""
    variants: dict[str, tuple[Variant, ...]]
    recent: Recent = Recent()
    rewrite: Rewrite | None = None

    @model_validator(mode="after")
    def _weights(self) -> "Quotas":
        for name, weights in (("kinds", self.kinds), ("operators", self.operators)):
            for key, weight in weights.items():
                if not 0 <= weight <= 1000:
                    raise ValueError(f"{name}.{key} is {weight}; a weight is a number from 0 to 1000")
        if missing := sorted(set(self.sizes) - set(self.variants)):
            raise ValueError(f"variants: none for size {', '.join(missing)}")
        for size, several in self.variants.items():
            if not several or len(set(several)) < len(several):
                raise ValueError(f"variants.{size}: give at least one, and each once")
        return self


class BenchmarkConfig(NamedTuple):
    """Everything a build depends on beside the snapshot.

    Attributes:
        size_name: `demo` or `full`, a key of `sizes`.
        hash: sha256 over quotas, lexicon and size: a frozen benchmark was built with exactly this.
    """

    quotas: Quotas
    lexicon: Lexicon
    size_name: str
    hash: str

    @property
    def size(self) -> Size:
        """The chosen size."""
        return self.quotas.sizes[self.size_name]

    @property
    def variants(self) -> tuple[Variant, ...]:
        """Prompt variants of the chosen size."""
        return self.quotas.variants[self.size_name]


def load(config_dir: Path, size: str) -> BenchmarkConfig:
    """Read benchmark.yaml and lexicon.yaml.

    Raises:
        UserError: a field is faulty, or the size is not in the file.
    """
    path = config_dir / "benchmark.yaml"
    quotas = yaml_files.load(path, Quotas)
    if size not in quotas.sizes:
        raise UserError(
            f"benchmark size {size!r} is not in {path}; it has {', '.join(sorted(quotas.sizes))}",
            "give --size, or set HALLUVAULT_BENCHMARK_SIZE",
        )
    lexicon = load_lexicon(config_dir / "lexicon.yaml")
    content = json.dumps(
        [quotas.model_dump(mode="json"), lexicon.model_dump(mode="json"), size], sort_keys=True, ensure_ascii=False
    )
    return BenchmarkConfig(quotas, lexicon, size, hashlib.sha256(content.encode()).hexdigest())
