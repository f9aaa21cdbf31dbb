from sqlalchemy.orm import Session

from halluvault_tasks.results import views


def test_every_column_of_every_view_carries_its_comment_after_two_installations(session: Session) -> None:
    views.install(session)
    views.install(session)
    found = views.columns(session)
    assert {column.view for column in found} == set(views.NAMES)
    assert all(column.comment == views.COLUMNS[column.name] for column in found)
    assert {column.name for column in found} == set(views.COLUMNS)
    session.rollback()
