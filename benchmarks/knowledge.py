"""Time and memory of bringing Wikidata in: pulled through the local endpoint, read from a dump, loaded into Postgres.

Three parts, each as it runs in a month, in processes of their own:

- `pull`: `../shared/data/wikidata-codex-s/wikidata.nt.gz` served by the local endpoint and pulled from metadata to a
  published snapshot. The endpoint tells its own time (evaluating and serialising; header Server-Timing) for the very
  same queries; beside it stands what the same queries take when a bare client sends them and throws the bodies away.
- `dump`: the same file repeated twenty times under new ids (classes keep theirs, so that every copy is of the same
  domains), written to a temporary .nt.gz and read into a published snapshot. Beside it stand the CPU times in which
  `zcat | wc -l` and a loop of Python's over the lines go through the same file once.
- `load`: 1.6 million generated statements and their entities into the tables of a snapshot, indexes and commit
  included.

    .venv/bin/python benchmarks/knowledge.py --json knowledge.json

Postgres is embedded, with its ordinary durable settings, in a folder that is removed at the end. Other processes on
the machine lengthen wall time; where a figure is of one process alone its CPU time is given beside it, and the load
average is printed.
"""

import argparse
import gzip
import http.client
import json
import multiprocessing
import os
import re
import resource
import shlex
import shutil
import subprocess
import sys
import tempfile
import time
import urllib.parse
import urllib.request
from collections.abc import Iterator
from datetime import date
from itertools import islice
from pathlib import Path
from typing import Any

from sqlalchemy import select, text

from halluvault_tasks.knowledge import dump_pull, load, stages
from halluvault_tasks.knowledge.client import WikidataClient
from halluvault_tasks.knowledge.config import load_domains
from halluvault_tasks.knowledge.normalise import StatementRow, StatementValue
from halluvault_tasks.knowledge.progress import PullProgress
from halluvault_tasks.local import postgres, processes
from halluvault_tasks.settings import REPOSITORY
from halluvault_tasks.storage import migrate, roles, sessions, tables
from halluvault_tasks.wikidata.times import UNBOUNDED, TimeBounds

SOURCE = REPOSITORY.parent / "shared" / "data" / "wikidata-codex-s" / "wikidata.nt.gz"
DAY = date(2026, 11, 20)
COPIES, STATEMENTS = 20, 1_600_000
GROUP = 3_000  # statements that a month loads at a time: those of a batch of subjects
LIMITS = {
    "pull: our time ÷ the endpoint's": 1.3,
    "pull: endpoint ms per 150 seeds": 50.0,
    "dump: triples/s through both passes": 300_000.0,
    "dump: peak RSS MB": 500.0,
    "load: seconds": 90.0,
}
PASSWORDS = {"halluvault": "owner", roles.READER: "reader", roles.SIMULATOR: "simulator"}


class Recorder(WikidataClient):
    """Keeps what it asks, so that a bare client can ask the same."""

    asked: list[str]

    def select(self, query: Any) -> Any:
        """As the client; notes the query."""
        self.asked.append(query.text)
        return super().select(query)


def pulled(database: str, runs: int) -> dict[str, Any]:
    """Pull through an endpoint in a process of its own, several times."""
    domains = load_domains(REPOSITORY / "config" / "domains.yaml")
    port = processes.free_port()
    command = [sys.executable, "-m", "halluvault_tasks.local.endpoint", "--source", str(SOURCE), "--port", str(port)]
    results = []
    with subprocess.Popen(command, stderr=subprocess.DEVNULL) as endpoint:
        try:
            base = f"http://127.0.0.1:{port}"
            _wait(base)
            for number in range(1, runs + 1):
                results.append(_pull_once(database, domains, base, f"2026-10.{number}"))
        finally:
            endpoint.terminate()
    middle = sorted(results, key=lambda one: float(one["ratio"]))[len(results) // 2]
    return middle | {"runs": runs, "all_ratios": [one["ratio"] for one in results]}


def _pull_once(database: str, domains: Any, base: str, key: str) -> dict[str, Any]:
    before = _health(base)
    client = Recorder(f"{base}/sparql")
    client.asked = []
    with sessions.session(database) as session:
        parts = {}
        start = time.perf_counter()
        row = stages.open_snapshot(session, key, source="codex", as_of=DAY)
        stages.pull_metadata(session, row.snapshot, client=client, domains=domains)
        for domain in domains.domains:
            stages.pull_domain(session, row.snapshot, domain, client=client, domains=domains)
        parts["metadata and domains"] = time.perf_counter() - start
        stages.complete(session, row.snapshot, client=client, domains=domains)
        parts["complete"] = time.perf_counter() - start - parts["metadata and domains"]
        stages.check_gates(session, row.snapshot, limits=domains.gates)
        stages.freeze(session, row.snapshot)
        stages.publish_snapshot(session, row.snapshot)
        ours = time.perf_counter() - start
        parts["gates, hash"] = ours - parts["metadata and domains"] - parts["complete"]
        seeds, rows = session.execute(
            text(
                "SELECT (SELECT count(*) FROM entity WHERE seed AND snapshot = :key), "
                "(SELECT count(*) FROM statement WHERE snapshot = :key)"
            ),
            {"key": row.snapshot},
        ).one()
    after = _health(base)
    own, cpu = (after[name] - before[name] for name in ("busy_seconds", "cpu_seconds"))
    bare = _bare(base, client.asked)
    return {
        "seconds": round(ours, 3),
        "parts": {name: round(value, 3) for name, value in parts.items()},
        "endpoint_seconds": round(own, 3),
        "endpoint_cpu_seconds": round(cpu, 3),
        "bare_client_seconds": round(bare, 3),
        "queries": after["queries"] - before["queries"],
        "seeds": seeds,
        "statements": rows,
        "ratio": round(ours / own, 3),
        "ratio_to_bare_client": round(ours / bare, 3),
        "endpoint_ms_per_150_seeds": round(own / seeds * 150 * 1000, 1),
        "endpoint_cpu_ms_per_150_seeds": round(cpu / seeds * 150 * 1000, 1),
    }


def _bare(base: str, queries: list[str]) -> float:
    """Seconds in which a client that only reads bytes gets the same answers, one at a time."""
    host = base.removeprefix("http://")
    start = time.perf_counter()
    for query in queries:
        connection = http.client.HTTPConnection(host)
        body = urllib.parse.urlencode({"query": query})
        connection.request("POST", "/sparql", body, {"Content-Type": "application/x-www-form-urlencoded"})
        connection.getresponse().read()
        connection.close()
    return time.perf_counter() - start


def _health(base: str) -> dict[str, Any]:
    with urllib.request.urlopen(f"{base}/health", timeout=30) as response:
        found: dict[str, Any] = json.load(response)
    return found


def _wait(base: str) -> None:
    for _ in range(600):
        try:
            _health(base)
            return
        except OSError:
            time.sleep(0.1)
    raise SystemExit(f"the endpoint at {base} did not come up")


def repeated(path: Path, copies: int) -> int:
    """Write the source again and again under new ids; returns the number of triples."""
    with gzip.open(SOURCE, "rt", encoding="utf-8") as source:
        lines = source.readlines()
    of_class = re.compile(r"/prop/direct/P(?:31|279)> <http://www\.wikidata\.org/entity/(Q\d+)>")
    classes = {match[1] for line in lines if (match := of_class.search(line))}
    named = re.compile(r"(/entity/)((?:statement/)?)Q(\d+)")
    written = 0
    with gzip.open(path, "wt", encoding="utf-8", compresslevel=1) as out:
        for copy in range(copies):

            def renamed(match: re.Match[str], shift: int = copy * 100_000_000) -> str:
                if not match[2] and f"Q{match[3]}" in classes:
                    return match[0]
                return f"{match[1]}{match[2]}Q{int(match[3]) + shift}"

            for line in lines:
                if copy:
                    first = named.search(line)
                    if first is None or f"Q{first[3]}" in classes:
                        continue
                    line = named.sub(renamed, line)
                out.write(line)
                written += 1
    return written


def read(database: str, directory: Path) -> dict[str, Any]:
    """Read the repeated dump in this process, which does nothing else."""
    path = directory / "repeated.nt.gz"
    triples = repeated(path, COPIES)
    found = _in_process(_read, database, path)
    wall, cpu = found["wall"], found["cpu"]
    one, two = cpu["second pass"] - cpu["first pass"], cpu["afterwards"] - cpu["second pass"]
    bare = {name: _in_process(work, path) for name, work in (("zcat | wc -l", _counted), ("line loop", _looped))}
    return {
        "triples": triples,
        "file_mb": round(path.stat().st_size / 2**20, 1),
        "statements": found["statements"],
        "seconds": {name: round(value, 1) for name, value in found["took"].items()},
        "wall_until": {name: round(value, 1) for name, value in wall.items()},
        "cpu_first_pass": round(one, 2),
        "cpu_second_pass": round(two, 2),
        "triples_per_second_first_pass": round(triples / one),
        "triples_per_second_second_pass": round(triples / two),
        "triples_per_second_both_passes": round(triples / (one + two)),
        "cpu_of_one_bare_pass": {name: round(seconds, 2) for name, seconds in bare.items()},
        "both_passes_in_bare_passes": {name: round((one + two) / seconds, 1) for name, seconds in bare.items()},
        "peak_rss_mb": round(found["rss"] / 1024, 1),
    }


def _counted(path: Path) -> float:
    """CPU seconds in which the shell unpacks the file and counts its lines."""
    subprocess.run(f"gzip -dc {shlex.quote(str(path))} | wc -l", shell=True, check=True, stdout=subprocess.DEVNULL)
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def _looped(path: Path) -> float:
    """CPU seconds in which Python goes over the lines and does nothing."""
    began = time.process_time()
    with gzip.open(path) as lines:
        for _ in lines:
            pass
    return time.process_time() - began


def _read(database: str, path: Path) -> dict[str, Any]:
    wall: dict[str, float] = {}
    cpu: dict[str, float] = {}
    start, began = time.perf_counter(), time.process_time()

    def note(name: str) -> None:
        wall.setdefault(name, time.perf_counter() - start)
        cpu.setdefault(name, time.process_time() - began)

    def progress(told: PullProgress) -> None:
        if told.stage not in {"first pass", "second pass"}:
            note("afterwards")
        elif told.stage == "second pass":
            note("second pass")

    note("first pass")
    domains = load_domains(REPOSITORY / "config" / "domains.yaml")
    with sessions.session(database) as session:
        row = dump_pull.pull(
            session, "2026-09", path=path, domains=domains, as_of=DAY, source="repeated", progress=progress
        )
        count = session.scalar(text("SELECT count(*) FROM statement WHERE snapshot = :key"), {"key": row.snapshot})
    note("published")
    took = {
        "first pass": wall["second pass"],
        "second pass": wall["afterwards"] - wall["second pass"],
        "normalising to published": wall["published"] - wall["afterwards"],
    }
    rss = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return {"wall": wall, "cpu": cpu, "took": took, "rss": rss, "statements": count}


def loaded(database: str) -> dict[str, Any]:
    """Load generated statements."""
    found: dict[str, Any] = _in_process(_load, database)
    return found


def _load(database: str) -> dict[str, Any]:
    key = "2026-08"
    with sessions.session(database) as session:
        stages.open_snapshot(session, key, source="simulated/load", as_of=DAY)
        start, began = time.perf_counter(), time.process_time()
        loader = load.Loader(key)
        generated, batch = _statements(), 0
        while group := list(islice(generated, GROUP)):
            batch += 1
            loader.statements(batch, group)
        named = (
            load.EntityRow(qid, f"Entity {qid}", f"the {qid}th", (f"E{qid}",), (5,), "people", True, 40)
            for qid in range(1, STATEMENTS // 16 + 1)
        )
        loader.entities(batch + 1, named)
        gathered = time.perf_counter() - start
        loader.finish(session, [], {})
        session.commit()
        seconds, cpu = time.perf_counter() - start, time.process_time() - began
        count = session.scalar(
            select(text("count(*)")).select_from(tables.statement).where(text(f"snapshot = '{key}'"))
        )
    return {
        "statements": count,
        "seconds": round(seconds, 1),
        "gathering_seconds": round(gathered, 1),
        "cpu_seconds": round(cpu, 1),
        "peak_rss_mb": round(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024, 1),
    }


def _statements() -> Iterator[StatementRow]:
    """Sixteen statements a subject: items, dates, and every fourth with a term."""
    for number in range(STATEMENTS):
        s, p = number // 16 + 1, 19 + number % 16
        day = 600_000 + number % 130_000
        value = (
            StatementValue("time", earliest=day, latest=day, precision=11)
            if number % 16 == 1
            else StatementValue("item", o=1 + number % 9_973)
        )
        term = TimeBounds(day, day + 365) if number % 4 == 0 else UNBOUNDED
        yield StatementRow(
            f"Q{s}-{number:08x}-1a2b-3c4d-5e6f-0123456789ab", s, p, "normal", value, term, term, UNBOUNDED, (), False
        )


def _in_process(work: Any, *arguments: object) -> Any:
    """Run in a fresh process: its peak memory is its own."""
    context = multiprocessing.get_context("spawn")
    with context.Pool(1) as pool:
        return pool.apply(work, arguments)


def table(results: dict[str, Any]) -> str:
    """Figures against limits, as Markdown."""
    rows = []
    if pull := results.get("pull"):
        rows.append(("pull: our time ÷ the endpoint's", pull["ratio"], "≤"))
        rows.append(("pull: endpoint ms per 150 seeds", pull["endpoint_ms_per_150_seeds"], "≤"))
    if dumped := results.get("dump"):
        rows.append(("dump: triples/s through both passes", dumped["triples_per_second_both_passes"], "≥"))
        rows.append(("dump: peak RSS MB", dumped["peak_rss_mb"], "≤"))
    if load_ := results.get("load"):
        rows.append(("load: seconds", load_["seconds"], "≤"))
    lines = ["| figure | measured | limit | |", "|-|-:|-:|-|"]
    for name, value, sign in rows:
        good = value <= LIMITS[name] if sign == "≤" else value >= LIMITS[name]
        lines.append(f"| {name} | {value:,} | {sign} {LIMITS[name]:,} | {'met' if good else 'missed'} |")
    return "\n".join(lines)


def main() -> None:
    """Run the parts asked for, and print figures and table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--json", type=Path, help="also write the figures here")
    parser.add_argument("--parts", default="pull,dump,load", help="which of pull, dump and load (default all)")
    parser.add_argument("--runs", type=int, default=3, help="pulls, of which the middle one counts (default 3)")
    arguments = parser.parse_args()
    if not SOURCE.is_file():
        raise SystemExit(f"{SOURCE} is not there: this benchmark runs on real data that is not in the repository")
    directory = Path(tempfile.mkdtemp(prefix="halluvault-knowledge-"))
    pids = directory / "pids"
    server = postgres.start(directory / "data", pids)
    results: dict[str, Any] = {"cores": os.cpu_count(), "limits": LIMITS, "load_before": os.getloadavg()[0]}
    try:
        for part in arguments.parts.split(","):
            name = f"knowledge_{part}"
            roles.create_database(server.url(), name, "halluvault", PASSWORDS)
            database = server.url(name, "halluvault", PASSWORDS["halluvault"])
            migrate.upgrade(database)
            if part == "pull":
                results[part] = _in_process(pulled, database, arguments.runs)
            elif part == "dump":
                results[part] = read(database, directory)
            else:
                results[part] = loaded(database)
            sys.stderr.write(f"{part}: {json.dumps(results[part])}\n")
            sessions.engine(database).dispose()
    finally:
        postgres.stop(server, pids)
        shutil.rmtree(directory, ignore_errors=True)
    results["load_after"] = os.getloadavg()[0]
    if arguments.json:
        arguments.json.write_text(json.dumps(results, indent=2))
    print(table(results))
    print(f"load average {results['load_before']:.1f} before, {results['load_after']:.1f} after")


if __name__ == "__main__":
    main()
