"""A drill on a running compose stack: processes are killed while a month is evaluated, and the same rows must come out.

    python -m benchmarks.drill --month 2026-10 --kills 30 --every 60 --json drill.json

The month must be published. What was asked of it is deleted, and the evaluation is triggered: once undisturbed, for the
time that it takes and the rows that must come out (rows of before must equal them), and once while one service after
another, in an order by --seed, has its first process killed with SIGKILL from outside, as the kernel would do; Docker
starts it again. No hand helps. The longer time by the number of kills is what one costs. For stacks that serve drills
alone: it deletes responses. Needs root.
"""

import argparse
import json
import random
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

SERVICES = (
    "worker-1",
    "worker-2",
    "scheduler",
    "postgres",
    "redis",
    "sim-a",
    "sim-b",
    "endpoint",
    "api-server",
    "dag-processor",
)
FRESH = "DELETE FROM {table} WHERE evaluation_id IN (SELECT id FROM evaluation WHERE snapshot = '{month}')"
# What must come out the same: who said what to which question, and how it was judged; not when.
ROWS = """SELECT md5(string_agg(line, chr(10) ORDER BY line)), count(*) FROM (
 SELECT concat_ws('|', m.name, r.case_id, r.sample, r.status, md5(r.text), v.profile, v.profile_version, v.answer,
 v.category) AS line
 FROM evaluation e JOIN model m ON m.id = e.model_id JOIN response r ON r.evaluation_id = e.id
 LEFT JOIN verdict v USING (evaluation_id, case_id, sample) WHERE e.snapshot = '{month}') AS every"""
LOST = """SELECT count(*) FROM evaluation e JOIN prompt p ON p.snapshot = e.snapshot AND p.variant_id = e.variant_id
 LEFT JOIN response r ON r.evaluation_id = e.id AND r.case_id = p.case_id
 WHERE e.snapshot = '{month}' AND r.case_id IS NULL"""


def compose(*words: str, check: bool = True) -> str:
    """Stdout of a docker-compose command."""
    done = subprocess.run(["docker-compose", *words], capture_output=True, text=True, check=False)
    if check and done.returncode:
        raise SystemExit(f"docker-compose {' '.join(words[:3])} …: {done.stderr.strip()[-300:]}")
    return done.stdout


def ask(statement: str) -> list[list[str]]:
    """Rows of a statement on the results database; waits for a Postgres that is being started again."""
    shell = (
        'PGPASSWORD=$(cat /run/secrets/postgres_password) psql -h 127.0.0.1 -U postgres -d halluvault -AtF"|" -c "$0"'
    )
    for _ in range(60):
        command = ["docker-compose", "exec", "-T", "postgres", "sh", "-c", shell, statement]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if not done.returncode:
            return [line.split("|") for line in done.stdout.splitlines() if not line.startswith("DELETE")]
        time.sleep(2)
    raise SystemExit(f"postgres: {done.stderr.strip()}")


def kill(service: str) -> bool:
    """SIGKILL for the service's first process; whether there was one."""
    container = compose("ps", "-q", service, check=False).strip()
    if not container:
        return False
    found = subprocess.run(
        ["docker", "inspect", "-f", "{{.State.Pid}}", container], capture_output=True, text=True, check=False
    )
    pid = found.stdout.strip()
    return pid not in {"", "0"} and subprocess.run(["kill", "-9", pid], check=False).returncode == 0


def state_of(run: str) -> str:
    """The run's state as Airflow's own table has it; empty while the stack cannot say."""
    shell = 'PGPASSWORD=$(cat /run/secrets/postgres_password) psql -h 127.0.0.1 -U postgres -d airflow -Atc "$0"'
    statement = f"SELECT state FROM dag_run WHERE run_id = '{run}'"  # noqa: S608 (an id of ours)
    return compose("exec", "-T", "postgres", "sh", "-c", shell, statement, check=False).strip()


def trigger(month: str, run: str) -> None:
    """Start the evaluation; the API may be away for a moment."""
    words = [
        "airflow",
        "dags",
        "trigger",
        "halluvault_evaluate",
        "--run-id",
        run,
        "--conf",
        json.dumps({"snapshot": month}),
    ]
    for _ in range(30):
        compose("exec", "-T", "scheduler", *words, check=False)
        if state_of(run):
            return
        time.sleep(5)
    raise SystemExit("the run could not be triggered")


def evaluate(month: str, draw: random.Random, kills: int, every: float, services: list[str]) -> dict[str, Any]:
    """Ask and judge the month again under so many kills; how it went."""
    for table in ("result_set", "group_verdict", "verdict", "lane", "response"):
        ask(FRESH.format(table=table, month=month))
    run, killed = f"drill__{int(time.time())}", list[str]()
    trigger(month, run)
    began, turn = time.monotonic(), list[str]()
    while (state := state_of(run)) not in {"success", "failed"}:
        if len(killed) < kills and time.monotonic() - began > every * (len(killed) + 1):
            # In rounds, so that each is killed about as often as any other.
            turn = turn or draw.sample(services, len(services))
            service = turn.pop()
            if kill(service):
                killed.append(service)
                print(f"{time.monotonic() - began:6.0f} s  killed {service}", file=sys.stderr)
        time.sleep(2)
    seconds = time.monotonic() - began
    [[found, rows]] = ask(ROWS.format(month=month))
    [[lost]] = ask(LOST.format(month=month))
    return {
        "state": state, "seconds": round(seconds), "kills": killed, "rows": int(rows), "lost": int(lost), "hash": found,
    }  # fmt: skip


def drill(month: str, kills: int, every: float, seed: int, services: list[str]) -> dict[str, Any]:
    """Run it; what came out."""
    [[before, stood]] = ask(ROWS.format(month=month))
    draw = random.Random(seed)
    calm = evaluate(month, draw, 0, every, services)
    under = evaluate(month, draw, kills, every, services)
    return {
        "month": month, "undisturbed": calm, "under_kills": under,
        "same": calm["hash"] == under["hash"] and (before == calm["hash"] or not int(stood)),
        "lost": calm["lost"] + under["lost"],
        "seconds_a_kill": round((under["seconds"] - calm["seconds"]) / max(1, len(under["kills"])), 1),
    }  # fmt: skip


def main() -> None:
    """Parse, drill, print; exit 1 where anything differs."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--month", required=True)
    parser.add_argument("--kills", type=int, default=30)
    parser.add_argument("--every", type=float, default=60.0, help="seconds between two kills")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--services", default=",".join(SERVICES))
    parser.add_argument("--json", type=Path)
    given = parser.parse_args()
    found = drill(given.month, given.kills, given.every, given.seed, given.services.split(","))
    print(json.dumps(found, indent=1))
    if given.json:
        given.json.write_text(json.dumps(found, indent=1) + "\n")
    sys.exit(not (found["same"] and found["lost"] == 0 and found["under_kills"]["state"] == "success"))


if __name__ == "__main__":
    main()
