"""Speed of querying beside a bare aiohttp loop, lm-evaluation-harness and inspect_ai, on one simulated server.

    .venv/bin/python benchmarks/querying.py --json querying.json --peers /path/to/venv/bin/python
    .venv/bin/python benchmarks/querying.py --parts memory

Parts: `fast` (answers take 50 ms, 256 in flight), `slow` (500 ms, 256 in flight), `admission` (the server admits 32
and answers in 500 ms, 600 prompts), `memory` (50,000 prompts, peak resident memory of the process that asks) and
`peers` (50 ms, 256 in flight). The server is `halluvault_tasks.local.simulator --synthetic` in a process of its own.
Ours is the whole `query_shard`, from reading the prompts out of Postgres to the committed responses. The bare loop
posts the same bodies to the same route, parses each answer, and keeps nothing. The two run in turns, each in a fresh
process; rates are those of each one's best run of `--repeat`, since what the machine's other work takes away is not
the client's, and the median of the ratios of neighbouring runs stands beside them.

CPU is user and system time of the client's process while it asks, without start-up. The peers live in an environment
of their own (`python3 -m venv X && X/bin/pip install "lm-eval[api]" inspect-ai openai`) and ask `/v1/completions`
(lm-eval) and `/v1/chat/completions` (inspect_ai); where one is absent the benchmark says so. For that comparison ours
is measured on the same two routes. `lm_eval` is `lm_eval run --log_samples` less its start-up: asking, and keeping what
came, as ours does both; `lm_eval_asking` is its `generate_until` alone, without task, score and files.
"""

import argparse
import asyncio
import hashlib
import json
import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import date
from pathlib import Path
from typing import Any

import aiohttp
import httpx2 as httpx
import psutil
from sqlalchemy import func, insert, select
from sqlalchemy.dialects.postgresql import insert as upsert
from sqlalchemy.orm import Session

from halluvault_tasks.benchmark import prompt_variants
from halluvault_tasks.local import postgres, processes
from halluvault_tasks.querying import stages
from halluvault_tasks.querying.dialect_tgi import TgiClient
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

PARTS = ("fast", "slow", "admission", "memory", "peers")
IN_FLIGHT = 256
NEW_TOKENS = 64
MONTHS = {600: "2026-01", 5120: "2026-02", 10_240: "2026-03", 20_480: "2026-04", 50_000: "2026-05"}
"""Benchmarks made beforehand: prompts → snapshot."""

PROMPT = (
    "Answer the question with your knowledge and reasoning power. Think of it step by step with a human-like reasoning "
    "process. After giving the answer, list the knowledge used in your reasoning process in the form of declarative "
    "sentences and point by point.\nQuestion: Was person number {number} of {month} born in the place where they died?"
)

PEER_SCRIPT = Path(__file__).with_name("querying_peers.py")
PEERS = {"lm_eval": "ours_completions", "lm_eval_asking": "ours_completions", "inspect": "ours_chat"}
"""Peer → what of ours went the same route."""


def main() -> None:
    """Run the chosen parts, print a table, write the figures."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--json", type=Path, help="also write the figures here")
    parser.add_argument("--parts", nargs="+", choices=PARTS, default=PARTS)
    parser.add_argument("--peers", type=Path, help="python of the environment with lm-eval and inspect-ai")
    parser.add_argument("--repeat", type=int, default=3, help="runs of each, of which the best counts")
    parser.add_argument("--child", nargs="+", help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.child:
        print(json.dumps(child(*arguments.child)))
        return
    figures: dict[str, Any] = {"cores": psutil.cpu_count(), "load_before": os.getloadavg()[0]}
    with tempfile.TemporaryDirectory(prefix="halluvault-querying-") as scratch, database(Path(scratch)) as url:
        for part in arguments.parts:
            print(f"{part} …", file=sys.stderr)
            run = {"fast": fast, "slow": slow, "admission": admission, "memory": memory}.get(part)
            figures[part] = run(url, arguments.repeat) if run else peers(url, arguments.repeat, arguments.peers)
            print(json.dumps({part: figures[part]}, indent=2))
    figures["load_after"] = os.getloadavg()[0]
    if arguments.json:
        arguments.json.write_text(json.dumps(figures, indent=2) + "\n")


def fast(url: str, repeat: int) -> dict[str, Any]:
    """50 ms answers, 256 in flight: ours against the bare loop."""
    with server(50) as base:
        runs = alternately(repeat, {"bare": ("bare", base, "20480"), "ours": ("ours", base, "20480", "tgi", url)})
    bare, ours = best(runs["bare"]), best(runs["ours"])
    return {
        "prompts": 20_480,
        "bare": bare,
        "ours": ours,
        "rate_of_bare": round(ours["rate"] / bare["rate"], 3),
        "rate_of_bare_median": median_ratio(runs["ours"], runs["bare"]),
        "cpu_ms_over_bare": round(least_cpu(runs["ours"]) - least_cpu(runs["bare"]), 3),
        "wanted": {"rate_of_bare": ">= 0.85", "cpu_ms_over_bare": "<= 0.3"},
    }


def slow(url: str, repeat: int) -> dict[str, Any]:
    """500 ms answers, 256 in flight: both against the ideal."""
    ideal = IN_FLIGHT / 0.5
    with server(500) as base:
        runs = alternately(
            max(1, repeat - 1), {"bare": ("bare", base, "10240"), "ours": ("ours", base, "10240", "tgi", url)}
        )
    bare, ours = best(runs["bare"]), best(runs["ours"])
    return {
        "prompts": 10_240,
        "ideal_rate": ideal,
        "bare": bare,
        "ours": ours,
        "bare_of_ideal": round(bare["rate"] / ideal, 3),
        "ours_of_ideal": round(ours["rate"] / ideal, 3),
        "wanted": {"ours_of_ideal": ">= 0.95"},
    }


def admission(url: str, repeat: int) -> dict[str, Any]:
    """A server that admits 32: its limit is known over `/info` (tgi), or has to be found out."""
    ideal = -(-600 // 32) * 0.5
    found = {}
    for name, dialect in (("stated", "tgi"), ("found_out", "tgi-unstated")):
        with server(500, admit=32) as base:
            runs = alternately(max(1, repeat - 2), {"ours": ("ours", base, "600", dialect, url)})
        ours = best(runs["ours"])
        found[name] = ours | {"time_of_ideal": round(ours["seconds"] / ideal, 3)}
    return {"prompts": 600, "ideal_seconds": ideal, **found, "wanted": {"time_of_ideal": "<= 1.15", "delivered": 600}}


def memory(url: str, repeat: int) -> dict[str, Any]:
    """50,000 prompts at 5 ms: peak resident memory of the process that asks."""
    with server(5) as base:
        ours = run_child("ours", base, "50000", "tgi", url)
    return {"prompts": 50_000, "ours": ours, "wanted": {"peak_rss_mb": "< 400"}}


def peers(url: str, repeat: int, python: Path | None) -> dict[str, Any]:
    """50 ms answers, 256 in flight: ours beside the peers, by answers per CPU-second of the client."""
    found: dict[str, Any] = {"prompts": {"ours": 5120, "lm_eval": 5120, "lm_eval_asking": 5120, "inspect": 1024}}
    with server(50) as base:
        for name, dialect in (("ours_completions", "openai-completions"), ("ours_chat", "openai-chat")):
            runs = alternately(max(1, repeat - 1), {name: ("ours", base, "5120", dialect, url)})
            found[name] = best(runs[name])
        found["lm_eval"] = lm_eval(python, base)
        found["lm_eval_asking"] = peer(python, "lm_eval", base, 5120)
        found["inspect"] = peer(python, "inspect", base, 1024)
    for name, beside in PEERS.items():
        if "rate_per_cpu_second" in found[name]:
            ratio = found[beside]["rate_per_cpu_second"] / found[name]["rate_per_cpu_second"]
            found[f"ours_over_{name}"] = round(ratio, 1)
    found["wanted"] = {"ours_over_lm_eval": ">= 3", "ours_over_inspect": ">= 20"}
    return found


def peer(python: Path | None, name: str, base: str, count: int) -> dict[str, Any]:
    """One peer's figures by its library, or why there are none."""
    if python is None:
        return {"absent": "no --peers was given"}
    with tempfile.TemporaryDirectory(prefix="halluvault-peer-") as scratch:
        prompts = Path(scratch) / "prompts.json"
        prompts.write_text(json.dumps([text(number, MONTHS[5120]) for number in range(count)]))
        command = [str(python), str(PEER_SCRIPT), name, base + "/bench", str(prompts), str(IN_FLIGHT), str(NEW_TOKENS)]
        done = in_scratch(command, scratch)
    if done.returncode:
        return {"absent": (done.stderr.strip().splitlines() or ["no message"])[-1]}
    return shown(json.loads(done.stdout.strip().splitlines()[-1]))


TASK = {
    "task": "asked",
    "dataset_path": "json",
    "dataset_kwargs": {"data_files": {"test": "prompts.jsonl"}},
    "test_split": "test",
    "output_type": "generate_until",
    "doc_to_text": "{{prompt}}",
    "doc_to_target": "Yes",
    "generation_kwargs": {"until": ["\n\n\n\n"], "max_gen_toks": NEW_TOKENS, "temperature": 0.0, "do_sample": False},
    "metric_list": [{"metric": "exact_match", "aggregation": "mean", "higher_is_better": True}],
}


def lm_eval(python: Path | None, base: str) -> dict[str, Any]:
    """lm-evaluation-harness as people run it, samples kept as ours keeps them; the run of one prompt is subtracted."""
    if python is None:
        return {"absent": "no --peers was given"}
    count = 5120
    with tempfile.TemporaryDirectory(prefix="halluvault-peer-") as scratch:
        (Path(scratch) / "asked.yaml").write_text(json.dumps(TASK))  # JSON is YAML
        lines = (json.dumps({"prompt": text(number, MONTHS[count])}) + "\n" for number in range(count))
        (Path(scratch) / "prompts.jsonl").write_text("".join(lines))
        model = f"model=tgi,base_url={base}/bench/v1/completions,num_concurrent={IN_FLIGHT},max_retries=8"
        model += ",timeout=120,tokenized_requests=False,tokenizer_backend=None"
        command = [str(python), "-m", "lm_eval", "run", "--model", "local-completions", "--model_args", model]
        command += ["--tasks", "asked", "--include_path", ".", "--output_path", "out", "--log_samples"]
        spent = []
        for limit in ("1", str(count)):
            before, began = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
            done = in_scratch([*command, "--limit", limit], scratch)
            seconds, after = time.perf_counter() - began, resource.getrusage(resource.RUSAGE_CHILDREN)
            if done.returncode:
                return {"absent": (done.stderr.strip().splitlines() or ["no message"])[-1]}
            spent.append((seconds, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime))
        kept = sum(1 for file in Path(scratch).glob("out/**/samples_*.jsonl") for _ in file.open()) - 1
    start_up, whole = spent
    return shown({
        "count": count - 1,
        "seconds": whole[0] - start_up[0],
        "cpu": whole[1] - start_up[1],
        "delivered": kept,
        "start_up_cpu_seconds": round(start_up[1], 1),
    })


def in_scratch(command: Sequence[str], scratch: str) -> "subprocess.CompletedProcess[str]":
    """A peer's command with nothing of this machine's settings but the path."""
    environment = {"PATH": os.environ["PATH"], "HOME": scratch, "OPENAI_API_KEY": "none", "HF_HUB_OFFLINE": "1"}
    return subprocess.run(command, cwd=scratch, env=environment, capture_output=True, text=True, check=False)


def alternately(repeat: int, commands: dict[str, Sequence[str]]) -> dict[str, list[dict[str, Any]]]:
    """Run each command `repeat` times in turns, so that all see the same weather."""
    found: dict[str, list[dict[str, Any]]] = {name: [] for name in commands}
    for _ in range(repeat):
        for name, command in commands.items():
            found[name].append(run_child(*command))
    return found


def best(runs: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """The run with the highest rate."""
    return max(runs, key=lambda run: run["rate"])


def median_ratio(runs: Sequence[dict[str, Any]], others: Sequence[dict[str, Any]]) -> float:
    """The median over neighbouring runs of the ratio of their rates."""
    ratios = [run["rate"] / other["rate"] for run, other in zip(runs, others, strict=True)]
    return round(statistics.median(ratios), 3)


def least_cpu(runs: Sequence[dict[str, Any]]) -> float:
    """The lowest CPU per request, in ms."""
    return min(float(run["cpu_ms"]) for run in runs)


def run_child(*command: str) -> dict[str, Any]:
    """One measurement in a fresh process."""
    done = subprocess.run([sys.executable, __file__, "--child", *command], capture_output=True, text=True, check=False)
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
    if what == "bare":
        bodies = [
            {
                "inputs": text(number, MONTHS[prompts]),
                "parameters": {
                    "max_new_tokens": NEW_TOKENS, "do_sample": False, "details": True, "return_full_text": False,
                },
            }
            for number in range(prompts)
        ]  # fmt: skip
        began, cpu = time.perf_counter(), time.process_time()
        asyncio.run(bare(f"{base}/bench/generate", bodies))
        return {"count": prompts, "seconds": time.perf_counter() - began, "cpu": time.process_time() - cpu}
    dialect, url = rest
    if dialect == "tgi-unstated":
        withhold_the_limit()
    registry = registry_of(base, dialect)
    # Another registry name each time is another evaluation, so that everything is missing.
    with sessions.session(url) as session:
        [planned] = stages.plan(session, MONTHS[prompts], registry=registry)
        began, cpu = time.perf_counter(), time.process_time()
        counts = stages.query_shard(session, planned.evaluation_id, shard=0, shards=1, registry=registry)
        seconds, cpu = time.perf_counter() - began, time.process_time() - cpu
        kept = session.scalar(
            select(func.count()).where(
                response.c.evaluation_id == planned.evaluation_id, response.c.status == "delivered"
            )
        )
    return {
        "count": prompts,
        "seconds": seconds,
        "cpu": cpu,
        "delivered": kept,
        "failed_attempts": counts.failed_attempts,
        "peak_rss_mb": round(peak_memory() / 1e6, 1),
    }


def withhold_the_limit() -> None:
    """Keep from our client what the server says of its own limit, as servers of other makes do."""
    told = TgiClient.info

    async def info(self: TgiClient) -> ServerInfo:
        return (await told(self))._replace(max_concurrent_requests=None)

    TgiClient.info = info  # type: ignore[method-assign]


async def bare(url: str, bodies: Sequence[dict[str, Any]]) -> None:
    """As little as asks everything: workers that post, parse and forget."""
    waiting = iter(bodies)
    async with aiohttp.ClientSession(connector=aiohttp.TCPConnector(limit=0)) as http:

        async def work() -> None:
            for body in waiting:
                async with http.post(url, json=body) as answer:
                    assert isinstance((await answer.json())["generated_text"], str)

        await asyncio.gather(*(work() for _ in range(IN_FLIGHT)))


def registry_of(base: str, dialect: str) -> Registry:
    """One server, one model under a name of its own."""
    model: dict[str, Any] = {
        "name": f"bench-{time.time_ns()}",
        "dialect": "tgi" if dialect == "tgi" else "openai",
        "server": "bench",
        "base_urls": [base + "/bench"],
        "sampling": {"max_new_tokens": NEW_TOKENS},
    }
    if dialect == "openai-completions":
        model["route"] = "completions"
    return Registry.model_validate({
        "servers": [{"name": "bench", "pool": "bench", "slots": 1, "in_flight": IN_FLIGHT, "shard_rows": 100_000}],
        "models": [model],
    })


def text(number: int, month: str) -> str:
    """A prompt of the length of the real ones."""
    return PROMPT.format(number=number, month=month)


@contextmanager
def server(latency_ms: float, admit: int = 1024) -> Iterator[str]:
    """The simulated server in a process of its own; yields its URL."""
    port = processes.free_port()
    command = [sys.executable, "-m", "halluvault_tasks.local.simulator", "--port", str(port), "--models", "bench"]
    command += ["--synthetic", "--latency-ms", str(latency_ms), "--max-concurrent-requests", str(admit)]
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
    variant = prompt_variants.parse("halluvault")
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
    main()
