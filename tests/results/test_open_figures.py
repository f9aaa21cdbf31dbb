"""Figures of the suite open: what is counted, intervals that hold planted rates, calibration, and pairs with yes/no."""

import json
import os
import subprocess
import sys
from collections.abc import Sequence
from random import Random
from typing import Any

import pytest
from sqlalchemy import insert, text
from sqlalchemy.dialects.postgresql import insert as upsert
from sqlalchemy.orm import Session

from halluvault_tasks.benchmark.suites.open import asked_twice
from halluvault_tasks.results import comparing, store, views
from halluvault_tasks.results.figures import Figure
from halluvault_tasks.results.store import ResultSet
from halluvault_tasks.results.suites import open as opened
from halluvault_tasks.results.suites import open_pairs
from halluvault_tasks.results.suites.open import JudgedOpen, Outcome
from halluvault_tasks.settings import REPOSITORY
from halluvault_tasks.storage import tables
from tests.oracles.material import SNAPSHOT, fill

RIGHT, WRONG, ABSTAINED = Outcome.RIGHT, Outcome.WRONG, Outcome.ABSTAINED


def answers(outcomes: Sequence[Outcome], confidence: Sequence[float | None] = ()) -> list[JudgedOpen]:
    stated = [*confidence, *[None] * len(outcomes)]
    return [JudgedOpen(at, one, stated[at], {"domain": "people"}) for at, one in enumerate(outcomes)]


def whole(judged: Sequence[JudgedOpen], planned: int | None = None) -> dict[str, Figure]:
    made = opened.figures(judged, len(judged) if planned is None else planned)
    return {one.metric: one for one in made if (one.scope, one.key) == ("suite", "")}


def test_every_answer_is_counted_once_and_only_what_was_attempted_can_be_right_among_attempted() -> None:
    outcomes = [RIGHT] * 60 + [Outcome.LESS_PRECISE] * 4 + [WRONG] * 16 + [ABSTAINED] * 10
    found = whole(answers([*outcomes, *[Outcome.UNJUDGED] * 4, *[Outcome.UNREAD] * 4, *[Outcome.BARRED] * 2]))
    counted = {name: (one.hits, one.n) for name, one in found.items() if name in opened.SHARES}
    assert counted == {
        "open_right": (64, 100), "open_less_precise": (4, 100), "open_wrong": (16, 100), "open_abstained": (10, 100),
        "open_unjudged": (4, 100), "open_unread": (6, 100), "open_attempted_right": (64, 88),
    }  # fmt: skip
    every = ("open_right", "open_wrong", "open_abstained", "open_unjudged", "open_unread")
    assert sum(found[name].hits or 0 for name in every) == 100


def test_the_f_score_is_simpleqas_and_the_index_takes_a_point_for_what_is_wrong_or_unread() -> None:
    found = whole(answers([RIGHT] * 60 + [WRONG] * 20 + [ABSTAINED] * 14 + [Outcome.UNREAD] * 4 + [Outcome.BARRED] * 2))
    among_all, among_attempted = 60 / 100, 60 / 84
    harmonic = 2 * among_all * among_attempted / (among_all + among_attempted)
    assert found["open_f_score"].value == pytest.approx(harmonic)
    assert found["open_index"].value == pytest.approx((60 - 20 - 4) / 100)
    assert (found["open_f_score"].hits, found["open_f_score"].n) == (60, 100)


def test_saying_that_one_does_not_know_costs_nothing_and_beats_being_wrong() -> None:
    knows = whole(answers([RIGHT] * 50 + [ABSTAINED] * 50))
    guesses = whole(answers([RIGHT] * 50 + [WRONG] * 50))
    assert knows["open_index"].value == 0.5 and guesses["open_index"].value == 0.0
    assert (knows["open_f_score"].value or 0) > (guesses["open_f_score"].value or 0)
    assert knows["open_right"].value == guesses["open_right"].value


def test_over_600_seeds_the_intervals_hold_the_planted_figures_in_93_to_97_of_100() -> None:
    """Four questions a subject, answered alike half of the time: that is what the cluster is for."""
    rates = {RIGHT: 0.55, WRONG: 0.25, ABSTAINED: 0.2}
    planted = {
        "open_right": 0.55, "open_attempted_right": 0.55 / 0.8, "open_f_score": 2 * 0.55 / 1.8, "open_index": 0.3,
    }  # fmt: skip
    held = dict.fromkeys(planted, 0)
    for seed in range(600):
        random = Random(seed)
        outcomes = iter(random.choices([*rates], [*rates.values()], k=500))
        judged = []
        for subject in range(100):
            together = next(outcomes)
            each = (next(outcomes) if random.random() < 0.5 else together for _ in range(4))
            judged += [JudgedOpen(subject, one, None, {}) for one in each]
        found = whole(judged)
        for metric, value in planted.items():
            low, high = found[metric].low, found[metric].high
            assert low is not None and high is not None
            held[metric] += low <= value <= high
    assert all(0.93 <= count / 600 <= 0.97 for count in held.values()), held


def test_above_a_twentieth_unjudged_a_model_has_no_rate_anywhere_and_the_reason_says_so() -> None:
    judged = answers([RIGHT] * 90 + [Outcome.UNJUDGED] * 5 + [WRONG] * 5, [80.0] * 100)
    assert whole(judged)["open_right"].value == 0.9
    more = answers([RIGHT] * 90 + [Outcome.UNJUDGED] * 6 + [WRONG] * 4, [80.0] * 100)
    for one in opened.figures(more, 100):
        told = one.metric in ("open_abstained", "open_unjudged", "open_unread")
        assert (one.value is not None) == told, one
        assert one.no_rate_reason == (None if told else "6.0 % unjudged")


def test_nor_where_too_much_was_not_delivered_or_not_read() -> None:
    judged = answers([RIGHT] * 80 + [Outcome.UNREAD] * 8 + [Outcome.BARRED] * 2 + [WRONG] * 10)
    assert whole(judged)["open_right"].value == 0.8
    assert whole(judged, 102)["open_right"].no_rate_reason == "2.0 % undelivered"
    unread = whole(answers([RIGHT] * 80 + [Outcome.UNREAD] * 12))["open_index"]
    assert (unread.value, unread.no_rate_reason) == (None, "13.0 % unread")
    assert whole([])["open_right"].no_rate_reason == "nothing delivered"


def test_bins_hold_what_was_stated_and_the_calibration_error_is_their_mean_distance() -> None:
    outcomes = [RIGHT] * 9 + [WRONG] + [RIGHT] * 2 + [WRONG] * 2
    judged = answers(outcomes, [90.0] * 5 + [100.0] * 5 + [20.0] * 4)
    made = opened.figures(judged, len(judged))
    bins = {(one.key, one.metric): one for one in made if one.scope == "confidence"}
    assert {key for key, _ in bins} == {"20 to 29", "90 to 100"}
    top = bins["90 to 100", "open_answers_right"]
    assert (top.hits, top.n, bins["90 to 100", "open_stated"].value) == (9, 10, 0.95)
    found = {one.metric: one.value for one in made if (one.scope, one.key) == ("suite", "")}
    assert found["open_calibration_error"] == pytest.approx((10 * 0.05 + 4 * 0.3) / 14)
    brier = [(0.9 - 1) ** 2] * 5 + [0.0] * 4 + [1.0] + [0.8**2] * 2 + [0.2**2] * 2
    assert found["open_brier"] == pytest.approx(sum(brier) / 14)
    surest = {(one.key, one.metric): one for one in made if one.scope == "surest"}
    assert surest["at least 50", "open_covered"].value == pytest.approx(10 / 14)
    assert surest["at least 95", "open_answers_right"].value == 0.8


def test_confidence_in_what_was_not_judged_tells_nothing_of_calibration() -> None:
    judged = answers([RIGHT, Outcome.UNJUDGED, ABSTAINED, Outcome.UNREAD, WRONG] * 2, [100.0] * 8)
    [bin_] = [
        one for one in opened.calibration(judged) if (one.scope, one.metric) == ("confidence", "open_answers_right")
    ]
    assert bin_.n == 3
    assert not list(opened.calibration(answers([RIGHT, WRONG])))


def test_a_verdict_row_has_one_outcome() -> None:
    rows = {
        (True, "normal", "right"): RIGHT, (True, "normal", "less precise"): Outcome.LESS_PRECISE,
        (False, "unattributed", "wrong"): WRONG, (None, "normal", "abstained"): ABSTAINED,
        (None, "review", "unjudged"): Outcome.UNJUDGED, (None, "unparseable", "no_answer"): Outcome.UNREAD,
        (None, "unparseable", "api_refusal"): Outcome.BARRED,
    }  # fmt: skip
    assert {key: opened.outcome_of(*key) for key in rows} == rows


def wanted(qid: int, name: str, **more: Any) -> dict[str, Any]:
    return {
        "asks": "where", "wanted": {"guide": "name", "items": [{"qid": qid, "names": [name]}]}, "licence": "proved",
        "relation": "P19", "hops": 1, "difficulty": {"features": {"stratum": "tail"}}, "told": "…", **more,
    }  # fmt: skip


OPENED = [
    # case, subject, object, fact, correct, category, sub-label, detail
    ("o1", 1, 2, wanted(2, "Portsmouth"), False, "unattributed", "wrong", {"confidence": 90}),
    ("o2", 4, 3, wanted(3, "London"), True, "normal", "right", {"confidence": 100}),
    ("o3", 10, None, wanted(6, "Leipzig", relation="P22"), None, "normal", "abstained", {"confidence": None}),
]


@pytest.fixture
def month(session: Session) -> Session:
    """Evaluation `e1` of four yes/no questions (`c1`, `c3` about where Dickens was born), `e2` of three open ones."""
    fill(session, [("c1", "Yes.")], "e1")
    for name in ("result_set", "verdict", "response", "evaluation"):
        column = "id" if name == "evaluation" else "evaluation_id"
        session.execute(text(f"DELETE FROM {name} WHERE {column} = 'e2'"))
    for name in ("benchmark_case", "benchmark_part", "cases"):
        session.execute(text(f"DELETE FROM {name} WHERE suite = 'open'"))
    part = {"snapshot": SNAPSHOT, "suite": "open"}
    session.execute(insert(tables.benchmark_part), [
        {**part, "seed": 1, "config_hash": "c", "content_hash": "h", "counts": {}, "published": True}
    ])  # fmt: skip
    for case, subject, thing, fact, *_ in OPENED:
        row: dict[str, Any] = {
            "id": case,
            "question": f"{case}?",
            "gold": "Turin",
            "suite": "open",
            "group_id": f"g-{case}",
        }
        session.execute(insert(tables.cases), [{**row, "mutation": "original", "relation": "same"}])
        placed = {"case_id": case, "domain": "people", "rule_kind": "direct", "premises": [], "proof": "", "fact": fact}
        about = {"subject": subject, "object": thing, "property": 19}
        session.execute(insert(tables.benchmark_case), [{**part, **placed, **about}])
    yes_no = {"c1": (1, 2), "c3": (1, 3)}
    for case, (subject, thing) in yes_no.items():
        session.execute(
            text(
                "UPDATE benchmark_case SET subject = :s, object = :o, property = 19, fact = CAST(:f AS jsonb)"
                " WHERE case_id = :case"
            ),
            {"s": subject, "o": thing, "case": case, "f": '{"p": 19}'},
        )
    variant = {"id": "v2", "template": "open/confidence", "version": 1, "form": "chat", "context": "closed-book"}
    session.execute(upsert(tables.prompt_variant).on_conflict_do_nothing(), [variant])
    session.execute(insert(tables.evaluation), [
        {"id": "e2", "snapshot": SNAPSHOT, "model_id": "m-e1", "variant_id": "v2", "sampling": {}}
    ])  # fmt: skip
    row = {"evaluation_id": "e2", "sample": 1, "profile": opened.PROFILE, "profile_version": "1"}
    session.execute(insert(tables.response), [
        {"evaluation_id": "e2", "case_id": case, "status": "delivered", "text": "…", "attempts": 1}
        for case, *_ in OPENED
    ])  # fmt: skip
    for case, _, _, _, correct, category, sub_label, detail in OPENED:
        how = {"answer": "dont_know" if correct is None else "text", "correct": correct, "category": category}
        session.execute(
            insert(tables.verdict), [{**row, "case_id": case, "sub_label": sub_label, **how, "detail": detail}]
        )
    row = {"evaluation_id": "e1", "sample": 1, "profile": "replay/syntax", "profile_version": "1", "detail": {}}
    session.execute(insert(tables.verdict), [
        {**row, "case_id": "c1", "answer": "yes", "correct": True, "category": "normal"},
        {**row, "case_id": "c3", "answer": "yes", "correct": False, "category": "unattributed"},
    ])  # fmt: skip
    for of in (ResultSet("e1", "replay/syntax", "1"), ResultSet("e2", opened.PROFILE, "1")):
        suite = "open" if of.evaluation_id == "e2" else "headline"
        store.put(session, of, [Figure(suite, "suite", "", "delivered", 1.0, None, None, 1, 1, None, None)], ())
    views.install(session)
    session.commit()
    return session


def test_figures_are_those_of_the_verdict_rows_by_domain_kind_stratum_and_what_is_asked_for(month: Session) -> None:
    made = opened.of_evaluation(month, ResultSet("e2", opened.PROFILE, "1"), SNAPSHOT)
    right = {(one.scope, one.key): (one.hits, one.n) for one in made if one.metric == "open_right"}
    keys = (("suite", ""), ("domain", "people"), ("kind", "direct"), ("asks", "where"), ("stratum", "tail"))
    assert right == dict.fromkeys(keys, (1, 3))
    [stated] = [one for one in made if (one.scope, one.metric) == ("suite", "open_stated")]
    assert (stated.value, stated.n) == (0.95, 2)


def test_what_a_model_says_yes_to_and_cannot_tell_is_counted_fact_by_fact(month: Session) -> None:
    comparing.compare(month, SNAPSHOT)
    rows = month.execute(text(
        "SELECT split_part(key, ' × ', 1) AS gold, metric, hits, n FROM results_v1.metrics WHERE scope = 'pairs'"
        " AND suite = 'open' AND evaluation_id = 'e2' AND hits > 0"
    )).all()  # fmt: skip
    # Dickens's birthplace is recognised and not told; that it was not London is neither.
    assert sorted(map(tuple, rows)) == [("no", "pairs_neither", 1, 1), ("yes", "pairs_recognised", 1, 1)]
    again = open_pairs.store_month(month, SNAPSHOT)
    assert again == 8


def test_an_open_question_pairs_with_no_question_about_another_thing_or_relation(month: Session) -> None:
    month.execute(text("UPDATE benchmark_case SET object = 6 WHERE case_id = 'c1'"))
    month.execute(text("""UPDATE benchmark_case SET fact = jsonb '{"relation": "P20"}' WHERE case_id = 'c3'"""))
    assert open_pairs.store_month(month, SNAPSHOT) == 0


def test_a_model_without_a_rate_is_in_no_pair(month: Session) -> None:
    lost = Figure("open", "suite", "", "hallucination_rate", None, None, None, 1, 3, None, None, "7.1 % unjudged")
    store.put(month, ResultSet("e2", opened.PROFILE, "1"), [lost], ())
    assert open_pairs.store_month(month, SNAPSHOT) == 0


def test_turned_round_the_end_that_is_named_is_what_both_are_about(month: Session) -> None:
    """ "Who was born in Portsmouth?" wants the subject; "Was Micawber born in Portsmouth?" offers another."""
    turned = wanted(1, "Charles Dickens")
    month.execute(
        text("UPDATE benchmark_case SET fact = CAST(:f AS jsonb) WHERE case_id = 'o1'"), {"f": json.dumps(turned)}
    )
    month.execute(text("UPDATE benchmark_case SET subject = 10, object = 2 WHERE case_id = 'c3'"))
    assert open_pairs.store_month(month, SNAPSHOT) == 8
    rows = month.execute(text("SELECT gold, pairs FROM results_v1.open_pairs ORDER BY gold")).all()
    assert [tuple(row) for row in rows] == [("no", 1), ("yes", 1)]


@pytest.mark.parametrize(
    ("fact", "slot"),
    [
        ({"relation": "inverse:P57", "s": 2, "o": 1}, ("P57", 1, 2)),
        ({"relation": "P57/P19", "s": 1, "o": 3}, ("P57/P19", 1, 3)),
        ({"relation": "P569", "s": 2, "o": 1946, "called": {"property": 57, "of": 1}}, ("P57/P569", 1, 1946)),
        ({"p": 19, "s": 1, "o": 3}, ("P19", 1, 3)),
        ({"formula": "F", "relation": "P39", "s": 1, "o": 3}, None),
    ],
)
def test_inverses_and_those_called_by_a_slot_are_the_fact_that_an_open_question_asks(
    fact: dict[str, Any], slot: tuple[str, int, int] | None
) -> None:
    found = asked_twice.of_yes_no(fact)
    assert (found and (str(found.relation), found.start, found.end)) == slot


def test_a_chain_pairs_by_what_it_begins_with(month: Session) -> None:
    """The open question's subject is the director, the yes/no question's the film that leads to him."""
    chain = json.dumps(wanted(2, "Portsmouth", relation="P57/P19"))
    told = json.dumps([{"subject": {"qid": 1}}])
    month.execute(
        text("UPDATE benchmark_case SET subject = 10, fact = CAST(:f AS jsonb), premises = CAST(:p AS jsonb)"
             " WHERE case_id = 'o1'"),
        {"f": chain, "p": told},
    )  # fmt: skip
    month.execute(text("""UPDATE benchmark_case SET fact = jsonb '{"relation": "P57/P19"}' WHERE case_id = 'c1'"""))
    assert open_pairs.store_month(month, SNAPSHOT) == 4


@pytest.mark.parametrize("first", ["oracles.asked", "oracles.profiles", "oracles.suites", "results.suites", "cli"])
def test_whatever_is_imported_first_judges_and_figures_make_no_circle(first: str) -> None:
    done = subprocess.run(
        [sys.executable, "-c", f"import halluvault_tasks.{first}"], capture_output=True, text=True, check=False,
        cwd=REPOSITORY, env={**os.environ, "PYTHONPATH": str(REPOSITORY)},
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
