"""A place in a unit that a larger unit is stated to have: what follows, what does not, and what is false beside it."""

import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from reasoning_worlds import PROLOG_DIR, RULES_FILE, fill, rows_of, statement
from sqlalchemy import select
from sqlalchemy.orm import Session

from halluvault_tasks.knowledge import links
from halluvault_tasks.reasoning import foils, stages
from halluvault_tasks.reasoning.facts import COLUMNS, fact_of
from halluvault_tasks.reasoning.foils import neighbourhood
from halluvault_tasks.reasoning.foils.base import Foil
from halluvault_tasks.reasoning.foils.neighbourhood import Neighbourhood
from halluvault_tasks.reasoning.grounds import Reason
from halluvault_tasks.reasoning.proving import prove
from halluvault_tasks.reasoning.records import DerivedFact, Proof
from halluvault_tasks.reasoning.world.loading import load_world
from halluvault_tasks.storage import sessions
from halluvault_tasks.storage.tables import derived_fact

LAND, EAST, WEST = 30, 101, 102
EASTERN, WESTERN, DIVIDED = 201, 202, 203
ELM, OAK, ASH = 301, 302, 303
COUNTRY, STATE, COUNTY, TOWN, FIRST_LEVEL = 6_256, 35_657, 47_168, 3_957, 10_864_048
RULE = "transitive:P131/P150"


def lies() -> list[dict[str, Any]]:
    """Two states that border on each other, each of which is said to have a county; both are said to have a third."""
    has = [(EAST, EASTERN), (WEST, WESTERN), (EAST, DIVIDED), (WEST, DIVIDED)]
    within = [(ELM, EASTERN), (OAK, WESTERN), (ASH, DIVIDED), (EAST, LAND), (WEST, LAND)]
    settled = [statement(unit, 17, LAND) for unit in (EASTERN, WESTERN, DIVIDED, LAND)]
    classes = [statement(STATE, 279, FIRST_LEVEL), statement(COUNTY, 279, 56_061)]
    return [
        *(statement(upper, 150, unit) for upper, unit in has),
        *(statement(lower, 131, upper) for lower, upper in within),
        statement(EAST, 47, WEST),
        *settled,
        *classes,
    ]


@pytest.fixture(scope="module")
def month(database_url: str, next_snapshot: Callable[[], str], tmp_path_factory: pytest.TempPathFactory) -> str:
    key = next_snapshot()
    kinds = {LAND: COUNTRY, EAST: STATE, WEST: STATE} | dict.fromkeys((EASTERN, WESTERN, DIVIDED), COUNTY)
    kinds |= dict.fromkeys((ELM, OAK, ASH), TOWN)
    with sessions.session(database_url) as session:
        fill(session, key, lies(), types={item: [kind] for item, kind in kinds.items()})
        stages.type_rules(session, key, rules_file=RULES_FILE)
        stages.derive_shard(session, key, prolog_dir=PROLOG_DIR, scratch=tmp_path_factory.mktemp("ends"), anew=True)
    return key


def known(session: Session, key: str) -> Neighbourhood:
    return neighbourhood.load(session, key, load_world(session, key), links.load(session, key))


def facts(session: Session, key: str, near: Neighbourhood) -> dict[int, DerivedFact]:
    (number,) = (n for n, rule in near.rules.items() if rule.name == RULE)
    c = derived_fact.c
    rows = session.execute(select(*COLUMNS).where(c.snapshot == key, c.rule == number))
    return {row.s: fact_of(row, near.rules) for row in rows}


def answer(session: Session, key: str, fact: DerivedFact | Foil, directory: Path) -> str:
    (proof,) = prove(session, key, [fact], known(session, key).world)
    assert isinstance(proof, Proof), proof
    (directory / "proof.pl").write_text(proof.program)
    ran = subprocess.run(["swipl", "proof.pl"], cwd=directory, check=True, timeout=60, capture_output=True, text=True)
    return ran.stdout.strip()


def test_a_town_lies_in_the_state_that_has_its_county_but_not_where_two_states_have_it(
    session: Session, month: str
) -> None:
    assert rows_of(session, month, RULE) == {(ELM, EAST), (OAK, WEST)}


def test_both_statements_prove_it(session: Session, month: str, tmp_path: Path) -> None:
    fact = facts(session, month, known(session, month))[ELM]
    assert len(fact.evidence) == 2
    assert answer(session, month, fact, tmp_path) == "yes"


def test_it_does_not_lie_in_another_state_though_its_county_is_stated_to_lie_in_nothing(
    session: Session, month: str, tmp_path: Path
) -> None:
    near = known(session, month)
    of = facts(session, month, near)
    foil = foils.draw(near, of[ELM], of[OAK])
    assert isinstance(foil, Foil), foil
    assert (foil.s, foil.o, foil.licence.reason) == (ELM, WEST, Reason.PLACE_LEVEL)
    assert foil.evidence == of[ELM].evidence[:1], "the chains of both, each of which has a step of P150, show the rest"
    assert answer(session, month, foil, tmp_path) == "no"


def test_a_class_one_of_which_lies_in_another_divides_nothing(session: Session, month: str) -> None:
    world = load_world(session, month)
    assert {STATE, FIRST_LEVEL} <= world.containment.division_types
    assert TOWN not in world.containment.division_types
