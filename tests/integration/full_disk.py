"""A disk that is full in the middle of each stage: one line, no traceback, and the same command completes it later.

    sudo python -m tests.integration.full_disk --disk tables

The bundled sample's month is made and one model asked, judged and reported on, each stage a command. Some seconds after
it began, the disk is filled to the last byte: that of Postgres' tables, that of everything (its log, too, so that
Postgres ends itself), or that of HALLUVAULT_STATE_DIR. What a command says then, and how it ends, is printed. Then
there is room again, and the same command must end with 0: one that waits for Postgres does so without being typed
again. Exit status 1 if one did not, or showed a traceback.
"""

# ruff: noqa: T201 (a script for people)

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import NamedTuple

from sqlalchemy import make_url

from benchmarks.year_stage import YearStage
from halluvault_tasks.local import processes, sample
from halluvault_tasks.settings import SHARE
from halluvault_tasks.storage import sessions
from tests.typed import typed

Command = Future[subprocess.CompletedProcess[str]]

MONTH = "2026-10"
STAGES = (
    ("pull", "--snapshot", MONTH, "--as-of", "2026-11-01"),
    ("derive", "run", "--snapshot", MONTH),
    ("temporal", "run", "--snapshot", MONTH),
    ("benchmark", "build", "--snapshot", MONTH),
    ("query", "run", "--snapshot", MONTH),
    ("score", "run", "--snapshot", MONTH),
    ("evaluate", "--snapshot", MONTH),
    ("report", "--snapshot", MONTH),
)
MOMENTS = (0.0, 5.0, 12.0)
"""Seconds after a stage began at which the disk is full, in turns, until it was full under one that had work to do."""
PATIENCE = 90.0
"""Seconds for a command on a full disk; one that waits gets room then."""
MEGABYTES = {"tables": 700, "everything": 2500, "scratch": 100}


class Ending(NamedTuple):
    """How a command ended."""

    status: int | None
    """None: it waited."""
    said: str
    """On stderr."""

    @property
    def fault(self) -> str:
        """What is wrong with it; empty: nothing."""
        if "Traceback" in self.said:
            return "TRACEBACK"
        lines = [line for line in self.said.splitlines() if line.startswith("halluvault:")]
        return "" if self.status in (0, None, 4) or len(lines) == 1 else f"{len(lines)} LINES"


@contextmanager
def disk(megabytes: int) -> Iterator[Path]:
    """A disk of its own, so large."""
    folder = Path(tempfile.mkdtemp(prefix="halluvault-full-"))
    options = f"size={megabytes}m,mode=0755"
    subprocess.run(["mount", "-t", "tmpfs", "-o", options, "tmpfs", str(folder)], check=True)
    try:
        yield folder
    finally:
        subprocess.run(["umount", "--lazy", str(folder)], check=True)
        folder.rmdir()


def fill(folder: Path) -> Path:
    """Take every byte that is left."""
    ballast = folder / "ballast"
    with ballast.open("ab") as file, suppress(OSError):
        while True:
            free = shutil.disk_usage(folder).free
            os.posix_fallocate(file.fileno(), file.tell(), max(free, 4096))
            file.seek(0, os.SEEK_END)
    return ballast


class FullDisk:
    """The year's servers on a disk that can be full, and commands on them."""

    def __init__(self, which: str, small: Path, state: Path) -> None:
        self._typing = ThreadPoolExecutor(1)
        self.small, self.stage = small, YearStage(small if which == "everything" else state)
        self.stage.serve_source(sample.load(sample.CHECKED))
        self.stage.serve_models({"steady": "careful"}, {})
        self.environment = self.stage.environment(SHARE / "config" / "demo")
        if which == "tables":
            self._move(small / "tables")
        if which == "scratch":
            self.environment["HALLUVAULT_STATE_DIR"] = str(small)

    def _move(self, folder: Path) -> None:
        folder.mkdir()
        running = self.stage.server.child.process()
        assert running
        os.chown(folder, running.uids().real, running.gids().real)
        sessions.engine(self.stage.url).dispose()
        admin = sessions.connect_to(make_url(self.stage.server.url()))
        with admin.cursor() as cursor:
            cursor.execute(f"CREATE TABLESPACE small LOCATION '{folder}'")
            cursor.execute("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = 'halluvault'")
            cursor.execute("ALTER DATABASE halluvault SET TABLESPACE small")
        admin.close()

    def command(self, words: Sequence[str]) -> Command:
        """Typed."""
        more = ["--model", "simulated/steady"] if words[0] in ("query", "score", "evaluate") else []
        return self._typing.submit(typed, *words, *more, **self.environment)

    def wait(self, command: Command, seconds: float) -> Ending:
        """Until it ends, or for so long; whatever else ends is started again meanwhile."""
        until = time.monotonic() + seconds
        while time.monotonic() < until:
            with suppress(Exception):  # Postgres does not start on a full disk: the next look tries again
                self.stage.supervisor.look()
            with suppress(TimeoutError):
                done = command.result(1.0)
                return Ending(done.returncode, done.stderr)
        return Ending(None, "")

    def tried(self, words: Sequence[str], moment: float) -> tuple[Ending, Ending]:
        """How it ended on a full disk, and then."""
        command = self.command(words)
        with suppress(TimeoutError):
            command.result(moment)
        ballast = fill(self.small)
        full = self.wait(command, PATIENCE)
        ballast.unlink()
        return full, self.wait(command if full.status is None else self.command(words), 1200.0)


def main() -> None:
    parser = argparse.ArgumentParser(description=str(__doc__).partition("\n")[0])
    parser.add_argument("--disk", choices=sorted(MEGABYTES), default="tables")
    which = parser.parse_args().disk
    failed = False
    with tempfile.TemporaryDirectory(prefix="halluvault-full-") as folder, disk(MEGABYTES[which]) as small:
        Path(folder).chmod(0o711)
        tried = FullDisk(which, small, Path(folder) / "state")
        try:
            for words in STAGES:
                for moment in MOMENTS:
                    full, after = tried.tried(words, moment)
                    failed |= bool(full.fault or after.fault or after.status)
                    ended = "waits" if full.status is None else f"ends with {full.status}"
                    print(f"{' '.join(words[:2])}, full after {moment:g} s: {ended}{full.fault and ' ' + full.fault}; "
                          f"with room: {after.status}{after.fault and ' ' + after.fault}", flush=True)  # fmt: skip
                    for line in (full.said if full.fault else "\n".join(full.said.splitlines()[-1:])).splitlines()[
                        -40:
                    ]:
                        print(f"    {line[:400]}", flush=True)
                    if after.status or after.fault:
                        print("    then:", after.said[-3000:], flush=True)
                    if full.status != 0 and moment:
                        break
        finally:
            processes.reap(tried.stage.pids)
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
