"""The page stands behind Airflow's login, can write nothing, and explains a missing database."""

from collections.abc import Callable
from typing import TYPE_CHECKING

import pytest
from sqlalchemy import text
from sqlalchemy.exc import InternalError

if TYPE_CHECKING:
    from fastapi.testclient import TestClient

PATHS = (
    "/halluvault/",
    "/halluvault/where",
    "/halluvault/compare",
    "/halluvault/suites",
    "/halluvault/month",
    "/halluvault/cases?search=born&wrong=1",
    "/halluvault/case?id=c1",
)


@pytest.mark.parametrize("path", PATHS)
def test_nobody_reads_the_page_without_a_login(client: "TestClient", path: str) -> None:
    assert client.get(path).status_code == 401
    assert client.get(path, headers={"Authorization": "Bearer nonsense"}).status_code in {401, 403}


@pytest.mark.parametrize("path", ["/halluvault/docs", "/halluvault/openapi.json"])
def test_not_even_its_description_is_open(client: "TestClient", path: str) -> None:
    assert client.get(path).status_code in {401, 404}


@pytest.mark.parametrize("path", PATHS)
def test_a_viewer_sees_it_with_hostile_text_as_text(
    client: "TestClient", viewer: dict[str, str], configure: Callable[[str], None], filled_url: str, path: str
) -> None:
    configure(filled_url)
    answer = client.get(path, headers=viewer)
    assert answer.status_code == 200
    assert "&lt;script&gt;alert" in answer.text
    assert "<script>alert" not in answer.text
    assert "default-src 'none'" in answer.headers["content-security-policy"]
    assert answer.headers["x-content-type-options"] == "nosniff"


def test_an_unknown_case_is_not_found(
    client: "TestClient", viewer: dict[str, str], configure: Callable[[str], None], filled_url: str
) -> None:
    configure(filled_url)
    answer = client.get("/halluvault/case?id=%3Cb%3E", headers=viewer)
    assert answer.status_code == 404
    assert "&lt;b&gt;" in answer.text


@pytest.mark.parametrize(
    ("path", "named"),
    [
        ("/halluvault/case?id=a%00b", "id"),
        ("/halluvault/case", "id"),
        ("/halluvault/case?id=c1&snapshot=%00", "snapshot"),
        ("/halluvault/cases?domain=%00", "domain"),
        ("/halluvault/cases?rule=%00%3Cb%3E", "rule"),
        ("/halluvault/?profile=%0A", "profile"),
        ("/halluvault/cases?wrong=maybe", "wrong"),
        ("/halluvault/cases?search=" + "x" * 201, "search"),
    ],
)
def test_a_parameter_that_cannot_be_meant_is_named_on_a_page(
    client: "TestClient",
    viewer: dict[str, str],
    configure: Callable[[str], None],
    filled_url: str,
    path: str,
    named: str,
) -> None:
    configure(filled_url)
    assert client.get(path).status_code == 401
    answer = client.get(path, headers=viewer)
    assert answer.status_code == 400
    assert f"{named}: " in answer.text
    assert "default-src 'none'" in answer.headers["content-security-policy"]


@pytest.mark.parametrize("url", ["", "postgresql+psycopg2://nobody:secret@127.0.0.1:1/nowhere"])
def test_without_a_database_the_page_says_so_and_how_to_mend_it(
    client: "TestClient", viewer: dict[str, str], configure: Callable[[str], None], url: str
) -> None:
    configure(url)
    answer = client.get("/halluvault/", headers=viewer)
    assert answer.status_code == 503
    assert "No results database" in answer.text
    assert "HALLUVAULT_DATABASE_URL" in answer.text
    assert "secret" not in answer.text


def test_a_database_without_tables_is_explained(
    client: "TestClient", viewer: dict[str, str], configure: Callable[[str], None], filled_url: str
) -> None:
    configure(filled_url.rpartition("/")[0] + "/postgres")
    answer = client.get("/halluvault/", headers=viewer)
    assert answer.status_code == 503
    assert "halluvault db upgrade" in answer.text


def test_the_connection_of_airflow_wins_over_the_environment(
    client: "TestClient",
    viewer: dict[str, str],
    configure: Callable[[str], None],
    filled_url: str,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    configure("postgresql+psycopg2://nobody:secret@127.0.0.1:1/nowhere")
    assert client.get("/halluvault/", headers=viewer).status_code == 503
    monkeypatch.setenv("AIRFLOW_CONN_HALLUVAULT_DB", filled_url.replace("postgresql+psycopg2", "postgresql"))
    assert client.get("/halluvault/", headers=viewer).status_code == 200


def test_postgres_itself_refuses_a_write_from_the_page(
    client: "TestClient", configure: Callable[[str], None], filled_url: str
) -> None:
    from halluvault_airflow import plugin

    configure(filled_url)
    with plugin._read_only() as session, pytest.raises(InternalError, match="read-only transaction"):
        session.execute(text("DELETE FROM incident"))


def test_the_page_is_listed_in_the_menu(client: "TestClient", viewer: dict[str, str]) -> None:
    listed = client.get("/api/v2/plugins", headers=viewer).json()["plugins"]
    views = [view for plugin in listed if plugin["name"] == "halluvault" for view in plugin["external_views"]]
    assert [(view["name"], view["href"], view["url_route"]) for view in views] == [
        ("HalluVault", "halluvault/", "halluvault")
    ]
