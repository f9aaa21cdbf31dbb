"""Asked openly, personas plant what they say they plant: other names, days and numbers, at known rates."""

import json
import re
from collections import Counter
from collections.abc import Iterator
from random import Random
from typing import Any

import pytest
from sqlalchemy import insert, select, text
from sqlalchemy.orm import Session

from halluvault_tasks.benchmark.prompts import store, variants
from halluvault_tasks.local import planted_vs_measured
from halluvault_tasks.local.personas import open_replies, suite_replies
from halluvault_tasks.local.personas.persona import PERSONAS, Personas
from halluvault_tasks.local.simulator import conversation
from halluvault_tasks.local.simulator.model import SimulatedModel
from halluvault_tasks.local.simulator.server import serving
from halluvault_tasks.oracles import stages as judging
from halluvault_tasks.querying import guides, stages
from halluvault_tasks.results import stages as results
from halluvault_tasks.results import views
from halluvault_tasks.storage import roles, sessions
from halluvault_tasks.storage.portion import Portion
from halluvault_tasks.storage.tables import benchmark_case, benchmark_part, cases, prompt, response
from halluvault_tasks.wikidata.days import day_number
from tests.conftest import simulators
from tests.oracles import material
from tests.querying import support

MONTH, CASES = "2026-10", 420
VARIANT = variants.parse("open/confidence/chat/closed-book")


def fact(number: int) -> tuple[str, dict[str, Any]]:
    """Gold and what is wanted: by turns a place, a day, and full years."""
    if number % 3 == 0:
        place = support.place(number)
        names = [place["label"], f"Plaats {number}"]
        return place["label"], {"guide": "name", "items": [{"qid": place["qid"], "names": names}]}
    if number % 3 == 1:
        born = day_number(1800 + number % 50, 2, 7)
        return f"7 February {1800 + number % 50}", {
            "guide": "date", "earliest": born, "latest": born, "precision": 11, "julian": False
        }  # fmt: skip
    return "60", {"guide": "number", "low": 60, "high": 60}


@pytest.fixture(scope="module")
def sim_url(database_url: str) -> Iterator[str]:
    with sessions.session(database_url) as session:
        support.build(session, MONTH, CASES)
        session.execute(insert(benchmark_part), [support.part(MONTH, "open")])
        for number in range(CASES):
            gold, wanted = fact(number)
            told = {"asks": "where", "wanted": wanted, "licence": "proved", "hops": 1, "difficulty": {}, "told": "…"}
            row = {"id": f"open-{number:04}", "question": f"Question {number}?", "gold": gold, "suite": "open"}
            session.execute(insert(cases).values(group_id=row["id"], mutation="original", relation="same", **row))
            premises = [support.born(number)] if number % 3 == 0 else support.lived(number)
            session.execute(insert(benchmark_case).values(
                snapshot=MONTH, suite="open", case_id=row["id"], domain="people", rule_kind="direct", fact=told,
                premises=premises, proof="",
            ))  # fmt: skip
        store.add(session, MONTH, VARIANT, ["open"])
        material.put_rules(session, MONTH)
        roles.grant(session, ())
        session.commit()
    url = simulators(database_url)
    yield url
    sessions.engine(url).dispose()


Exchanges = dict[str, dict[str, list[str]]]
"""Persona → case → what it said, turn by turn."""


@pytest.fixture(scope="module")
def said(sim_url: str) -> Exchanges:
    """Three personas, asked every open question in three turns, as a client does it."""
    personas = Personas(sessions.engine(sim_url))
    with sessions.session(sim_url) as session:
        mine = select(prompt.c.case_id, prompt.c.text).where(prompt.c.variant_id == VARIANT.id)
        prompts = session.execute(mine).all()
    found: Exchanges = {name: {} for name in ("careful", "overconfident", "always-right")}
    for name, exchanges in found.items():
        for row in prompts:
            messages: list[dict[str, Any]] = []
            for turn in json.loads(row.text):
                if turn["role"] == "assistant":
                    turn["content"] = personas.answer(f"simulated/{name}", conversation.canonical(messages), None)
                messages.append({key: turn[key] for key in ("role", "content")})
            messages.append({
                "role": "assistant",
                "content": personas.answer(f"simulated/{name}", conversation.canonical(messages), None),
            })
            exchanges[row.case_id] = [one["content"] for one in messages if one["role"] == "assistant"]
    return found


@pytest.fixture(scope="module")
def planted(sim_url: str, said: Exchanges) -> dict[str, dict[str, tuple[str, str, str]]]:
    with sessions.session(sim_url) as session:
        rows = session.execute(text("SELECT * FROM simulation.planted WHERE starts_with(case_id, 'open-')")).all()
    found: dict[str, dict[str, tuple[str, str, str]]] = {name: {} for name in said}
    for row in rows:
        found[row.model.removeprefix("simulated/")][row.case_id] = (row.answer, row.category, row.fault)
    return found


def asked(session: Session) -> dict[str, tuple[str, dict[str, Any]]]:
    rows = session.execute(
        select(cases.c.id, cases.c.gold, benchmark_case.c.fact)
        .join(benchmark_case, benchmark_case.c.case_id == cases.c.id)
        .where(cases.c.suite == "open")
    )
    return {row.id: (row.gold, row.fact["wanted"]) for row in rows}


def test_every_answer_has_the_form_that_its_turn_asks_for(session: Session, said: Exchanges) -> None:
    known = asked(session)
    for exchanges in said.values():
        for case, (explanation, answer, confidence) in exchanges.items():
            assert explanation and "\n\n" not in explanation
            assert re.fullmatch(guides.FORMS[known[case][1]["guide"]].pattern, answer), answer
            assert 0 <= int(confidence) <= 100


def test_what_is_planted_as_right_is_right_and_what_is_planted_as_wrong_is_not(
    session: Session, said: Exchanges, planted: dict[str, dict[str, tuple[str, str, str]]]
) -> None:
    known = asked(session)
    for name, exchanges in said.items():
        for case, (explanation, answer, _) in exchanges.items():
            gold, wanted = known[case]
            names = {one for item in wanted.get("items", ()) for one in item["names"]} or {gold}
            _, category, fault = planted[name][case]
            if fault == "plain":
                assert answer in names and answer in explanation
            elif fault == "less_precise":
                assert answer != gold and gold.endswith(answer)
            else:
                assert answer not in names
                assert category == {"dont_know": "normal", "invented_name": "review", "day_off": "review"}.get(
                    fault, "unattributed"
                )
                assert fault == "dont_know" or answer in explanation


def test_wrong_days_are_days_or_a_year_off_and_wrong_names_are_those_of_other_things_of_the_type(
    session: Session, said: Exchanges, planted: dict[str, dict[str, tuple[str, str, str]]]
) -> None:
    known = asked(session)
    seen: Counter[str] = Counter()
    for case, (_, _, fault) in planted["overconfident"].items():
        answer, gold = said["overconfident"][case][1], known[case][0]
        if fault == "another_name":
            assert re.fullmatch(r"Place \d+", answer) and answer != gold
        if fault in ("day_off", "days_off"):
            assert answer.split()[2:] == gold.split()[2:] and answer != gold
            assert (answer.split()[:2] in (["6", "February"], ["8", "February"])) == (fault == "day_off")
        if fault == "year_off":
            assert answer.split()[:2] == gold.split()[:2] and abs(int(answer.split()[2]) - int(gold.split()[2])) == 1
        if fault == "number_off":
            assert 1 <= abs(int(answer) - 60) <= 3
        seen[fault] += 1
    assert {"another_name", "days_off", "year_off", "number_off", "less_precise"} <= set(seen)
    assert {"day_off", "invented_name"} & set(seen)


def test_faults_come_at_the_personas_rates(planted: dict[str, dict[str, tuple[str, str, str]]]) -> None:
    def share(name: str, wanted: str) -> float:
        return sum(wanted in label for label in planted[name].values()) / CASES

    for name in ("careful", "overconfident"):
        rates = suite_replies.RATES[name].opened
        assert abs(share(name, "unattributed") - rates.wrong) < 0.06
        assert abs(share(name, "dont_know") - rates.unknown) < 0.04
        assert abs(share(name, "less_precise") - rates.imprecise / 3) < 0.03, "of dates alone"
        assert 0 < share(name, "review") < 0.05
    assert {label[1:] for label in planted["always-right"].values()} == {("normal", "plain")}
    assert "simulated" not in PERSONAS and set(suite_replies.RATES) <= set(PERSONAS)


def test_the_overconfident_one_is_as_sure_of_what_is_wrong(
    said: Exchanges, planted: dict[str, dict[str, tuple[str, str, str]]]
) -> None:
    def stated(name: str, category: str) -> float:
        sure = [
            int(said[name][case][2])
            for case, label in planted[name].items()
            if label[1] == category and label[0] == "text"
        ]
        return sum(sure) / len(sure)

    assert stated("overconfident", "unattributed") > 90
    assert stated("careful", "unattributed") < 60 < stated("careful", "normal") < 90


def test_of_a_julian_day_no_other_right_day_is_planted_as_wrong() -> None:
    """Printed in either calendar it is right: the two days of 25 October and 7 November 1917."""
    day = day_number(1917, 11, 7)
    wanted = {"guide": "date", "earliest": day, "latest": day, "precision": 11, "julian": True}
    for seed in range(50):
        off = open_replies._off(wanted, Random(seed))
        assert off.text not in ("7 November 1917", "25 October 1917", "26 October 1917", "6 November 1917")


def test_asked_by_the_client_turn_by_turn_it_answers_under_the_grammars(session: Session, sim_url: str) -> None:
    name = "simulated/careful"
    with serving([SimulatedModel("careful", Personas(sessions.engine(sim_url)).answer)]) as url:
        registry = support.registry(url, name=name)
        [plan] = stages.plan(session, MONTH, registry=registry, variant="open/confidence").evaluations
        stages.query_shard(session, plan.evaluation_id, portion=Portion(0, 8), registry=registry)
    rows = session.execute(select(response).where(response.c.evaluation_id == plan.evaluation_id)).all()
    assert len(rows) > CASES / 16
    with sessions.session(sim_url) as simulated:
        mine = text("SELECT case_id, fault FROM simulation.planted WHERE model = :model")
        faults = {row.case_id: row.fault for row in simulated.execute(mine, {"model": name})}
    known = asked(session)
    for row in rows:
        assert row.status == "delivered" and 0 <= int(row.text) <= 100
        _, explained, _, answer, _, _ = (turn["content"] for turn in row.transcript)
        assert len(explained) > 10
        if faults[row.case_id] == "plain":
            gold, wanted = known[row.case_id]
            assert answer in ({gold} if "items" not in wanted else set(wanted["items"][0]["names"]))


def test_what_was_planted_is_what_is_judged_and_what_the_views_show(session: Session, sim_url: str) -> None:
    name = "simulated/overconfident"
    with serving([SimulatedModel("overconfident", Personas(sessions.engine(sim_url)).answer)]) as url:
        registry = support.registry(url, name=name)
        [plan] = stages.plan(session, MONTH, registry=registry, variant="open/confidence").evaluations
        stages.query_shard(session, plan.evaluation_id, registry=registry)
    judging.score(session, plan.evaluation_id)
    with sessions.session(sim_url) as simulated:
        [found] = planted_vs_measured.compare(simulated, session, MONTH, [name])
        rates = text("SELECT category, count(*) FROM simulation.planted WHERE model = :model"
                     " AND starts_with(case_id, 'open-') GROUP BY 1")  # fmt: skip
        planted = dict(simulated.execute(rates, {"model": name}).all())
    assert (found.profile, found.cases) == ("open/linked", CASES)
    assert (found.missed, found.false_alarms) == (0, 0), found.confusion
    assert found.same_category == CASES, found.confusion
    results.summarise(session, plan.evaluation_id)
    views.install(session)
    mine = text("SELECT * FROM results_v1.open_answers WHERE evaluation_id = :e AND scope = 'suite'")
    [row] = session.execute(mine, {"e": plan.evaluation_id}).all()
    assert row.answers == CASES and not row.planted_only and row.no_rate_reason is None
    assert row.wrong_share == pytest.approx(planted["unattributed"] / CASES)
    assert row.unjudged_share == pytest.approx(planted["review"] / CASES)
    assert row.right_share == pytest.approx(planted["normal"] / CASES)
    assert row.calibration_error > 0.25, "as sure of what is wrong"
    session.commit()
