"""Speed of querying beside a bare aiohttp loop, lm-evaluation-harness and inspect_ai, on one simulated server.

    .venv/bin/python benchmarks/querying.py --json querying.json --peers /path/to/venv/bin/python
    .venv/bin/python benchmarks/querying.py --parts memory

Parts: `fast` (answers take 50 ms, 256 in flight), `slow` (500 ms, 256 in flight), `admission` (the server admits 32
and answers in 500 ms, 600 prompts), `throughput` (tokens a second, the server batching in each of its three ways,
answers of 4 or of 10 to 310 tokens, 16 and 128 in flight), `gateway` (240 prompts through a real nginx that admits 8
requests a second and turns the others away with 503), `memory` (50,000 prompts, peak resident memory of the process
that asks) and `peers` (50 ms, 256 in flight). The server is `halluvault_tasks.local.simulator --synthetic` in a process
of its own. Ours is the whole `query_shard`, from reading the prompts out of Postgres to the committed responses. The
bare loop posts the same bodies to the same route (chat), waits out refusals, parses each answer, and keeps nothing. The
two run in turns, each in a fresh process; rates are those of each one's best run of `--repeat`, since what the
machine's other work takes away is not the client's, and the median of the ratios of neighbouring runs stands beside
them.

CPU is user and system time of the client's process while it asks, without start-up. The peers live in an environment
of their own (`python3 -m venv X && X/bin/pip install "lm-eval[api]" inspect-ai openai`) and ask `/v1/completions`
(lm-eval) and `/v1/chat/completions` (inspect_ai); where one is absent the benchmark says so. For that comparison ours
is measured on the same two routes. `lm_eval` is `lm_eval run --log_samples` less its start-up: asking, and keeping what
came, as ours does both; `lm_eval_asking` is its `generate_until` alone, without task, score and files.
"""

import argparse
import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import psutil
from querying_runs import (
    IN_FLIGHT,
    MONTHS,
    NEW_TOKENS,
    alternately,
    best,
    database,
    least_cpu,
    median_ratio,
    run_child,
    server,
    shown,
    text,
)

PARTS = ("fast", "slow", "admission", "throughput", "gateway", "memory", "peers")
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
    arguments = parser.parse_args()
    figures: dict[str, Any] = {"cores": psutil.cpu_count(), "load_before": os.getloadavg()[0]}
    with tempfile.TemporaryDirectory(prefix="halluvault-querying-") as scratch, database(Path(scratch)) as url:
        for part in arguments.parts:
            print(f"{part} …", file=sys.stderr)
            run = {
                "fast": fast, "slow": slow, "admission": admission, "throughput": throughput, "gateway": gateway,
                "memory": memory,
            }.get(part)  # fmt: skip
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


THROUGHPUT = (
    # answers, step (ms), new tokens, prompts by in flight
    ("short", "4", 200, 4, {16: 600, 128: 5120}),
    ("long", "10-310", 10, 310, {16: 240, 128: 1280}),
)
"""A step of short answers is long enough for either client to read 128 answers and send as many on a busy machine:
who misses the next step by a hair loses a quarter, and the figure would be the processor's, which `fast` measures."""


def throughput(url: str, repeat: int) -> dict[str, Any]:
    """Tokens a second of ours and of a bare loop with the same number in flight, which waits out refusals."""
    found: dict[str, Any] = {"wanted": {"of_bare": ">= 0.95"}}
    for scheduling in ("continuous", "v3", "static"):
        for name, tokens, step, new, prompts in THROUGHPUT:
            for in_flight, count in prompts.items():
                batching = ["--scheduling", scheduling, "--answer-tokens", tokens, "--step-ms", str(step)]
                with server(None, 128, *batching) as base:
                    asked = (base, str(count), "tgi", url, str(in_flight), str(new))
                    runs = alternately(max(1, repeat - 1), {what: (what, *asked) for what in ("bare", "ours")})
                row = {what: best(each, "tokens_per_second") for what, each in runs.items()}
                row["of_bare"] = round(row["ours"]["tokens_per_second"] / row["bare"]["tokens_per_second"], 3)
                found[f"{scheduling}, {name}, {in_flight} in flight"] = row
                print(f"{scheduling:11}{name:6}{in_flight:5} in flight: {row['of_bare']}", file=sys.stderr)
    return found


def gateway(url: str, repeat: int) -> dict[str, Any]:
    """240 prompts through nginx's `limit_req` at 8 a second: answers of 50 ms and of 1 s, 16 in flight."""
    found: dict[str, Any] = {
        "prompts": 240,
        "admits_per_second": 8,
        "wanted": {"of_admitted": ">= 0.9", "delivered": 240},
    }
    sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
    from tests.peers import nginx

    if not nginx.BINARY.exists():
        return found | {"absent": f"{nginx.BINARY}: Debian's package nginx"}
    for latency in (50, 1000):
        with server(latency) as upstream, tempfile.TemporaryDirectory(prefix="halluvault-nginx-") as folder:
            limited = nginx.before(upstream, Path(folder), nginx.rate_limit(8), "limit_req zone=all;")
            with limited as base:
                run = run_child("ours", base, "240", "tgi", url, "16", str(NEW_TOKENS))
            run["of_admitted"] = round(240 / 8 / run["seconds"], 3)
            found[f"answers of {latency} ms"] = run
    return found


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


if __name__ == "__main__":
    main()
