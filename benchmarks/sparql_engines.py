"""What each query of a pull costs Blazegraph in a store of one size and in one many times as large.

The bundled sample is loaded into a real Blazegraph (`../shared/peers`), and once more with many copies of it about
other items. The largest query of each kind that a pull of the sample asks is then put to both: rows are the same, the
store has grown. Counts are Blazegraph's own (`explain`): triples read from its indexes, and lookups. Seconds are of
one whole request over HTTP, the median of five; below a factor of two they are noise.

    .venv/bin/python benchmarks/sparql_engines.py --copies 60 --json sparql_engines.json

Beside the sample's queries stands `seeds_with`, which asks for a class too large to be asked whole, on people who have
numbers of sitelinks: it reads whatever has these numbers, of the class or not.
"""

import argparse
import json
import shutil
import statistics
import sys
import tempfile
import time
from datetime import date
from pathlib import Path
from typing import Any

from halluvault_tasks.knowledge import queries, stages
from halluvault_tasks.knowledge.client import WikidataClient
from halluvault_tasks.knowledge.config import load_domains
from halluvault_tasks.knowledge.queries import SelectQuery
from halluvault_tasks.local import postgres, processes
from halluvault_tasks.settings import REPOSITORY
from halluvault_tasks.storage import migrate, roles, sessions

sys.path.insert(0, str(REPOSITORY))
from tests.knowledge.store import claim, sitelinks
from tests.peers.blazegraph import TURTLE, namespace, work
from tests.peers.sparql import Engine, kind, post, renamed, rows_of, sample_lines

RUNS = 5
PASSWORDS = {"halluvault": "owner", roles.READER: "reader", roles.SIMULATOR: "simulator"}


def recorded(database: str, url: str) -> dict[str, SelectQuery]:
    """The largest query of each kind that a pull of the sample asks."""
    largest: dict[str, tuple[int, SelectQuery]] = {}

    class Recorder(WikidataClient):
        def select(self, query: SelectQuery) -> Any:
            answer = super().select(query)
            name = kind(query)
            largest[name] = max(largest.get(name, (-1, query)), (len(answer.rows), query), key=lambda one: one[0])
            return answer

    domains = load_domains(REPOSITORY / "config" / "domains.yaml")
    with sessions.session(database) as session:
        stages.pull(
            session, "2026-10", client=Recorder(url), domains=domains, source="sample", as_of=date(2026, 11, 20)
        )
    return {name: query for name, (_, query) in sorted(largest.items())}


def cost(url: str, query: str) -> dict[str, Any]:
    """Rows, counts and seconds of one query."""
    rows = len(rows_of(url, query))
    seconds = []
    for _ in range(RUNS):
        start = time.perf_counter()
        rows_of(url, query)
        seconds.append(time.perf_counter() - start)
    return {"rows": rows, **work(url, query)._asdict(), "seconds": round(statistics.median(seconds), 3)}


def measured(database: str, engine: Engine, copies: int) -> list[dict[str, Any]]:
    """One row for each kind of query."""
    lines = sample_lines()
    post(engine.url, "".join(lines).encode(), TURTLE)
    larger = namespace(engine, "larger", "".join([*lines, *renamed(lines, copies)]).encode())
    asked = recorded(database, engine.url)
    asked["probe"] = queries.probe()
    found = [
        {"query": name, "small": cost(engine.url, query.text), "large": cost(larger, query.text)}
        for name, query in asked.items()
    ]
    people = [claim(qid, 31, 5 if qid % 4 else 6) + sitelinks(qid, 10 + qid % 30) for qid in range(1, 4001)]
    crowd = [claim(qid, 31, 5) + sitelinks(qid, 3) for qid in range(10_000, 10_000 + 1000 * copies)]
    urls = [
        namespace(engine, name, "".join(each).encode())
        for name, each in (("people", people), ("crowd", [*people, *crowd]))
    ]
    with_links = queries.seeds_with(range(10, 40), "instance", 5).text
    small, large = (cost(url, with_links) for url in urls)
    return [*found, {"query": "seeds_with (people)", "small": small, "large": large}]


def main() -> None:
    """Measure, print a table, write JSON."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--copies", type=int, default=60, help="how many times the sample is added to the larger store")
    parser.add_argument("--json", type=Path)
    given = parser.parse_args()
    folder = Path(tempfile.mkdtemp(prefix="halluvault-bench-"))
    server = postgres.start(folder / "data", folder / "pids", fast=True)
    engine = Engine("blazegraph", "/bigdata/sparql", java="javac")
    try:
        roles.create_database(server.url(), "bench", "halluvault", PASSWORDS)
        database = server.url("bench", "halluvault", PASSWORDS["halluvault"])
        migrate.upgrade(database)
        found = measured(database, engine, given.copies)
    finally:
        engine.close()
        postgres.stop(server, folder / "pids")
        processes.reap(folder / "pids")
        shutil.rmtree(folder)
    print(f"{'query':24}{'rows':>12}{'read':>18}{'lookups':>18}{'seconds':>16}")
    for row in found:
        pairs = (f"{row['small'][name]} / {row['large'][name]}" for name in ("rows", "read", "lookups", "seconds"))
        print(
            f"{row['query']:24}"
            + "".join(f"{pair:>{width}}" for pair, width in zip(pairs, (12, 18, 18, 16), strict=True))
        )
    if given.json:
        given.json.write_text(json.dumps(found, indent=1))


if __name__ == "__main__":
    main()
