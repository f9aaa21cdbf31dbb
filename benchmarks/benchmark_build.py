"""Speed and memory of building a benchmark: 9,000 cases from a simulated snapshot of 200,000 statements.

    .venv/bin/python benchmarks/benchmark_build.py [--json FILE] [--statements N] [--seed S] [--profile FILE]

Limits: 60 s and 1.5 GB (Python's own peak, Postgres beside it) on 2 cores, for what `halluvault benchmark build
--size full` does: from derived and temporal facts to frozen cases with proofs and prompts. Deriving them is not part
of it and is done before, by the real stages; its time is printed too. A second build, in another process with another
PYTHONHASHSEED after the first one's rows are taken away, must freeze the same content.
"""

import argparse
import cProfile
import json
import os
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import benchmark_data as data
from sqlalchemy import text

from halluvault_tasks.benchmark import stages as benchmark
from halluvault_tasks.local import postgres
from halluvault_tasks.reasoning import stages as reasoning
from halluvault_tasks.settings import REPOSITORY
from halluvault_tasks.storage import migrate, roles, sessions
from halluvault_tasks.temporal.generate import TemporalConfig
from halluvault_tasks.temporal.stages import derive_temporal

KEY = "2026-10"
LIMITS = {"seconds": 60, "peak_bytes": 1_500_000_000, "cases": 9000}
PASSWORDS = {"halluvault": "b", roles.READER: "b", roles.SIMULATOR: "b"}


def log(line: str) -> None:
    """Progress, on stderr."""
    print(line, file=sys.stderr, flush=True)


def prepare(url: str, statements: int, seed: int, directory: Path) -> dict[str, Any]:
    """Generate, write and derive the snapshot; what it holds."""
    world = data.generate(statements, seed)
    with sessions.session(url) as session:
        data.fill(session, KEY, world)
        begun = time.monotonic()
        reasoning.type_rules(session, KEY, rules_file=REPOSITORY / "config" / "rules.yaml")
        reasoning.derive_shard(session, KEY, prolog_dir=REPOSITORY / "prolog_rules", scratch=directory)
        derived = reasoning.check_derivation(session, KEY, shards=1).rows
        relations = time.monotonic() - begun
        begun = time.monotonic()
        counts = derive_temporal(
            session, KEY, config=TemporalConfig(count=4000), prolog_dir=REPOSITORY / "prolog_rules"
        )
        timed = time.monotonic() - begun
        session.connection(execution_options={"isolation_level": "AUTOCOMMIT"}).execute(text("VACUUM ANALYZE"))
    return {
        "statements": len(world.statements),
        "entities": len(world.entities),
        "derived_facts": derived,
        "temporal_facts": counts.facts,
        "derive_seconds": round(relations, 1),
        "temporal_seconds": round(timed, 1),
    }


def build(url: str, profile: str) -> dict[str, Any]:
    """Build once, in a process of its own; seconds, peak and what was frozen."""
    with sessions.session(url) as session:
        profiler = cProfile.Profile() if profile else None
        begun, cpu = time.monotonic(), time.process_time()
        if profiler:
            profiler.enable()
        counts = benchmark.build(session, KEY, config_dir=REPOSITORY / "config", size="full")
        if profiler:
            profiler.disable()
            profiler.dump_stats(profile)
        return {
            "seconds": round(time.monotonic() - begun, 2),
            "cpu_seconds": round(time.process_time() - cpu, 2),
            "peak_bytes": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024,
            "cases": counts.sum("cases"),
            "content_hashes": {part.suite: part.content_hash for part in counts.parts},
            **counts.as_json(),
        }


def once(url: str, hash_seed: str, profile: str = "") -> dict[str, Any]:
    """`build` in a fresh process."""
    command = [sys.executable, __file__, "--one", url, *(["--profile", profile] if profile else [])]
    environment = {**os.environ, "PYTHONHASHSEED": hash_seed}
    run = subprocess.run(command, capture_output=True, text=True, env=environment, check=False)
    if run.returncode:
        sys.exit(run.stderr[-2000:])
    found: dict[str, Any] = json.loads(run.stdout)
    return found


def forget(url: str) -> None:
    """Take the frozen benchmark away again, so that it can be built again."""
    with sessions.session(url) as session:
        session.execute(
            text("TRUNCATE prompt, benchmark_case, benchmark_change, benchmark_part, cases, evaluation CASCADE")
        )
        session.commit()


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--json", type=Path, help="also write the figures here")
    parser.add_argument("--statements", type=int, default=200_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--profile", default="", help="write a cProfile of the first build here (slows it)")
    parser.add_argument("--one", help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.one:
        print(json.dumps(build(arguments.one, arguments.profile)))
        return
    directory = Path(tempfile.mkdtemp(prefix="halluvault-benchmark-"))
    pids = directory / "pids"
    server = postgres.start(directory / "data", pids)
    try:
        roles.create_database(server.url(), "build", "halluvault", PASSWORDS)
        url = server.url("build", "halluvault", PASSWORDS["halluvault"])
        migrate.upgrade(url)
        made = prepare(url, arguments.statements, arguments.seed, directory)
        log(f"snapshot: {made}")
        figures: dict[str, Any] = {"limits": LIMITS, "cores": os.cpu_count(), "snapshot": made, "builds": []}
        figures["load_average"] = os.getloadavg()[0]
        for hash_seed in ("0", "12345"):
            figures["builds"].append(once(url, hash_seed, arguments.profile if hash_seed == "0" else ""))
            log(f"build: {figures['builds'][-1]}")
            forget(url)
        sessions.engine(url).dispose()
    finally:
        postgres.stop(server, pids)
        shutil.rmtree(directory, ignore_errors=True)
    first, second = figures["builds"]
    figures["identical"] = first["content_hashes"] == second["content_hashes"]
    if arguments.json:
        arguments.json.write_text(json.dumps(figures, indent=2))
    print("| statements | cases | build s | CPU s | peak MB | same bytes |\n|-:|-:|-:|-:|-:|-|")
    for one in (first, second):
        print(
            f"| {made['statements']:,} | {one['cases']:,} | {one['seconds']} | {one['cpu_seconds']} "
            f"| {one['peak_bytes'] / 1e6:.0f} | {'yes' if figures['identical'] else 'NO'} |"
        )
    print(f"limits: {LIMITS['seconds']} s, {LIMITS['peak_bytes'] / 1e6:.0f} MB")
    sys.exit(not figures["identical"])


if __name__ == "__main__":
    main()
