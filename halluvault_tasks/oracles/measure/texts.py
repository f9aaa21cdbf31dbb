"""The sets of texts that versions of the reader were decided by (`studies/texts`), as the measures take them."""

import json
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Literal, NamedTuple

from pydantic import BaseModel, ConfigDict, Field

from halluvault_tasks.errors import UserError
from halluvault_tasks.oracles.measure import labelled
from halluvault_tasks.oracles.measure.labelled import LabelledCase, LabelledLine, LabelledResponse
from halluvault_tasks.oracles.unjudged import UnstoredText
from halluvault_tasks.settings import REPOSITORY
from halluvault_tasks.wikidata import yaml_files

FOLDER = REPOSITORY / "studies" / "texts"


_BEGINNING = re.compile(r"(^|[.!?][\"”)*]*\s+|\n[-*>\d. ]*)\{")
"""A slot with which a sentence begins."""


class TextSet(BaseModel):
    """One set."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    name: str
    kind: Literal["responses", "wordings", "claims", "answers"]
    file: str
    evidence: str = ""
    """Which month's cut its cases are judged by."""

    capable: bool = False
    """Its right answers are those of capable models, nothing planted."""

    @property
    def judged(self) -> bool:
        """Whether verdicts are measured, of texts on cases."""
        return self.kind in ("responses", "wordings")


class TextSets(BaseModel):
    """`sets.yaml`."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    evidence: dict[str, str]
    """Cut of a month → file of its cases."""

    sets: list[TextSet] = Field(min_length=1)


class _Wording(LabelledLine):
    kind: str
    gold: Literal["yes", "no"]
    truth: Literal["true", "false"]
    text: str
    verdict: str | None = None


class _SlottedCase(LabelledLine):
    case: str
    kind: str
    question: str
    gold: Literal["yes", "no"]
    slots: dict[str, str]


class SetText(NamedTuple):
    """A text of a set.

    Attributes:
        case: what it answers.
        verdict: the reply to a turn that asked for the verdict alone; None: the text itself answers.
        right: whether it gives the gold answer; None: it is not said.
        faulty: whether anything that its answer rests on is wrong, or the answer.
        source: line of the file that it comes of, from 1.
    """

    case: str
    question: str
    text: str
    verdict: str | None
    right: bool | None
    faulty: bool
    source: int

    def unstored(self, number: int) -> UnstoredText:
        """As a judge takes it; of two turns, the second asked for the verdict."""
        if self.verdict is None:
            return UnstoredText(self.case, number, self.text)
        said = [{"role": "assistant", "content": one} for one in (self.text, self.verdict)]
        asked = [
            {"role": "user", "content": self.question},
            said[0],
            {"role": "user", "content": "", "guide": "verdict"},
        ]
        return UnstoredText(self.case, number, self.verdict, said, json.dumps(asked, ensure_ascii=False))


def load(folder: Path = FOLDER) -> TextSets:
    """Which sets there are.

    Raises:
        UserError: no such folder, or its sets.yaml is faulty.
    """
    return yaml_files.load(folder / "sets.yaml", TextSets, way_out="give studies/texts of a checkout with --texts")


def cases(folder: Path, sets: TextSets, evidence: str) -> list[LabelledCase]:
    """The cases of a cut."""
    return labelled.read([folder / sets.evidence[evidence]], LabelledCase)


def texts(folder: Path, one: TextSet) -> list[SetText]:
    """The texts of a set that is judged."""
    file = folder / one.file
    return _worded(file, folder / "slots.jsonl") if one.kind == "wordings" else responses([file])


def responses(files: Sequence[Path]) -> list[SetText]:
    """Labelled responses."""
    return [
        SetText(line.case, line.question, line.text, line.verdict, line.stance == line.gold, line.hallucination, number)
        for number, line in enumerate(labelled.read(files, LabelledResponse), 1)
    ]


def _worded(file: Path, slots: Path) -> list[SetText]:
    """Each wording with the slots of each case of its kind and gold answer that has them."""
    by_kind: dict[tuple[str, str], list[_SlottedCase]] = {}
    for case in labelled.read([slots], _SlottedCase):
        by_kind.setdefault((case.kind, case.gold), []).append(case)
    found = []
    for number, wording in enumerate(labelled.read([file], _Wording), 1):
        for case in by_kind.get((wording.kind, wording.gold), ()):
            try:
                text = _BEGINNING.sub(r"\1{^", wording.text).format_map(case.slots | _capitals(case.slots))
            except KeyError:
                continue
            except (ValueError, IndexError, AttributeError) as error:
                raise UserError(f"{file}:{number}: {error}", "write braces around names of slots alone") from error
            right = (
                None if wording.truth == "false" and wording.verdict is None else wording.verdict in (None, case.gold)
            )
            found.append(
                SetText(case.case, case.question, text, wording.verdict, right, wording.truth == "false", number)
            )
    return found


def _capitals(slots: Mapping[str, str]) -> dict[str, str]:
    """Slots as they begin a sentence: "The Battle of Ulundi"."""
    return {f"^{name}": value[:1].upper() + value[1:] for name, value in slots.items()}


def missing(folder: Path, one: TextSet) -> str:
    """Why a set cannot be measured; empty if it can."""
    return "" if (folder / one.file).is_file() else f"{one.file} is not there"


def placed(found: Sequence[SetText], known: Sequence[LabelledCase]) -> list[SetText]:
    """The texts whose case is known."""
    ids = {case.id for case in known}
    return [one for one in found if one.case in ids]
