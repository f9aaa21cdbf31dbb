"""Months of a source that loses something: counted by cause, held back or stopped, told of."""

from collections.abc import Callable, Iterable
from datetime import date

import pytest
from sqlalchemy import select
from sqlalchemy.orm import Session

from halluvault_tasks.errors import UserError
from halluvault_tasks.knowledge import changes_by_cause, key_counts, retire, snapshots, stages, summary
from halluvault_tasks.knowledge.client import WikidataClient
from halluvault_tasks.knowledge.config import Domains
from halluvault_tasks.knowledge.falls import CLASS, PROPERTY
from halluvault_tasks.storage import tables
from tests.knowledge.store import claim, labelled, merged, serve

DAY = date(2026, 11, 20)
WANTED = Domains.model_validate({
    "common": [],
    "domains": {"people": {"roots": [{"qid": "Q5"}, {"qid": "Q16334295"}], "properties": ["P19", "P20", "P26", "P69"]}},
})
PEOPLE = range(1000, 1120)
PLACE = 20


def pull(
    session: Session, faulty: Callable, lines: Iterable[str], key: str, source: str, domains: Domains = WANTED
) -> snapshots.SnapshotRow:
    client = WikidataClient(faulty(store=serve(lines)).url)
    return stages.pull(session, key, client=client, domains=domains, source=source, as_of=DAY)


def people(less: Iterable[str] = (), more: Iterable[str] = ()) -> list[str]:
    """A hundred and twenty people with a place of birth and a place of death."""
    lines = [labelled(PLACE, "a place")]
    for qid in PEOPLE:
        lines += [claim(qid, 31, 5), labelled(qid, f"person {qid}"), claim(qid, 19, PLACE), claim(qid, 20, PLACE)]
        lines += [claim(qid, 69, 30)]
    return [*(line for line in lines if line not in set(less)), *more]


def of(counts: Iterable[key_counts.KeyCount], kind: str, key: int) -> key_counts.KeyCount:
    return next(one for one in counts if (one.kind, one.key) == (kind, key))


def test_what_left_is_counted_by_cause(session: Session, faulty: Callable) -> None:
    pull(session, faulty, people(), "1950-01", "causes")
    gone = [line for qid in (1000, 1001, 1002) for line in everything(qid)]
    after = people(
        less=[
            *gone,
            claim(1003, 31, 5),
            claim(1004, 19, PLACE),
            claim(1005, 19, PLACE),
            *(claim(1006, pid, PLACE) for pid in (19, 20)), claim(1006, 69, 30),
            claim(1007, 19, PLACE),
            labelled(1008, "person 1008"),
        ],
        more=[
            merged(1000, 1010),
            claim(1003, 31, 16_334_295),  # another class of the domain
            claim(1005, 26, PLACE, guid="Q1005-elsewhere"),  # under another property
            claim(1007, 19, PLACE, guid="Q1007-again"),
            labelled(1008, "vandalised"),
        ],
    )  # fmt: skip
    pull(session, faulty, after, "1950-02", "causes")
    counts = changes_by_cause.counts(session, "1950-02", "1950-01", 1)
    human = of(counts, "class", 5)
    assert (human.before, human.rows, human.causes) == (120, 116, {"merged": 1, "retyped": 1, "deleted": 2})
    birth = of(counts, "property", 19)
    assert (birth.before, birth.rows) == (120, 114)
    assert birth.causes == {"merged": 1, "gone": 2, "deleted": 1, "moved": 2, "unanswered": 1}
    assert of(counts, "property", 26).added == 1 and birth.added == 1
    assert of(counts, "names", 5).causes == {"renamed": 1}
    assert key_counts.held(session, "1950-02") == [], "three of 120 are chance"


def everything(qid: int) -> list[str]:
    return [claim(qid, 31, 5), labelled(qid, f"person {qid}"), claim(qid, 19, PLACE), claim(qid, 20, PLACE),
            claim(qid, 69, 30)]  # fmt: skip


def test_a_property_emptied_is_held_back_the_month_is_published_and_says_so(session: Session, faulty: Callable) -> None:
    pull(session, faulty, people(), "1951-01", "emptied")
    emptied = people(less=[claim(qid, 69, 30) for qid in PEOPLE])
    row = pull(session, faulty, emptied, "1951-02", "emptied")
    assert row.status == "published"
    (held,) = key_counts.held(session, "1951-02")
    assert (held.kind, held.key) == (PROPERTY.name, 69)
    assert held.words == "P69 120 → 0 statements since 1951-01: 120 deleted"
    (incident,) = session.execute(select(tables.incident).where(tables.incident.c.snapshot == "1951-02"))
    assert incident.kind == "held_back" and "P69 120 → 0" in incident.message
    assert "gates.accepted" in incident.way_out
    told = summary.remarks(snapshots.notes(session, "1951-02"))
    assert f"held back, nothing is asked of it this month: {held.words}" in told
    # What stands for a month is asked again, without a hand.
    pull(session, faulty, emptied, "1951-03", "emptied")
    assert key_counts.held(session, "1951-03") == []
    # The counts outlive the month's rows, as long as its benchmark does.
    retire.drop(session, "1951-02")
    assert session.scalar(select(tables.key_count.c.key).where(tables.key_count.c.snapshot == "1951-02")) is None


def test_a_class_re_typed_is_held_back_and_told_from_a_loss(session: Session, faulty: Callable) -> None:
    others = [line for qid in range(2000, 2080) for line in (claim(qid, 31, 16_334_295), labelled(qid, f"group {qid}"))]
    others += [claim(qid, 31, kind) for qid in range(2000, 2080) for kind in (7, 8)]
    pull(session, faulty, people(more=others), "1952-01", "typed")
    half = PEOPLE[:60]
    retyped = people(less=[claim(qid, 31, 5) for qid in half], more=[claim(qid, 31, 16_334_295) for qid in half])
    row = pull(session, faulty, [*retyped, *others], "1952-02", "typed")
    assert row.status == "published"
    assert [(one.kind, one.key, one.words) for one in key_counts.held(session, "1952-02")] == [
        (CLASS.name, 5, "Q5 120 → 60 seeds since 1952-01: 60 of another class now")
    ]


def test_a_source_cut_in_half_or_doubled_is_not_published(session: Session, faulty: Callable) -> None:
    pull(session, faulty, people(), "1953-01", "halved")
    half = people(less=[line for qid in PEOPLE[:60] for line in everything(qid)])
    with pytest.raises(UserError, match=r"most classes fell \(1 of 1\): Q5 120 → 60 seeds .*60 in no answer any more"):
        pull(session, faulty, half, "1953-02", "halved")
    twice = people(more=[line.replace("Q1", "Q31") for line in people()])
    with pytest.raises(UserError, match=r"seeds rose from 120 to 240 since 1953-01: the source looks doubled"):
        pull(session, faulty, twice, "1953-03", "halved")
    assert not session.scalar(
        select(tables.snapshot.c.snapshot).where(
            tables.snapshot.c.source == "halved", tables.snapshot.c.status == "published",
            tables.snapshot.c.month > "1953-01",
        )
    )  # fmt: skip


def test_a_changed_configuration_is_said_and_not_taken_for_a_loss(session: Session, faulty: Callable) -> None:
    pull(session, faulty, people(), "1954-01", "configured")
    fewer = Domains.model_validate({
        "common": [], "gates": {"class_drop": 0.5},
        "domains": {"people": {"roots": [{"qid": "Q5"}], "properties": ["P19", "P26"], "limit": 60}},
    })  # fmt: skip
    pull(session, faulty, people(), "1954-02", "configured", fewer)
    assert key_counts.held(session, "1954-02") == []
    told = summary.remarks(snapshots.notes(session, "1954-02"))
    assert any("domains.yaml finds seeds in another way than in 1954-01" in line for line in told)
    assert "gates were changed since 1954-01, and this month is judged by them: class_drop 0.02 → 0.5" in told
    counts = {(one.kind, one.key): one for one in stored(session, "1954-02")}
    assert (counts["class", 5].rows, counts["class", 5].before) == (60, 0), "it tells later months nothing of losses"
    assert counts["property", 19].before == counts["property", 19].rows == 60 and not counts["property", 19].causes
    pull(session, faulty, people(), "1954-03", "configured", fewer)
    assert not any("domains.yaml" in line or "gates were" in line for line in remarks(session, "1954-03"))


def stored(session: Session, snapshot: str) -> list[key_counts.KeyCount]:
    table = tables.key_count.c
    query = select(*(table[name] for name in key_counts.KeyCount._fields)).where(table.snapshot == snapshot)
    return [key_counts.KeyCount(*row) for row in session.execute(query)]


def remarks(session: Session, snapshot: str) -> list[str]:
    return summary.remarks(snapshots.notes(session, snapshot))


def test_a_constraint_broken_more_often_holds_its_property_back(session: Session) -> None:
    from halluvault_tasks.knowledge.config import Gates
    from halluvault_tasks.knowledge.falls import MonthPair
    from halluvault_tasks.knowledge.pull_gates import damaged

    then = {"P19 single value": 60, "P20 single value": 80, "P26 symmetric": 70}
    found = damaged(then, then | {"P19 single value": 130}, Gates(), MonthPair("2026-11", "2026-10"))
    assert not found.stopped
    assert [(one.key, one.words) for one in found.held] == [(19, "P19 single value 60 → 130 broken since 2026-10")]
    most = damaged(then, dict.fromkeys(then, 500), Gates(), MonthPair("2026-11", "2026-10"))
    assert most.stopped and not most.held


def test_a_year_is_remembered_by_counts_that_outlive_their_rows(session: Session) -> None:
    source, month = "remembering", "2001-{:02d}".format
    for n in range(1, 13):
        key = month(n)
        row = stages.open_snapshot(session, key, source=source, as_of=DAY, live=False)
        left = 1000 - 15 * n
        leak = key_counts.KeyCount("class", 5, left, left + 15 if n > 1 else 0, {"deleted": 15} if n > 1 else {})
        key_counts.store(session, key, [leak, leak._replace(key=6, rows=1000, before=1000, causes={})], [])
        snapshots.note(session, key, {"complete": {"asked": WANTED.asked()}})
        session.execute(
            tables.snapshot
            .update()
            .where(tables.snapshot.c.snapshot == key)
            .values(status="published", dropped_at=None)
        )
    row = stages.open_snapshot(session, "2002-01", source=source, as_of=DAY, live=False)
    snapshots.note(session, "2002-01", {"complete": {"asked": WANTED.asked()}})
    now = key_counts.KeyCount("class", 5, 790, 820, {"deleted": 20, "merged": 10})
    remembered = key_counts.SourcePast(session, row)
    year = remembered.year([now])
    assert year["class", 5] == (985, 10, "2001-01") and year["class", 6] == (1000, 0, "2001-01")
    assert remembered.past(50).spread(CLASS, 5).mean == pytest.approx(0.0164, rel=0.02), "of its own"
    # Other seeds are another source, as far as that goes.
    snapshots.note(session, "2002-01", {"complete": {"asked": {**WANTED.asked(), "seeds": "others"}}})
    assert key_counts.SourcePast(session, row).year([now]) == {}
    session.rollback()
