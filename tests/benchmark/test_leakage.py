"""What gives an answer away without knowledge."""

import pytest

from halluvault_tasks.benchmark.wording.entity_index import MANY, Ending, EntityIndex
from halluvault_tasks.benchmark.wording.identifying_names import Facts, Named
from halluvault_tasks.benchmark.wording.leakage import alike, dates_itself, direction_tells, gives_away, names_overlap
from halluvault_tasks.benchmark.wording.lexicon import Lexicon

LEXICON = Lexicon.model_validate({"kinds": {"disease": ["Q12136"]}, "nouns": {}, "properties": {}})


def world(*entities: Facts) -> EntityIndex:
    return EntityIndex({one.qid: one for one in entities}, {}, LEXICON, Ending(frozenset(), frozenset()))


def entity(qid: int, *types: int, above: tuple[int, ...] = ()) -> Facts:
    return Facts(qid, f"thing {qid}", None, (), frozenset(types), frozenset({*types, *above}), frozenset(types))


@pytest.mark.parametrize(
    ("one", "other", "tells"),
    [
        ("1960 Summer Olympics", "1956 Summer Olympics", True),
        ("World War I", "World War II", True),
        ("Star Wars Episode IV: A New Hope", "Star Wars Episode V: The Empire Strikes Back", True),
        ("First Crusade", "Third Crusade", True),
        ("film", "silent film", True),
        ("Alien", "Alien 3", True),
        ("Alien", "Aliens", False),
        ("Windows 7", "Windows Vista", True),
        ("Bach", "Handel", False),
    ],
)
def test_counted_names_and_names_within_names_tell_the_direction(one: str, other: str, tells: bool) -> None:
    assert direction_tells(world(entity(1), entity(2)), 1, Named(one, one), 2, Named(other, other)) is tells


def test_a_class_with_many_below_it_is_known_for_the_upper_one() -> None:
    wide = world(entity(1), entity(2), *(entity(10 + n, above=(1,)) for n in range(MANY)))
    names = (Named("music", "music"), Named("skiffle", "skiffle"))
    assert direction_tells(wide, 1, names[0], 2, names[1])
    assert not direction_tells(world(entity(1), entity(2)), 1, names[0], 2, names[1])
    named = wide.heads == {"1"}
    assert named
    assert direction_tells(wide, 12136, Named("disease", "disease"), 2, names[1]), "a class that the lexicon sorts by"


@pytest.mark.parametrize(
    ("one", "other", "overlap"),
    [("Greek", "Greece", True), ("fermium", "Enrico Fermi", True), ("Jane Fonda", "Henry Fonda", True),
     ("Munich", "Bavaria", False), ("Io", "Ion", False)],
)  # fmt: skip
def test_names_that_begin_alike_hint_at_a_yes(one: str, other: str, overlap: bool) -> None:
    assert names_overlap(Named(one, one), Named(other, other)) is overlap


@pytest.mark.parametrize(
    ("label", "aliases", "tells"),
    [("University of Calcutta", ("Calcutta",), True), ("Calcutta High Court", ("The City of Joy", "Calcutta"), True),
     ("University of Kolkata", ("Calcutta",), False), ("Indian Museum", ("Calcutta", "C."), False)],
)  # fmt: skip
def test_a_name_that_holds_another_name_of_the_other_end_gives_it_away(
    label: str, aliases: tuple[str, ...], tells: bool
) -> None:
    city = Facts(2, "Kolkata", None, aliases, frozenset(), frozenset(), frozenset())
    index = world(entity(1), city)
    one, other = Named(label, label), Named("Kolkata", "Kolkata")
    assert gives_away(index, 1, one, 2, other) is tells
    assert gives_away(index, 2, other, 1, one) is tells


@pytest.mark.parametrize(
    ("label", "tells"), [("Michigan State University", True), ("Lansing Community College", False)]
)  # fmt: skip
def test_a_name_that_says_where_the_place_lies_gives_it_away(label: str, tells: bool) -> None:
    town = Facts(2, "East Lansing", "city in Ingham County, Michigan", (), frozenset(), frozenset(), frozenset())
    one, other = Named(label, label), Named("East Lansing", "East Lansing")
    assert gives_away(world(entity(1), town), 1, one, 2, other) is tells


def test_a_name_with_a_year_is_in_no_question_about_time() -> None:
    assert dates_itself(Named("the film “Hamlet”, the 1948 film by Laurence Olivier,", "Hamlet", described=True))
    assert dates_itself(Named("the 1972 Summer Olympics", "1972 Summer Olympics"))
    assert dates_itself(Named("Michael Moore's film “Fahrenheit 9/11”", "Fahrenheit 9/11"))
    assert not dates_itself(Named("the film “Up”", "Up"))


def test_what_things_are_tells_which_is_which_unless_they_are_alike() -> None:
    some = world(entity(1, 6999), entity(2, 634), entity(3, 634))
    assert alike(some, 2, 3)
    assert not alike(some, 1, 2)
    assert not alike(some, 1, 99)
