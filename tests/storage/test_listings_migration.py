"""Claims that models listed are asked for no more; those that were stay, with the verdicts that rest on them."""

from collections.abc import Callable
from pathlib import Path

from alembic import command
from alembic.config import Config
from sqlalchemy import Connection, text
from sqlalchemy.orm import Session

from halluvault_tasks.results import views
from halluvault_tasks.storage import migrate
from tests.oracles.material import fill

_LISTED = (
    "INSERT INTO transcript (evaluation_id, case_id, sample, reader, text, model_id, listed, kept, dropped)"
    " VALUES ('e1', 'c1', 1, 'transcript', '{}', 'm', 0, 0, '{}')"
)
_JUDGED = (
    "INSERT INTO verdict (evaluation_id, case_id, sample, profile, profile_version, answer, category, detail)"
    " VALUES ('e1', 'c1', 1, 'replay/syntax+transcript', '9', 'yes', 'normal', '{}')"
)


def _alembic(connection: Connection, step: Callable[[Config, str], None], to: str) -> None:
    config = Config()
    config.set_main_option("script_location", str(Path(migrate.__file__).with_name("migrations")))
    config.attributes["connection"] = connection
    step(config, to)


def _is_there(connection: Connection) -> bool:
    return connection.scalar(text("SELECT to_regclass('transcript')")) is not None


def test_an_empty_table_goes_and_what_was_listed_and_judged_stays(session: Session) -> None:
    fill(session, [("c1", "Yes.")])
    connection = session.connection()
    assert not _is_there(connection)
    _alembic(connection, command.downgrade, "0031")
    for statement in (_LISTED, _JUDGED):
        connection.execute(text(statement))
    _alembic(connection, command.upgrade, "head")
    assert connection.scalar(text("SELECT count(*) FROM transcript")) == 1
    views.install(session)
    profiles = connection.scalars(text("SELECT profile FROM results_v1.verdicts")).all()
    assert list(profiles) == ["replay/syntax+transcript"]
    _alembic(connection, command.downgrade, "0031")
    connection.execute(text("DELETE FROM transcript"))
    _alembic(connection, command.upgrade, "head")
    assert not _is_there(connection)
    session.rollback()


def test_the_view_of_before_goes_with_the_others(session: Session) -> None:
    views.install(session)
    session.execute(text("CREATE VIEW results_v1.transcripts AS SELECT * FROM results_v1._set"))
    views.install(session)
    assert session.scalar(text("SELECT to_regclass('results_v1.transcripts')")) is None
    session.rollback()
