"""`halluvault evaluate` on a Postgres that goes away, wherever it happens: nobody types anything again."""

import time
from collections.abc import Iterator
from pathlib import Path

import psycopg2
import pytest
import typer
from sqlalchemy import event, make_url, text
from sqlalchemy.orm import Session
from typer.testing import CliRunner

from halluvault_tasks.cli import common, evaluate
from halluvault_tasks.errors import DatabaseAway
from halluvault_tasks.local.simulator.model import SimulatedModel
from halluvault_tasks.local.simulator.server import serving
from halluvault_tasks.results import months
from halluvault_tasks.settings import settings
from halluvault_tasks.storage import sessions
from tests.cli.commanding import build, commanding
from tests.querying.test_storm import OwnPostgres

MONTH = "2026-10"
CASES = 60
NAMES = ("undisturbed", "disturbed")
KEPT = """
SELECT r.case_id, r.status, r.text, v.profile, v.answer, v.category, v.sub_label, v.detail::text
FROM model m JOIN evaluation e ON e.model_id = m.id JOIN response r ON r.evaluation_id = e.id
LEFT JOIN verdict v ON v.evaluation_id = e.id AND v.case_id = r.case_id WHERE m.name = :name ORDER BY 1, 2, 3, 4
"""


@pytest.fixture
def command(monkeypatch: pytest.MonkeyPatch, database_url: str, tmp_path: Path) -> Iterator[typer.Typer]:
    """`evaluate`, on a month of its own and a model that is served under two names."""
    build(database_url, MONTH, CASES)
    with serving([SimulatedModel("echo", lambda model, prompt, seed: "Yes, that is so. " * 8)]) as url:
        server, bases = {"slots": 2, "in_flight": 8, "shard_rows": 30}, dict.fromkeys(NAMES, f"{url}/echo")
        with commanding(monkeypatch, database_url, tmp_path, server, bases, evaluate.register) as app:
            yield app


def test_a_connection_lost_at_any_statement_of_an_evaluation_changes_nothing_of_it(
    command: typer.Typer, database_url: str
) -> None:
    asked = ["--snapshot", MONTH, "--variant", "halluvault/plain", "--model"]
    runner = CliRunner()
    assert runner.invoke(command, [*asked, NAMES[0]], catch_exceptions=False).exit_code == 0
    lost: list[str] = []
    engine, statements = sessions.engine(database_url), 0

    def lose(connection: object, cursor: psycopg2.extensions.cursor, statement: str, *_: object) -> None:
        nonlocal statements
        statements += 1
        # Of the first statements none: before it has answered once, a database may as well be a wrong URL.
        # Later ones ever further apart, or a step of many statements would never come to its end.
        if statements < 20 + sum(range(5, 5 + len(lost))):
            return
        plain = make_url(database_url).set(drivername="postgresql").render_as_string(hide_password=False)
        with psycopg2.connect(plain) as other, other.cursor() as ending:
            ending.execute("SELECT pg_terminate_backend(%s)", [cursor.connection.info.backend_pid])
        lost.append(statement)

    event.listen(engine, "before_cursor_execute", lose)
    try:
        done = runner.invoke(command, [*asked, NAMES[1]], catch_exceptions=False)
    finally:
        event.remove(engine, "before_cursor_execute", lose)
    assert done.exit_code == 0 and len(lost) > 10, done.output
    with sessions.session(database_url) as session:
        first, second = (session.execute(text(KEPT), {"name": name}).all() for name in NAMES)
        held = session.scalar(text("SELECT count(*) FROM incident"))
        judged = [_both_judged(session)]
        session.execute(text("ALTER TABLE cases DISABLE TRIGGER USER"))  # asked cases never change; rolled back
        session.execute(text("UPDATE cases SET suite = 'recall' WHERE id = (SELECT min(id) FROM cases)"))
        judged.append(_both_judged(session))
        session.rollback()
    assert first == second and len(first) >= CASES and held == 0
    assert judged == [CASES, CASES - 1], "a comparison over a month is over the headline's suites"


def _both_judged(session: Session) -> int:
    [counted] = list(months.against(session, [MONTH], [NAMES[1]], NAMES[0]).columns[2].cells)
    return int(str(counted))


@pytest.mark.parametrize("state", ["40P01", "40001"])
def test_a_step_that_postgres_broke_off_for_another_is_done_again(
    monkeypatch: pytest.MonkeyPatch, database_url: str, state: str
) -> None:
    monkeypatch.setenv("HALLUVAULT_DATABASE_URL", database_url)
    settings.cache_clear()
    broken = f"DO $$ BEGIN RAISE 'deadlock detected' USING ERRCODE = '{state}'; END $$"
    told: list[str] = []

    def step(session: Session) -> int:
        told.append("began")
        if len(told) < 3:
            session.execute(text(broken))
        return len(told)

    assert common.durably(step) == 3
    settings.cache_clear()


def test_a_postgres_that_is_away_is_waited_for_once_it_was_seen_and_else_named_at_once(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    own = OwnPostgres(tmp_path)
    monkeypatch.setenv("HALLUVAULT_DATABASE_URL", own.url)
    settings.cache_clear()
    tries, pauses = [], []

    def step(session: object) -> int:
        tries.append(time.monotonic())
        if len(tries) == 1:
            own.stop()
        return session.scalar(text("SELECT 7"))  # type: ignore[attr-defined,no-any-return]

    def pause(seconds: float) -> None:
        pauses.append(seconds)
        if len(pauses) == 2:
            own.restart()

    try:
        assert common.durably(step, pause=pause) == 7
        assert (len(tries), len(pauses)) == (2, 2)
        own.stop()
        with pytest.raises(DatabaseAway, match="does not answer"):
            common.durably(step, pause=pause, first=True)
        assert len(pauses) == 2
    finally:
        own.close()
        settings.cache_clear()
