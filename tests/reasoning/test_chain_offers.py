"""Foils of a chain: what is offered, what hiding one of its steps shows, and what it lacks, held against counting."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterable

import numpy as np
import pytest

from halluvault_tasks.reasoning.measuring import hiding, missing
from halluvault_tasks.reasoning.measuring.likeness import Has
from halluvault_tasks.reasoning.measuring.nearness import Nearness
from halluvault_tasks.reasoning.measuring.offers import offers
from halluvault_tasks.reasoning.measuring.recorded import Ints, StatedItems, TrueFacts, pair
from halluvault_tasks.reasoning.measuring.ways import Ways
from halluvault_tasks.reasoning.world import World
from halluvault_tasks.reasoning.world.containment import Containment
from halluvault_tasks.reasoning.world.naming import Naming
from halluvault_tasks.wikidata.relation import Relation

DIRECTOR, BIRTHPLACE, GENRE, RESIDENCE = 57, 19, 136, 551
BORN_IN = Relation.chain(DIRECTOR, BIRTHPLACE)
FILMS, PEOPLE, TOWNS = range(100, 116), range(200, 212), range(300, 312)
NEAR = Nearness("near", (BORN_IN,), (Has((GENRE,)),), "works", reach=99, most=2, least=1)

Triple = tuple[int, int, int]


def stated(seed: int) -> set[Triple]:
    """Films of a few genres with one or two directors, most of whom were born somewhere; some lived elsewhere."""
    draw = random.Random(seed)
    found = {(film, GENRE, draw.randrange(3)) for film in FILMS}
    found |= {(film, DIRECTOR, one) for film in FILMS for one in draw.sample(PEOPLE, draw.choice((1, 1, 2)))}
    found |= {(one, BIRTHPLACE, draw.choice(TOWNS)) for one in PEOPLE if draw.random() < 0.85}
    found |= {(draw.choice(PEOPLE), RESIDENCE, draw.choice(TOWNS)) for _ in range(5)}
    return found


def recorded(found: set[Triple]) -> StatedItems:
    rows = sorted(found, key=lambda row: (row[1], row[0], row[2]))
    s, p, o = (np.array(column, dtype=np.int64) for column in zip(*rows, strict=True))
    steps = {pid: facts(p, s, o, pid) for pid in (DIRECTOR, BIRTHPLACE)}
    reached = sorted((film, town) for film in FILMS for town in towns(found, film))
    own = np.array(reached, dtype=np.int64)
    ways = Ways.of((DIRECTOR, BIRTHPLACE), [steps[pid].leads for pid in steps], sorted({film for film, _ in reached}))
    chain = TrueFacts(own[:, 0], own[:, 1], np.unique(pair(own[:, 0], own[:, 1])), (ways,))
    known = {Relation.of(pid): of for pid, of in steps.items()} | {BORN_IN: chain}
    world = World(containment=Containment(), naming=Naming({town: frozenset({f"town {town}"}) for town in TOWNS}))
    return StatedItems(s, p, o, np.arange(1, len(s) + 1), known, {}, {}, {}, {}, {}, world)


def facts(p: Ints, s: Ints, o: Ints, pid: int) -> TrueFacts:
    own = p == pid
    return TrueFacts(s[own], o[own], np.unique(pair(s[own], o[own])))


def directors(found: set[Triple], film: int) -> set[int]:
    return {o for s, p, o in found if (s, p) == (film, DIRECTOR)}


def towns(found: set[Triple], film: int) -> set[int]:
    return {o for s, p, o in found if p == BIRTHPLACE and s in directors(found, film)}


def near_to(found: set[Triple], film: int) -> list[int]:
    genre = {s: o for s, p, o in found if p == GENRE}
    return [other for other in FILMS if other != film and genre[other] == genre[film]]


def held(found: set[Triple], films: Iterable[int]) -> Counter[int]:
    return Counter(town for film in films for town in towns(found, film))


def spoken(found: set[Triple], film: int, town: int) -> bool:
    """Whether what is stated speaks against a town: a director was born there, or something joins them to it."""
    return any(o == town and s in {film, *directors(found, film)} for s, _, o in found)


def others(found: set[Triple], film: int) -> int:
    """Offers beside a film of what it does not have, as it stands."""
    counts = held(found, near_to(found, film))
    return sum(number for town, number in counts.items() if number <= NEAR.most and not spoken(found, film, town))


@pytest.mark.parametrize("seed", range(12))
def test_hiding_either_step_counts_the_worst_that_would_be_offered(seed: int) -> None:
    found = stated(seed)
    shown = hiding.chances(offers(recorded(found), NEAR, BORN_IN))
    chances = dict(zip(zip(shown.s.tolist(), shown.o.tolist(), strict=True), shown.chance.tolist(), strict=True))
    expected: dict[tuple[int, int], float] = {}
    for film in FILMS:
        for town in towns(found, film):
            born = {s for s, p, o in found if (p, o) == (BIRTHPLACE, town)}
            no_director = found - {(film, DIRECTOR, one) for one in born}
            no_birthplace = found - {(one, BIRTHPLACE, town) for one in born & directors(found, film)}
            numbers = [held(without, near_to(found, film))[town] for without in (no_director, no_birthplace)]
            own = max((number for number in numbers if number <= NEAR.most), default=0)
            own = 0 if spoken(no_director, film, town) else own
            if own + others(found, film):
                expected[film, town] = own / (own + others(found, film))
    assert chances.keys() == expected.keys()
    assert all(chances[ends] == pytest.approx(chance) for ends, chance in expected.items())
    assert any(expected.values()), "some hidden fact would be offered"


@pytest.mark.parametrize("seed", range(12))
def test_what_any_way_reaches_or_a_director_is_joined_to_is_never_offered(seed: int) -> None:
    found = stated(seed)
    made = offers(recorded(found), NEAR, BORN_IN)
    pairs = set(zip(made.s[made.first][made.free].tolist(), made.o[made.second][made.free].tolist(), strict=True))
    assert pairs
    assert not any(spoken(found, film, town) for film, town in pairs)


def test_what_a_chain_lacks_is_what_its_steps_lack_with_all_that_lies_behind() -> None:
    film, other, known, unknown, town = 100, 101, 200, 201, 300
    found = {(film, DIRECTOR, known), (other, DIRECTOR, known), (film, DIRECTOR, unknown), (known, BIRTHPLACE, town)}
    rows = recorded(found | {(one, GENRE, 1) for one in FILMS})
    bounds = missing.lacking(rows, BORN_IN, {}, {})
    directors_missing = 0.25 * 3 / 2
    behind = 1.25  # the one birthplace that somebody has, and a quarter
    born_missing = 0.25
    spread = hiding.ONE_SIDED * 0.5 / np.sqrt(2)  # of two films one has a director of unknown birth
    assert bounds.composed == pytest.approx(behind * directors_missing + born_missing + (0.5 + spread) * 1.25)
    assert bounds.high == bounds.composed > bounds.floor


def test_a_way_is_known_no_more_by_what_its_first_step_alone_led_to() -> None:
    steps = [{1: [10, 11]}, {10: [20, 21], 11: [21]}]
    ways = Ways.of((57, 69), steps, [1])
    assert ways.without(1, 20) == (frozenset({21}), frozenset({11}))
    assert ways.without(1, 21) == (frozenset(), frozenset())
    assert ways.edges(1, 21, 1) == {(10, 21), (11, 21)}
    assert ways.between(1) == {10, 11}
