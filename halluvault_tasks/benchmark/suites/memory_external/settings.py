"""Section `memory_external` of suites.yaml."""

from pathlib import Path
from typing import Self

from pydantic import Field, model_validator

from halluvault_tasks.benchmark.suites.companion_settings import CompanionSettings, Temperatures, digest


class MemoryExternal(CompanionSettings):
    """Memory consistency, external (docs/suites.md)."""

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
    temperatures: Temperatures = (0.95,)

    @model_validator(mode="after")
    def _somebody_rephrases(self) -> "MemoryExternal":
        if self.enabled and not self.rephraser:
            raise ValueError("`enabled` needs `rephraser`, the name of a model in models.yaml")
        if self.tries < self.rephrasings:
            raise ValueError("tries: at least as many as `rephrasings`")
        return self

    def located(self, config_dir: Path) -> Self:
        """With the file of documents found and hashed."""
        if self.file is None:
            return self
        found = digest(config_dir, self.file, "memory_external.file", "documents, one a line")
        return self.model_copy(update={"file": str(config_dir / self.file), "sha256": found})
