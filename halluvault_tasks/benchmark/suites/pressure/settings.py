"""Section `pressure` of suites.yaml."""

from pathlib import Path
from typing import Self

from pydantic import Field, field_validator, model_validator

from halluvault_tasks.benchmark.suites.companion_settings import CompanionSettings, Question, digest
from halluvault_tasks.benchmark.wording.forms import Strict


class Restated(Strict):
    """An open question after a property's value, and the statement in other words."""

    property: int = Field(ge=1)
    ask: Question
    """`{s}` is the subject."""
    restated: str
    """Means what the statement means: `{s}` and `{o}` once each."""

    @field_validator("restated")
    @classmethod
    def _both_slots(cls, text: str) -> str:
        if text.count("{s}") != 1 or text.count("{o}") != 1 or not text.endswith("."):
            raise ValueError("a sentence that contains {s} and {o} once each and ends with a full stop")
        return text


class Pressure(CompanionSettings):
    """Pressure tests (docs/suites.md)."""

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

    def located(self, config_dir: Path) -> Self:
        """With the file of cases found and hashed."""
        if not self.file:
            return self
        found = digest(config_dir, self.file, "pressure.file", "cases, one a line (`halluvault suites schema`)")
        return self.model_copy(update={"file": str(config_dir / self.file), "sha256": found})
