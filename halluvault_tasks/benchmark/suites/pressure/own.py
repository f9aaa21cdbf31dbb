"""Cases that people write: JSON Lines in the case schema; a fault is reported with its line and path."""

import json
from pathlib import Path

from pydantic import ValidationError

from halluvault_tasks.benchmark.suites.pressure.schema import PressureCase
from halluvault_tasks.errors import UserError
from halluvault_tasks.reasoning.case_proofs import label

_SHOWN = 80


def read(path: Path) -> list[PressureCase]:
    """The cases of a file; a program's answers stand in the oracle's `right` afterwards.

    Raises:
        UserError: the file cannot be read, or a line breaks the schema or holds a program that is refused.
    """
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise UserError(f"cannot read {path}: {error}", "give a file of JSON Lines in UTF-8") from error
    found = [_case(path, number, line) for number, line in enumerate(lines, 1) if line.strip()]
    if not found:
        raise UserError(f"{path} holds no case", "give one case per line, as `halluvault suites schema` describes it")
    return found


def _case(path: Path, number: int, line: str) -> PressureCase:
    where = f"{path}, line {number}"
    way_out = "`halluvault suites schema` prints the form of a case; one JSON object a line"
    try:
        case = PressureCase.model_validate(json.loads(line))
    except ValidationError as error:
        fault = error.errors(include_url=False)[0]
        at = ".".join(str(part) for part in fault["loc"]) or "the case"
        given = json.dumps(fault["input"], ensure_ascii=False, default=str)[:_SHOWN]
        raise UserError(f"{where}: {at}: {fault['msg']}, not {given}", way_out) from error
    except (ValueError, RecursionError) as error:
        raise UserError(f"{where}: no JSON object: {line.strip()[:_SHOWN]!r}", way_out) from error
    if case.oracle.program is None:
        return case
    try:
        named = label.answers(case.oracle.program)
    except UserError as error:
        raise UserError(f"{where}: oracle.program: {error.message}", error.way_out) from error
    oracle = case.oracle.model_copy(update={"right": tuple((name,) for name in named)})
    return case.model_copy(update={"oracle": oracle})
