"""Item statistics of a month: what counts as an answer, who is left out, what too few models hide, what is stored."""

from collections.abc import Callable

import pytest
from sqlalchemy import delete, select, text, update
from sqlalchemy.orm import Session

from halluvault_tasks.errors import UserError
from halluvault_tasks.oracles import profiles
from halluvault_tasks.results import page, report, views
from halluvault_tasks.results.items import core, gathered, shown, stages
from halluvault_tasks.results.stages import summarise
from halluvault_tasks.statistics import item_response
from halluvault_tasks.storage import tables
from tests.oracles.material import SNAPSHOT
from tests.results.random_month import evaluation_of, publish


@pytest.fixture(autouse=True)
def judged(session: Session) -> None:
    views.install(session)
    for seed, (evaluation, name) in enumerate([("e1", "real/one"), ("e2", "real/two")]):
        summarise(session, evaluation_of(session, evaluation=evaluation, name=name, seed=seed, dead=seed * 2))
    publish(session)


def answered(session: Session, evaluation: str, right: Callable[[str], bool]) -> None:
    """Every read answer of an evaluation becomes yes or no, right where it says so."""
    of = tables.verdict
    mine = (of.c.evaluation_id == evaluation) & (of.c.profile == profiles.HEADLINE)
    for case in session.scalars(select(of.c.case_id).where(mine)).all():
        gold = session.scalar(select(tables.cases.c.gold).where(tables.cases.c.id == case))
        said = right(case)
        answer = gold if said else {"yes": "no", "no": "yes"}[str(gold)]
        values = {"answer": answer, "correct": said, "category": "normal" if said else "unattributed"}
        session.execute(update(of).where(mine, of.c.case_id == case).values(**values))
    session.commit()


def test_unread_and_held_answers_are_none_and_dont_know_is_half(session: Session) -> None:
    of = gathered.gathered(session, SNAPSHOT, gathered.variants(session, SNAPSHOT)[0])
    place = {one.id: number for number, one in enumerate(of.questions)}
    rows = session.execute(
        text(
            "SELECT case_id, answer, correct, category FROM verdict WHERE evaluation_id = 'e1' AND profile = :profile"
        ),
        {"profile": profiles.HEADLINE},
    ).all()
    assert of.models == ["real/one", "real/two"]
    seen = set()
    for row in rows:
        value = of.answers.right[place[row.case_id], 0]
        if row.category in ("unparseable", "review"):
            assert value != value, row
        else:
            expected = 0.5 if row.answer in ("dont_know", "refusal") else float(row.correct)
            assert value == expected, row
        seen.add(row.category)
    assert {"unparseable", "review", "normal"} <= seen
    assert of.counts.total() == sum(
        session.scalar(
            text("SELECT count(*) FROM verdict WHERE evaluation_id = :e AND profile = :profile"),
            {"e": evaluation, "profile": profiles.HEADLINE},
        )
        or 0
        for evaluation in ("e1", "e2")
    )


def test_below_thirty_models_no_single_question_has_a_figure(session: Session) -> None:
    found = stages.measure(session, SNAPSHOT)
    stored = session.execute(text("SELECT * FROM results_v1.items")).mappings().all()
    assert len(stored) == len(found.figures) > 10
    assert {row["scope"] for row in stored} == {"stratum", "property", "ability", "width", "answers", "easy"}
    assert {(row["models"], row["simulated"], row["is_current"]) for row in stored} == {(2, False, True)}
    told = " ".join(shown.notes(found))
    assert "2 models: no difficulty of single questions below 30." in told
    assert len(shown.tables(found)) == 3


def test_measuring_again_replaces_the_month_s_rows_by_the_same(session: Session) -> None:
    query = text(
        "SELECT string_agg(concat_ws(' ', scope, key, value, low, high), ',' ORDER BY scope, key) FROM item_figure"
    )
    stages.measure(session, SNAPSHOT)
    before = session.scalar(query)
    stages.measure(session, SNAPSHOT)
    assert session.scalar(query) == before


def test_a_model_that_leans_to_one_side_or_has_no_headline_is_left_out_and_named(session: Session) -> None:
    golds = dict(session.execute(select(tables.cases.c.id, tables.cases.c.gold)).all())
    answered(session, "e1", lambda case: golds[case] == "yes")
    silent = evaluation_of(session, evaluation="e3", name="real/silent", seed=3, unread=0.5)
    summarise(session, silent)
    of = gathered.gathered(session, SNAPSHOT, gathered.variants(session, SNAPSHOT)[0])
    assert of.models == ["real/two"]
    why = {one.model: one.why for one in of.left_out}
    assert why["real/one"] == "right in 0 % where the answer is no, less than by guessing: it leans"
    assert why["real/silent"].startswith("no hallucination rate: ")
    assert why["real/silent"].endswith("% unread")


def test_a_simulated_model_is_never_mixed_with_real_ones(session: Session) -> None:
    summarise(session, evaluation_of(session, evaluation="e4", name="simulated/one", seed=4))
    session.execute(text("UPDATE model SET model_id = 'simulated/x' WHERE name = 'simulated/one'"))
    session.commit()
    of = gathered.gathered(session, SNAPSHOT, gathered.variants(session, SNAPSHOT)[0])
    assert of.models == ["real/one", "real/two"]
    assert not of.simulated
    assert ("simulated/one", "simulated, and real models were asked") in of.left_out


def test_what_all_models_get_right_stays_as_the_stratum_easy(session: Session) -> None:
    answered(session, "e1", lambda _: True)
    answered(session, "e2", lambda case: case < "x100")
    found = stages.measure(session, SNAPSHOT)
    share = next(one for one in found.figures if one.scope == "easy" and not one.key)
    expected = sum(one.id < "x100" for one in found.of.questions)
    assert share.questions >= expected > 0, "a question that one of two answered is easy by that one alone"
    assert len(found.of.questions) == len(found.of.answers.easy), "and no question goes for being easy"


def test_from_thirty_models_on_every_question_has_its_difficulty(session: Session) -> None:
    of = gathered.gathered(session, SNAPSHOT, gathered.variants(session, SNAPSHOT)[0])
    copies = of.answers.right[:, [0, 1] * (item_response.OF_ITEMS // 2)]
    names = [f"model {number:02d}" for number in range(copies.shape[1])]
    many = of._replace(models=names, answers=gathered.of_columns(of.questions, copies))
    made = [*stages.figures(many, item_response.fit(many.answers, steps=60))]
    assert sum(one.scope == "item" for one in made) == len(of.questions)
    assert not any(one.scope == "discrimination" for one in made)


def test_the_page_and_the_report_show_the_curve_once_it_is_measured(session: Session) -> None:
    session.execute(text("DELETE FROM item_figure"))
    assert "What is hard" not in page.where(session, SNAPSHOT) + report.html(session, SNAPSHOT)
    stages.measure(session, SNAPSHOT)
    for shown_there in (page.where(session, SNAPSHOT), report.html(session, SNAPSHOT)):
        assert "What is hard" in shown_there
        assert "kind: negation.value" in shown_there


def test_a_core_is_chosen_once_and_places_a_model_that_was_asked_nothing_else(session: Session) -> None:
    chosen = core.core(session, SNAPSHOT, 60)
    assert len(chosen.cases) == 60
    assert chosen.models == 0, "two models are too few to choose by"
    assert core.core(session, SNAPSHOT, 60) == chosen
    new = evaluation_of(session, evaluation="e9", name="real/new", seed=9, unread=0.0)
    of, asked = tables.verdict, sorted(chosen.cases)
    session.execute(delete(of).where(of.c.evaluation_id == new, of.c.case_id.not_in(asked)))
    session.execute(
        update(of)
        .where(of.c.evaluation_id == new, of.c.case_id.in_(asked[:3]))
        .values(answer="unparseable", correct=None, category="unparseable", sub_label="cut_off", reasoning_faulty=None)
    )
    session.commit()
    found = {one.model: one for one in core.placed(session, SNAPSHOT, [new], chosen)}
    mine = found["real/new"]
    assert mine.low is not None and mine.high is not None and mine.right is not None
    assert mine.low < mine.right < mine.high
    assert found["real/two"].low is None, "asked everything, so its share is its share"
    assert mine.unread == 3 / 60
    assert len(core.table([*found.values()], chosen, 400).rows) == len(found)


def test_a_variant_that_nobody_was_asked_in_is_named_with_those_there_are(session: Session) -> None:
    with pytest.raises(UserError, match="no model of 2026-10 is judged in 'nonsense'"):
        stages.measure(session, SNAPSHOT, "nonsense")
