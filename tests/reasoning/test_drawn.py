"""Facts that are drawn: which ones, in which order, and what proves them."""

import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

from reasoning_worlds import fill, statement
from sqlalchemy import text
from sqlalchemy.orm import Session

from halluvault_tasks.reasoning import evidence
from halluvault_tasks.reasoning.kinds import YEAR
from halluvault_tasks.reasoning.records import DrawnFact, Proof
from halluvault_tasks.reasoning.rules import drawn_facts
from halluvault_tasks.wikidata.days import day_number


def day(s: int, p: int, year: int, month: int = 6, of_month: int = 15) -> dict[str, Any]:
    at = day_number(year, month, of_month)
    return statement(s, p, kind="time", earliest=at, latest=at, precision=11)


def drawn(session: Session, key: str, domain: dict[int, int], rows: list[dict[str, Any]]) -> None:
    """A world of which the items named are in a domain, each with so many pages about it."""
    fill(session, key, rows)
    for qid, pages in domain.items():
        session.execute(
            text("UPDATE entity SET domain = 'people', sitelinks = :pages WHERE snapshot = :key AND qid = :qid"),
            {"key": key, "qid": qid, "pages": pages},
        )
    session.commit()


def answer(proof: Proof, directory: Path) -> str:
    (directory / "proof.pl").write_text(proof.program)
    ran = subprocess.run(
        ["swipl", "proof.pl"], cwd=directory, check=True, timeout=60, capture_output=True, text=True
    )  # fmt: skip
    return ran.stdout.strip()


def test_years_are_drawn_of_the_best_known_first_where_the_one_date_lies_in_one_year(
    session: Session, next_snapshot: Callable[[], str], derive: Callable[..., Any]
) -> None:
    key = next_snapshot()
    born = [
        day(1, 569, 1900),
        day(2, 569, 1901),
        statement(3, 569, year=1902),
        day(4, 569, 1903, 1, 1),
        day(5, 569, 1904),
    ]
    two = [day(6, 569, 1905), day(6, 569, 1906)]
    drawn(session, key, {1: 5, 2: 50, 3: 20, 4: 10, 6: 9}, [*born, *two])
    counts = derive(key)
    found = drawn_facts(session, key, YEAR)
    # Q4 may be of the year before, Q5 is in no domain, Q6 has two births.
    assert [(fact.s, fact.end) for fact in found] == [(2, 1901), (3, 1902), (1, 1900)]
    assert counts.by_kind["drawn"] == 3


def test_a_drawn_fact_is_proved_by_its_statements(
    session: Session, next_snapshot: Callable[[], str], derive: Callable[..., Any], tmp_path: Path
) -> None:
    key = next_snapshot()
    drawn(session, key, {1: 5}, [day(1, 569, 1900)])
    derive(key)
    (fact,) = drawn_facts(session, key, YEAR)
    assert isinstance(fact, DrawnFact)
    (proof,) = evidence.prove_many(session, key, [fact])
    assert [premise.s for premise in proof.premises] == [1]
    assert (proof.rule_name, proof.kind, proof.triple) == (
        "negation.polarity:P569",
        "negation.polarity",
        (569, 1, 1900),
    )
    assert answer(proof, tmp_path) == "yes"
