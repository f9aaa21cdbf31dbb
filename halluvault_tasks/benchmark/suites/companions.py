"""Companion suites as switched on in `config/suites.yaml`, checked when it is loaded.

A missing file switches nothing on: an installation older than the suites continues as before.
"""

import hashlib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Literal

from pydantic import Field, field_validator, model_validator

from halluvault_tasks.benchmark.cases.suite_names import COMPANIONS, CompanionName
from halluvault_tasks.benchmark.wording.forms import Strict
from halluvault_tasks.errors import UserError
from halluvault_tasks.wikidata import yaml_files

FILE = "suites.yaml"

WHAT: Mapping[CompanionName, str] = {
    "memory": "pairs that a model knows singly, matched in sets (memory consistency, internal)",
    "memory_external": "one-sentence summaries of documents in several wordings (memory consistency, external)",
    "recognition": "whether a text contains something that is not factual, in pairs of a right and a false one (HELMA)",
    "pressure": "cases of sixteen classes that press a model where it invents (T/D/R/F)",
}
"""Suite → what it asks."""

MOST_PERMUTED = 5
"""Pairs of the largest set of which all permutations are asked: 120 of them."""


def _question(text: str) -> str:
    if text.count("{s}") != 1 or not text.endswith("?"):
        raise ValueError("a question that contains {s} once and ends with ?")
    return text


def _distinct(given: tuple[float, ...]) -> tuple[float, ...]:
    if not given or len(set(given)) < len(given) or min(given) < 0 or max(given) > 2:
        raise ValueError("at least one number from 0 to 2, no duplicates; 0 is greedy")
    return given


class Pairing(Strict):
    """A relation whose two ends are to be matched."""

    property: int = Field(ge=1)
    left: str = Field(min_length=1)
    """What the left ends are, in the plural: countries."""
    right: str = Field(min_length=1)
    """What the right ends are: capitals."""
    single: str
    """The question after one pair; `{s}` is the left end."""

    @field_validator("single")
    @classmethod
    def _one_slot(cls, text: str) -> str:
        return _question(text)


class Memory(Strict):
    """Memory consistency, internal (docs/suites.md)."""

    enabled: bool = False
    relations: tuple[Pairing, ...] = ()
    pairs: int = Field(default=120, ge=2, le=10_000)
    k: tuple[int, ...] = (2, 3, 5, 10)
    sets: int = Field(default=100, ge=1, le=10_000)
    permuted_sets: int = Field(default=10, ge=0, le=10)
    temperatures: tuple[float, ...] = (0.95, 0.0)
    samples: int | None = Field(default=None, ge=2, le=100)
    """Replies to each case at a temperature above 0; None: one."""

    @field_validator("k")
    @classmethod
    def _sizes(cls, sizes: tuple[int, ...]) -> tuple[int, ...]:
        if not sizes or len(set(sizes)) < len(sizes) or min(sizes) < 2 or max(sizes) > 100:
            raise ValueError("numbers of pairs from 2 to 100, no duplicates")
        return sizes

    @field_validator("temperatures")
    @classmethod
    def _temperatures(cls, given: tuple[float, ...]) -> tuple[float, ...]:
        return _distinct(given)

    @model_validator(mode="after")
    def _something_to_match(self) -> "Memory":
        if self.enabled and not self.relations:
            raise ValueError("`enabled` needs `relations`")
        if len({one.property for one in self.relations}) < len(self.relations):
            raise ValueError("relations: give each property once")
        return self


class MemoryExternal(Strict):
    """Memory consistency, external (docs/suites.md)."""

    enabled: bool = False
    rephraser: str = ""
    """Registry name of the model that rephrases the documents."""
    file: str | None = None
    """JSON Lines with `id` and `text` in place of paragraphs from statements; a relative path starts at suites.yaml."""
    sha256: str | None = None
    """Of its bytes, found when suites.yaml is loaded: it stands for the file in the part's hash."""
    documents: int = Field(default=60, ge=2, le=10_000)
    rephrasings: int = Field(default=4, ge=2, le=20)
    """Of each document (the paper's k)."""
    tries: int = Field(default=8, ge=2, le=100)
    """Of the rephraser at most, for each document."""
    threshold: float = Field(default=0.73, ge=0, le=1)
    """Least BERTScore of a rephrasing with its document (T_cq as published)."""
    temperatures: tuple[float, ...] = (0.95,)

    @field_validator("temperatures")
    @classmethod
    def _temperatures(cls, given: tuple[float, ...]) -> tuple[float, ...]:
        return _distinct(given)

    @model_validator(mode="after")
    def _somebody_rephrases(self) -> "MemoryExternal":
        if self.enabled and not self.rephraser:
            raise ValueError("`enabled` needs `rephraser`, the name of a model in models.yaml")
        if self.tries < self.rephrasings:
            raise ValueError("tries: at least as many as `rephrasings`")
        return self


class Asked(Strict):
    """An open question after a property's value."""

    property: int = Field(ge=1)
    ask: str
    """`{s}` is the subject."""

    @field_validator("ask")
    @classmethod
    def _one_slot(cls, text: str) -> str:
        return _question(text)


class HaluEvalFile(Strict):
    """A file of HaluEval, asked beside the month's own pairs."""

    task: Literal["qa", "dialogue", "summary", "general"]
    file: str = Field(min_length=1)
    """Path; a relative one starts at suites.yaml."""
    sha256: str = ""
    """Of its bytes, found when suites.yaml is loaded: it stands for the file in the part's hash."""


class Generator(Strict):
    """A served model that writes false texts (HELMA §2.1), beside the licensed swaps."""

    model: str = Field(min_length=1)
    """Registry name."""
    pairs: int = Field(default=100, ge=2, le=100_000)
    """Of each task."""
    seeds: int = Field(default=4, ge=1, le=100)
    """Right texts that it is shown, for each pair that is wanted: most of what a model writes cannot be shown false."""


class Recognition(Strict):
    """Recognition of hallucinations (docs/suites.md)."""

    enabled: bool = False
    questions: tuple[Asked, ...] = ()
    pairs: int = Field(default=120, ge=2, le=100_000)
    """Of each task, and of each file at most."""
    halueval: tuple[HaluEvalFile, ...] = ()
    generator: Generator | None = None
    refined: int | None = Field(default=None, ge=1, le=10_000)
    """False texts of each task that are to be corrected with what is known; None: not asked."""

    @model_validator(mode="after")
    def _something_to_ask(self) -> "Recognition":
        if self.enabled and not self.questions:
            raise ValueError("`enabled` needs `questions`")
        if len({one.property for one in self.questions}) < len(self.questions):
            raise ValueError("questions: give each property once")
        return self


class Restated(Strict):
    """An open question after a property's value, and the statement in other words."""

    property: int = Field(ge=1)
    ask: str
    """`{s}` is the subject."""
    restated: str
    """Means what the statement means: `{s}` and `{o}` once each."""

    @field_validator("ask")
    @classmethod
    def _one_slot(cls, text: str) -> str:
        return _question(text)

    @field_validator("restated")
    @classmethod
    def _both_slots(cls, text: str) -> str:
        if text.count("{s}") != 1 or text.count("{o}") != 1 or not text.endswith("."):
            raise ValueError("a sentence that contains {s} and {o} once each and ends with a full stop")
        return text


class Pressure(Strict):
    """Pressure tests (docs/suites.md)."""

    enabled: bool = False
    questions: tuple[Restated, ...] = ()
    cases: int = Field(default=48, ge=3, le=10_000)
    """Of each class at most, a third of each difficulty."""
    file: str = ""
    """Further cases, JSON Lines; a relative path starts at suites.yaml."""
    sha256: str = ""
    """Of its bytes, found when suites.yaml is loaded."""
    format_is_gating: bool = False
    weights: tuple[float, float, float] = (0.6, 0.25, 0.15)
    """Of truth, decidability and reciprocity."""
    strict_retrieval_mode: bool = False

    @field_validator("weights")
    @classmethod
    def _sum_to_one(cls, given: tuple[float, float, float]) -> tuple[float, float, float]:
        if min(given) < 0 or abs(sum(given) - 1) > 1e-9:
            raise ValueError("three weights of at least 0 that sum to 1: truth, decidability, reciprocity")
        return given

    @model_validator(mode="after")
    def _something_to_ask(self) -> "Pressure":
        if self.enabled and not self.questions:
            raise ValueError("`enabled` needs `questions`")
        if len({one.property for one in self.questions}) < len(self.questions):
            raise ValueError("questions: give each property once")
        return self


class Companions(Strict):
    """The whole file."""

    seed: int = 20260101
    memory: Memory = Memory()
    memory_external: MemoryExternal = MemoryExternal()
    recognition: Recognition = Recognition()
    pressure: Pressure = Pressure()

    @property
    def on(self) -> list[CompanionName]:
        """The suites that are switched on."""
        return [name for name in COMPANIONS if getattr(self, name).enabled]


def load(config_dir: Path) -> Companions:
    """Read suites.yaml; without one nothing is on.

    Raises:
        UserError: a field is faulty or unknown.
    """
    path = config_dir / FILE
    if not path.exists() and not path.is_symlink():
        return Companions()
    found = yaml_files.load(path, Companions)
    files = tuple(_hashed(config_dir, one) for one in found.recognition.halueval)
    pressure = found.pressure
    if pressure.file:
        digest = _digest(config_dir, pressure.file, "pressure.file", "cases, one a line (`halluvault suites schema`)")
        pressure = pressure.model_copy(update={"file": str(config_dir / pressure.file), "sha256": digest})
    external = found.memory_external
    if external.file is not None:
        digest = _digest(config_dir, external.file, "memory_external.file", "documents, one a line")
        external = external.model_copy(update={"file": str(config_dir / external.file), "sha256": digest})
    recognition = found.recognition.model_copy(update={"halueval": files})
    return found.model_copy(update={"recognition": recognition, "pressure": pressure, "memory_external": external})


def _hashed(config_dir: Path, one: HaluEvalFile) -> HaluEvalFile:
    digest = _digest(config_dir, one.file, "recognition.halueval", "HaluEval")
    return one.model_copy(update={"file": str(config_dir / one.file), "sha256": digest})


def _digest(config_dir: Path, name: str, field: str, of: str) -> str:
    try:
        return hashlib.sha256((config_dir / name).read_bytes()).hexdigest()
    except OSError as error:
        raise UserError(
            f"{config_dir / FILE}: {field} names {name!r}, which cannot be read: {error.strerror}",
            f"give the path of a file of {of}, or take it out",
        ) from error


def switched_on(config_dir: Path) -> Sequence[CompanionName]:
    """The suites that are on; none where the file is faulty, which a month's first task says."""
    try:
        return load(config_dir).on
    except UserError:
        return ()
