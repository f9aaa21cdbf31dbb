"""Turns an orchestrator's record of a database connection into the URL that everything here takes."""

from collections.abc import Mapping
from typing import Any, Protocol

from sqlalchemy import URL

from halluvault_tasks import database_urls
from halluvault_tasks.errors import UserError

CONNECTION_ID = "halluvault_db"
"""Name of Airflow's connection to the results database."""


class Connection(Protocol):
    """The part of an Airflow connection that matters here (its own class is not imported)."""

    conn_type: str
    login: str | None
    password: str | None
    host: str | None
    port: int | None
    schema: str | None
    """The database's name."""

    @property
    def extra_dejson(self) -> Mapping[str, Any]:
        """Options; text values (`sslmode` …) go to libpq."""


def url_of(connection: Connection) -> str:
    """The connection as `postgresql+psycopg2://…`.

    Raises:
        UserError: it is not a connection to Postgres, or has an extra that libpq does not know.
    """
    if connection.conn_type not in {"postgres", "postgresql"}:
        raise UserError(
            f"Airflow connection {CONNECTION_ID!r} has type {connection.conn_type!r}; it must be postgres",
            f"correct it, or set HALLUVAULT_DATABASE_URL and run `airflow connections delete {CONNECTION_ID}`",
        )
    url = URL.create(
        database_urls.DRIVER,
        connection.login or None,
        connection.password or None,
        connection.host or None,
        connection.port or None,
        connection.schema or None,
        {name: value for name, value in connection.extra_dejson.items() if isinstance(value, str)},
    )
    return database_urls.checked(url.render_as_string(hide_password=False), f"Airflow connection {CONNECTION_ID!r}")
