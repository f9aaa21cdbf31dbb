"""What people found to be false, asked beside what is true."""

from collections.abc import Callable, Iterator
from datetime import date
from pathlib import Path

import pytest
from sqlalchemy import delete, insert, select
from sqlalchemy.orm import Session

from halluvault_tasks.benchmark.cases.case import told
from halluvault_tasks.benchmark.cases.hindrances import Hindrance
from halluvault_tasks.benchmark.export import reading
from halluvault_tasks.benchmark.export.audit_sheet import sheet
from halluvault_tasks.benchmark.freeze import part_lookup
from halluvault_tasks.benchmark.prompts.contexts import AskedCase, evidence
from halluvault_tasks.benchmark.stages import build
from halluvault_tasks.reasoning import checked_negatives
from halluvault_tasks.storage.tables import checked_negative, entity, statement

VERMEER, KING, DICKENS, WRITER, PAINTER = 2002, 2004, 2001, 2102, 2103
OCCUPATION, KEY, LATER = 106, "2040-05", "2040-06"
WHO, DAY = "three readers", date(2020, 9, 16)


@pytest.fixture
def found_false(session: Session) -> Iterator[None]:
    """Of two dead men and a living one people found what they were not."""
    pairs = [(VERMEER, WRITER), (DICKENS, PAINTER), (KING, WRITER)]
    triples = [checked_negatives.Triple(s, OCCUPATION, o) for s, o in pairs]
    checked_negatives.store(session, triples, source=WHO, checked_on=DAY)
    yield
    session.execute(delete(checked_negative))
    session.commit()


@pytest.mark.usefixtures("found_false")
def test_a_finding_on_what_changes_is_asked_only_of_lives_that_were_over_when_people_looked(
    session: Session,
    write: Callable[[str], None],
    derive: Callable[[str], None],
    config_dir: Path,
    replayed: Callable[[str], str],
) -> None:
    write(KEY)
    known = select(entity).where(entity.c.snapshot == KEY, entity.c.qid == WRITER)
    trade = dict(session.execute(known).mappings().one()) | {"qid": PAINTER, "label": "painter"}
    session.execute(insert(entity).values(**trade))
    row = {"snapshot": KEY, "sid": 10_000, "guid": "Q2002-x", "kind": "item", "rank": "normal"}
    session.execute(insert(statement).values(**row, s=VERMEER, p=OCCUPATION, o=PAINTER))
    derive(KEY)
    assert build(session, KEY, config_dir=config_dir, size="all", only=["relation"]).built
    asked = [case for case in reading.every(session, KEY, ["relation"]) if case.fact["relation"] == f"P{OCCUPATION}"]
    said = {(case.fact["s"], case.fact["o"], case.gold) for case in asked if case.mutation == "original"}
    assert said == {
        (VERMEER, WRITER, "no"), (DICKENS, PAINTER, "no"), (VERMEER, PAINTER, "yes"), (DICKENS, WRITER, "yes"),
    }  # fmt: skip
    denied = next(case for case in asked if case.gold == "no" and case.mutation == "original")
    assert denied.question in {"Was Johannes Vermeer ever a writer?", "Was Charles Dickens ever a painter?"}
    assert WHO in denied.fact["reason"] and str(DAY) in denied.fact["reason"]
    assert not denied.premises
    [sentence] = told(denied.premises, denied.fact)
    said = {f"“{who}.” is not true" for who in ("Johannes Vermeer was a writer", "Charles Dickens was a painter")}
    assert sentence.partition(": ")[0] in said, sentence
    assert WHO in sentence
    assert WHO in sheet([denied], "csv")
    given = AskedCase(denied.id, denied.question, "relation", denied.group_id, "people", denied.premises, denied.fact)
    assert evidence(given) == f"1. {sentence}"
    assert [replayed(one.proof) for one in asked] == [one.gold for one in asked]
    dropped = part_lookup.statistics(session, KEY)["relation"].dropped
    assert dropped[Hindrance.FALSE_THAT_DAY()] == 1


def test_a_finding_of_later_than_the_data_is_asked_of_the_living_too(
    session: Session, write: Callable[[str], None], derive: Callable[[str], None], config_dir: Path
) -> None:
    write(LATER)
    triples = [checked_negatives.Triple(KING, OCCUPATION, WRITER)]
    checked_negatives.store(session, triples, source="others", checked_on=date(2041, 1, 1))
    try:
        derive(LATER)
        build(session, LATER, config_dir=config_dir, size="all", only=["relation"])
        dropped = part_lookup.statistics(session, LATER)["relation"].dropped
        assert Hindrance.FALSE_THAT_DAY() not in dropped
        assert dropped[Hindrance.UNPAIRED()] >= 1
    finally:
        session.rollback()
        session.execute(delete(checked_negative))
        session.commit()
