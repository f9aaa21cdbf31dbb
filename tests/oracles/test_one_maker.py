"""Replays of what rests on a work's one maker: who directed a film, and whether two films have one director."""

from collections.abc import Iterator
from types import SimpleNamespace

import pytest

from halluvault_tasks.oracles import asked, replay
from halluvault_tasks.oracles.replay import ReplayItem, ReplayPremise
from halluvault_tasks.oracles.snapshot_view import BatchStatements, ItemStatement
from halluvault_tasks.prolog.engine import Engine
from halluvault_tasks.reasoning import kinds
from halluvault_tasks.reasoning.records import Rule
from halluvault_tasks.reasoning.world import World
from halluvault_tasks.reasoning.world.containment import Containment
from halluvault_tasks.reasoning.world.naming import Naming
from halluvault_tasks.reasoning.world.slots import Functional, Known, Slots
from halluvault_tasks.settings import REPOSITORY
from halluvault_tasks.wikidata.relation import Relation

JAWS, DUEL, ALIEN, FARGO, SPIELBERG, SCOTT = 1, 2, 3, 4, 11, 12
MADE = {JAWS: SPIELBERG, DUEL: SPIELBERG, ALIEN: SCOTT, FARGO: SCOTT}
COMMON, DIRECTED = Relation.share(57), Relation.of(57)
RULES = [
    Rule(1, "share:P57", kinds.named("share"), (57, 57), COMMON, "", {}, "active", ""),
    Rule(2, "negation.value:P57", kinds.WRONG_VALUE, (57,), DIRECTED, "", {"credited": True}, "active", ""),
]
WORLD = World(
    Containment({maker: frozenset({5}) for maker in (SPIELBERG, SCOTT)}),
    Naming({SPIELBERG: frozenset({"spielberg"}), SCOTT: frozenset({"scott"})}),
    Slots(
        functional={57: Functional(credited=True)},
        known={(57, film): Known(1, {maker: film}) for film, maker in MADE.items()},
        seconded=frozenset(
            (57, film) for film in MADE if film != FARGO
        ),  # of Fargo nobody says that it has one director
    ),
)
FACTS = BatchStatements({(57, film): {maker: ItemStatement(film, True, True)} for film, maker in MADE.items()})


@pytest.fixture(scope="module")
def engine() -> Iterator[Engine]:
    prolog = REPOSITORY / "prolog_rules"
    yield Engine([prolog / "mtl_run.pl", prolog / "replay.pl"])


def replayed(engine: Engine, relation: Relation, s: int, o: int, *said: tuple[int, int]) -> tuple[str, str]:
    """What `own` and `fill` give for a relation of two, if a response names these directors (film, director)."""
    proof = [
        {"sid": film, "property": 57, "subject": {"qid": film}, "object": {"qid": MADE[film]}}
        for film in (s, o)
        if film in MADE
    ]
    truth = MADE[s] == (MADE[o] if relation == COMMON else o)
    fact = {"rule": "x", "kind": "composite", "relation": str(relation), "s": s, "o": o, "truth": truth}
    columns = {"id": "c", "question": "?", "gold": "yes", "relation": "same", "mutation": "original", "group_id": "g"}
    case = asked.case_of(SimpleNamespace(**columns, fact=fact, premises=proof, rule_kind="composite", subject=s))
    told = tuple(ReplayPremise(57, film, maker, False) for film, maker in said)
    item = ReplayItem(case, "yes", "yes" if truth else "no", told, (), False, False, False, "argued", False, None)
    [found] = replay.run(engine, RULES, FACTS, WORLD, [item])
    return found.own, found.fill


def test_two_films_of_different_directors_have_none_in_common(engine: Engine) -> None:
    assert replayed(engine, COMMON, JAWS, ALIEN, (JAWS, SPIELBERG), (ALIEN, SCOTT)) == ("no", "no")
    assert replayed(engine, COMMON, JAWS, ALIEN) == ("undetermined", "no"), "it reasons by nothing"


def test_what_a_response_says_of_a_film_takes_the_place_of_its_one_director(engine: Engine) -> None:
    assert replayed(engine, COMMON, JAWS, DUEL, (JAWS, SPIELBERG), (DUEL, SPIELBERG)) == ("yes", "yes")
    assert replayed(engine, COMMON, JAWS, DUEL, (JAWS, SPIELBERG), (DUEL, SCOTT)) == ("no", "no")
    assert replayed(engine, COMMON, JAWS, ALIEN, (JAWS, SCOTT), (ALIEN, SCOTT)) == ("yes", "yes")
    assert replayed(engine, DIRECTED, JAWS, SPIELBERG, (JAWS, SCOTT)) == ("no", "no")
    assert replayed(engine, DIRECTED, JAWS, SCOTT, (JAWS, SPIELBERG)) == ("no", "no")


def test_of_a_film_that_may_have_several_directors_nothing_is_ruled_out(engine: Engine) -> None:
    assert replayed(engine, COMMON, JAWS, FARGO, (JAWS, SPIELBERG), (FARGO, SCOTT)) == ("undetermined", "undetermined")
    assert replayed(engine, DIRECTED, FARGO, SPIELBERG, (FARGO, SCOTT)) == ("undetermined", "undetermined")
    assert replayed(engine, DIRECTED, FARGO, SCOTT, (FARGO, SPIELBERG)) == ("undetermined", "yes")
