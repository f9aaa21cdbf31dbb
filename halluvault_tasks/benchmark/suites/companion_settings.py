"""What the settings of companion suites have in common: each is a section of `config/suites.yaml`."""

import hashlib
from pathlib import Path
from typing import Annotated, Self

from pydantic import AfterValidator

from halluvault_tasks.benchmark.wording.forms import Strict
from halluvault_tasks.errors import UserError

FILE = "suites.yaml"


class CompanionSettings(Strict):
    """A suite's section; each suite has a class of its own with what it takes beside this."""

    enabled: bool = False

    def located(self, config_dir: Path) -> Self:
        """With the files that it names found and hashed; relative paths start at suites.yaml.

        Raises:
            UserError: one cannot be read.
        """
        return self


def _question(text: str) -> str:
    if text.count("{s}") != 1 or not text.endswith("?"):
        raise ValueError("a question that contains {s} once and ends with ?")
    return text


Question = Annotated[str, AfterValidator(_question)]
"""`{s}` is what it is asked about."""


def _distinct(given: tuple[float, ...]) -> tuple[float, ...]:
    if not given or len(set(given)) < len(given) or min(given) < 0 or max(given) > 2:
        raise ValueError("at least one number from 0 to 2, no duplicates; 0 is greedy")
    return given


Temperatures = Annotated[tuple[float, ...], AfterValidator(_distinct)]
"""At which a suite is asked, once each."""


def digest(config_dir: Path, name: str, field: str, of: str) -> str:
    """sha256 of a file's bytes.

    Args:
        config_dir: where a relative path starts.
        name: its path.
        field: that names it.
        of: what it holds.

    Raises:
        UserError: it cannot be read.
    """
    try:
        return hashlib.sha256((config_dir / name).read_bytes()).hexdigest()
    except OSError as error:
        raise UserError(
            f"{config_dir / FILE}: {field} names {name!r}, which cannot be read: {error.strerror}",
            f"give the path of a file of {of}, or take it out",
        ) from error
