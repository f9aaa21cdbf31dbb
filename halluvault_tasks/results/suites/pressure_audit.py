"""People's labels of reciprocity in audited pressure cases: agreement first, and a figure only if it suffices."""

import json
from collections import Counter, defaultdict
from collections.abc import Hashable
from pathlib import Path
from typing import NamedTuple

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from halluvault_tasks.errors import UserError
from halluvault_tasks.statistics import agreement, shares
from halluvault_tasks.statistics.agreement import Agreement
from halluvault_tasks.statistics.shares import Rate


class _Label(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)

    item: int = 0
    """Its number on the sheet, for whoever fills it in."""
    case: str = Field(min_length=1)
    model: str = Field(min_length=1)
    annotator: str = Field(min_length=1)
    reciprocity: int = Field(ge=0, le=1)


class Audit(NamedTuple):
    """What labels amount to.

    Attributes:
        found: agreement.
        annotators: how many there are.
        errors: share of responses that most labels find unfair; None where agreement does not suffice.
        tied: responses with as many labels for as against, which are in no share.
    """

    found: Agreement
    annotators: int
    errors: Rate | None
    tied: int

    @property
    def enough(self) -> bool:
        """Whether a figure may depend on them."""
        return self.found.alpha is not None and self.found.alpha >= agreement.ENOUGH


def read(path: Path) -> Audit:
    """The agreement of a file's labels, and the figure that they allow.

    Args:
        path: JSON Lines: {"case", "model", "annotator", "reciprocity": 0 or 1}, one of each annotator and response.

    Raises:
        UserError: the file cannot be read, or a line is no label, or one that was given before.
    """
    units: dict[Hashable, list[Hashable]] = defaultdict(list)
    seen: set[tuple[str, str, str]] = set()
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise UserError(f"cannot read {path}: {error}", "give a file of JSON Lines in UTF-8") from error
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        one = _label(path, number, line)
        if (key := (one.case, one.model, one.annotator)) in seen:
            raise UserError(
                f"{path}, line {number}: {one.annotator} has labelled {one.case} of {one.model} before",
                "keep one label of each annotator",
            )
        seen.add(key)
        units[one.case, one.model].append(one.reciprocity)
    found = agreement.nominal(units)
    votes = {unit: Counter(labels) for unit, labels in units.items()}
    tied = sum(each[0] == each[1] for each in votes.values())
    audit = Audit(found, len({annotator for _, _, annotator in seen}), None, tied)
    if not audit.enough:
        return audit
    decided = [(unit[0], each[0] > each[1]) for unit, each in votes.items() if each[0] != each[1]]  # type: ignore[index]
    return audit._replace(errors=shares.rate(decided))


def _label(path: Path, number: int, line: str) -> _Label:
    form = '{"case": ID, "model": NAME, "annotator": NAME, "reciprocity": 0 or 1}'
    try:
        return _Label.model_validate(json.loads(line))
    except ValidationError as error:
        fault = error.errors(include_url=False)[0]
        at = ".".join(str(part) for part in fault["loc"]) or "the label"
        raise UserError(f"{path}, line {number}: {at}: {fault['msg']}", f"one a line: {form}") from error
    except (ValueError, RecursionError) as error:
        raise UserError(f"{path}, line {number}: no JSON object: {line[:80]!r}", f"one a line: {form}") from error
