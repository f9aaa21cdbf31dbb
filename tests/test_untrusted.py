"""What others wrote neither steers a terminal or page nor carries keys into rows and logs."""

import io
import os
import re
import stat
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as some
from rich.table import Table

from halluvault_tasks import private
from halluvault_tasks.cli.parts.consoles import console
from halluvault_tasks.untrusted import looks_like_key, scrubbed, visible, without_password

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
        "http://user:hunter2-token@hunter2-token@gpu-1:8080/info refused",
        "http://user:hunter2-token/?#hunter2-token@gpu-1:8080/info refused",
        "http://gpu-1:8080/info?token=hunter2-token: HTTP 401",
        "invalid dsn: host=h password='hunter2-token hunter2' user=u",
        "PGPASSWORD=hunter2-token psql",
        "the key sk-proj-hunter2AbCdEfGhIjKl is revoked",
        "the key gsk_hunter2AbCdEfGhIjKl is revoked",
    ],
)
def test_a_key_that_a_server_echoes_is_taken_out(said: str) -> None:
    assert "hunter2" not in scrubbed(said, ["hunter2-token"])
    if said != "invalid key hunter2-token given":  # one that only its owner knows for a key
        assert "hunter2" not in scrubbed(said)


def test_what_holds_no_key_is_left_as_it_is() -> None:
    for said in (
        "HTTP 500: CUDA out of memory",
        "no bearer of bad news",
        "password is missing",
        "task-sk-1",
        "max_tokens=512 of http://gpu-1:8080/v1/models",
        "Unexpected token: <unused99>, ask ops@example.org",
    ):
        assert scrubbed(said, ["", "abc"]) == said


@pytest.mark.parametrize(
    ("url", "told"),
    [
        ("http://me:hid/d?e#n@h@gpu-1:8080/x", "http://…@gpu-1:8080/x"),
        ("https://hidden@gpu-1/x", "https://…@gpu-1/x"),
        ("me:hidden@gpu-1", "…@gpu-1"),
        ("https://gpu-1/x?api-version=2024&api-key=hidden&y=1", "https://gpu-1/x?api-version=2024&api-key=…&y=1"),
        ("https://gpu-1:8080/x?a=b", "https://gpu-1:8080/x?a=b"),
        ("ops@example.org", "ops@example.org"),
    ],
)
def test_a_url_is_shown_without_what_may_be_its_password(url: str, told: str) -> None:
    assert without_password(url) == told


@given(some.text(some.sampled_from("abcxyzABCXYZ0123456789"), min_size=24, max_size=64), some.sampled_from(["", "sk-"]))
def test_what_is_drawn_at_random_looks_like_a_key_and_words_do_not(drawn: str, prefix: str) -> None:
    if len(re.findall("[0-9]+", drawn)) > 1:
        assert looks_like_key(prefix + drawn)
    for words in ("OPENAI_API_KEY", "MyCompanysToken", "LLAMA3_TOKEN", "gpu_2", "HALLUVAULT_MODEL_TOKEN_2026_TEST"):
        assert not looks_like_key(words)


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
