"""Month to month on a small world: what stays, what is retired and why, what is new; and nothing asked ever changes."""

import itertools
import json
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import delete, insert, select, update
from sqlalchemy.exc import DBAPIError
from sqlalchemy.orm import Session
from typer.testing import CliRunner

from halluvault_tasks.benchmark import stages
from halluvault_tasks.benchmark.export import reading
from halluvault_tasks.benchmark.freeze import changes, part_lookup
from halluvault_tasks.benchmark.freeze.compare import Months, between, last_step
from halluvault_tasks.benchmark.suites.part_statistics import StepCounts
from halluvault_tasks.cli import benchmark as commands
from halluvault_tasks.errors import UserError
from halluvault_tasks.settings import settings
from halluvault_tasks.storage import tables
from halluvault_tasks.wikidata.days import day_number
from halluvault_tasks.wikidata.relation import relation_of

STATEMENT, ENTITY, SNAPSHOT = tables.statement, tables.entity, tables.snapshot
MONTHS = ("2050-01", "2050-02", "2050-03", "2050-04")


def set_status(session: Session, snapshot: str, status: str) -> None:
    session.execute(update(SNAPSHOT).where(SNAPSHOT.c.snapshot == snapshot).values(status=status))
    session.commit()


def denied(session: Session) -> tuple[int, int, int]:
    """A birthplace or place of death that January denies: (p, s, o)."""
    return min(
        (relation.pid, case.fact["s"], case.fact["o"])
        for case in reading.every(session, MONTHS[0])
        if case.suite == "relation" and not case.fact["truth"] and (relation := relation_of(case.fact)).pid in {19, 20}
    )


def born(session: Session) -> int:
    """Somebody whose year of birth January asks about, of whom nothing else changes."""
    return max(
        case.fact["s"]
        for case in reading.every(session, MONTHS[0])
        if case.fact.get("rule") == "negation.polarity:P569"
    )


def disturb(session: Session, snapshot: str) -> None:
    """February: what was denied is stated, a statement gone, years corrected and contested, two rulers of one name."""
    here = STATEMENT.c.snapshot == snapshot
    p, s, o = denied(session)
    for change in (
        update(STATEMENT).where(here, STATEMENT.c.p == p, STATEMENT.c.s == s).values(o=o),
        delete(STATEMENT).where(here, STATEMENT.c.p == 1086, STATEMENT.c.s == 5101),
        update(STATEMENT)
        .where(here, STATEMENT.c.p == 569, STATEMENT.c.s == 2001)
        .values(earliest=day_number(1811), latest=day_number(1811, 12, 31)),
        update(ENTITY).where(ENTITY.c.snapshot == snapshot, ENTITY.c.qid == 2004).values(label="Queen Ada"),
    ):
        session.execute(change)
    stated = select(STATEMENT).where(here, STATEMENT.c.p == 569, STATEMENT.c.s == born(session))
    other = {"sid": 30_000, "guid": "another birth", "earliest": day_number(1700), "latest": day_number(1700, 12, 31)}
    session.execute(insert(STATEMENT).values(**(dict(session.execute(stated).mappings().one()) | other)))
    session.commit()


@pytest.fixture
def year(
    session: Session, write: Callable[[str], None], derive: Callable[[str], None], config_dir: Path
) -> dict[str, dict[str, dict[str, Any]]]:
    """Four published months, month → case id → case: February is disturbed, then all is as it was."""
    if MONTHS[-1] not in part_lookup.months(session):
        for month in MONTHS:
            write(month)
            if month == "2050-02":
                disturb(session, month)
            derive(month)
            stages.build(session, month, config_dir=config_dir, size="all")
            part_lookup.publish(session, month)
            set_status(session, month, "published")
    return {month: {one.id: one._asdict() for one in reading.every(session, month)} for month in MONTHS}


def reasons(months: Months, kind: str) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for one in getattr(months, kind):
        found.setdefault(one.reason, []).append(one.case_id)
    return found


def test_every_case_stays_is_retired_or_is_new_and_on_any_way(session: Session, year: dict[str, Any]) -> None:
    for at, before in enumerate(MONTHS):
        for after in MONTHS[at:]:
            found = between(session, before, after)
            old, now = set(year[before]), set(year[after])
            assert {one.case_id for one in found.retired} == old - now
            assert {one.case_id for one in found.new} == now - old
            assert found.stays == len(old & now)
            assert {one.reason for one in found.retired} <= set(changes.RETIRED)
            assert {one.reason for one in found.new} <= set(changes.NEW)
            assert found.path == MONTHS[at : MONTHS.index(after) + 1]


def test_what_nothing_in_the_source_speaks_against_stays(session: Session, year: dict[str, Any]) -> None:
    """Facts meet the partners that they had, formulas the times, and what stands is chosen first."""
    for before, after in itertools.pairwise(MONTHS):
        retired = between(session, before, after).retired
        assert [one for one in retired if one.reason not in changes.IN_THE_SOURCE] == []


def test_reasons_are_what_was_done_to_the_world(session: Session, year: dict[str, Any]) -> None:
    retired = {one.case_id: one for one in between(session, "2050-01", "2050-02").retired}
    assert retired

    def because(case: dict[str, Any]) -> str:
        return retired[case["id"]].reason if case["id"] in retired else "stays"

    seen = set()
    for case in year["2050-01"].values():
        s, o, relation = case["fact"].get("s"), case["fact"].get("o"), relation_of(case["fact"])
        sentences = " ".join(premise["sentence"] for premise in case["premises"])
        if relation and (relation.pid, s, o) == denied(session) and not case["fact"]["truth"]:
            assert because(case) == changes.TRUTH, "what was denied is now stated"
            seen.add("denied")
        elif {(1086, 5101)} & {(premise["property"], premise["subject"]["qid"]) for premise in case["premises"]}:
            assert because(case) == changes.EVIDENCE_LEFT
            seen.add("left")
        elif "Charles Dickens was born in 1812" in sentences:
            assert because(case) == changes.EVIDENCE_CHANGED
            assert "1812" in retired[case["id"]].detail
            seen.add("changed")
        elif case["fact"].get("rule") == "negation.polarity:P569" and s == born(session):
            assert because(case) == changes.UNDERIVED, "of two years of birth nothing says which one is right"
            seen.add("contested")
    # Two rulers are called Queen Ada now: the one who was so all along can no longer be told from the other.
    ada = [case for case in year["2050-01"].values() if because(case) == changes.NAME]
    assert ada
    told = [case["question"] + " ".join(one["sentence"] for one in case["premises"]) for case in ada]
    assert all("Queen Ada" in one or "King Bert" in one for one in told)
    assert all("ambiguous name" in retired[case["id"]].detail for case in ada)
    assert seen == {"denied", "left", "changed", "contested"}


def test_what_comes_back_keeps_its_id_and_says_when_it_was_asked_last(session: Session, year: dict[str, Any]) -> None:
    found = between(session, "2050-03", "2050-04")
    again = [one for one in found.new if one.reason == changes.AGAIN]
    assert again, "what March held back as too new is asked in April"
    assert {one.case_id for one in again} <= set(year["2050-01"]) | set(year["2050-02"])
    assert {one.case_id for one in again} & set(year["2050-01"])
    assert {one.detail for one in again} <= {"last in 2050-01", "last in 2050-02"}


def test_the_stored_counts_say_the_same(session: Session, year: dict[str, Any]) -> None:
    first = StepCounts("", 0, {}, {})
    assert {suite: of.months for suite, of in part_lookup.statistics(session, "2050-01").items()} == {
        "relation": first,
        "temporal": first,
    }
    for before, after in itertools.pairwise(MONTHS):
        told = {suite: of.months for suite, of in part_lookup.statistics(session, after).items()}
        found = between(session, before, after)
        assert found.suites == tuple(told) == ("relation", "temporal")
        assert {one.previous for one in told.values()} == {before}
        assert sum(one.stays for one in told.values()) == found.stays
        for kind in ("new", "retired"):
            summed = sum((Counter(getattr(one, kind)) for one in told.values()), Counter())
            assert summed == Counter(one.reason for one in getattr(found, kind))
        assert last_step(session, after) == before


def test_a_smaller_quota_retires_by_quota_and_another_configuration_is_named(
    session: Session, year: dict[str, Any], write: Callable[[str], None], derive: Callable[[str], None],
    config_dir: Path, tmp_path: Path,
) -> None:  # fmt: skip
    for name in ("lexicon.yaml", "benchmark.yaml"):
        (tmp_path / name).write_text((config_dir / name).read_text(encoding="utf-8"), encoding="utf-8")
    path = tmp_path / "benchmark.yaml"
    path.write_text(path.read_text(encoding="utf-8").replace("relation: 400", "relation: 60"), encoding="utf-8")
    write("2050-05")
    derive("2050-05")
    built = stages.build(session, "2050-05", config_dir=tmp_path, size="all")
    assert built.reconfigured.endswith(": relation (as against 2050-04)")
    assert part_lookup.reconfigured(session, "2050-04") == part_lookup.reconfigured(session, "2050-01") == ""
    found = reasons(between(session, "2050-04", "2050-05"), "retired")
    assert set(found) <= {changes.QUOTA, changes.REWORDED}
    assert found[changes.QUOTA]


def test_a_renamed_entity_gets_new_cases_that_name_their_predecessors(
    session: Session, year: dict[str, Any], write: Callable[[str], None], derive: Callable[[str], None],
    config_dir: Path,
) -> None:  # fmt: skip
    for month in ("2051-01", "2051-02"):
        write(month)
        session.execute(
            update(ENTITY).where(ENTITY.c.snapshot == month, ENTITY.c.qid == 2001).values(label="Boz Dickens")
        )
        session.commit()
        derive(month)
        stages.build(session, month, config_dir=config_dir, size="all")
        part_lookup.publish(session, month)
        set_status(session, month, "published")
    first = between(session, "2050-04", "2051-01")
    renamed = [one for one in first.retired if one.reason == changes.RENAMED]
    assert renamed, "a new name waits until it has stood in two snapshots"
    assert all("'Charles Dickens' → 'Boz Dickens'" in one.detail for one in renamed)
    second = between(session, "2051-01", "2051-02")
    worded = [one for one in second.new if one.reason == changes.OTHER_WORDS]
    assert worded
    assert all("Boz Dickens" in one.question for one in worded)
    over_both = {one.case_id: one.successor for one in between(session, "2050-04", "2051-02").retired}
    assert {one.case_id for one in worded} & set(over_both.values())


def test_what_was_asked_once_is_never_changed(session: Session, year: dict[str, Any]) -> None:
    one = next(iter(year["2050-01"]))
    for column, value in (("question", "Was it so?"), ("gold", "no"), ("supersedes", "x")):
        with pytest.raises(DBAPIError, match="was asked as it stands and is never changed"):
            session.execute(update(tables.cases).where(tables.cases.c.id == one).values({column: value}))
        session.rollback()
    before = json.dumps(year["2050-01"], sort_keys=True, default=str)
    assert json.dumps({c.id: c._asdict() for c in reading.every(session, "2050-01")}, sort_keys=True) == before


def test_months_that_do_not_follow_are_refused(session: Session, year: dict[str, Any]) -> None:
    with pytest.raises(UserError, match="2050-01 does not follow that of 2050-03"):
        between(session, "2050-03", "2050-01")
    with pytest.raises(UserError, match="snapshot 1999-01 has no benchmark"):
        between(session, "1999-01", "2050-01")
    with pytest.raises(UserError, match="is the first of its source"):
        last_step(session, "2050-01")


def test_the_command_counts_by_reason_and_lists_questions(
    session: Session, year: dict[str, Any], database_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HALLUVAULT_DATABASE_URL", database_url)
    settings.cache_clear()
    try:
        result = CliRunner().invoke(
            commands.benchmark, ["changes", "2050-01", "2050-02", "--list"], catch_exceptions=False
        )
        stepwise = CliRunner().invoke(commands.benchmark, ["changes", "2050-01", "2050-03"], catch_exceptions=False)
    finally:
        settings.cache_clear()
    found = between(session, "2050-01", "2050-02")
    for reason, ids in reasons(found, "retired").items():
        assert reason in result.stdout
        assert all(one in result.stdout for one in ids)
    assert str(found.stays) in result.stdout
    assert "2050-01 → 2050-02 → 2050-03" in stepwise.stdout
