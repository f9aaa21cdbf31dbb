"""Companion suites as people switch them on: `config/suites.yaml`, checked when it is loaded.

A file that is not there switches nothing on: an installation that is older than the suites goes on as it was.
"""

import hashlib
from collections.abc import Sequence
from pathlib import Path
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field, field_validator, model_validator

from halluvault_tasks.benchmark.cases import COMPANIONS, CompanionName
from halluvault_tasks.errors import UserError
from halluvault_tasks.wikidata import yaml_files

FILE = "suites.yaml"

MOST_PERMUTED = 5
"""Pairs of the largest set of which all permutations are asked: 120 of them."""


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


def _question(text: str) -> str:
    if text.count("{s}") != 1 or not text.endswith("?"):
        raise ValueError("a question with {s} in it once, which ends with ?")
    return text


class Pairing(_Strict):
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


class Memory(_Strict):
    """Memory consistency, internal (docs/suites.md)."""

    enabled: bool = False
    relations: tuple[Pairing, ...] = ()
    pairs: int = Field(default=120, ge=2, le=10_000)
    k: tuple[int, ...] = (2, 3, 5, 10)
    sets: int = Field(default=100, ge=1, le=10_000)
    permuted_sets: int = Field(default=10, ge=0, le=10)
    temperatures: tuple[float, ...] = (0.95, 0.0)

    @field_validator("k")
    @classmethod
    def _sizes(cls, sizes: tuple[int, ...]) -> tuple[int, ...]:
        if not sizes or len(set(sizes)) < len(sizes) or min(sizes) < 2 or max(sizes) > 100:
            raise ValueError("numbers of pairs from 2 to 100, each once")
        return sizes

    @field_validator("temperatures")
    @classmethod
    def _temperatures(cls, given: tuple[float, ...]) -> tuple[float, ...]:
        if not given or len(set(given)) < len(given) or min(given) < 0 or max(given) > 2:
            raise ValueError("at least one from 0 to 2, each once; 0 is greedy")
        return given

    @model_validator(mode="after")
    def _something_to_match(self) -> "Memory":
        if self.enabled and not self.relations:
            raise ValueError("`enabled` needs `relations`")
        if len({one.property for one in self.relations}) < len(self.relations):
            raise ValueError("relations: give each property once")
        return self


class Asked(_Strict):
    """An open question after a property's value."""

    property: int = Field(ge=1)
    ask: str
    """`{s}` is the subject."""

    @field_validator("ask")
    @classmethod
    def _one_slot(cls, text: str) -> str:
        return _question(text)


class HaluEvalFile(_Strict):
    """A file of HaluEval, asked beside the month's own pairs."""

    task: Literal["qa", "dialogue", "summary", "general"]
    file: str = Field(min_length=1)
    """Path; a relative one starts at suites.yaml."""
    sha256: str = ""
    """Of its bytes, found when suites.yaml is loaded: it stands for the file in the part's hash."""


class Recognition(_Strict):
    """Recognition of hallucinations (docs/suites.md)."""

    enabled: bool = False
    questions: tuple[Asked, ...] = ()
    pairs: int = Field(default=120, ge=2, le=100_000)
    """Of each task, and of each file at most."""
    halueval: tuple[HaluEvalFile, ...] = ()

    @model_validator(mode="after")
    def _something_to_ask(self) -> "Recognition":
        if self.enabled and not self.questions:
            raise ValueError("`enabled` needs `questions`")
        if len({one.property for one in self.questions}) < len(self.questions):
            raise ValueError("questions: give each property once")
        return self


class Companions(_Strict):
    """The whole file."""

    seed: int = 20260101
    memory: Memory = Memory()
    recognition: Recognition = Recognition()

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
    if not path.exists():
        return Companions()
    found = yaml_files.load(path, Companions)
    files = tuple(_hashed(config_dir, one) for one in found.recognition.halueval)
    return found.model_copy(update={"recognition": found.recognition.model_copy(update={"halueval": files})})


def _hashed(config_dir: Path, one: HaluEvalFile) -> HaluEvalFile:
    path = config_dir / one.file
    try:
        digest = hashlib.sha256(path.read_bytes()).hexdigest()
    except OSError as error:
        raise UserError(
            f"{config_dir / FILE}: recognition.halueval names {one.file!r}, which cannot be read: {error.strerror}",
            "give the path of a file of HaluEval, or take it out",
        ) from error
    return one.model_copy(update={"file": str(path), "sha256": digest})


def switched_on(config_dir: Path) -> Sequence[CompanionName]:
    """The suites that are on; none where the file is faulty, which a month's first task says."""
    try:
        return load(config_dir).on
    except UserError:
        return ()
