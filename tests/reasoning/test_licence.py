"""The law of semantics.md §1, clause by clause, and against worlds whose whole truth is known."""

from collections import Counter
from datetime import date
from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from halluvault_tasks.reasoning.grounds import Licence, Reason, Refusal
from halluvault_tasks.reasoning.licence import license_named, license_no
from halluvault_tasks.reasoning.licence.alternatives import Opposition
from halluvault_tasks.reasoning.licence.one_way import runs_one_way
from halluvault_tasks.reasoning.licence.slot import Slot, convicting
from halluvault_tasks.reasoning.world import World
from halluvault_tasks.reasoning.world.findings import CheckedNegative
from halluvault_tasks.reasoning.world.naming import credits_alone
from halluvault_tasks.reasoning.world.slots import Bounds, Functional, Known
from halluvault_tasks.wikidata.days import day_number
from tests.reasoning.licence_worlds import (
    CHILD,
    CITY_TYPE,
    COUNTRY_TYPE,
    COUNTY_TYPE,
    FATHER,
    OTHER,
    SETTLEMENT,
    STATE_TYPE,
    TOWN,
    changed,
    items,
    persons,
    places,
    refusal,
    sets,
    tokens,
    world_of,
)

MALE, FEMALE, TRANS_FEMALE = 6_581_097, 6_581_072, 1_052_281


def test_another_value_of_a_functional_property_is_false() -> None:
    found = license_no(persons(), 22, CHILD, OTHER)
    assert isinstance(found, Licence)
    assert (found.reason, found.sid) == (Reason.OTHER_VALUE, 7)


@pytest.mark.parametrize(
    ("change", "one_value"),
    [
        ({}, True),
        ({(FATHER, 1900): ("born",), (CHILD, 1930): ("born",)}, True),
        ({(FATHER, 1925): ("born",), (CHILD, 1930): ("born",)}, False),  # five years old
        ({(FATHER, 1940): ("born",), (CHILD, 1930): ("born",)}, False),
    ],
)
def test_who_was_born_too_late_is_nobodys_father_and_licenses_nothing(
    change: dict[tuple[int, int], tuple[str, ...]], one_value: bool
) -> None:
    born = {(569, who): Bounds(9, 1, ((day_number(year, 1, 1), day_number(year, 12, 31)),)) for who, year in change}
    slot = convicting(changed(persons(), bounds={**persons().slots.bounds, **born}), 22, CHILD)
    assert isinstance(slot, Slot) is one_value


def test_who_is_the_own_father_or_the_fathers_father_is_no_father() -> None:
    world = persons()
    itself = changed(world, known={**world.slots.known, (22, CHILD): Known(1, {CHILD: 7})})
    around = changed(world, known={**world.slots.known, (22, FATHER): Known(1, {CHILD: 8})})
    assert [refused.code for one in (itself, around) if isinstance(refused := convicting(one, 22, CHILD), Refusal)] == [
        "contradicted", "contradicted",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("p", "sexes", "one_value"),
    [
        (22, {}, True),  # nothing is said
        (22, {MALE}, True),
        (22, {TRANS_FEMALE}, True),  # a father she may have become before
        (22, {FEMALE}, False),
        (22, {MALE, FEMALE}, False),
        (25, {FEMALE}, True),
        (25, {MALE}, False),
    ],
)
def test_a_father_stated_to_be_female_or_a_mother_to_be_male_licenses_nothing(
    p: int, sexes: set[int], one_value: bool
) -> None:
    world = persons()
    stated = changed(world, known={(p, CHILD): Known(1, {FATHER: 7})}, functional={p: Functional()})
    stated = changed(stated, seen={(p, CHILD): frozenset({FATHER})}, sexes={FATHER: frozenset(sexes)})
    slot = convicting(stated, p, CHILD)
    assert isinstance(slot, Slot) is one_value
    assert isinstance(license_no(stated, p, CHILD, OTHER), Licence) is one_value


def test_who_is_called_by_a_slot_is_its_one_value_even_where_others_may_have_several() -> None:
    world = changed(persons(), functional={})
    assert refusal(world, 22, CHILD, OTHER) == "not functional"
    assert isinstance(license_named(world, 22, CHILD, FATHER, OTHER), Licence)
    assert isinstance(license_named(world, 22, CHILD, FATHER, FATHER), Refusal)
    namesake = changed(world, marks={**world.naming.marks, OTHER: tokens(["Isaac Byron"])})
    assert isinstance(license_named(namesake, 22, CHILD, FATHER, OTHER), Refusal)


@pytest.mark.parametrize(
    ("change", "code"),
    [
        ({"functional": {}}, "not functional"),
        ({"seen": {(22, CHILD): frozenset({FATHER, OTHER})}}, "seen"),
        ({"known": {(22, CHILD): Known(2, {FATHER: 7})}}, "several values"),
        ({"known": {(22, CHILD): Known(1, {})}}, "several values"),
        ({"known": {(22, CHILD): Known(1, {FATHER: 7}, frozenset({7}))}}, "young"),
        ({"young_events": frozenset({(22, CHILD)})}, "young"),
        ({"known": {}}, "no value"),
        ({"types": sets({FATHER: [5], OTHER: [6]})}, "type"),
        ({"types": sets({FATHER: [5]})}, "type"),
        ({"types": sets({CHILD: [5, FATHER], FATHER: [5], OTHER: [5]})}, "class"),
        ({"types": sets({CHILD: [5, OTHER], FATHER: [5], OTHER: [5]})}, "class"),
        ({"links": sets({OTHER: [FATHER]})}, "related"),
        ({"links": sets({FATHER: [OTHER]})}, "related"),
        ({"up": sets({FATHER: [8], 8: [OTHER]})}, "related"),
        ({"up": sets({OTHER: [8], 8: [FATHER]})}, "related"),
        ({"marks": {FATHER: tokens(["George Byron"])}}, "unnamed"),
        ({"marks": {FATHER: tokens(["György Bÿron"]), OTHER: tokens(["John BYRON"])}}, "name"),
    ],
)
def test_nothing_is_false_without_every_clause_of_the_law(change: dict[str, object], code: str) -> None:
    assert refusal(changed(persons(), **change), 22, CHILD, OTHER) == code  # type: ignore[arg-type]


@pytest.mark.parametrize("at_fault", [FATHER, OTHER])
def test_a_refusal_names_the_item_that_is_at_fault(at_fault: int) -> None:
    world = persons()
    unnamed = {item: found for item, found in world.naming.marks.items() if item != at_fault}
    instance = {**world.containment.types, CHILD: frozenset({at_fault})}
    for change in ({"types": instance}, {"marks": unnamed}):
        assert items(license_no(changed(world, **change), 22, CHILD, OTHER)) == {at_fault}  # type: ignore[arg-type]


def test_converse_reflexive_and_no_value_are_false() -> None:
    world = persons()
    converse, reflexive = license_no(world, 22, FATHER, CHILD), license_no(world, 22, OTHER, OTHER)
    assert isinstance(converse, Licence)
    assert isinstance(reflexive, Licence)
    assert (converse.reason, converse.sid) == (Reason.CONVERSE, 7)
    assert (reflexive.reason, reflexive.sid) == (Reason.REFLEXIVE, 0), "no statement shows it"
    childless = changed(world, known={(40, CHILD): Known(1, {}, none_sid=9)})
    nothing = license_no(childless, 40, CHILD, OTHER)
    assert isinstance(nothing, Licence)
    assert (nothing.reason, nothing.sid) == (Reason.NO_VALUE, 9)
    assert (
        refusal(changed(childless, known={(40, CHILD): Known(2, {3: 1}, none_sid=9)}), 40, CHILD, 4) == "not functional"
    )


def test_a_converse_is_not_denied_where_a_cycle_claims_both() -> None:
    known = {(22, 1): Known(1, {2: 1}), (22, 2): Known(1, {3: 2}), (22, 3): Known(1, {1: 3})}
    world = world_of(asymmetric=frozenset({22}), known=known)
    assert refusal(world, 22, 2, 1) == "not functional"


@pytest.mark.parametrize(("members", "denied"), [([CHILD], False), ([CHILD, OTHER], True)])
def test_a_class_is_denied_to_lie_below_its_member_only_where_it_has_several(members: list[int], denied: bool) -> None:
    known = {(279, one): Known(1, {FATHER: one}) for one in members}
    world = world_of(asymmetric=frozenset({279}), known=known)
    assert isinstance(license_no(world, 279, FATHER, CHILD), Licence) == denied


@pytest.mark.parametrize("links", [{CHILD: [FATHER]}, {FATHER: [CHILD]}])
def test_of_two_that_are_linked_no_converse_is_denied(links: dict[int, list[int]]) -> None:
    assert refusal(changed(persons(), links=sets(links)), 22, FATHER, CHILD) == "no value"


def test_a_converse_that_began_within_the_recording_lag_is_not_denied() -> None:
    known = {(22, CHILD): Known(1, {FATHER: 7}, young=frozenset({7}))}
    assert refusal(changed(persons(), known=known), 22, FATHER, CHILD) == "no value"


@pytest.mark.parametrize(
    ("change", "one_way"),
    [
        ({}, True),
        ({"asymmetric": frozenset()}, False),
        ({"seen": {(22, FATHER): frozenset({CHILD})}}, False),
        ({"known": {(22, FATHER): Known(1, {CHILD: 8})}}, False),
        ({"links": sets({FATHER: [CHILD]})}, False),
    ],
)
def test_what_is_derived_is_false_the_other_way_only_of_what_runs_one_way(
    change: dict[str, object], one_way: bool
) -> None:
    world = changed(persons(), known={}, seen={})
    assert runs_one_way(changed(world, **change), 22, CHILD, FATHER) is one_way  # type: ignore[arg-type]


def test_what_is_its_own_other_end_is_not_false_for_running_one_way() -> None:
    assert runs_one_way(persons(), 22, OTHER, FATHER), "whichever has the higher number"
    assert not runs_one_way(persons(), 22, OTHER, OTHER)


def test_whose_value_is_gone_by_now_is_among_the_subjects_ever() -> None:
    world = world_of(
        known={(22, FATHER): Known(1, {OTHER: 1})},
        seen={(22, FATHER): frozenset({OTHER}), (22, CHILD): frozenset({FATHER}), (25, OTHER): frozenset({CHILD})},
    )
    assert (world.slots.subjects_ever(22), world.slots.subjects_ever(25), world.slots.subjects_ever(26)) == (
        [CHILD, FATHER],
        [OTHER],
        [],
    )


def test_facts_that_replace_others_are_worked_out_anew() -> None:
    def worked_out(world: World) -> list[object]:
        lists = (
            world.slots.subjects(19),
            world.slots.subjects_ever(19),
            world.slots.members(19),
            world.containment.above(TOWN),
        )
        return [
            *lists,
            world.containment.place_of(TOWN).chain,
            world.containment.levels_of(TOWN),
            world.containment.nested_types,
        ]

    world = changed(places(), types=dict.fromkeys(places().containment.types, frozenset({SETTLEMENT, COUNTRY_TYPE})))
    assert all(worked_out(changed(world, types=places().containment.types))[:-1])
    assert worked_out(world)[-1]
    assert not any(worked_out(changed(world, known={}, seen={}, up={}, inside={}, types={})))


def test_a_converse_needs_the_very_statement_that_it_turns_round() -> None:
    known = {(22, OTHER): Known(1, {CHILD: 8})}
    assert refusal(changed(persons(), known=known), 22, FATHER, OTHER) == "no value"


# ---------------------------------------------------------------- worlds whose whole truth is known


@st.composite
def hidden_worlds(draw: st.DrawFn) -> tuple[World, dict[int, frozenset[int]]]:
    """A tree of places four levels deep and people born in its towns, of which a part is recorded, and the truth.

    Recorded birthplaces may be coarser than the town; steps of containment may be missing or skip a level, countries
    and names may be missing, and a type that all places share invites comparing a place with what contains it.
    Truth: person → every place that the person was born in.
    """
    parent: dict[int, int] = {}
    level = {1: 0, 2: 0}
    for at in range(3, 26):
        upper = draw(st.sampled_from([one for one in level if level[one] < 3]))
        parent[at], level[at] = upper, level[upper] + 1

    def containers(place: int) -> list[int]:
        return [place] if place not in parent else [place, *containers(parent[place])]

    kinds = {0: COUNTRY_TYPE, 1: STATE_TYPE, 2: COUNTY_TYPE, 3: CITY_TYPE}
    recorded = {low: high for low, high in parent.items() if draw(st.integers(0, 4))}
    skipping = {low: parent[high] for low, high in recorded.items() if high in parent and not draw(st.integers(0, 5))}
    inside = {low: {skipping.get(low, high): low} for low, high in recorded.items()}
    countries = {low: {containers(low)[-1]: 1} for low in parent if draw(st.booleans())}
    truth, known, seen = {}, {}, {}
    for person in range(101, 121):
        born = containers(draw(st.sampled_from(sorted(parent))))
        truth[person] = frozenset(born)
        said = draw(st.sampled_from(born))
        known[19, person] = Known(1, {said: person})
        seen[19, person] = frozenset({said})
    world = world_of(
        functional={19: Functional(place=True)},
        known=known,
        seen=seen,
        types={item: frozenset({kinds[depth], SETTLEMENT}) for item, depth in level.items()},
        marks={item: tokens([f"name{item}"]) for item in level if draw(st.integers(0, 9))},
        up={low: frozenset(highs) for low, highs in inside.items()},
        inside=inside,
        countries=countries,
        settled=frozenset(place for place in level if draw(st.booleans())),
    )
    return world, truth


def test_what_is_licensed_as_false_is_never_true_in_the_whole_world() -> None:
    told: Counter[bool] = Counter()

    @settings(max_examples=80, deadline=None)
    @given(hidden_worlds())
    def holds(hidden: tuple[World, dict[int, frozenset[int]]]) -> None:
        world, truth = hidden
        for person, born in truth.items():
            denied = {
                place for place in world.containment.types if isinstance(license_no(world, 19, person, place), Licence)
            }
            told[bool(denied)] += 1
            assert not born & denied

    holds()
    assert min(told[True], told[False]) > 100, "of some people something is denied, of others nothing"


def test_every_offered_alternative_is_licensed_for_every_subject_of_its_value() -> None:
    offered: Counter[Reason] = Counter()

    @settings(max_examples=150, deadline=None)
    @given(hidden_worlds(), st.integers(1, 5))
    def holds(hidden: tuple[World, dict[int, frozenset[int]]], per_fact: int) -> None:
        world, truth = hidden
        for one in Opposition(world).alternatives(19, per_fact):
            subjects = [s for (_, s), known in world.slots.known.items() if one.value in known.items]
            assert subjects
            for wrong, reason in one.wrongs:
                offered[reason] += 1
                for subject in subjects:
                    found = license_no(world, 19, subject, wrong)
                    assert isinstance(found, Licence)
                    assert found.reason == reason
                    assert wrong not in truth[subject]

    holds()
    assert offered.keys() == {Reason.PLACE_COUNTRY, Reason.PLACE_LEVEL}


@settings(max_examples=200, deadline=None)
@given(st.sets(st.tuples(st.integers(1, 9), st.integers(1, 9)), max_size=18), st.integers(1, 9))
def test_a_value_is_opposed_to_all_but_those_above_and_below_it_whatever_lies_between(
    steps: set[tuple[int, int]], values: int
) -> None:
    world = world_of(
        functional={22: Functional()},
        known={(22, 1000 + value): Known(1, {value: value}) for value in range(1, values + 1)},
        types={item: frozenset({500}) for item in range(1, 10)},
        marks={item: tokens([f"name{item}"]) for item in range(1, 10)},
        up={low: frozenset(high for one, high in steps if one == low) for low, _ in steps},
    )
    offered = {(one.value, wrong) for one in Opposition(world).alternatives(22, values) for wrong, _ in one.wrongs}
    apart = {pair for pair in product(range(1, values + 1), repeat=2) if not world.containment.related(*pair)}
    assert offered == apart


def test_hubs_do_not_dominate_the_wrong_values() -> None:
    count = 40
    world = world_of(
        functional={22: Functional()},
        known={(22, 1000 + s): Known(1, {(1 if s < 400 else s % count + 1): s}) for s in range(1, 800)},
        types={value: frozenset({500}) for value in range(1, count + 1)},
        marks={value: tokens([f"name{value}"]) for value in range(1, count + 1)},
    )
    offered = [wrong for one in Opposition(world).alternatives(22, 3) for wrong, _ in one.wrongs]
    uses = [offered.count(value) for value in range(1, count + 1)]
    assert 0 < max(uses) <= 1.25 * min(uses)


@pytest.mark.parametrize(
    ("description", "alone"),
    [
        ("2007 film by Sean Penn", True),
        ("2007 film directed by  Sean Penn.", True),
        ("2007 film written and directed by Sean Penn", True),
        ("film by Sean Justin Penn", True),
        ("2001 film by Sean Penn, Ethan Coen", False),
        ("2012 film by Sean Penn and the Wachowskis", False),
        ("2007 film by Sean Penn based on a novel by Ken Kesey", False),
        ("1975 film based on the novel by Ken Kesey", False),
        ("2007 film written by Sean Penn", False),
        ("2007 film produced by Sean Penn", False),
        ("2007 drama film", False),
        ("", False),
        (None, False),
    ],
)
def test_a_work_is_credited_to_one_maker_only_if_its_description_names_nobody_else(
    description: str | None, alone: bool
) -> None:
    assert credits_alone(description, ("Sean Penn", "Sean Justin Penn")) is alone


def test_another_maker_is_false_only_of_a_work_that_is_credited_to_one() -> None:
    film, uncredited = 1, 4
    world = changed(
        persons(),
        functional={57: Functional(credited=True)},
        known={(57, film): Known(1, {FATHER: 7}), (57, uncredited): Known(1, {FATHER: 8})},
        seen={(57, one): frozenset({FATHER}) for one in (film, uncredited)},
        seconded=frozenset({(57, film)}),
    )
    assert isinstance(license_no(world, 57, film, OTHER), Licence)
    assert refusal(world, 57, uncredited, OTHER) == "class"


@pytest.mark.parametrize(("distinct", "found"), [((FATHER, OTHER), "denied"), ((FATHER,), "type"), ((), "type")])
def test_of_values_that_the_source_does_not_type_those_are_apart_that_somebody_read(
    distinct: tuple[int, ...], found: str
) -> None:
    untyped = changed(persons(), functional={22: Functional(distinct=frozenset(distinct))}, types={})
    licence = license_no(untyped, 22, CHILD, OTHER)
    assert (licence.code if isinstance(licence, Refusal) else "denied") == found


@pytest.mark.parametrize(
    ("changes", "since", "denied"), [(True, True, True), (True, False, False), (False, False, True)]
)
def test_a_finding_on_what_changes_denies_only_up_to_its_day(changes: bool, since: bool, denied: bool) -> None:
    finding = CheckedNegative(1, "three readers", date(2020, 9, 16), since)
    bound = frozenset({106} if changes else ())
    world = changed(persons(), checked={(106, CHILD, OTHER): finding}, time_bound=bound)
    assert isinstance(license_no(world, 106, CHILD, OTHER), Licence) is denied
