from concurrent.futures import ThreadPoolExecutor
from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sqlalchemy import insert, text
from sqlalchemy.orm import Session

from halluvault_tasks.errors import UserError
from halluvault_tasks.knowledge import diff, retire, snapshots, stages
from halluvault_tasks.storage import leases, partitions, sessions, tables
from halluvault_tasks.storage.leases import LeasedWork
from halluvault_tasks.wikidata.snapshot_keys import last_closed_month, parse_key


@given(st.dates(min_value=date(2, 1, 1)))
def test_the_last_closed_month_is_the_one_before(day: date) -> None:
    year, month = map(int, last_closed_month(day).split("-"))
    assert (year * 12 + month) + 1 == day.year * 12 + day.month


@pytest.mark.parametrize("key", ["2026", "2026-13", "2026-00", "2026-1", "2026-10.0", "2026-10.", "latest", "2026-10'"])
def test_a_malformed_key_is_refused(key: str) -> None:
    with pytest.raises(UserError, match="neither YYYY-MM nor"):
        parse_key(key)


def test_a_key_names_its_row() -> None:
    assert parse_key("2026-10").row == parse_key("2026-10.1").row == "2026-10"
    assert parse_key("2026-10.2").row == "2026-10.2"


def add(session: Session, key: str, status: str, source: str = "x") -> None:
    parsed = parse_key(key)
    session.execute(
        insert(tables.snapshot).values(
            snapshot=parsed.row,
            month=parsed.month,
            revision=parsed.revision or 1,
            as_of=date(2026, 1, 1),
            source=source,
            status=status,
        )
    )
    partitions.create_partitions(session, parsed.row)
    session.commit()


def test_a_month_means_its_highest_published_revision(session: Session) -> None:
    with pytest.raises(UserError, match="there are none yet"):
        snapshots.find(session)
    add(session, "2026-08", "published")
    add(session, "2026-09", "published")
    add(session, "2026-09.2", "published")
    add(session, "2026-09.3", "frozen")
    add(session, "2026-10", "pulling")
    assert snapshots.find(session, "2026-09").snapshot == "2026-09.2"
    assert snapshots.find(session, "2026-09.1").snapshot == "2026-09"
    assert snapshots.find(session, "2026-09.3").snapshot == "2026-09.3"
    assert snapshots.find(session).snapshot == "2026-09.2"
    with pytest.raises(UserError, match=r"no snapshot of 2026-10 is published; there are 2026-10 \(pulling\)"):
        snapshots.find(session, "2026-10")
    with pytest.raises(UserError, match="there is no snapshot '2026-07'"):
        snapshots.get(session, "2026-07")
    assert snapshots.predecessor(session, snapshots.get(session, "2026-09.3")).snapshot == "2026-09.2"
    assert snapshots.predecessor(session, snapshots.get(session, "2026-08")) is None


def test_publishing_needs_a_frozen_snapshot_and_happens_once(session: Session) -> None:
    add(session, "2025-01", "frozen")
    assert stages.publish_snapshot(session, "2025-01").status == "published"
    at = session.scalar(text("SELECT published_at FROM snapshot WHERE snapshot = '2025-01'"))
    assert stages.publish_snapshot(session, "2025-01").status == "published"
    assert session.scalar(text("SELECT published_at FROM snapshot WHERE snapshot = '2025-01'")) == at


def statement(snapshot: str, sid: int, **values: object) -> dict:
    return {"snapshot": snapshot, "sid": sid, "s": 1, "p": 19, "kind": "item", "o": 2, "rank": "normal"} | values


def test_a_diff_counts_each_statement_by_what_became_of_it(session: Session) -> None:
    for key in ("2024-01", "2024-02"):
        add(session, key, "published")
    for row in (
        statement("2024-01", 1, guid="same"),
        statement("2024-01", 2, guid="gone"),
        statement("2024-01", 3, guid="moved", o=3),
        statement("2024-01", 4, guid="raised"),
        statement("2024-01", 5, guid="dated", p=39),
        statement("2024-02", 1, guid="same"),
        statement("2024-02", 2, guid="moved", o=4),
        statement("2024-02", 3, guid="raised", rank="preferred"),
        statement("2024-02", 4, guid="dated", p=39, end_earliest=700_000, end_latest=700_000),
        statement("2024-02", 5, guid="new", p=20),
    ):
        session.execute(insert(tables.statement).values(**row))
    session.execute(
        insert(tables.property).values(
            snapshot="2024-02", pid=19, label="place of birth", datatype="wikibase-item", origin="source"
        )
    )
    session.commit()
    assert diff.compare(session, "2024-01", "2024-02") == [
        (19, "place of birth", 0, 1, 1, 1, 0),
        (20, "", 1, 0, 0, 0, 0),
        (39, "", 0, 0, 1, 0, 0),
    ]
    assert diff.compare(session, "2024-01", "2024-01") == []


def test_a_month_is_not_dropped_while_something_is_at_work_on_it(session: Session, database_url: str) -> None:
    add(session, "2023-01", "published", source="held")
    add(session, "2023-02", "published", source="held")
    with (
        sessions.session(database_url) as other,
        leases.held(other, LeasedWork("2023-01", "derive", 0, 2)),
        pytest.raises(UserError, match=r"2023-01 derive 1/2: process \d+ on \S+ \(.+\) is at it since"),
    ):
        retire.drop(session, "2023-01")
    assert retire.drop(session, "2023-01") == ("2023-01", False)


def test_a_month_is_dropped_between_the_reads_of_others_and_never_holds_one_up(
    session: Session, database_url: str
) -> None:
    add(session, "2022-01", "published", source="read")
    add(session, "2022-02", "published", source="read")
    waits = text("SELECT count(*) FROM pg_locks WHERE NOT granted AND mode = 'AccessExclusiveLock'")
    with sessions.session(database_url) as reader, ThreadPoolExecutor() as pool:
        # A reader between two tables, the second of which the dropping would lock before the first.
        reader.execute(text("SELECT count(*) FROM statement WHERE snapshot = '2022-02'"))
        dropping = pool.submit(retire.drop, session, "2022-01")
        while not reader.scalar(waits):
            assert not dropping.done()
        reader.execute(text("SELECT count(*) FROM entity WHERE snapshot = '2022-02'"))
        reader.commit()
        assert dropping.result() == ("2022-01", False)
