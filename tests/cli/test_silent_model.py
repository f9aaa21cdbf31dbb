"""`halluvault evaluate` on a model that says next to nothing: no headline, the reason in its place, and status 4."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
import typer
from sqlalchemy import text
from typer.testing import CliRunner

from halluvault_tasks.cli import evaluate
from halluvault_tasks.errors import UserError
from halluvault_tasks.local.simulator.model import SimulatedModel
from halluvault_tasks.local.simulator.server import serving
from halluvault_tasks.storage import sessions
from tests.cli.commanding import build, commanding

MONTH, CASES = "2026-10", 48


def silent(_model: str, prompt: str, seed: int | None) -> str:
    """Answers one question of the month in eight, and whatever it is asked before."""
    asked = re.search(r"Person (\d+)", prompt)
    return "" if asked and int(asked[1]) % 8 else steady(_model, prompt, seed)


def mute(_model: str, prompt: str, seed: int | None) -> str:
    """Answers what it is asked before a run, and no question of the month."""
    return "" if "Person" in prompt else steady(_model, prompt, seed)


def steady(_model: str, _prompt: str, _seed: int | None) -> str:
    return "Yes, that is so. " * 8


def coin(_model: str, prompt: str, _seed: int | None) -> str:
    """Yes to every other question."""
    asked = re.search(r"Person (\d+)", prompt)
    return "No, that is not so. " * 8 if asked and int(asked[1]) % 2 else steady(_model, prompt, _seed)


@pytest.fixture(scope="module")
def month(database_url: str) -> str:
    """URL of a database with a month of 48 questions."""
    build(database_url, MONTH, CASES)
    return database_url


@pytest.fixture
def command(monkeypatch: pytest.MonkeyPatch, month: str, tmp_path: Path) -> Iterator[typer.Typer]:
    """`evaluate`, with five models on one server."""
    speakers = {"silent": silent, "steady": steady, "mute": mute, "new": coin, "coin": coin}
    with serving([SimulatedModel(name, speaks) for name, speaks in speakers.items()]) as url:
        bases = {name: f"{url}/{name}" for name in speakers}
        with commanding(monkeypatch, month, tmp_path, {"slots": 1, "in_flight": 8}, bases, evaluate.register) as app:
            yield app


def run(command: typer.Typer, *names: str) -> tuple[int, str, str]:
    """Exit status, results and messages."""
    asked = ["--snapshot", MONTH, "--variant", "halluvault/plain", "--model"]
    done = CliRunner().invoke(command, [*asked, *names], catch_exceptions=False)
    return done.exit_code, done.stdout, done.stderr


def test_a_silent_model_has_no_rate_and_ends_the_command_with_status_4_and_one_that_speaks_has_one(
    command: typer.Typer, database_url: str
) -> None:
    of_month = f"silent has no hallucination rate in {MONTH}: "
    line = f"{of_month}87.5 % unread → `halluvault models check --model silent`"
    status, out, err = run(command, "silent", "--sample", "12")
    assert (status, bool(re.search(r"–: \d+\.\d % unread", out)), err.count(of_month)) == (4, True, 1), out + err
    status, out, err = run(command, "silent", "--model", "steady")
    assert (status, "–: 87.5 % unread" in out, err.count(line)) == (4, True, 1), out + err
    assert re.search(r"silent +│ +87\.5 % │ +0\.0 % │ +87\.5 % │ +0\.0 % │", out), "unread, and all of it no answer"
    status, out, err = run(command, "silent", "--baseline", "steady")
    assert (status, "silent has no rate, 87.5 % unread" in out, err.count(line)) == (4, True, 1), out + err
    status, out, err = run(command, "steady")
    assert (status, "silent" in out, err.count(line)) == (0, False, 0), (
        "who was not asked ends nothing, and is not told of"
    )
    with sessions.session(database_url) as session:
        told = session.execute(text("SELECT message FROM incident WHERE kind = 'no_headline'")).all()
        stored = session.execute(
            text("SELECT model, delivered, no_rate_reason FROM results_v1.by_model WHERE profile = 'replay/syntax'")
        ).all()
    assert [row.message for row in told] == [f"{of_month}87.5 % unread"]
    assert {tuple(row) for row in stored} == {("silent", CASES, "87.5 % unread"), ("steady", CASES, None)}


def test_a_mute_model_is_stopped_and_what_it_said_has_no_rate_either(command: typer.Typer) -> None:
    status, out, err = run(command, "mute", "--model", "steady")
    assert (status, "nothing can be read" in err, "mute" in out) == (2, True, False), out + err
    status, out, err = run(command, "mute")
    assert (status, "–: 100.0 % unread" in out) == (4, True), out + err
    assert f"mute has no hallucination rate in {MONTH}: 100.0 % unread" in err


def test_a_core_says_what_the_whole_month_would_give_and_of_a_silent_model_nothing(command: typer.Typer) -> None:
    with pytest.raises(UserError, match="no other model was asked all questions"):
        run(command, "new", "--core", "12")
    run(command, "coin")
    status, out, err = run(command, "new", "--core", "12")
    assert status == 0, out + err
    assert f"On a core of 12 of {CASES} questions, chosen by strata alone" in " ".join(out.split())
    assert re.search(r"coin +│ +\d+\.\d % +│ all", out), out
    assert re.search(r"new +│ +\d+\.\d % \[\d+\.\d, \d+\.\d\] +│ core", out), out
    status, out, err = run(command, "silent", "--core", "12")
    assert (status, bool(re.search(r"silent +│ – +│ core, \d+\.\d % unread", out))) == (4, True), out + err
    with pytest.raises(UserError, match="--core goes neither with --sample nor with --via-airflow"):
        run(command, "new", "--core", "12", "--sample", "12")
