"""Whether two films share the one director that each is credited to."""

from collections.abc import Callable, Iterator
from datetime import date
from typing import Any

import pytest
from sqlalchemy import insert, select
from sqlalchemy.orm import Session

from halluvault_tasks.benchmark.selection.material import Material
from halluvault_tasks.benchmark.selection.swaps import Swap
from halluvault_tasks.benchmark.suites.relation import makers
from halluvault_tasks.benchmark.wording.lexicon import load_lexicon
from halluvault_tasks.knowledge import snapshots
from halluvault_tasks.reasoning import proving
from halluvault_tasks.reasoning.licence.slot import has_one
from halluvault_tasks.reasoning.records import Proof
from halluvault_tasks.settings import REPOSITORY
from halluvault_tasks.storage import sessions
from halluvault_tasks.storage.tables import entity, statement

KEY, FILM, DIRECTOR = "2040-07", 3001, 2011  # of the small world: what a film and a director look like there
PEOPLE = {
    81: "Ann Arbor", 82: "Bob Banner", 83: "Cleo Carver", 84: "Gil Gray", 85: "Hal Hunt",
    91: "Dan Dole", 92: "Eve Eaton", 93: "Flo Field",
}  # fmt: skip
FILMS = {
    # film: (title, year, director, credited to, cast)
    801: ("Alpha Rising", 1990, 81, "Ann Arbor", (91, 93)),
    802: ("Beyond Bravo", 1994, 81, "Ann Arbor", (92, 93)),
    811: ("Cold Charlie", 1991, 82, "Bob Banner", (91, 93)),
    812: ("Delta Dawning", 1995, 82, "Bob Banner", (92, 93)),
    821: ("Echo Ending", 1990, 83, "Cleo Carver and others", (91, 93)),
    822: ("Foxtrot Falling", 1994, 83, "Cleo Carver", (92, 93)),
    831: ("Golf Going", 2010, 81, "Ann Arbor", (91, 93)),
    841: ("Hotel Humming", 1990, 84, "Gil Gray", (91,)),
    842: ("India Inside", 1994, 84, "Gil Gray", (92,)),
    851: ("Juliet Jumping", 1991, 85, "Hal Hunt", (91,)),
    852: ("Kilo Keeping", 1995, 85, "Hal Hunt", (92,)),
}


@pytest.fixture(scope="module")
def swaps(database_url: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Material, list[Swap]]]:
    from tests.benchmark.conftest import derive_world, write_world

    lexicon = load_lexicon(REPOSITORY / "config" / "lexicon.yaml")
    with sessions.session(database_url) as session:
        write_world(session, KEY)
        _add(session)
        derive_world(session, KEY, tmp_path_factory.mktemp("scratch"))
        material = Material(session, snapshots.get(session, KEY), lexicon)
        found = makers.find(material, seed=1)
        yield material, [swap for swap in found if swap[0].strand == "share:P57"]


def _add(session: Session) -> None:
    like = {
        qid: dict(session.execute(select(entity).where(entity.c.snapshot == KEY, entity.c.qid == qid)).mappings().one())
        for qid in (FILM, DIRECTOR)
    }
    rows = [like[DIRECTOR] | {"qid": qid, "label": name, "aliases": []} for qid, name in PEOPLE.items()]
    said: list[tuple[int, int, int]] = []
    for film, (title, year, director, credited, cast) in FILMS.items():
        told = f"{year} film by {credited}"
        rows.append(like[FILM] | {"qid": film, "label": title, "aliases": [], "description": told})
        said += [(film, 57, director), *((film, 161, actor) for actor in cast), (film, 577, year)]
    session.execute(insert(entity), rows)
    common = {"snapshot": KEY, "rank": "normal"}
    for sid, (s, p, o) in enumerate(said, 20_000):
        value = _year(o) if p == 577 else {"kind": "item", "o": o}
        session.execute(insert(statement).values(**common, sid=sid, guid=f"Q{s}-{sid:08x}", s=s, p=p, **value))
    session.commit()


def _year(year: int) -> dict[str, Any]:
    first, last = date(year, 1, 1).toordinal(), date(year, 12, 31).toordinal()
    return {"kind": "time", "earliest": first, "latest": last, "precision": 9}


def test_each_film_is_once_in_a_true_and_once_in_a_false_pair(swaps: tuple[Material, list[Swap]]) -> None:
    [swap] = swaps[1]
    pairs = [(frozenset(one.entities), one.truth) for one in swap]
    true, false = ([pair for pair, truth in pairs if truth is wanted] for wanted in (True, False))
    assert set(true) == {frozenset({801, 802}), frozenset({811, 812})}
    # The false ones have two actors in common; those with one, a film of twenty years later, and one with more
    # directors are in none.
    assert set(false) == {frozenset({801, 811}), frozenset({802, 812})}


def test_the_proofs_print_what_is_asked(swaps: tuple[Material, list[Swap]], replayed: Callable[[str], str]) -> None:
    material, [swap] = swaps
    proved = proving.prove(material.session, material.snapshot, [one.fact for one in swap], material.world)
    assert [replayed(proof.program) for proof in proved if isinstance(proof, Proof)] == ["yes", "yes", "no", "no"]
    for one, proof in zip(swap, proved, strict=True):
        assert isinstance(proof, Proof)
        assert [premise.s for premise in proof.premises] == list(one.entities)
        assert (proof.premises[0].o == proof.premises[1].o) is one.truth
        assert all(has_one(material.world, 57, premise.s) for premise in proof.premises)
