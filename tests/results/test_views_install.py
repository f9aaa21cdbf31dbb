import re

from sqlalchemy.orm import Session

from halluvault_tasks.results import views
from halluvault_tasks.results.columns import COLUMNS
from halluvault_tasks.settings import REPOSITORY

DASHBOARDS_NEED = {"month", "snapshot", "data_through", "refreshed_at", "is_current"}
OF_NO_SUITE = {"incidents", "oracle_trust"}


def test_every_column_of_every_view_carries_its_comment_after_two_installations(session: Session) -> None:
    views.install(session)
    views.install(session)
    found = views.columns(session)
    assert {column.view for column in found} == set(views.NAMES)
    assert all(column.comment == COLUMNS[column.name] for column in found)
    assert {column.name for column in found} == set(COLUMNS)
    session.rollback()


def test_every_view_of_results_can_be_put_on_a_time_axis_and_told_from_what_is_superseded(session: Session) -> None:
    views.install(session)
    for view in views.VIEWS:
        columns = {c.name: c.type for c in views.columns(session) if c.view == f"results_v1.{view}"}
        assert columns.keys() >= DASHBOARDS_NEED, view
        assert columns["month"] == "date"
        assert "suite" in columns or view in OF_NO_SUITE, view
        assert "variant" in columns or not columns.keys() & {"model", "model_a"}, view
    session.rollback()


def test_the_documentation_explains_every_column_and_its_queries_run(session: Session) -> None:
    views.install(session)
    text = (REPOSITORY / "docs" / "results.md").read_text()
    for column in views.columns(session):
        if column.view.startswith("results_v1."):
            section = text.split(f"\n## `{column.view.removeprefix('results_v1.')}`\n")[1].split("\n## ")[0]
            assert f"| `{column.name}` | {column.comment} |" in section, column
    queries = re.findall(r"```sql\n(.*?)```", text, re.DOTALL)
    assert len(queries) == 16
    for query in queries:
        session.connection().exec_driver_sql(query.replace("%", "%%"))
    session.rollback()
