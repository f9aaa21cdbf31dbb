"""What is stated about a batch: all of it, and the same in whatever order and company batches come."""

from collections.abc import Iterator

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sqlalchemy import event
from sqlalchemy.orm import Session

from halluvault_tasks.oracles import snapshot_view
from halluvault_tasks.oracles.snapshot_view import BatchStatements, SnapshotView
from halluvault_tasks.reasoning.rules import active_rules
from halluvault_tasks.storage import sessions
from tests.oracles.material import ENTITIES, SNAPSHOT, STATEMENTS, fill

PLACED, BACKWARD = 131, (22,)
ANY = st.sampled_from([*(qid for qid, *_ in ENTITIES), 0, 999])


@pytest.fixture(scope="module")
def stated(database_url: str) -> Iterator[Session]:
    with sessions.session(database_url) as session:
        fill(session, [("c1", "Yes.")])
        yield session


def brute_force(batch: set[int]) -> set[tuple[int, int, int]]:
    """Statements whose subject is of the batch, above one of it or named by one of it; of some properties both ways."""
    rows = {(row["p"], row["s"], row["o"]) for row in STATEMENTS if row["kind"] == "item"}
    above = set(batch)
    for _ in rows:
        above |= {o for p, s, o in rows if s in above and p == PLACED}
    near = {o for _, s, o in rows if s in batch}
    return {(p, s, o) for p, s, o in rows if s in above | near or (o in batch and p in BACKWARD)}


def found(facts: BatchStatements) -> set[tuple[int, int, int]]:
    return {(p, s, o) for (p, s), objects in facts.items.items() for o in objects}


@pytest.mark.parametrize(("ahead", "most"), [(1000, 200_000), (2, 200_000), (3, 2), (0, 0)])
@settings(deadline=None, max_examples=25, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(batches=st.lists(st.sets(ANY, max_size=4), max_size=4), expected=st.lists(ANY, max_size=12))
def test_a_batch_gets_all_that_is_stated_whatever_was_read_before(
    stated: Session, batches: list[set[int]], expected: list[int], ahead: int, most: int
) -> None:
    rules = active_rules(stated, SNAPSHOT)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(snapshot_view, "_AHEAD", ahead)
        patch.setattr(snapshot_view, "_MOST", most)
        kept = SnapshotView(stated, SNAPSHOT, rules, (), expected)
        for batch in batches:
            facts = kept.fetch(batch)
            assert found(facts) == brute_force(batch - {0})
            assert facts == SnapshotView(stated, SNAPSHOT, rules, ()).fetch(batch)
            dates = {(row["p"], row["s"]) for row in STATEMENTS if row["kind"] == "time" and row["s"] in batch}
            assert set(facts.values) == dates


def test_what_was_read_ahead_is_not_asked_for_again(stated: Session) -> None:
    view = SnapshotView(stated, SNAPSHOT, active_rules(stated, SNAPSHOT), (), [1, 2, 3, 4])
    asked: list[str] = []
    event.listen(stated.connection(), "before_cursor_execute", lambda *of: asked.append(of[2]))
    view.fetch([1])
    assert asked
    asked.clear()
    assert found(view.fetch([2, 3, 4])) == brute_force({2, 3, 4})
    assert asked == []
    view.fetch([6])
    assert asked, "what nobody expected"
