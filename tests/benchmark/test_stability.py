"""What must have stood in two snapshots before it is asked, and which snapshots come before which."""

import json
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import select, update
from sqlalchemy.orm import Session

from halluvault_tasks.benchmark import stages
from halluvault_tasks.benchmark.cases.difficulty import NEWS
from halluvault_tasks.benchmark.cases.hindrances import Hindrance
from halluvault_tasks.benchmark.export import reading
from halluvault_tasks.benchmark.freeze import changes, part_lookup
from halluvault_tasks.benchmark.stages import BenchmarkCounts
from halluvault_tasks.knowledge import diff, key_counts
from halluvault_tasks.knowledge.falls import Fall, KeyCount
from halluvault_tasks.storage import tables
from halluvault_tasks.wikidata.days import day_number

STATEMENT, ENTITY, SNAPSHOT = tables.statement, tables.entity, tables.snapshot


@pytest.fixture
def build(session: Session, config_dir: Path) -> Callable[[str], BenchmarkCounts]:
    return lambda snapshot: stages.build(session, snapshot, config_dir=config_dir, size="all")


def set_row(session: Session, snapshot: str, **values: Any) -> None:
    session.execute(update(SNAPSHOT).where(SNAPSHOT.c.snapshot == snapshot).values(**values))
    session.commit()


def every_case(session: Session, snapshot: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in reading.export(session, snapshot)]


def too_new(session: Session, snapshot: str) -> dict[str, int]:
    return {
        suite: of.dropped.get(Hindrance.TOO_NEW(), 0) for suite, of in part_lookup.statistics(session, snapshot).items()
    }


def test_the_first_month_is_flagged_and_asks_everything(
    session: Session, make_world: Callable[..., str], build: Callable[[str], BenchmarkCounts]
) -> None:
    counts = build(make_world("2043-01"))
    assert counts.first_month
    assert all(of.first_month for of in part_lookup.statistics(session, "2043-01").values())
    assert too_new(session, "2043-01") == {"relation": 0, "temporal": 0}
    assert build("2043-01").first_month, "a second run reads the flag"


@pytest.mark.parametrize(
    "earlier",
    [{"status": "frozen"}, {"status": "published", "source": "another"}, {"status": "published", "month": "2043-12"}],
)
def test_only_an_earlier_published_snapshot_of_the_same_source_confirms(
    session: Session,
    write: Callable[[str], None],
    make_world: Callable[..., str],
    build: Callable[[str], BenchmarkCounts],
    earlier: dict[str, str],
) -> None:
    write("2043-02")
    set_row(session, "2043-02", **earlier)
    try:
        assert build(make_world("2043-03")).first_month
    finally:
        set_row(session, "2043-02", status="frozen")


def test_an_unchanged_second_month_asks_the_same_without_a_flag(
    session: Session, make_world: Callable[..., str], build: Callable[[str], BenchmarkCounts]
) -> None:
    first = build(make_world("2044-01"))
    set_row(session, "2044-01", status="published")
    try:
        second = build(make_world("2044-02"))
        assert not second.first_month
        assert not any(of.first_month for of in part_lookup.statistics(session, "2044-02").values())
        assert second.sum("cases") == first.sum("cases")
        assert second.sum("new_cases") == 0
    finally:
        set_row(session, "2044-01", status="frozen")


def test_what_the_month_holds_back_is_not_asked_and_the_rest_is(
    session: Session, make_world: Callable[..., str], build: Callable[[str], BenchmarkCounts]
) -> None:
    build(make_world("2044-03"))
    part_lookup.publish(session, "2044-03")
    set_row(session, "2044-03", status="published")
    make_world("2044-04")
    before = every_case(session, "2044-03")
    # What least rests on, so that something is left.
    premises = [premise for one in before for premise in one["premises"] if "qid" in premise["subject"]]
    kinds = {
        one.qid: one.types
        for one in session.execute(select(ENTITY.c.qid, ENTITY.c.types).where(ENTITY.c.snapshot == "2044-04"))
    }
    pid = min(found := Counter(one["property"] for one in premises), key=found.__getitem__)
    kind = min(found := Counter(k for one in premises for k in kinds[one["subject"]["qid"]]), key=found.__getitem__)
    held = [Fall("property", pid, "it fell"), Fall("class", kind, "so did its seeds")]
    key_counts.store(session, "2044-04", [KeyCount(one.kind, one.key, 0, 100, {"deleted": 100}) for one in held], held)
    session.commit()
    try:
        counts = build("2044-04")
        now = every_case(session, "2044-04")
        steps = part_lookup.statistics(session, "2044-04")
    finally:
        parts = tables.benchmark_part
        session.execute(update(parts).where(parts.c.snapshot == "2044-03").values(published=False))
        set_row(session, "2044-03", status="frozen")
    assert set(counts.held) == {"it fell", "so did its seeds"}
    of_class = set(
        session.scalars(
            select(ENTITY.c.qid).where(ENTITY.c.snapshot.in_(("2044-03", "2044-04")), ENTITY.c.types.overlap([kind]))
        )
    )

    def resting(cases: list[dict[str, Any]]) -> list[str]:
        return [
            one["id"]
            for one in cases
            if any(p["property"] == pid or p["subject"].get("qid") in of_class for p in one["premises"])
        ]

    assert resting(before) and now and not resting(now)
    assert sum(step.months.retired.get(changes.HELD_BACK, 0) for step in steps.values()) > 0


def test_what_is_new_or_changed_waits_for_the_next_month(
    session: Session,
    write: Callable[[str], None],
    make_world: Callable[..., str],
    build: Callable[[str], BenchmarkCounts],
) -> None:
    build(make_world("2045-01"))
    write("2045-02")
    old = STATEMENT.c.snapshot == "2045-02"
    # As if the month before had said otherwise: another birthplace, another GUID, another year, another name.
    changes = (
        update(STATEMENT).where(old, STATEMENT.c.p == 19, STATEMENT.c.s == 2003).values(o=1021),
        update(STATEMENT).where(old, STATEMENT.c.p == 1086, STATEMENT.c.s == 5101).values(guid="Q5101-other"),
        update(STATEMENT)
        .where(old, STATEMENT.c.p == 569, STATEMENT.c.s == 2001)
        .values(earliest=day_number(1811), latest=day_number(1811, 12, 31)),
        update(ENTITY).where(ENTITY.c.snapshot == "2045-02", ENTITY.c.qid == 2002).values(label="Jan Vermeer"),
        update(ENTITY).where(ENTITY.c.snapshot == "2045-02", ENTITY.c.qid == 4002).values(description="a disease"),
    )
    for change in changes:
        session.execute(change)
    session.commit()
    set_row(session, "2045-02", status="published")
    try:
        counts = build(make_world("2045-03"))
    finally:
        set_row(session, "2045-02", status="frozen")
    assert not counts.first_month
    new = too_new(session, "2045-03")
    assert new["relation"] > 0
    assert new["temporal"] > 0
    before, now = every_case(session, "2045-01"), every_case(session, "2045-03")
    changed = set(
        session.execute(
            select(STATEMENT.c.sid).where(
                STATEMENT.c.snapshot == "2045-03",
                ((STATEMENT.c.p == 19) & (STATEMENT.c.s == 2003))
                | ((STATEMENT.c.p == 1086) & (STATEMENT.c.s == 5101))
                | ((STATEMENT.c.p == 569) & (STATEMENT.c.s == 2001)),
            )
        ).scalars()
    )

    def shaky(case: dict[str, Any]) -> bool:
        rests = {premise["sid"] for premise in case["premises"]}
        named = "Johannes Vermeer" in case["question"] or {2002, 4002} & {case["fact"].get("s"), case["fact"].get("o")}
        return bool(rests & changed or named)

    assert len(changed) == 3
    assert any(shaky(case) and case["suite"] == "temporal" for case in before)
    assert {sid for case in before for sid in (p["sid"] for p in case["premises"])} >= changed
    assert not [case["question"] for case in now if shaky(case)]
    assert {case["id"] for case in now} & {case["id"] for case in before}


def test_what_changed_is_a_stratum_of_its_own_in_the_month_that_may_ask_it(
    session: Session,
    write: Callable[[str], None],
    make_world: Callable[..., str],
    build: Callable[[str], BenchmarkCounts],
) -> None:
    months = ("2042-01", "2042-02")
    for month in months:
        write(month)
    # As if the birth had been said to be in another year until the second month.
    was = (STATEMENT.c.snapshot == months[0], STATEMENT.c.p == 569, STATEMENT.c.s == 2001)
    other = {"earliest": day_number(1811), "latest": day_number(1811, 12, 31)}
    session.execute(update(STATEMENT).where(*was).values(**other))
    assert diff.store(session, *months) == 1
    for month in months:
        set_row(session, month, status="published")
    try:
        build(make_world("2042-03"))
    finally:
        for month in months:
            set_row(session, month, status="frozen")
    rests = {
        (case["suite"], premise["subject"]["qid"], premise["property"]): case["fact"]["difficulty"]["features"]
        for case in every_case(session, "2042-03")
        for premise in case["premises"]
    }
    assert {rests[suite, 2001, 569]["stratum"] for suite in ("relation", "temporal")} == {NEWS}
    assert {features["stratum"] for features in rests.values()} > {NEWS}

    assert sum(of.own["by_stratum"].get(NEWS, 0) for of in part_lookup.statistics(session, "2042-03").values()) > 0


def test_revisions_are_numbers_and_only_earlier_months_are_superseded(
    session: Session, make_world: Callable[..., str], build: Callable[[str], BenchmarkCounts]
) -> None:
    names = {"2046-03.10": "Boz X", "2046-03.2": "Boz II", "2046-03.11": "Boz XI"}
    for snapshot, name in names.items():  # the tenth pull is built before the second, and is no earlier for that
        build(make_world(snapshot, {2001: name}))
    old = dict(session.execute(select(tables.cases.c.id, tables.cases.c.supersedes)).all())
    by_name = {
        name: {(c["group_id"], c["mutation"]): c["id"] for c in every_case(session, key) if name in c["question"]}
        for key, name in names.items()
    }
    later = {key for key in by_name["Boz XI"] if key in by_name["Boz X"]}
    assert later
    assert all(old[by_name["Boz XI"][key]] == by_name["Boz X"][key] for key in later)
    tenth = set(by_name["Boz X"].values())
    assert by_name["Boz II"]
    assert not [one for one in by_name["Boz II"].values() if old[one] in tenth]
    assert reading.newest(session) == "2046-03.11"
    newest = {c["id"] for c in every_case(session, "2046-03.11")}
    shared = next(c["id"] for c in every_case(session, "2046-03.2") if c["id"] in newest)
    assert reading.case(session, shared).snapshot == "2046-03.11"
