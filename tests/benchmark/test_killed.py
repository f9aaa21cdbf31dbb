"""A part killed while it is written leaves nothing; the next build freezes the same bytes, in any process."""

import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from time import monotonic

import pytest
import yaml
from sqlalchemy import func, select, text
from sqlalchemy.orm import Session

from halluvault_tasks.benchmark import stages
from halluvault_tasks.benchmark.export import reading
from halluvault_tasks.benchmark.freeze import part_lookup
from halluvault_tasks.storage import sessions, tables

_BUILD = """
import sys
from pathlib import Path
from halluvault_tasks.benchmark import stages
from halluvault_tasks.storage import sessions
with sessions.session(sys.argv[1]) as session:
    stages.build(session, sys.argv[2], config_dir=Path(sys.argv[3]), size="all")
"""
_WAITS = text("SELECT pid FROM pg_locks WHERE relation = CAST(:name AS regclass) AND NOT granted")
_LIVES = text("SELECT count(*) FROM pg_stat_activity WHERE pid = :pid")
_CONTENT = (tables.cases, tables.benchmark_part, tables.benchmark_case, tables.foil, tables.benchmark_change)


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


def kill_at(table: str, child: subprocess.Popen[str], watcher: Session) -> object:
    """Kill a build that waits to write into a table; the backend that did its work."""
    backend = until(watcher, lambda: watcher.scalar(_WAITS, {"name": table}), child)
    child.send_signal(signal.SIGKILL)
    child.communicate()
    return backend


def counted(session: Session) -> list[int]:
    return [session.scalar(select(func.count()).select_from(table)) or 0 for table in _CONTENT]


def test_a_build_killed_while_it_writes_leaves_nothing_and_the_next_is_the_same_to_the_byte(
    session: Session, watcher: Session, database_url: str, make_world: Callable[..., str], config_dir: Path
) -> None:
    snapshot = make_world("2070-01")
    # A part's changes are written last: held there, all else of it has been written and not committed.
    session.execute(text("LOCK TABLE benchmark_change IN EXCLUSIVE MODE"))
    backend = kill_at("benchmark_change", start(database_url, snapshot, config_dir, "0"), watcher)
    session.rollback()
    until(watcher, lambda: watcher.scalar(_LIVES, {"pid": backend}) == 0)
    assert counted(session) == [0] * len(_CONTENT)

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
        frozen.append((
            list(reading.export(session, snapshot)),
            part_lookup.statistics(session, snapshot),
            prompts(session, snapshot),
        ))
        session.commit()
    assert frozen[0] == frozen[1]
    assert frozen[0][0]
    assert sys.flags.hash_randomization or os.environ.get("PYTHONHASHSEED") != "1"


def test_a_killed_part_of_open_questions_leaves_nothing_and_the_next_build_makes_it_the_same(
    session: Session,
    watcher: Session,
    database_url: str,
    make_world: Callable[..., str],
    config_dir: Path,
    tmp_path: Path,
) -> None:
    own = tmp_path / "config"
    shutil.copytree(config_dir, own)
    quotas = yaml.safe_load((own / "benchmark.yaml").read_text(encoding="utf-8"))
    quotas["suites"] = ["relation", "temporal", "open"]
    quotas["sizes"]["all"]["blind_ends"] = False
    quotas["guess_limit"] = 1.0  # a small world is easily guessed
    (own / "benchmark.yaml").write_text(yaml.safe_dump(quotas), encoding="utf-8")
    snapshot = make_world("2070-03")
    stages.build(session, snapshot, config_dir=own, size="all", only=["relation", "temporal"])
    sizes = counted(session)
    session.commit()
    session.execute(text("LOCK TABLE benchmark_change IN EXCLUSIVE MODE"))
    backend = kill_at("benchmark_change", start(database_url, snapshot, own, "0"), watcher)
    session.rollback()
    until(watcher, lambda: watcher.scalar(_LIVES, {"pid": backend}) == 0)
    assert counted(session) == sizes
    assert "open" not in part_lookup.statistics(session, snapshot)

    frozen = []
    for elsewhere in (True, False):
        if not elsewhere:
            make_world(snapshot)
        if elsewhere:
            child = start(database_url, snapshot, own, "1")
            _, errors = child.communicate()
            assert child.returncode == 0, errors
        else:
            stages.build(session, snapshot, config_dir=own, size="all")
        session.rollback()
        frozen.append(list(reading.every(session, snapshot, ["open"])))
        session.commit()
    assert frozen[0] == frozen[1]
    assert frozen[0]


def test_a_build_killed_at_its_prompts_keeps_its_parts_and_the_same_command_makes_the_prompts(
    session: Session, watcher: Session, database_url: str, make_world: Callable[..., str], config_dir: Path
) -> None:
    snapshot = make_world("2070-01")
    session.execute(text("LOCK TABLE prompt IN EXCLUSIVE MODE"))
    backend = kill_at("prompt", start(database_url, snapshot, config_dir, "0"), watcher)
    session.rollback()
    until(watcher, lambda: watcher.scalar(_LIVES, {"pid": backend}) == 0)
    frozen = list(reading.export(session, snapshot))
    assert frozen
    assert not prompts(session, snapshot)
    sizes = counted(session)
    again = stages.build(session, snapshot, config_dir=config_dir, size="all")
    assert not again.built
    assert len(prompts(session, snapshot)) == again.prompts == 3 * len(frozen)
    assert counted(session) == sizes
    assert list(reading.export(session, snapshot)) == frozen


def prompts(session: Session, snapshot: str) -> Sequence[object]:
    """Those of one month: the tests of this file share a database."""
    columns = (tables.prompt.c.variant_id, tables.prompt.c.case_id, tables.prompt.c.text)
    mine = select(*columns).where(tables.prompt.c.snapshot == snapshot)
    return session.execute(mine.order_by(*columns[:2])).all()
