"""Complete lists: when a number closes one, what is false beside it, and the proof that anyone can run."""

import subprocess
from collections.abc import Callable, Iterator
from datetime import date
from pathlib import Path
from typing import Any

import pytest
from reasoning_worlds import PROLOG_DIR, RULES_FILE, fill, statement
from sqlalchemy import delete
from sqlalchemy.orm import Session

from halluvault_tasks.errors import UserError
from halluvault_tasks.knowledge import links
from halluvault_tasks.reasoning import counted_lists, foils, stages
from halluvault_tasks.reasoning.counted_lists import ObjectCount
from halluvault_tasks.reasoning.foils import neighbourhood
from halluvault_tasks.reasoning.foils.base import Foil
from halluvault_tasks.reasoning.grounds import Licence, LicenceKind, Reason, Refusal
from halluvault_tasks.reasoning.licence import license_no
from halluvault_tasks.reasoning.proving import prove
from halluvault_tasks.reasoning.records import DerivedFact, Proof
from halluvault_tasks.reasoning.rules import active_rules
from halluvault_tasks.reasoning.world import World
from halluvault_tasks.reasoning.world.loading import load_world
from halluvault_tasks.storage import sessions
from halluvault_tasks.storage.tables import counted_list

RIVER, LAKE, CITY, HUMAN, PRIZE = 4_022, 23_397, 515, 5, 7_191
COLOGNE, BONN, DELFT, CAIRO, RHINE, SIEG, SCHIE, NILE, LAC, GERMANY = 11, 12, 13, 14, 21, 22, 23, 24, 25, 26
ANN, BOB, CARL, DORA, EVE, FATHER, SON, DAUGHTER = 31, 32, 33, 34, 35, 36, 37, 38
EINSTEIN, CURIE, PHYSICS, CHEMISTRY, MEDAL = 41, 42, 51, 52, 53
WHO, DAY = "three readers", date(2026, 11, 30)
RIVERS, SPOUSE, NOBEL = "CityLocatedAtRiver", "PersonHasSpouse", "PersonHasNoblePrize"
COUNTS = [
    ObjectCount(*one)
    for one in (
        (COLOGNE, 206, RIVERS, 1), (BONN, 206, RIVERS, 2), (DELFT, 206, RIVERS, 2), (CAIRO, 206, RIVERS, 1),
        (CAIRO, 206, RIVERS, 3), (ANN, 26, SPOUSE, 1), (CARL, 26, SPOUSE, 1), (EINSTEIN, 166, NOBEL, 1),
        (CURIE, 166, "Prizes", 2),
    )
]  # fmt: skip


@pytest.fixture(scope="module")
def month(database_url: str, next_snapshot: Callable[[], str], tmp_path_factory: pytest.TempPathFactory) -> str:
    """Towns at rivers, couples, a father and laureates, some of whose objects people counted."""
    at = [(COLOGNE, RHINE), (BONN, RHINE), (BONN, SIEG), (DELFT, SCHIE), (CAIRO, NILE)]
    stated = [statement(town, 206, water) for town, water in at]
    stated += [statement(ANN, 26, BOB), statement(CARL, 26, DORA), statement(EVE, 26, CARL)]
    stated += [statement(FATHER, 40, SON), statement(FATHER, 1971, kind="quantity", amount=1)]
    stated += [statement(who, 166, what) for who, what in ((EINSTEIN, PHYSICS), (EINSTEIN, MEDAL), (CURIE, CHEMISTRY))]
    stated += [statement(town, 17, GERMANY) for town in (COLOGNE, BONN)]
    types = {water: [RIVER] for water in (RHINE, SIEG, SCHIE, NILE)} | {LAC: [LAKE]}
    types |= {who: [HUMAN] for who in (ANN, BOB, CARL, DORA, EVE, FATHER, SON, DAUGHTER, EINSTEIN, CURIE)}
    types |= {town: [CITY] for town in (COLOGNE, BONN, DELFT, CAIRO)} | {PHYSICS: [PRIZE], CHEMISTRY: [PRIZE]}
    labels = {PHYSICS: "Nobel Prize in Physics", CHEMISTRY: "Nobel Prize in Chemistry"}
    key = next_snapshot()
    with sessions.session(database_url) as session:
        fill(session, key, stated, types=types, labels=labels)
        counted_lists.store(session, COUNTS, source=WHO, checked_on=DAY)
        stages.type_rules(session, key, rules_file=RULES_FILE)
        stages.derive_shard(session, key, prolog_dir=PROLOG_DIR, scratch=tmp_path_factory.mktemp("lists"), anew=True)
    return key


@pytest.fixture(scope="module")
def world(month: str, database_url: str) -> Iterator[World]:
    with sessions.session(database_url) as session:
        yield load_world(session, month)
        session.execute(delete(counted_list).where(counted_list.c.source == WHO))
        session.commit()


def test_a_list_is_complete_where_what_is_stated_reaches_the_one_number_exactly(world: World) -> None:
    assert {key: set(found.values) for key, found in world.lists.of.items()} == {
        (206, COLOGNE): {RHINE}, (206, BONN): {RHINE, SIEG}, (26, ANN): {BOB}, (40, FATHER): {SON},
        (166, EINSTEIN): {PHYSICS},
    }, "less than counted, two numbers, a statement at the other end, and a relation that is not reviewed"  # fmt: skip


@pytest.mark.parametrize(
    ("p", "s", "o"), [(206, COLOGNE, NILE), (26, ANN, CARL), (40, FATHER, DAUGHTER), (166, EINSTEIN, CHEMISTRY)]
)
def test_what_is_like_the_members_and_none_of_them_is_false(world: World, p: int, s: int, o: int) -> None:
    found = license_no(world, p, s, o)
    assert isinstance(found, Licence), found
    assert found.reason is Reason.LIST and found.reason.kind is LicenceKind.LIST
    assert found.counted == 1


@pytest.mark.parametrize(
    ("p", "s", "o", "code"),
    [
        (206, COLOGNE, LAC, "type"), (206, COLOGNE, RHINE, "seen"), (206, DELFT, RHINE, "not functional"),
        (166, EINSTEIN, DORA, "type"),
    ],
)  # fmt: skip
def test_what_is_of_another_kind_or_of_no_complete_list_is_not(world: World, p: int, s: int, o: int, code: str) -> None:
    found = license_no(world, p, s, o)
    assert isinstance(found, Refusal)
    assert found.code == code


def test_a_count_of_what_grows_is_good_for_months_no_later_than_it(
    session: Session, next_snapshot: Callable[[], str], month: str
) -> None:
    key = next_snapshot()
    stated = [statement(ANN, 26, BOB), statement(COLOGNE, 206, RHINE), statement(CARL, 26, DORA)]
    stated += [statement(CARL, 570, year=1990), statement(CARL, 569, year=1920)]
    fill(session, key, stated, types={RHINE: [RIVER], BOB: [HUMAN], DORA: [HUMAN]}, as_of=date(2027, 1, 31))
    counted_lists.store(session, COUNTS, source=WHO, checked_on=DAY)
    try:
        stages.type_rules(session, key, rules_file=RULES_FILE)
        found = load_world(session, key).lists.of
        assert set(found) == {(206, COLOGNE), (26, CARL)}, "rivers stay, the dead marry no more"
    finally:
        session.rollback()
        session.execute(delete(counted_list).where(counted_list.c.source == WHO))
        session.commit()


def test_a_foil_beside_a_list_takes_the_value_of_another_list_and_its_proof_says_no(
    session: Session, month: str, world: World, tmp_path: Path
) -> None:
    known = neighbourhood.load(session, month, world, links.load(session, month))
    rule = next(rule for rule in active_rules(session, month) if rule.name == "negation.polarity:P206")
    (sid,) = world.lists.of[206, COLOGNE].values.values()
    true = DerivedFact(rule.rule, rule.conclusion, COLOGNE, RHINE, (sid,))
    other = DerivedFact(rule.rule, rule.conclusion, BONN, SIEG, (world.lists.of[206, BONN].values[SIEG],))
    assert foils.LISTED.decided_by(rule, known) == 206
    assert not foils.proved(known, true)
    foil = foils.LISTED.draw(true, other, known)
    assert isinstance(foil, Foil), "two towns of one country"
    assert foil.evidence == (sid,)
    far = true._replace(s=CAIRO, o=NILE)
    assert isinstance(foils.LISTED.draw(true, far, known), Refusal)
    (proof,) = prove(session, month, [foil], world)
    assert isinstance(proof, Proof) and not proof.truth
    assert WHO in proof.reason
    (tmp_path / "proof.pl").write_text(proof.program)
    ran = subprocess.run(["swipl", "proof.pl"], cwd=tmp_path, check=True, timeout=60, capture_output=True, text=True)
    assert ran.stdout.strip() == "no"


def test_a_file_of_counts_is_read_by_the_names_of_its_columns(tmp_path: Path) -> None:
    file = tmp_path / "counts.tsv"
    file.write_text("subject\tlabel\tproperty\trelation\tobjects\nQ1\tOne\tP206\tAt\t2\nQ1\tOne\tP206\tAt\t2\n")
    assert counted_lists.read(file) == [ObjectCount(1, 206, "At", 2)]


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("subject\tproperty\tobjects\nQ1\tP206\t2\n", "no column 'relation'"),
        ("subject\tproperty\trelation\tobjects\nQ1\tP206\tAt\tmany\n", "line 2: objects 'many'"),
        ("subject\tproperty\trelation\tobjects\nBonn\tP206\tAt\t2\n", "line 2: subject 'Bonn'"),
        ("", "no column 'subject'"),
    ],
)
def test_a_file_that_is_none_is_named_with_the_line(tmp_path: Path, text: str, named: str) -> None:
    file = tmp_path / "counts.tsv"
    file.write_text(text)
    with pytest.raises(UserError, match=named):
        counted_lists.read(file)


def test_the_same_import_changes_nothing_and_another_day_is_another_source(session: Session) -> None:
    counts: list[Any] = [ObjectCount(1, 206, "At", 2), ObjectCount(1, 206, "At", 3), ObjectCount(2, 206, "At", 1)]
    try:
        assert counted_lists.store(session, counts, source="a", checked_on=DAY) == (3, 3, 1)
        assert counted_lists.store(session, counts, source="a", checked_on=DAY) == (3, 0, 1)
        with pytest.raises(UserError, match="was imported as checked on 2026-11-30"):
            counted_lists.store(session, counts, source="a", checked_on=date(2026, 12, 1))
        stored = [(one.p, one.relation, one.counts) for one in counted_lists.listing(session) if one.source == "a"]
        assert stored == [(206, "At", 3)]
    finally:
        session.rollback()
        session.execute(delete(counted_list).where(counted_list.c.source == "a"))
        session.commit()
