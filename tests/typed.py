"""`halluvault` as a person types it, without the seconds in which a new interpreter imports what it needs.

Each command runs in a process of its own, forked from one that has imported them all: exit status, environment and
what it prints are those of the console script. How that script is found and how an interpreter starts in another
locale is tested on the script itself, in tests/cli/test_cli.py.
"""

import multiprocessing
import os
import subprocess
import sys
import tempfile
from pathlib import Path

from halluvault_tasks import cli

CONTEXT = multiprocessing.get_context("forkserver")
_IMPORTED = [f"halluvault_tasks.cli.{module}" for module in cli.MODULES]
CONTEXT.set_forkserver_preload(_IMPORTED)


def preload(*modules: str) -> None:
    """Import these, too, in the process that all others of this worker are forked from, unless there is one already."""
    CONTEXT.set_forkserver_preload([*_IMPORTED, *modules])


def typed(*arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run `halluvault ARGUMENTS` in this environment and these variables."""
    with tempfile.TemporaryDirectory() as folder:
        out, err = Path(folder, "out"), Path(folder, "err")
        process = CONTEXT.Process(target=_run, args=(arguments, dict(os.environ | environment), out, err))
        process.start()
        process.join()
        return subprocess.CompletedProcess(
            arguments, process.exitcode or 0, out.read_text(encoding="utf-8"), err.read_text(encoding="utf-8")
        )


def _run(arguments: tuple[str, ...], environment: dict[str, str], out: Path, err: Path) -> None:
    os.environ.clear()
    os.environ.update(environment)
    for stream, path in ((1, out), (2, err)):
        os.dup2(os.open(path, os.O_WRONLY | os.O_CREAT), stream)
    sys.argv = ["halluvault", *arguments]
    cli.main()
