"""Sheets of statements that readers judge without their gold, and the keys by which they are counted.

A sheet is a table of id and question, worded by whoever asks them (`benchmark.export.class_sheets`); the reader adds a
column `answer`: yes, no or undecided. Its key, kept elsewhere, says which are foils and of which version of a class.
"""

import csv
import hashlib
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from halluvault_tasks.errors import UserError
from halluvault_tasks.reasoning.measuring.nearness import BY_NAME
from halluvault_tasks.wikidata.relation import Relation

ANSWERS = ("yes", "no", "undecided")
_SHEET = ("id", "question", "answer")
_KEY = ("id", "true", "third", "kind", "near", "relation", "version", "attempt", "month")
_SHOWN = 5  # ids named in an error


class KeyLine(NamedTuple):
    """What stands behind a line of a sheet.

    Attributes:
        id: of the line.
        true: whether it is a true statement that was planted.
        third: of fame, 0 the least known.
        kind: `class`, or `headline`.
        near: nearness of a foil's class; empty on the sheet of a headline.
        relation: what it relates.
        version: of the nearness.
        attempt: of the sheet.
        month: that it was drawn from.
    """

    id: str
    true: bool
    third: int
    kind: str
    near: str
    relation: Relation
    version: int
    attempt: int
    month: str


class SheetLine(NamedTuple):
    """A line of a sheet with what stands behind it."""

    question: str
    key: KeyLine


class AnsweredSheet(NamedTuple):
    """A sheet with its answers.

    Attributes:
        name: of the sheet.
        lines: what stands behind each, with its question and answer.
    """

    name: str
    lines: Sequence[tuple[SheetLine, str]]

    @property
    def key(self) -> KeyLine:
        """Of its first line: class, version, attempt and month are those of all."""
        return self.lines[0][0].key

    def counted(self, *, true: bool, third: int | None = None) -> Counter[str]:
        """Answers to its foils, or to what was planted."""
        return Counter(
            answer
            for line, answer in self.lines
            if line.key.true is true and (third is None or line.key.third == third)
        )


def write(lines: Iterable[SheetLine], sheets: Path, keys: Path) -> Path:
    """Write a sheet and its key, each into its own folder, in the order of the lines.

    Returns:
        The sheet. Its name is made of its ids, and tells a reader nothing of what is on it.
    """
    lines = list(lines)
    name = f"sheet-{hashlib.sha256(' '.join(line.key.id for line in lines).encode()).hexdigest()[:8]}"
    for folder in (sheets, keys):
        folder.mkdir(parents=True, exist_ok=True)
    with (sheets / f"{name}.tsv").open("w", encoding="utf-8", newline="") as file:
        csv.writer(file, "excel-tab", lineterminator="\n").writerows([
            _SHEET,
            *((line.key.id, line.question, "") for line in lines),
        ])
    with (keys / f"{name}.key.tsv").open("w", encoding="utf-8", newline="") as file:
        csv.writer(file, "excel-tab", lineterminator="\n").writerows([_KEY, *(line.key for line in lines)])
    return sheets / f"{name}.tsv"


def read(sheets: Path, keys: Path) -> list[AnsweredSheet]:
    """Every sheet of a folder, by name.

    Raises:
        UserError: there is none; one has no key, a blank or unknown answer, a foreign id or lacks one, or was drawn by
            another version of its nearness than the present.
    """
    files = sorted(sheets.glob("*.tsv"))
    if not files:
        raise UserError(f"{sheets} has no sheet (*.tsv)", "`halluvault rules measure --sheets DIR` writes some")
    return [_reading(file, keys) for file in files]


def _reading(file: Path, keys: Path) -> AnsweredSheet:
    key = _key(keys / f"{file.stem}.key.tsv", file)
    _current(file, next(iter(key.values())))
    rows = _table(file, _SHEET)
    ids = [row["id"] for row in rows]
    _complain(file, "has ids that are not its own", [one for one in ids if one not in key])
    _complain(file, "lacks lines", [one for one in key if one not in ids])
    _complain(file, "has lines twice", [one for one, number in Counter(ids).items() if number > 1])
    answers = {row["id"]: (row["answer"] or "").strip().lower() for row in rows}
    _complain(file, "has no answer at", [one for one, answer in answers.items() if not answer])
    _complain(
        file,
        f"has an answer other than {', '.join(ANSWERS)} at",
        [f"{one} ({answer})" for one, answer in answers.items() if answer not in ANSWERS],
    )
    return AnsweredSheet(file.stem, [(SheetLine(row["question"], key[row["id"]]), answers[row["id"]]) for row in rows])


def _current(file: Path, key: KeyLine) -> None:
    if not key.near:
        return
    nearness = BY_NAME.get(key.near)
    if nearness is None or nearness.version != key.version:
        now = f"is at {nearness.version} now" if nearness else "is there no more"
        raise UserError(
            f"{file} was drawn by version {key.version} of “{key.near}”, which {now}",
            "write the sheet anew with `halluvault rules measure --sheets DIR`",
        )


def _key(path: Path, sheet: Path) -> Mapping[str, KeyLine]:
    if not path.exists():
        raise UserError(f"{sheet} has no key: {path} does not exist", "give the folder of its keys with --keys")
    key = {
        row["id"]: KeyLine(
            row["id"],
            row["true"] == "True",
            int(row["third"]),
            row["kind"],
            row["near"],
            Relation.parse(row["relation"]),
            int(row["version"]),
            int(row["attempt"]),
            row["month"],
        )
        for row in _table(path, _KEY)
    }
    if not key:
        raise UserError(f"{path} is empty", "write the sheet anew")
    return key


def _table(path: Path, columns: Collection[str]) -> list[dict[str, str]]:
    try:
        with path.open(encoding="utf-8", newline="") as file:
            reader = csv.DictReader(file, dialect="excel-tab")
            rows = list(reader)
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        raise UserError(f"cannot read {path}: {error}", "give a tab-separated file in UTF-8") from error
    if lacks := [name for name in columns if name not in (reader.fieldnames or ())]:
        raise UserError(f"{path} has no column {lacks[0]!r}", f"it needs {', '.join(columns)}, separated by tabs")
    return rows


def _complain(file: Path, what: str, of: Sequence[str]) -> None:
    if of:
        more = f" and {len(of) - _SHOWN} more" if len(of) > _SHOWN else ""
        raise UserError(f"{file} {what}: {', '.join(of[:_SHOWN])}{more}", "correct the sheet, and change no id in it")
