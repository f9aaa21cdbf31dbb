"""Personas plant what they say they plant, keep it where the pipeline cannot look, and let none of it out."""

import hashlib
import json
import re
import urllib.error
import urllib.request
from collections import Counter
from collections.abc import Iterator

import pytest
from sqlalchemy import insert, select, text
from sqlalchemy.exc import ProgrammingError
from sqlalchemy.orm import Session

from halluvault_tasks.benchmark.suites.memory_external.make import REPHRASE
from halluvault_tasks.local import planted_vs_measured
from halluvault_tasks.local.personas.fault_kinds import LABEL, FaultKind
from halluvault_tasks.local.personas.lookup import read_premises
from halluvault_tasks.local.personas.persona import PERSONAS, Personas
from halluvault_tasks.local.simulator.model import SimulatedModel
from halluvault_tasks.local.simulator.protocol import ServerLimits, llamacpp
from halluvault_tasks.local.simulator.server import serving
from halluvault_tasks.querying import stages
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


Said = dict[str, dict[str, str]]
"""Model → case → text."""


@pytest.fixture(scope="module")
def texts(sim_url: str) -> Said:
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
            assert LABEL[FaultKind(fault)].category == category


def test_the_planted_rates_are_those_of_the_personas(labels: Labels) -> None:
    def share(model: str, wanted: str) -> float:
        return sum(wanted in label for label in labels[model].values()) / CASES

    assert 1 - share("simulated/careful", "normal") < 0.12
    assert share("simulated/overconfident", "error_knowledge") > 0.25
    assert share("simulated/overconfident", "dont_know") == 0
    assert 0.2 < share("simulated/refuser", "dont_know") < 0.4
    assert 1 - share("simulated/refuser", "normal") < 0.12


def test_one_model_is_always_right_and_says_the_evidence(session: Session, labels: Labels, texts: Said) -> None:
    gold = dict(session.execute(text("SELECT id, gold FROM cases")).all())  # type: ignore[arg-type]
    assert {label[1:] for label in labels["simulated/always-right"].values()} == {("normal", "plain")}
    assert {case: label[0] for case, label in labels["simulated/always-right"].items()} == gold
    premises = session.execute(select(benchmark_case.c.case_id, benchmark_case.c.premises)).all()
    for case_id, several in premises:
        assert all(premise["sentence"] in texts["simulated/always-right"][case_id] for premise in several)


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


def test_a_rephrasing_keeps_a_title_with_a_full_stop_whole(sim_url: str) -> None:
    personas = Personas(sessions.engine(sim_url))
    sentences = [f"The 2005 film “Mr. & Mrs. Smith” is number {number}." for number in range(4)]
    for attempt in range(3):
        asked = REPHRASE.prompt(json.dumps({"text": " ".join(sentences), "before": [], "attempt": attempt}))
        said = personas.answer("simulated/careful", asked, None)
        assert all(one in said for one in sentences)


def test_sampling_changes_the_words_and_never_the_plan(sim_url: str, labels: Labels) -> None:
    personas = Personas(sessions.engine(sim_url))
    with sessions.session(sim_url) as session:
        rows = session.execute(select(prompt.c.case_id, prompt.c.text).order_by(prompt.c.case_id).limit(20)).all()
    texts = {seed: [personas.answer("simulated/careful", row.text, seed) for row in rows] for seed in (1, 2)}
    assert texts[1] != texts[2]
    for one, two in zip(texts[1], texts[2], strict=True):
        assert one.split(",")[0].split(";")[0][:2] == two[:2]


def test_no_reply_header_or_id_carries_a_label(sim_url: str) -> None:
    words = {fault.value for fault in FaultKind if "_" in fault.value}
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
        [plan] = stages.plan(session, MONTH, registry=registry).evaluations
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
        [comparison] = planted_vs_measured.compare(simulated, session, MONTH, ["simulated/overconfident"])
    faulty = sum(category != "normal" for category in rows.values())
    assert (comparison.cases, comparison.measured, comparison.planted) == (CASES, CASES, faulty)
    assert (comparison.found, comparison.missed, comparison.false_alarms) == (faulty, 0, CASES - faulty)
    assert comparison.same_category == sum(category == "both" for category in rows.values())
    assert sum(cell.cases for cell in comparison.confusion) == CASES
    assert len(planted_vs_measured.cells(comparison)) == len(planted_vs_measured.HEADERS)


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


@pytest.mark.parametrize("limits", [ServerLimits(), llamacpp(ServerLimits())], ids=["guided", "unguided"])
def test_a_verdict_asked_for_in_a_turn_of_its_own_is_the_planted_answer_and_the_text_is_argued_before(
    session: Session, sim_url: str, limits: ServerLimits
) -> None:
    name, answerer = "simulated/overconfident", Personas(sessions.engine(sim_url)).answer
    with serving([SimulatedModel("overconfident", answerer, limits=limits)]) as url:
        [plan] = stages.plan(
            session, MONTH, registry=support.registry(url, name=name), variant="halluvault/two-turn"
        ).evaluations
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
