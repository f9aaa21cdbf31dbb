"""What is offered as false, and what hiding shows, held against counting one by one on small generated worlds."""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import replace
from itertools import product

import numpy as np
import pytest
from numpy.typing import NDArray

from halluvault_tasks.reasoning.measuring import hiding, missing
from halluvault_tasks.reasoning.measuring.asked_part import Aged, Apart, CalledSo, Fitting, SubjectsAlike, ValuesAlike
from halluvault_tasks.reasoning.measuring.hiding import Chances
from halluvault_tasks.reasoning.measuring.likeness import Has
from halluvault_tasks.reasoning.measuring.nearness import NEARNESSES, Nearness
from halluvault_tasks.reasoning.measuring.offers import Offers, offers
from halluvault_tasks.reasoning.measuring.recorded import StatedItems, TrueFacts, pair
from halluvault_tasks.reasoning.world import World
from halluvault_tasks.reasoning.world.containment import Containment
from halluvault_tasks.reasoning.world.naming import Naming
from halluvault_tasks.statistics.recapture import Recorded
from halluvault_tasks.wikidata.relation import Relation

CAST, DIRECTOR, COUNTRY, COMPOSER, INVERSE = 161, 57, 17, 86, 4_000
FILMS, ACTORS = range(100, 112), range(200, 214)
PLAYS = Relation.of(CAST)
NEAR = Nearness("near", (PLAYS,), (Has((DIRECTOR,)),), "works", within=(Has((COUNTRY,)),), reach=99, most=2, least=1)

Triple = tuple[int, int, int]


def world(seed: int) -> StatedItems:
    """Films of a few directors and countries, actors some of whom are said to be the same or share a name."""
    draw = random.Random(seed)
    stated = {(film, DIRECTOR, draw.randrange(3)) for film in FILMS}
    stated |= {(film, COUNTRY, draw.randrange(20, 22)) for film in FILMS}
    stated |= {(film, CAST, actor) for film in FILMS for actor in draw.sample(ACTORS, draw.randrange(1, 5))}
    stated |= {(draw.choice(FILMS), COMPOSER, draw.choice(ACTORS)) for _ in range(4)}
    stated |= {(o, INVERSE, s) for s, p, o in sorted(stated) if p == CAST and draw.random() < 0.3}
    links: dict[int, set[int]] = {}
    for _ in range(3):
        one, other = draw.sample(ACTORS, 2)
        links.setdefault(one, set()).add(other)
        links.setdefault(other, set()).add(one)
    names = {actor: frozenset({f"name {draw.randrange(20)}", f"own {actor}"}) for actor in ACTORS}
    near = Containment(links={item: frozenset(of) for item, of in links.items()})
    return recorded(stated, World(containment=near, naming=Naming(names)))


def recorded(stated: set[Triple], known: World) -> StatedItems:
    rows = sorted(stated, key=lambda row: (row[1], row[0], row[2]))
    s, p, o = (np.array(column, dtype=np.int64) for column in zip(*rows, strict=True))
    cast = np.array(sorted((s, o) for s, p, o in rows if p == CAST), dtype=np.int64)
    true = TrueFacts(cast[:, 0], cast[:, 1], np.unique(pair(cast[:, 0], cast[:, 1])))
    sids = np.arange(1, len(s) + 1)
    return StatedItems(s, p, o, sids, {PLAYS: true}, {PLAYS: (INVERSE,)}, {}, {}, {}, {}, known)


def triples(of: StatedItems) -> set[Triple]:
    return set(zip(of.s.tolist(), of.p.tolist(), of.o.tolist(), strict=True))


def offered_one_by_one(of: StatedItems, s: int, own: frozenset[int], hidden: int) -> list[tuple[int, int]]:
    """Facts (subject, object) of near subjects whose objects are offered to s, with one of its values not known."""
    stated = triples(of) - {(s, CAST, hidden), (hidden, INVERSE, s)}
    value: Mapping[tuple[int, int], set[int]] = {
        (item, p): {o for s, q, o in stated if (s, q) == (item, p)} for item, p in product(FILMS, (DIRECTOR, COUNTRY))
    }
    near = [
        film for film in FILMS
        if film != s and all(value[film, p] & value[s, p] for p in (DIRECTOR, COUNTRY))
    ]  # fmt: skip
    facts = [(film, o) for film, p, o in sorted(stated) if p == CAST and film in near]
    held = {o: sum(other == o for _, other in facts) for _, o in facts}
    joined = {(s, o) for s, _, o in stated} | {(o, s) for s, _, o in stated}
    links, names = of.world.containment.links, of.world.naming.marks

    def excluded(o: int) -> bool:
        close = any(o == v or o in links.get(v, ()) or names[o] & names[v] for v in own - {hidden})
        return close or (s, o) in joined

    return [(film, o) for film, o in facts if held[o] <= NEAR.most and not excluded(o)]


@pytest.mark.parametrize("seed", range(12))
def test_hiding_counts_what_would_be_offered_were_the_fact_not_known(seed: int) -> None:
    of = world(seed)
    found = hiding.chances(offers(of, NEAR, PLAYS))
    enumerated = dict(zip(zip(found.s.tolist(), found.o.tolist(), strict=True), found.chance.tolist(), strict=True))
    cast = {s: frozenset(o for t, p, o in triples(of) if (t, p) == (s, CAST)) for s in FILMS}
    expected = {}
    for s, p, o in triples(of):
        if p == CAST and (offered := offered_one_by_one(of, s, cast[s], o)):
            # What only the hidden value kept away is no part of what is counted: fewer offers, a greater chance.
            kept = [end for _, end in offered if end == o or end in enabled(of, s, cast[s])]
            if kept:
                expected[s, o] = kept.count(o) / len(kept)
    assert enumerated.keys() == expected.keys()
    assert all(enumerated[ends] == pytest.approx(chance) for ends, chance in expected.items())
    assert any(expected.values()), "some hidden fact would be offered"


def enabled(of: StatedItems, s: int, own: frozenset[int]) -> set[int]:
    return {end for _, end in offered_one_by_one(of, s, own, 0)}


@pytest.mark.parametrize("seed", range(12))
def test_nothing_that_is_known_is_ever_offered(seed: int) -> None:
    of = world(seed)
    made = offers(of, NEAR, PLAYS)
    stated = triples(of)
    joined = {(s, o) for s, _, o in stated} | {(o, s) for s, _, o in stated}
    pairs = set(zip(made.s[made.first][made.free].tolist(), made.o[made.second][made.free].tolist(), strict=True))
    assert pairs and pairs.isdisjoint(joined)


@pytest.mark.parametrize("seed", range(4))
def test_partners_may_exchange_their_values_both_ways(seed: int) -> None:
    made = offers(world(seed), NEAR, PLAYS)
    facts = list(zip(made.s.tolist(), made.o.tolist(), strict=True))
    found = {fact: set(made.partners(*fact)) for fact in facts}
    assert any(found.values())
    assert all(fact in found[other] for fact, others in found.items() for other in others)
    assert made.partners(1, 1) == ()


def test_beside_a_fact_with_few_offers_nothing_is_offered() -> None:
    few = offers(world(1), replace(NEAR, least=1_000), PLAYS)
    assert not few.free.any() and not few.same.any()


@pytest.mark.parametrize("seed", range(4))
def test_who_played_elsewhere_beside_one_of_the_cast_is_not_offered(seed: int) -> None:
    of = world(seed)
    every = offers(of, NEAR, PLAYS)
    fewer = offers(of, replace(NEAR, apart=(Has((CAST,)),)), PLAYS)
    cast = {s: {o for t, p, o in triples(of) if (t, p) == (s, CAST)} for s in FILMS}

    def together(s: int, o: int) -> bool:
        """What is asked is taken for not known, at either film."""
        return any((cast[t] & cast[s]) - {o} for t in FILMS if t != s and o in cast[t])

    def pairs(made: Offers, of_these: NDArray[np.bool_]) -> set[tuple[int, int]]:
        return set(zip(made.s[made.first][of_these].tolist(), made.o[made.second][of_these].tolist(), strict=True))

    for which in ("free", "same"):
        all_pairs, kept = pairs(every, getattr(every, which)), pairs(fewer, getattr(fewer, which))
        assert kept == {ends for ends in all_pairs if not together(*ends)}
    assert pairs(every, every.free) > pairs(fewer, fewer.free)


@pytest.mark.parametrize("seed", range(4))
def test_a_part_of_what_is_offered_is_asked_and_measured_by_itself(seed: int) -> None:
    of = world(seed)
    made = offers(of, replace(NEAR, within=(), asked=(SubjectsAlike(Has((COUNTRY,))),)), PLAYS)
    land = {s: o for s, p, o in triples(of) if p == COUNTRY}
    near = np.array([land[s] == land[t] for s, t in zip(made.s[made.first], made.s[made.second], strict=True)])
    assert (made.near == near).all() and not near.all()
    assert all(land[s] == land[t] for s, o in made.asked for t, _ in made.partners(s, o))
    assert hiding.chances(made.nearest).offered.sum() == near.sum()
    assert offers(of, NEAR, PLAYS).near.all(), "all of it, where nothing narrows it"


def test_no_nearness_uses_the_property_whose_values_it_exchanges() -> None:
    for nearness in NEARNESSES:
        used = {p for feature in features_of(nearness) for p in properties(feature)}
        exchanged = {p for relation in nearness.relations for p in relation.properties}
        assert used.isdisjoint(exchanged), nearness.name


def features_of(nearness: Nearness) -> tuple[object, ...]:
    asked = (feature for one in nearness.asked if (feature := getattr(one, "feature", None)))
    return *nearness.near, *nearness.within, *asked


@pytest.mark.parametrize("seed", range(4))
def test_each_condition_of_what_is_asked_is_what_it_says_of_two_facts(seed: int) -> None:
    of, draw = world(seed), random.Random(seed)
    for actor in ACTORS[::2]:
        of = replace(of, s=np.append(of.s, actor), p=np.append(of.p, COUNTRY), o=np.append(of.o, 20))
    order = np.lexsort((of.o, of.s, of.p))
    years = {item: draw.randrange(1900, 1999) for item in (*FILMS, *ACTORS) if draw.random() < 0.7}
    told = {actor: draw.choice(["American actor", "British singer", ""]) for actor in ACTORS}
    of = replace(of, s=of.s[order], p=of.p[order], o=of.o[order], years=years, descriptions=told)
    known = of.known[PLAYS]
    first, second = (np.repeat(np.arange(len(known.s)), len(known.s)), np.tile(np.arange(len(known.s)), len(known.s)))
    land = {item: {o for s, p, o in triples(of) if (s, p) == (item, COUNTRY)} for item in (*FILMS, *ACTORS)}

    def fits(s: int, o: int) -> bool:
        return not land[s] or not land[o] or bool(land[s] & land[o])

    def aged(s: int, o: int) -> bool:
        return s not in years or o not in years or 10 <= years[s] - years[o] <= 60

    expected = {
        Fitting(Has((COUNTRY,))): fits,
        Apart(Has((COUNTRY,))): lambda s, o: not land[s] & land[o],
        Aged(10, 60): aged,
        CalledSo(("act(?:or|ress)",)): lambda s, o: told[o] != "British singer",
    }
    ends = [(int(known.s[one]), int(known.o[two])) for one, two in zip(first, second, strict=True)]
    for condition, holds in expected.items():
        assert condition.holds(of, known, first, second).tolist() == [holds(s, o) for s, o in ends], condition
    values = ValuesAlike(Has((COUNTRY,)), if_known=True).holds(of, known, first, second)
    assert values.tolist() == [
        fits(int(known.o[one]), int(known.o[two])) for one, two in zip(first, second, strict=True)
    ]


def test_a_condition_counts_for_the_properties_that_it_is_of() -> None:
    always, of_one = Aged(0, 9), Aged(0, 5, of=(CAST,))
    near = replace(NEAR, asked=(always, of_one))
    assert near.conditions(PLAYS) == (always, of_one)
    assert near.conditions(Relation.of(COMPOSER)) == (always,)


def properties(feature: object) -> set[int]:
    own = set(getattr(feature, "properties", ()))
    inner = (*getattr(feature, "features", ()), getattr(feature, "first", None), getattr(feature, "then", None))
    return own.union(*(properties(one) for one in inner if one is not None))


def test_a_bound_is_never_nothing_and_shrinks_with_what_was_seen() -> None:
    few, many = (Chances(*(np.arange(n),) * 3, np.zeros(n), np.full(n, 50)) for n in (100, 1_000))
    assert 0 < hiding.hidden(many).high < hiding.hidden(few).high < 0.001
    assert (
        hiding.hidden(Chances(*(np.zeros(0, dtype=np.int64),) * 3, np.zeros(0), np.zeros(0, dtype=np.int64))).high == 1
    )


def test_facts_of_one_object_say_less_than_as_many_of_several() -> None:
    chance = np.tile([0.0, 0.02], 200)
    of_one = Chances(np.arange(400), np.tile([1, 2], 200), np.arange(400), chance, np.full(400, 50))
    of_many = Chances(*(np.arange(400),) * 3, chance, np.full(400, 50))
    assert hiding.hidden(of_one).high > hiding.hidden(of_many).high


def test_what_is_missing_is_the_largest_of_what_shows_it() -> None:
    of = world(3)
    values = len(of.known[PLAYS].s) / len(set(of.known[PLAYS].s.tolist()))
    assert missing.lacking(of, PLAYS, {}, {}).high == pytest.approx(values / 4)
    half = missing.lacking(of, PLAYS, {CAST: Recorded(40, 100)}, {})
    assert half.recaptured is not None and half.high == half.recaptured > values / 4
    film = int(of.known[PLAYS].s[0])
    assert missing.lacking(of, PLAYS, {}, {CAST: {film: 50}}).counted is None, "one counted subject says nothing"
