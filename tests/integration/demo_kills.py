"""Kills under `make demo`: whatever of it dies is started again by it, and the month is the undisturbed one.

    python -m tests.integration.demo_kills --seed 1 --kills 12

One demo runs undisturbed in this clone, with a state of its own. A second one, from nothing, gets SIGKILL at moments
that the seed draws: its Postgres, a backend of it, Airflow's scheduler, a worker of it, api-server and dag-processor,
the endpoint and both model servers, each once before any a second time. It is typed once. Snapshot, benchmark,
responses, verdicts and results must have the hash of the undisturbed one. Exit status 1 if they do not, or if the
command did not end with 0. With --kills 0 the undisturbed one alone runs; with --expected HASH the disturbed one alone.
"""

# ruff: noqa: T201 (a script for people)

import argparse
import hashlib
import subprocess
import sys
import time
from pathlib import Path
from random import Random

import psutil
from sqlalchemy import text

from halluvault_tasks.local import airflow, demo, postgres, processes
from halluvault_tasks.storage import sessions

VICTIMS = (
    "postgres", "backend", "airflow-scheduler", "worker", "airflow-api-server", "airflow-dag-processor", "endpoint",
    "sim-a", "sim-b",
)  # fmt: skip
PAUSE_SECONDS = (8.0, 25.0)
"""Between two kills: five ends of one child within two minutes are a broken one, by the supervisor's own rule."""
_ROWS = text("""
SELECT 'snapshot', snapshot, content_hash, status, NULL, NULL FROM snapshot
UNION ALL SELECT 'case', b.suite, c.id, c.question, c.gold, b.rule_kind
    FROM benchmark_case b JOIN cases c ON c.id = b.case_id
UNION ALL SELECT 'response', m.name, r.case_id, r.status, r.text, NULL FROM response r
    JOIN evaluation e ON e.id = r.evaluation_id JOIN model m ON m.id = e.model_id
UNION ALL SELECT 'verdict', m.name, v.case_id, v.profile || ' ' || v.answer, v.category, v.detail::text FROM verdict v
    JOIN evaluation e ON e.id = v.evaluation_id JOIN model m ON m.id = e.model_id
UNION ALL SELECT 'metric', model, profile, suite || scope || key || metric, value::text, n::text
    FROM results_v1.metrics WHERE NOT starts_with(metric, 'ms_')
ORDER BY 1, 2, 3, 4, 5, 6
""")


def hashed(state: Path) -> tuple[int, str]:
    """How many rows the demo's month has, and a hash over them."""
    server = postgres.start(state / "postgres", state / "pids")
    try:
        url = server.url("halluvault")
        with sessions.session(url) as session:
            rows = [tuple(row) for row in session.execute(_ROWS)]
        sessions.engine(url).dispose()
        return len(rows), hashlib.sha256(repr(rows).encode()).hexdigest()[:16]
    finally:
        postgres.stop(server, state / "pids")


def begin(log: Path) -> "subprocess.Popen[bytes]":
    with log.open("ab") as output:
        return subprocess.Popen([airflow.executable("halluvault"), "demo", "run"], stdout=output, stderr=output)


def kill(victim: str, pids: Path, random: Random) -> bool:
    """SIGKILL for one process; False where it is not there at this moment."""
    child = {one.name: one for one in processes.recorded(pids)}.get(
        {"backend": "postgres", "worker": "airflow-scheduler"}.get(victim, victim)
    )
    head = child.process() if child else None
    if head is None:
        return False
    try:
        if victim == "backend":
            found = [one for one in head.children(recursive=True) if "halluvault" in " ".join(one.cmdline())]
        elif victim == "worker":
            found = [one for one in head.children(recursive=True) if "worker" in " ".join(one.cmdline())]
        else:
            found = [head]
        if not found:
            return False
        random.choice(found).kill()
    except psutil.NoSuchProcess:
        return False
    return True


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--kills", type=int, default=12)
    parser.add_argument("--expected", default="", help="hash of an undisturbed demo of before")
    asked = parser.parse_args()
    random, state = Random(asked.seed), demo.state_directory(None)
    if state.exists():
        sys.exit(f"{state} holds a demo; move it away")
    log = state.with_name("demo-kills.log")
    log.parent.mkdir(mode=0o711, exist_ok=True)
    expected = asked.expected
    if not expected:
        began = time.monotonic()
        if begin(log).wait():
            sys.exit(f"the undisturbed demo failed: {log}")
        count, expected = hashed(state)
        print(f"undisturbed: {count} rows, {expected}, {time.monotonic() - began:.0f} s", flush=True)
        if not asked.kills:
            return 0
        state.rename(state.with_name(f"demo-undisturbed-{expected}"))
    began, done = time.monotonic(), list[str]()
    command, order = begin(log), list[str]()
    while command.poll() is None and len(done) < asked.kills:
        time.sleep(random.uniform(*PAUSE_SECONDS))
        order = order or random.sample(VICTIMS, len(VICTIMS))
        if victim := next((one for one in order if kill(one, state / "pids", random)), None):
            order.remove(victim)
            done.append(victim)
            print(f"{time.monotonic() - began:.0f} s: killed {victim}", flush=True)
    status = command.wait()
    count, found = hashed(state)
    print(f"the command ended with {status} after {time.monotonic() - began:.0f} s and {len(done)} kills", flush=True)
    print(f"{count} rows, {found}: {'the same' if found == expected else 'DIFFERS'}", flush=True)
    return int(status != 0 or found != expected)


if __name__ == "__main__":
    sys.exit(main())
