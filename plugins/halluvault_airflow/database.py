"""The results database as a task sees it: Airflow's connection `halluvault_db`, else HALLUVAULT_DATABASE_URL.

Looked up inside tasks and requests only, never while a DAG file is parsed. It is never Airflow's own database.
"""

from collections.abc import Iterator
from contextlib import contextmanager

from sqlalchemy.orm import Session

from halluvault_tasks.settings import settings
from halluvault_tasks.storage import sessions
from halluvault_tasks.storage.connections import CONNECTION_ID, url_of


def database_url() -> str:
    """URL of the results database.

    Raises:
        UserError: neither the connection nor the environment variable names one.
    """
    from airflow.sdk import BaseHook
    from airflow.sdk.exceptions import AirflowNotFoundException

    try:
        connection = BaseHook.get_connection(CONNECTION_ID)
    except AirflowNotFoundException:
        return settings().require_database()
    return url_of(connection)


@contextmanager
def results() -> Iterator[Session]:
    """A session on the results database; stages commit at their own checkpoints."""
    with sessions.session(database_url()) as session:
        yield session
