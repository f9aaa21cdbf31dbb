"""Facts about terms of offices: as many yes as no of everybody and of each time, each no shown by another's term."""

from collections import Counter
from collections.abc import Iterator
from datetime import date
from pathlib import Path
from typing import Any

import pytest
from conftest import add_entities, add_statements, open_snapshot, statement
from sqlalchemy import select

from halluvault_tasks.prolog.engine import Engine
from halluvault_tasks.storage import sessions, tables
from halluvault_tasks.temporal import formula as f
from halluvault_tasks.temporal.generate import TemporalConfig
from halluvault_tasks.temporal.history import load
from halluvault_tasks.temporal.parsing import parse
from halluvault_tasks.temporal.run_in_prolog import Query, evaluate
from halluvault_tasks.temporal.stages import derive_temporal
from halluvault_tasks.temporal.units import Granularity

SNAPSHOT = "2024-06"
POSITION, STATE, PRIZE, CITIZEN, BORN, DIED, SIBLING = 39, 35, 166, 27, 569, 570, 3373
MAYOR, SHERIFF, LAND, MEDAL = 100, 101, 102, 103
TERMS = (
    (1, "1950-03-01", "1958-03-01"), (2, "1958-03-01", "1966-05-10"), (3, "1966-05-11", "1974-01-05"),
    (4, "1974-01-05", "1981-07-01"), (5, "1981-07-01", "1989-10-01"), (6, "1989-10-03", "1995-05-05"),
)  # fmt: skip
"""From the fifth to the sixth a day lay between."""
EXCLUSIVE = {POSITION: frozenset({MAYOR}), STATE: frozenset({LAND}), PRIZE: frozenset({MEDAL})}


def rows() -> Iterator[dict[str, Any]]:
    sid = 0
    for who, start, end in TERMS:
        for office in (MAYOR, SHERIFF):
            yield statement(sid := sid + 1, who, POSITION, o=office, start=start, end=end)
        yield statement(sid := sid + 1, LAND, STATE, o=10 + who, start=start, end=end)
        yield statement(sid := sid + 1, who, CITIZEN, o=LAND)
    for year in range(1960, 1968):
        yield statement(sid := sid + 1, 20 + year - 1960, PRIZE, o=MEDAL, point=str(year))
    for number, year in enumerate(range(1951, 1989, 3)):
        yield statement(sid := sid + 1, 40 + number, BORN, when=str(year - 60))
        yield statement(sid := sid + 1, 40 + number, DIED, when=str(year))
        yield statement(sid := sid + 1, 40 + number, CITIZEN, o=LAND)
        if number % 2:
            yield statement(sid := sid + 1, 40 + number, SIBLING, o=1 + number % 5)
    yield statement(sid := sid + 1, 1, BORN, when="1900")
    yield statement(sid := sid + 1, 1, DIED, when="1961")


@pytest.fixture(scope="module")
def facts(database_url: str, prolog_dir: Path) -> list[dict[str, Any]]:
    with sessions.session(database_url) as session:
        open_snapshot(session, SNAPSHOT, date(2024, 6, 1))
        people = [(qid, f"N{qid}", "people") for qid in (*range(1, 60),)]
        add_entities(
            session, SNAPSHOT, [*people, *((qid, f"O{qid}", "society") for qid in (MAYOR, SHERIFF, LAND, MEDAL))]
        )
        add_statements(session, SNAPSHOT, list(rows()))
        derive_temporal(session, SNAPSHOT, config=TemporalConfig(count=400), prolog_dir=prolog_dir, exclusive=EXCLUSIVE)
        table = tables.temporal_fact
        found = session.execute(select(table).where(table.c.snapshot == SNAPSHOT)).mappings()
        return [dict(row) for row in found if any(atom["o"] is not None for atom in row["atoms"].values())]


def kinds(fact: dict[str, Any]) -> set[str]:
    return {atom["kind"] for atom in fact["atoms"].values()}


def test_only_what_one_holds_at_a_time_is_asked_about(facts: list[dict[str, Any]]) -> None:
    assert facts
    assert all(atom["o"] != SHERIFF for fact in facts for atom in fact["atoms"].values())


def test_a_death_names_the_time_of_an_office_only_if_more_than_a_country_joins_it_to_that_or_who_held_it(
    facts: list[dict[str, Any]],
) -> None:
    told = [fact["atoms"].values() for fact in facts if kinds(fact) > {"death"}]
    dead = {atom["qid"] for atoms in told for atom in atoms if atom["kind"] == "death"}
    assert dead
    assert all(qid == 1 or qid % 2 for qid in dead)
    assert all(len({atom["qid"] for atom in atoms}) == len(atoms) for atoms in told), (
        "nobody's time is their own death's"
    )


@pytest.mark.parametrize("operator", ["", "F", "G", "N", "U"])
def test_each_operator_is_asked_of_terms_with_as_many_yes_as_no(facts: list[dict[str, Any]], operator: str) -> None:
    asked = [fact for fact in facts if f.symbol(parse(fact["formula"])) == operator and "award" not in kinds(fact)]
    assert asked
    assert sum(fact["truth"] for fact in asked) * 2 == len(asked)


def test_a_term_counts_for_its_office(facts: list[dict[str, Any]]) -> None:
    assert {fact["domain"] for fact in facts if kinds(fact) == {"position"}} == {"society"}


def test_prizes_are_asked_about_with_as_many_yes_as_no(facts: list[dict[str, Any]]) -> None:
    truths = Counter(fact["truth"] for fact in facts if "award" in kinds(fact))
    assert truths[True] == truths[False] > 0


def test_everybody_has_as_many_yes_as_no_in_each_formula(facts: list[dict[str, Any]]) -> None:
    yes = Counter[str]()
    for fact in facts:
        if len(fact["atoms"]) == 1:
            yes[fact["formula"]] += 1 if fact["truth"] else -1
    assert set(yes.values()) == {0}


def test_a_no_rests_on_anothers_term_and_a_yes_on_none(facts: list[dict[str, Any]]) -> None:
    for fact in facts:
        rivals = {sid for atom in fact["atoms"].values() for sid in atom["rivals"]}
        assert bool(rivals) is not fact["truth"], fact["formula"]


def test_each_stored_program_gives_its_answer(
    facts: list[dict[str, Any]], engine: Engine, prolog_dir: Path, tmp_path: Path
) -> None:
    import os
    import subprocess

    # One of each form and answer: a process each.
    one_of_each = {
        (f.symbol(parse(fact["formula"])), fact["granularity"], fact["truth"], *sorted(kinds(fact))): fact
        for fact in facts
    }
    for number, fact in enumerate(one_of_each.values()):
        path = tmp_path / f"{number}.pl"
        path.write_text(fact["program"], encoding="utf-8")
        ran = subprocess.run(
            ["swipl", str(path)], capture_output=True, text=True, check=True,
            env={**os.environ, "HALLUVAULT_PROLOG_DIR": str(prolog_dir)},
        )  # fmt: skip
        assert ran.stdout == ("yes\n" if fact["truth"] else "no\n"), fact["program"]


def test_answers_are_those_of_the_whole_history(facts: list[dict[str, Any]], engine: Engine, database_url: str) -> None:
    with sessions.session(database_url) as session:
        for unit in (Granularity.YEAR, Granularity.MONTH):
            history = load(session, SNAPSHOT, date(2024, 6, 1), unit, 12, EXCLUSIVE)
            of_unit = [fact for fact in facts if fact["granularity"] == unit.value]
            queries = [Query(parse(fact["formula"]), fact["at"]) for fact in of_unit]
            answers = evaluate(engine, queries, history.timed)
            assert [answer.answer for answer in answers] == [fact["truth"] for fact in of_unit]


def test_until_is_asked_only_where_the_next_took_over_on_the_day_on_which_the_term_ended(
    facts: list[dict[str, Any]],
) -> None:
    until = [fact for fact in facts if f.symbol(parse(fact["formula"])) == "U"]
    stories = [[fact["atoms"][name] for name in f.atoms(parse(fact["formula"]))] for fact in until]
    followed = {(state["qid"], start["qid"]) for state, start in stories if state["p"] == POSITION}
    assert followed <= {(1, 2), (3, 4), (4, 5)}
    assert followed
