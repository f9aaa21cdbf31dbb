"""Section `recognition` of suites.yaml."""

from pathlib import Path
from typing import Literal, Self

from pydantic import Field, model_validator

from halluvault_tasks.benchmark.suites.companion_settings import CompanionSettings, Question, digest
from halluvault_tasks.benchmark.wording.forms import Strict


class OpenQuestion(Strict):
    """An open question after a property's value."""

    property: int = Field(ge=1)
    ask: Question
    """`{s}` is the subject."""


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


class Recognition(CompanionSettings):
    """Recognition of hallucinations (docs/suites.md)."""

    questions: tuple[OpenQuestion, ...] = ()
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

    def located(self, config_dir: Path) -> Self:
        """With HaluEval's files found and hashed."""
        files = tuple(
            file.model_copy(
                update={
                    "file": str(config_dir / file.file),
                    "sha256": digest(config_dir, file.file, "recognition.halueval", "HaluEval"),
                }
            )
            for file in self.halueval
        )
        return self.model_copy(update={"halueval": files})
