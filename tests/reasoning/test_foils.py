"""False facts beside true ones: which are drawn, what makes them believable, what shows them, and their rows."""

import subprocess
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest
from reasoning_worlds import PROLOG_DIR, RULES_FILE, fill, statement
from sqlalchemy import select, text
from sqlalchemy.orm import Session

from halluvault_tasks.knowledge import links
from halluvault_tasks.knowledge.links import Links
from halluvault_tasks.knowledge.works import Works
from halluvault_tasks.reasoning import foils, stages
from halluvault_tasks.reasoning.foils import neighbourhood, storing
from halluvault_tasks.reasoning.foils.base import Foil
from halluvault_tasks.reasoning.foils.neighbourhood import Land, Neighbourhood
from halluvault_tasks.reasoning.grounds import Reason, Refusal
from halluvault_tasks.reasoning.kinds import COUNTRY, ORDER, POLARITY, WRONG_VALUE, RuleKind, named
from halluvault_tasks.reasoning.proving import prove
from halluvault_tasks.reasoning.records import DerivedFact, DrawnFact, Proof, Rule
from halluvault_tasks.reasoning.rules import drawn_facts
from halluvault_tasks.reasoning.world.loading import load_world
from halluvault_tasks.reasoning.world.slots import Known
from halluvault_tasks.storage import sessions
from halluvault_tasks.storage.tables import foil as foil_table
from halluvault_tasks.storage.tables import relation as relation_table
from halluvault_tasks.wikidata.days import day_number
from halluvault_tasks.wikidata.relation import Relation
from tests.reasoning.licence_worlds import (
    CHILD,
    COUNTY,
    FAR_COUNTRY,
    FAR_TOWN,
    NEAR_COUNTY,
    NEAR_TOWN,
    OTHER,
    TOWN,
    changed,
    places,
)  # fmt: skip
from tests.reasoning.licence_worlds import (
    COUNTRY as HOME,
)

BERLIN, VIENNA, GRAZ, KIEL, PRAGUE = 64, 65, 66, 67, 68
GERMANY, AUSTRIA, CZECHIA = 183, 40, 213
CITY, STATE, UNITED_NATIONS, GERMAN, CZECH, EUROPE = 515, 6_256, 1_065, 188, 9_056, 46

BORN = Relation.of(19)


def day(s: int, p: int, year: int, month: int = 6) -> dict[str, Any]:
    at = day_number(year, month, 15)
    return statement(s, p, kind="time", earliest=at, latest=at, precision=11)


@pytest.fixture(scope="module")
def month(database_url: str, next_snapshot: Callable[[], str], tmp_path_factory: pytest.TempPathFactory) -> str:
    """People who are married or part of one another, and towns of three countries of which two speak German."""
    born = [day(1, 569, 1930), day(2, 569, 1931), day(3, 569, 1930, 7), day(4, 569, 1935), day(5, 569, 1931)]
    joined = [statement(1, 26, 2), statement(1, 26, 3), statement(1, 26, 4), statement(1, 361, 5), statement(1, 26, 5)]
    lie = [(KIEL, GERMANY), (GRAZ, AUSTRIA), (PRAGUE, CZECHIA), (BERLIN, GERMANY), (VIENNA, AUSTRIA)]
    settled = [statement(town, 17, country) for town, country in lie]
    lands = [statement(land, 463, UNITED_NATIONS) for land in (GERMANY, AUSTRIA, CZECHIA)]
    lands += [statement(GERMANY, 36, BERLIN), statement(AUSTRIA, 36, VIENNA)]
    lands += [statement(land, 30, EUROPE) for land in (GERMANY, AUSTRIA, CZECHIA)]
    lands += [statement(GERMANY, 37, GERMAN), statement(AUSTRIA, 37, GERMAN), statement(CZECHIA, 37, CZECH)]
    types = {town: [CITY] for town, _ in lie} | {land: [STATE] for land in (GERMANY, AUSTRIA, CZECHIA)}
    key = next_snapshot()
    with sessions.session(database_url) as session:
        fill(session, key, [*born, *joined, *settled, *lands], types=types)
        session.execute(text("UPDATE entity SET domain = 'all' WHERE snapshot = :key"), {"key": key})
        session.commit()
        stages.type_rules(session, key, rules_file=RULES_FILE)
        stages.derive_shard(session, key, prolog_dir=PROLOG_DIR, scratch=tmp_path_factory.mktemp("foils"), anew=True)
    return key


def known(session: Session, key: str) -> Neighbourhood:
    return neighbourhood.load(session, key, load_world(session, key), links.load(session, key))


def answer(session: Session, key: str, foil: DrawnFact | Foil, directory: Path) -> str:
    (proof,) = prove(session, key, [foil], known(session, key).world)
    assert isinstance(proof, Proof), proof
    assert proof.truth is isinstance(foil, DrawnFact)
    (directory / "proof.pl").write_text(proof.program)
    ran = subprocess.run(["swipl", "proof.pl"], cwd=directory, check=True, timeout=60, capture_output=True, text=True)
    return ran.stdout.strip()


def test_two_that_belong_together_are_in_an_order_if_their_dates_lie_apart_and_neither_is_part_of_the_other(
    session: Session, month: str
) -> None:
    # Q3 is a month younger than Q1, Q4 five years, and Q1 is a part of Q5.
    assert [(fact.s, fact.end) for fact in drawn_facts(session, month, ORDER)] == [(1, 2)]


def test_an_order_turned_round_is_false(session: Session, month: str, tmp_path: Path) -> None:
    (fact,) = drawn_facts(session, month, ORDER)
    foil = foils.draw(known(session, month), fact, fact)
    assert isinstance(foil, Foil)
    assert (foil.s, foil.o, foil.evidence) == (2, 1, fact.evidence[::-1])
    assert answer(session, month, fact, tmp_path) == "yes"
    assert answer(session, month, foil, tmp_path) == "no"


def test_the_countries_of_towns_are_drawn_but_of_no_capital(session: Session, month: str) -> None:
    found = {(fact.s, fact.end) for fact in drawn_facts(session, month, COUNTRY)}
    assert found == {(KIEL, GERMANY), (GRAZ, AUSTRIA), (PRAGUE, CZECHIA)}


def test_a_town_lies_in_no_other_country_of_its_language_and_nobody_asks_about_the_rest(
    session: Session, month: str, tmp_path: Path
) -> None:
    facts = {fact.s: fact for fact in drawn_facts(session, month, COUNTRY)}
    foil = foils.draw(known(session, month), facts[KIEL], facts[GRAZ])
    assert isinstance(foil, Foil)
    assert (foil.s, foil.o, foil.licence.reason) == (KIEL, AUSTRIA, Reason.PLACE_COUNTRY)
    assert answer(session, month, foil, tmp_path) == "no"
    assert isinstance(unlike := foils.draw(known(session, month), facts[KIEL], facts[PRAGUE]), Refusal)
    assert unlike.code == "unlike"


def test_a_foil_is_one_row_however_often_it_is_stored(session: Session, month: str) -> None:
    facts = {fact.s: fact for fact in drawn_facts(session, month, COUNTRY)}
    one, other = (foils.draw(known(session, month), *pair) for pair in (
        (facts[KIEL], facts[GRAZ]), (facts[GRAZ], facts[KIEL]),
    ))  # fmt: skip
    assert isinstance(one, Foil) and isinstance(other, Foil)
    storing.store(session, month, [one, one])
    storing.store(session, month, [other, one])
    storing.store(session, month, [])
    joined = foil_table.join(relation_table, relation_table.c.id == foil_table.c.relation)
    columns = (*foil_table.c, relation_table.c.properties)
    rows = session.execute(
        select(*columns).select_from(joined).where(foil_table.c.snapshot == month).order_by(foil_table.c.s)
    ).all()
    assert [(row.properties, row.s, row.o, row.value, row.how) for row in rows] == [
        ([17], GRAZ, GERMANY, None, "country exchanged"),
        ([17], KIEL, AUSTRIA, None, "country exchanged"),
    ]
    assert [tuple(row.evidence) for row in rows] == [facts[GRAZ].evidence, facts[KIEL].evidence]
    assert {row.reason for row in rows} == {Reason.PLACE_COUNTRY}
    session.rollback()


def test_every_way_has_a_name_of_its_own() -> None:
    assert len({way.name for way in foils.WAYS}) == len(foils.WAYS)


def rule(number: int, kind: RuleKind) -> Rule:
    return Rule(number, f"{kind.family}:P19", kind, (19,), BORN, "", {}, "active", "")


def birthplaces(there: int, lands: Mapping[int, Land]) -> Neighbourhood:
    """CHILD was born in TOWN, OTHER somewhere else."""
    world = places()
    said = {**world.slots.known, (19, OTHER): Known(1, {there: 2})}
    rules = {1: rule(1, POLARITY), 2: rule(2, WRONG_VALUE)}
    return Neighbourhood(changed(world, known=said), rules, Links({}, {}), Works({}, {}), lands)


@pytest.mark.parametrize(
    ("there", "lands", "found"),
    [
        (NEAR_TOWN, {}, Reason.PLACE_LEVEL),
        (FAR_TOWN, {}, "unlike"),
        (FAR_TOWN, dict.fromkeys((HOME, FAR_COUNTRY), Land(frozenset({1}), frozenset({2}))), Reason.PLACE_COUNTRY),
        (FAR_TOWN, dict.fromkeys((HOME, FAR_COUNTRY), Land(frozenset({1, 2, 3}), frozenset({2}))), "unlike"),
        (TOWN, {}, "seen"),
    ],
)
def test_the_birthplace_of_another_is_a_foil_if_it_lies_near(
    there: int, lands: Mapping[int, Land], found: Reason | str
) -> None:
    one, other = DerivedFact(1, BORN, CHILD, TOWN, (1,)), DerivedFact(1, BORN, OTHER, there, (2,))
    foil = foils.draw(birthplaces(there, lands), one, other)
    assert (foil.licence.reason if isinstance(foil, Foil) else foil.code) == found


@pytest.mark.parametrize(("states", "found"), [((12, 14), Reason.PLACE_LEVEL), ((12, 12), "unlike")])
def test_the_neighbouring_state_of_another_town_is_a_foil_if_it_is_another_state(
    states: tuple[int, int], found: Reason | str
) -> None:
    mine, theirs = states
    world, away, lies = places(), 14, Relation.of(131)
    containment = {low: set(highs) for low, highs in world.containment.up.items()} | {
        NEAR_COUNTY: {theirs},
        away: {HOME},
    }
    world = changed(
        world,
        up={low: frozenset(highs) for low, highs in containment.items()},
        inside={low: dict.fromkeys(highs, 100 + low) for low, highs in containment.items()},
        types={**world.containment.types, away: world.containment.types[mine]},
        marks={**world.naming.marks, away: frozenset({"name14"})},
        known={**world.slots.known, (131, TOWN): Known(1, {COUNTY: 110})},
    )
    within = Rule(1, "transitive:P131", named("transitive"), (131,), lies, "", {}, "active", "")
    lands = {mine: Land(borders=frozenset({away}))}
    near = Neighbourhood(world, {1: within}, Links({}, {}), Works({}, {}), lands)
    one, other = (
        DerivedFact(1, lies, town, state, (1,), COUNTY) for town, state in ((TOWN, mine), (NEAR_TOWN, theirs))
    )
    foil = foils.draw(near, one, other)
    assert (foil.licence.reason if isinstance(foil, Foil) else foil.code) == found
    if isinstance(foil, Foil):
        assert (foil.s, foil.o, foil.evidence) == (TOWN, away, (110,))
        elsewhere = dict.fromkeys((mine, away), Land(borders=frozenset({FAR_COUNTRY})))
        unknown = Neighbourhood(world, {1: within}, Links({}, {}), Works({}, {}), {})
        assert isinstance(foils.draw(unknown, one, other), Foil), "where nothing says on what an area borders"
        far = Neighbourhood(world, {1: within}, Links({}, {}), Works({}, {}), elsewhere)
        assert isinstance(refused := foils.draw(far, one, other), Refusal)
        assert refused.code == "unlike"


def test_nothing_is_drawn_beside_a_property_that_may_have_several_values() -> None:
    near = birthplaces(NEAR_TOWN, {})
    loose = Neighbourhood(near.world, {1: near.rules[1]}, Links({}, {}), Works({}, {}), {})
    fact = DerivedFact(1, BORN, CHILD, TOWN, (1,))
    assert foils.decided_by(near, fact) == 19
    assert foils.decided_by(loose, fact) == 0
    assert isinstance(refused := foils.draw(loose, fact, fact), Refusal)
    assert refused.code == "no way"
