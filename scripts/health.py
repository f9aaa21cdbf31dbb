"""The health check of a container, by what it runs: exit 0 and one line, or 1 and what is wrong.

    python3 scripts/health.py [api-server | scheduler | worker | URL …]

Without a word, the container's own command decides. Nothing of Airflow or HalluVault is imported where a request will
do, since this runs every half minute.
"""

import json
import os
import shutil
import subprocess
import sys
import urllib.request
from pathlib import Path

# Tasks' own API beside the page's: the first request has it build its routes, so that no task has to wait for that.
URLS = {
    "api-server": ("http://127.0.0.1:8080/api/v2/version", "http://127.0.0.1:8080/execution/health"),
    "scheduler": ("http://127.0.0.1:8974/health",),
    "metrics": ("http://127.0.0.1:9108/metrics",),
    "endpoint": ("http://127.0.0.1:7878/health",),
}
# These answer nobody themselves, and `airflow jobs check` costs seconds of CPU each time: the API server knows their
# heartbeats. It tells of the youngest of several.
BEATS = {"dag-processor": "dag_processor", "triggerer": "triggerer"}
MONITOR = "http://api-server:8080/api/v2/monitor/health"


def main(words: list[str]) -> None:
    """Check, print and exit."""
    what = words or _running()
    if len(what) == 1 and what[0] in BEATS:
        with urllib.request.urlopen(MONITOR, timeout=15) as answer:
            status = json.load(answer)[BEATS[what[0]]]["status"]
        if status != "healthy":
            raise RuntimeError(f"its last heartbeat is too old ({status})")
    elif what == ["worker"]:
        node = f"celery@{os.uname().nodename}"
        app = "airflow.providers.celery.executors.celery_executor.app"
        _command("celery", "--app", app, "inspect", "ping", "--destination", node, "--timeout", "15")
    else:
        for url in [part for word in what for part in URLS.get(word, (word,))]:
            with urllib.request.urlopen(url, timeout=15) as answer:  # a 4xx or 5xx raises
                answer.read(4096)
    print("healthy")


def _running() -> list[str]:
    command = Path("/proc/1/cmdline").read_text().split("\0")
    if "halluvault_tasks.local.simulator" in command:
        return [f"http://127.0.0.1:{command[command.index('--port') + 1]}/health"]
    if "halluvault_tasks.local.endpoint" in command:
        return ["endpoint"]
    return [
        name
        for name in ("api-server", "scheduler", "dag-processor", "triggerer", "worker", "metrics")
        if name in command
    ]


def _command(name: str, *arguments: str) -> None:
    done = subprocess.run([shutil.which(name) or name, *arguments], capture_output=True, text=True, check=False)
    if done.returncode:
        raise RuntimeError((done.stderr.strip() or done.stdout.strip() or "no output").splitlines()[-1])


if __name__ == "__main__":
    try:
        main(sys.argv[1:])
    except Exception as error:
        print(f"unhealthy: {type(error).__name__}: {error}")
        sys.exit(1)
