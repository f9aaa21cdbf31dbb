from collections.abc import Iterator
from datetime import date

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from sqlalchemy import insert, select, text
from sqlalchemy.exc import ProgrammingError
from sqlalchemy.orm import Session

from halluvault_tasks import database_urls
from halluvault_tasks.errors import Unavailable
from halluvault_tasks.storage import incidents, partitions, sessions
from halluvault_tasks.storage.copy import copy_rows
from halluvault_tasks.storage.tables import entity, incident, metadata, snapshot
from tests.conftest import PASSWORDS

HOSTILE = ["a\tb", "back\\slash", 'quo"te', "new\nline\r", "{brace,}", "NULL", "\\N", "", "é\u202e🙂"]


def test_copied_values_come_back_as_they_were_except_nul(session: Session) -> None:
    partitions.create_partitions(session, "2026-10")
    rows = [("2026-10", n, value, [value, "x"], [3, 1]) for n, value in enumerate(HOSTILE, 1)]
    rows.append(("2026-10", 100, "a\0b", [], []))
    copied = copy_rows(session, entity, ["snapshot", "qid", "label", "aliases", "types"], rows)
    found = session.execute(
        select(entity.c.qid, entity.c.label, entity.c.aliases, entity.c.types).order_by(entity.c.qid)
    ).all()
    assert copied == len(rows)
    assert [(r.qid, r.label, r.aliases, r.types) for r in found[:-1]] == [r[1:] for r in rows[:-1]]
    assert found[-1].label == "a\ufffdb"
    session.rollback()


def test_a_snapshot_is_dropped_with_its_partitions(session: Session) -> None:
    partitions.create_partitions(session, "2026-09.2")
    partitions.create_partitions(session, "2026-09.2")
    session.execute(insert(entity).values(snapshot="2026-09.2", qid=1))
    partitions.drop_partitions(session, "2026-09.2")
    assert session.scalar(text("SELECT to_regclass('entity_2026_09_r2')")) is None
    session.rollback()


@pytest.mark.parametrize("key", ["2026-13", "2026-1", "x'; DROP TABLE entity; --", "2026-10.0"])
def test_a_key_that_is_no_month_never_reaches_sql(session: Session, key: str) -> None:
    with pytest.raises(ValueError, match="YYYY-MM"):
        partitions.create_partitions(session, key)


def test_the_pipelines_role_has_no_right_on_planted_labels(session: Session) -> None:
    with pytest.raises(ProgrammingError, match="permission denied"):
        session.execute(text("SELECT * FROM simulation.planted"))
    session.rollback()


def test_rows_that_are_not_committed_are_rolled_back(database_url: str) -> None:
    row = {"snapshot": "2026-08", "month": "2026-08", "as_of": date(2026, 8, 31), "source": "test"}
    with sessions.session(database_url) as first:
        first.execute(insert(snapshot).values(row))
    with sessions.session(database_url) as second:
        assert second.scalar(select(snapshot.c.snapshot)) is None


def test_a_connection_lost_in_the_middle_of_a_copy_is_an_outage(
    database_url: str, caplog: pytest.LogCaptureFixture
) -> None:
    def rows(pid: object) -> Iterator[tuple[str, int, list[str], list[int]]]:
        yield ("2026-10", 1, [], [])
        with sessions.session(database_url) as other:
            other.execute(text("SELECT pg_terminate_backend(:pid, 5000)"), {"pid": pid})
        yield ("2026-10", 2, [], [])

    with (
        pytest.raises(Unavailable, match="Postgres does not answer at postgresql"),
        sessions.session(database_url) as session,
    ):
        partitions.create_partitions(session, "2026-10")
        pid = session.scalar(text("SELECT pg_backend_pid()"))
        copy_rows(session, entity, ["snapshot", "qid", "aliases", "types"], rows(pid))
    assert caplog.text == ""


def test_the_password_of_a_database_is_never_shown() -> None:
    assert PASSWORDS["halluvault"] not in database_urls.shown(f"postgresql://u:{PASSWORDS['halluvault']}@h/d")


def test_the_migrations_make_exactly_the_declared_tables(session: Session) -> None:
    context = MigrationContext.configure(session.connection(), opts={"compare_type": True})
    differences = [
        difference
        for difference in compare_metadata(context, metadata)
        if not (difference[0] == "remove_table" and difference[1].name == "alembic_version")
    ]
    assert differences == []


def test_an_incident_holds_no_key_that_its_error_quotes(session: Session) -> None:
    said = "http://user:hunter2-hunter2@gpu-1/info: HTTP 401: Authorization: Bearer hunter2-hunter2"
    incidents.record(session, "task_failed", "test", said, "set another key")
    kept = session.scalar(select(incident.c.message).where(incident.c.where == "test"))
    assert kept == "http://user:[key]@gpu-1/info: HTTP 401: Authorization: Bearer [key]"
