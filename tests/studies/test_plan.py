"""The fault plan on the bundled sample: what it promises, and that the pipeline's own licence agrees with it."""

import itertools
from collections import Counter

import pytest
from sqlalchemy.orm import Session

from halluvault_tasks.local.personas.fault_kinds import (
    FAULTS,
    LABEL,
    RIGHT_FAULTS,
    SOUND_FAULTS,
    UNUSUAL_SOUND,
    WRONG_FAULTS,
    FaultKind,
)
from halluvault_tasks.reasoning.grounds import Licence
from halluvault_tasks.reasoning.licence import license_date, license_no
from halluvault_tasks.reasoning.world.loading import load_world
from halluvault_tasks.temporal.parsing import parse
from halluvault_tasks.wikidata.days import day_number
from studies.oracle import plan, timeline, wrong
from studies.oracle.planned import Planned, Told
from studies.oracle.planting import STYLES
from studies.oracle.shapes import ONE_PREMISE
from studies.oracle.split import Part

PARTS: tuple[Part, ...] = ("development", "kept_back")


@pytest.fixture
def plans(sample) -> dict[Part, list[Planned]]:
    return sample.plans


def test_the_parts_share_no_property_no_entity_and_no_style(sample) -> None:
    one, other = (sample.parts[part] for part in PARTS)
    assert not one.entities & other.entities
    for left, right in itertools.product([one], [other]):
        assert not {p for case in left.cases for p in case.properties} & {
            p for case in right.cases for p in case.properties
        }
    assert not {style.name for style in STYLES["development"]} & {style.name for style in STYLES["kept_back"]}


def test_no_text_brings_in_an_entity_of_the_other_part(sample, plans: dict[Part, list[Planned]]) -> None:
    places = set(sample.facts.by_property.get(131, ())) | set(sample.facts.by_property.get(17, ()))
    containers = {o for _, o in places}
    for part, other in (PARTS, PARTS[::-1]):
        theirs = sample.parts[other].entities - sample.parts[part].entities - containers
        for one in plans[part]:
            named = {end.qid for told in (*one.told, *one.asides) for end in (told.subject, told.item) if end}
            assert not named & theirs, one


def test_the_kept_back_part_has_two_thousand_responses_on_many_seed_facts(plans) -> None:
    assert len(plans["kept_back"]) >= 2_000
    assert len({one.cluster for one in plans["kept_back"]}) >= 90
    assert len(Counter(one.fault for one in plans["kept_back"])) >= len(plan.PLANTED) - 1


@pytest.mark.parametrize("part", PARTS)
def test_the_shares_that_must_not_flatter_are_kept(plans, part: Part) -> None:
    faulty = [one for one in plans[part] if one.fault in FAULTS]
    sound = [one for one in plans[part] if one.fault in SOUND_FAULTS]
    assert sum(one.right is True for one in faulty) / len(faulty) >= 0.4
    assert sum(one.fault in UNUSUAL_SOUND for one in sound) / len(sound) >= 0.3
    assert {"unattributed", "normal", "both", "error_knowledge", "error_inference", "unparseable"} == {
        one.label.category for one in plans[part]
    }
    assert {one.form for one in plans[part]} == {"prose", "bullets", "table"}


@pytest.mark.parametrize("part", PARTS)
def test_every_label_stands_on_the_row_that_its_answer_allows(plans, part: Part) -> None:
    for one in plans[part]:
        if one.fault in RIGHT_FAULTS:
            assert one.right
            assert one.label.row in {"R1", "R2", "R3"}
        elif one.fault in WRONG_FAULTS:
            assert one.right is False
            assert one.label.row in {"W1", "W2", "W3", "W4", "W5", "W6", "W7"}
        assert (one.label.row == "W6") == (one.fault is FaultKind.WRONG_BARE and one.shape in ONE_PREMISE)
        assert one.faulty == (one.fault in FAULTS)


def test_a_fault_is_labelled_as_in_the_simulated_servers_unless_the_shape_moves_it_to_another_row(plans) -> None:
    for one in itertools.chain(*plans.values()):
        if one.label.category != LABEL[one.fault].category:
            assert one.label.row in {"R1", "W6"}, one


def test_what_is_called_false_is_licensed_and_nothing_else_is(sample_session: Session, sample, plans) -> None:
    world = load_world(sample_session, sample.snapshot)
    facts = sample.facts

    def denied_by_licence(told: Told) -> bool:
        if told.date:
            first = day_number(told.date.year, told.date.month or 1, told.date.day or 1)
            last = day_number(told.date.year, told.date.month or 12, told.date.day or 28)
            return isinstance(license_date(world, told.property, told.subject.qid, first, last), Licence)
        assert told.item is not None
        return isinstance(license_no(world, told.property, told.subject.qid, told.item.qid), Licence)

    def stated(told: Told) -> bool:
        if told.date:
            return told.date in facts.dates.get((told.subject.qid, told.property), ())
        return bool(told.item) and told.item.qid in facts.items.get((told.subject.qid, told.property), ())

    unlicensed = []
    for one in itertools.chain(*plans.values()):
        false = [told for told in one.told if told.denied or denied_by_licence(told)]
        contradicted = [told for told in false if not told.denied or stated(told)]
        if one.label.row in {"R1", "R2", "W1", "W2"} and one.fault is not FaultKind.RIGHT_UNDECIDED:
            if not contradicted:
                unlicensed.append(one)
        elif one.fault not in (FaultKind.HEDGED_SLIP, FaultKind.RETRACTED):
            assert not contradicted, one
    assert unlicensed == []


def test_asides_and_sound_premises_are_true(sample, plans) -> None:
    facts = sample.facts
    for one in itertools.chain(*plans.values()):
        for told in one.asides:
            assert told.item is not None
            assert told.item.qid in facts.items[told.subject.qid, told.property]
        if one.fault in (
            FaultKind.PLAIN,
            FaultKind.VERBOSE,
            FaultKind.INCOMPLETE,
            FaultKind.WRONG_KNOWN,
            FaultKind.WRONG_PARTIAL,
        ):
            for told in one.told:
                values = facts.dates if told.date else facts.items
                assert (told.subject.qid, told.property) in values
                assert not told.denied


def test_a_step_is_true_in_sound_responses_and_false_where_it_is_the_fault(plans) -> None:
    for one in itertools.chain(*plans.values()):
        if one.step is not None:
            assert one.step.true == (one.fault in SOUND_FAULTS), one


def test_planted_dates_lead_where_the_plan_says(sample, plans) -> None:
    by_id = {case.id: case for case in sample.cases}
    checked = 0
    for one in itertools.chain(*plans.values()):
        if one.fault not in (FaultKind.WRONG_DATE, FaultKind.RIGHT_DATE):
            continue
        case = by_id[one.case_id]
        told = {(each.subject.qid, each.property): each.date for each in one.told}
        premises = [p._replace(date=told[p.subject.qid, p.property]) for p in case.premises]
        if one.shape == "order":
            first, second = (premise.date for premise in premises)
            flipped = (first < second) != case.truth
        else:
            formula = parse(case.formula)
            spans = timeline.spans(formula, premises)
            assert spans is not None
            flipped = timeline.holds(formula, case.at, spans) != case.truth
        assert flipped == (one.fault is FaultKind.WRONG_DATE or one.label.row == "R1")
        checked += 1
    assert checked > 100


def test_years_decide_every_gold_that_they_can_decide(sample) -> None:
    decided = Counter()
    for case in sample.cases:
        if case.suite == "temporal":
            formula = parse(case.formula)
            if spans := timeline.spans(formula, case.premises):
                decided[timeline.holds(formula, case.at, spans) == case.truth] += 1
    assert decided[False] == 0
    assert decided[True] > 400


def test_the_same_seed_plans_the_same_and_another_one_does_not(sample, plans) -> None:
    styles = [style.name for style in STYLES["development"]]
    again = plan.make_plan("development", sample.parts["development"], sample.facts, styles, 1)
    assert again == plans["development"]
    assert plan.make_plan("development", sample.parts["development"], sample.facts, styles, 2) != again


def test_swapped_places_lie_in_other_countries_than_the_true_one(sample) -> None:
    facts = sample.facts
    subject = next(s for s, _ in facts.by_property[19] if facts.labels.get(s) == "Charles Dickens")
    found = wrong.swaps(facts, facts.labels, subject, 19)
    assert found
    assert all(facts.country(thing.qid) not in (None, 145) for thing in found)
