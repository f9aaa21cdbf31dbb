"""Real answers with blind labels and what their questions wanted, so that any version of the judge can be held."""

import csv
import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from types import SimpleNamespace
from typing import Any, NamedTuple

from sqlalchemy.orm import Session

from halluvault_tasks.benchmark.suites.open.fact import OpenFact
from halluvault_tasks.oracles.exchange import HeardResponse
from halluvault_tasks.oracles.suites import open as judge
from halluvault_tasks.results import suite_sheets
from halluvault_tasks.results.suite_sheets import Agreed

FOLDER = Path(__file__).parent / "2022-12"
_WAY = suite_sheets.WAYS["open"][0]


class LabelledAnswer(NamedTuple):
    """An answer, its question, and its label.

    Attributes:
        case: with question and fact, as a row of `benchmark_case` has them.
        gold: what was expected, in words.
        corrected: version of the judge in which something was mended on this very answer; empty: none. It says nothing
            of that version, nor of any later one.
    """

    said: HeardResponse
    case: Any
    gold: str
    label: str
    corrected: str


def read(folder: Path = FOLDER) -> list[LabelledAnswer]:
    """Everything that is labelled in a folder: `answers.tsv`, `cases.tsv` and `labels.tsv`."""
    wanted = {row["case"]: row for row in _rows(folder / "cases.tsv")}
    labels = {(row["case"], row["sample"]): row for row in _rows(folder / "labels.tsv")}
    answers = list(_rows(folder / "answers.tsv"))
    samples = {name: str(at) for at, name in enumerate(dict.fromkeys(row["answerer"] for row in answers), 1)}
    found = []
    for row in answers:
        key = (row["case"], samples[row["answerer"]])
        if key in labels:
            own, label = wanted[row["case"]], labels[key]
            fact = OpenFact(
                asks="", wanted=json.loads(own["wanted"]), licence="proved", relation=own["relation"], hops=1,
                difficulty={}, told=own["told"],
            )  # fmt: skip
            case = SimpleNamespace(question=row["question"], fact=fact.model_dump(mode="json"))
            said = HeardResponse(row["case"], int(key[1]), row["answer"])
            found.append(LabelledAnswer(said, case, row["gold"], label["label"], label["corrected"]))
    return found


def _rows(file: Path) -> Iterator[dict[str, str]]:
    with file.open(encoding="utf-8", newline="") as lines:
        yield from csv.DictReader(lines, delimiter="\t", quoting=csv.QUOTE_NONE)


class HeldAnswers(NamedTuple):
    """How far the judge agrees with labels.

    Attributes:
        agreed: over all answers on which nothing of the judge was corrected.
        apart: those that it judges otherwise, each with its verdict in the words of the rubric.
    """

    agreed: Agreed
    apart: Sequence[tuple[LabelledAnswer, str]]


def hold(session: Session, snapshot: str, labelled: Sequence[LabelledAnswer]) -> HeldAnswers:
    """Judge labelled answers anew by the names of a month of the same source.

    Args:
        session: open session; it is only read.
        snapshot: exact key.
        labelled: the answers.
    """
    fair = [one for one in labelled if not one.corrected]
    rows = judge.verdicts(session, snapshot, [(one.said, one.case) for one in fair])
    judged = [(one, _WAY.said({"detail": {}, **row})) for one, (row,) in zip(fair, rows, strict=True)]
    agreed = suite_sheets.agreed(
        _WAY.dimension, _WAY.profile, [(one.said.case_id, one.label, said) for one, said in judged]
    )
    return HeldAnswers(agreed, [(one, said) for one, said in judged if said not in (one.label, suite_sheets.UNJUDGED)])
