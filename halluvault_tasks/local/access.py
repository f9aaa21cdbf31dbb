"""Access to a running demo: its addresses, its logins, and its settings as a file for the shell."""

import shlex
import sys
from pathlib import Path
from typing import NamedTuple

import httpx2 as httpx

from halluvault_tasks import private
from halluvault_tasks.local import airflow, processes, secret_files
from halluvault_tasks.local.demo import Stack

_NEEDED = ("postgres", "airflow-api-server")
"""The processes behind the page."""
_ANSWER_SECONDS = 30.0


class Access(NamedTuple):
    """What a person needs of a running demo."""

    url: str
    """Of Airflow."""
    password: str
    reader_url: str
    """As libpq takes it: reads the documented views."""
    variables: Path
    """File that a shell reads (`. FILE`): from then on `halluvault` and `airflow` work on this demo."""


def give(stack: Stack) -> Access:
    """Write the file for the shell, and what `of_running` reads later; both for their owner alone."""
    found = Access(stack.airflow.url, stack.airflow.password, stack.reader_url, stack.state / "environment.sh")
    names = ("HALLUVAULT_", "AIRFLOW")
    exported = {name: value for name, value in stack.airflow.environment.items() if name.startswith(names) and value}
    exported |= {
        "HALLUVAULT_AIRFLOW_API_URL": found.url,
        "HALLUVAULT_AIRFLOW_API_USER": airflow.USER,
        "HALLUVAULT_AIRFLOW_API_PASSWORD": found.password,
    }
    if stack.sim_database_url:  # for a simulated server of one's own; nothing else reads it
        exported["HALLUVAULT_SIM_DATABASE_URL"] = stack.sim_database_url
    lines = [f"export {name}={shlex.quote(value)}" for name, value in sorted(exported.items())]
    lines.append(f'export PATH={shlex.quote(str(Path(sys.executable).parent))}:"$PATH"')
    private.write_text(found.variables, "\n".join(lines) + "\n")
    secret_files.write(_file(stack.state), {name: str(value) for name, value in found._asdict().items()})
    return found


def of_running(state: Path) -> Access | None:
    """The demo that `make demo KEEP=1` left on a state directory; None where its page does not answer."""
    alive = {child.name for child in processes.recorded(state / "pids") if child.process() is not None}
    kept = secret_files.read(_file(state))
    if not kept or not alive.issuperset(_NEEDED):
        return None
    found = Access(kept["url"], kept["password"], kept["reader_url"], Path(kept["variables"]))
    try:
        well = httpx.get(f"{found.url}/api/v2/version", timeout=_ANSWER_SECONDS).status_code == 200
    except httpx.HTTPError:
        well = False
    return found if well else None


def forget(state: Path) -> None:
    """Remove what `give` wrote: the servers that it names have ended."""
    for path in (_file(state), state / "environment.sh"):
        path.unlink(missing_ok=True)


def _file(state: Path) -> Path:
    return state / "access.json"
