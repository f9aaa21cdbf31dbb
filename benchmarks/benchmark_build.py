"""Speed and memory of building a benchmark of a simulated snapshot of 200,000 statements, or of a real file.

    .venv/bin/python benchmarks/benchmark_build.py [--json FILE] [--statements N] [--seed S] [--profile FILE]
    .venv/bin/python benchmarks/benchmark_build.py ../shared/data/wikidata-merged/wikidata-merged.nt.gz \\
        --as-of 2022-12-31 [--json FILE]

Limits of the first: 60 s and 1.5 GB (Python's own peak, Postgres beside it) on 2 cores, for what `halluvault benchmark
build --size full` does: from derived and temporal facts to frozen cases with proofs and prompts. Deriving them is not
part of it and is done before, by the real stages; its time is printed too. A second build, in another process with
another PYTHONHASHSEED after the first one's rows are taken away, must freeze the same content.

Limits of the second: those of `ON_FILE`, for each of the commands that make a month of a file, run one after the other
as a person would; seconds are wall time, memory is the peak of the command's own processes.
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
ON_FILE = {
    "pull": None,
    "derive run": 30,
    "temporal run": None,
    "rules measure": 180,
    "benchmark build": 180,
}
"""Command → seconds at most on 2 quiet cores; None: not limited."""
PEAK_BYTES = 1_000_000_000
"""Of any of them but the pull."""
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


def on_file(url: str, file: Path, as_of: str, directory: Path) -> list[dict[str, Any]]:
    """Seconds and peak of each command that makes the month of a file; `seconds` is None where there is none such."""
    month = as_of[:7]
    more = {"pull": ["--source", str(file), "--as-of", as_of], "benchmark build": ["--size", "full"]}
    environment = {**os.environ, "HALLUVAULT_DATABASE_URL": url, "HALLUVAULT_STATE_DIR": str(directory / "state")}
    figures: list[dict[str, Any]] = []
    for command, limit in ON_FILE.items():
        words = [sys.executable, "-c", "from halluvault_tasks.cli import main; main()", *command.split()]
        row: dict[str, Any] = {"command": command, "limit_seconds": limit, "seconds": None, "peak_bytes": None}
        known = subprocess.run([*words, "--help"], env=environment, capture_output=True, check=False)
        if known.returncode == 0:
            begun = time.monotonic()
            running = subprocess.Popen(
                [*words, "--snapshot", month, *more.get(command, [])], env=environment, stdout=subprocess.DEVNULL
            )
            _, status, used = os.wait4(running.pid, 0)
            if status:
                sys.exit(f"halluvault {command} failed")
            row |= {"seconds": round(time.monotonic() - begun, 1), "peak_bytes": used.ru_maxrss * 1024}
        log(f"{row}")
        figures.append(row)
    return figures


def shown(rows: list[dict[str, Any]]) -> bool:
    """Print the figures of a file; whether all are within their limits."""
    print("| command | s | limit | peak MB |\n|-|-:|-:|-:|")
    within = True
    for row in rows:
        seconds, limit, peak = row["seconds"], row["limit_seconds"], row["peak_bytes"]
        if seconds is None:
            print(f"| {row['command']} | not there | {limit or '–'} | |")
            continue
        within &= (limit is None or seconds <= limit) and (row["command"] == "pull" or peak <= PEAK_BYTES)
        print(f"| {row['command']} | {seconds} | {limit or '–'} | {peak / 1e6:.0f} |")
    print(
        f"limit of memory: {PEAK_BYTES / 1e6:.0f} MB; load average {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores"
    )
    return within


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file", type=Path, nargs="?", help="a dump (.nt.gz) to build a month of; needs --as-of")
    parser.add_argument("--as-of", default="", help="date of its data, YYYY-MM-DD")
    parser.add_argument("--json", type=Path, help="also write the figures here")
    parser.add_argument("--statements", type=int, default=200_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--profile", default="", help="write a cProfile of the first build here (slows it)")
    parser.add_argument("--one", help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.one:
        print(json.dumps(build(arguments.one, arguments.profile)))
        return
    if arguments.file and not arguments.as_of:
        parser.error("a file needs --as-of YYYY-MM-DD")
    directory = Path(tempfile.mkdtemp(prefix="halluvault-benchmark-"))
    pids = directory / "pids"
    server = postgres.start(directory / "data", pids)
    try:
        roles.create_database(server.url(), "build", "halluvault", PASSWORDS)
        url = server.url("build", "halluvault", PASSWORDS["halluvault"])
        migrate.upgrade(url)
        if arguments.file:
            rows = on_file(url, arguments.file, arguments.as_of, directory)
            if arguments.json:
                arguments.json.write_text(json.dumps({"load_average": os.getloadavg()[0], "commands": rows}, indent=2))
            sys.exit(not shown(rows))
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
