"""A model that cannot be asked, or not be read, keeps no other from being asked and judged, and is named at the end."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from click.testing import Result
from sqlalchemy import text
from sqlalchemy.orm import Session
from typer.testing import CliRunner

from halluvault_tasks.cli import evaluate, query
from halluvault_tasks.local.simulator.model import SimulatedModel
from halluvault_tasks.local.simulator.server import serving
from tests.cli.commanding import build, commanding
from tests.querying.planned import is_case

MONTH = "2026-10"
CASES = 60
FINE, AWAY, MUMBLING = "fine", "away", "mumbling"

Command = Callable[..., Result]


def mumbles(model: str, prompt: str, seed: int | None) -> str:
    return "It depends on whom one asks." if is_case(prompt) else "Yes, that is so. " * 8


@pytest.fixture(scope="module")
def url(database_url: str) -> Iterator[str]:
    build(database_url, MONTH, CASES)
    models = [
        SimulatedModel(FINE, lambda model, prompt, seed: "Yes, that is so. " * 8),
        SimulatedModel(MUMBLING, mumbles),
    ]
    with serving(models) as found:
        yield found


@pytest.fixture
def command(monkeypatch: pytest.MonkeyPatch, database_url: str, url: str, tmp_path: Path) -> Iterator[Command]:
    """Runs a command on one server with three models: one that answers, one that is away, one that says nothing."""
    bases = {FINE: f"{url}/{FINE}", AWAY: "http://127.0.0.1:1", MUMBLING: f"{url}/{MUMBLING}"}
    server = {"slots": 1, "in_flight": 4, "outage_seconds": 0}
    with commanding(monkeypatch, database_url, tmp_path, server, bases, evaluate.register, query.register) as app:
        yield lambda *words: CliRunner().invoke(app, [*words, "--snapshot", MONTH, "--variant", "halluvault/plain"])


def judged(session: Session) -> dict[str, int]:
    rows = session.execute(
        text("SELECT m.name, count(DISTINCT v.case_id) AS judged FROM model m JOIN evaluation e ON e.model_id = m.id"
             " LEFT JOIN verdict v ON v.evaluation_id = e.id GROUP BY 1")
    )  # fmt: skip
    return {row.name: row.judged for row in rows}


def stored(session: Session, name: str) -> int:
    said = text("SELECT count(*) FROM response r JOIN evaluation e ON e.id = r.evaluation_id"
                " JOIN model m ON m.id = e.model_id WHERE m.name = :name")  # fmt: skip
    return session.scalar(said, {"name": name}) or 0


def test_the_others_are_asked_and_judged_and_the_command_ends_with_2_and_a_line_for_each_that_is_not(
    command: Command, session: Session
) -> None:
    done = command("evaluate")
    assert done.exit_code == 2, done.output
    [away, mumbling] = [line for line in done.stderr.splitlines() if line.startswith("halluvault: ")]
    assert away.startswith(f"halluvault: not asked: {AWAY}: no model server of the dialect tgi at http://127.0.0.1:1")
    said = "nothing can be read in its first 50 answers, such as “It depends on whom one asks.”;"
    assert mumbling.startswith(f"halluvault: not asked to the end: {MUMBLING}: {said}")
    assert FINE in done.stdout and MUMBLING not in done.stdout, "the table of the month"
    assert judged(session) == {FINE: CASES, MUMBLING: 0}
    assert 50 <= stored(session, MUMBLING) <= CASES, "what it had answered is kept"


def test_asking_alone_ends_the_same_way_and_counts_what_was_asked(command: Command) -> None:
    done = command("query", "run")
    assert done.exit_code == 2, done.output
    assert [line.split(":")[1] for line in done.stderr.splitlines() if line.startswith("halluvault: ")] == [
        " not asked"
    ]
    for name in ("refused", "silent", "cut off"):
        assert name in done.stdout


def test_where_no_model_can_be_asked_the_command_says_so_in_one_line(command: Command) -> None:
    done = command("query", "run", "--model", AWAY)
    assert done.exit_code == 1 and "no model server of the dialect tgi" in str(done.exception)
