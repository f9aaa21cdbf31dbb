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
    told: dict[str, set[str]] = {}
    dictionary = text.split("\n## The columns\n")[1].split("\n## ")[0]
    for column in views.columns(session):
        if column.view.startswith("results_v1."):
            told.setdefault(column.view.removeprefix("results_v1."), set()).add(column.name)
            assert f"| `{column.name}` | {column.comment} |" in dictionary, column
    assert len(re.findall(r"^\| `", dictionary, re.MULTILINE)) == len(set.union(*told.values()))
    for view, names in told.items():
        listed = " ".join(text.split(f"\n## `{view}`\n")[1].split("\nColumns: ")[1].split(".\n\n")[0].split())
        base, lacks, has = listed.partition("(#by_model)")
        if lacks:
            without, _, more = has.partition("; and ")
            found = (told["by_model"] - set(re.findall(r"`(\w+)`", without))) | set(re.findall(r"`(\w+)`", more))
        else:
            found = set(re.findall(r"`(\w+)`", base))
        assert found == names, view
    queries = re.findall(r"```sql\n(.*?)```", text, re.DOTALL)
    assert len(queries) == 17
    for query in queries:
        session.connection().exec_driver_sql(query.replace("%", "%%"))
    session.rollback()
