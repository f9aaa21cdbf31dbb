"""A moon has one planet: said from either end, false of another planet, whatever the planets' names share."""

import subprocess
from collections.abc import Callable
from pathlib import Path

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
from halluvault_tasks.reasoning.grounds import LicenceKind, Refusal
from halluvault_tasks.reasoning.licence import license_no
from halluvault_tasks.reasoning.proving import prove
from halluvault_tasks.reasoning.records import DerivedFact, Proof
from halluvault_tasks.reasoning.world.loading import load_world
from halluvault_tasks.reasoning.world.naming import marks, words
from halluvault_tasks.storage import sessions
from halluvault_tasks.storage.tables import derived_fact

SATURN, JUPITER, RHEA, IO, LOST = 193, 319, 15_050, 3_123, 15_051
MORE = range(20_001, 20_031)
MOON, OUTER_PLANET = 2_537, 30_014
ORBITS, ORBITED_BY = "negation.polarity:P397", "inverse:P397:P398"


@pytest.fixture(scope="module")
def month(database_url: str, next_snapshot: Callable[[], str], tmp_path_factory: pytest.TempPathFactory) -> str:
    """Two planets that are both called Sol and a number, each with moons, and one that is said to orbit both."""
    orbits = [(RHEA, SATURN), (IO, JUPITER), (LOST, SATURN), (LOST, JUPITER), *((moon, SATURN) for moon in MORE)]
    stated = [*(statement(moon, 397, planet) for moon, planet in orbits), statement(SATURN, 398, MORE[0])]
    kinds = {moon: [MOON] for moon in (RHEA, IO, LOST, *MORE)} | {SATURN: [OUTER_PLANET], JUPITER: [OUTER_PLANET]}
    names = {SATURN: "Sol VI", JUPITER: "Sol V"}
    inverse = {397: {"inverse": 398}, 398: {"inverse": 397}}
    key = next_snapshot()
    with sessions.session(database_url) as session:
        fill(session, key, stated, labels=names, types=kinds, properties=inverse)
        stages.type_rules(session, key, rules_file=RULES_FILE)
        stages.derive_shard(session, key, prolog_dir=PROLOG_DIR, scratch=tmp_path_factory.mktemp("moons"), anew=True)
    return key


def known(session: Session, key: str) -> Neighbourhood:
    return neighbourhood.load(session, key, load_world(session, key), links.load(session, key))


def facts(session: Session, key: str, near: Neighbourhood, name: str) -> dict[tuple[int, int], DerivedFact]:
    (number,) = (n for n, rule in near.rules.items() if rule.name == name)
    c = derived_fact.c
    rows = session.execute(select(*COLUMNS).where(c.snapshot == key, c.rule == number))
    return {(row.s, row.o): fact_of(row, near.rules) for row in rows}


@pytest.mark.parametrize(
    ("rule", "one", "other"),
    [(ORBITS, (RHEA, SATURN), (IO, JUPITER)), (ORBITED_BY, (SATURN, RHEA), (JUPITER, IO))],
)
def test_a_moon_of_one_planet_is_none_of_another_and_its_program_says_no(
    session: Session, month: str, tmp_path: Path, rule: str, one: tuple[int, int], other: tuple[int, int]
) -> None:
    near = known(session, month)
    of = facts(session, month, near, rule)
    assert foils.decided_by(near, of[one]) == 397
    foil = foils.draw(near, of[one], of[other])
    assert isinstance(foil, Foil), foil
    assert (foil.s, foil.o, foil.licence.reason.kind) == (one[0], other[1], LicenceKind.PROVED)
    (proof,) = prove(session, month, [foil], near.world)
    assert isinstance(proof, Proof), proof
    (tmp_path / "proof.pl").write_text(proof.program)
    ran = subprocess.run(["swipl", "proof.pl"], cwd=tmp_path, check=True, timeout=60, capture_output=True, text=True)
    assert ran.stdout.strip() == "no"


def test_what_is_said_to_orbit_two_is_denied_neither_nor_supports_anything(session: Session, month: str) -> None:
    world = load_world(session, month)
    assert isinstance(license_no(world, 397, LOST, RHEA), Refusal)
    assert (SATURN, LOST) not in rows_of(session, month, ORBITED_BY)


def test_a_name_of_signs_alone_marks_nothing() -> None:
    assert marks([words("Saturn"), words("♄")]) == {"saturn"}
    assert marks([words("♄")]) == frozenset()
