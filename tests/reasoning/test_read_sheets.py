"""Sheets come back from readers: what is wrong with one is named, what is right is counted."""

import re
from pathlib import Path

import pytest

from halluvault_tasks.errors import UserError
from halluvault_tasks.reasoning.measuring import sheets
from halluvault_tasks.reasoning.measuring.nearness import NEARNESSES
from halluvault_tasks.reasoning.measuring.sheets import KeyLine, SheetLine

NEAR = NEARNESSES[0]


def written(folder: Path, *, version: int = NEAR.version) -> tuple[Path, Path]:
    """A sheet of three foils and two true statements, and its key."""
    lines = [
        SheetLine(
            f"Is {n} so?",
            KeyLine(f"id{n}", n >= 3, 0, "class", NEAR.name, NEAR.relations[0], version, 1, "2026-10"),
        )
        for n in range(5)
    ]
    sheets.write(lines, folder / "sheets", folder / "keys")
    return folder / "sheets", folder / "keys"


def answer(folder: Path, *rows: tuple[str, str]) -> None:
    lines = ["id\tquestion\tanswer", *(f"{name}\tIs it so?\t{given}" for name, given in rows)]
    sheet_in(folder).write_text("\n".join(lines) + "\n")


def sheet_in(folder: Path) -> Path:
    (sheet,) = folder.glob("*.tsv")
    return sheet


READ = (("id0", "no"), ("id1", "Yes"), ("id2", "undecided"), ("id3", "yes"), ("id4", "no"))


def test_a_sheet_tells_its_reader_nothing_but_the_questions(tmp_path: Path) -> None:
    folder, _ = written(tmp_path)
    assert sheet_in(folder).read_text().splitlines()[:2] == ["id\tquestion\tanswer", "id0\tIs 0 so?\t"]


def test_the_name_of_a_sheet_says_nothing_and_is_its_own(tmp_path: Path) -> None:
    folder, keys = written(tmp_path)
    (name,) = (path.stem for path in folder.iterdir())
    assert re.fullmatch(r"sheet-[0-9a-f]{8}", name)
    assert written(tmp_path) == (folder, keys), "the same again"
    assert len(list(folder.iterdir())) == 1


def test_a_read_sheet_is_counted_by_what_stands_behind_its_lines(tmp_path: Path) -> None:
    folder, keys = written(tmp_path)
    answer(folder, *READ)
    (sheet,) = sheets.read(folder, keys)
    assert sheet.counted(true=False) == {"no": 1, "yes": 1, "undecided": 1}
    assert sheet.counted(true=True) == {"yes": 1, "no": 1}


@pytest.mark.parametrize(
    ("rows", "named"),
    [
        (READ[:4], "lacks lines: id4"),
        ((*READ, ("id9", "no")), "ids that are not its own: id9"),
        ((*READ, READ[0]), "lines twice: id0"),
        ((("id0", ""), *READ[1:]), "no answer at: id0"),
        ((("id0", "perhaps"), *READ[1:]), r"an answer other than yes, no, undecided at: id0 \(perhaps\)"),
    ],
)
def test_blanks_and_foreign_ids_are_named(tmp_path: Path, rows: tuple[tuple[str, str], ...], named: str) -> None:
    folder, keys = written(tmp_path)
    answer(folder, *rows)
    with pytest.raises(UserError, match=named):
        sheets.read(folder, keys)


def test_a_sheet_older_than_its_nearness_counts_no_more(tmp_path: Path) -> None:
    folder, keys = written(tmp_path, version=NEAR.version + 1)
    answer(folder, *READ)
    with pytest.raises(UserError, match=rf"version {NEAR.version + 1} of .*is at {NEAR.version} now"):
        sheets.read(folder, keys)


def test_a_folder_without_sheets_a_key_or_columns_is_named(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="has no sheet"):
        sheets.read(tmp_path, tmp_path)
    folder, _ = written(tmp_path)
    with pytest.raises(UserError, match="has no key"):
        sheets.read(folder, tmp_path)
    sheet_in(folder).write_text("id\tquestion\nid0\tso?\n")
    with pytest.raises(UserError, match="has no column 'answer'"):
        sheets.read(folder, tmp_path / "keys")
