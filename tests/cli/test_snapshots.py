"""The commands over months, as a person types them."""

import os
import subprocess
import sys
from datetime import date
from pathlib import Path

import pytest

from halluvault_tasks.knowledge import stages
from halluvault_tasks.knowledge.client import WikidataClient
from halluvault_tasks.local import endpoint
from halluvault_tasks.storage import sessions
from tests.knowledge.conftest import serving
from tests.knowledge.store import serve
from tests.knowledge.test_change import AFTER, BEFORE, PEOPLE

HALLUVAULT = str(Path(sys.executable).with_name("halluvault"))


def run(*arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [HALLUVAULT, *arguments], capture_output=True, text=True, check=False, env=os.environ | environment
    )


@pytest.fixture(scope="module")
def months(database_url: str) -> str:
    """Two months of one source; the URL of their database."""
    with sessions.session(database_url) as session:
        for key, lines in (("2001-01", BEFORE), ("2001-02", AFTER)):
            with serving(endpoint.Endpoint(serve(lines), 0)) as server:
                client = WikidataClient(server.url)
                stages.pull(session, key, client=client, domains=PEOPLE, source="s", as_of=date(2026, 11, 20))
    return database_url


def test_a_diff_is_shown_by_property_and_statement_by_statement(months: str) -> None:
    shown = run("snapshot", "diff", "2001-01", "2001-02", HALLUVAULT_DATABASE_URL=months).stdout
    assert [word.strip() for word in shown.splitlines()[-2].strip("│").split("│")] == [
        "all",
        "",
        "2",
        "1",
        "1",
        "1",
        "2",
    ]
    single = run("snapshot", "diff", "2001-01", "2001-02", "--property", "P19", HALLUVAULT_DATABASE_URL=months).stdout
    assert "item 2 (Q2)" in single and "item 20 (Q20)" in single and "Q3-goes" in single
    wrong = run("snapshot", "diff", "2001-01", "2001-02", "--property", "capital", HALLUVAULT_DATABASE_URL=months)
    assert wrong.returncode == 2 and "'capital' is not P and a number" in wrong.stderr


def test_a_drop_asks_first_and_the_newest_month_stays(months: str) -> None:
    unasked = run("snapshot", "drop", "2001-01", HALLUVAULT_DATABASE_URL=months)
    assert unasked.returncode == 1 and "Drop the rows of 2001-01" in unasked.stderr
    newest = run("snapshot", "drop", "2001-02", "--yes", HALLUVAULT_DATABASE_URL=months)
    assert newest.returncode == 2 and "the next month is held against it" in newest.stderr
    assert "nothing of it is left" in run("snapshot", "drop", "2001-01", "--yes", HALLUVAULT_DATABASE_URL=months).stdout
    assert "2001-01" not in run("snapshot", "list", HALLUVAULT_DATABASE_URL=months).stdout


def test_a_plan_asks_nobody(months: str) -> None:
    done = run(
        "pull", "--plan", "--endpoint", "http://127.0.0.1:9/sparql", "--gap", "1", HALLUVAULT_DATABASE_URL=months
    )
    assert done.returncode == 0 and "1 s apart: at least 1 h" in done.stdout.replace("\n", " ")


def test_a_public_endpoint_without_a_contact_is_refused_before_anything_is_asked(months: str) -> None:
    done = run("pull", "--endpoint", "https://query.wikidata.org/sparql", HALLUVAULT_DATABASE_URL=months)
    assert done.returncode == 2 and "HALLUVAULT_CONTACT" in done.stderr


def test_a_dump_and_an_endpoint_do_not_go_together(tmp_path: Path) -> None:
    done = run("pull", "--source", str(tmp_path / "x.nt"), "--endpoint", "http://127.0.0.1:9/sparql")
    assert done.returncode == 2 and "--source reads a file" in done.stderr
