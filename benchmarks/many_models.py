"""A month of very many models: what reading, the DAG's file, planning, asking and adding up cost, also of Postgres.

    .venv/bin/python -m benchmarks.many_models --models 1000 --servers 20 --questions 12 --json many.json

`models.yaml` is made with so many simulated models, divided evenly over servers. Measured are reading it; importing
dags/halluvault_evaluate.py with it, in a process of its own, and the DAG as Airflow stores it; a plan of each server's
models, which ask their server who they are; asking every shard, one after the other; and dividing what was asked among
scoring processes. Postgres is the embedded one: its transactions, bytes of WAL, and the connections seen. Seconds are
of CPU (this process and, in it, the simulated servers), and wall seconds beside them. What results, pages and the
report cost is in benchmarks/results.py --models.
"""

import argparse
import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import psutil
import yaml
from sqlalchemy import text
from sqlalchemy.orm import Session

from halluvault_tasks.local import postgres, processes
from halluvault_tasks.local.simulator.model import SimulatedModel
from halluvault_tasks.local.simulator.server import serving
from halluvault_tasks.oracles.together import together
from halluvault_tasks.querying import pools, stages
from halluvault_tasks.querying.registry import Registry, load_models
from halluvault_tasks.settings import SHARE
from halluvault_tasks.storage import migrate, roles, sessions
from halluvault_tasks.storage.portion import Portion
from tests.querying import support

MONTH = "2026-10"

_DAG = """
import importlib.util, json, resource, sys, time
began = time.process_time()
import airflow.sdk
from airflow.serialization.serialized_objects import DagSerialization
found = {"airflow_seconds": round(time.process_time() - began, 2)}
spec = importlib.util.spec_from_file_location("evaluate", sys.argv[1])
began = time.process_time()
module = importlib.util.module_from_spec(spec)
from airflow.sdk.definitions.dag import DAG
made = []
before = DAG.__exit__
DAG.__exit__ = lambda dag, *given: (made.append(dag), before(dag, *given))[1]
spec.loader.exec_module(module)
found |= {"import_seconds": round(time.process_time() - began, 2), "tasks": len(made[-1].tasks)}
began = time.process_time()
stored = json.dumps(DagSerialization.to_dict(made[-1]))
found |= {"serialise_seconds": round(time.process_time() - began, 2), "stored_mb": round(len(stored) / 1e6, 2)}
print(json.dumps(found | {"peak_rss_mb": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss >> 10}))
"""


def timed(work: Callable[[], Any]) -> dict[str, float]:
    """Seconds of one run."""
    wall, cpu = time.perf_counter(), time.process_time()
    work()
    return {"seconds": round(time.perf_counter() - wall, 2), "cpu_seconds": round(time.process_time() - cpu, 2)}


def registry_file(path: Path, models: int, servers: int, url: str) -> None:
    """A models.yaml of so many models."""
    path.write_text(yaml.safe_dump({
        "servers": [{"name": f"s{n}", "pool": f"s{n}", "slots": 1, "in_flight": 8} for n in range(servers)],
        "models": [
            {"name": f"simulated/m{n}", "dialect": "tgi", "server": f"s{n % servers}", "base_urls": [f"{url}/m{n}"]}
            for n in range(models)
        ],
    }))  # fmt: skip


def dag(path: Path, home: Path) -> dict[str, Any]:
    """The DAG's file with this models.yaml, in a process of its own."""
    within = os.environ | {"AIRFLOW_HOME": str(home), "HALLUVAULT_MODELS_FILE": str(path)}
    command = [sys.executable, "-c", _DAG, str(SHARE / "dags" / "halluvault_evaluate.py")]
    done = subprocess.run(command, env=within, capture_output=True, text=True, check=True)
    found: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return found


def lanes(session: Session, registry: Registry) -> dict[str, Any]:
    """Every server planned, every shard asked, all of it added up."""
    planned: list[stages.PlannedEvaluation] = []

    def plan() -> None:
        for server in registry.servers:
            only = stages.Only(server=server.name)
            planned.extend(
                stages.plan(session, MONTH, registry=registry, only=only, variant=support.VARIANT).evaluations
            )

    delivered = Counter[str]()

    def ask() -> None:
        for one in planned:
            for number in range(one.shards):
                counts = stages.query_shard(
                    session, one.evaluation_id, registry=registry, portion=Portion(number, one.shards)
                )
                delivered[one.evaluation_id] += counts.delivered

    found: dict[str, Any] = {"plan": timed(plan), "ask": timed(ask)}
    tasks = Counter[str]()
    for one in planned:
        tasks[one.server] += one.shards
    scoring = together({one.evaluation_id: one.total for one in planned})
    return found | {
        "evaluations": len(planned), "delivered": delivered.total(), "mapped_tasks_of_a_lane": max(tasks.values()),
        "scoring_processes": len(scoring), "pool_slots": sum(pool.slots for pool in pools.pools(registry)),
    }  # fmt: skip


def seen(session: Session) -> dict[str, int]:
    """What Postgres has counted so far."""
    row = session.execute(
        text(
            "SELECT xact_commit, pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0')::bigint, (SELECT count(*) FROM"
            " pg_stat_activity WHERE datname = current_database()) FROM pg_stat_database"
            " WHERE datname = current_database()"
        )
    ).one()
    session.commit()
    return dict(zip(("transactions", "wal_bytes", "connections"), row, strict=True))


def main() -> None:
    """Make the month, run everything, print the figures."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--json", type=Path, help="also write the figures there")
    parser.add_argument("--models", type=int, default=1000)
    parser.add_argument("--servers", type=int, default=20)
    parser.add_argument("--questions", type=int, default=12)
    arguments = parser.parse_args()
    figures: dict[str, Any] = {"cores": psutil.cpu_count(), "load": [round(one, 1) for one in psutil.getloadavg()]}
    speakers = [SimulatedModel(f"m{n}", lambda *_: "Yes, that is so. " * 8) for n in range(arguments.models)]
    with (
        tempfile.TemporaryDirectory(prefix="halluvault-bench-", ignore_cleanup_errors=True) as folder,
        serving(speakers) as url,
    ):
        home = Path(folder)
        home.chmod(0o711)
        file = home / "models.yaml"
        registry_file(file, arguments.models, arguments.servers, url)
        figures["registry"] = timed(lambda: load_models(file, {}))
        figures["dag"] = dag(file, home / "airflow")
        server = postgres.start(home / "data", home / "pids", fast=True)
        try:
            roles.create_database(server.url(), "bench", "halluvault", dict.fromkeys(("halluvault",), "bench"))
            owner = server.url("bench", "halluvault", "bench")
            migrate.upgrade(owner)
            with sessions.session(owner) as session:
                support.build_plain(session, MONTH, arguments.questions)
                before = seen(session)
                figures |= lanes(session, load_models(file, {}))
                after = seen(session)
                figures["postgres"] = {name: after[name] - before[name] for name in ("transactions", "wal_bytes")}
                figures["postgres"]["connections"] = after["connections"]
            sessions.engine(owner).dispose()
        finally:
            postgres.stop(server, home / "pids")
            processes.reap(home / "pids")
    figures["peak_rss_mb"] = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss >> 10
    print(json.dumps(figures, indent=2))
    if arguments.json:
        arguments.json.write_text(json.dumps(figures, indent=2) + "\n")


if __name__ == "__main__":
    main()
