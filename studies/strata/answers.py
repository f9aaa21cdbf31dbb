"""Answers read back: right or wrong by level of each feature, with intervals, and what is to be looked up."""

import csv
import json
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from halluvault_tasks.errors import UserError
from halluvault_tasks.reading import verdict_turn
from halluvault_tasks.statistics.seeds import drawn
from halluvault_tasks.statistics.shares import wilson

FEATURES = ("stratum", "steps", "bridge", "nearness", "precision", "design", "licence", "suite", "domain")

LEVELS: Mapping[str, Sequence[str]] = {
    "stratum": ("tail", "least known", "middle", "best known", "news"),
    "steps": ("1", "2", "3", "4+"),
    "nearness": ("close", "akin", "loose", "alone"),
    "precision": ("none", "decade", "year", "month", "day"),
}
"""The order of levels where the alphabet's says nothing."""

FINDINGS = ("right", "wrong", "arguable")
"""What somebody who looked a fact up found of its gold answer."""

_AGREEMENTS = 300

Key = Mapping[str, Mapping[str, str]]
"""Case → its row of the key."""


class AnswerRow(NamedTuple):
    """One answer.

    Attributes:
        case: which.
        answerer: who.
        context: closed-book or with-evidence.
        verdict: yes, no, don't know, or empty: none was read.
        explanation: of the first turn.
    """

    case: str
    answerer: str
    context: str
    verdict: str
    explanation: str


class LevelRate(NamedTuple):
    """How often answers are right at one level of a feature.

    Attributes:
        answers: given, "don't know" and unread among them; every one is of another fact.
        right: of these.
        abstained: of these, don't know.
        share, low, high: right, with Wilson's 95 % interval.
    """

    answerer: str
    context: str
    feature: str
    level: str
    answers: int
    right: int
    abstained: int
    share: float
    low: float
    high: float


def read(paths: Iterable[Path], key: Key) -> list[AnswerRow]:
    """Answers out of JSONL files: a line has `case`, `answerer`, `context`, `verdict` and, if given, `explanation`.

    A verdict is read as the product reads a verdict turn.

    Raises:
        UserError: a line is not such a line, is about a case that was not drawn, or answers one twice.
    """
    found: dict[tuple[str, str, str], AnswerRow] = {}
    for path in paths:
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
            if not line.strip():
                continue
            row = _row(line, f"{path}:{number}", key)
            if row[:3] in found:
                raise UserError(f"{path}:{number}: {row.answerer} answered {row.case} twice", "keep one line of it")
            found[row[:3]] = row
    return sorted(found.values())


def _row(line: str, where: str, key: Key) -> AnswerRow:
    accepted = 'each line is {"case": …, "answerer": …, "context": …, "verdict": …, "explanation": …}'
    try:
        said = json.loads(line)
        row = AnswerRow(
            said["case"], said["answerer"], said["context"], _verdict(str(said["verdict"])), said.get("explanation", "")
        )
    except (ValueError, KeyError, TypeError) as error:
        raise UserError(f"{where}: {error!r} in {line[:80]!r}", accepted) from error
    if row.case not in key:
        raise UserError(f"{where}: the case {row.case!r} is not in the key", "read it with the draw that it is of")
    return row


def _verdict(text: str) -> str:
    said = verdict_turn.read(text)
    return {"yes": "yes", "no": "no", "dont_know": "don't know"}.get(said.kind, "")


def rates(answers: Sequence[AnswerRow], key: Key) -> list[LevelRate]:
    """Right answers by answerer, context, and level of each feature; feature `all` first."""
    found = []
    for answerer, context in sorted({(one.answerer, one.context) for one in answers}):
        mine = [one for one in answers if (one.answerer, one.context) == (answerer, context)]
        found.append(_rate(answerer, context, "all", "", mine, key))
        for feature in FEATURES:
            levels = {key[one.case][feature] for one in mine}
            order = LEVELS.get(feature, sorted(levels))
            found += [
                _rate(answerer, context, feature, level, [a for a in mine if key[a.case][feature] == level], key)
                for level in order
                if level in levels
            ]
    return found


def _rate(answerer: str, context: str, feature: str, level: str, some: Sequence[AnswerRow], key: Key) -> LevelRate:
    right = sum(one.verdict == key[one.case]["gold"] for one in some)
    abstained = sum(one.verdict == "don't know" for one in some)
    share = right / len(some) if some else 0.0
    bounds = wilson(share, len(some))
    return LevelRate(answerer, context, feature, level, len(some), right, abstained, share, bounds.low, bounds.high)


def to_look_up(answers: Sequence[AnswerRow], key: Key, seed: int) -> list[dict[str, str]]:
    """What is to be looked up: every case on which somebody disagrees with its gold, and 300 others at random.

    The sheet shows the gold answer and its evidence, since what is asked is whether that is right; the columns
    `finding` (right, wrong, arguable), `source` and `by` are to be filled in.
    """
    against: dict[str, list[str]] = {}
    for one in answers:
        if one.verdict in ("yes", "no") and one.verdict != key[one.case]["gold"]:
            against.setdefault(one.case, []).append(f"{one.answerer}, {one.context}")
    agreed = sorted({one.case for one in answers} - against.keys(), key=lambda case: drawn(seed, "look up", case))
    return [
        {
            "case": case, "question": key[case]["question"], "gold": key[case]["gold"],
            "evidence": key[case]["evidence"], "disagrees": "; ".join(against.get(case, ())),
            "finding": "", "source": "", "by": "",
        }
        for case in sorted((*against, *agreed[:_AGREEMENTS]))
    ]  # fmt: skip


def looked_up(path: Path) -> dict[str, int]:
    """Findings of a filled sheet.

    Raises:
        UserError: a finding is none of right, wrong, arguable; an empty one has not been looked up and counts apart.
    """
    counted = dict.fromkeys((*FINDINGS, ""), 0)
    with path.open(encoding="utf-8", newline="") as file:
        for number, row in enumerate(csv.DictReader(file, delimiter="\t"), 2):
            finding = row["finding"].strip()
            if finding not in counted:
                raise UserError(f"{path}:{number}: the finding {finding!r}", f"write {', '.join(FINDINGS)}, or nothing")
            counted[finding] += 1
    return counted
