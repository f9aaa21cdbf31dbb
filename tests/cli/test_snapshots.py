"""The commands over months, as a person types them."""

from datetime import date
from pathlib import Path

import pytest
from sqlalchemy import insert

from halluvault_tasks.cli.common import month_of
from halluvault_tasks.knowledge import stages
from halluvault_tasks.knowledge.client import WikidataClient
from halluvault_tasks.local import endpoint
from halluvault_tasks.storage import sessions, tables
from tests.knowledge.conftest import serving
from tests.knowledge.store import serve
from tests.knowledge.test_change import AFTER, BEFORE, PEOPLE
from tests.knowledge.test_snapshots import add
from tests.querying import support
from tests.typed import typed


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
    shown = typed("snapshot", "diff", "2001-01", "2001-02", HALLUVAULT_DATABASE_URL=months).stdout
    assert [word.strip() for word in shown.splitlines()[-2].strip("│").split("│")] == [
        "all",
        "",
        "2",
        "1",
        "1",
        "1",
        "2",
    ]
    single = typed("snapshot", "diff", "2001-01", "2001-02", "--property", "P19", HALLUVAULT_DATABASE_URL=months).stdout
    assert "item 2 (Q2)" in single and "item 20 (Q20)" in single and "Q3-goes" in single
    wrong = typed("snapshot", "diff", "2001-01", "2001-02", "--property", "capital", HALLUVAULT_DATABASE_URL=months)
    assert wrong.returncode == 2 and "'capital' is not P and a number" in wrong.stderr


def test_a_drop_asks_first_and_the_newest_month_stays_once_it_has_a_benchmark(months: str) -> None:
    with sessions.session(months) as session:
        session.execute(insert(tables.benchmark_part).values(support.part("2001-02")))
        add(session, "2001-03", "published", "s")
        assert month_of(session, "") == "2001-02", "the newest with questions, and not the newest"
    mistaken = typed("snapshot", "drop", "2001-03", "--yes", HALLUVAULT_DATABASE_URL=months)
    assert "nothing of it is left" in mistaken.stdout
    unasked = typed("snapshot", "drop", "2001-01", HALLUVAULT_DATABASE_URL=months)
    assert unasked.returncode == 1 and "Drop the rows of 2001-01" in unasked.stderr
    both = typed("snapshot", "drop", "2001-01", "--keep", "1", HALLUVAULT_DATABASE_URL=months)
    assert both.returncode == 2 and "one or the other" in both.stderr
    newest = typed("snapshot", "drop", "2001-02", "--yes", HALLUVAULT_DATABASE_URL=months)
    assert newest.returncode == 2 and "the next month is compared with it" in newest.stderr
    assert (
        "nothing of it is left" in typed("snapshot", "drop", "2001-01", "--yes", HALLUVAULT_DATABASE_URL=months).stdout
    )
    assert "2001-01" not in typed("snapshot", "list", HALLUVAULT_DATABASE_URL=months).stdout
    kept = typed("snapshot", "drop", "--keep", "1", "--yes", HALLUVAULT_DATABASE_URL=months)
    assert "no source has more than 1 month with their rows" in kept.stdout


def test_a_plan_asks_nobody(months: str) -> None:
    done = typed(
        "pull", "--plan", "--endpoint", "http://127.0.0.1:9/sparql", "--gap", "1", HALLUVAULT_DATABASE_URL=months
    )
    assert done.returncode == 0 and "1 s apart: at least 1 h" in done.stdout.replace("\n", " ")
    wrong = typed("pull", "--plan", HALLUVAULT_DATABASE_URL=months, HALLUVAULT_AS_OF="yesterday")
    assert wrong.returncode == 2 and "'yesterday' is not a date; it must be YYYY-MM-DD" in wrong.stderr


def test_a_folder_without_alerts_yaml_is_said_to_have_none(months: str, tmp_path: Path) -> None:
    done = typed("results", "alerts", "--snapshot", "2001-02", HALLUVAULT_DATABASE_URL=months,
               HALLUVAULT_CONFIG_DIR=str(tmp_path))  # fmt: skip
    assert f"there is no {tmp_path / 'alerts.yaml'}, so no alert" in done.stderr


def test_a_public_endpoint_without_a_contact_is_refused_before_anything_is_asked(months: str) -> None:
    done = typed("pull", "--endpoint", "https://query.wikidata.org/sparql", HALLUVAULT_DATABASE_URL=months)
    assert done.returncode == 2 and "HALLUVAULT_CONTACT" in done.stderr


def test_a_dump_and_an_endpoint_do_not_go_together(tmp_path: Path) -> None:
    done = typed("pull", "--source", str(tmp_path / "x.nt"), "--endpoint", "http://127.0.0.1:9/sparql")
    assert done.returncode == 2 and "--source reads a file" in done.stderr


def test_what_the_environment_says_of_another_source_is_not_taken_for_a_dumps_without_a_word(tmp_path: Path) -> None:
    """After the demo's environment.sh a `pull --source` would have had the demo's name and date."""
    top = "<http://wikiba.se/ontology#Dump> <http://schema.org/dateModified>"
    day = '"2026-11-18T00:00:00Z"^^<http://www.w3.org/2001/XMLSchema#dateTime>'
    (file := tmp_path / "x.nt").write_text(f"{top} {day} .\n", encoding="utf-8")
    demo = {"HALLUVAULT_SOURCE": "bundled-sample", "HALLUVAULT_AS_OF": "2026-10-31"}
    done = typed("pull", "--snapshot", "2026-11", "--source", str(file), **demo)
    assert done.returncode == 2
    assert "x.nt is recorded as 'bundled-sample' (HALLUVAULT_SOURCE); --name gives another" in done.stderr
    assert "x.nt states 2026-11-18, HALLUVAULT_AS_OF says 2026-10-31" in done.stderr
    assert "--as-of 2026-11-18" in done.stderr
