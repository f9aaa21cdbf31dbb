"""Which derived facts are put into words, and why others are not."""

import pytest

from halluvault_tasks.benchmark.cases.hindrances import Hindrance, Unasked
from halluvault_tasks.benchmark.wording.entity_index import Ending, EntityIndex
from halluvault_tasks.benchmark.wording.facts import Worder
from halluvault_tasks.benchmark.wording.identifying_names import Facts
from halluvault_tasks.benchmark.wording.lexicon import load_lexicon
from halluvault_tasks.benchmark.wording.premises import premise_item
from halluvault_tasks.reasoning import kinds
from halluvault_tasks.reasoning.records import DerivedFact, Premise, Rule
from halluvault_tasks.reasoning.world import World
from halluvault_tasks.reasoning.world.slots import Known, Slots
from halluvault_tasks.settings import REPOSITORY
from halluvault_tasks.wikidata.days import day_number
from halluvault_tasks.wikidata.relation import Relation

LEXICON = load_lexicon(REPOSITORY / "config" / "lexicon.yaml")
FILM, HUMAN, COUNTRY, TOWN, WAR, PARTY = 11424, 5, 6256, 3957, 198, 7278
GRANDPARENT = Relation.chain(22, 25)
RULE = Rule(1, "symmetric", kinds.named("symmetric"), (710,), Relation.of(710), "", {"time_bound": False}, "active", "")


def entity(qid: int, label: str, kind: int, description: str = "") -> Facts:
    return Facts(qid, label, description or None, (), frozenset({kind}), frozenset({kind}), frozenset({kind}))


def test_that_one_person_directed_two_films_is_asked_only_where_each_is_shown_to_have_one_director() -> None:
    entities = [
        Facts(one, label, told, (), frozenset({FILM}), frozenset({FILM}), frozenset({FILM}))
        for one, label, told in ((1, "Alpha Rising", "1990 film by Ann Arbor"), (2, "Bravo", "1992 film by Ann Arbor"))
    ]
    index = EntityIndex({one.qid: one for one in entities}, {}, LEXICON, Ending(frozenset(), frozenset()))
    shares = Rule(1, "share:P57", kinds.named("share"), (57,), Relation.share(57), "", {}, "active", "")
    told = Worder(index, LEXICON, World()).candidate("works", DerivedFact(1, Relation.share(57), 1, 2, (1, 2)), shares)
    assert told == Hindrance.SEVERAL_RIGHT()


@pytest.mark.parametrize(
    ("relation", "lived", "asked"),
    [
        (Relation.chain(19, 131), (1950, 2001), "Was Ann Lee born in Austria?"),
        (Relation.chain(19, 131), (1949, 2001), ""),
        (Relation.chain(20, 131), (1890, 1950), "Did Ann Lee die in Austria?"),
        (Relation.chain(20, 131), (1890, 1949), ""),
    ],
)
def test_the_country_of_a_birth_or_death_is_asked_only_since_1950(
    relation: Relation, lived: tuple[int, int], asked: str
) -> None:
    entities = {one.qid: one for one in (entity(1, "Ann Lee", HUMAN), entity(2, "Austria", COUNTRY))}
    born, died = lived
    ending = Ending(frozenset({1}), frozenset(), since={1: day_number(died, 6, 1)})
    index = EntityIndex(entities, {}, LEXICON, ending, years={1: born})
    rule = Rule(1, "composite", kinds.named("chain"), (19, 131), relation, "", {"time_bound": False}, "active", "")
    found = Worder(index, LEXICON, World()).candidate("people", DerivedFact(1, relation, 1, 2, (1, 2)), rule)
    assert (found if isinstance(found, Unasked) else found.wordings.original) == (asked or Hindrance.WRONG_KIND())


@pytest.mark.parametrize("p", [36, 1376])
@pytest.mark.parametrize(
    ("standings", "asked"),
    [
        ({(36, 1): 2}, "Is Lund the capital of Austria?"),
        ({}, "Has Lund ever been the capital of Austria?"),
        ({(36, 1): 3}, "Has Lund ever been the capital of Austria?"),
    ],
)
def test_the_only_capital_that_was_ever_stated_is_asked_about_in_the_present(
    p: int, standings: dict[tuple[int, int], int], asked: str
) -> None:
    entities = {one.qid: one for one in (entity(1, "Austria", COUNTRY), entity(2, "Lund", TOWN))}
    index = EntityIndex(entities, {}, LEXICON, Ending(frozenset(), frozenset(), standings=standings))
    rule = Rule(1, "direct", kinds.named("symmetric"), (p,), Relation.of(p), "", {"time_bound": True}, "active", "")
    ends = (1, 2) if p == 36 else (2, 1)
    found = Worder(index, LEXICON, World()).candidate("geography", DerivedFact(1, rule.conclusion, *ends, (8,)), rule)
    assert not isinstance(found, Unasked), found
    assert found.wordings.original == asked


def test_that_somebody_never_was_in_a_party_is_not_asked_whatever_people_found() -> None:
    entities = {one.qid: one for one in (entity(1, "Ann Lee", HUMAN), entity(2, "Whigs", PARTY, "party in Borduria"))}
    index = EntityIndex(entities, {}, LEXICON, Ending(frozenset({1}), frozenset()))
    rule = Rule(
        1, "negation.value:P102:checked", kinds.CHECKED, (), Relation.of(102), "", {"time_bound": True}, "active", ""
    )
    found = Worder(index, LEXICON, World()).candidate(
        "people", DerivedFact(1, rule.conclusion, 1, 2, (), finding=1), rule
    )
    assert found == Hindrance.CANNOT_BE_SEEN()


@pytest.mark.parametrize(
    ("living", "question"),
    [({1, 2}, "Has Bob Bell ever been married to Ann Lee?"), ({1}, "Was Ann Lee ever married to Bob Bell?")],
)
def test_a_couple_that_may_still_be_married_is_asked_about_as_living(living: set[int], question: str) -> None:
    entities = {one.qid: one for one in (entity(1, "Ann Lee", HUMAN), entity(2, "Bob Bell", HUMAN))}
    ending = Ending(frozenset({1, 2}) - living, frozenset(), living=frozenset(living))
    index = EntityIndex(entities, {}, LEXICON, ending)
    rule = Rule(1, "symmetric:P26", kinds.named("symmetric"), (26,), Relation.of(26), "", {}, "active", "")
    found = Worder(index, LEXICON, World()).candidate("people", DerivedFact(1, rule.conclusion, 1, 2, (7,)), rule)
    assert not isinstance(found, Unasked), found
    assert found.wordings.original == question


@pytest.mark.parametrize(
    ("chain", "relation", "women", "asked"),
    [
        ((22,), Relation.of(22), (), True),
        ((22,), Relation.of(22), (2,), False),
        ((25,), Relation.of(25), (2,), True),
        ((22, 22), GRANDPARENT, (), True),
        ((22, 22), GRANDPARENT, (2,), False),
        ((22, 22), GRANDPARENT, (3,), False),  # the father between them
    ],
)
def test_no_question_rests_on_a_father_who_is_stated_to_be_female(
    chain: tuple[int, ...], relation: Relation, women: tuple[int, ...], asked: bool
) -> None:
    people = (entity(1, "Ann Lee", HUMAN), entity(2, "Kim Bell", HUMAN), entity(3, "Lou Cole", HUMAN))
    index = EntityIndex({one.qid: one for one in people}, {}, LEXICON, Ending(frozenset({1, 2, 3}), frozenset()))
    between = {(22, 1): Known(1, {3: 1}), (22, 3): Known(1, {2: 2})} if len(chain) > 1 else {}
    world = World(slots=Slots(known=between, sexes={one: frozenset({6_581_072}) for one in women}))
    kind = kinds.named("chain") if between else kinds.POLARITY
    rule = Rule(1, kind.family, kind, chain, relation, "", {"time_bound": False}, "active", "")
    found = Worder(index, LEXICON, world).candidate("people", DerivedFact(1, relation, 1, 2, (1,)), rule)
    refused = Hindrance.NO_PARENT()
    assert not isinstance(found, Unasked) if asked else found == refused, found


@pytest.mark.parametrize(("place", "asked"), [(20, True), (30, False), (40, False)])
def test_what_people_found_false_of_a_place_is_asked_where_somebody_lived_near(place: int, asked: bool) -> None:
    """Ray Bradbury did not die in New York City, nor Marcel Proust in Moscow: nobody would think of the second."""
    towns = (
        entity(10, "Adelstadt", TOWN),
        entity(20, "Berghausen", TOWN),
        entity(30, "Castello", TOWN),
        entity(40, "Dorf", TOWN),
    )
    entities = {one.qid: one for one in (entity(1, "Ann Lee", HUMAN), *towns)}
    index = EntityIndex(entities, {}, LEXICON, Ending(frozenset({1}), frozenset(), since={1: day_number(2001, 6, 1)}))
    countries = {(17, 10): Known(1, {2: 8}), (17, 20): Known(2, {2: 9, 4: 9}), (17, 30): Known(1, {3: 9})}
    areas = {(131, 10): Known(1, {9: 1}), (131, 40): Known(1, {9: 1}), (17, 40): Known(1, {2: 8})}
    world = World(slots=Slots(known={(20, 1): Known(1, {10: 7}), **countries, **areas}))
    rule = Rule(
        1, "negation.value:P20:checked", kinds.CHECKED, (), Relation.of(20), "", {"time_bound": False}, "active", ""
    )
    found = Worder(index, LEXICON, world).candidate(
        "people", DerivedFact(1, rule.conclusion, 1, place, (), finding=1), rule
    )
    assert not isinstance(found, Unasked) if asked else found == Hindrance.UNJOINED_PLACE()


def test_evidence_says_of_a_plural_name_that_they_were() -> None:
    entities = {one.qid: one for one in (entity(1, "Normandy landings", WAR), entity(2, "World War II", WAR))}
    index = EntityIndex(entities, {}, LEXICON, Ending(frozenset(), frozenset({1, 2}), since={1: 0, 2: 0}))
    told = premise_item(Premise(1, "Q1-a", 1, 361, 2, "item", None, None, None, None), index, LEXICON)
    assert not isinstance(told, Unasked), told
    assert told["sentence"] == "The Normandy landings were part of World War II."
