"""An Airflow that exists, as commands reach it: its own command line and our survey, in this environment's Python."""

import json
import subprocess
import sys
from collections.abc import Sequence
from typing import Any

from halluvault_tasks.errors import UserError
from halluvault_tasks.untrusted import scrubbed

_SECONDS = 300


def run(*arguments: str) -> str:
    """Run one `airflow` command and return its stdout.

    Raises:
        UserError: Airflow is not in this environment, or the command failed; quotes its last line.
    """
    return _python(["airflow", *arguments], f"airflow {' '.join(arguments)}")


def survey() -> dict[str, Any]:
    """What Airflow has of HalluVault: see `halluvault_airflow.survey`.

    Raises:
        UserError: Airflow is not in this environment, or its database does not answer.
    """
    found: dict[str, Any] = json.loads(_python(["halluvault_airflow.survey"], "Airflow"))
    return found


def _python(module: Sequence[str], shown: str) -> str:
    try:
        done = subprocess.run(
            [sys.executable, "-m", *module], capture_output=True, text=True, check=False, timeout=_SECONDS
        )
    except subprocess.TimeoutExpired as error:
        raise UserError(f"{shown} did not answer within {_SECONDS} s", "look at Airflow's database") from error
    if done.returncode:
        lines = (done.stderr.strip() or done.stdout.strip() or "no output").splitlines()
        last = next((line for line in reversed(lines) if not line.startswith("(Background")), lines[-1])
        raise UserError(
            f"`{shown}` failed: {scrubbed(last)[:300]}",
            "run it in Airflow's own virtual environment, with the variables that its scheduler has (AIRFLOW_HOME …)",
        )
    return done.stdout
