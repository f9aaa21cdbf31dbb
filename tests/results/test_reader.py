"""Who may read the results: the reader's role reads the views, and nothing else."""

import psycopg2
import pytest
from sqlalchemy import make_url
from sqlalchemy.orm import Session

from halluvault_tasks.results import views
from halluvault_tasks.storage import roles
from tests.conftest import PASSWORDS


@pytest.fixture(autouse=True)
def installed(session: Session) -> None:
    views.install(session)
    session.commit()


def test_the_reader_reads_the_views_and_nothing_else(session: Session) -> None:
    assert roles.grant(session, views.NAMES) == []
    session.commit()
    url = make_url(session.get_bind().url)  # type: ignore[union-attr]
    reader = psycopg2.connect(
        host=url.host, port=url.port, dbname=url.database, user=roles.READER, password=PASSWORDS[roles.READER]
    )
    reader.autocommit = True
    with reader.cursor() as cursor:
        cursor.execute(
            "SELECT CASE n.nspname WHEN 'public' THEN relname ELSE n.nspname || '.' || relname END"
            " FROM pg_class c JOIN pg_namespace n ON n.oid = relnamespace"
            " WHERE relkind IN ('r', 'v', 'p') AND n.nspname IN ('public', 'results_v1')"
        )
        for name in [row[0] for row in cursor.fetchall()]:
            if name in views.NAMES:
                cursor.execute(f"SELECT count(*) FROM {name}")
            else:
                with pytest.raises(psycopg2.errors.InsufficientPrivilege):
                    cursor.execute(f"SELECT count(*) FROM {name}")
        for forbidden in (
            "DELETE FROM incidents",
            "UPDATE results_v1.by_model SET model = ''",
            "CREATE TABLE results_v1.mine ()",
            "CREATE TABLE public.mine ()",
        ):
            with pytest.raises((psycopg2.errors.InsufficientPrivilege, psycopg2.errors.ObjectNotInPrerequisiteState)):
                cursor.execute(forbidden)
        with pytest.raises(psycopg2.errors.InsufficientPrivilege):
            cursor.execute("SELECT * FROM simulation.planted")
    reader.close()
