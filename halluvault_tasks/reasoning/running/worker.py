"""The process of one shard's Prolog engine, which `shard_run` starts: `python -m … .running.worker`.

It is a separate process because a `halt` or a crash inside Prolog ends the whole process, possibly with status 0. So
nothing here is trusted: the process that started it compares the manifest with the rows that arrived.
"""

import argparse
import resource
import signal
import sys
import time
from pathlib import Path

from halluvault_tasks.prolog.engine import Engine, PrologError
from halluvault_tasks.prolog.terms import atom


def _peak() -> int:
    """Bytes; from /proc, since getrusage counts what the parent held when it started this process."""
    lines = Path("/proc/self/status").read_text(encoding="ascii", errors="replace").splitlines()
    return next((int(line.split()[1]) * 1024 for line in lines if line.startswith("VmHWM:")), 0)


def main() -> int:
    """Load the files, stream all rows, write the manifest; returns the exit status."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--prolog-dir", type=Path, required=True)
    parser.add_argument("--facts", type=Path, required=True)
    parser.add_argument("--rules", type=Path, required=True)
    parser.add_argument("--rows", required=True, help="file or descriptor (/dev/fd/N) that the rows go to")
    parser.add_argument("--groups", type=Path, required=True, help="file that whole shared-object groups go to")
    parser.add_argument("--manifest", type=Path, required=True)
    parser.add_argument("--memory", type=int, required=True, help="bytes of address space, a hard limit")
    parser.add_argument("--seconds", type=int, required=True, help="end by then, even if nobody is left to stop it")
    arguments = parser.parse_args()
    started = time.monotonic()
    signal.alarm(arguments.seconds)
    resource.setrlimit(resource.RLIMIT_AS, (arguments.memory, arguments.memory))
    try:
        engine = Engine([arguments.prolog_dir / "derivation.pl"], stack_limit=arguments.memory // 2)
        for file in (arguments.facts, arguments.rules):
            engine.call(f"load_facts({atom(str(file))})")
        print(f"loaded in {time.monotonic() - started:.3f} s", flush=True)  # noqa: T201
        outputs = ", ".join(atom(str(path)) for path in (arguments.rows, arguments.groups, arguments.manifest))
        engine.call(f"derive({outputs})")
        print(f"peak {_peak()} bytes", flush=True)  # noqa: T201
    except PrologError as error:
        cause = str(error)
        # The whole of it for the log; the parent passes the last line on to the user.
        print(cause, cause.splitlines()[0], sep="\n", file=sys.stderr)  # noqa: T201
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
