"""Suites, sizes, quotas, caps and prompts of a benchmark, checked when they are loaded: benchmark.yaml, suites.yaml.

A missing suites.yaml switches nothing on: an installation older than the suites continues as before.
"""

from collections.abc import Collection
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from pydantic import Field, create_model, model_validator

from halluvault_tasks.benchmark.cases.suite_names import HEADLINE
from halluvault_tasks.benchmark.prompts.variants import NamedVariant, Variant
from halluvault_tasks.benchmark.suites.companion_settings import FILE
from halluvault_tasks.benchmark.suites.quotas import Quotas, sized
from halluvault_tasks.benchmark.suites.registry import COMPANIONS, OPEN, QUESTIONS
from halluvault_tasks.benchmark.suites.suite import BuildSettings, Companions
from halluvault_tasks.benchmark.wording.forms import Strict
from halluvault_tasks.benchmark.wording.lexicon import load_lexicon
from halluvault_tasks.errors import UserError
from halluvault_tasks.reasoning.measuring import classes
from halluvault_tasks.wikidata import yaml_files


class BenchmarkFile(Quotas):
    """benchmark.yaml, the whole file."""

    variants: dict[str, tuple[NamedVariant, ...]]
    """Size → the prompts that are made with a benchmark; others are made when they are asked for."""
    default_variant: dict[str, NamedVariant]
    """Size → the variant that an evaluation asks by default."""

    @model_validator(mode="after")
    def _of_each_size(self) -> "BenchmarkFile":
        for name, by_size in (("variants", self.variants), ("default_variant", self.default_variant)):
            if missing := sorted(set(self.sizes) - set(by_size)):
                raise ValueError(f"{name}: none for size {', '.join(missing)}")
        for size, variants in self.variants.items():
            if len(set(variants)) < len(variants):
                raise ValueError(f"variants.{size}: give each once")
        return self


@dataclass(frozen=True)
class BenchmarkConfig(BuildSettings):
    """Everything a build depends on beside the snapshot."""

    quotas: BenchmarkFile

    @property
    def variants(self) -> tuple[Variant, ...]:
        """Prompt variants of the chosen size that are made with a benchmark."""
        return self.quotas.variants[self.size_name]


def load(config_dir: Path, size: str) -> BenchmarkConfig:
    """Read benchmark.yaml, lexicon.yaml, suites.yaml and measured.yaml.

    Raises:
        UserError: a field is faulty, or the size is not in the file.
    """
    quotas = load_quotas(config_dir, size)
    lexicon = load_lexicon(config_dir / "lexicon.yaml")
    measured = classes.load(config_dir / classes.FILE)
    return BenchmarkConfig(quotas, lexicon, size, load_companions(config_dir), measured)


def load_quotas(config_dir: Path, size: str) -> BenchmarkFile:
    """Read only benchmark.yaml.

    Raises:
        UserError: a field is faulty, or the size is not in the file.
    """
    path = config_dir / "benchmark.yaml"
    quotas = yaml_files.load(path, _file_of([*QUESTIONS, *OPEN]))
    if size not in quotas.sizes:
        raise UserError(
            f"benchmark size {size!r} is not in {path}; it has {', '.join(sorted(quotas.sizes))}",
            "give --size, or set HALLUVAULT_BENCHMARK_SIZE",
        )
    return quotas


def _file_of(suites: Collection[str]) -> type[BenchmarkFile]:
    """benchmark.yaml where these suites are registered that it sizes."""
    name, size = Literal.__getitem__(tuple(suites)), sized(suites)
    fields: dict[str, Any] = {"suites": (tuple[name, ...], HEADLINE), "sizes": (dict[str, size], ...)}  # type: ignore[valid-type]
    return create_model("BenchmarkFile", __base__=BenchmarkFile, **fields)


def load_companions(config_dir: Path) -> Companions:
    """Read only suites.yaml; without one nothing is on.

    Raises:
        UserError: a field is faulty or unknown, or names a file that cannot be read.
    """
    path = config_dir / FILE
    if not path.exists() and not path.is_symlink():
        return Companions(_SEED, {name: suite.settings() for name, suite in COMPANIONS.items()})
    sections: dict[str, Any] = {name: (suite.settings, suite.settings()) for name, suite in COMPANIONS.items()}
    found = yaml_files.load(path, create_model("SuitesFile", __base__=SuitesFile, **sections))
    return Companions(found.seed, {name: getattr(found, name).located(config_dir) for name in COMPANIONS})


_SEED = 20260101


class SuitesFile(Strict):
    """suites.yaml, the whole file but the sections of the suites."""

    seed: int = Field(default=_SEED)


def default_variant(config_dir: Path, size: str) -> str:
    """The name of the variant that an evaluation asks by default.

    Raises:
        UserError: benchmark.yaml is faulty, or has no such size.
    """
    return load_quotas(config_dir, size).default_variant[size].name
