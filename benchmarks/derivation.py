"""Time and memory of derivation at the papers' scale, from the snapshot's rows to derived rows committed in Postgres.

Everything a month does runs here as it does in Airflow: rules typed, files written, one process a shard with its own
SWI-Prolog engine, rows through COPY, partition and manifest committed, manifest checked. DuckDB runs beside it on the
same triples, as a reference for speed and as an independent count of every kind: where a count differs, the last line
says so and the exit status is 1. Postgres is embedded, in a folder that
is removed at the end, with its ordinary durable settings.

    .venv/bin/python benchmarks/derivation.py --json derivation.json

Other processes on the machine lengthen wall time, not CPU time; both are printed, with the load average.
"""

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections import Counter
from datetime import date
from pathlib import Path
from typing import Any

import derivation_data as data
import derivation_duckdb
import numpy as np
import psutil
from sqlalchemy import insert, text
from sqlalchemy.orm import Session

from halluvault_tasks.local import postgres
from halluvault_tasks.reasoning import stages
from halluvault_tasks.storage import migrate, roles, sessions, tables
from halluvault_tasks.storage.copy import copy_rows
from halluvault_tasks.storage.partitions import create_partitions

KEY = "2026-10"
SHARDS = 2
LIMITS = {"load": 3.0, "kinds": 8.0, "with pairs": 60.0, "engine bytes": 512 << 20}
PASSWORDS = {"halluvault": "owner", roles.READER: "reader", roles.SIMULATOR: "simulator"}


def fill(session: Session, world: data.World, triples: Path, kinds: Path) -> None:
    """Write the generated snapshot as a pull would have left it, and the same triples for DuckDB."""
    create_partitions(session, KEY)
    session.execute(
        insert(tables.snapshot).values(
            snapshot=KEY, month=KEY, as_of=date(2026, 10, 31), source="simulated/derivation", status="frozen"
        )
    )
    np.savetxt(triples, world.triples, fmt="%d", delimiter="\t")
    np.savetxt(kinds, np.column_stack([np.arange(world.entities) + 1, world.types]), fmt="%d", delimiter="\t")
    # Item 1 is preferred once, so that the snapshot shows that its source tells ranks apart.
    copy_rows(
        session,
        tables.statement,
        ["snapshot", "sid", "guid", "s", "p", "kind", "o", "rank", "unknown_qualifiers"],
        (
            [KEY, sid, f"Q{s}-{sid:08x}", s, p, "item", o, "normal" if sid > 1 else "preferred", []]
            for sid, (p, s, o) in enumerate(world.triples.tolist(), 1)
        ),
    )
    copy_rows(
        session,
        tables.entity,
        ["snapshot", "qid", "label", "aliases", "types", "seed"],
        ([KEY, qid, f"name{qid}", [], [kind], True] for qid, kind in enumerate(world.types.tolist(), 1)),
    )
    session.execute(
        insert(tables.property),
        [
            {"snapshot": KEY, "pid": pid, "label": f"relation {pid}", "datatype": "wikibase-item", "inverse": inverse,
             "classes": classes, "constraints": constraints, "separators": [], "origin": "source"}
            for pid, inverse, classes, constraints in data.properties()
        ],
    )  # fmt: skip
    session.commit()


def cpu_of(pid: int) -> float:
    """CPU seconds of a process, its living descendants and its ended children."""
    root = psutil.Process(pid)
    total = 0.0
    for process in [root, *root.children(recursive=True)]:
        times = process.cpu_times()
        total += times.user + times.system
        if process.pid == pid:
            total += times.children_user + times.children_system
    return total


def started(url: str, shard: int, scratch: Path) -> subprocess.Popen[str]:
    """A process that derives one shard; nothing of this harness is loaded into it."""
    script = Path(__file__).with_name("derivation_shard.py")
    command = [sys.executable, str(script), url, KEY, str(shard), str(SHARDS), str(scratch)]
    return subprocess.Popen(command, stdout=subprocess.PIPE, text=True)


def ended(process: subprocess.Popen[str]) -> dict[str, Any]:
    """Its figures, once it is done."""
    said, _ = process.communicate()
    if process.returncode:
        sys.exit(f"a shard ended with status {process.returncode}")
    figures: dict[str, Any] = json.loads(said)
    return figures


def derive(url: str, server: postgres.PostgresServer, rules: Path, directory: Path) -> dict[str, Any]:
    """Type the rules, derive all shards at once, check the manifest; figures of all of it."""
    backend = cpu_of(server.child.pid)
    start = time.monotonic()
    with sessions.session(url) as session:
        stages.type_rules(session, KEY, rules_file=rules)
    typed = time.monotonic() - start
    begun = time.monotonic()
    shards = [ended(one) for one in [started(url, shard, directory) for shard in range(SHARDS)]]
    derived = time.monotonic() - begun
    begun = time.monotonic()
    with sessions.session(url) as session:
        counts = stages.check_derivation(session, KEY, shards=SHARDS)
        named = session.execute(
            text(
                "SELECT CASE WHEN name LIKE 'share:%' THEN 'pairs' WHEN kind = 'composite' THEN 'chains' ELSE kind END "
                "AS kind, sum(rows) AS n FROM rule JOIN derivation_manifest USING (snapshot, rule) GROUP BY 1"
            )
        )
        rows = {row.kind: int(row.n) for row in named}
        groups = session.scalar(text("SELECT count(*) FROM shared_group"))
    rows["groups"] = groups or 0
    return {
        "rows": rows,
        "total_rows": counts.rows,
        "type_rules_seconds": round(typed, 2),
        "prepare_seconds": round(max(one["prepare_seconds"] for one in shards), 2),
        "load_seconds": round(max(one["load_seconds"] for one in shards), 2),
        "stream_seconds": round(max(one["stream_seconds"] for one in shards), 2),
        "derive_seconds": round(derived, 2),
        "check_seconds": round(time.monotonic() - begun, 2),
        "wall_seconds": round(time.monotonic() - start, 2),
        "python_cpu": round(sum(one["python_cpu"] for one in shards), 2),
        "engine_cpu": round(sum(one["engine_cpu"] for one in shards), 2),
        "postgres_cpu": round(cpu_of(server.child.pid) - backend, 2),
        "engine_bytes": max(one["engine_bytes"] for one in shards),
    }


def measure(size: float, seed: int, directory: Path, server: postgres.PostgresServer) -> dict[str, Any]:
    """One size: without and with the shared-object pairs, and DuckDB on the same triples."""
    world = data.generate(size, seed)
    database = f"size_{str(size).replace('.', '_')}"
    roles.create_database(server.url(), database, "halluvault", PASSWORDS)
    url = server.url(database, "halluvault", PASSWORDS["halluvault"])
    migrate.upgrade(url)
    triples, kinds = directory / "triples.tsv", directory / "kinds.tsv"
    with sessions.session(url) as session:
        fill(session, world, triples, kinds)
        session.connection(execution_options={"isolation_level": "AUTOCOMMIT"}).execute(text("VACUUM ANALYZE"))
    figures: dict[str, Any] = {
        "size": size,
        "entities": world.entities,
        "triples": len(world.triples),
        "relations": len(np.unique(world.triples[:, 0])),
        "load_average": os.getloadavg()[0],
    }
    log(f"size {size:g}: {world.entities:,} entities, {len(world.triples):,} triples, load {os.getloadavg()[0]:.1f}")
    told = derivation_duckdb.measure(triples, kinds, directory, pairs=True)
    figures["duckdb"] = told._asdict()
    for name, pairs in (("kinds", False), ("with pairs", True)):
        rules = directory / "rules.yaml"
        data.rules(rules, pairs=pairs)
        figures[name] = derive(url, server, rules, directory / "scratch")
        expected = Counter({kind: n for kind, n in told.rows.items() if pairs or kind not in {"pairs", "groups"}})
        found = Counter(figures[name]["rows"])
        figures[name]["differs"] = {
            kind: [found[kind], expected[kind]]
            for kind in sorted(found.keys() | expected.keys())
            if found[kind] != expected[kind]
        }
        log(f"  {name}: {figures[name]}")
    sessions.engine(url).dispose()
    return figures


def complaint(results: list[dict[str, Any]]) -> str:
    """One line that names every count that is not DuckDB's; empty if there is none."""
    found = [
        f"size {one['size']:g} {name}: {kind} {ours:,} against {theirs:,}"
        for one in results
        for name in ("kinds", "with pairs")
        for kind, (ours, theirs) in one[name]["differs"].items()
    ]
    return "COUNTS DIFFER FROM DUCKDB'S: " + "; ".join(found) if found else ""


def log(line: str) -> None:
    """Progress, on stderr."""
    print(line, file=sys.stderr, flush=True)


def table(results: list[dict[str, Any]]) -> str:
    """The figures as a Markdown table."""
    lines = [
        "| size | run | rows | prepare s | load s | derive to commit s | wall s | CPU s engines / Postgres / Python | "
        "engine MiB | DuckDB s / CPU s | times DuckDB: wall / CPU | counts |",
        "|-:|-|-:|-:|-:|-:|-:|-|-:|-:|-:|-|",
    ]
    for one in results:
        for name in ("kinds", "with pairs"):
            run = one[name]
            left_out = set() if name == "with pairs" else {"pairs", "groups"}
            wall, cpu_told = (
                sum(took for kind, took in one["duckdb"][what].items() if kind not in left_out)
                for what in ("seconds", "cpu_seconds")
            )
            ours = run["engine_cpu"] + run["postgres_cpu"] + run["python_cpu"]
            cpu = f"{run['engine_cpu']:.1f} / {run['postgres_cpu']:.1f} / {run['python_cpu']:.1f}"
            lines.append(
                f"| {one['size']:g} | {name} | {run['total_rows']:,} | {run['prepare_seconds']} "
                f"| {run['load_seconds']} | {run['stream_seconds']} | {run['wall_seconds']} | {cpu} "
                f"| {run['engine_bytes'] / 2**20:.0f} "
                f"| {wall:.1f} / {cpu_told:.1f} | {run['wall_seconds'] / wall:.1f} / {ours / cpu_told:.1f} "
                f"| {'equal' if not run['differs'] else run['differs']} |"
            )
    return "\n".join(lines)


def main() -> None:
    """Run the sizes asked for and print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--json", type=Path, help="also write the figures here")
    parser.add_argument("--sizes", default="0.25,0.5,1,2", help="times 1,647,206 triples (default: 0.25,0.5,1,2)")
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    directory = Path(tempfile.mkdtemp(prefix="halluvault-derivation-"))
    pids = directory / "pids"
    server = postgres.start(directory / "data", pids)
    results = []
    try:
        for size in arguments.sizes.split(","):
            results.append(measure(float(size), arguments.seed, directory, server))
            if arguments.json:
                arguments.json.write_text(
                    json.dumps({"limits": LIMITS, "cores": os.cpu_count(), "sizes": results}, indent=2)
                )
    finally:
        postgres.stop(server, pids)
        shutil.rmtree(directory, ignore_errors=True)
    print(table(results))
    if differs := complaint(results):
        sys.exit(differs)


if __name__ == "__main__":
    main()
