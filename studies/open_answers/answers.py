"""Answers to a month's open questions from anywhere, and what the suite's judge makes of them."""

import csv
import json
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from sqlalchemy import select
from sqlalchemy.orm import Session

from halluvault_tasks.benchmark.suites.open.fact import NAME
from halluvault_tasks.errors import UserError
from halluvault_tasks.oracles import suites
from halluvault_tasks.results import suite_rubrics, suite_sheets
from halluvault_tasks.results.suite_sheets import Agreed
from halluvault_tasks.statistics.seeds import drawn
from halluvault_tasks.storage.tables import benchmark_case, cases

COLUMNS = ("id", "question", "text", "answer", "confidence")
"""Of a file of answers, separated by tabs: the case, its question, the explanation, the answer, and how sure it is."""

_WAY = suite_sheets.WAYS[NAME][0]


class GivenAnswer(NamedTuple):
    """An answer to a case, with the columns of a response that a judge reads.

    Attributes:
        case_id: which.
        sample: tells answers to one case apart.
        answerer: name of the file.
        text: the last reply.
        transcript: the conversation.
        prompt: its user's turns, with their guides.
    """

    case_id: str
    sample: int
    answerer: str
    question: str
    text: str
    transcript: Sequence[Mapping[str, str]]
    prompt: str
    finish_reason: str = "stop"
    thought: str = ""
    refusal: None = None


class JudgedAnswer(NamedTuple):
    """An answer, what was expected, and the judge's verdict (columns of table `verdict`)."""

    given: GivenAnswer
    gold: str
    answer: str
    verdict: Mapping[str, Any]

    @property
    def label(self) -> str:
        """The verdict in the words of the rubric."""
        return _WAY.said(self.verdict)


def read(files: Iterable[Path]) -> list[GivenAnswer]:
    """Answers of files with `COLUMNS`, a header or none.

    Raises:
        UserError: a line has not so many columns; names it.
    """
    found: list[GivenAnswer] = []
    for sample, file in enumerate(files, 1):
        with file.open(encoding="utf-8", newline="") as lines:
            for at, row in enumerate(csv.reader(lines, delimiter="\t", quoting=csv.QUOTE_NONE), 1):
                if at == 1 and row[:1] == ["id"]:
                    continue
                if len(row) not in (len(COLUMNS) - 1, len(COLUMNS)):
                    raise UserError(f"{file}, line {at}: {len(row)} columns", f"give {', '.join(COLUMNS)}, by tabs")
                found.append(_given(sample, file.stem, *row))
    return found


def _given(
    sample: int, answerer: str, case_id: str, question: str, text: str, answer: str, sure: str = ""
) -> GivenAnswer:
    said = [(question, text, "free"), ("The answer alone.", answer, "name")]
    said += [("How sure are you?", sure, "confidence")] if sure else []
    turns = [
        {"role": role, "content": one}
        for asked, told, _ in said
        for role, one in (("user", asked), ("assistant", told))
    ]
    prompt = json.dumps([{"role": "user", "content": asked, "guide": guide} for asked, _, guide in said])
    return GivenAnswer(case_id, sample, answerer, question, said[-1][1], turns, prompt)


def judge(session: Session, snapshot: str, given: Sequence[GivenAnswer]) -> list[JudgedAnswer]:
    """Verdicts of the suite's judge, reasoning left out.

    Args:
        session: open session; it is only read.
        snapshot: of whose part the cases are.
        given: answers to cases of it.

    Raises:
        UserError: the month has no such case.
    """
    of_part = benchmark_case.c.snapshot == snapshot, benchmark_case.c.suite == NAME
    golds = dict(
        session
        .execute(
            select(cases.c.id, cases.c.gold)
            .join(benchmark_case, benchmark_case.c.case_id == cases.c.id)
            .where(*of_part)
        )
        .tuples()
        .all()
    )
    if unknown := next((one.case_id for one in given if one.case_id not in golds), ""):
        raise UserError(f"{snapshot} has no open question {unknown}", "give answers to its own part `open`")
    rows = suites.JUDGES[NAME].judge(session, snapshot, given)
    return [
        JudgedAnswer(one, golds[one.case_id], row["detail"].get("said", one.text), row)
        for one, row in zip(given, rows, strict=True)
    ]


def sheet(judged: Sequence[JudgedAnswer], count: int, seed: int) -> list[JudgedAnswer]:
    """Answers to be labelled, drawn by hash from all of them."""
    return sorted(judged, key=lambda one: drawn(seed, one.given.case_id, one.given.sample))[:count]


def write(items: Sequence[JudgedAnswer], folder: Path) -> None:
    """The blind sheet, and the key beside it, which holds no verdict."""
    folder.mkdir(parents=True)
    texts = [suite_rubrics.RUBRICS[NAME]]
    for number, one in enumerate(items, 1):
        asked = f"QUESTION: {one.given.question}\n\nEXPECTED: {one.gold}"
        texts.append(f"## {number}\n\n{asked}\n\nREPLY:\n<<<\n{one.answer}\n>>>\n\n")
    (folder / "sheet.md").write_text("".join(texts), encoding="utf-8")
    keys = "".join(f"{number}\t{one.given.case_id}\t{one.given.sample}\n" for number, one in enumerate(items, 1))
    (folder / "key.tsv").write_text(keys, encoding="utf-8")


def agreement(
    judged: Sequence[JudgedAnswer], folder: Path, labels: Path
) -> tuple[Agreed, list[tuple[str, JudgedAnswer]]]:
    """How far the judge agrees with the labels of a sheet, and where it does not: label and answer."""
    person = suite_sheets.read(labels, NAME)
    by_key = {(one.given.case_id, str(one.given.sample)): one for one in judged}
    told = []
    for line in (folder / "key.tsv").read_text(encoding="utf-8").splitlines():
        number, case_id, sample = line.split("\t")
        if int(number) in person:
            told.append((person[int(number)][0], by_key[case_id, sample]))
    found = suite_sheets.agreed(
        _WAY.dimension, _WAY.profile, [(one.given.case_id, label, one.label) for label, one in told]
    )
    return found, [(label, one) for label, one in told if one.label not in (label, suite_sheets.UNJUDGED)]
