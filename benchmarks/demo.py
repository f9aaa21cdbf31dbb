"""Time and peak memory of `make demo` after installation, against its limits (300 s, 4 GiB) on 2 cores.

Memory is the sum of PSS over the demo and every process that it starts (Postgres, Airflow's processes, the tasks,
the endpoint and the simulated servers), sampled once a second.

    .venv/bin/python benchmarks/demo.py --fresh --json demo.json
"""

import argparse
import json
import shutil
import subprocess
import sys
import time
from pathlib import Path

import psutil

from halluvault_tasks.local import demo, processes
from halluvault_tasks.local.memory import summed_pss

SECONDS, BYTES = 300.0, 4 << 30


def main() -> None:
    """Run the demo once and print seconds, bytes and their ratios to the limits."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--json", type=Path, help="also write the figures here")
    parser.add_argument("--source", type=Path, help="run on this RDF file instead of the bundled sample")
    parser.add_argument("--fresh", action="store_true", help="start from an empty state directory")
    arguments = parser.parse_args()
    state = demo.state_directory(arguments.source)
    if arguments.fresh:
        processes.reap(state / "pids")
        shutil.rmtree(state, ignore_errors=True)
    command = [str(Path(sys.executable).with_name("halluvault")), "demo", "run"]
    if arguments.source:
        command += ["--source", str(arguments.source)]
    started, peak = time.monotonic(), 0
    with subprocess.Popen(command) as run:
        while run.poll() is None:
            # Children have sessions of their own and may outlive a parent, so they are found by their records.
            roots = [run.pid] + [child.pid for child in processes.recorded(state / "pids")]
            peak = max(peak, summed_pss(roots))
            time.sleep(1.0)
    seconds = time.monotonic() - started
    figures = {
        "exit": run.returncode,
        "seconds": round(seconds, 1),
        "peak_pss_bytes": peak,
        "seconds_of_limit": round(seconds / SECONDS, 3),
        "bytes_of_limit": round(peak / BYTES, 3),
        "cores": psutil.cpu_count(),
    }
    print(json.dumps(figures, indent=2))
    if arguments.json:
        arguments.json.write_text(json.dumps(figures, indent=2) + "\n")
    sys.exit(run.returncode)


if __name__ == "__main__":
    main()
