"""A chain whose earlier steps lead one way only: its foils are those of the last step, and are followed as such."""

import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from reasoning_worlds import PROLOG_DIR, RULES_FILE, fill, statement
from sqlalchemy import select, update
from sqlalchemy.orm import Session

from halluvault_tasks.knowledge import links, snapshots
from halluvault_tasks.reasoning import foils, stages
from halluvault_tasks.reasoning.facts import COLUMNS, fact_of
from halluvault_tasks.reasoning.foils import neighbourhood
from halluvault_tasks.reasoning.foils.base import Foil
from halluvault_tasks.reasoning.foils.neighbourhood import Neighbourhood
from halluvault_tasks.reasoning.following import registry, step
from halluvault_tasks.reasoning.grounds import LicenceKind
from halluvault_tasks.reasoning.measuring.classes import Chance, MeasuredClass, MeasuredFile, MissingValues, ReadSheet
from halluvault_tasks.reasoning.measuring.nearness import BY_NAME
from halluvault_tasks.reasoning.proving import prove
from halluvault_tasks.reasoning.records import DerivedFact, Proof
from halluvault_tasks.reasoning.world.loading import load_world
from halluvault_tasks.storage import sessions
from halluvault_tasks.storage.tables import derived_fact, entity
from halluvault_tasks.wikidata.relation import Relation

NEAR = "a school of a colleague"
SCHOOLS = MeasuredFile(
    classes=(
        MeasuredClass(
            relation="P69", near=NEAR, version=BY_NAME[NEAR].version,
            pi=Chance(snapshot="2026-10", share=0.0005, high=0.001, subjects=400, objects=300),
            m=MissingValues(high=1.0, floor=1.0),
            sheets=(
                ReadSheet(
                    attempt=1, version=BY_NAME[NEAR].version, read_on="2026-11-28", reader="somebody", kind="people",
                    foils=100, decided=100, false=0, planted=100, recognised=95,
                ),
            ),
        ),
    )
)  # fmt: skip
STUDIED = Relation.chain(57, 69)
NUMBERS = range(80)
FILM, DIRECTOR, SCHOOL, LAND, CONTINENT = 1_000, 2_000, 3_000, 4_000, 5_000
TWO_DIRECTORS = 79


@pytest.fixture(scope="module")
def month(database_url: str, next_snapshot: Callable[[], str], tmp_path_factory: pytest.TempPathFactory) -> str:
    """Eighty films, each credited to its own director, who studied at a school of his or her own; one has two.

    Each school lies in a country of its own, all on one continent, since no others are asked.
    """
    rows = [statement(FILM + n, 57, DIRECTOR + n) for n in NUMBERS]
    rows += [statement(FILM + TWO_DIRECTORS, 57, DIRECTOR)]
    rows += [statement(DIRECTOR + n, 69, SCHOOL + n) for n in NUMBERS]
    rows += [statement(DIRECTOR + n, 106, 2_526_255) for n in NUMBERS]
    rows += [statement(DIRECTOR + n, 569, year=1950) for n in NUMBERS]
    rows += [statement(SCHOOL + n, 17, LAND + n) for n in NUMBERS]
    rows += [statement(LAND + n, 30, CONTINENT) for n in NUMBERS]
    types = {FILM + n: [11_424] for n in NUMBERS} | {DIRECTOR + n: [5] for n in NUMBERS}
    types |= {SCHOOL + n: [3_918] for n in NUMBERS}
    key = next_snapshot()
    with sessions.session(database_url) as session:
        fill(session, key, rows, types=types)
        for n in NUMBERS:
            of = (entity.c.snapshot == key, entity.c.qid == FILM + n)
            session.execute(update(entity).where(*of).values(description=f"1990 film by name{DIRECTOR + n}"))
        session.commit()
        stages.type_rules(session, key, rules_file=RULES_FILE)
        stages.derive_shard(session, key, prolog_dir=PROLOG_DIR, scratch=tmp_path_factory.mktemp("last"), anew=True)
    return key


@pytest.fixture
def known(session: Session, month: str) -> Neighbourhood:
    return neighbourhood.load(session, month, load_world(session, month), links.load(session, month), SCHOOLS)


def chains(session: Session, key: str, near: Neighbourhood) -> dict[int, DerivedFact]:
    (rule,) = (n for n, rule in near.rules.items() if rule.conclusion == STUDIED)
    c = derived_fact.c
    rows = session.execute(select(*COLUMNS).where(c.snapshot == key, c.rule == rule))
    return {
        row.o - SCHOOL: fact_of(row, near.rules) for row in rows if row.s != FILM + TWO_DIRECTORS or row.o != SCHOOL
    }


def drawn(near: Neighbourhood, of: dict[int, DerivedFact]) -> Foil:
    (way,) = (way for way in foils.NEAR if way.name == "the last step of a chain")
    true = of[10]
    _, o = way.partners(true, near)[0]
    foil = foils.draw(near, true, of[o - SCHOOL])
    assert isinstance(foil, Foil)
    return foil


def test_a_film_whose_one_director_did_not_study_there_has_no_director_who_did(
    session: Session, month: str, known: Neighbourhood, tmp_path: Path
) -> None:
    foil = drawn(known, chains(session, month, known))
    assert (foil.relation, foil.s, foil.licence.reason.kind) == (STUDIED, FILM + 10, LicenceKind.MEASURED)
    assert SCHOOLS.classes[0].name in foil.licence.why
    (proof,) = prove(session, month, [foil], known.world)
    assert isinstance(proof, Proof)
    (tmp_path / "proof.pl").write_text(proof.program)
    ran = subprocess.run(["swipl", "proof.pl"], cwd=tmp_path, check=True, timeout=60, capture_output=True, text=True)
    assert ran.stdout.strip() == "no"


def test_a_film_of_two_directors_has_no_such_foil(session: Session, month: str, known: Neighbourhood) -> None:
    of = chains(session, month, known)
    (way,) = (way for way in foils.NEAR if way.name == "the last step of a chain")
    assert not way.partners(of[TWO_DIRECTORS], known)
    assert way.partners(of[10], known)


def test_nothing_is_drawn_where_the_last_step_is_not_licensed(session: Session, month: str) -> None:
    bare = neighbourhood.load(session, month, load_world(session, month), links.load(session, month))
    fact = chains(session, month, bare)[10]
    assert foils.decided_by(bare, fact) == 0


def test_what_is_followed_of_a_chain_is_its_last_step(session: Session, month: str, known: Neighbourhood) -> None:
    foil = drawn(known, chains(session, month, known))
    step.asked(session, snapshots.get(session, month), SCHOOLS, [foil])
    (standing,) = registry.standing(session, "written by hand")
    assert (standing.relation, standing.asked) == (Relation.of(69), 1)
    assert foil.measured.s == DIRECTOR + 10
    session.rollback()
