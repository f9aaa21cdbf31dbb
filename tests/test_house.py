"""What hides ideas without a name: long functions and long modules. (Many parameters: PLR0913 in pyproject.toml.)"""

import ast
import subprocess

from halluvault_tasks.settings import REPOSITORY

MOST_OF_A_FUNCTION, MOST_OF_A_MODULE = 60, 400

# Not the tests, each of which is one story, nor the migrations: what ran once is never rewritten.
MODULES = [
    path
    for name in subprocess.run(
        ["git", "ls-files", "*.py", ":!tests", ":!*/migrations/versions/*"],
        cwd=REPOSITORY, capture_output=True, text=True, check=True,
    ).stdout.splitlines()
    if (path := REPOSITORY / name).is_file()
]  # fmt: skip


def lines(function: ast.FunctionDef | ast.AsyncFunctionDef) -> int:
    """From `def` to the last line; of a command without its options, which are its manual."""
    first = function.lineno
    if "typer." in ast.unparse(function.args):
        first = function.body[0].lineno
    return (function.end_lineno or 0) - first + 1


def test_no_function_is_longer_than_a_screen() -> None:
    long = [
        f"{path.relative_to(REPOSITORY)}:{found.lineno} {found.name}: {lines(found)} lines"
        for path in MODULES
        for found in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(found, ast.FunctionDef | ast.AsyncFunctionDef) and lines(found) > MOST_OF_A_FUNCTION
    ]
    assert len(MODULES) > 300, "git lists the modules"
    assert long == [], "give pieces a name"


def test_no_module_is_longer_than_four_hundred_lines() -> None:
    long = {
        str(path.relative_to(REPOSITORY)): count
        for path in MODULES
        if (count := len(path.read_text(encoding="utf-8").splitlines())) > MOST_OF_A_MODULE
    }
    assert long == {}, "divide it by its ideas"
