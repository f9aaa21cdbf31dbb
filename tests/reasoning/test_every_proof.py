"""What a generated snapshot derives by every kind of rule, each row's own program shows: one meaning, written twice."""

import subprocess
from collections.abc import Callable
from datetime import date
from itertools import pairwise
from pathlib import Path
from random import Random
from typing import Any

import pytest
from reasoning_worlds import born, fill, statement
from sqlalchemy import delete, select
from sqlalchemy.orm import Session

from halluvault_tasks.reasoning import checked_negatives
from halluvault_tasks.reasoning.facts import COLUMNS, fact_of
from halluvault_tasks.reasoning.kinds import KINDS
from halluvault_tasks.reasoning.proving import prove_many
from halluvault_tasks.reasoning.rules import active_rules
from halluvault_tasks.storage.tables import checked_negative, derived_fact

PEOPLE, TOWNS, REGIONS, COUNTRIES, BOOKS, BODIES = (
    range(1, 41), range(100, 112), range(120, 124), range(130, 132), range(200, 210), range(300, 312)
)  # fmt: skip
VILLAGES, COUNTIES = range(140, 150), range(150, 154)
WARS = (400, 401, 402, 198)
"""Classes, each in the next."""
MAN, WOMAN, PAINTER, WRITER, CRITIC = 6_581_097, 6_581_072, 500, 501, 502
TYPES = {
    one: [kind]
    for kind, group in (
        (5, PEOPLE),
        (515, (*TOWNS, *VILLAGES)),
        (7, COUNTIES),
        (6, REGIONS),
        (6256, COUNTRIES),
        (571, BOOKS),
    )
    for one in group
} | {1000 + kind: [kind] for kind in WARS}


def world(random: Random) -> list[dict[str, Any]]:
    """Families with their sexes, births in places inside one another, books, bodies in chains and a cycle, classes."""
    rows = [statement(town, 131, random.choice(REGIONS)) for town in TOWNS]
    rows += [statement(region, 131, random.choice(COUNTRIES)) for region in REGIONS]
    rows += [statement(country, 17, country) for country in COUNTRIES]
    rows += [statement(one, 19, random.choice(TOWNS)) for one in PEOPLE]
    rows += born(*random.sample(PEOPLE, 20))
    rows += [statement(one, 21, random.choice((MAN, WOMAN))) for one in PEOPLE]
    rows += [statement(one, 22, random.choice(range(1, one))) for one in PEOPLE[1:] if random.random() < 0.5]
    rows += [statement(one, 40, random.choice(range(one + 1, 42))) for one in PEOPLE if random.random() < 0.5]
    rows += [statement(*random.sample(PEOPLE, 1), 26, *random.sample(PEOPLE, 1)) for _ in range(12)]
    rows += [statement(book, 50, one) for book in BOOKS for one in random.sample(PEOPLE[:8], 2)]
    rows += [statement(one, 5135, random.choice(BODIES)) for one in BODIES]
    rows += [statement(one, 106, random.choice((PAINTER, WRITER))) for one in PEOPLE[:10]]
    rows += [statement(lower, 279, upper) for lower, upper in pairwise(WARS)]
    rows.append(statement(PEOPLE[-1], 106, CRITIC))
    rows += [statement(village, 131, random.choice(COUNTIES)) for village in VILLAGES]
    rows += [statement(random.choice(REGIONS), 150, county) for county in COUNTIES]
    return [{**row, "guid": f"g{at:06d}"} for at, row in enumerate(rows)]


def printed(directory: Path, programs: list[str]) -> list[str]:
    """What each program answers, all of them asked in one engine."""
    asked = []
    for number, text in enumerate(programs):
        body = text.partition("main :-")[0]
        (directory / f"proof{number}.pl").write_text(f":- module(proof{number}, []).\n{body}", encoding="utf-8")
        asked.append(f"ask({number}) :- use_module(proof{number}), proof{number}:answer(A), !, writeln(A).\n")
    (directory / "ask.pl").write_text("".join([*asked, "ask(_) :- writeln(unproven).\n"]), encoding="utf-8")
    goal = f"forall(between(0, {len(programs) - 1}, N), ask(N))"
    ran = subprocess.run(
        ["swipl", "-q", "-g", goal, "-t", "halt", "ask.pl"],
        cwd=directory, check=True, timeout=120, capture_output=True, text=True,
    )  # fmt: skip
    assert ran.stderr == ""
    return ran.stdout.split()


@pytest.mark.parametrize("seed", range(3))
def test_every_row_of_every_kind_is_shown_by_its_own_program(
    session: Session, derive: Callable[..., Any], next_snapshot: Callable[[], str], tmp_path: Path, seed: int
) -> None:
    key = next_snapshot()
    session.execute(delete(checked_negative))
    fill(session, key, world(Random(seed)), types=TYPES)
    found = [checked_negatives.Triple(one, 106, CRITIC) for one in PEOPLE[:10]]
    checked_negatives.store(session, found, source="in this test", checked_on=date(2020, 9, 16))
    derive(key)
    rules = {rule.rule: rule for rule in active_rules(session, key)}
    c = derived_fact.c
    facts = [fact_of(row, rules) for row in session.execute(select(*COLUMNS).where(c.snapshot == key))]
    proofs = prove_many(session, key, facts)
    answers = printed(tmp_path, [proof.program for proof in proofs])
    assert [
        proof.program
        for proof, answer in zip(proofs, answers, strict=True)
        if answer != ("yes" if proof.truth else "no")
    ] == []
    assert {rules[fact.rule].kind for fact in facts} == {kind for kind in KINDS if kind.stores and not kind.draws}
    session.execute(delete(checked_negative))
    session.commit()
