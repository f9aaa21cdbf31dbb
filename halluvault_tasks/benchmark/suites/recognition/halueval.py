"""HaluEval's files as they are: one JSON object per line, whatever the file is called."""

import json
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Literal, NamedTuple

from halluvault_tasks.errors import UserError

FileTask = Literal["qa", "dialogue", "summary", "general"]

_KEYS: Mapping[FileTask, tuple[str, ...]] = {
    "qa": ("knowledge", "question", "right_answer", "hallucinated_answer"),
    "dialogue": ("knowledge", "dialogue_history", "right_response", "hallucinated_response"),
    "summary": ("document", "right_summary", "hallucinated_summary"),
    "general": ("user_query", "chatgpt_response", "hallucination"),
}


class HaluEvalLine(NamedTuple):
    """One line of a file.

    Attributes:
        line: from 1.
        setting: question, dialogue history, document or query.
        right: the right member; of `general` the response, if it is labelled as right.
        false: the hallucinated member, likewise; empty where there is none.
        knowledge: empty where the file has none.
    """

    line: int
    setting: str
    right: str
    false: str
    knowledge: str


class File(NamedTuple):
    """A file, read; `notices` are what is odd about it and refuses nothing."""

    rows: tuple[HaluEvalLine, ...]
    notices: tuple[str, ...]


def read(path: Path, task: FileTask) -> File:
    """Read a file of HaluEval.

    Raises:
        UserError: it cannot be read, or a line is no JSON object, lacks a key or has something else than text there;
            names the line and what is accepted.
    """
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise UserError(f"cannot read {path}: {error}", "give a file of HaluEval as it was downloaded") from error
    rows, ids, bare = [], Counter[str](), list[int]()
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        found = _object(path, number, line, task)
        if task == "general":
            label = found["hallucination"].strip().casefold()
            if label not in ("yes", "no"):
                raise UserError(f"{path}, line {number}: hallucination is {label!r}", "it must be yes or no")
            ids[str(found.get("ID", number))] += 1
            bare += [number] * (label == "yes" and not found.get("hallucination_spans"))
            said = found["chatgpt_response"]
            right, false = ("", said) if label == "yes" else (said, "")
            rows.append(HaluEvalLine(number, found["user_query"], right, false, ""))
        else:
            *before, setting, right, false = (found[key] for key in _KEYS[task])
            rows.append(HaluEvalLine(number, setting, right, false, before[0] if before else ""))
    twice = sorted(one for one, times in ids.items() if times > 1)
    notices = [f"{path.name}: duplicate ID {one}; both are used" for one in twice]
    notices += [f"{path.name}, line {number}: labelled yes without a span; used all the same" for number in bare]
    same = sum(one.right == one.false for one in rows)
    notices += [f"{path.name}: {same} pairs whose members are the same text are left out"] * bool(same)
    return File(tuple(one for one in rows if one.right != one.false), tuple(notices))


def _object(path: Path, number: int, line: str, task: FileTask) -> dict[str, Any]:
    keys = ", ".join(_KEYS[task])
    way_out = f"a line of {task} is a JSON object with {keys}, all text"
    try:
        found = json.loads(line)
    except ValueError as error:
        raise UserError(f"{path}, line {number}: no JSON ({error})", way_out) from error
    if not isinstance(found, dict):
        raise UserError(f"{path}, line {number}: not a JSON object: {line[:40]!r}", way_out)
    for key in _KEYS[task]:
        if key not in found:
            raise UserError(f"{path}, line {number}: the key {key!r} is missing", way_out)
        if not isinstance(found[key], str) or not found[key].strip():
            raise UserError(f"{path}, line {number}: {key} is {str(found[key])[:40]!r}", way_out)
    return found
