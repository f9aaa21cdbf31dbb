"""The drill of an upgrade: it finds a row that went, and one that changed; a version that git lacks is one line."""

from pathlib import Path

import pytest
from sqlalchemy import text
from sqlalchemy.orm import Session

from benchmarks import upgrade, upgrade_kept
from benchmarks.upgrade_stage import unpacked
from halluvault_tasks.errors import UserError
from halluvault_tasks.results import views


def lost(session: Session) -> dict[str, int]:
    return {one.name: one.lost for one in upgrade_kept.compare(session) if one.lost}


def test_a_row_that_went_and_one_that_changed_are_found_in_tables_and_views(session: Session) -> None:
    views.install(session)
    for key in ("2026-05", "2026-06"):
        session.execute(
            text(
                'INSERT INTO incident (kind, "where", message, way_out, snapshot)'
                " VALUES ('failed', 'refresh', 'm', 'w', :key)"
            ),
            {"key": key},
        )
    session.commit()
    assert upgrade_kept.copy_aside(session) >= 4, "two rows, each of the table and of its view"
    assert lost(session) == {}
    session.execute(text("UPDATE incident SET message = 'another' WHERE snapshot = '2026-05'"))
    assert lost(session) == {"incident": 1, "results_v1.incidents": 1}
    session.execute(text("DELETE FROM incident"))
    assert lost(session) == {"incident": 2, "results_v1.incidents": 2}
    session.execute(text("INSERT INTO alembic_version VALUES ('9999')"))
    assert set(lost(session)) == {"incident", "results_v1.incidents"}, "what an upgrade replaces does not count"


def test_a_version_that_git_does_not_have_is_one_line(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="git has no 0000000: "):
        unpacked("0000000", tmp_path / "before")
    assert not (tmp_path / "before").exists()


def test_an_upgrade_needs_a_month_on_either_side(capsys: pytest.CaptureFixture[str]) -> None:
    assert upgrade.main(["--months", "1"]) == 2
    assert "--months is 1; an upgrade stands between two" in capsys.readouterr().err
