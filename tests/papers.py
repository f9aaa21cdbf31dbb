"""The queries of docs/papers.md, and a connection for whoever may only read."""

import re
from collections.abc import Iterator
from contextlib import closing, contextmanager

import psycopg2
import psycopg2.extras
from sqlalchemy import make_url
from sqlalchemy.orm import Session

from halluvault_tasks.results import views
from halluvault_tasks.settings import REPOSITORY
from halluvault_tasks.storage import roles
from tests.conftest import PASSWORDS

_BLOCK = re.compile(r"^## (.*?)\n.*?```sql\n(.*?)```", re.DOTALL | re.MULTILINE)

QUERIES: dict[str, str] = dict(_BLOCK.findall((REPOSITORY / "docs" / "papers.md").read_text(encoding="utf-8")))
"""Heading → its `SELECT`."""


def of(paper: str) -> list[str]:
    """The queries of one paper, in the page's order."""
    return [query for heading, query in QUERIES.items() if heading.startswith(paper)]


@contextmanager
def reader(session: Session) -> Iterator[psycopg2.extensions.cursor]:
    """A cursor of `halluvault_reader` over the views as they stand now. Commits."""
    views.install(session)
    roles.grant(session, views.NAMES)
    session.commit()
    url = make_url(session.get_bind().url)  # type: ignore[union-attr]
    connection = psycopg2.connect(
        host=url.host, port=url.port, dbname=url.database, user=roles.READER, password=PASSWORDS[roles.READER]
    )
    with closing(connection), connection.cursor(cursor_factory=psycopg2.extras.NamedTupleCursor) as cursor:
        yield cursor


def rows(session: Session, paper: str) -> list[int]:
    """How many rows each query of a paper gives to who may only read."""
    with reader(session) as cursor:
        found = []
        for query in of(paper):
            assert query.strip().count(";") == 1
            cursor.execute(query)
            found.append(cursor.rowcount)
        return found
