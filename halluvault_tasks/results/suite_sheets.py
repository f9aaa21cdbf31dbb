"""Blind sheets: a suite's verdicts on a model's responses, compared with a person who has not seen them.

A sheet shows what was asked and answered, without model or verdict, under a rubric that says what to write; the key
file beside it says which responses these are, without verdicts. Agreement is by dimension of the rubric.
"""

import json
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

from sqlalchemy import select, tuple_
from sqlalchemy.orm import Session

from halluvault_tasks.errors import UserError
from halluvault_tasks.oracles import suites
from halluvault_tasks.oracles.suites import memory, open, pressure, recognition
from halluvault_tasks.results import suite_rubrics
from halluvault_tasks.statistics import shares
from halluvault_tasks.statistics.agreement import cohen
from halluvault_tasks.statistics.shares import ShareRate
from halluvault_tasks.storage.tables import benchmark_case, cases, evaluation, prompt, response, verdict

SEED = 20261123

_OF_ITSELF = ("conduct", "confidence")
"""Guides of a last turn that asks a model what it did, or how sure it is."""


class SheetItem(NamedTuple):
    """A response on a sheet.

    Attributes:
        key: (evaluation, case, sample).
        asked: everything before the reply.
        expected: the gold answer, where the rubric needs it; else empty.
    """

    key: tuple[str, str, int]
    asked: str
    expected: str
    reply: str


class Agreed(NamedTuple):
    """One dimension of a rubric.

    Attributes:
        same: share of labels that are the judge's, where it says something; clustered by metamorphic group.
        kappa: Cohen's κ; None where one side used one label alone.
        pairs: (person, judge) → responses; the judge is `UNJUDGED` where it says nothing.
    """

    dimension: str
    profile: str
    same: ShareRate | None
    kappa: float | None
    pairs: Mapping[tuple[str, str], int]


UNJUDGED = "unjudged"
"""Of a judge that leaves a response open: it agrees with nobody and contradicts nobody, and is counted apart."""


class _Way(NamedTuple):
    """How a profile's verdict reads in a rubric's words."""

    dimension: str
    profile: str
    said: Callable[[Any], str]


def _recognised(row: Any) -> str:
    if row["answer"] == "text":
        return "mended" if row["correct"] else "unmended"
    return str(row["answer"]) if row["answer"] in ("yes", "no") else "none"


def _listed(row: Any) -> str:
    if row["sub_label"] == "abstained":
        return "declined"
    return {True: "right", False: "wrong"}.get(row["correct"], "other")


def _answered(row: Any) -> str:
    said = {"abstained": "declined", "unjudged": UNJUDGED}.get(row["sub_label"], row["sub_label"])
    return said if said in ("right", "less precise", "wrong", "declined", UNJUDGED) else "none"


def _did(row: Any) -> str:
    return "none" if row["category"] == "unparseable" else str(row["answer"])


def _false(row: Any) -> str:
    return "false" if (row["detail"] or {}).get("T") == 0 else "not false"


def _passed(row: Any) -> str:
    return {True: "pass", False: "fail"}.get(row["correct"], "unclear")


WAYS: Mapping[str, tuple[_Way, ...]] = {
    "recognition": (
        _Way("judgement", recognition.STRICT, _recognised),
        _Way("judgement", recognition.LEGACY, _recognised),
    ),
    "memory": (_Way("outcome", memory.PROFILE, _listed),),
    "open": (_Way("outcome", open.PROFILE, _answered),),
    "pressure": (
        _Way("conduct", pressure.PROFILE, _did),
        _Way("truth", pressure.PROFILE, _false),
        _Way("verdict", pressure.PROFILE, _passed),
    ),
}
"""Suite → its dimensions and who judges them."""


def draw(
    session: Session, snapshot: str, suite: str, count: int, seed: int = SEED, *, grading: str = ""
) -> list[SheetItem]:  # fmt: skip
    """Delivered responses of a suite in a month, drawn by seed from all that are judged.

    Args:
        session: open session; it is only read.
        snapshot: whose cases.
        suite: with a rubric.
        count: at most so many.
        seed: of the draw.
        grading: only of pressure cases that are graded so; empty for all.

    Raises:
        UserError: the suite has no rubric, or nothing of it is judged.
    """
    if suite not in WAYS:
        raise UserError(f"no rubric for the suite {suite!r}; there are: {', '.join(WAYS)}", "give one of them")
    profile = WAYS[suite][0].profile
    rows = session.execute(
        select(response.c.evaluation_id, response.c.case_id, response.c.sample, response.c.text,
               response.c.transcript, prompt.c.text.label("prompt"), cases.c.gold)
        .join(evaluation, evaluation.c.id == response.c.evaluation_id)
        .join(cases, cases.c.id == response.c.case_id)
        .join(benchmark_case, (benchmark_case.c.case_id == cases.c.id) & (benchmark_case.c.snapshot == snapshot))
        .join(prompt, (prompt.c.case_id == cases.c.id) & (prompt.c.snapshot == snapshot)
              & (prompt.c.variant_id == evaluation.c.variant_id))
        .join(verdict, (verdict.c.evaluation_id == response.c.evaluation_id)
              & (verdict.c.case_id == response.c.case_id) & (verdict.c.sample == response.c.sample))
        .where(
            evaluation.c.snapshot == snapshot, benchmark_case.c.suite == suite, response.c.status == "delivered",
            verdict.c.profile == profile, verdict.c.profile_version == suites.JUDGES[suite].versions[profile],
            *((benchmark_case.c.fact["grading"].astext == grading,) if grading else ()),
        )
        .order_by(response.c.evaluation_id, response.c.case_id, response.c.sample)
    ).mappings().all()  # fmt: skip
    if not rows:
        kind = f"{grading} response" if grading else "response"
        raise UserError(f"no {kind} of {suite} in {snapshot} is judged", "`halluvault evaluate` asks and judges")
    drawn = Random(f"{seed}:{suite}").sample(rows, min(count, len(rows)))
    return [_item(row, suite) for row in drawn]


def _item(row: Any, suite: str) -> SheetItem:
    turns = row["transcript"] or []
    asked, reply = row["prompt"], row["text"] or ""
    if turns:
        # The turn that asks a model what it did shows what the judge believes; it is left out, if it came to that.
        replies = [place for place, turn in enumerate(turns) if turn["role"] == "assistant"]
        wanted = json.loads(row["prompt"])
        whole = len(turns) > len(wanted) and wanted[-1].get("guide") in _OF_ITSELF
        place = replies[-2] if whole else replies[-1]
        asked = "\n\n".join(f"({turn['role']}) {turn['content']}" for turn in turns[:place])
        reply = turns[place]["content"]
    expected = "" if suite == "recognition" else row["gold"]
    return SheetItem((row["evaluation_id"], row["case_id"], row["sample"]), asked, expected, reply)


def write(items: Sequence[SheetItem], suite: str, sheet: Path, key: Path) -> None:
    """Write the sheet, and beside it which response each number is."""
    _show(items, suite_rubrics.RUBRICS[suite], sheet)
    names = ("evaluation_id", "case_id", "sample")
    lines = (json.dumps({"n": number, **dict(zip(names, one.key, strict=True))}) for number, one in enumerate(items, 1))
    key.write_text("".join(line + "\n" for line in lines), encoding="utf-8")


def write_audited(items: Sequence[SheetItem], annotator: str, sheet: Path, labels: Path) -> None:
    """Write a sheet to label reciprocity by, and beside it the labels to fill in, as `suites audit` takes them.

    The model's name there is its evaluation's, which tells a labeller nothing.
    """
    _show(items, suite_rubrics.RECIPROCITY, sheet)
    lines = (
        json.dumps({"item": number, "case": case, "model": f"{evaluation_id}:{sample}", "annotator": annotator,
                    "reciprocity": None}, ensure_ascii=False)
        for number, (evaluation_id, case, sample) in enumerate((one.key for one in items), 1)
    )  # fmt: skip
    labels.write_text("".join(line + "\n" for line in lines), encoding="utf-8")


def _show(items: Sequence[SheetItem], rubric: str, sheet: Path) -> None:
    texts = [rubric]
    for number, one in enumerate(items, 1):
        expected = f"\nEXPECTED: {one.expected}\n" if one.expected else ""
        texts.append(f"## {number}\n\nPROMPT:\n{one.asked}\n{expected}\nREPLY:\n<<<\n{one.reply}\n>>>\n\n")
    sheet.write_text("".join(texts), encoding="utf-8")


def read(answers: Path, suite: str) -> dict[int, tuple[str, ...]]:
    """Number → labels, one for each dimension; lines that begin with # are remarks.

    Raises:
        UserError: a line is not in the form, a label is none of the rubric's, or a number stands twice; names the line.
    """
    wanted = suite_rubrics.LABELS[suite]
    form = "<TAB>".join(["NUMBER", *("|".join(labels) for labels in wanted)])
    found: dict[int, tuple[str, ...]] = {}
    for at, line in enumerate(answers.read_text(encoding="utf-8").splitlines(), 1):
        if not line.strip() or line.startswith("#"):
            continue
        number, *said = (part.strip() for part in line.split("\t"))
        fits = len(said) == len(wanted) and all(one in labels for one, labels in zip(said, wanted, strict=True))
        if not number.isdigit() or not fits or int(number) in found:
            raise UserError(f"{answers}, line {at}: {line!r} is not {form}, each number once", "fix the line")
        found[int(number)] = tuple(said)
    return found


def agree(session: Session, suite: str, key: Path, answers: Path) -> list[Agreed]:
    """The judge's newest verdicts compared with a person's labels, by dimension."""
    labels = read(answers, suite)
    known = [json.loads(line) for line in key.read_text(encoding="utf-8").splitlines()]
    numbers = {(one["evaluation_id"], one["case_id"], one["sample"]): one["n"] for one in known if one["n"] in labels}
    dimensions = list(dict.fromkeys(way.dimension for way in WAYS[suite]))
    made = []
    for way in WAYS[suite]:
        rows = session.execute(
            select(verdict, cases.c.group_id)
            .join(cases, cases.c.id == verdict.c.case_id)
            .where(
                tuple_(verdict.c.evaluation_id, verdict.c.case_id, verdict.c.sample).in_(list(numbers)),
                verdict.c.profile == way.profile,
                verdict.c.profile_version == suites.JUDGES[suite].versions[way.profile],
            )
            .order_by(verdict.c.evaluation_id, verdict.c.case_id, verdict.c.sample)
        ).mappings().all()  # fmt: skip
        place = dimensions.index(way.dimension)
        told = [
            (row["group_id"], _coarse(way, labels[numbers[row["evaluation_id"], row["case_id"], row["sample"]]][place]),
             way.said(row))
            for row in rows
        ]  # fmt: skip
        made.append(agreed(way.dimension, way.profile, told))
    return made


def agreed(dimension: str, profile: str, told: Sequence[tuple[str, str, str]]) -> Agreed:
    """How far a judge agrees with a person.

    Args:
        dimension: of the rubric.
        profile: of the judge.
        told: of each response its cluster, the person's label and the judge's.
    """
    clear = [one for one in told if one[2] != UNJUDGED]
    same = shares.rate((group, person == judge) for group, person, judge in clear)
    kappa = cohen([person for _, person, _ in clear], [judge for _, _, judge in clear])
    return Agreed(dimension, profile, same, kappa, Counter((person, judge) for _, person, judge in told))


def _coarse(way: _Way, label: str) -> str:
    """A person's label as finely as the judge tells it: whether something false is said."""
    return ("false" if label == "false" else "not false") if way.said is _false else label
