"""Runs one shard: an engine in a process of its own, its rows through a pipe into COPY, its manifest checked.

Nothing counts until the manifest's last line is there and its counts match the rows that arrived; then the table is
attached, in the same transaction. If it is killed, nothing is half-written, and a rerun replaces it.
"""

import io
import os
import re
import select
import signal
import subprocess
import sys
import time
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

import psycopg2
from sqlalchemy import Table, text
from sqlalchemy.exc import DBAPIError
from sqlalchemy.orm import Session

from halluvault_tasks.errors import UserError
from halluvault_tasks.reasoning.facts import relation_ids
from halluvault_tasks.reasoning.records import DrawnFact, Rule
from halluvault_tasks.storage.copy import copy_rows
from halluvault_tasks.storage.partitions import partition_name
from halluvault_tasks.storage.tables import SHARDED, derived_fact, drawn_fact, shared_group

ROWS = ("rule", "relation", "s", "o", "evidence", "via", "reason", "finding")
GROUPS = ("rule", "o", "members", "sids")
_POLL_SECONDS = 1.0
_GROUPS_FILE, _LOG_FILE = "groups", "engine.log"
_LOADED = re.compile(r"^loaded in ([\d.]+) s$", re.MULTILINE)
_PEAK = re.compile(r"^peak (\d+) bytes$", re.MULTILINE)
_NO_ROOM = frozenset({"53100", "53200", "53400"})
"""SQLSTATE of a full disk, of no memory, of a limit of the configuration (PostgreSQL's appendix A)."""


class Limits(NamedTuple):
    """What a shard may use before it is stopped."""

    seconds: float = 1800.0
    memory: int = 8 << 30
    """Bytes of address space of the engine's process."""


class Manifest(NamedTuple):
    """What Prolog says it wrote."""

    rows: Mapping[int, int]
    """Rule number → rows."""

    groups: Mapping[int, int]
    """Rule number → whole groups, for share rules."""

    running: int
    """The rule that was begun and not finished; 0 if none."""

    total: int | None
    """None: the last line is missing, so Prolog did not come to its end."""


class Streamed(NamedTuple):
    """What a shard's engine brought into the database."""

    rows: Mapping[int, int]
    """Rule number → rows."""

    groups: Mapping[int, int]
    """Rule number → whole groups."""

    load_seconds: float
    """The engine's start and its reading of facts.pl and rules.pl."""

    stream_seconds: float
    """From there to the last row in the table."""

    engine_bytes: int
    """Most memory that the engine's process held at once (VmHWM)."""


def read_manifest(path: Path) -> Manifest:
    """Read what there is of a manifest; a missing file is an empty one."""
    rows: dict[int, int] = {}
    groups: dict[int, int] = {}
    running, total = 0, None
    for line in path.read_text(encoding="ascii").splitlines() if path.exists() else ():
        match line.split():
            case ["begin", rule]:
                running = int(rule)
            case ["rows", rule, count, whole]:
                rows[int(rule)], groups[int(rule)], running = int(count), int(whole), 0
            case ["end", count]:
                total = int(count)
    return Manifest(rows, groups, running, total)


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


def staging(session: Session, snapshot: str, shard: int) -> None:
    """Make the shard's index-less tables, empty and not yet attached; the caller fills them in the same transaction."""
    for table in SHARDED:
        name = staging_name(table, snapshot, shard)
        session.execute(text(f"DROP TABLE IF EXISTS {name}"))
        session.execute(text(f"CREATE TABLE {name} (LIKE {table.name})"))
        session.execute(
            text(
                f"ALTER TABLE {name} ALTER snapshot SET DEFAULT '{snapshot}', ALTER shard SET DEFAULT {int(shard)}, "
                # With this check ATTACH need not read the rows again.
                f"ADD CONSTRAINT {name}_only CHECK (snapshot = '{snapshot}' AND shard = {int(shard)})"
            )
        )


def staging_name(table: Table, snapshot: str, shard: int) -> str:
    """Name of the table that a shard fills."""
    return f"{partition_name(table, snapshot)}_s{int(shard)}_new"


def attach(session: Session, snapshot: str, shard: int) -> None:
    """Put the filled tables in the place of the shard's earlier ones. Other shards may wait for it: it comes last."""
    for table in SHARDED:
        name, parent = staging_name(table, snapshot, shard), partition_name(table, snapshot)
        session.execute(text(f"DROP TABLE IF EXISTS {parent}_s{int(shard)}"))
        session.execute(text(f"ALTER TABLE {name} RENAME TO {parent}_s{int(shard)}"))
        session.execute(
            text(f"ALTER TABLE {parent} ATTACH PARTITION {parent}_s{int(shard)} FOR VALUES IN ({int(shard)})")
        )
        session.execute(text(f"ALTER TABLE {parent}_s{int(shard)} DROP CONSTRAINT {name}_only"))


def write_drawn(session: Session, snapshot: str, shard: int, facts: Iterable[DrawnFact]) -> None:
    """Put what a shard's rules draw into its staging table.

    Raises:
        UserError: Postgres has no room for it.
    """
    ids = relation_ids(session)
    rows = ((fact.rule, ids[fact.relation], *fact[2:]) for fact in facts)
    with room():
        copy_rows(session, drawn_fact, DrawnFact._fields, rows, into=staging_name(drawn_fact, snapshot, shard))


def run(
    session: Session,
    snapshot: str,
    shard: int,
    rules: Mapping[int, Rule],
    files: tuple[Path, Path],
    prolog_dir: Path,
    limits: Limits,
) -> Streamed:
    """Derive a shard's rows into its empty staging tables; the caller attaches them and commits.

    Args:
        session: open session; its transaction made the staging tables.
        snapshot: key; its partitions exist.
        shard: 0 to shards - 1.
        rules: the shard's rules by number, for messages.
        files: facts.pl and rules.pl.
        prolog_dir: where derivation.pl is.
        limits: time and memory.

    Raises:
        UserError: Prolog failed, was killed, ran too long, or wrote other rows than its manifest says; or Postgres
            could not take them (a full disk).
    """
    started = time.monotonic()
    manifest, arrived = _stream(session, snapshot, shard, rules, files, prolog_dir, limits)
    if arrived != manifest.total or arrived != sum(manifest.rows.values()):
        raise UserError(
            f"shard {shard} of {snapshot}: Prolog's manifest says {manifest.total} rows, {arrived} arrived",
            "run the shard again",
        )
    whole = _copy_groups(session, snapshot, shard, files[0].with_name(_GROUPS_FILE))
    if whole != sum(manifest.groups.values()):
        raise UserError(
            f"shard {shard} of {snapshot}: Prolog's manifest says {sum(manifest.groups.values())} groups, "
            f"{whole} arrived",
            "run the shard again",
        )
    log = files[0].with_name(_LOG_FILE).read_text(encoding="utf-8", errors="replace")
    loaded, peak = _LOADED.search(log), _PEAK.search(log)
    load = float(loaded[1]) if loaded else 0.0
    seconds = round(time.monotonic() - started - load, 3)
    return Streamed(manifest.rows, manifest.groups, load, seconds, int(peak[1]) if peak else 0)


@contextmanager
def room() -> Iterator[None]:
    """Name what fails for want of room while derived rows are written.

    Raises:
        UserError: Postgres has no room for them.
    """
    try:
        yield
    except (psycopg2.Error, DBAPIError) as error:
        cause = error.orig if isinstance(error, DBAPIError) else error
        if getattr(cause, "pgcode", None) not in _NO_ROOM:
            raise
        raise UserError(
            f"Postgres has no room for the derived rows: {str(cause).strip().splitlines()[0]}",
            "free space on its disk, then run the shard again: nothing of it was kept",
        ) from error


def _copy(session: Session, sql: str, source: Any) -> int:
    """Run COPY … FROM STDIN; returns the rows that arrived.

    Raises:
        UserError: Postgres has no room for them.
    """
    driver = session.connection().connection.driver_connection
    assert driver is not None
    with driver.cursor() as cursor:
        with room():
            cursor.copy_expert(sql, source)
        return int(cursor.rowcount)


def _copy_groups(session: Session, snapshot: str, shard: int, file: Path) -> int:
    name = staging_name(shared_group, snapshot, shard)
    with file.open("rb") as rows:
        return _copy(session, f"COPY {name} ({', '.join(GROUPS)}) FROM STDIN", rows)


def _stream(
    session: Session,
    snapshot: str,
    shard: int,
    rules: Mapping[int, Rule],
    files: tuple[Path, Path],
    prolog_dir: Path,
    limits: Limits,
) -> tuple[Manifest, int]:
    directory = files[0].parent
    manifest, errors = directory / "manifest", directory / _LOG_FILE
    manifest.unlink(missing_ok=True)
    reading, writing = os.pipe()
    command = [sys.executable, "-m", "halluvault_tasks.reasoning.running.worker", "--prolog-dir", str(prolog_dir)]
    command += ["--facts", str(files[0]), "--rules", str(files[1]), "--manifest", str(manifest)]
    command += ["--rows", f"/dev/fd/{writing}", "--groups", str(directory / _GROUPS_FILE)]
    command += ["--memory", str(limits.memory)]
    # A little later than our own deadline: it is for the orphan that a killed parent leaves.
    command += ["--seconds", str(int(limits.seconds) + 5)]
    with errors.open("wb") as log:
        process = subprocess.Popen(
            command, stdin=subprocess.DEVNULL, stdout=log, stderr=log, pass_fds=[writing], start_new_session=True
        )
    os.close(writing)
    pipe = _Pipe(reading, process, limits.seconds)
    name = staging_name(derived_fact, snapshot, shard)
    try:
        # Frozen: nobody saw the table before this transaction, so no later pass has to mark its rows as visible.
        arrived = _copy(session, f"COPY {name} ({', '.join(ROWS)}) FROM STDIN (FREEZE, NULL '')", pipe)
        status = process.wait()
    except UserError:
        raise
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
    return written, arrived


def _failure(
    status: int, late: bool, manifest: Manifest, rules: Mapping[int, Rule], errors: Path, limits: Limits
) -> UserError:
    at = f" in rule {rules[manifest.running].name}" if manifest.running in rules else ""
    if late:
        return UserError(
            f"derivation was stopped after {limits.seconds:g} s{at}",
            "refuse that rule in config/rules.yaml, or raise the time limit",
        )
    last = (errors.read_text(encoding="utf-8", errors="replace").strip().splitlines() or [""])[-1][:500]
    if status == 0:
        return UserError(
            f"Prolog ended{at} with status 0 but without its manifest's last line (a halt?)", "see the rule's program"
        )
    cause = f"signal {signal.Signals(-status).name}" if status < 0 else f"status {status}"
    return UserError(f"the Prolog engine ended{at} with {cause}{': ' + last if last else ''}", "run the shard again")
