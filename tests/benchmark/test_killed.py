"""A build killed while it writes leaves nothing; the next one freezes the same bytes, in any process."""

import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from time import monotonic

import pytest
from sqlalchemy import func, select, text
from sqlalchemy.orm import Session

from halluvault_tasks.benchmark import reading, stages
from halluvault_tasks.storage import sessions, tables

_BUILD = """
import sys
from pathlib import Path
from halluvault_tasks.benchmark import stages
from halluvault_tasks.storage import sessions
with sessions.session(sys.argv[1]) as session:
    stages.build(session, sys.argv[2], config_dir=Path(sys.argv[3]), size="all")
"""
_WAITS = text("SELECT pid FROM pg_locks WHERE relation = 'prompt'::regclass AND NOT granted")
_LIVES = text("SELECT count(*) FROM pg_stat_activity WHERE pid = :pid")
_CONTENT = (tables.cases, tables.benchmark, tables.benchmark_case, tables.benchmark_change, tables.prompt)


@pytest.fixture
def watcher(database_url: str) -> Iterator[Session]:
    """A session beside the one that holds the lock."""
    with sessions.session(database_url) as other:
        yield other


def until(watcher: Session, question: Callable[[], object], child: subprocess.Popen[str] | None = None) -> object:
    """Ask until the answer is true; fails when the process that should bring it about has ended."""
    deadline = monotonic() + 120
    while monotonic() < deadline:
        if answer := question():
            return answer
        watcher.rollback()
        watcher.execute(text("SELECT pg_sleep(0.02)"))
        assert child is None or child.poll() is None, child.communicate()[1]
    raise AssertionError("it did not come about within two minutes")


def start(database_url: str, snapshot: str, config_dir: Path, hash_seed: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-c", _BUILD, database_url, snapshot, str(config_dir)],
        env={**os.environ, "PYTHONHASHSEED": hash_seed},
        stderr=subprocess.PIPE,
        text=True,
    )


def test_a_build_killed_while_it_writes_leaves_nothing_and_the_next_is_the_same_to_the_byte(
    session: Session, watcher: Session, database_url: str, make_world: Callable[..., str], config_dir: Path
) -> None:
    snapshot = make_world("2070-01")
    # Prompts are written last: held there, everything else of the benchmark has been written and not committed.
    session.execute(text("LOCK TABLE prompt IN EXCLUSIVE MODE"))
    child = start(database_url, snapshot, config_dir, "0")
    backend = until(watcher, lambda: watcher.scalar(_WAITS), child)
    child.send_signal(signal.SIGKILL)
    child.communicate()
    session.rollback()
    until(watcher, lambda: watcher.scalar(_LIVES, {"pid": backend}) == 0)
    assert [session.scalar(select(func.count()).select_from(table)) for table in _CONTENT] == [0] * len(_CONTENT)

    frozen = []
    for elsewhere in (True, False):
        make_world(snapshot)
        if elsewhere:
            child = start(database_url, snapshot, config_dir, "1")
            _, errors = child.communicate()
            assert child.returncode == 0, errors
        else:  # this process hashes by another seed
            stages.build(session, snapshot, config_dir=config_dir, size="all")
        session.rollback()
        prompts = session.execute(
            select(tables.prompt.c.variant_id, tables.prompt.c.case_id, tables.prompt.c.text).order_by(
                tables.prompt.c.variant_id, tables.prompt.c.case_id
            )
        ).all()
        frozen.append((list(reading.export(session, snapshot)), reading.counts(session, snapshot), prompts))
        session.commit()
    assert frozen[0] == frozen[1]
    assert frozen[0][0]
    assert sys.flags.hash_randomization or os.environ.get("PYTHONHASHSEED") != "1"
