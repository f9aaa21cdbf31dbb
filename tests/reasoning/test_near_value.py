"""A foil whose falsity is measured: drawn from a near subject, licensed by its class, proved by its measure."""

import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from reasoning_worlds import PROLOG_DIR, RULES_FILE, fill, statement
from sqlalchemy import select
from sqlalchemy.orm import Session

from halluvault_tasks.knowledge import links
from halluvault_tasks.reasoning import foils, stages
from halluvault_tasks.reasoning.facts import COLUMNS, fact_of
from halluvault_tasks.reasoning.foils import neighbourhood
from halluvault_tasks.reasoning.foils.base import Foil
from halluvault_tasks.reasoning.foils.neighbourhood import Neighbourhood
from halluvault_tasks.reasoning.grounds import LicenceKind, Refusal
from halluvault_tasks.reasoning.kinds import POLARITY
from halluvault_tasks.reasoning.kinds import named as kinds_named
from halluvault_tasks.reasoning.measuring.classes import Chance, MeasuredClass, MeasuredFile, MissingValues, ReadSheet
from halluvault_tasks.reasoning.proving import prove
from halluvault_tasks.reasoning.records import DerivedFact, Proof
from halluvault_tasks.reasoning.world.loading import load_world
from halluvault_tasks.storage import sessions
from halluvault_tasks.storage.tables import derived_fact
from halluvault_tasks.wikidata.relation import Relation

CAST = 161
FILMS = range(1, 61)
FILM = 11424

READ = MeasuredFile(
    classes=(
        MeasuredClass(
            relation="P161",
            near="another film of that director or year",
            version=1,
            pi=Chance(snapshot="2026-10", share=0.0005, high=0.001, subjects=400, objects=300),
            m=MissingValues(high=1.0, floor=1.0),
            sheets=(
                ReadSheet(
                    attempt=1, version=1, read_on="2026-11-28", reader="somebody", kind="people",
                    foils=100, decided=100, false=0, planted=100, recognised=95,
                ),
            ),
        ),
    )
)  # fmt: skip


@pytest.fixture(scope="module")
def month(database_url: str, next_snapshot: Callable[[], str], tmp_path_factory: pytest.TempPathFactory) -> str:
    """Sixty films of one year, each with three actors of its own; the composer of the first acts in the second."""
    cast = [statement(film, CAST, 1_000 + 3 * film + n) for film in FILMS for n in range(3)]
    cast += [statement(film, 577, year=1990) for film in FILMS]
    cast += [statement(1, 86, 1_000 + 3 * 2)]
    key = next_snapshot()
    with sessions.session(database_url) as session:
        fill(session, key, cast, types={film: [FILM] for film in FILMS})
        stages.type_rules(session, key, rules_file=RULES_FILE)
        stages.derive_shard(session, key, prolog_dir=PROLOG_DIR, scratch=tmp_path_factory.mktemp("near"), anew=True)
    return key


def known(session: Session, key: str, file: MeasuredFile = READ) -> Neighbourhood:
    return neighbourhood.load(session, key, load_world(session, key), links.load(session, key), file)


def facts(
    session: Session, key: str, near: Neighbourhood, relation: Relation = Relation.of(CAST)
) -> dict[tuple[int, int], DerivedFact]:
    kinds = (POLARITY, kinds_named("inverse, unnamed"))
    (rule,) = (n for n, rule in near.rules.items() if rule.kind in kinds and rule.conclusion == relation)
    c = derived_fact.c
    rows = session.execute(select(*COLUMNS).where(c.snapshot == key, c.rule == rule))
    return {(row.s, row.o): fact_of(row, near.rules) for row in rows}


def test_a_near_value_is_false_by_its_class_and_its_program_says_no(
    session: Session, month: str, tmp_path: Path
) -> None:
    near = known(session, month)
    of = facts(session, month, near)
    true = of[10, 1_030]
    ends = next(iter(near.measures.partners(Relation.of(CAST), true.s, true.o)))
    foil = foils.draw(near, true, of[ends])
    assert isinstance(foil, Foil)
    assert foil.licence.reason.kind is LicenceKind.MEASURED
    assert READ.classes[0].name in foil.licence.why
    assert len(foil.evidence) == 3, "all that is stated of the cast stands beside it"
    (proof,) = prove(session, month, [foil], near.world)
    assert isinstance(proof, Proof)
    assert not proof.truth
    (tmp_path / "proof.pl").write_text(proof.program)
    ran = subprocess.run(["swipl", "proof.pl"], cwd=tmp_path, check=True, timeout=60, capture_output=True, text=True)
    assert ran.stdout.strip() == "no"


def test_a_foil_turned_round_rests_on_the_class_of_the_property_and_on_who_is_in_the_other_film(
    session: Session, month: str, tmp_path: Path
) -> None:
    near = known(session, month)
    of = facts(session, month, near, Relation.inverse(CAST))
    true = of[1_030, 10]
    way = foils.MEASURED
    assert foils.decided_by(near, true) == CAST
    direct = near.measures.partners(Relation.of(CAST), 10, 1_030)
    assert {(o, s) for s, o in direct} == set(way.partners(true, near))
    actor, film = next(iter(way.partners(true, near)))
    foil = foils.draw(near, true, of[actor, film])
    assert isinstance(foil, Foil)
    assert (foil.relation, foil.s, foil.o) == (Relation.inverse(CAST), 1_030, film)
    assert foil.licence.sid == of[actor, film].evidence[0]
    (proof,) = prove(session, month, [foil], near.world)
    assert isinstance(proof, Proof)
    assert {premise.s for premise in proof.premises} == {film}, "its cast, of whom 1,030 is none"
    (tmp_path / "proof.pl").write_text(proof.program)
    ran = subprocess.run(["swipl", "proof.pl"], cwd=tmp_path, check=True, timeout=60, capture_output=True, text=True)
    assert ran.stdout.strip() == "no"


def test_who_is_joined_to_the_subject_by_anything_is_no_partner(session: Session, month: str) -> None:
    near = known(session, month)
    offered = {o for n in range(3) for _, o in near.measures.partners(Relation.of(CAST), 1, 1_003 + n)}
    assert offered
    assert 1_006 not in offered, "composed for the film, and may well be seen in it"


def test_what_is_not_near_or_not_licensed_is_no_foil(session: Session, month: str) -> None:
    near = known(session, month)
    of = facts(session, month, near)
    one, own = of[10, 1_030], of[10, 1_031]
    assert isinstance(foils.draw(near, one, own), Refusal)
    unread = known(session, month, MeasuredFile())
    assert foils.decided_by(unread, one) == 0
    assert isinstance(foils.draw(unread, one, of[11, 1_033]), Refusal)


def test_what_was_asked_before_is_asked_again_near_or_not_while_nothing_excludes_it(
    session: Session, month: str
) -> None:
    near = known(session, month)
    of, way = facts(session, month, near), foils.MEASURED
    one = of[1, 1_003]
    partners = set(way.partners(one, near))
    far = next(of[ends] for ends in sorted(of) if ends not in partners and ends[0] not in (1, 2))
    assert isinstance(way.draw(one, far, near), Refusal), "others are nearer"
    again = way.draw_again(one, far, near)
    assert isinstance(again, Foil)
    assert (again.s, again.o, again.licence.reason.kind) == (1, far.o, LicenceKind.MEASURED)
    composer = of[2, 1_006]
    assert isinstance(way.draw_again(one, composer, near), Refusal), "what is joined to the subject is excluded"
    assert isinstance(way.draw_again(one, of[1, 1_004], near), Refusal), "what it has itself, too"
