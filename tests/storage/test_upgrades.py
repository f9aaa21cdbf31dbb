"""An upgrade is all or nothing: ended in its midst it leaves what was there, and it does not make everybody wait."""

from collections.abc import Iterator

import pytest
from alembic import command
from sqlalchemy import text
from sqlalchemy.orm import Session

from halluvault_tasks.errors import Unavailable
from halluvault_tasks.results import views
from halluvault_tasks.storage import migrate, requirements, sessions
from tests.storage.test_columns_migration import alembic

BEFORE = "0020"
"""Tables of 48b8443, from which upgrades are rehearsed (benchmarks/upgrade.py)."""
_STANDING = text("""
SELECT string_agg(format('%s %s %s', c.oid::regclass, c.relkind, c.relnatts), ', ' ORDER BY c.oid::regclass::text)
FROM pg_class c WHERE c.relnamespace IN ('public'::regnamespace, 'results_v1'::regnamespace)
""")


@pytest.fixture
def before(database_url: str) -> Iterator[str]:
    """URL of a database whose tables are those of before, with today's views over nothing."""
    views.upgrade(database_url)
    with sessions.engine(database_url).begin() as connection:
        with Session(connection) as session:
            views.drop(session)
        alembic(connection, command.downgrade, BEFORE)
    yield database_url
    views.upgrade(database_url)


def standing(url: str) -> tuple[str, str]:
    """Version, and everything that there is."""
    with sessions.engine(url).connect() as connection:
        version = connection.scalar(text("SELECT max(version_num) FROM alembic_version"))
        return str(version), str(connection.scalar(_STANDING))


def test_an_upgrade_that_dies_at_its_end_leaves_everything_and_is_repeated(before: str) -> None:
    was = standing(before)
    assert was[0] == BEFORE

    def die(session: Session) -> None:
        session.execute(text("SELECT pg_terminate_backend(pg_backend_pid())"))

    with pytest.raises(Unavailable):
        migrate.upgrade(before, before=views.drop, after=die)
    assert standing(before) == was
    views.upgrade(before)
    now = standing(before)
    assert now[0] == requirements.newest_migration()
    views.upgrade(before)
    assert standing(before) == now, "done again, it changes nothing"


def test_an_upgrade_says_who_is_in_its_way_and_does_not_hold_everybody_up(database_url: str) -> None:
    views.upgrade(database_url)
    with sessions.engine(database_url).connect() as reader:
        reader.execute(text("SELECT count(*) FROM results_v1.by_model"))
        with pytest.raises(Unavailable, match=r"in use: halluvault has been at it for .*idle in transaction") as told:
            views.upgrade(database_url, patience=0.2)
        assert "nothing was changed" in told.value.message
        assert reader.scalar(text("SELECT count(*) FROM results_v1.by_model")) == 0
    views.upgrade(database_url)
