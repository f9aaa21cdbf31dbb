"""What comes with the version of how right the judge was is stored once, and the view shows it."""

from pathlib import Path

from sqlalchemy import text
from sqlalchemy.orm import Session

from halluvault_tasks.oracles import measured, profiles
from halluvault_tasks.oracles.measure import responses
from halluvault_tasks.oracles.measure.responses import TextVerdict
from halluvault_tasks.oracles.measure.texts import SetText
from halluvault_tasks.results import views


def verdict(right: bool, faulty: bool, category: str) -> TextVerdict:
    return TextVerdict(SetText("c", "q", "t", None, right, faulty, 1), category, "yes", "R1")


def test_the_shares_of_a_set_are_stored_once_and_shown_for_all_texts_and_for_right_answers(
    session: Session, tmp_path: Path
) -> None:
    views.install(session)
    judged = [
        verdict(True, False, "normal"), verdict(True, False, "both"), verdict(True, True, "both"),
        verdict(False, True, "normal"),
    ]  # fmt: skip
    file = tmp_path / "measured.jsonl"
    measured.write([responses.figures("one set", judged)], file)
    assert [measured.store(session, file) for _ in range(2)] == [1, 0]
    rows = session.execute(
        text(
            "SELECT stratum, responses, precision, recall, sound_convicted, month, is_current"
            " FROM results_v1.oracle_trust WHERE part = 'one set' ORDER BY stratum"
        )
    ).all()
    assert rows == [("all", 4, 0.5, 0.5, 0.5, None, True), ("right answer", 3, 0.5, 1.0, 0.5, None, True)]


def test_every_set_of_the_package_is_of_the_profile_that_leads(session: Session) -> None:
    views.install(session)
    assert measured.store(session) > 10
    query = text("SELECT DISTINCT profile FROM results_v1.oracle_trust WHERE snapshot = :sets")
    assert session.scalars(query, {"sets": measured.SETS}).all() == [profiles.HEADLINE]
