import re

from sqlalchemy.orm import Session

from halluvault_tasks.results import views
from halluvault_tasks.settings import REPOSITORY


def test_every_column_of_every_view_carries_its_comment_after_two_installations(session: Session) -> None:
    views.install(session)
    views.install(session)
    found = views.columns(session)
    assert {column.view for column in found} == set(views.NAMES)
    assert all(column.comment == views.COLUMNS[column.name] for column in found)
    assert {column.name for column in found} == set(views.COLUMNS)
    session.rollback()


def test_the_documentation_explains_every_column_and_its_queries_run(session: Session) -> None:
    views.install(session)
    text = (REPOSITORY / "docs" / "results.md").read_text()
    for column in views.columns(session):
        assert f"| `{column.name}` | {column.comment} |" in text, column
    queries = re.findall(r"```sql\n(.*?)```", text, re.DOTALL)
    statements = [part for query in queries for part in query.split(";") if part.strip()]
    assert len(statements) == 9
    for statement in statements:
        session.connection().exec_driver_sql(statement.replace("%", "%%"))
    session.rollback()
