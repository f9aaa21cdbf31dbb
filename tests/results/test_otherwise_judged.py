"""After the reader changed, what one version judged is not held against what another one did."""

import pytest
from sqlalchemy import update
from sqlalchemy.orm import Session

from halluvault_tasks.errors import UserError
from halluvault_tasks.oracles import profiles
from halluvault_tasks.results import comparing, page, regression_gate, report, views
from halluvault_tasks.results.stages import summarise
from halluvault_tasks.storage import tables
from tests.oracles.material import SNAPSHOT
from tests.results.random_month import evaluation_of, judge_anew, publish, summarise_any_version
from tests.results.test_comparing import LATER, copy_month


def test_months_that_two_versions_of_a_profile_judged_are_not_compared_until_one_judged_both(session: Session) -> None:
    views.install(session)
    summarise(session, evaluation_of(session, evaluation="e1", name="real/one"))
    publish(session)
    copy_month(session)
    session.execute(update(tables.verdict).where(tables.verdict.c.evaluation_id == "e9").values(profile_version="9"))
    session.commit()
    for evaluation in ("e1", "e9"):
        summarise_any_version(session, evaluation)
    publish(session, LATER)
    assert comparing.compare(session, LATER).months == 0, "the difference would be the judge's"
    told = {one.profile: one for one in comparing.otherwise_judged(session, LATER)}
    assert set(told) == set(profiles.CURRENT)
    one = told[profiles.HEADLINE]
    assert (one.version, one.before, one.version_before) == ("9", SNAPSHOT, profiles.LEADING.version)
    assert f"--snapshots {SNAPSHOT},{LATER} " in one.way_out(LATER)
    for said in (page.month(session, LATER), report.html(session, LATER), report.markdown(session, LATER)):
        assert f"has version 9, and had {profiles.LEADING.version} in {SNAPSHOT}" in said
        assert "no model was asked in an earlier month" not in said.lower()
    with pytest.raises(UserError, match="the difference could be the judge's"):
        regression_gate.judge(
            session, f"real/one@{LATER}", [f"real/one@{SNAPSHOT}"], regression_gate.GateTerms(0.02, profiles.HEADLINE)
        )
    judge_anew(session, "e1", "9")
    assert comparing.compare(session, LATER).months == 3 * len(profiles.CURRENT)
    assert comparing.otherwise_judged(session, LATER) == []
