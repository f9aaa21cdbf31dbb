"""Random kills under `halluvault evaluate`: whatever dies, the same rows come out, and nobody does anything by hand.

    python -m tests.integration.kills --seed 1 --kills 50

One evaluation of a made-up month runs undisturbed. Then others of the same served model run while, at moments and of
victims that the seed draws, SIGKILL hits the command itself, the model server, the Postgres postmaster or one of its
backends. A dead command is typed again, as a retry of Airflow's would; a dead server or Postgres is started again, as a
service manager would. Responses and verdicts of every evaluation must have the hash of the undisturbed one. Exit status
1 if one differs.
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
from collections import Counter
from pathlib import Path
from random import Random

from sqlalchemy import text

from halluvault_tasks.local import postgres, processes
from halluvault_tasks.results import views
from halluvault_tasks.storage import roles, sessions
from tests.integration.outage import Simulated
from tests.oracles import material
from tests.querying import support

MONTH = "2026-10"
CASES = 150
RUNS = 60
LONGEST_SECONDS = 25.0
"""Between two kills, so that a busy machine does not make them rare."""
VICTIMS = ("command", "command", "command", "model server", "postmaster", "backend")
_ROWS = text("""
SELECT 'response', r.case_id, r.status, r.text, NULL, NULL, NULL FROM response r
    JOIN evaluation e ON e.id = r.evaluation_id JOIN model m ON m.id = e.model_id WHERE m.name = :name
UNION ALL
SELECT 'verdict', v.case_id, v.profile, v.answer, v.category, v.sub_label, v.detail::text FROM verdict v
    JOIN evaluation e ON e.id = v.evaluation_id JOIN model m ON m.id = e.model_id WHERE m.name = :name
ORDER BY 1, 2, 3, 4, 5, 6, 7
""")


class Place:
    """A Postgres, a model server and a models.yaml in a folder of their own, and how to bring them back."""

    def __init__(self, scratch: Path) -> None:
        self.scratch, self.pids = scratch, scratch / "pids"
        self.server = Simulated(processes.free_port())
        self.running = postgres.start(scratch / "postgres", self.pids)
        passwords = dict.fromkeys(("halluvault", roles.READER, roles.SIMULATOR), "kills")
        roles.create_database(self.running.url(), "halluvault", "halluvault", passwords)
        self.url = self.running.url("halluvault", "halluvault", "kills")
        views.upgrade(self.url)
        with sessions.session(self.url) as session:
            support.build(session, MONTH, CASES)
            material.put_rules(session, MONTH)
            session.commit()
        names = "".join(
            f'  - {{name: run-{n}, dialect: tgi, server: s, base_urls: ["http://127.0.0.1:{self.server.command[4]}/m"]}}\n'
            for n in range(RUNS)
        )
        models = scratch / "models.yaml"
        models.write_text(f"servers:\n  - {{name: s, pool: s, slots: 1, in_flight: 8}}\nmodels:\n{names}")
        environment = {name: value for name, value in os.environ.items() if not name.startswith("HALLUVAULT_")}
        self.environment = environment | {"HALLUVAULT_DATABASE_URL": self.url, "HALLUVAULT_MODELS_FILE": str(models)}
        self.server.start()

    def evaluate(self, name: str) -> "subprocess.Popen[bytes]":
        command = [str(Path(sys.executable).parent / "halluvault"), "evaluate", "--snapshot", MONTH, "--model", name]
        with (self.scratch / "evaluate.log").open("ab") as log:
            return subprocess.Popen([*command, "--variant", "halluvault"], env=self.environment, stdout=log, stderr=log)

    def kill(self, victim: str, command: "subprocess.Popen[bytes]", random: Random) -> None:
        if victim == "command":
            command.kill()
        elif victim == "model server":
            self.server.kill()
            self.server.start()
        else:
            head = self.running.child.process()
            assert head, "it is started again before anything else is killed"
            backends = [one for one in head.children(recursive=True) if "halluvault" in " ".join(one.cmdline())]
            (random.choice(backends) if victim == "backend" and backends else head).send_signal(signal.SIGKILL)
            if victim == "postmaster" or not backends:
                self._start_postgres()

    def _start_postgres(self) -> None:
        until = time.monotonic() + 120
        while True:
            try:
                self.running = postgres.start(self.scratch / "postgres", self.pids, self.running.port)
            except Exception as error:  # the dead one's children may still hold its memory
                if time.monotonic() > until:
                    raise
                print(f"Postgres again: {str(error)[:120]}", flush=True)
                time.sleep(1.0)
            else:
                return

    def hashed(self, name: str) -> tuple[int, str]:
        """How many rows an evaluation has, and a hash over them."""
        sessions.engine(self.url).dispose()
        with sessions.session(self.url) as session:
            rows = [tuple(row) for row in session.execute(_ROWS, {"name": name})]
        return len(rows), hashlib.sha256(repr(rows).encode()).hexdigest()[:16]

    def close(self) -> None:
        self.server.kill()
        processes.reap(self.pids)


def disturbed(place: Place, name: str, random: Random, left: int, seconds: float, done: Counter[str]) -> None:
    """Evaluate to the end, with up to `left` kills on the way."""
    command = place.evaluate(name)
    while True:
        victim, wait = random.choice(VICTIMS), random.uniform(0.2, min(seconds, LONGEST_SECONDS))
        try:
            status = command.wait(wait if left else None)
        except subprocess.TimeoutExpired:
            place.kill(victim, command, random)
            done[victim] += 1
            left -= 1
            continue
        if status == 0:
            return
        if status != -signal.SIGKILL:
            done["ended by itself, typed again"] += 1
        if done["ended by itself, typed again"] > 20 * RUNS:
            raise SystemExit(f"{name} does not come to its end: {place.scratch / 'evaluate.log'}")
        command = place.evaluate(name)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--kills", type=int, default=50)
    parser.add_argument("--minutes", type=float, default=60.0, help="begin no further evaluation after so many")
    asked = parser.parse_args()
    random, done, began = Random(asked.seed), Counter[str](), time.monotonic()
    differing = 0
    with tempfile.TemporaryDirectory(prefix="halluvault-kills-") as name:
        place = Place(Path(name))
        try:
            begun = time.monotonic()
            assert place.evaluate("run-0").wait() == 0, (place.scratch / "evaluate.log").read_text()[-2000:]
            seconds = time.monotonic() - begun
            expected = place.hashed("run-0")
            print(f"undisturbed: {expected[0]} rows, {expected[1]}, {seconds:.0f} s", flush=True)
            for number in range(1, RUNS):
                kills = sum(done[victim] for victim in set(VICTIMS))
                if kills >= asked.kills or time.monotonic() - began > 60 * asked.minutes:
                    break
                disturbed(place, f"run-{number}", random, min(6, asked.kills - kills), seconds, done)
                found = place.hashed(f"run-{number}")
                differing += found != expected
                print(
                    f"run-{number}: {'the same' if found == expected else f'DIFFERS: {found}'}; {dict(done)}",
                    flush=True,
                )
        finally:
            place.close()
    kills = sum(done[victim] for victim in set(VICTIMS))
    print(f"{kills} kills, {differing} evaluations differ", flush=True)
    return int(differing > 0)


if __name__ == "__main__":
    sys.exit(main())
