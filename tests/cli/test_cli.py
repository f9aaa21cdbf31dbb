import importlib
import os
import subprocess
import sys
from pathlib import Path

import pytest
import typer

from halluvault_tasks import cli

HALLUVAULT = str(Path(sys.executable).with_name("halluvault"))


def _run(*arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [HALLUVAULT, *arguments], capture_output=True, text=True, check=False, env=os.environ | environment
    )


def test_help_lists_every_stage_of_a_month() -> None:
    text = _run("--help").stdout
    for command in ("doctor", "db", "pull", "snapshot", "rules", "derive", "temporal", "benchmark", "models"):
        assert command in text
    for command in ("query", "score", "evaluate", "results", "report"):
        assert command in text


@pytest.mark.parametrize(
    ("url", "named"),
    [("", "HALLUVAULT_DATABASE_URL"), ("postgresql+psycopg2://u:secret@127.0.0.1:9/none", "127.0.0.1:9")],
)
def test_a_database_that_is_not_there_is_one_line_without_traceback(url: str, named: str) -> None:
    done = _run("snapshot", "list", HALLUVAULT_DATABASE_URL=url)
    assert done.returncode == 2
    assert named in done.stderr
    assert len(done.stderr.strip().splitlines()) == 1
    assert "Traceback" not in done.stderr
    assert "secret" not in done.stderr
    assert done.stdout == ""


def test_an_unknown_snapshot_is_named_with_the_way_out(database_url: str) -> None:
    done = _run("results", "show", "--snapshot", "1999-01", HALLUVAULT_DATABASE_URL=database_url)
    assert done.returncode == 2
    assert "1999-01" in done.stderr
    assert len(done.stderr.strip().splitlines()) == 1


def test_debug_shows_the_traceback() -> None:
    done = _run("--debug", "snapshot", "list", HALLUVAULT_DATABASE_URL="")
    assert done.returncode != 0
    assert "Traceback" in done.stderr


def test_doctor_names_each_missing_server_and_how_to_mend_it(database_url: str) -> None:
    done = _run(
        "doctor",
        HALLUVAULT_DATABASE_URL=database_url,
        HALLUVAULT_SPARQL_ENDPOINT="http://127.0.0.1:9/sparql",
        COLUMNS="200",
    )
    assert done.returncode == 1
    assert "127.0.0.1:9" in done.stdout
    assert "HALLUVAULT_SPARQL_ENDPOINT" in done.stdout
    assert "SWI-Prolog 9" in done.stdout
    assert "Traceback" not in done.stderr


def test_every_module_adds_the_commands_it_is_listed_for() -> None:
    files = {path.stem for path in Path(cli.__file__).parent.glob("*.py")} - {"__init__", "common"}
    assert set(cli.MODULES) == files
    for module, names in cli.MODULES.items():
        app = typer.Typer()
        importlib.import_module(f"{cli.__name__}.{module}").register(app)
        added = {group.name for group in app.registered_groups}
        added |= {command.name or command.callback.__name__ for command in app.registered_commands if command.callback}
        assert added == set(names)
