"""What others wrote neither steers a terminal or page nor carries keys into rows and logs."""

import io
import os
import stat
from pathlib import Path

import pytest
from rich.table import Table

from halluvault_tasks import private
from halluvault_tasks.cli.parts.consoles import console
from halluvault_tasks.untrusted import scrubbed, visible

HOSTILE = "\x1b]0;owned\x07\x1b[2J\u202egnp.exe\u2066\x9b31m"


def test_a_terminal_gets_no_control_or_bidirectional_character_of_theirs() -> None:
    made = console(width=200)
    made.file = io.StringIO()
    table = Table("what")
    table.add_row(HOSTILE)
    made.print(table)
    made.print(HOSTILE, markup=False)
    printed = made.file.getvalue()
    assert not set(printed) & set("\x1b\x07\u202e\u2066\x9b")
    assert printed.count("\\u202egnp.exe") == 2


def test_our_own_styles_still_reach_the_terminal() -> None:
    made = console(width=80)
    made.file = io.StringIO()
    made._force_terminal = True  # as on a terminal
    made._color_system = made._color_system or 1  # type: ignore[assignment]
    made.print("[red]no[/]")
    assert "\x1b[" in made.file.getvalue()


def test_lines_and_tabs_of_a_text_stay() -> None:
    assert visible("a\tb\nc\rd") == "a\tb\nc\\u000dd"


@pytest.mark.parametrize(
    "said",
    [
        "invalid key hunter2-token given",
        'headers: {"Authorization": "Bearer hunter2-token"}',
        "http://user:hunter2-token@gpu-1:8080/info refused",
        "api_key=hunter2-token&x=1",
        "password: 'hunter2-token'",
    ],
)
def test_a_key_that_a_server_echoes_is_taken_out(said: str) -> None:
    assert "hunter2" not in scrubbed(said, ["hunter2-token"])
    if said != "invalid key hunter2-token given":  # one that only its owner knows for a key
        assert "hunter2" not in scrubbed(said)


def test_what_holds_no_key_is_left_as_it_is() -> None:
    for said in ("HTTP 500: CUDA out of memory", "no bearer of bad news", "password is missing", "task-sk-1"):
        assert scrubbed(said, ["", "abc"]) == said


def test_folders_and_files_are_made_for_their_owner_and_no_folder_above_is_touched(tmp_path: Path) -> None:
    above = tmp_path / "above"
    above.mkdir()
    above.chmod(0o751)
    old = os.umask(0)
    try:
        made = private.folder(above / "a" / "b")
        private.write_text(made / "file", "secret")
        (made / "file").chmod(0o644)
        private.write_text(made / "file", "again")
    finally:
        os.umask(old)
    modes = [stat.S_IMODE(path.stat().st_mode) for path in (above, above / "a", made, made / "file")]
    assert modes == [0o751, 0o700, 0o700, 0o600]
