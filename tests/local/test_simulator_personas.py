"""Personas plant what they say they plant, keep it where the pipeline cannot look, and let none of it out."""

import hashlib
import json
import re
import urllib.error
import urllib.request
from collections import Counter
from collections.abc import Iterator
from random import Random

import pytest
from sqlalchemy import insert, select, text
from sqlalchemy.exc import ProgrammingError
from sqlalchemy.orm import Session

from halluvault_tasks.local import persona_dates, planted
from halluvault_tasks.local.persona_cases import Case, Catalogue, read_premises
from halluvault_tasks.local.persona_plan import Persona, make_plan
from halluvault_tasks.local.persona_writer import write
from halluvault_tasks.local.personas import PERSONAS, Personas
from halluvault_tasks.local.planter import LABEL, Fault, Thing, read_date
from halluvault_tasks.local.simulator.model import SimulatedModel
from halluvault_tasks.local.simulator.protocol import Limits, llamacpp
from halluvault_tasks.local.simulator.server import serving
from halluvault_tasks.querying import stages
from halluvault_tasks.settings import REPOSITORY
from halluvault_tasks.storage import roles, sessions
from halluvault_tasks.storage.portion import Portion
from halluvault_tasks.storage.tables import benchmark_case, prompt, response, verdict
from tests.conftest import simulators
from tests.querying import support

CASES = 240
MONTH = "2026-10"


@pytest.fixture(scope="module")
def sim_url(database_url: str) -> Iterator[str]:
    with sessions.session(database_url) as session:
        support.build(session, MONTH, CASES)
        roles.grant(session, ())
        session.commit()
    url = simulators(database_url)
    yield url
    sessions.engine(url).dispose()


Labels = dict[str, dict[str, tuple[str, str, str]]]
"""Model → case → (answer, category, fault), as planted."""


@pytest.fixture(scope="module")
def texts(sim_url: str) -> dict[str, dict[str, str]]:
    """Every persona asked every prompt once: model → case → text."""
    personas = Personas(sessions.engine(sim_url))
    with sessions.session(sim_url) as session:
        prompts = session.execute(select(prompt.c.case_id, prompt.c.text).order_by(prompt.c.case_id)).all()
    return {
        f"simulated/{name}": {row.case_id: personas.answer(f"simulated/{name}", row.text, None) for row in prompts}
        for name in PERSONAS
    }


@pytest.fixture(scope="module")
def labels(sim_url: str, texts: dict[str, dict[str, str]]) -> Labels:
    with sessions.session(sim_url) as session:
        rows = session.execute(text("SELECT * FROM simulation.planted")).all()
    found: Labels = {model: {} for model in texts}
    for row in rows:
        found[row.model][row.case_id] = (row.answer, row.category, row.fault)
    return found


def test_every_model_plants_one_label_per_case(labels: Labels) -> None:
    assert {model: len(cases) for model, cases in labels.items()} == {f"simulated/{name}": CASES for name in PERSONAS}
    for cases in labels.values():
        for _answer, category, fault in cases.values():
            assert LABEL[Fault(fault)].category == category


def test_the_planted_rates_are_those_of_the_personas(labels: Labels) -> None:
    def share(model: str, wanted: str) -> float:
        return sum(wanted in label for label in labels[model].values()) / CASES

    assert 1 - share("simulated/careful", "normal") < 0.12
    assert share("simulated/overconfident", "error_knowledge") > 0.25
    assert share("simulated/overconfident", "dont_know") == 0
    assert 0.2 < share("simulated/refuser", "dont_know") < 0.4
    assert 1 - share("simulated/refuser", "normal") < 0.12


def test_one_model_is_weak_at_time_and_only_there(session: Session, labels: Labels) -> None:
    suites = dict(session.execute(text("SELECT id, suite FROM cases")).all())  # type: ignore[arg-type]
    wrong: Counter[str] = Counter(
        suites[case] for case, label in labels["simulated/weak-at-time"].items() if label[1] != "normal"
    )
    total = Counter(suites.values())
    assert wrong["temporal"] / total["temporal"] > 0.45
    assert wrong["relation"] / total["relation"] < 0.15


def test_at_least_two_in_five_faulty_answers_are_right(session: Session, labels: Labels) -> None:
    gold = dict(session.execute(text("SELECT id, gold FROM cases")).all())  # type: ignore[arg-type]
    faulty = [(case, label[0]) for cases in labels.values() for case, label in cases.items() if label[1] != "normal"]
    assert sum(gold[case] == answer for case, answer in faulty) / len(faulty) >= 0.4


def test_an_answer_opens_as_it_was_planned_and_numbers_its_knowledge(
    labels: Labels, texts: dict[str, dict[str, str]]
) -> None:
    opening = {"yes": "Yes, ", "no": "No, ", "dont_know": "I don't know"}
    for model, cases in labels.items():
        for case_id, (answer, _category, _fault) in cases.items():
            said = texts[model][case_id]
            assert said.startswith(opening[answer])
            if answer != "dont_know":
                numbers = re.findall(r"^(\d+)\. \S", said, re.MULTILINE)
                assert [int(number) for number in numbers] == list(range(1, len(numbers) + 1))


def test_the_same_prompt_gets_the_same_bytes_from_a_restarted_server(
    sim_url: str, texts: dict[str, dict[str, str]]
) -> None:
    restarted = Personas(sessions.engine(sim_url))
    with sessions.session(sim_url) as session:
        rows = session.execute(
            select(prompt.c.case_id, prompt.c.text).order_by(prompt.c.case_id.desc()).limit(30)
        ).all()
    for row in rows:
        expected = texts["simulated/overconfident"][row.case_id]
        assert restarted.answer("simulated/overconfident", row.text, None) == expected


def test_swapping_a_premise_makes_the_text_disagree_with_the_evidence(
    session: Session, labels: Labels, texts: dict[str, dict[str, str]]
) -> None:
    rows = session.execute(
        select(benchmark_case.c.case_id, benchmark_case.c.premises).where(benchmark_case.c.snapshot == MONTH)
    ).all()
    seen = 0
    for case_id, premises in rows:
        fault = labels["simulated/overconfident"][case_id][2]
        said = texts["simulated/overconfident"][case_id]
        if fault == "wrong_swap":
            seen += 1
            true = premises[0]["object"]["label"]
            assert not re.search(rf"{re.escape(true)}\b", said)
        elif fault == "wrong_known":
            for premise in read_premises(premises):
                assert premise.subject.label in said
    assert seen >= 10


def test_an_unknown_prompt_gets_a_plain_answer_and_plants_nothing(sim_url: str) -> None:
    said = Personas(sessions.engine(sim_url)).answer("simulated/careful", "What is the time?", None)
    assert said.startswith("I don't know")
    with sessions.session(sim_url) as session:
        assert session.scalar(text("SELECT count(*) FROM simulation.planted WHERE case_id = ''")) == 0


def test_sampling_changes_the_words_and_never_the_plan(sim_url: str, labels: Labels) -> None:
    personas = Personas(sessions.engine(sim_url))
    with sessions.session(sim_url) as session:
        rows = session.execute(select(prompt.c.case_id, prompt.c.text).order_by(prompt.c.case_id).limit(20)).all()
    texts = {seed: [personas.answer("simulated/careful", row.text, seed) for row in rows] for seed in (1, 2)}
    assert texts[1] != texts[2]
    for one, two in zip(texts[1], texts[2], strict=True):
        assert one.split(",")[0].split(";")[0][:2] == two[:2]


def test_no_reply_header_or_id_carries_a_label(sim_url: str) -> None:
    words = {fault.value for fault in Fault if "_" in fault.value}
    words |= {label.category for label in LABEL.values()} - {"normal", "both"}
    models = [SimulatedModel(name, Personas(sessions.engine(sim_url)).answer) for name in PERSONAS]
    with sessions.session(sim_url) as session:
        prompts = session.scalars(select(prompt.c.text).order_by(prompt.c.case_id).limit(20)).all()
    shapes = set()
    with serving(models) as url:
        for model in models:
            for written in prompts:
                body = json.dumps({"inputs": written, "parameters": {"details": True}}).encode()
                request = urllib.request.Request(
                    f"{url}/{model.name}/generate", data=body, headers={"Content-Type": "application/json"}
                )
                with urllib.request.urlopen(request, timeout=20) as answer:
                    reply, headers = answer.read().decode(), str(answer.headers)
                assert not [word for word in words if word in reply or word in headers]
                shapes.add((tuple(sorted(json.loads(reply)["details"])), tuple(sorted(answer.headers))))
    assert len(shapes) == 1


def test_the_pipeline_may_not_read_planted_labels_nor_the_simulator_responses(session: Session, sim_url: str) -> None:
    with pytest.raises(ProgrammingError, match="permission denied"):
        session.execute(text("SELECT * FROM simulation.planted"))
    session.rollback()
    with sessions.session(sim_url) as simulated:
        for table in ("response", "verdict", "statement"):
            with pytest.raises(ProgrammingError, match="permission denied"):
                simulated.execute(text(f"SELECT * FROM {table}"))
            simulated.rollback()


def test_planted_and_measured_meet_by_model_and_case(session: Session, sim_url: str) -> None:
    with serving([SimulatedModel("overconfident", Personas(sessions.engine(sim_url)).answer)]) as url:
        registry = support.registry(url, name="simulated/overconfident")
        [plan] = stages.plan(session, MONTH, registry=registry)
        stages.query_shard(session, plan.evaluation_id, registry=registry)
    case_ids = session.scalars(
        select(response.c.case_id).where(response.c.evaluation_id == plan.evaluation_id).order_by(response.c.case_id)
    ).all()
    blind = {"profile": "constant-both", "profile_version": "1", "answer": "yes", "detail": {}, "sample": 1}
    session.execute(
        insert(verdict),
        [{**blind, "evaluation_id": plan.evaluation_id, "case_id": case, "category": "both"} for case in case_ids],
    )
    session.commit()
    with sessions.session(sim_url) as simulated:
        rows = {
            row.case_id: row.category
            for row in simulated.execute(
                text("SELECT * FROM simulation.planted WHERE model = 'simulated/overconfident'")
            )
        }
        [comparison] = planted.compare(simulated, session, MONTH, ["simulated/overconfident"])
    faulty = sum(category != "normal" for category in rows.values())
    assert (comparison.cases, comparison.measured, comparison.planted) == (CASES, CASES, faulty)
    assert (comparison.found, comparison.missed, comparison.false_alarms) == (faulty, 0, CASES - faulty)
    assert comparison.same_category == sum(category == "both" for category in rows.values())
    assert sum(cell.cases for cell in comparison.confusion) == CASES
    assert len(planted.cells(comparison)) == len(planted.HEADERS)


def test_the_writer_imports_neither_lexicon_oracles_nor_prolog() -> None:
    rooms = "benchmark|oracles|prolog|reasoning|temporal|knowledge|results|querying"
    room = REPOSITORY / "halluvault_tasks/local"
    written = [*sorted(room.glob("persona*.py")), room / "planter.py"]
    assert len(written) > 5
    for path in written:
        assert not re.search(rf"halluvault_tasks\.({rooms})", path.read_text()), path.name


def _one_case(premises: list[dict[str, object]], **changes: object) -> Case:
    case = Case((MONTH,), "c1", "yes", "relation", "inverse", {"truth": True, "p": 19}, None, read_premises(premises))
    return case._replace(**changes)  # type: ignore[arg-type]


EMPTY = Catalogue({}, frozenset(), frozenset(), (), {}, {})


def _always(fault: Fault) -> Persona:
    return Persona(0.0, ((fault, 1.0),), ((fault, 1.0),), paraphrases=0.0, extras=0.0)


def test_a_fault_that_finds_no_room_becomes_its_nearest_kin() -> None:
    case = _one_case([support.born(1)])
    plan = make_plan(_always(Fault.WRONG_SWAP), "m", case, EMPTY, lambda thing: (), 1)
    assert (plan.fault, plan.category, plan.answer) == (Fault.WRONG_STEP, "error_inference", "no")
    plan = make_plan(_always(Fault.WRONG_DATE), "m", case, EMPTY, lambda thing: (Thing(7, "Elsewhere"),), 1)
    assert (plan.fault, plan.change.item if plan.change else None) == (Fault.WRONG_SWAP, Thing(7, "Elsewhere"))


def test_a_wrong_yes_takes_the_value_that_the_question_offers() -> None:
    offered = Thing(5002, "Place 2")
    fact = {"truth": False, "p": 19}
    case = _one_case([support.born(1)], gold="no", fact=fact, asked=offered, rule_kind="negation.value")
    plan = make_plan(_always(Fault.WRONG_SWAP), "m", case, EMPTY, lambda thing: (), 1)
    assert (plan.answer, plan.change.item if plan.change else None) == ("yes", offered)
    plan = make_plan(_always(Fault.RIGHT_SWAP), "m", case, EMPTY, lambda thing: (offered, Thing(9, "Third")), 1)
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
        plan = make_plan(_always(Fault.WRONG_DATE), "m", case, EMPTY, lambda thing: (), 1)
        said = write(plan, case, EMPTY, _always(Fault.WRONG_DATE), "", Random(1))
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
        plan = make_plan(_always(Fault.WRONG_SWAP), "m", case, catalogue, lambda thing: (), seed)
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
    plan = make_plan(_always(Fault.CHANGED_RELATION), "m", case, catalogue, lambda thing: (), 1)
    assert plan.change is not None and plan.change.relation == "died in"
    assert "1. Person 1 died in Place 1." in write(plan, case, catalogue, _always(plan.fault), "", Random(1))


@pytest.mark.parametrize("fault", [Fault.WRONG_STEP, Fault.WRONG_MIXED, Fault.RIGHT_STEP])
def test_a_false_step_about_years_is_false(fault: Fault) -> None:
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
        for fault in Fault:
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
    assert persona_dates.renderings(date)[0] == shown
    assert persona_dates.renderings(date.moved(20))[0] == moved


def test_a_personas_prompt_is_found_by_the_hash_of_its_bytes(sim_url: str) -> None:
    with sessions.session(sim_url) as session:
        row = session.execute(select(prompt)).first()
    assert row is not None
    assert hashlib.sha256(row.text.encode()).hexdigest() == row.sha256
    assert "cannot connect" in Personas(sessions.engine(sim_url)).answer("simulated/careful", row.text + " ", None)


def test_a_dead_database_is_a_failed_generation_and_not_an_answer() -> None:
    engine = sessions.engine("postgresql+psycopg2://halluvault_sim:x@127.0.0.1:1/none")
    with serving([SimulatedModel("careful", Personas(engine).answer)]) as url:
        request = urllib.request.Request(
            f"{url}/careful/generate", data=b'{"inputs":"x"}', headers={"Content-Type": "application/json"}
        )
        with pytest.raises(urllib.error.HTTPError) as caught:
            urllib.request.urlopen(request, timeout=20)
    assert caught.value.code == 424
    assert json.loads(caught.value.read())["error"].startswith("Request failed during generation: Server error: ")


@pytest.mark.parametrize("limits", [Limits(), llamacpp(Limits())], ids=["guided", "unguided"])
def test_a_verdict_asked_for_in_a_turn_of_its_own_is_the_planted_answer_and_the_text_is_argued_before(
    session: Session, sim_url: str, limits: Limits
) -> None:
    name, answerer = "simulated/overconfident", Personas(sessions.engine(sim_url)).answer
    with serving([SimulatedModel("overconfident", answerer, limits=limits)]) as url:
        [plan] = stages.plan(session, MONTH, registry=support.registry(url, name=name), variant="halluvault/two-turn")
        stages.query_shard(
            session, plan.evaluation_id, portion=Portion(0, 4), registry=support.registry(url, name=name)
        )
    rows = session.execute(select(response).where(response.c.evaluation_id == plan.evaluation_id)).all()
    with sessions.session(sim_url) as simulated:
        mine = text("SELECT case_id, answer FROM simulation.planted WHERE model = :model")
        answers = {row.case_id: row.answer for row in simulated.execute(mine, {"model": name})}
    assert len(rows) > CASES / 8
    for row in rows:
        assert row.text == ("don't know" if answers[row.case_id] == "dont_know" else answers[row.case_id])
        assert len(row.transcript[1]["content"]) > 40, "the first turn argues"
