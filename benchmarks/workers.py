"""Speed-up of deriving and judging on several workers, containers of one CPU each, against one; and Postgres' load.

A month's derivation is `benchmarks/derivation.py`'s (simulated/derivation, without shared-object pairs), in as many
shards as there are workers at most; what is judged are answers of as many models to the bundled sample's month
(simulated/scoring), one evaluation a process, as Airflow's tasks do. One worker does all parts one after the other; of
several, each does its share of them. Each run begins with a copy of the same database, and they take turns. Postgres is
a container of its own that may use every CPU. More workers than CPUs show how many connections they take and what
Postgres does for them, and no speed-up.

    .venv/bin/python benchmarks/workers.py --repeats 3 --json workers.json
    .venv/bin/python benchmarks/workers.py --workers 2 8 32 --repeats 1 --stages derive --size 0.25
    .venv/bin/python benchmarks/workers.py --workers 2 8 32 --repeats 1 --stages score --forked \\
        --questions demo --answers 30

Judging processes take 0.6 GB each. With --forked they are forked, on each CPU, from one that has loaded reader and
Sentence-BERT, whose memory they share; each has sessions of its own, so that Postgres sees as many as without it.
Needs Docker, root, the images `halluvault` and `postgres:15`. Other work on the machine lengthens wall time, so two
figures stand beside it that it moves little: CPU seconds, and how they were divided.
"""

import argparse
import json
import os
import re
import secrets
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

import derivation
import derivation_data
import psutil
import psycopg2
import scoring
from sqlalchemy import insert, select, text
from sqlalchemy.orm import Session

from halluvault_tasks.local import month
from halluvault_tasks.reasoning import stages as reasoning
from halluvault_tasks.results import views
from halluvault_tasks.settings import settings
from halluvault_tasks.storage import migrate, roles, sessions, tables

MONTH = derivation.KEY
WEIGHT = ("--cgroup-parent", "/", "--cpu-shares", "4096")
"""Each container weighs as much as four processes: in Docker's own group all would share the weight of one."""
PORT = 54997
NETWORK, SERVER, PASSWORD = "halluvault-workers", "halluvault-workers-postgres", secrets.token_hex(16)
PASSWORDS = {"halluvault": PASSWORD, roles.READER: PASSWORD, roles.SIMULATOR: PASSWORD}
PART = """
import json, resource, sys
from pathlib import Path
from halluvault_tasks.storage import sessions
stage, url, part, scratch = sys.argv[1], sys.argv[2], sys.argv[3], Path("/tmp")
with sessions.session(url) as session:
    if stage == "derive":
        from halluvault_tasks.reasoning import stages
        from halluvault_tasks.settings import settings
        from halluvault_tasks.storage.portion import Portion
        portion = Portion(*map(int, part.split("/")))
        stages.derive_shard(session, sys.argv[4], portion=portion, prolog_dir=settings().prolog_dir, scratch=scratch)
    else:
        from halluvault_tasks.oracles import stages
        stages.score(session, part)
used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
print(json.dumps({"part": part, "cpu": sum(one.ru_utime + one.ru_stime for one in used)}))
"""
FORKED = """
import gc, json, os, re, resource, sys
from pathlib import Path
from halluvault_tasks.oracles import stages
from halluvault_tasks.oracles.embedding import SentenceBert
from halluvault_tasks.reading.parser import spacy_parser
from halluvault_tasks.storage import sessions
url, processes = sys.argv[1], [one.split(",") for one in sys.argv[2:]]
embed = SentenceBert()
embed(["loaded before the fork"])
spacy_parser()
gc.freeze()
for parts in processes:
    if not os.fork():
        for part in parts:
            with sessions.session(url) as session:
                stages.score(session, part, embed=embed)
        share = re.search(r"Pss: +([0-9]+)", Path("/proc/self/smaps_rollup").read_text())
        print(json.dumps({"parts": parts, "memory_mb": int(share[1]) // 1024}), file=sys.stderr, flush=True)
        os._exit(0)
failed = [status for _, status in [os.wait() for _ in processes] if status]
used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
print(json.dumps({"cpu": sum(one.ru_utime + one.ru_stime for one in used)}))
sys.exit(len(failed))
"""
"""Judges, in processes forked from one that has loaded what they share; each takes the parts of one argument."""
STAGES = ("derive", "score")


def parts(stage: str, number: int) -> list[str]:
    """What a stage is divided into: shards, or evaluations."""
    return [f"{at}/{number}" if stage == "derive" else f"e{at}" for at in range(number)]


class Run(NamedTuple):
    """One stage by so many workers."""

    stage: str
    workers: int
    seconds: float
    cpu: list[float]
    """Of each container: of each worker, or where they are forked, of all on one CPU."""

    postgres_cpu: float
    connections: int
    """Most at once, of the database measured."""

    rows: int
    """Written."""

    load: float
    memory_mb: int
    """Of forked judges together, each counted by its share of what it shares, at its end; 0 where none was forked."""


def docker(*words: str) -> str:
    """Stdout of a docker command."""
    done = subprocess.run(["docker", *words], capture_output=True, text=True, check=False)
    if done.returncode:
        sys.exit(f"docker {words[0]}: {done.stderr.strip()[-600:]}")
    return done.stdout.strip()


def url(database: str, host: str = f"127.0.0.1:{PORT}", role: str = "halluvault") -> str:
    """Of a database of the server, seen from here or from the network of the containers."""
    return f"postgresql+psycopg2://{role}:{PASSWORD}@{host}/{database}"


def administer(statement: str) -> list[Any]:
    """Rows of a statement as the superuser."""
    given = psycopg2.connect(host="127.0.0.1", port=PORT, user="postgres", password=PASSWORD, dbname="postgres")
    given.autocommit = True
    try:
        with given.cursor() as cursor:
            cursor.execute(statement)
            return cursor.fetchall() if cursor.description else []
    finally:
        given.close()


@contextmanager
def server() -> Iterator[int]:
    """A Postgres container on a network of its own; yields its process."""
    docker("network", "create", NETWORK)
    try:
        docker(
            "run", "-d", "--rm", *WEIGHT, "--name", SERVER, "--network", NETWORK, "-p", f"127.0.0.1:{PORT}:5432",
            "-e", f"POSTGRES_PASSWORD={PASSWORD}", "--shm-size", "256m", "postgres:15", "-cshared_buffers=256MB",
        )  # fmt: skip
        for _ in range(120):
            try:
                administer("SELECT 1")
                break
            except psycopg2.OperationalError:
                time.sleep(1)
        yield int(docker("inspect", "-f", "{{.State.Pid}}", SERVER))
    finally:
        subprocess.run(["docker", "rm", "-f", "-v", SERVER], capture_output=True, check=False)
        docker("network", "rm", NETWORK)


def to_derive(size: float, scratch: Path) -> None:
    """The database `derive`: a frozen month with its rules typed."""
    world = derivation_data.generate(size, 1)
    rules = scratch / "rules.yaml"
    derivation_data.rules(rules, pairs=False)
    with sessions.session(url("derive")) as session:
        derivation.fill(session, world, scratch / "triples.tsv", scratch / "kinds.tsv")
        session.connection(execution_options={"isolation_level": "AUTOCOMMIT"}).execute(text("VACUUM ANALYZE"))
        session.commit()
        reasoning.type_rules(session, MONTH, rules_file=rules)


def to_score(evaluations: int, answers: int, size: str, scratch: Path) -> None:
    """The database `score`: the sample's month, and so many answers of each evaluation to its questions."""
    chosen = settings()
    with sessions.session(url("score")) as session:
        month.make(session, MONTH, scratch, chosen.config_dir, chosen.prolog_dir, size)
        rows = session.execute(
            select(tables.cases, tables.benchmark_case)
            .join(tables.benchmark_case, tables.benchmark_case.c.case_id == tables.cases.c.id)
            .where(tables.benchmark_case.c.snapshot == MONTH)
            .order_by(tables.cases.c.id)
        ).all()
        variant = {"id": "v", "template": "halluvault", "version": 1, "form": "plain", "context": "closed-book"}
        session.execute(insert(tables.prompt_variant), [variant])
        for seed, evaluation in enumerate(parts("score", evaluations)):
            answer(session, evaluation, Random(seed), rows, answers)
        session.commit()


def answer(session: Session, evaluation: str, random: Random, rows: Any, number: int) -> None:
    """An evaluation whose model answered the questions, drawn, until there are so many answers."""
    drawn = random.sample(rows, len(rows))
    model = {"id": f"m-{evaluation}", "name": f"simulated-{evaluation}", "dialect": "tgi", "model_id": evaluation}
    session.execute(insert(tables.model), [model])
    made = {"id": evaluation, "snapshot": MONTH, "model_id": model["id"], "variant_id": "v", "sampling": {}}
    session.execute(insert(tables.evaluation), [made])
    session.execute(
        insert(tables.response),
        [
            {"evaluation_id": evaluation, "case_id": row.id, "sample": at // len(drawn), "status": "delivered",
             "attempts": 1, "text": scoring.response(row, random)}
            for at in range(number) for row in [drawn[at % len(drawn)]]
        ],
    )  # fmt: skip


def container(cpu: int, script: str, shell: str, **variables: str) -> subprocess.Popen[str]:
    """A container on one CPU that runs a shell command, which has $SCRIPT, and prints the time before and after."""
    given = {"SCRIPT": script, "URL": url("run", SERVER), **variables}
    words = [word for name, value in given.items() for word in ("-e", f"{name}={value}")]
    command = ["docker", "run", "--rm", *WEIGHT, "--network", NETWORK, "--cpuset-cpus", str(cpu), *words]
    timed = f"date +%s.%N; {shell}; date +%s.%N"
    return subprocess.Popen(
        [*command, "halluvault", "sh", "-c", timed], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )


def start(stage: str, workers: list[list[str]], forked: bool) -> list[subprocess.Popen[str]]:
    """Containers that do what each worker is given: one a worker, each part in a process of its own, or one a CPU."""
    cores = psutil.cpu_count() or 1
    if forked:
        judge = 'OMP_NUM_THREADS=1 python3 -c "$SCRIPT" $URL $PROCESSES || exit 1'
        on = [" ".join(",".join(mine) for mine in workers[cpu::cores]) for cpu in range(min(cores, len(workers)))]
        return [container(cpu, FORKED, judge, PROCESSES=processes) for cpu, processes in enumerate(on)]
    loop = 'for part in $PARTS; do python3 -c "$SCRIPT" $STAGE $URL $part $MONTH || exit 1; done'
    return [
        container(at % cores, PART, loop, STAGE=stage, MONTH=MONTH, PARTS=" ".join(mine))
        for at, mine in enumerate(workers)
    ]


def measure(stage: str, workers: int, number: int, pid: int, forked: bool) -> Run:
    """A stage of so many parts by so many workers, on a fresh copy of its database."""
    administer("DROP DATABASE IF EXISTS run")
    administer(f"CREATE DATABASE run TEMPLATE {stage} OWNER halluvault")
    administer("CHECKPOINT")
    before, most, over = derivation.cpu_of(pid), [0], threading.Event()
    watch = threading.Thread(target=lambda: most.append(connections(over)))
    watch.start()
    every = parts(stage, number)
    started = start(stage, [every[at::workers] for at in range(workers)], forked)
    ended = [(*one.communicate(), one.returncode) for one in started]
    over.set()
    watch.join()
    for _, said, status in ended:
        if status:
            sys.exit(f"a worker failed at {stage}: {said.strip()[-900:]}")
    memory = [int(mb) for _, said, _ in ended for mb in re.findall(r'"memory_mb": ([0-9]+)', said)]
    told = [out.splitlines() for out, _, _ in ended]
    # The containers' own clocks, so that making and removing containers counts for nothing.
    seconds = max(float(lines[-1]) for lines in told) - min(float(lines[0]) for lines in told)
    cpu = [sum(json.loads(line)["cpu"] for line in lines if line.startswith("{")) for lines in told]
    time.sleep(1)  # Postgres writes its statistics when a session has ended.
    [[rows]] = administer("SELECT tup_inserted FROM pg_stat_database WHERE datname = 'run'")
    used = derivation.cpu_of(pid) - before
    return Run(stage, workers, seconds, cpu, used, max(most), rows, os.getloadavg()[0], sum(memory))


def connections(over: threading.Event) -> int:
    """Most sessions of the database `run` at once, until told that it is over."""
    most = 0
    while not over.wait(0.5):
        [[now]] = administer("SELECT count(*) FROM pg_stat_activity WHERE datname = 'run'")
        most = max(most, now)
    return most


def table(runs: list[Run]) -> str:
    """Medians by stage and workers as a Markdown table."""
    lines = [
        "| stage | workers | runs | wall s, median (least to most) | workers' CPU s | the busier's | Postgres' CPU s | "
        "connections | rows written | load |",
        "|-|-:|-:|-|-:|-:|-:|-:|-:|-|",
    ]
    for stage in dict.fromkeys(run.stage for run in runs):
        for workers in dict.fromkeys(run.workers for run in runs):
            of = [run for run in runs if (run.stage, run.workers) == (stage, workers)]
            wall = sorted(run.seconds for run in of)
            middle = {
                "cpu": statistics.median(sum(run.cpu) for run in of),
                "busier": statistics.median(max(run.cpu) for run in of),
                "postgres": statistics.median(run.postgres_cpu for run in of),
            }
            loads = sorted(run.load for run in of)
            lines.append(
                f"| {stage} | {workers} | {len(of)} | {statistics.median(wall):.0f} ({wall[0]:.0f} to {wall[-1]:.0f}) "
                f"| {middle['cpu']:.1f} | {middle['busier']:.1f} | {middle['postgres']:.1f} "
                f"| {max(run.connections for run in of)} | {of[0].rows:,} | {loads[0]:.0f} to {loads[-1]:.0f} |"
            )
    return "\n".join(lines)


def main() -> None:
    """Fill both databases, measure in turns, print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--workers", nargs="+", type=int, default=[1, 2], help="default: 1 2")
    parser.add_argument("--stages", nargs="+", choices=STAGES, default=list(STAGES))
    parser.add_argument("--size", type=float, default=1.0, help="of the month derived, times 1,647,206 triples")
    parser.add_argument("--questions", default="full", help="size of the month judged: full, or demo")
    parser.add_argument("--answers", type=int, default=1000, help="of each model")
    parser.add_argument("--forked", action="store_true", help="judge in processes forked from one on each CPU")
    parser.add_argument("--json", type=Path, help="also write every run here")
    arguments = parser.parse_args()
    number = max(arguments.workers)
    runs: list[Run] = []
    with server() as pid, tempfile.TemporaryDirectory() as scratch:
        for stage in arguments.stages:
            roles.create_database(url("postgres", role="postgres"), stage, "halluvault", PASSWORDS)
            migrate.upgrade(url(stage))
            views.upgrade(url(stage))
        if "derive" in arguments.stages:
            to_derive(arguments.size, Path(scratch))
        if "score" in arguments.stages:
            to_score(number, arguments.answers, arguments.questions, Path(scratch))
        for stage in arguments.stages:
            sessions.engine(url(stage)).dispose()
        for _ in range(arguments.repeats):
            for stage in arguments.stages:
                for workers in arguments.workers:
                    runs.append(measure(stage, workers, number, pid, arguments.forked and stage == "score"))
                    print(runs[-1], file=sys.stderr, flush=True)
                    if arguments.json:
                        every = {"cores": psutil.cpu_count(), "runs": [run._asdict() for run in runs]}
                        arguments.json.write_text(json.dumps(every, indent=2) + "\n", encoding="utf-8")
    print(table(runs))


if __name__ == "__main__":
    main()
