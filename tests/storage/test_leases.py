"""Two never do the same work at once, the dead never stand in the way, and who lost a lease writes nothing more."""

import getpass
import os
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import ExitStack

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sqlalchemy import func, insert, select, text, update
from sqlalchemy.orm import Session

from halluvault_tasks.errors import Unavailable, UserError
from halluvault_tasks.storage import incidents, leases, runs, sessions
from halluvault_tasks.storage.leases import LeasedWork
from halluvault_tasks.storage.tables import incident, lease

PULL = LeasedWork("2026-10", "pull")
ELSEWHERE = "another-boot pid:[1] 77"

some_work = st.integers(0, 3).flatmap(
    lambda parts: st.builds(
        LeasedWork, st.sampled_from(["2026-10", "2026-11"]), st.sampled_from(["", "pull", "derive"]),
        st.integers(0, max(0, parts - 1)), st.just(parts),
    )
)  # fmt: skip


@pytest.fixture
def other(database_url: str) -> Iterator[Session]:
    with sessions.session(database_url) as open_session:
        yield open_session


@pytest.fixture(autouse=True)
def _nobody_left(session: Session) -> Iterator[None]:
    yield
    session.rollback()
    assert session.execute(select(lease)).all() == []


def elsewhere(session: Session, work: LeasedWork, seconds: float = 0) -> None:
    """A lease of a process on another machine, heard of so long ago."""
    session.execute(
        insert(lease).values(
            token="theirs", snapshot=work.snapshot, work=work.name, part=work.part, parts=work.parts, host="far",
            pid=os.getpid(), who="ops", process=ELSEWHERE,
            beat_at=func.clock_timestamp() - text(f"interval '{seconds} seconds'"),
        )
    )  # fmt: skip
    session.commit()


def gone(session: Session) -> None:
    session.execute(lease.delete())
    session.commit()


@given(some_work, some_work)
def test_works_exclude_each_other_unless_they_are_parts_of_one_division(one: LeasedWork, two: LeasedWork) -> None:
    assert one.excludes(two) == two.excludes(one)
    assert one.excludes(one)
    if one.snapshot != two.snapshot:
        assert not one.excludes(two)
    elif "" in (one.name, two.name) and one.name != two.name:
        assert one.excludes(two)
    elif one.name == two.name:
        assert one.excludes(two) == (one.parts != two.parts or one.parts == 0 or one.part == two.part)


def test_who_is_at_work_is_named_and_waited_for(
    session: Session, other: Session, caplog: pytest.LogCaptureFixture
) -> None:
    done: list[str] = []

    def second() -> None:
        with leases.held(other, PULL):
            done.append("second")

    with leases.held(session, PULL):
        who = (
            rf"2026-10 pull: process {os.getpid()} on \S+ \({getpass.getuser()}\) is at it since \d{{4}}-.* UTC, "
            "heard of 0 s ago → wait for it"
        )
        with pytest.raises(UserError, match=who), leases.held(other, PULL, wait=False):
            pass
        waiting = threading.Thread(target=second)
        waiting.start()
        while "waiting: 2026-10 pull: process" not in caplog.text:
            waiting.join(0.01)
        done.append("first")
    waiting.join()
    assert done == ["first", "second"]


def test_parts_of_one_division_are_done_at_once_and_a_stage_asks_once_for_what_it_holds(
    session: Session, other: Session
) -> None:
    with ExitStack() as stack:
        stack.enter_context(leases.held(session, LeasedWork("2026-10", "derive", 0, 2), wait=False))
        stack.enter_context(leases.held(other, LeasedWork("2026-10", "derive", 1, 2), wait=False))
        stack.enter_context(leases.held(session, LeasedWork("2026-10", "derive", 0, 2), wait=False))
        stack.enter_context(leases.held(session, LeasedWork("2026-11", ""), wait=False))
        whole = LeasedWork("2026-10", "")
        with pytest.raises(UserError, match="derive 1/2: process"), leases.held(other, whole, wait=False):
            pass


def test_a_task_of_airflow_is_named_by_its_run(
    session: Session, other: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, value in (("DAG_ID", "halluvault_refresh"), ("TASK_ID", "freeze"), ("DAG_RUN_ID", "manual__7")):
        monkeypatch.setenv(f"AIRFLOW_CTX_{name}", value)
    with (
        leases.held(session, PULL),
        pytest.raises(UserError, match=r"\(halluvault_refresh\.freeze, run manual__7\) is at it"),
        leases.held(other, PULL, wait=False),
    ):
        pass


def test_an_operators_month_is_had_by_one_while_the_months_stages_go_on(session: Session, other: Session) -> None:
    month = LeasedWork("2026-10", "month")
    with (
        leases.held(session, month),
        leases.held(session, PULL, wait=False),
        leases.held(other, LeasedWork("2026-10", "derive"), wait=False),
        pytest.raises(UserError, match=rf"2026-10 month: process {os.getpid()} on"),
        leases.held(other, month, wait=False),
    ):
        pass
    # Who has the whole month to itself may do all of its work.
    with leases.held(session, LeasedWork("2026-10", "")), runs.stage(session, "2026-10", "score", "model"):
        assert session.scalars(select(lease.c.work)).all() == [""]


def test_a_killed_process_is_seen_to_be_gone_at_once(session: Session, database_url: str) -> None:
    holding = (
        "import sys, time\n"
        "from halluvault_tasks.storage import leases, sessions\n"
        "with sessions.session(sys.argv[1]) as session, leases.held(session, leases.LeasedWork('2026-10', 'pull')):\n"
        "    print('held', flush=True)\n"
        "    time.sleep(600)\n"
    )
    child = subprocess.Popen([sys.executable, "-c", holding, database_url], stdout=subprocess.PIPE, text=True)
    assert child.stdout is not None
    assert child.stdout.readline() == "held\n"
    with pytest.raises(UserError, match=f"process {child.pid} on"), leases.held(session, PULL, wait=False):
        pass
    child.kill()
    child.communicate()
    with leases.held(session, PULL, wait=False):
        pass


def test_silence_counts_only_where_a_process_cannot_be_seen(
    session: Session, other: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(leases, "SILENT_SECONDS", -1.0)
    with leases.held(session, PULL), pytest.raises(UserError, match="is at it"), leases.held(other, PULL, wait=False):
        pass
    elsewhere(session, PULL)
    with leases.held(other, PULL, wait=False):
        pass


def test_a_database_that_has_just_come_back_gives_everybody_time_to_be_heard_of(session: Session) -> None:
    up = float(session.scalar(text("SELECT extract(epoch FROM clock_timestamp() - pg_postmaster_start_time())")) or 0)
    elsewhere(session, PULL, seconds=up + 10 * leases.SILENT_SECONDS)
    found = leases._tried(session.get_bind().engine, PULL, "ours")
    assert (found is None) == (up > leases.SILENT_SECONDS)
    assert found is None or found.seconds < up + 10
    gone(session)


def test_who_lost_its_lease_writes_nothing_more(session: Session, other: Session) -> None:
    with pytest.raises(Unavailable, match="2026-10 pull was taken over: this process"), leases.held(session, PULL):
        gone(other)
        incidents.record(session, "mine", "here", "message", "way out")
    session.rollback()
    assert session.execute(select(incident)).all() == []


def test_a_lease_is_not_taken_over_between_the_last_check_and_the_commit(
    session: Session, other: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(leases, "SILENT_SECONDS", -1.0)
    elsewhere(session, PULL)
    assert session.scalar(select(lease.c.token).with_for_update(read=True, key_share=True)) == "theirs"
    # Renewed it can be meanwhile, and not had.
    other.execute(update(lease).values(beat_at=func.clock_timestamp()))
    other.commit()
    engine = other.get_bind().engine
    assert leases._tried(engine, PULL, "ours") is not None
    session.rollback()
    assert leases._tried(engine, PULL, "ours") is None
    gone(session)


def test_a_stage_is_renewed_while_it_runs(session: Session, other: Session, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(leases, "BEAT_SECONDS", 0.01)
    with runs.stage(session, "2026-10", "score", "model"):
        first = other.scalar(select(lease.c.beat_at).where(lease.c.work == "score model"))
        other.rollback()
        while other.scalar(select(lease.c.beat_at)) == first:
            other.rollback()
        other.rollback()
