"""The engine in a process of its own, as every user of it runs it: a `halt` must not end the tests."""

import json
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from halluvault_tasks.prolog.terms import atom, comment, number

SCRIPT = """
import json, sys
from pathlib import Path
from halluvault_tasks.prolog.engine import Engine, PrologError

engine = Engine([Path(one) for one in json.loads(sys.argv[2])], stack_limit=1 << 26)
for goal in json.loads(sys.argv[1]):
    try:
        print(json.dumps(engine.once(goal)))
    except (PrologError, OSError) as error:
        print(json.dumps({"error": str(error)}))
"""


def run(*goals: str, files: tuple[Path, ...] = ()) -> list[object]:
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT, json.dumps(goals), json.dumps([str(file) for file in files])],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return [json.loads(line) for line in done.stdout.splitlines()]


def test_a_goal_gives_its_bindings_or_none_or_a_readable_error() -> None:
    first, none, error, after = run("member(X, [7, 8])", "fail", "X is foo + 1", "X = 1")
    assert first == {"X": 7}
    assert none is None
    assert isinstance(error, dict)
    assert "foo/0' is not a function" in error["error"]
    assert after == {"X": 1}


def test_a_runaway_goal_hits_the_stack_limit_and_the_engine_lives_on() -> None:
    error, after = run("numlist(1, 100000000, L), msort(L, _)", "X = 1")
    assert isinstance(error, dict)
    assert "tack limit" in error["error"]
    assert after == {"X": 1}


def test_a_file_with_a_syntax_error_or_without_existence_is_an_error(tmp_path: Path) -> None:
    file = tmp_path / "missing.pl"
    with pytest.raises(AssertionError, match="no Prolog file"):
        run("true", files=(file,))
    file.write_text("p(1) :- .\n")
    with pytest.raises(AssertionError, match="PrologError"):
        run("true", files=(file,))


def test_quoted_atoms_read_back_as_the_same_text(tmp_path: Path) -> None:
    texts = [
        "x', shell('touch f'), '",
        "\\",
        "\\'",
        "a\nb",
        "%~w{}|",
        "日本語 🗾 \u200b",
        "",
        "''",
        "\t",
        "\r\n",
        "\u2028",
    ]
    goals = [f"atom_codes({atom(text)}, L)" for text in texts]
    assert [found["L"] for found in run(*goals)] == [[ord(char) for char in text] for text in texts]  # type: ignore[index]


@given(st.text(alphabet=st.characters(exclude_categories=["Cs"])))
def test_a_comment_is_one_line_whatever_the_label(text: str) -> None:
    line = comment(text)
    assert line.startswith("%")
    assert len(line.splitlines()) == 1


@pytest.mark.parametrize("value", [True, 1.5, "1", None])
def test_only_integers_become_numbers(value: object) -> None:
    with pytest.raises(TypeError, match="not an integer"):
        number(value)  # type: ignore[arg-type]
    assert number(-19131) == "-19131"


def test_a_goal_that_finds_its_disk_full_says_so_as_the_system_does_and_the_engine_lives_on() -> None:
    short, long, after = run(
        "open('/dev/full', write, S), write(S, x), close(S)",
        "open('/dev/full', write, S), forall(between(1, 100000, _), write(S, xxxxxxxx)), close(S)",
        "X = 1",
    )
    assert short == long == {"error": "[Errno 28] No space left on device"}
    assert after == {"X": 1}
