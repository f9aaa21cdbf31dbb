"""Memory of a family of processes as proportional set size (PSS): shared pages are counted once, not per process."""

from pathlib import Path

import psutil


def summed_pss(roots: list[int]) -> int:
    """Bytes of PSS over the given processes and all their descendants, as /proc/PID/smaps_rollup tells."""
    members: set[int] = set()
    for root in roots:
        try:
            process = psutil.Process(root)
            members |= {root} | {child.pid for child in process.children(recursive=True)}
        except psutil.NoSuchProcess:
            continue
    return sum(_pss(pid) for pid in members)


def _pss(pid: int) -> int:
    try:
        for line in Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines():
            if line.startswith("Pss:"):
                return int(line.split()[1]) * 1024
    except (OSError, ValueError):
        pass
    return 0
