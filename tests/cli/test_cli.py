import importlib
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import typer
import yaml
from sqlalchemy import text
from sqlalchemy.orm import Session

from halluvault_tasks import cli
from halluvault_tasks.errors import UserError
from halluvault_tasks.local import postgres
from halluvault_tasks.results import report as reports
from halluvault_tasks.results import views
from halluvault_tasks.settings import REPOSITORY
from halluvault_tasks.storage import migrate, roles, sessions
from tests.typed import typed

HALLUVAULT = str(Path(sys.executable).with_name("halluvault"))
NO_MODEL = "/none/model"
"""Of Sentence-BERT: to load a real one takes a command seven seconds."""


def _run(*arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """The console script itself."""
    return subprocess.run(
        [HALLUVAULT, *arguments], capture_output=True, text=True, check=False, env=os.environ | environment
    )


def test_no_command_waits_for_what_only_some_compute_with() -> None:
    """All modules of commands together; a command loads its own alone."""
    program = (
        "import sys; from halluvault_tasks import cli; cli.register(); "
        "print(sorted({'torch', 'sentence_transformers', 'stanza', 'spacy', 'sklearn', 'pandas', 'statsmodels', "
        "'matplotlib', 'scipy.stats', 'scipy.special', 'scipy.sparse', 'pyswip'} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True, timeout=300)
    assert done.stdout.strip() == "[]"


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
    done = typed("snapshot", "list", HALLUVAULT_DATABASE_URL=url)
    assert done.returncode == 2
    assert named in done.stderr
    assert len(done.stderr.strip().splitlines()) == 1
    assert "Traceback" not in done.stderr
    assert "secret" not in done.stderr
    assert done.stdout == ""


@pytest.mark.parametrize(
    "locale", [{"LC_ALL": "C"}, {"LC_ALL": "POSIX", "PYTHONUTF8": "0"}, {"PYTHONIOENCODING": "latin-1"}]
)
def test_a_locale_without_utf8_shows_escaped_what_it_has_no_letter_for(locale: dict[str, str]) -> None:
    demo = {"HALLUVAULT_CONFIG_DIR": str(REPOSITORY / "config" / "demo"), "HALLUVAULT_DATABASE_URL": ""}
    done = _run("models", "list", PYTHONCOERCECLOCALE="0", **locale, **demo)
    assert (done.returncode, done.stderr) == (0, "") and "simulated/careful" in done.stdout
    done = _run("doctor", PYTHONCOERCECLOCALE="0", HALLUVAULT_EMBEDDING_MODEL=NO_MODEL, **locale, **demo)
    assert "Traceback" not in done.stderr and "models.yaml" in done.stdout


DEAD = "postgresql+psycopg2://u:secret@127.0.0.1:9/none"


@pytest.mark.parametrize(
    ("arguments", "url", "named"),
    [
        (["db", "upgrade"], DEAD, "127.0.0.1:9"),
        (["db", "roles", "--admin-url", DEAD.replace(":secret", "")], "", "127.0.0.1:9"),
        (["db", "roles", "--admin-url", "no:secret:url"], "", "--admin-url"),
        (["db", "roles", "--database", "other"], "{owner}", "permission denied"),
        (["db", "upgrade"], "{unknown}", "unreachable.invalid"),
        (["snapshot", "list"], "{empty}", "halluvault db upgrade"),
        (["snapshot", "list"], "{reader}", "permission denied"),
        (["db", "upgrade"], "{reader}", "database's owner"),
        (["db", "upgrade"], "{owner}?options=-c%20default_transaction_read_only%3Don", "out of `options`"),
        (["snapshot", "list"], "{owner}?charset=utf8", "the option 'charset'"),
        (["snapshot", "list"], "{owner}?sslmode=required", "invalid sslmode value"),
        (["snapshot", "list"], "postgresql+asyncpg://u:secret@127.0.0.1/none", "postgresql+asyncpg://…"),
        (["snapshot", "list"], "postgresql+psycopg2://u:first@secret@127.0.0.1/none", "written %40"),
        (["snapshot", "list"], "{owner}?options=-c%20search_path%3Dnowhere", "search_path 'nowhere'"),
    ],
)
def test_what_postgres_refuses_is_one_line_that_says_what_to_do(
    arguments: list[str], url: str, named: str, postgres_server: postgres.PostgresServer, database_url: str
) -> None:
    place = database_url.rpartition("/")[2]
    urls = {
        "owner": database_url,
        "reader": postgres_server.url(place, roles.READER, "reader-secret"),
        "empty": postgres_server.url("postgres"),
        "unknown": "postgresql+psycopg2://u:secret@unreachable.invalid/none",
    }
    passwords = {f"HALLUVAULT_{part}_PASSWORD": f"{part}-secret" for part in ("OWNER", "READER", "SIM")}
    given = url.format(**urls)
    done = typed(*arguments, HALLUVAULT_DATABASE_URL=given, HALLUVAULT_ADMIN_URL=given, **passwords)
    assert done.returncode == 2
    assert named in done.stderr
    assert len(done.stderr.strip().splitlines()) == 1, done.stderr
    assert "Traceback" not in done.stderr
    assert "secret" not in done.stderr
    assert postgres_server.password not in done.stderr


def test_a_report_that_cannot_be_written_names_the_path(database_url: str, tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(UserError, match=r"cannot write the report to .*file/report.html.*--to"):
        reports.store("<html>", tmp_path / "file" / "report.html")


def test_an_upgrade_may_change_a_column_that_a_view_reads(database_url: str) -> None:
    views.upgrade(database_url)

    def widen(session: Session) -> None:
        views.drop(session)
        session.execute(text("ALTER TABLE result ALTER COLUMN clusters TYPE bigint"))

    migrate.upgrade(database_url, before=widen, after=views.install)
    assert typed("db", "upgrade", HALLUVAULT_DATABASE_URL=database_url).returncode == 0
    with sessions.session(database_url) as session:
        types = {column.type for column in views.columns(session) if column.name == "clusters"}
        assert types == {"bigint"}


def test_an_upgrade_that_fails_leaves_the_views_as_they_were(database_url: str) -> None:
    views.upgrade(database_url)
    with pytest.raises(ZeroDivisionError):
        migrate.upgrade(database_url, before=views.drop, after=lambda _: 1 // 0)
    with sessions.session(database_url) as session:
        assert {column.view for column in views.columns(session)} == set(views.NAMES)


@pytest.mark.parametrize(("keep", "kept"), [("KEEP=1", True), ("KEEP=0", False), ("KEEP=", False), ("KEEP=no", False)])
def test_make_demo_keeps_only_when_told_to(keep: str, kept: bool) -> None:
    done = subprocess.run(
        ["make", "-n", "demo", keep], cwd=REPOSITORY, capture_output=True, text=True, check=True, env=os.environ
    )
    assert ("--keep" in done.stdout) == kept


def test_make_help_names_what_people_type() -> None:
    done = subprocess.run(["make", "help"], cwd=REPOSITORY, capture_output=True, text=True, check=True)
    targets = "demo page stop test lint setup real-model tuned-model edited-model"
    for target in (*targets.split(), "demo KEEP=1"):
        assert f"make {target} " in done.stdout


def test_an_unknown_snapshot_is_named_with_the_way_out(database_url: str) -> None:
    done = typed("results", "show", "--snapshot", "1999-01", HALLUVAULT_DATABASE_URL=database_url)
    assert done.returncode == 2
    assert "1999-01" in done.stderr and "pull --snapshot 1999-01 --source FILE" in done.stderr
    assert len(done.stderr.strip().splitlines()) == 1


def test_debug_shows_the_traceback() -> None:
    done = _run("--debug", "snapshot", "list", HALLUVAULT_DATABASE_URL="")
    assert done.returncode != 0
    assert "Traceback" in done.stderr


def test_doctor_names_each_missing_server_and_how_to_mend_it_and_only_files_that_it_read(
    database_url: str, tmp_path: Path
) -> None:
    configuration = shutil.copytree(REPOSITORY / "config" / "demo", tmp_path / "config")
    (configuration / "models.yaml").write_text("models: 3\n", encoding="utf-8")
    done = typed(
        "doctor",
        HALLUVAULT_DATABASE_URL=database_url,
        HALLUVAULT_CONFIG_DIR=str(configuration),
        HALLUVAULT_EMBEDDING_MODEL=NO_MODEL,
        HALLUVAULT_SPARQL_ENDPOINT="http://127.0.0.1:9/sparql",
        COLUMNS="200",
    )
    assert done.returncode == 1
    assert "127.0.0.1:9" in done.stdout
    assert "HALLUVAULT_SPARQL_ENDPOINT" in done.stdout
    assert "SWI-Prolog 9" in done.stdout
    well = [line for line in done.stdout.splitlines() if "✓" in line]
    assert any("alerts.yaml, benchmark.yaml" in line for line in well)
    assert not [line for line in well if "models.yaml" in line or "every file" in line]
    assert "✗ │ models.yaml" in done.stdout
    assert "Traceback" not in done.stderr


def test_doctor_names_a_wording_that_the_reader_refuses(tmp_path: Path) -> None:
    configuration = shutil.copytree(REPOSITORY / "config" / "demo", tmp_path / "config")
    file = configuration / "predicates.yaml"
    entries = yaml.safe_load(file.read_text(encoding="utf-8"))
    entries["properties"]["P19"]["says"].append("{s} is {o}")
    file.write_text(yaml.safe_dump(entries, allow_unicode=True), encoding="utf-8")
    done = typed("doctor", HALLUVAULT_DATABASE_URL="", HALLUVAULT_CONFIG_DIR=str(configuration),
                 HALLUVAULT_EMBEDDING_MODEL=NO_MODEL, COLUMNS="300")  # fmt: skip
    assert done.returncode == 1
    [line] = [line for line in done.stdout.splitlines() if "wordings" in line]
    assert "✗" in line and "{s} is {o}" in line


def test_every_module_adds_the_commands_it_is_listed_for() -> None:
    files = {path.stem for path in Path(cli.__file__).parent.glob("*.py")} - {"__init__", "common", "heartbeat"}
    assert set(cli.MODULES) == files
    for module, names in cli.MODULES.items():
        app = typer.Typer()
        importlib.import_module(f"{cli.__name__}.{module}").register(app)
        added = {group.name for group in app.registered_groups}
        added |= {command.name or command.callback.__name__ for command in app.registered_commands if command.callback}
        assert added == set(names)
