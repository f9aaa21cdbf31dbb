"""A database's URL as people write it: taken where its meaning is plain, else one line without what is secret."""

import json
from pathlib import Path
from typing import NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as some
from sqlalchemy import make_url
from sqlalchemy.engine import URL

from halluvault_tasks.database_urls import checked, secrets_of, shown
from halluvault_tasks.errors import UserError
from halluvault_tasks.storage.connections import url_of
from tests.require import require

PASSWORD = "hunter2-hunter"


def refused(url: str) -> UserError:
    with pytest.raises(UserError) as caught:
        checked(url, "THE_URL")
    assert str(caught.value).isprintable() and caught.value.way_out
    return caught.value


@pytest.mark.parametrize("scheme", ["postgresql+psycopg2", "postgresql", "postgres", "PostgreSQL"])
def test_every_name_of_postgres_means_the_driver_that_is_ours(scheme: str) -> None:
    url = checked(f" {scheme}://u:{PASSWORD}@h:5432/db?sslmode=require\n", "THE_URL")
    assert url == f"postgresql+psycopg2://u:{PASSWORD}@h:5432/db?sslmode=require"


@pytest.mark.parametrize(
    "scheme",
    ["postgresql+asyncpg", "postgresql+psycopg", "postgresql+pg8000", "mysql", "mysql+pymysql", "sqlite", "http"],
)
def test_another_driver_is_named_with_ours(scheme: str) -> None:
    told = refused(f"{scheme}://u:{PASSWORD}@127.0.0.1/db")
    assert told.message.startswith(f"THE_URL is {scheme}://…; it must look like postgresql+psycopg2://")
    assert PASSWORD not in str(told)


@pytest.mark.parametrize(
    ("option", "instead"),
    [("charset=utf8", "UTF-8 in any case"), ("sslmod=require", "'sslmode'"), ("ssl=true", "'sslmode'"), ("x=y", "")]
    + [(f"{name}=1", "take it out") for name in ("plugin", "dsn", "connection_factory", "async", "pool_size")],
)
def test_an_option_that_libpq_lacks_is_named(option: str, instead: str) -> None:
    told = refused(f"postgresql+psycopg2://u:{PASSWORD}@127.0.0.1/db?sslmode=require&{option}")
    assert f"has the option {option.partition('=')[0]!r}" in told.message and instead in told.way_out
    assert PASSWORD not in str(told)


@pytest.mark.parametrize(
    "url",
    [
        "postgresql+psycopg2://u:{0}@{0}@127.0.0.1/db",
        "postgresql+psycopg2://u:{0}@{0}@{0}@127.0.0.1/db",
        "postgresql+psycopg2://u:{0}@{0}/{0}?{0}#{0}@127.0.0.1:5432/db",
        "postgresql+psycopg2://u:{0}@?{0}@127.0.0.1/db?sslmode=require",
        "postgresql+psycopg2://:{0}@{0}@127.0.0.1/db",
        "postgresql+psycopg2://u:{0}@127.0.0.1:port/db",
        "postgresql+psycopg2://u:{0}@[127.0.0.1:x/db",
        "host=127.0.0.1 user=u password={0} dbname=db",
        "jdbc:postgresql://127.0.0.1/db?user=u&password={0}",
        "postgresql:/u:{0}@127.0.0.1/db",
        "u:{0}@127.0.0.1/db",
        '"postgresql://u:{0}@127.0.0.1/db"',
        "{0}",
    ],
)
def test_what_cannot_be_told_apart_is_refused_without_the_password(url: str) -> None:
    given = url.format(PASSWORD)
    assert "hunter" not in str(refused(given)) and "hunter" not in shown(given)


@given(password=some.text(some.characters(codec="utf-8", exclude_categories=("Cc", "Cs")), min_size=1))
def test_a_password_is_taken_as_it_is_meant_or_refused_and_never_shown(password: str) -> None:
    def hidden(text: str) -> bool:
        return len(password) < 4 or password not in text

    url = f"postgresql+psycopg2://user:{password}@host.example:5432/db"
    try:
        taken = make_url(checked(url, "THE_URL"))
    except UserError as error:
        assert "@" in password and hidden(str(error))
    else:
        assert (taken.host, taken.port, taken.database) == ("host.example", 5432, "db")
    escaped = URL.create("postgresql", "user", password, "host.example", 5432, "db").render_as_string(
        hide_password=False
    )
    assert make_url(checked(escaped, "THE_URL")).password == password
    assert hidden(shown(url)) and hidden(shown(escaped))


def test_a_password_among_the_options_is_hidden_and_known() -> None:
    url = f"postgresql+psycopg2://u@h/db?password={PASSWORD}&sslmode=require"
    assert checked(url, "THE_URL") == url
    assert shown(url) == "postgresql+psycopg2://u@h/db?sslmode=require"
    assert secrets_of(url) == [PASSWORD]


class Connection(NamedTuple):
    """As Airflow keeps it."""

    conn_type: str = "postgres"
    login: str | None = "u"
    password: str | None = "first@second/th?ird"
    host: str | None = "h"
    port: int | None = 5432
    schema: str | None = "db"
    extra_dejson: dict[str, object] = {}  # noqa: RUF012


def test_airflows_connection_is_taken_with_any_password_and_with_extras_that_libpq_knows() -> None:
    taken = make_url(url_of(Connection(extra_dejson={"sslmode": "require", "connect_timeout": 3})))
    assert (taken.password, taken.host, dict(taken.query)) == ("first@second/th?ird", "h", {"sslmode": "require"})
    with pytest.raises(UserError, match=r"Airflow connection 'halluvault_db' has the option 'cursor'"):
        url_of(Connection(extra_dejson={"cursor": "dictcursor"}))


def test_each_fault_that_was_met_is_one_line(shared_data: Path) -> None:
    require((shared_data / "servers").is_dir(), "../shared/data/servers is not on this machine")
    seen = 0
    for file in sorted((shared_data / "servers").glob("pg-*.json")):
        urls = json.loads(file.read_text(encoding="utf-8"))["given"].get("url", [])
        for url in [urls] if isinstance(urls, str) else urls:
            seen += 1
            told = str(refused(url))
            assert "second" not in told and ":p@" not in told
    assert seen > 2
