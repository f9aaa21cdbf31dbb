"""A program and a database of different versions: one line, and nothing is done."""

import pytest
from sqlalchemy import text
from sqlalchemy.orm import Session

from halluvault_tasks.errors import UserError
from halluvault_tasks.storage import migrate, sessions, versions


def set_version(session: Session, version: str) -> None:
    session.execute(text("UPDATE alembic_version SET version_num = :version"), {"version": version})
    session.commit()
    sessions._known.clear()  # as a process that starts now


def test_a_database_of_another_version_is_refused_with_the_way_out(session: Session, database_url: str) -> None:
    here = session.scalar(text("SELECT version_num FROM alembic_version"))
    assert here == versions.ours(), "migrating brings a database to this program's version"
    try:
        set_version(session, "0009")
        with pytest.raises(UserError, match=r"of version 0009, .* → run `halluvault db upgrade`"):
            sessions.session(database_url).__enter__()
        set_version(session, "9999")
        with pytest.raises(UserError, match=r"newer than this program's .* → update this program"):
            sessions.session(database_url).__enter__()
        with pytest.raises(UserError, match=r"of version 9999, which is newer"):
            migrate.upgrade(database_url)
    finally:
        set_version(session, here)
    with sessions.session(database_url) as known:
        assert known.scalar(text("SELECT version_num FROM alembic_version")) == here


@pytest.mark.parametrize(
    ("version", "refused"), [((14, 11), True), ((9, 6, 24), True), ((15, 0), False), ((18, 0), False)]
)
def test_servers_before_15_are_refused(version: tuple[int, ...], refused: bool) -> None:
    if refused:
        with pytest.raises(UserError, match=rf"is PostgreSQL {version[0]}\..*; HalluVault needs 15 to 18"):
            versions.require_server(version, "here")
    else:
        versions.require_server(version, "here")
