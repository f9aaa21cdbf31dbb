"""A model server that is away when a run is planned and again while it asks: nobody does anything, and nothing differs.

    python -m tests.integration.outage --minutes 20

One evaluation is asked undisturbed. A second one of the same served model is begun by `halluvault query run` while no
server is there; after so many minutes it starts, is killed (SIGKILL) once a third is answered, and starts again after
as many minutes more. The command must end with 0 by itself, and the responses must have the same hash. Exit status 1
if they do not.
"""

# ruff: noqa: T201 (a script for people)

import argparse
import hashlib
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

from sqlalchemy import func, select

from halluvault_tasks.local import postgres, processes
from halluvault_tasks.storage import migrate, roles, sessions
from halluvault_tasks.storage.tables import evaluation, model, response
from tests.querying import support

MONTH = "2026-10"
CASES = 600
MODELS = """
servers:
  - {{name: away, pool: away, slots: 1, in_flight: 4}}
models:
  - {{name: undisturbed, dialect: tgi, server: away, base_urls: ["{url}/served"]}}
  - {{name: disturbed, dialect: tgi, server: away, base_urls: ["{url}/served"]}}
"""


class Simulated:
    """The model server, started and killed."""

    def __init__(self, port: int) -> None:
        command = [
            sys.executable,
            "-m",
            "halluvault_tasks.local.simulator",
            "--port",
            str(port),
            "--models",
            "served,m",
        ]
        self.command = [*command, "--synthetic", "--latency-ms", "200"]
        self.process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        self.process = subprocess.Popen(self.command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    def kill(self) -> None:
        if self.process is not None:
            self.process.send_signal(signal.SIGKILL)
            self.process.wait()


def answered(url: str, name: str) -> list[tuple[str, str | None]]:
    """(case, text) of one registry name's responses, in order of the case."""
    with sessions.session(url) as session:
        rows = session.execute(
            select(response.c.case_id, response.c.text)
            .join(evaluation, evaluation.c.id == response.c.evaluation_id)
            .join(model, model.c.id == evaluation.c.model_id)
            .where(model.c.name == name, response.c.status == "delivered")
            .order_by(func.convert_to(response.c.case_id, "UTF8"))
        )
        return [(row.case_id, row.text) for row in rows]


def hashed(rows: Sequence[tuple[str, str | None]]) -> str:
    return hashlib.sha256(repr(list(rows)).encode()).hexdigest()[:16]


def disturbed(url: str, server: Simulated, command: Sequence[str], environment: dict[str, str], away: float) -> str:
    """Run the command through both outages; its stderr."""
    with subprocess.Popen([*command, "disturbed"], env=environment, stderr=subprocess.PIPE, text=True) as asking:
        assert asking.stderr is not None
        time.sleep(away)
        server.start()
        while len(answered(url, "disturbed")) < CASES // 3 and asking.poll() is None:
            time.sleep(0.2)
        server.kill()
        print(f"killed the server after {len(answered(url, 'disturbed'))} of {CASES} answers", flush=True)
        time.sleep(away)
        print(f"{len(answered(url, 'disturbed'))} are there {away:g} s later; starting it again", flush=True)
        server.start()
        said = asking.stderr.read()
    print(f"the command ended with {asking.returncode}", flush=True)
    return said if asking.returncode == 0 else sys.exit(said)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--minutes", type=float, default=20.0, help="of each outage")
    minutes = parser.parse_args().minutes
    with tempfile.TemporaryDirectory(prefix="halluvault-outage-") as name:
        scratch = Path(name)
        running = postgres.start(scratch / "postgres", scratch / "pids")
        server = Simulated(processes.free_port())
        try:
            passwords = dict.fromkeys(("halluvault", roles.READER, roles.SIMULATOR), "outage")
            roles.create_database(running.url(), "halluvault", "halluvault", passwords)
            url = running.url("halluvault", "halluvault", "outage")
            migrate.upgrade(url)
            with sessions.session(url) as session:
                support.build_plain(session, MONTH, CASES)
            models = scratch / "models.yaml"
            models.write_text(MODELS.format(url=f"http://127.0.0.1:{server.command[4]}"))
            environment = {name: value for name, value in os.environ.items() if not name.startswith("HALLUVAULT_")}
            environment |= {"HALLUVAULT_DATABASE_URL": url, "HALLUVAULT_MODELS_FILE": str(models)}
            command = [str(Path(sys.executable).parent / "halluvault"), "query", "run", "--variant", "halluvault"]
            command += ["--snapshot", MONTH, "--model"]
            server.start()
            subprocess.run([*command, "undisturbed"], env=environment, check=True)
            server.kill()
            said = disturbed(url, server, command, environment, 60 * minutes)
            waits = [line for line in said.splitlines() if "waiting for" in line]
            print(
                f"{len(waits)} lines said what was waited for; the first and the last:",
                *waits[:1],
                *waits[-1:],
                sep="\n",
            )
            hashes = {name: hashed(answered(url, name)) for name in ("undisturbed", "disturbed")}
            counts = {name: len(answered(url, name)) for name in hashes}
            print(counts, hashes, flush=True)
            return int(len(set(hashes.values())) != 1 or set(counts.values()) != {CASES})
        finally:
            server.kill()
            postgres.stop(running, scratch / "pids")


if __name__ == "__main__":
    sys.exit(main())
