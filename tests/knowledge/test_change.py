"""From one month to the next: what changed is stored, what broke is refused, what is old can be dropped."""

from collections.abc import Callable, Iterable
from datetime import date

import pytest
from sqlalchemy import func, insert, select, text
from sqlalchemy.orm import Session

from halluvault_tasks.errors import UserError
from halluvault_tasks.knowledge import diff, load, normalise, retire, snapshots, stages, texts
from halluvault_tasks.knowledge.client import WikidataClient
from halluvault_tasks.knowledge.config import Domains
from halluvault_tasks.storage import tables
from halluvault_tasks.wikidata.iris import WIKIBASE
from tests.knowledge.store import PROP, WD, claim, constrained, labelled, merged, serve

DAY = date(2026, 11, 20)
PEOPLE = Domains.model_validate({
    "common": [],
    "domains": {"people": {"roots": [{"qid": "Q5"}], "properties": ["P19", "P26", "P69"]}},
})
SINGLE, SYMMETRIC = 19_474_404, 21_510_862


def pull(session: Session, faulty: Callable, lines: Iterable[str], key: str, source: str) -> snapshots.SnapshotRow:
    client = WikidataClient(faulty(store=serve(lines)).url)
    return stages.pull(session, key, client=client, domains=PEOPLE, source=source, as_of=DAY)


BEFORE = [
    *(claim(s, 31, 5) for s in (1, 2, 3)),
    *(labelled(qid, f"item {qid}") for qid in (1, 2, 3, 5, 20, 21, 30)),
    claim(1, 19, 20, guid="Q1-stays"),
    claim(1, 69, 30, guid="Q1-raised"),
    claim(2, 19, 20, guid="Q2-moves"),
    claim(2, 69, 31, guid="Q2-school-merged"),
    claim(3, 19, 20, guid="Q3-goes"),
    claim(4, 31, 5),
    claim(4, 69, 30, guid="Q4-person-merged"),
]
AFTER = [
    *(claim(s, 31, 5) for s in (1, 2, 3)),
    *(labelled(qid, f"item {qid}") for qid in (1, 2, 3, 5, 20, 21, 30)),
    claim(1, 19, 20, guid="Q1-stays"),
    claim(1, 69, 30, guid="Q1-raised", rank="Preferred"),
    claim(2, 19, 21, guid="Q2-moves"),
    claim(2, 69, 31, guid="Q2-school-merged"),
    merged(31, 30),
    claim(3, 26, 1, guid="Q3-new"),
    merged(4, 3),
    claim(1, 69, 4, guid="Q1-taught-by-merged"),
]


def test_what_changed_since_the_month_before_is_stored_when_the_month_is_frozen(
    session: Session, faulty: Callable
) -> None:
    pull(session, faulty, BEFORE, "2001-01", "changing")
    pull(session, faulty, AFTER, "2001-02", "changing")
    stored = {
        (row.change, row.guid, row.before)
        for row in session.execute(
            select(tables.statement_change).where(tables.statement_change.c.snapshot == "2001-02")
        )
    }
    assert stored == {
        ("rank", "Q1-raised", "2001-01"),
        ("value", "Q2-moves", "2001-01"),
        ("merged", "Q2-school-merged", "2001-01"),
        ("removed", "Q3-goes", "2001-01"),
        ("added", "Q3-new", "2001-01"),
        ("merged", "Q4-person-merged", "2001-01"),
        ("added", "Q1-taught-by-merged", "2001-01"),
    }
    counted = {row.pid: row[2:] for row in diff.compare(session, "2001-01", "2001-02")}
    assert counted == {19: (0, 1, 1, 0, 0), 26: (1, 0, 0, 0, 0), 69: (1, 0, 0, 1, 2)}
    # The stored one is what is read: it outlives the rows that it was made of.
    assert diff.is_stored(session, "2001-01", "2001-02") and not diff.is_stored(session, "2001-02", "2001-01")
    shown = diff.changes(session, "2001-01", "2001-02", 19, 10)
    assert [(row.change, row.subject, row.before, row.after) for row in shown] == [
        ("value", "item 2 (Q2)", "item 20 (Q20)", "item 21 (Q21)"),
        ("removed", "item 3 (Q3)", "item 20 (Q20)", ""),
    ]
    # Nothing refers to a merged item any more.
    assert session.scalars(
        select(tables.statement.c.o).where(tables.statement.c.snapshot == "2001-02", tables.statement.c.p == 69)
    ).all() == [30, 3, 30]


def written(qid: int, pid: int, text: str) -> str:
    """A statement with a text."""
    name = f"<{WD}statement/Q{qid}-{pid}>"
    return (
        f'<{WD}Q{qid}> <{PROP}P{pid}> {name} .\n{name} <{PROP}statement/P{pid}> "{text}" .\n'
        f"{name} <{WIKIBASE}rank> <{WIKIBASE}NormalRank> .\n"
    )


def test_months_of_two_normalisers_are_compared_as_the_newer_makes_them(
    session: Session, faulty: Callable, monkeypatch: pytest.MonkeyPatch
) -> None:
    people = [claim(qid, 31, 5) + labelled(qid, f"item {qid}") for qid in (1, 2)]
    first = [*people, written(1, 19, "Zu\u0308rich\u200b"), written(2, 19, "Bern")]
    with monkeypatch.context() as patch:
        # As the first normaliser left texts: as they came.
        patch.setattr(normalise, "clean", lambda text: text)
        patch.setattr(texts, "VERSION", 1)
        old = pull(session, faulty, first, "2004-01", "normalised")
    row = select(tables.statement.c.text).where(tables.statement.c.snapshot == "2004-01", tables.statement.c.s == 1)
    assert session.scalar(row) == "Zu\u0308rich\u200b"
    after = [*people, written(1, 19, "Zu\u0308rich\u200b"), written(2, 19, "Basel")]
    new = pull(session, faulty, after, "2004-02", "normalised")
    assert (snapshots.normaliser(session, "2004-01"), snapshots.normaliser(session, "2004-02")) == (1, 2)
    assert [change.guid for change in diff.changes(session, "2004-01", "2004-02", 19, 10)] == ["Q2-19"]
    assert diff.compare(session, "2004-01", "2004-02")[0].changed_value == 1
    # The frozen month keeps its rows and its hash.
    assert session.scalar(row) == "Zu\u0308rich\u200b" and snapshots.get(session, "2004-01") == old
    assert load.content_hash(session, "2004-01") == old.content_hash != new.content_hash
    # Two months of one normaliser are compared letter by letter.
    pull(session, faulty, [*people, written(1, 19, "Z\u00fcrich"), written(2, 19, "Basel")], "2004-03", "normalised")
    assert diff.compare(session, "2004-02", "2004-03") == []


def test_another_source_is_nothing_to_compare_with(session: Session, faulty: Callable) -> None:
    pull(session, faulty, AFTER, "2001-03", "another")
    assert session.scalar(select(func.count()).where(tables.statement_change.c.snapshot == "2001-03")) == 0
    assert snapshots.notes(session, "2001-03")["gates"]["compared_with"] == ""


def couples(broken: int, pairs: int = 120) -> list[str]:
    """Couples with a birthplace each; in `broken` of them one has two, and is not the other's spouse in return."""
    lines = [constrained(19, SINGLE), constrained(26, SYMMETRIC), constrained(69, 1)]
    for left in range(1000, 1000 + 2 * pairs, 2):
        right = left + 1
        lines += [claim(left, 31, 5), claim(right, 31, 5), claim(left, 19, 20), claim(right, 19, 20)]
        lines += [labelled(left, f"a {left}"), labelled(right, f"b {right}"), claim(left, 26, right)]
        lines += [claim(left, 19, 21)] if left < 1000 + 2 * broken else []
        lines += [claim(right, 26, left if left >= 1000 + 2 * broken else 9000 + right)]
    return lines


def test_most_constraints_broken_twice_as_often_stop_the_month(session: Session, faulty: Callable) -> None:
    first = pull(session, faulty, couples(40), "2002-01", "couples")
    gates = snapshots.notes(session, "2002-01")["gates"]
    assert gates["violations"] == {"P19 single value": 40, "P26 symmetric": 40}
    # Ninety are fewer than twice the least that counts (50).
    pull(session, faulty, couples(90), "2002-02", "couples")
    with pytest.raises(
        UserError, match=r"most constraints are broken more often \(2 of 2\): P19 single value 40 → 110"
    ):
        session.execute(text("UPDATE snapshot SET source = 'gone' WHERE snapshot = '2002-02'"))
        pull(session, faulty, couples(110), "2002-03", "couples")
    assert snapshots.get(session, "2002-03").status == "pulling"
    assert snapshots.find(session, "2002-01") == first
    (incident,) = session.execute(select(tables.incident).where(tables.incident.c.snapshot == "2002-03"))
    assert incident.kind == "gate_failed" and "last good snapshot stays" in incident.way_out


def test_an_old_month_is_dropped_and_its_benchmark_stays(session: Session, faulty: Callable) -> None:
    for key in ("2003-01", "2003-02", "2003-03"):
        pull(session, faulty, AFTER, key, "old")
    made = {"suite": "relation", "seed": 1, "config_hash": "x", "content_hash": "y", "counts": {}}
    session.execute(insert(tables.benchmark_part), [made | {"snapshot": key} for key in ("2003-01", "2003-03")])
    session.commit()
    with pytest.raises(UserError, match="2003-03 is the newest published one from old"):
        retire.drop(session, "2003-03")
    assert retire.drop(session, "2003-01").benchmark_kept
    assert not retire.drop(session, "2003-02").benchmark_kept
    keys = {row.snapshot for row in snapshots.listing(session) if row.source == "old"}
    assert keys == {"2003-01", "2003-03"}
    assert snapshots.dropped(session) == {"2003-01"}
    assert session.scalar(select(func.count()).select_from(tables.benchmark_part)) == 2
    for key in ("2003-01", "2003-02"):
        assert session.scalar(select(func.count()).where(tables.statement.c.snapshot == key)) == 0
    # The next month is held against what still has rows.
    row = pull(session, faulty, AFTER, "2003-04", "old")
    assert snapshots.predecessor(session, row).snapshot == "2003-03"
    # A month that went altogether can be pulled again.
    pull(session, faulty, AFTER, "2003-02", "old")


def test_a_frozen_month_that_is_not_published_is_named_with_the_key_that_means_it(session: Session) -> None:
    session.execute(
        insert(tables.snapshot).values(snapshot="2004-05", month="2004-05", as_of=DAY, source="x", status="frozen")
    )
    session.commit()
    with pytest.raises(UserError, match=r"2004-05 is frozen → halluvault snapshot publish 2004-05\.1"):
        snapshots.find(session, "2004-05")
    assert snapshots.find(session, "2004-05.1").snapshot == "2004-05"
