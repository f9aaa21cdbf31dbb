"""What `querying.py` measures with: the simulated server, the database, and each measurement in a fresh process."""

import asyncio
import hashlib
import json
import statistics
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import date
from pathlib import Path
from typing import Any

import aiohttp
import httpx2 as httpx
from sqlalchemy import func, insert, select
from sqlalchemy.dialects.postgresql import insert as upsert
from sqlalchemy.orm import Session

from halluvault_tasks.benchmark.prompts import variants
from halluvault_tasks.local import postgres, processes
from halluvault_tasks.querying import stages
from halluvault_tasks.querying.dialects.tgi import TgiClient
from halluvault_tasks.querying.registry import Registry
from halluvault_tasks.querying.replies import ServerInfo
from halluvault_tasks.storage import migrate, roles, sessions
from halluvault_tasks.storage.copy import copy_rows
from halluvault_tasks.storage.tables import (
    benchmark_case,
    benchmark_part,
    cases,
    prompt,
    prompt_variant,
    response,
    snapshot,
)

IN_FLIGHT = 256
NEW_TOKENS = 64
MONTHS = {
    240: "2026-01",
    600: "2026-02",
    1280: "2026-03",
    5120: "2026-04",
    10_240: "2026-05",
    20_480: "2026-06",
    50_000: "2026-07",
}  # fmt: skip
"""Benchmarks made beforehand: prompts → snapshot."""

PROMPT = (
    "Answer the question with your knowledge and reasoning power. Think of it step by step with a human-like reasoning "
    "process. After giving the answer, list the knowledge used in your reasoning process in the form of declarative "
    "sentences and point by point.\nQuestion: Was person number {number} of {month} born in the place where they died?"
)


def alternately(repeat: int, commands: dict[str, Sequence[str]]) -> dict[str, list[dict[str, Any]]]:
    """Run each command `repeat` times in turns, so that all see the same weather."""
    found: dict[str, list[dict[str, Any]]] = {name: [] for name in commands}
    for _ in range(repeat):
        for name, command in commands.items():
            found[name].append(run_child(*command))
    return found


def best(runs: Sequence[dict[str, Any]], by: str = "rate") -> dict[str, Any]:
    """The run with the highest rate."""
    return max(runs, key=lambda run: run[by])


def median_ratio(runs: Sequence[dict[str, Any]], others: Sequence[dict[str, Any]]) -> float:
    """The median over neighbouring runs of the ratio of their rates."""
    ratios = [run["rate"] / other["rate"] for run, other in zip(runs, others, strict=True)]
    return round(statistics.median(ratios), 3)


def least_cpu(runs: Sequence[dict[str, Any]]) -> float:
    """The lowest CPU per request, in ms."""
    return min(float(run["cpu_ms"]) for run in runs)


def run_child(*command: str) -> dict[str, Any]:
    """One measurement in a fresh process."""
    done = subprocess.run([sys.executable, __file__, *command], capture_output=True, text=True, check=False)
    if done.returncode:
        raise SystemExit(f"{command}: {done.stderr[-2000:]}")
    return shown(json.loads(done.stdout.strip().splitlines()[-1]))


def shown(raw: dict[str, Any]) -> dict[str, Any]:
    """Rates out of counts and times."""
    count, seconds, cpu = raw["count"], raw["seconds"], raw["cpu"]
    return {
        "rate": round(count / seconds, 1),
        "seconds": round(seconds, 3),
        "cpu_ms": round(cpu / count * 1000, 4),
        "rate_per_cpu_second": round(count / cpu, 1),
        **{name: value for name, value in raw.items() if name not in ("count", "seconds", "cpu")},
    }


def child(what: str, base: str, count: str, *rest: str) -> dict[str, Any]:
    """The measurement itself: count, seconds, CPU seconds."""
    prompts = int(count)
    dialect, url, in_flight, new_tokens = (*rest, *("tgi", "", str(IN_FLIGHT), str(NEW_TOKENS))[len(rest) :])
    if what == "bare":
        began, cpu = time.perf_counter(), time.process_time()
        tokens = asyncio.run(bare(f"{base}/bench/v1/chat/completions", prompts, int(in_flight), int(new_tokens)))
        seconds, cpu = time.perf_counter() - began, time.process_time() - cpu
        return {"count": prompts, "seconds": seconds, "cpu": cpu, "tokens_per_second": round(tokens / seconds, 1)}
    if dialect == "tgi-unstated":
        withhold_the_limit()
    registry = registry_of(base, dialect, int(in_flight), int(new_tokens))
    # Another registry name each time is another evaluation, so that everything is missing.
    with sessions.session(url) as session:
        [planned] = stages.plan(session, MONTHS[prompts], registry=registry).evaluations
        began, cpu = time.perf_counter(), time.process_time()
        counts = stages.query_shard(session, planned.evaluation_id, registry=registry)
        seconds, cpu = time.perf_counter() - began, time.process_time() - cpu
        kept, tokens = session.execute(
            select(func.count(), func.sum(response.c.generated_tokens)).where(
                response.c.evaluation_id == planned.evaluation_id, response.c.status == "delivered"
            )
        ).one()
    return {
        "count": prompts,
        "seconds": seconds,
        "cpu": cpu,
        "tokens_per_second": round(int(tokens) / seconds, 1),
        "delivered": kept,
        "failed_attempts": counts.failed_attempts,
        "peak_rss_mb": round(peak_memory() / 1e6, 1),
    }


def withhold_the_limit() -> None:
    """Keep from our client what the server says of its own limit, as servers of other makes do."""
    told = TgiClient.info

    async def info(self: TgiClient, seconds: float = 10.0) -> ServerInfo:
        return (await told(self, seconds))._replace(max_concurrent_requests=None)

    TgiClient.info = info  # type: ignore[method-assign]


async def bare(url: str, prompts: int, in_flight: int, new_tokens: int) -> int:
    """As little as asks everything: workers that post, parse and forget; a refusal is waited out. Tokens generated."""
    waiting = iter(range(prompts))
    generated = 0
    async with aiohttp.ClientSession(connector=aiohttp.TCPConnector(limit=0)) as http:

        async def work() -> None:
            nonlocal generated
            for number in waiting:
                turn = {"role": "user", "content": text(number, MONTHS[prompts])}
                body = {"model": "tgi", "messages": [turn], "max_tokens": new_tokens, "temperature": 0}
                while True:
                    async with http.post(url, json=body) as answer:
                        said = await answer.json()
                    if answer.status != 429:
                        break
                    await asyncio.sleep(0.1)
                generated += said["usage"]["completion_tokens"]

        await asyncio.gather(*(work() for _ in range(in_flight)))
    return generated


def registry_of(base: str, dialect: str, in_flight: int, new_tokens: int) -> Registry:
    """One server, one model under a name of its own."""
    model: dict[str, Any] = {
        "name": f"bench-{time.time_ns()}",
        "dialect": "openai" if dialect.startswith("openai") else "tgi",
        "server": "bench",
        "base_urls": [base + "/bench"],
        "sampling": {"max_new_tokens": new_tokens},
    }
    if dialect == "openai-completions":
        model["route"] = "completions"
    return Registry.model_validate({
        "servers": [{"name": "bench", "pool": "bench", "slots": 1, "in_flight": in_flight, "shard_rows": 100_000}],
        "models": [model],
    })


def text(number: int, month: str) -> str:
    """A prompt of the length of the real ones."""
    return PROMPT.format(number=number, month=month)


@contextmanager
def server(latency_ms: float | None, admit: int = 1024, *options: str) -> Iterator[str]:
    """The simulated server in a process of its own; without a latency it batches by tokens. Yields its URL."""
    port = processes.free_port()
    command = [sys.executable, "-m", "halluvault_tasks.local.simulator", "--port", str(port), "--models", "bench"]
    command += ["--synthetic", "--max-concurrent-requests", str(admit), *options]
    command += [] if latency_ms is None else ["--latency-ms", str(latency_ms)]
    url = f"http://127.0.0.1:{port}"
    with subprocess.Popen(command) as process:
        try:
            until = time.monotonic() + 60
            while process.poll() is None and time.monotonic() < until:
                try:
                    if httpx.get(url + "/health").status_code == 200:
                        break
                except httpx.HTTPError:
                    time.sleep(0.1)
            yield url
        finally:
            process.terminate()


@contextmanager
def database(scratch: Path) -> Iterator[str]:
    """An embedded Postgres with fsync and the benchmarks of `MONTHS`; yields the owner's URL."""
    pids = scratch / "pids"
    running = postgres.start(scratch / "data", pids)
    try:
        passwords = {"halluvault": "bench", roles.READER: "bench", roles.SIMULATOR: "bench"}
        roles.create_database(running.url(), "halluvault", "halluvault", passwords)
        url = running.url("halluvault", "halluvault", "bench")
        migrate.upgrade(url)
        with sessions.session(url) as session:
            for count, month in MONTHS.items():
                build(session, month, count)
        sessions.engine(url).dispose()
        yield url
    finally:
        postgres.stop(running, pids)


def build(session: Session, month: str, count: int) -> None:
    """A benchmark that has just what querying reads: cases and prompts."""
    day = date(2026, 10, 31)
    session.execute(
        insert(snapshot).values(snapshot=month, month=month, as_of=day, source="made up", status="published")
    )
    part = {"snapshot": month, "suite": "relation"}
    session.execute(
        insert(benchmark_part).values(**part, seed=1, config_hash="", content_hash="", counts={}, published=True)
    )
    variant = variants.parse("halluvault")
    kind = {"template": variant.template, "version": variant.version, "form": variant.form, "context": variant.context}
    session.execute(upsert(prompt_variant).values(id=variant.id, **kind).on_conflict_do_nothing())
    texts = [text(number, month) for number in range(count)]
    ids = [hashlib.sha256(each.encode()).hexdigest()[:16] for each in texts]
    copy_rows(
        session,
        cases,
        ["id", "question", "gold", "group_id", "mutation", "relation", "suite"],
        ((key, each, "yes", key, "original", "same", "relation") for key, each in zip(ids, texts, strict=True)),
    )
    copy_rows(
        session,
        benchmark_case,
        ["snapshot", "suite", "case_id", "domain", "rule_kind", "fact", "premises", "proof"],
        ((month, "relation", key, "people", "inverse", {}, [], "") for key in ids),
    )
    copy_rows(
        session,
        prompt,
        ["snapshot", "variant_id", "case_id", "text", "sha256"],
        ((month, variant.id, key, each, "") for key, each in zip(ids, texts, strict=True)),
    )
    session.commit()


def peak_memory() -> int:
    """Peak resident bytes of this process. Not `ru_maxrss`, in which the peak of the parent lives on."""
    status = Path("/proc/self/status").read_text()
    return int(next(line.split()[1] for line in status.splitlines() if line.startswith("VmHWM"))) * 1024


if __name__ == "__main__":
    print(json.dumps(child(*sys.argv[1:])))
