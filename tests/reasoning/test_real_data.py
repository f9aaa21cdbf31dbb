"""What real Wikidata says that no derivation may believe: each trap found in it, and what is concluded instead."""

from collections.abc import Callable
from datetime import date
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from reasoning_worlds import born, fill, rows_of, statement
from sqlalchemy import delete, select, update
from sqlalchemy.orm import Session

from halluvault_tasks.errors import UserError
from halluvault_tasks.reasoning import checked_negatives
from halluvault_tasks.reasoning.classes import Classes, on_cycles
from halluvault_tasks.reasoning.grounds import Licence, Refusal
from halluvault_tasks.reasoning.licence import license_date, license_no
from halluvault_tasks.reasoning.licence.checked import license_checked
from halluvault_tasks.reasoning.licence.slot import Slot, convicting
from halluvault_tasks.reasoning.world.loading import load_world
from halluvault_tasks.storage.tables import checked_negative, entity
from halluvault_tasks.wikidata.days import day_number

Derive = Callable[..., Any]
Next = Callable[[], str]
HUMAN, MALE, FEMALE, COUNTRY, CITY = 5, 6_581_097, 6_581_072, 6256, 515
COMPANY, LAKE, STATE, FILM = 783_794, 15_324, 7275, 11_424


def test_the_child_of_a_woman_has_no_father_by_her_and_who_is_said_to_be_both_is_neither(
    session: Session, derive: Derive, next_snapshot: Next
) -> None:
    key = next_snapshot()
    man, woman, both, unknown = 1, 2, 3, 4
    sexes = [statement(man, 21, MALE), statement(woman, 21, FEMALE), statement(both, 21, MALE)]
    sexes.append(statement(both, 21, FEMALE))
    children = [statement(parent, 40, 10 + parent) for parent in (man, woman, both, unknown)]
    fill(session, key, [*sexes, *children], types={one: [HUMAN] for one in (1, 2, 3, 4, 11, 12, 13, 14)})
    derive(key)
    assert rows_of(session, key, "inverse:P40:P22") == {(11, man)}
    assert rows_of(session, key, "inverse:P40:P25") == {(12, woman)}


def test_who_has_another_father_stated_or_two_men_as_parents_gets_none(
    session: Session, derive: Derive, next_snapshot: Next
) -> None:
    key = next_snapshot()
    rows = [statement(one, 21, MALE) for one in (1, 2, 3)]
    rows += [statement(1, 40, 11), statement(11, 22, 3), statement(1, 40, 12), statement(2, 40, 12)]
    fill(session, key, rows, types={one: [HUMAN] for one in (1, 2, 3, 11, 12)})
    derive(key)
    assert rows_of(session, key, "inverse:P40:P22") == set()


def test_containment_composes_neither_over_cycles_nor_over_towns_of_two_counties_nor_from_lakes(
    session: Session, derive: Derive, next_snapshot: Next
) -> None:
    key = next_snapshot()
    town, split, lake, county, other, country, ring, rung = 1, 2, 3, 10, 11, 20, 30, 31
    rows = [statement(town, 131, county), statement(split, 131, county), statement(split, 131, other)]
    rows += [statement(lake, 131, county), statement(county, 131, country), statement(other, 131, country)]
    rows += [statement(ring, 131, rung), statement(rung, 131, ring), statement(rung, 131, country)]
    kinds = {town: [CITY], split: [CITY], lake: [LAKE], country: [COUNTRY]}
    fill(session, key, rows, types=kinds)
    derive(key)
    assert rows_of(session, key, "transitive:P131") == {(town, country)}


def test_a_class_of_unlike_classes_passes_on_only_what_every_way_upward_meets(
    session: Session, derive: Derive, next_snapshot: Next
) -> None:
    """A regiment is a unit, and an address; a war film is a film whichever way one goes."""
    key = next_snapshot()
    regiment, unit, address, group, war_film, drama, genre = 1, 2, 3, 4, 5, 6, 7
    above = [(regiment, unit), (regiment, address), (unit, group), (war_film, drama), (war_film, genre)]
    above += [(drama, FILM), (genre, FILM)]
    things = {100 + kind: [kind] for kind in (regiment, unit, address, group, war_film, drama, genre, FILM)}
    fill(session, key, [statement(s, 279, o) for s, o in above], types=things)
    derive(key)
    assert rows_of(session, key, "transitive:P279") == {(war_film, FILM)}


def test_a_profession_is_no_kind_of_what_its_members_members_are() -> None:
    painter, profession, top = 1, 2, 3
    uppers = {painter: {profession}, profession: {top}}
    plain = Classes(uppers, {painter: [10], profession: [11], top: [12]}, {top})
    assert list(plain.pairs(3)) == [(painter, top)]
    assert list(Classes(uppers | {top: {4}}, {painter: [10], top: [12], 4: [13]}, {4}).pairs(3)) == [(painter, 4)]
    meta = Classes(uppers, {painter: [10], profession: [painter], top: [12]}, {top})
    assert list(meta.pairs(3)) == []
    assert meta.why_not(painter, profession) == "a class of classes"


_EDGES = st.sets(st.tuples(st.integers(0, 7), st.integers(0, 7)), max_size=20)


@given(_EDGES)
def test_every_pair_of_classes_lies_on_every_way_upward_and_on_no_cycle(edges: set[tuple[int, int]]) -> None:
    uppers = {s: {o for a, o in edges if a == s} for s, _ in edges}
    hierarchy = Classes(uppers, {one: [100 + one] for one in range(8)}, range(8))

    def ways(one: int, so_far: tuple[int, ...]) -> list[tuple[int, ...]]:
        path = (*so_far, one)
        fresh = [upper for upper in uppers.get(one, ()) if upper not in path]
        return [way for upper in fresh for way in ways(upper, path)] or [path]

    for lower, upper in hierarchy.pairs(3):
        assert {lower, upper}.isdisjoint(on_cycles(uppers))
        # A way may end on a cycle below the upper class; it must meet it before.
        assert all(upper in way for way in ways(lower, ()) if on_cycles(uppers).isdisjoint(way))


def test_in_the_same_series_needs_the_series_of_both(session: Session, derive: Derive, next_snapshot: Next) -> None:
    key = next_snapshot()
    series = 50
    rows = [statement(1, 156, 2), statement(1, 179, series), statement(2, 179, series)]
    rows += [statement(3, 156, 4), statement(3, 179, series), statement(4, 179, 51), statement(5, 156, 6)]
    fill(session, key, rows, types={one: [FILM] for one in range(1, 7)}, properties={155: {}})
    derive(key)
    assert rows_of(session, key, "inverse:P156:P155") == {(2, 1)}


def test_one_founding_is_a_companys_and_no_states(session: Session, derive: Derive, next_snapshot: Next) -> None:
    """Wikidata's one value for the United Kingdom is 1927."""
    key = next_snapshot()
    company, state, successor = 1, 2, 3
    rows = [statement(one, 571, year=1927) for one in (company, state, successor)]
    rows += [statement(successor, 1365, 9)]
    kinds = {company: [COMPANY], state: [STATE, COMPANY], successor: [COMPANY]}
    fill(session, key, rows, types=kinds, properties={571: {"constraints": [19_474_404]}})
    derive(key)
    facts = load_world(session, key)
    slot = convicting(facts, 571, company)
    assert isinstance(slot, Slot)
    assert (slot.earliest, slot.latest) == (day_number(1927) - 1, day_number(1927, 12, 31) + 1)
    codes = [found.code for one in (state, successor) if isinstance(found := convicting(facts, 571, one), Refusal)]
    assert codes == ["class", "renewed"]


def test_a_work_was_published_no_later_than_its_date_and_perhaps_long_before(
    session: Session, derive: Derive, next_snapshot: Next
) -> None:
    key = next_snapshot()
    rows = [statement(1, 577, year=1950), statement(1, 577, year=1960)]
    fill(session, key, rows, types={1: [FILM]}, properties={577: {"constraints": [19_474_404], "datatype": "time"}})
    derive(key)
    facts = load_world(session, key)
    assert isinstance(license_date(facts, 577, 1, day_number(1970), day_number(1970, 12, 31)), Licence)
    for year in (1900, 1955):
        assert isinstance(license_date(facts, 577, 1, day_number(year), day_number(year, 12, 31)), Refusal)


def test_a_lakes_country_places_no_lake_and_a_towns_only_its_country(
    session: Session, derive: Derive, next_snapshot: Next
) -> None:
    key = next_snapshot()
    huron, town, between, canada, other = 1, 2, 3, 20, 21
    rows = [statement(huron, 17, canada), statement(town, 17, canada), statement(between, 17, canada)]
    rows += [statement(between, 17, other), statement(9, 19, town), statement(9, 131, canada), *born(9)]
    fill(session, key, rows, types={huron: [LAKE], town: [CITY], between: [CITY], canada: [COUNTRY], other: [COUNTRY]})
    derive(key)
    facts = load_world(session, key)
    assert [facts.containment.place_of(one).country for one in (huron, town, between)] == [0, canada, 0]
    assert not facts.containment.place_of(town).whole


@pytest.mark.parametrize(
    ("told", "country"),
    [("commune in Moselle, France", 0), ("city in Germany", 21), ("commune", 21), ("city in FRG, once in France", 21)],
)
def test_a_country_places_no_town_whose_description_names_another_one_alone(
    session: Session, derive: Derive, next_snapshot: Next, told: str, country: int
) -> None:
    """Of Metz the real file states Germany, and no other country."""
    key, metz, germany, france = next_snapshot(), 1, 21, 20
    sovereign = [COUNTRY, 3_624_078]
    fill(
        session,
        key,
        [statement(metz, 17, germany), statement(9, 17, france), statement(9, 19, metz), *born(9)],
        labels={germany: "Germany", france: "France"},
        types={metz: [CITY], germany: sovereign, france: sovereign},
    )
    at = entity.c.snapshot == key
    session.execute(update(entity).where(at, entity.c.qid == metz).values(description=told))
    session.execute(update(entity).where(at, entity.c.qid == germany).values(aliases=["FRG"]))
    session.commit()
    derive(key)
    assert load_world(session, key).containment.place_of(metz).country == country


@pytest.fixture
def no_negatives(session: Session) -> Session:
    """The session, with nothing imported."""
    session.execute(delete(checked_negative))
    session.commit()
    return session


WHO, DAY = "CoDEx-S", date(2020, 9, 16)


def test_what_people_found_false_is_derived_as_false_unless_something_states_it(
    no_negatives: Session, derive: Derive, next_snapshot: Next
) -> None:
    """Joe Cocker is a composer, and checked to be none: of two that disagree nobody knows which is right."""
    session, key = no_negatives, next_snapshot()
    cocker, other, composer, painter = 1, 2, 10, 11
    rows = [statement(cocker, 106, composer), statement(other, 106, painter), statement(cocker, 106, 12)]
    fill(session, key, rows, types={cocker: [HUMAN], other: [HUMAN]})
    triples = [checked_negatives.Triple(cocker, 106, composer), checked_negatives.Triple(other, 106, composer)]
    found = checked_negatives.store(session, triples, source=WHO, checked_on=DAY)
    assert found == checked_negatives.Imported(2, 2, 1)
    assert checked_negatives.store(session, triples, source=WHO, checked_on=DAY) == checked_negatives.Imported(2, 0, 1)
    derive(key)
    assert rows_of(session, key, "negation.value:P106:checked") == {(other, composer)}
    licence = license_checked(load_world(session, key), 106, other, composer)
    assert isinstance(licence, Licence)
    assert WHO in str(licence) and str(DAY) in str(licence)


def test_a_finding_that_a_rule_derives_as_true_is_withdrawn_for_good(
    no_negatives: Session, derive: Derive, next_snapshot: Next
) -> None:
    session, key = no_negatives, next_snapshot()
    fill(session, key, [statement(1, 26, 2), statement(3, 26, 4), statement(4, 26, 3)], types={1: [HUMAN], 2: [HUMAN]})
    triples = [checked_negatives.Triple(2, 26, 1), checked_negatives.Triple(2, 26, 4)]
    checked_negatives.store(session, triples, source=WHO, checked_on=DAY)
    derive(key)
    assert rows_of(session, key, "negation.value:P26:checked") == {(2, 4)}
    withdrawn = session.execute(
        select(checked_negative.c.o, checked_negative.c.withdrawn).where(checked_negative.c.withdrawn.is_not(None))
    ).all()
    assert [(o, "derived" in why) for o, why in withdrawn] == [(1, True)]


@pytest.mark.parametrize(
    ("line", "says"), [("Q1\tP2", "line 2: 'Q1"), ("Q1\tP2\tQ3\tQ4", "line 2"), ("x", "line 2: 'x'")]
)
def test_a_file_of_findings_with_a_line_that_is_no_statement_is_named_with_it(
    tmp_path: Path, line: str, says: str
) -> None:
    file = tmp_path / "negatives.tsv"
    file.write_text(f"Q1\tP2\tQ3\n{line}\n", encoding="utf-8")
    with pytest.raises(UserError, match=says):
        checked_negatives.read(file)


def test_only_names_of_columns_are_taken_for_a_line_of_names(tmp_path: Path) -> None:
    file = tmp_path / "negatives.tsv"
    file.write_text("subject\tproperty\tobject\nQ1\tP2\tQ3\n", encoding="utf-8")
    assert checked_negatives.read(file) == [checked_negatives.Triple(1, 2, 3)]
    for first in ("Q1 P2 Q4", "q1\tp2\tq4", "Q1\tP2"):
        file.write_text(f"{first}\nQ1\tP2\tQ3\n", encoding="utf-8")
        with pytest.raises(UserError, match=r"line 1: .* is not a statement"):
            checked_negatives.read(file)


def test_one_source_has_one_day(no_negatives: Session) -> None:
    checked_negatives.store(no_negatives, [checked_negatives.Triple(1, 2, 3)], source=WHO, checked_on=DAY)
    with pytest.raises(UserError, match="was imported as checked on 2020-09-16"):
        checked_negatives.store(
            no_negatives, [checked_negatives.Triple(4, 2, 3)], source=WHO, checked_on=date(2021, 1, 1)
        )


def test_a_film_is_denied_another_director_only_where_its_description_credits_the_one_that_is_stated(
    session: Session, derive: Derive, next_snapshot: Next
) -> None:
    key = next_snapshot()
    series, (one, other), told = 24_856, (1, 2), {10: "One", 11: "Other", 12: "", 13: "One and Other", 14: "One"}
    told |= dict.fromkeys(range(20, 40), "One")  # enough to show that what is credited to one mostly has one
    stated = [statement(film, 57, one) for film in told] + [statement(14, 57, other)]
    names = {one: "One", other: "Other"} | {film: f"Film {film}" for film in (*told, 15)}
    fill(
        session,
        key,
        [*stated, statement(15, 57, one)],
        types={one: [HUMAN], other: [HUMAN], 15: [series]},
        labels=names,
    )
    for film, name in (told | {15: "One"}).items():
        of = (entity.c.snapshot == key, entity.c.qid == film)
        session.execute(update(entity).where(*of).values(description=f"1975 film by {name}" if name else None))
    session.commit()
    derive(key)
    facts = load_world(session, key)
    denied = {film for film in (*told, 15) if isinstance(license_no(facts, 57, film, other), Licence)}
    assert denied == {10, *range(20, 40)}
    assert {(14, one), (14, other)} <= rows_of(session, key, "negation.polarity:P57"), (
        "two directors are no contradiction"
    )
