"""Labelled text, one JSON object a line: answers, claims of sentences, responses and the cases that they answer.

Fields that are not listed here are let be, so that files of the same kind made elsewhere are read, too.
"""

import gzip
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any, TypeVar

from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from halluvault_tasks.errors import UserError


class LabelledLine(BaseModel):
    """A line; fields that it does not list are let be."""

    model_config = ConfigDict(extra="ignore", frozen=True)


class LabelledAnswer(LabelledLine):
    """An answer to a yes/no question."""

    question: str
    text: str
    stance: str
    """Label: yes, no, soft_no, hedged_yes, abstain, contradictory, unclear …"""

    accept: list[str] = []
    """Readings that are right (yes, no, dont_know, refusal, contradictory, unparseable); none listed: the stance."""

    draw: str = "all"
    """How it was chosen, such as random or hard."""


class LabelledClaim(LabelledLine):
    """What a text asserts: a property, its two ends, and whether it is denied."""

    p: str
    """Wikidata property; several after commas where each is right."""

    s: str
    o: str
    neg: bool = False
    alt: list["LabelledClaim"] = []
    """Other readings that find this claim."""


class LabelledSentence(LabelledLine):
    """A text with every claim that it makes."""

    text: str
    topic: str = ""
    """What the text is about, which pronouns stand for."""

    names: list[str] = []
    claims: list[LabelledClaim] = []
    also_fine: list[LabelledClaim] = []
    """Neither right nor wrong."""


class LabelledResponse(LabelledLine):
    """A response to one of our own questions."""

    question: str
    gold: str
    case: str
    text: str
    stance: str
    """yes, no, none or contra."""

    hallucination: bool
    verdict: str | None = None
    """What a turn of its own said; None: the text itself answers."""


_EXPORTED = {"answer": "gold", "group": "group_id", "rule": "rule_kind"}


class LabelledCase(LabelledLine):
    """A case as a benchmark had it: columns of `cases` and `benchmark_case`, or as `benchmark export` writes them."""

    id: str
    question: str
    gold: str
    group_id: str
    mutation: str
    relation: str
    rule_kind: str
    subject: int | None = None
    fact: dict[str, Any]
    premises: list[dict[str, Any]] = Field(min_length=1)

    @model_validator(mode="before")
    @classmethod
    def _exported(cls, line: Any) -> Any:
        if not isinstance(line, dict) or "answer" not in line:
            return line
        named = {_EXPORTED.get(name, name): value for name, value in line.items()}
        return named | {
            name: json.loads(named[name]) for name in ("fact", "premises") if isinstance(named.get(name), str)
        }


Line = TypeVar("Line", bound=LabelledLine)


def read(files: Sequence[Path], kind: type[Line]) -> list[Line]:
    """All lines of some files; empty lines are left out.

    Raises:
        UserError: a file cannot be read, or a line is no such object; names file and line.
    """
    found = []
    for file in files:
        try:
            lines = _content(file).decode("utf-8-sig").split("\n")
        except (OSError, UnicodeDecodeError) as error:
            raise UserError(f"{file} cannot be read: {error}", "give a file of JSON lines in UTF-8") from error
        for number, line in enumerate(lines, 1):
            if not line.strip():
                continue
            try:
                found.append(kind.model_validate(json.loads(line)))
            except (ValidationError, ValueError) as error:
                wrong = error.errors()[0] if isinstance(error, ValidationError) else None
                why = f"{'.'.join(map(str, wrong['loc']))}: {wrong['msg']}" if wrong else f"no JSON ({error})"
                raise UserError(
                    f"{file}:{number}: {why}",
                    f"each line must be a JSON object with {', '.join(_required(kind))} (docs/oracle-study.md)",
                ) from error
    if not found:
        raise UserError(f"{', '.join(map(str, files))}: no labelled line", "give a file with at least one")
    return found


def _content(file: Path) -> bytes:
    found = file.read_bytes()
    return gzip.decompress(found) if file.suffix == ".gz" else found


def _required(kind: type[LabelledLine]) -> list[str]:
    return [name for name, field in kind.model_fields.items() if field.is_required()]
