"""The sheet on which auditors review random cases: Markdown or CSV, with a column to tick for each criterion."""

import csv
import io
import re
from collections.abc import Iterable, Sequence

from halluvault_tasks.benchmark.cases.case import told
from halluvault_tasks.benchmark.export.reading import CaseView
from halluvault_tasks.errors import UserError

TICKS = ("grammatical", "unambiguous", "answer right", "not guessable")
"""What an auditor ticks, in the order of the columns: is it good English, has it one reading, is the answer right, and
does nothing in the words give the answer away."""

GIVEN = ("#", "case", "question", "answer", "evidence")
COLUMNS = (*GIVEN, *TICKS, "note")
FORMATS = ("md", "csv")

_FORMULA = re.compile(r"^[=+\-@\t]")
_BAR = re.compile(r"(?<!\\)\|")


def sheet(cases: Iterable[CaseView], form: str) -> str:
    """The sheet as text.

    Args:
        cases: in the order in which they are to be read.
        form: one of `FORMATS`.
    """
    rows = [
        [
            " ".join(cell.split())
            for cell in (
                str(number),
                one.id,
                one.question,
                one.gold,
                " ".join(told(one.premises, one.fact)),
            )
        ]
        for number, one in enumerate(cases, 1)
    ]
    if form == "md":
        return _markdown(rows)
    if form == "csv":
        return _csv(rows)
    raise UserError(f"sheet format {form!r} is unknown; the formats are {', '.join(FORMATS)}", "give one as --format")


def _markdown(rows: Sequence[Sequence[str]]) -> str:
    lines = [COLUMNS, ["-"] * len(COLUMNS)]
    lines += [[*(cell.replace("|", "\\|") for cell in row), *[""] * (len(TICKS) + 1)] for row in rows]
    return "".join("| " + " | ".join(cells) + " |\n" for cells in lines)


def _csv(rows: Sequence[Sequence[str]]) -> str:
    file = io.StringIO()
    writer = csv.writer(file, lineterminator="\n")
    writer.writerow(COLUMNS)
    # A label may look like a spreadsheet's formula; an apostrophe keeps it text.
    writer.writerows([*(_FORMULA.sub(r"'\g<0>", cell) for cell in row), *[""] * (len(TICKS) + 1)] for row in rows)
    return file.getvalue()


def cells(text: str) -> list[list[str]]:
    """The rows of a sheet, header first, cells trimmed; Markdown's rule line is left out.

    Raises:
        UserError: it is no such sheet: the header lacks a column.
    """
    if any(line.lstrip().startswith("|") for line in text.splitlines()):
        rows = [
            [cell.strip().replace("\\|", "|") for cell in _BAR.split(line.strip())[1:-1]]
            for line in text.splitlines()
            if line.strip().startswith("|")
        ]
        rows = [row for row in rows if not all(re.fullmatch(r":?-+:?", cell) for cell in row)]
    else:
        rows = [
            [re.sub(r"^'(?=[=+\-@\t])", "", cell).strip() for cell in row]
            for row in csv.reader(io.StringIO(text.lstrip("\ufeff")))
            if any(row)
        ]
    header = [cell.lower() for cell in rows[0]] if rows else []
    if missing := [name for name in ("case", *TICKS) if name not in header]:
        raise UserError(
            f"this is not a review sheet: the column {missing[0]!r} is missing; a sheet has {', '.join(COLUMNS)}",
            "halluvault benchmark sample --n 80 > sheet.md, tick it, and give that file",
        )
    return rows
