"""Run one shard: an engine in a process of its own, its rows through a pipe into COPY, its manifest checked.

Nothing counts until the manifest's last line is there and its counts are those of the rows that arrived; then the
table is attached, in the same transaction. Killed at any moment, nothing is half-written, and a rerun replaces.
"""

import io
import os
import select
import signal
import subprocess
import sys
import time
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from sqlalchemy import text
from sqlalchemy.orm import Session

from halluvault_tasks.errors import UserError
from halluvault_tasks.reasoning.records import Rule
from halluvault_tasks.storage.partitions import partition_name
from halluvault_tasks.storage.tables import derived_fact

ROWS = ("rule", "p", "s", "o", "e1", "e2", "e3")
_POLL_SECONDS = 1.0


class Limits(NamedTuple):
    """What a shard may use before it is stopped."""

    seconds: float = 1800.0
    memory: int = 8 << 30
    """Bytes of address space of the engine's process."""


class Manifest(NamedTuple):
    """What Prolog says it wrote."""

    rows: Mapping[int, int]
    """Rule number → rows."""

    running: int
    """The rule that was begun and not finished; 0 if none."""

    total: int | None
    """None: the last line is missing, so Prolog did not come to its end."""


def read_manifest(path: Path) -> Manifest:
    """Read what there is of a manifest; a missing file is an empty one."""
    rows: dict[int, int] = {}
    running, total = 0, None
    for line in path.read_text(encoding="ascii").splitlines() if path.exists() else ():
        match line.split():
            case ["begin", rule]:
                running = int(rule)
            case ["rows", rule, count]:
                rows[int(rule)], running = int(count), 0
            case ["end", count]:
                total = int(count)
    return Manifest(rows, running, total)


class _Pipe(io.RawIOBase):
    """The reading end of the engine's pipe as a file for COPY, with a deadline."""

    def __init__(self, descriptor: int, process: subprocess.Popen[bytes], seconds: float) -> None:
        self._descriptor = descriptor
        self._process = process
        self._deadline = time.monotonic() + seconds
        self.late = False

    def readable(self) -> bool:
        return True

    def read(self, size: int = -1) -> bytes:
        while True:
            ready, _, _ = select.select([self._descriptor], [], [], _POLL_SECONDS)
            if ready:
                return os.read(self._descriptor, size if size > 0 else 1 << 16)
            if time.monotonic() > self._deadline:
                self.late = True
                self._process.kill()
                return b""


def run(
    session: Session,
    snapshot: str,
    shard: int,
    shards: int,
    rules: Mapping[int, Rule],
    files: tuple[Path, Path],
    prolog_dir: Path,
    limits: Limits,
) -> dict[int, int]:
    """Derive a shard and attach its rows as a partition; the caller commits.

    Args:
        session: open session; everything happens in its transaction.
        snapshot: key; its partitions exist.
        shard: 0 to shards - 1.
        shards: number of shards.
        rules: the shard's rules by number, for messages.
        files: facts.pl and rules.pl.
        prolog_dir: where derivation.pl is.
        limits: time and memory.

    Returns:
        Rule number → rows.

    Raises:
        UserError: Prolog failed, was killed, ran too long, or wrote other rows than its manifest says.
    """
    parent = partition_name(derived_fact, snapshot)
    staging, final = f"{parent}_s{shard}_new", f"{parent}_s{shard}"
    session.execute(text(f"DROP TABLE IF EXISTS {staging}"))
    session.execute(text(f"CREATE TABLE {staging} (LIKE derived_fact)"))
    session.execute(
        text(
            f"ALTER TABLE {staging} ALTER snapshot SET DEFAULT '{snapshot}', ALTER shard SET DEFAULT {int(shard)}, "
            # With this check ATTACH need not read the rows again.
            f"ADD CONSTRAINT {staging}_only CHECK (snapshot = '{snapshot}' AND shard = {int(shard)})"
        )
    )
    manifest = _stream(session, staging, rules, files, prolog_dir, limits)
    rows = session.execute(text(f"SELECT rule, count(*) AS n FROM {staging} GROUP BY rule"))  # noqa: S608 (constants of this package)
    counted: dict[int, int] = {row.rule: row.n for row in rows}
    wrote = {rule: count for rule, count in manifest.rows.items() if count}
    if counted != wrote or sum(counted.values()) != manifest.total:
        raise UserError(
            f"shard {shard} of {snapshot}: Prolog's manifest says {wrote}, the table holds {counted}",
            "run the shard again",
        )
    # From here on other shards may wait for this one, so it comes last and is short.
    session.execute(text(f"DROP TABLE IF EXISTS {final}"))
    session.execute(text(f"ALTER TABLE {staging} RENAME TO {final}"))
    session.execute(text(f"ALTER TABLE {parent} ATTACH PARTITION {final} FOR VALUES IN ({int(shard)})"))
    session.execute(text(f"ALTER TABLE {final} DROP CONSTRAINT {staging}_only"))
    return dict(manifest.rows)


def _stream(
    session: Session,
    staging: str,
    rules: Mapping[int, Rule],
    files: tuple[Path, Path],
    prolog_dir: Path,
    limits: Limits,
) -> Manifest:
    directory = files[0].parent
    manifest, errors = directory / "manifest", directory / "engine.log"
    manifest.unlink(missing_ok=True)
    reading, writing = os.pipe()
    command = [sys.executable, "-m", "halluvault_tasks.reasoning.worker", "--prolog-dir", str(prolog_dir)]
    command += ["--facts", str(files[0]), "--rules", str(files[1]), "--manifest", str(manifest)]
    command += ["--rows", f"/dev/fd/{writing}", "--memory", str(limits.memory)]
    # A little later than our own deadline: it is for the orphan that a killed parent leaves.
    command += ["--seconds", str(int(limits.seconds) + 5)]
    with errors.open("wb") as log:
        process = subprocess.Popen(
            command, stdin=subprocess.DEVNULL, stdout=log, stderr=log, pass_fds=[writing], start_new_session=True
        )
    os.close(writing)
    pipe = _Pipe(reading, process, limits.seconds)
    try:
        driver = session.connection().connection.driver_connection
        assert driver is not None
        with driver.cursor() as cursor:
            cursor.copy_expert(f"COPY {staging} ({', '.join(ROWS)}) FROM STDIN", pipe)
        status = process.wait()
    except Exception as error:
        written = read_manifest(manifest)
        # A row cut short by the engine's death breaks COPY; then the death is the story, not the row.
        if written.total is None:
            process.kill()
            raise _failure(process.wait(), pipe.late, written, rules, errors, limits) from error
        raise
    finally:
        process.kill()
        process.wait()
        os.close(reading)
    written = read_manifest(manifest)
    if status != 0 or written.total is None or pipe.late:
        raise _failure(status, pipe.late, written, rules, errors, limits)
    return written


def _failure(
    status: int, late: bool, manifest: Manifest, rules: Mapping[int, Rule], errors: Path, limits: Limits
) -> UserError:
    at = f" in rule {rules[manifest.running].name}" if manifest.running in rules else ""
    if late:
        return UserError(
            f"derivation was stopped after {limits.seconds:g} s{at}",
            "refuse that rule in config/rules.yaml, or raise the time limit",
        )
    said = (errors.read_text(encoding="utf-8", errors="replace").strip().splitlines() or [""])[-1][:500]
    if status == 0:
        return UserError(
            f"Prolog ended{at} with status 0 but without its manifest's last line (a halt?)", "see the rule's program"
        )
    cause = f"signal {signal.Signals(-status).name}" if status < 0 else f"status {status}"
    return UserError(f"the Prolog engine ended{at} with {cause}{': ' + said if said else ''}", "run the shard again")
