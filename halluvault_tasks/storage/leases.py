"""Who is at work: rows that a stage holds while it runs, so that two of the same never work at once.

A lock of a database session would belong to whichever client a pooler gives that session to next. A lease is a row with
a sign of life, renewed beside the work in transactions of its own. It is taken over from a process that has ended (only
its own machine can see that), and from one on another machine that has shown no life for a minute; and no transaction
of a stage commits unless the lease is still its own.
"""

import getpass
import logging
import os
import platform
import secrets
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from sqlalchemy import Engine, RowMapping, Select, delete, event, func, insert, select, text, update
from sqlalchemy.orm import Session

from halluvault_tasks.errors import Unavailable, UserError
from halluvault_tasks.storage.tables import lease

_log = logging.getLogger(__name__)

BEAT_SECONDS = 10.0
SILENT_SECONDS = 60.0
"""A holder on another machine that showed no life for so long, the database being up, has lost its lease."""
_POLL_SECONDS = 0.5
_TELL_SECONDS = 60.0

_ours: set[str] = set()
"""Tokens that this process holds."""


class LeasedWork(NamedTuple):
    """What a stage has to itself while it runs."""

    snapshot: str
    """Month; empty for what belongs to none."""
    name: str
    """Empty for everything in the month: an exclusive lease."""
    part: int = 0
    """0 to parts - 1."""
    parts: int = 0
    """Into how many it is divided; 0: it is not. Parts of one division share."""

    def __str__(self) -> str:
        share = f" {self.part + 1}/{self.parts}" if self.parts else ""
        return f"{self.snapshot} {self.name or 'as a whole'}".strip() + share

    def excludes(self, other: "LeasedWork") -> bool:
        """Whether both cannot be done at once."""
        if self.snapshot != other.snapshot:
            return False
        if self.name != other.name:
            return not (self.name and other.name)
        return not self.parts or self.parts != other.parts or self.part == other.part

    def covers(self, other: "LeasedWork") -> bool:
        """Whether who has this one may do the other, too."""
        return self == other or (self.snapshot == other.snapshot and not self.name)


class Holder(NamedTuple):
    """Who has a lease."""

    work: LeasedWork
    host: str
    pid: int
    who: str
    """Its user; a task of Airflow's by its name and run."""
    since: datetime
    seconds: float
    """Since its last sign of life."""

    def __str__(self) -> str:
        since = f"{self.since.astimezone(UTC):%Y-%m-%d %H:%M:%S} UTC"
        return (
            f"{self.work}: process {self.pid} on {self.host} ({self.who}) is at it since {since}, "
            f"heard of {self.seconds:.0f} s ago"
        )


@contextmanager
def held(session: Session, work: LeasedWork, *, wait: bool = True) -> Iterator[None]:
    """Have a work to oneself; every commit of the session meanwhile makes sure that it still is.

    Args:
        session: of the stage; committed. What it holds already, or as part of a whole month, it need not ask for again.
        work: what nobody else may do meanwhile.
        wait: for another's end, saying whose; False refuses.

    Raises:
        UserError: another does it, and `wait` is False.
        Unavailable: it was lost to another before it ended, because nothing was heard of this process for a minute.
    """
    if any(mine.covers(work) for mine in session.info.setdefault("leases", [])):
        yield
        return
    engine = session.get_bind().engine
    session.commit()  # no transaction stays open while others are waited for
    token = _acquired(engine, work, wait)
    over = threading.Event()
    threading.Thread(target=_beat, args=(engine, token, over), name=f"lease {work}", daemon=True).start()

    def still_ours(committing: Session) -> None:
        # Others may renew it meanwhile, but none take it over before this transaction has ended.
        kept = select(lease.c.token).where(lease.c.token == token).with_for_update(read=True, key_share=True)
        if committing.scalar(kept) is None:
            raise Unavailable(
                f"{work} was taken over: this process was silent for {SILENT_SECONDS:.0f} s",
                "it has written nothing since; run it again: it waits for the other one and does what is left",
            )

    event.listen(session, "before_commit", still_ours)
    session.info["leases"].append(work)
    try:
        yield
    finally:
        session.info["leases"].remove(work)
        event.remove(session, "before_commit", still_ours)
        over.set()
        _ours.discard(token)
        # If the database does not answer, others see that this process has ended or gone silent.
        with suppress(Exception), engine.begin() as connection:
            connection.execute(text("SET LOCAL lock_timeout = '2s'"))
            connection.execute(delete(lease).where(lease.c.token == token))


def _acquired(engine: Engine, work: LeasedWork, wait: bool) -> str:
    token, told, last = secrets.token_hex(8), "", 0.0
    while (other := _tried(engine, work, token)) is not None:
        if not wait:
            raise UserError(str(other), "wait for it, or end that process")
        if str(other.work) != told or time.monotonic() - last > _TELL_SECONDS:
            _log.warning("waiting: %s", other)
            told, last = str(other.work), time.monotonic()
        time.sleep(_POLL_SECONDS)
    return token


def _tried(engine: Engine, work: LeasedWork, token: str) -> Holder | None:
    """Take the lease, or say who has it."""
    with engine.begin() as connection:
        # For this short transaction: the next reader sees what it has written.
        connection.execute(text("LOCK TABLE lease IN SHARE ROW EXCLUSIVE MODE"))
        rows = connection.execute(_now_held().where(lease.c.snapshot == work.snapshot)).mappings().all()
        in_the_way = [row for row in rows if work.excludes(_work(row))]
        dead = [row["token"] for row in in_the_way if _dead(row)]
        if dead:
            # One that is just committing is let finish.
            free = select(lease.c.token).where(lease.c.token.in_(dead)).with_for_update(skip_locked=True)
            gone = connection.scalars(free).all()
            connection.execute(delete(lease).where(lease.c.token.in_(gone)))
            in_the_way = [row for row in in_the_way if row["token"] not in gone]
        if in_the_way:
            return _holder(in_the_way[0])
        _ours.add(token)
        connection.execute(
            insert(lease).values(
                token=token,
                snapshot=work.snapshot,
                work=work.name,
                part=work.part,
                parts=work.parts,
                host=platform.node(),
                pid=os.getpid(),
                who=_who(),
                process=f"{_machine()} {_started(os.getpid())}",
                beat_at=func.clock_timestamp(),
            )
        )
    return None


def _beat(engine: Engine, token: str, over: threading.Event) -> None:
    while not over.wait(BEAT_SECONDS):
        # A database that does not answer is tried again; if that lasts, the next commit tells the outcome.
        with suppress(Exception), engine.begin() as connection:
            connection.execute(update(lease).where(lease.c.token == token).values(beat_at=func.clock_timestamp()))


def _now_held() -> Select[Any]:
    since = func.greatest(lease.c.beat_at, func.pg_postmaster_start_time())
    silent = func.extract("epoch", func.clock_timestamp() - since)
    return select(lease, silent.label("silent")).order_by(lease.c.since, lease.c.token)


def _work(row: RowMapping) -> LeasedWork:
    return LeasedWork(row["snapshot"], row["work"], row["part"], row["parts"])


def _holder(row: RowMapping) -> Holder:
    return Holder(_work(row), row["host"], row["pid"], row["who"], row["since"], float(row["silent"]))


def _who() -> str:
    # Airflow tells a task what it is in its environment.
    dag, task, run = (os.environ.get(f"AIRFLOW_CTX_{name}", "") for name in ("DAG_ID", "TASK_ID", "DAG_RUN_ID"))
    if task:
        return f"{dag}.{task}, run {run}"
    try:
        return getpass.getuser()
    except (KeyError, OSError):  # a container's user need have no name
        return f"user {os.getuid()}"


def _dead(row: RowMapping) -> bool:
    """Whether its holder is gone."""
    machine, _, started = str(row["process"]).rpartition(" ")
    if not machine or machine != _machine():
        return float(row["silent"]) > SILENT_SECONDS
    if row["pid"] == os.getpid():
        return str(row["token"]) not in _ours
    return started != _started(row["pid"])


def _started(pid: int) -> str:
    """When a process began, in the kernel's ticks since the boot: with the pid it names one for good; empty: gone."""
    with suppress(OSError):
        state, *fields = (
            Path(f"/proc/{pid}/stat").read_text(encoding="utf-8", errors="replace").rpartition(") ")[2].split()
        )
        return "" if state in "ZX" else fields[18]
    return ""


@cache
def _machine() -> str:
    """One boot of one machine, and one set of process numbers on it: containers have their own. Empty: not known."""
    with suppress(OSError):
        boot = Path("/proc/sys/kernel/random/boot_id").read_text(encoding="ascii").strip()
        return f"{boot} {Path('/proc/self/ns/pid').readlink()}"
    return ""
