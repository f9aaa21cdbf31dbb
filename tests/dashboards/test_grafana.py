"""Every query of the Grafana dashboard, run by the reader's role on a judged month."""

import json
import re
from collections.abc import Iterator
from contextlib import closing

import psycopg2
import pytest
import yaml
from sqlalchemy import make_url, text
from sqlalchemy.orm import Session

from halluvault_tasks.oracles import profiles
from halluvault_tasks.results import comparing, views
from halluvault_tasks.results.stages import summarise
from halluvault_tasks.settings import REPOSITORY
from halluvault_tasks.storage import incidents, roles
from tests.conftest import PASSWORDS
from tests.oracles.material import SNAPSHOT
from tests.results.random_month import evaluation_of, publish

FOLDER = REPOSITORY / "dashboards" / "grafana"
DASHBOARD = json.loads((FOLDER / "halluvault.json").read_text())
CHOSEN = {"profile": profiles.HEADLINE, "month": "2026-10-01", "model": "real/one"}
MAY_BE_EMPTY = {"Lanes", "Changed since the month before, on the same questions", "Asked openly"}


@pytest.fixture(scope="module")
def made() -> list[None]:
    return []


@pytest.fixture
def reader(session: Session, made: list[None]) -> Iterator[psycopg2.extensions.cursor]:
    if not made:
        views.install(session)
        roles.grant(session, views.NAMES)
        for seed, (evaluation, name) in enumerate([("e1", "real/one"), ("e2", "real/two")]):
            summarise(session, evaluation_of(session, evaluation=evaluation, name=name, seed=seed))
        publish(session)
        comparing.compare(session, SNAPSHOT)
        incidents.record(session, "task_failed", "dag.task", "it failed", "mend it", SNAPSHOT)
        made.append(None)
    url = make_url(session.get_bind().url)  # type: ignore[union-attr]
    connection = psycopg2.connect(
        host=url.host, port=url.port, dbname=url.database, user=roles.READER, password=PASSWORDS[roles.READER]
    )
    with closing(connection), connection.cursor() as cursor:
        yield cursor


def as_grafana_sends_it(query: str) -> str:
    """Variables quoted and macros expanded."""
    query = re.sub(r"\$\{(\w+):sqlstring\}", lambda found: "'" + CHOSEN[found[1]].replace("'", "''") + "'", query)
    query = re.sub(r"\$__timeFilter\((\w+)\)", r"\1 BETWEEN '2000-01-01T00:00:00Z' AND '2100-01-01T00:00:00Z'", query)
    assert "$" not in query, query
    return query


def test_every_panel_has_rows(reader: psycopg2.extensions.cursor) -> None:
    panels = [panel for panel in DASHBOARD["panels"] if panel["type"] != "row"]
    assert len(panels) == 13
    for panel in panels:
        for target in panel["targets"]:
            reader.execute(as_grafana_sends_it(target["rawSql"]))
            assert reader.fetchall() or panel["title"] in MAY_BE_EMPTY, panel["title"]


def test_every_variable_and_annotation_is_a_query_that_the_reader_may_run(reader: psycopg2.extensions.cursor) -> None:
    first = {}
    for variable in DASHBOARD["templating"]["list"]:
        reader.execute(as_grafana_sends_it(variable["query"]))
        first[variable["name"]] = reader.fetchall()[0][0]
    assert first == CHOSEN
    for annotation in DASHBOARD["annotations"]["list"]:
        reader.execute(as_grafana_sends_it(annotation["rawQuery"]))
        assert reader.fetchall()


def test_the_provisioned_source_is_the_reader_and_holds_no_password(session: Session) -> None:
    source = yaml.safe_load((FOLDER / "provisioning/datasources/halluvault.yaml").read_text())["datasources"][0]
    assert source["user"] == roles.READER
    assert source["secureJsonData"] == {"password": "$HALLUVAULT_READER_PASSWORD"}
    used = {panel["datasource"]["uid"] for panel in DASHBOARD["panels"] if "datasource" in panel}
    assert used == {source["uid"]}


def test_the_alert_query_of_the_documentation_runs(reader: psycopg2.extensions.cursor, session: Session) -> None:
    queries = re.findall(r"```sql\n(.*?)```", (REPOSITORY / "docs" / "dashboards.md").read_text(), re.DOTALL)
    assert queries
    for query in queries:
        reader.execute(query)
    assert session.scalar(text("SELECT 1")) == 1
