"""One plan and one text at a time: a planted fault is one, and nothing else is said."""

import re
from random import Random

import pytest

from halluvault_tasks.local.personas import written_dates
from halluvault_tasks.local.personas.answer_writer import write
from halluvault_tasks.local.personas.choose_fault import Persona, make_plan
from halluvault_tasks.local.personas.fault_kinds import FaultKind, Thing, read_date
from halluvault_tasks.local.personas.lookup import Catalogue, PromptedCase, read_premises
from halluvault_tasks.settings import REPOSITORY
from tests.querying import support

MONTH = "2026-10"


def test_the_writer_imports_neither_lexicon_oracles_nor_prolog() -> None:
    rooms = "benchmark|oracles|prolog|reasoning|temporal|knowledge|results|querying"
    room = REPOSITORY / "halluvault_tasks/local/personas"
    written = sorted(room.glob("*.py"))
    assert len(written) > 5
    for path in written:
        assert not re.search(rf"halluvault_tasks\.({rooms})", path.read_text()), path.name


def _one_case(premises: list[dict[str, object]], **changes: object) -> PromptedCase:
    case = PromptedCase(
        (MONTH,), "c1", "yes", "relation", "inverse", {"truth": True, "p": 19}, None, read_premises(premises)
    )
    return case._replace(**changes)  # type: ignore[arg-type]


EMPTY = Catalogue({}, frozenset(), frozenset(), (), {}, {})


def _always(fault: FaultKind) -> Persona:
    return Persona(0.0, ((fault, 1.0),), ((fault, 1.0),), paraphrases=0.0, extras=0.0)


def test_a_fault_that_finds_no_room_becomes_its_nearest_kin() -> None:
    case = _one_case([support.born(1)])
    plan = make_plan(_always(FaultKind.WRONG_SWAP), "m", case, EMPTY, lambda thing: (), 1)
    assert (plan.fault, plan.category, plan.answer) == (FaultKind.WRONG_STEP, "error_inference", "no")
    plan = make_plan(_always(FaultKind.WRONG_DATE), "m", case, EMPTY, lambda thing: (Thing(7, "Elsewhere"),), 1)
    assert (plan.fault, plan.change.item if plan.change else None) == (FaultKind.WRONG_SWAP, Thing(7, "Elsewhere"))


def test_a_wrong_yes_takes_the_value_that_the_question_offers() -> None:
    offered = Thing(5002, "Place 2")
    fact = {"truth": False, "p": 19}
    case = _one_case([support.born(1)], gold="no", fact=fact, asked=offered, rule_kind="negation.value")
    plan = make_plan(_always(FaultKind.WRONG_SWAP), "m", case, EMPTY, lambda thing: (), 1)
    assert (plan.answer, plan.change.item if plan.change else None) == ("yes", offered)
    plan = make_plan(_always(FaultKind.RIGHT_SWAP), "m", case, EMPTY, lambda thing: (offered, Thing(9, "Third")), 1)
    assert (plan.answer, plan.change.item if plan.change else None) == ("no", Thing(9, "Third"))


@pytest.mark.parametrize(
    ("formula", "at", "truth", "alive"),
    [
        ("life", 1830, True, False),
        ("life", 1650, False, True),
        ("!life", 1650, True, True),
        ("!life", 1830, False, False),
    ],
)
def test_a_shifted_span_makes_the_wrong_answer_follow(formula: str, at: int, truth: bool, alive: bool) -> None:
    fact = {"truth": truth, "at": at, "granularity": "year", "formula": formula}
    for number in range(40):
        case = _one_case(
            support.lived(1), suite="temporal", fact=fact, gold="yes" if truth else "no", case_id=str(number)
        )
        plan = make_plan(_always(FaultKind.WRONG_DATE), "m", case, EMPTY, lambda thing: (), 1)
        said = write(plan, case, EMPTY, _always(FaultKind.WRONG_DATE), "", Random(1))
        first, last = (int(year) for year in re.findall(r"\b1[4-9]\d\d", said))
        assert plan.answer == ("no" if truth else "yes")
        assert (first, last) != (1801, 1861) and last - first == 60
        assert (first <= at <= last) is alive


def test_a_swapped_value_is_of_a_kind_with_the_true_one() -> None:
    case = _one_case([support.born(1)])
    near = {19: (Thing(7, "A Film"), Thing(8, "A Town"))}
    kinds = {5001: frozenset({515}), 7: frozenset({11424}), 8: frozenset({515, 1})}
    catalogue = EMPTY._replace(objects=near, types=kinds)
    for seed in range(20):
        plan = make_plan(_always(FaultKind.WRONG_SWAP), "m", case, catalogue, lambda thing: (), seed)
        assert plan.change is not None and plan.change.item == Thing(8, "A Town")


def test_a_changed_relation_takes_objects_of_that_kind_and_is_not_known_to_hold() -> None:
    case = _one_case([support.born(1)])
    kinds = {5001: frozenset({515}), 8: frozenset({515}), 9: frozenset({5})}
    relations = ((20, "died in", "item"), (22, "has as father", "item"), (119, "was buried in", "item"))
    catalogue = EMPTY._replace(
        relations=relations,
        objects={20: (Thing(8, "A Town"),), 22: (Thing(9, "A Man"),), 119: (Thing(8, "A Town"),)},
        types=kinds,
        values=frozenset({(1001, 119, 5001)}),
    )
    plan = make_plan(_always(FaultKind.CHANGED_RELATION), "m", case, catalogue, lambda thing: (), 1)
    assert plan.change is not None and plan.change.relation == "died in"
    assert "1. Person 1 died in Place 1." in write(plan, case, catalogue, _always(plan.fault), "", Random(1))


@pytest.mark.parametrize("fault", [FaultKind.WRONG_STEP, FaultKind.WRONG_MIXED, FaultKind.RIGHT_STEP])
def test_a_false_step_about_years_is_false(fault: FaultKind) -> None:
    for number in range(60):
        fact = {"truth": True, "at": 1801 + number % 7, "granularity": "year", "formula": "F[0,2] life"}
        case = _one_case(support.lived(1)[:1], suite="temporal", fact=fact, case_id=str(number))
        plan = make_plan(_always(fault), "m", case, EMPTY, lambda thing: (), 1)
        step = write(plan, case, EMPTY, _always(fault), "", Random(number)).splitlines()[-1]
        years = [int(year) for year in re.findall(r"\b1[5-9]\d\d\b", step)]
        if "no years between" in step:
            assert years[1] - years[0] > 1
        elif "before" in step or "earlier" in step:
            assert years[0] > years[1]
        else:
            assert "difference of" in step or len(set(years)) == 1


def test_a_hostile_label_is_only_text() -> None:
    premise = support.born(1)
    premise["subject"] = {"qid": 1, "label": "{o} %s {subject} \\1 <b>"}
    premise["object"] = {"qid": 2, "label": "{told}{lower}{s}"}
    premise["sentence"] = "{o} %s {subject} \\1 <b> was born in {told}{lower}{s}."
    for number in range(200):
        case = _one_case([premise], case_id=str(number))
        for fault in FaultKind:
            persona = _always(fault)._replace(paraphrases=0.9, extras=0.9)
            plan = make_plan(persona, "m", case, EMPTY, lambda thing: (Thing(3, "{x}"),), 1)
            assert write(plan, case, EMPTY, persona, "{d}", Random(number)).startswith(("Yes", "No", "I don't know"))


@pytest.mark.parametrize(
    ("written", "precision", "shown", "moved"),
    [
        ("1812-02-07", 11, "7 February 1812", "7 February 1832"),
        ("1812-02-29", 11, "29 February 1812", "28 February 1832"),
        ("1812-02", 10, "February 1812", "February 1832"),
        ("1812-00-00", 9, "1812", "1832"),
        ("-0043-03-15", 11, "15 March 44 BC", "15 March 24 BC"),
        ("0000", 9, "1 BC", "20"),
    ],
)
def test_dates_are_read_moved_and_written(written: str, precision: int, shown: str, moved: str) -> None:
    date = read_date(written, precision)
    assert written_dates.renderings(date)[0] == shown
    assert written_dates.renderings(date.moved(20))[0] == moved
