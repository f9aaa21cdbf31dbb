"""Children of the demo and the tests: each in a session of its own, with a pid file that identifies it for certain.

A pid alone may be reused by another process, so the file also has the process's start time; only a process that matches
both is ever signalled. A start after a crash ends what its predecessor left, and nothing else.
"""

import json
import os
import re
import signal
import socket
import subprocess
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

import psutil

from halluvault_tasks import private
from halluvault_tasks.errors import UserError

_GRACE_SECONDS = 15.0
_FAULT = re.compile(r"\b(PANIC|FATAL|CRITICAL|ERROR)\b|Error\b|Exception\b")
_STARTING = re.compile("starting up|shutting down|not yet accepting|recovery mode")
"""What Postgres tells those who come too early."""
_GATE = 'read -r go && exec "$@" </dev/null'


class CommandSurroundings(NamedTuple):
    """What a command finds itself in; None: ours."""

    env: Mapping[str, str] | None = None
    user: str | None = None
    """With the group of this name, and no other."""
    cwd: Path | None = None


OURS = CommandSurroundings()
"""As this process's own."""


class Child(NamedTuple):
    """A started process."""

    name: str
    pid: int
    started: float
    """Seconds since the epoch, as psutil reports it: with the pid it names one process for good."""
    ends_on: signal.Signals = signal.SIGTERM
    """The signal it takes as a request to end in good order."""

    def process(self) -> psutil.Process | None:
        """The living process, or None when it has ended (or the pid now belongs to another)."""
        try:
            found = psutil.Process(self.pid)
            same = abs(found.create_time() - self.started) < 1.0 and found.status() != psutil.STATUS_ZOMBIE
        except psutil.NoSuchProcess:
            return None
        return found if same else None


def free_port() -> int:
    """A TCP port of 127.0.0.1 that is free at this moment."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def require_free(port: int, what: str) -> None:
    """Raise a `UserError` that names the port's holder when `port` is taken on 127.0.0.1."""
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind(("127.0.0.1", port))
        except OSError as error:
            raise UserError(
                f"port {port} for {what} is taken ({error.strerror})",
                "choose another port",
            ) from error


def start(
    name: str,
    command: Sequence[str],
    pids: Path,
    log: Path,
    within: CommandSurroundings = OURS,
    ends_on: signal.Signals = signal.SIGTERM,
) -> Child:
    """Start a command in its own session, its output in `log`, and record it in `pids`/NAME.json.

    The command itself only begins once it is on record: were we killed before that, it would run on and nobody could
    reap it. A shell waits in its place, under the same pid, and ends when our side of its pipe does.

    Raises:
        UserError: a child of that name is still running; a second record would hide it for good.
    """
    for other in recorded(pids):
        if other.name == name and other.process() is not None:
            raise UserError(f"{name} is already running (pid {other.pid}, on record in {pids})", "stop it first")
    private.folder(pids)
    private.folder(log.parent)
    with os.fdopen(os.open(log, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600), "ab") as out:
        process = subprocess.Popen(
            ["/bin/sh", "-c", _GATE, "sh", *command],
            stdin=subprocess.PIPE,
            stdout=out,
            stderr=subprocess.STDOUT,
            start_new_session=True,
            env=dict(within.env) if within.env is not None else None,
            cwd=within.cwd,
            user=within.user,
            group=within.user,
            extra_groups=[] if within.user else None,
        )
    child = Child(name, process.pid, psutil.Process(process.pid).create_time(), ends_on)
    record = pids / f"{name}.json"
    draft = record.with_suffix(".tmp")
    draft.write_text(json.dumps({"pid": child.pid, "started": child.started, "ends_on": ends_on.name}))
    draft.replace(record)
    if process.stdin:
        # A child that has died already is noticed by the code that waits for it.
        with suppress(BrokenPipeError), process.stdin as gate:
            gate.write(b"go\n")
    return child


def recorded(pids: Path) -> list[Child]:
    """The children on record, living or not, in the order of their start."""
    found = []
    for record in pids.glob("*.json"):
        try:
            row = json.loads(record.read_text())
            child = Child(record.stem, int(row["pid"]), float(row["started"]), signal.Signals[row["ends_on"]])
            found.append(child)
        except (ValueError, KeyError):
            record.unlink(missing_ok=True)  # a record cut short names nobody
    return sorted(found, key=lambda child: child.started)


def stop(child: Child, pids: Path) -> None:
    """Stop a child and everything in its session: its own signal first, SIGKILL after a time of grace."""
    process = child.process()
    # The leader may be gone while its session lives on (a killed scheduler leaves its workers); members
    # older than the leader belong to somebody else who had this session id before.
    session = [member for member in _session(child.pid) if member.create_time() >= child.started - 1.0]
    members = {member.pid: member for member in ([process] if process else []) + session}
    for member in members.values():
        _signal(member, child.ends_on)
    _gone, alive = psutil.wait_procs(list(members.values()), timeout=_GRACE_SECONDS)
    for member in alive:
        _signal(member, signal.SIGKILL)
    psutil.wait_procs(alive, timeout=5)
    (pids / f"{child.name}.json").unlink(missing_ok=True)


def reap(pids: Path) -> list[str]:
    """Stop every recorded child, last started first; returns the names of those that were still alive."""
    alive = []
    for child in reversed(recorded(pids)):
        if child.process() is not None:
            alive.append(child.name)
        stop(child, pids)
    return alive


def last_words(log: Path) -> str:
    """A child's last words: the last line that reports a fault, else the last line."""
    lines = [line.strip() for line in log.read_text(errors="replace").splitlines() if line.strip()]
    faults = [line for line in lines if _FAULT.search(line) and not _STARTING.search(line)]
    return (faults or lines or ["no output"])[-1]


def _session(leader: int) -> list[psutil.Process]:
    found = []
    for process in psutil.process_iter():
        try:
            if process.pid != os.getpid() and os.getsid(process.pid) == leader:
                found.append(process)
        except (ProcessLookupError, PermissionError):
            continue
    return found


def _signal(process: psutil.Process, how: signal.Signals) -> None:
    try:
        process.send_signal(how)
    except psutil.NoSuchProcess:
        return
