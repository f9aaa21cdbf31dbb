"""Suites, sizes, quotas, caps and prompts of a benchmark: `config/benchmark.yaml`, checked when it is loaded."""

from dataclasses import dataclass
from pathlib import Path

from pydantic import model_validator

from halluvault_tasks.benchmark.prompts.variants import NamedVariant, Variant
from halluvault_tasks.benchmark.suites import companions as companion_suites
from halluvault_tasks.benchmark.suites.part_config import PartSettings, Quotas
from halluvault_tasks.benchmark.wording.lexicon import load_lexicon
from halluvault_tasks.errors import UserError
from halluvault_tasks.wikidata import yaml_files


class BenchmarkFile(Quotas):
    """The whole file."""

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
class BenchmarkConfig(PartSettings):
    """Everything a build depends on beside the snapshot."""

    quotas: BenchmarkFile

    @property
    def variants(self) -> tuple[Variant, ...]:
        """Prompt variants of the chosen size that are made with a benchmark."""
        return self.quotas.variants[self.size_name]


def load(config_dir: Path, size: str) -> BenchmarkConfig:
    """Read benchmark.yaml, lexicon.yaml and suites.yaml.

    Raises:
        UserError: a field is faulty, or the size is not in the file.
    """
    quotas = load_quotas(config_dir, size)
    lexicon = load_lexicon(config_dir / "lexicon.yaml")
    return BenchmarkConfig(quotas, lexicon, size, companion_suites.load(config_dir))


def load_quotas(config_dir: Path, size: str) -> BenchmarkFile:
    """Read only benchmark.yaml.

    Raises:
        UserError: a field is faulty, or the size is not in the file.
    """
    path = config_dir / "benchmark.yaml"
    quotas = yaml_files.load(path, BenchmarkFile)
    if size not in quotas.sizes:
        raise UserError(
            f"benchmark size {size!r} is not in {path}; it has {', '.join(sorted(quotas.sizes))}",
            "give --size, or set HALLUVAULT_BENCHMARK_SIZE",
        )
    return quotas


def default_variant(config_dir: Path, size: str) -> str:
    """The name of the variant that an evaluation asks by default.

    Raises:
        UserError: benchmark.yaml is faulty, or has no such size.
    """
    return load_quotas(config_dir, size).default_variant[size].name
