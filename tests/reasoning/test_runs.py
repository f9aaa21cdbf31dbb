"""What may go wrong with an engine: killed, halted, looping, out of memory. Nothing half-written, and a rerun mends."""

import os
import shutil
import signal
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import psutil
import pytest
from reasoning_worlds import PROLOG_DIR, RULES_FILE, fill, rows_of, statement
from sqlalchemy import text
from sqlalchemy.orm import Session

from halluvault_tasks.errors import UserError
from halluvault_tasks.reasoning.running.shard_run import Limits
from halluvault_tasks.reasoning.stages import check_derivation, derive_shard, type_rules

Derive = Callable[..., Any]


def chain(session: Session, key: str) -> None:
    fill(session, key, [statement(at, 5135, at + 1) for at in range(1, 40)] + [statement(1, 26, 2)])


def broken(tmp_path: Path, clause: str) -> Path:
    """The hand-written Prolog with one more clause for transitive rules, tried first."""
    directory = tmp_path / "prolog"
    shutil.copytree(PROLOG_DIR, directory)
    source = (directory / "derivation.pl").read_text()
    marker = "derived(transitive(P, Most), S, O, [E], via(Before)) :-"
    assert marker in source
    (directory / "derivation.pl").write_text(source.replace(marker, f"{clause}\n{marker}"))
    return directory


def rows(session: Session, key: str) -> list[Any]:
    return list(
        session.execute(text("SELECT * FROM derived_fact WHERE snapshot = :key ORDER BY 2, 3, 4, 5, 6"), {"key": key})
    )


@pytest.mark.parametrize(
    ("clause", "says"),
    [
        ("derived(transitive(_, _), _, _, _, _) :- halt.", "without its manifest's last line"),
        ("derived(transitive(_, _), _, _, _, _) :- halt(0).", "transitive:P5135"),
        ("derived(transitive(_, _), _, _, _, _) :- throw(oh_no).", "oh_no"),
        ("derived(transitive(_, _), _, _, _, _) :- numlist(1, 500000000, L), msort(L, _).", "tack limit"),
        ("derived(transitive(_, _), 1, one, [1], via(1)).", "transitive:P5135"),
    ],
)
def test_a_failed_engine_fails_its_shard_whole_and_is_named(
    session: Session, derive: Derive, next_snapshot: Callable[[], str], tmp_path: Path, clause: str, says: str
) -> None:
    key = next_snapshot()
    chain(session, key)
    derive(key)
    before = rows(session, key)
    with pytest.raises(UserError, match=says):
        derive_shard(
            session,
            key,
            prolog_dir=broken(tmp_path, clause),
            scratch=tmp_path,
            limits=Limits(memory=1 << 30),
        )
    session.rollback()
    assert rows(session, key) == before
    assert check_derivation(session, key, shards=1).rows == len(before)


def test_a_rule_that_runs_away_is_stopped_and_named(
    session: Session, next_snapshot: Callable[[], str], tmp_path: Path
) -> None:
    key = next_snapshot()
    chain(session, key)
    type_rules(session, key, rules_file=RULES_FILE)
    directory = broken(tmp_path, "derived(transitive(_, _), _, _, _, _) :- repeat, fail.")
    with pytest.raises(UserError, match=r"stopped after 2 s in rule transitive:P5135"):
        derive_shard(session, key, prolog_dir=directory, scratch=tmp_path, limits=Limits(seconds=2.0))
    session.rollback()
    assert rows(session, key) == []
    with pytest.raises(UserError, match="shard 0 of 1"):
        check_derivation(session, key, shards=1)


def test_a_killed_engine_leaves_nothing_and_a_rerun_replaces(
    session: Session, derive: Derive, next_snapshot: Callable[[], str], tmp_path: Path
) -> None:
    key = next_snapshot()
    chain(session, key)
    derive(key)
    before = rows(session, key)
    # It writes rows for ever, so that it is certainly killed in the midst of them.
    directory = broken(tmp_path, "derived(transitive(_, _), 1, 2, [1], via(1)) :- repeat.")
    killed = threading.Event()

    def kill() -> None:
        while not killed.is_set():
            for child in psutil.Process().children():
                if "halluvault_tasks.reasoning.running.worker" in " ".join(child.cmdline()):
                    begun = tmp_path / key / "shard-0-of-1" / "manifest"
                    if begun.exists() and begun.read_text().splitlines()[-1:] == [f"begin {number}"]:
                        os.kill(child.pid, signal.SIGKILL)
                        killed.set()
            killed.wait(0.02)

    number = session.scalar(
        text("SELECT rule FROM rule WHERE snapshot = :key AND name = 'transitive:P5135'"), {"key": key}
    )
    (tmp_path / key / "shard-0-of-1" / "manifest").unlink()
    killer = threading.Thread(target=kill, daemon=True)
    killer.start()
    with pytest.raises(UserError, match="SIGKILL"):
        derive_shard(session, key, prolog_dir=directory, scratch=tmp_path)
    killer.join()
    session.rollback()
    assert rows(session, key) == before
    derive(key)
    assert rows(session, key) == before


def test_an_engine_whose_parent_is_gone_ends_by_itself(tmp_path: Path) -> None:
    directory = broken(tmp_path, "derived(transitive(_, _), _, _, _, _) :- repeat, fail.")
    (tmp_path / "facts.pl").write_text(":- dynamic(p1/3).\n")
    (tmp_path / "rules.pl").write_text("rule(1, 1, transitive(p1, inf)).\n")
    command = [sys.executable, "-m", "halluvault_tasks.reasoning.running.worker", "--prolog-dir", str(directory)]
    command += ["--facts", str(tmp_path / "facts.pl"), "--rules", str(tmp_path / "rules.pl"), "--rows", os.devnull]
    command += ["--groups", os.devnull]
    command += ["--manifest", str(tmp_path / "manifest"), "--memory", str(2 << 30), "--seconds", "2"]
    assert subprocess.run(command, timeout=60, check=False).returncode == -signal.SIGALRM


def test_another_number_of_shards_replaces_all_of_the_old_ones(
    session: Session, derive: Derive, next_snapshot: Callable[[], str]
) -> None:
    key = next_snapshot()
    chain(session, key)
    derive(key, shards=3)
    three = [row[2:] for row in rows(session, key)]
    with pytest.raises(UserError, match="beyond"):
        check_derivation(session, key, shards=2)
    derive(key, shards=1)
    assert sorted(row[2:] for row in rows(session, key)) == sorted(three)


def test_generated_files_are_the_same_byte_for_byte(
    session: Session, derive: Derive, next_snapshot: Callable[[], str], tmp_path: Path
) -> None:
    key = next_snapshot()
    chain(session, key)
    derive(key)
    files = sorted((tmp_path / key).rglob("*.pl"))
    assert [file.name for file in files] == ["facts.pl", "rules.pl"]
    before = [file.read_bytes() for file in files]
    derive(key)
    assert [file.read_bytes() for file in files] == before


def test_rows_that_vanish_are_noticed(session: Session, derive: Derive, next_snapshot: Callable[[], str]) -> None:
    key = next_snapshot()
    chain(session, key)
    derive(key)
    session.execute(text("DELETE FROM derived_fact WHERE snapshot = :key AND s = 3 AND o = 5"), {"key": key})
    with pytest.raises(UserError, match=r"shard 0 .* transitive:P5135"):
        check_derivation(session, key, shards=1)
    session.rollback()


def test_other_rules_make_the_old_derivation_count_no_longer(
    session: Session, derive: Derive, next_snapshot: Callable[[], str], tmp_path: Path
) -> None:
    key = next_snapshot()
    chain(session, key)
    derive(key)
    assert type_rules(session, key, rules_file=RULES_FILE).changed is False
    assert check_derivation(session, key, shards=1).rows > 0
    other = tmp_path / "rules.yaml"
    other.write_text("transitive: {P5135: yes}\n".replace("yes", "a reason"))
    assert type_rules(session, key, rules_file=other).changed is True
    with pytest.raises(UserError, match=r"shard 0 of 1 .* not derived"):
        check_derivation(session, key, shards=1)


def test_a_hostile_label_never_reaches_prolog(
    session: Session, derive: Derive, next_snapshot: Callable[[], str], tmp_path: Path
) -> None:
    key = next_snapshot()
    fill(session, key, [statement(1, 26, 2)], labels={1: "x). :- halt. '%", 2: "\n:- shell('touch owned').\n"})
    derive(key)
    generated = "".join(file.read_text() for file in sorted((tmp_path / key).rglob("*.pl")))
    assert "halt" not in generated
    assert "shell" not in generated
    assert rows_of(session, key, "symmetric:P26") == {(2, 1)}
