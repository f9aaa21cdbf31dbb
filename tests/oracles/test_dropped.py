"""A month's rows go only once nothing needs them, and nothing is judged without them."""

from datetime import date

import pytest
from sqlalchemy import func, insert, select
from sqlalchemy.orm import Session

from halluvault_tasks.errors import UserError
from halluvault_tasks.knowledge import retire
from halluvault_tasks.oracles.stages import rescore, score
from halluvault_tasks.storage import tables
from tests.oracles.material import SNAPSHOT, fill

ANSWERS = [("c1", "Yes, he was.\n1. Charles Dickens was born in Portsmouth."), ("c2", "No.")]


def verdicts(session: Session) -> list[tuple[str, str, str]]:
    columns = (tables.verdict.c.case_id, tables.verdict.c.profile, tables.verdict.c.category)
    return [tuple(row) for row in session.execute(select(*columns).order_by(*columns))]


def test_a_month_is_dropped_after_its_last_verdict_and_never_judged_again(session: Session) -> None:
    evaluation = fill(session, ANSWERS)
    [source] = session.scalars(select(tables.snapshot.c.source).where(tables.snapshot.c.snapshot == SNAPSHOT))
    for month in ("2098-01", "2099-01"):
        newer = {"snapshot": month, "month": month, "as_of": date(2099, 1, 1), "source": source, "status": "published"}
        session.execute(insert(tables.snapshot).values(newer))
    session.execute(tables.snapshot.update().where(tables.snapshot.c.snapshot == SNAPSHOT).values(status="published"))
    session.commit()
    assert retire.beyond(session, 2) == [SNAPSHOT]
    assert retire.beyond(session, 3) == []
    with pytest.raises(UserError, match=f"2 responses of {SNAPSHOT} are not judged yet.*score run"):
        retire.drop(session, SNAPSHOT)
    session.rollback()
    score(session, evaluation)
    before = verdicts(session)
    assert before
    fact = {"formula": "x", "at": 1, "granularity": "year", "truth": True, "operators": [], "depth": 0, "atoms": {}}
    temporal = {"snapshot": SNAPSHOT, "id": "0", **fact, "certain": [], "possible": [], "program": "true."}
    session.execute(insert(tables.temporal_fact).values(temporal))
    retire.drop(session, SNAPSHOT)
    assert session.scalar(select(func.count()).select_from(tables.temporal_fact)) == 0
    assert retire.beyond(session, 2) == []

    with pytest.raises(UserError, match=f"the rows of {SNAPSHOT} were dropped"):
        rescore(session, evaluation)
    session.rollback()
    assert score(session, evaluation).judged == 0, "a finished month is finished"
    session.execute(tables.verdict.delete().where(tables.verdict.c.case_id == "c2"))
    session.commit()
    with pytest.raises(UserError, match=f"the rows of {SNAPSHOT} were dropped"):
        score(session, evaluation)
    session.rollback()
    assert verdicts(session) == [row for row in before if row[0] == "c1"]
    assert session.scalar(select(func.count()).select_from(tables.response)) == 2
