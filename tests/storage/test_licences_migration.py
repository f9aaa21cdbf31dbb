"""Months that were frozen and judged before licences were named: they are proved, and so are all their figures."""

from collections.abc import Iterator
from datetime import date

import pytest
from alembic import command
from sqlalchemy import Connection, text

from halluvault_tasks.storage import sessions
from tests.storage.test_columns_migration import alembic, run

MONTH = "2026-09"
FIGURES = "SELECT metric, value, low, high, hits, n FROM result WHERE metric = ANY(:metrics) ORDER BY metric"


@pytest.fixture(scope="module")
def migrated(database_url: str) -> Iterator[Connection]:
    """A database of before with a month of one case and its figures, brought to this version; rolled back."""
    with sessions.engine(database_url).connect() as connection:
        alembic(connection, command.downgrade, "0025")
        run(connection, "INSERT INTO snapshot (snapshot, month, revision, as_of, source, status)"
            " VALUES (:key, :key, 1, :day, 'x', 'published')", key=MONTH, day=date(2026, 9, 30))  # fmt: skip
        run(connection, "INSERT INTO cases (id, question, gold, group_id, mutation, relation, suite)"
            " VALUES ('c', 'q?', 'no', 'g', 'original', 'same', 'relation')")  # fmt: skip
        run(connection, "INSERT INTO benchmark_part (snapshot, suite, config_hash, content_hash, seed, counts)"
            " VALUES (:key, 'relation', 'h', 'frozen', 1, '{}')", key=MONTH)  # fmt: skip
        run(connection, "INSERT INTO benchmark_case (snapshot, suite, case_id, domain, rule_kind, fact,"
            " premises, proof) VALUES (:key, 'relation', 'c', 'people', 'negation.value', '{}', '[]',"
            " 'p')", key=MONTH)  # fmt: skip
        run(connection, "INSERT INTO model (id, name, dialect, model_id) VALUES ('m', 'm', 'tgi', 'm')")
        run(connection, "INSERT INTO prompt_variant VALUES ('v', 'halluvault', 1, 'chat', 'closed-book')")
        run(connection, "INSERT INTO evaluation (id, snapshot, model_id, variant_id, sampling)"
            " VALUES ('e', :key, 'm', 'v', '{}')", key=MONTH)  # fmt: skip
        run(connection, "INSERT INTO result_set (evaluation_id, profile, profile_version) VALUES ('e', 'p', '1')")
        for metric, value in (("hallucination_rate", 0.25), ("accuracy", 0.75), ("yes_rate", 0.5)):
            run(connection, "INSERT INTO result VALUES ('e', 'headline', 'model', '', 'p', '1', :metric, :value, 0.1,"
                " 0.9, 1, 4)", metric=metric, value=value)  # fmt: skip
        alembic(connection, command.upgrade, "head")
        yield connection
        connection.rollback()


def test_a_case_of_before_is_proved_and_its_part_unchanged(migrated: Connection) -> None:
    assert migrated.scalar(text("SELECT licence FROM benchmark_case")) == "proved"
    assert migrated.scalar(text("SELECT content_hash FROM benchmark_part")) == "frozen"


def test_the_proved_part_of_a_figure_of_before_is_the_whole(migrated: Connection) -> None:
    told = migrated.execute(text(FIGURES), {"metrics": ["proved_rate", "proved_accuracy"]}).all()
    assert told == [("proved_accuracy", 0.75, 0.1, 0.9, 1, 4), ("proved_rate", 0.25, 0.1, 0.9, 1, 4)]
