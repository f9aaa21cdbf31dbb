"""A model of which too little was delivered or read has no rate, and every place that would show one says why."""

import io
import re
from collections import Counter
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.console import Console
from sqlalchemy import delete, select, text, update
from sqlalchemy.orm import Session
from typer.testing import CliRunner, Result

from halluvault_tasks.cli import app, register
from halluvault_tasks.oracles import profiles
from halluvault_tasks.results import (
    alerts,
    changes,
    comparing,
    figures,
    headlines,
    metrics,
    months,
    page,
    page_cases,
    page_suites,
    report,
    sampled,
    show,
    views,
)
from halluvault_tasks.results.export import inspect_log
from halluvault_tasks.results.page_words import NO_RATE
from halluvault_tasks.results.stages import summarise
from halluvault_tasks.settings import REPOSITORY, settings
from halluvault_tasks.storage import sessions, tables
from tests.oracles.material import SNAPSHOT
from tests.results.random_month import evaluation_of, publish

SILENT, REFUSED, OTHER, LOST, MUTE = "real/silent", "real/refused", "real/other", "real/lost", "real/mute"
OF_HEADLINE = ("hallucination_rate", "rate_low", "rate_high", "band_high", "unsupported_high")
CATEGORIES = ("normal", "error_knowledge", "error_inference", "both_errors", "unattributed", "unparseable", "review")


@pytest.fixture(scope="module", autouse=True)
def judged(database_url: str) -> None:
    """`silent` says nothing, 20 of 400 prompts of `refused` were refused by the API, 5 of `lost` got no response."""
    with sessions.session(database_url) as session:
        views.install(session)
        evaluation_of(session, evaluation="e1", name=SILENT, unread=1.0)
        of_one = tables.verdict.c.evaluation_id
        session.execute(update(tables.verdict).where(of_one == "e1").values(sub_label="no_answer"))
        session.execute(update(tables.response).where(tables.response.c.evaluation_id == "e1").values(text=""))
        evaluation_of(session, evaluation="e2", name=REFUSED, unread=0.0, seed=2)
        barred = select(tables.response.c.case_id).where(tables.response.c.evaluation_id == "e2")
        barred = barred.order_by(tables.response.c.case_id.desc()).limit(20)
        said = {"answer": "unparseable", "correct": None, "category": "unparseable", "sub_label": "api_refusal"}
        session.execute(update(tables.verdict).where(of_one == "e2", tables.verdict.c.case_id.in_(barred)).values(said))
        session.execute(
            update(tables.response)
            .where(tables.response.c.evaluation_id == "e2", tables.response.c.case_id.in_(barred))
            .values(text="", refusal="content_filter: <i>violence</i>", thought="They ask <b>me</b>.")
        )
        evaluation_of(session, evaluation="e3", name=OTHER, unread=0.02, seed=3)
        evaluation_of(session, evaluation="e4", name=LOST, unread=0.02, seed=4, dead=5)
        evaluation_of(session, evaluation="e5", name=MUTE, unread=0.0, seed=5)
        for table in (tables.verdict, tables.response):
            session.execute(delete(table).where(table.c.evaluation_id == "e5"))
        publish(session)
        session.execute(update(tables.snapshot).values(status="published"))
        session.commit()
        for evaluation in ("e1", "e2", "e3", "e4", "e5"):
            summarise(session, evaluation)
        comparing.compare(session, SNAPSHOT)


@pytest.fixture
def run(database_url: str, monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    monkeypatch.setenv("HALLUVAULT_DATABASE_URL", database_url)
    monkeypatch.setenv("HALLUVAULT_CONFIG_DIR", str(REPOSITORY / "config"))
    register("results")
    settings.cache_clear()

    def call(*words: str) -> Result:
        return CliRunner().invoke(app, ["results", *words])

    yield call
    settings.cache_clear()


def rows(session: Session, query: str, **named: object) -> list[Any]:
    return list(session.execute(text(query), {"profile": profiles.HEADLINE, **named}).all())


def of_model(session: Session, model: str) -> Any:
    [row] = rows(session, "SELECT * FROM results_v1.by_model WHERE model = :m AND profile = :profile", m=model)
    return row


def printed(*tables_: Any) -> str:
    console = Console(file=io.StringIO(), width=250, color_system=None)
    for table in tables_:
        console.print(table)
    return console.file.getvalue()  # type: ignore[attr-defined,no-any-return]


@given(planned=st.integers(0, 5000), lost=st.integers(0, 5000), unread=st.integers(0, 5000))
def test_there_is_a_rate_exactly_up_to_one_per_cent_undelivered_and_ten_per_cent_unread(
    planned: int, lost: int, unread: int
) -> None:
    delivered = max(0, planned - lost)
    unread = min(unread, delivered)
    why = figures.no_rate(delivered, planned, unread)
    too_few, too_silent = 100 * (planned - delivered) > planned, 10 * unread > delivered
    assert (why is None) == (delivered > 0 and not too_few and not too_silent)
    if delivered:
        assert ("undelivered" in (why or ""), bool(re.search(r"\bunread", why or ""))) == (too_few, too_silent)


def test_a_silent_model_has_no_rate_in_any_scope_and_each_says_why(session: Session) -> None:
    found = rows(session, "SELECT * FROM results_v1._figures WHERE evaluation_id = 'e1' AND planned > 0")
    assert {row.scope for row in found} >= {"model", "suite", "domain", "rule", "kind", "cell"}
    for row in found:
        assert [getattr(row, name) for name in OF_HEADLINE] == [None] * 5
        assert row.no_rate_reason == ("100.0 % unread" if row.delivered else "nothing delivered")
    whole = of_model(session, SILENT)
    assert (whole.macro_rate, whole.macro_low, whole.answered_share, whole.accuracy) == (None, None, 0, 0)
    assert (whole.unread_share, whole.no_answer, whole.api_refused, whole.delivered) == (1, 400, 0, 400)


def test_what_was_lost_or_never_came_has_a_reason_too(session: Session) -> None:
    reasons = dict(
        rows(session, "SELECT model, no_rate_reason FROM results_v1.by_model WHERE profile = :profile")  # type: ignore[arg-type]
    )
    assert reasons == {
        SILENT: "100.0 % unread", REFUSED: None, OTHER: None, LOST: "1.2 % undelivered", MUTE: "nothing delivered",
    }  # fmt: skip


def test_unread_and_review_are_counted_apart_and_the_band_has_both(session: Session) -> None:
    for row in rows(session, "SELECT * FROM results_v1.by_model WHERE profile = :profile AND hallucination_rate > 0"):
        assert row.unread_share == pytest.approx(row.unparseable / row.delivered)
        open_share = (row.unparseable + row.review) / row.delivered
        assert row.review > 0 and row.band_high == pytest.approx(row.hallucination_rate + open_share)
        assert sum(getattr(row, name) for name in CATEGORIES) == row.delivered
        assert row.api_refused + row.no_answer <= row.unparseable


def test_five_per_cent_refused_by_the_api_leave_the_rate_and_are_said_beside_it(session: Session) -> None:
    row = of_model(session, REFUSED)
    assert (row.api_refused, row.unread_share, row.no_rate_reason) == (20, 0.05, None)
    assert row.answered_share == pytest.approx((400 - row.abstained - 20) / 400), "its own refusals are another thing"
    beside = r"\d+\.\d % \[\d+\.\d, \d+\.\d\]"
    told = "5.0 % refused by the API"
    assert re.search(rf"{REFUSED} .*{beside}[^\n]*\n[^\n]*{told}", printed(*show.tables(session, SNAPSHOT)))
    assert re.search(rf"{REFUSED} .*{beside}[^\n]*\n[^\n]*{told}", printed(months.over(session, [SNAPSHOT], [REFUSED])))
    assert re.search(rf'{beside}<br><span class="faint">{told}', page.leaderboard(session))
    assert re.search(rf'{beside}<br><span class="faint">{told}', report.html(session, SNAPSHOT))
    assert re.search(rf"\| {REFUSED} \| {beside}, {told} \| {beside} of 400 \|", report.markdown(session, SNAPSHOT))


def test_the_tables_and_the_report_have_the_reason_in_the_rates_place(session: Session) -> None:
    whole = printed(*show.tables(session, SNAPSHOT), show.rule_table(session, SNAPSHOT))
    assert NO_RATE.replace(" ", "") in re.sub(r"\s", "", whole)
    assert re.search(rf"{SILENT} +│ +100.0 % │ +0.0 % │ +100.0 % │ +0.0 % │", whole), "what became of the unread"
    assert re.search(rf"{REFUSED} +│ +5.0 % │ +5.0 % │ +0.0 % │ +0.0 % │", whole)
    for model, why in ((SILENT, "100.0 % unread"), (LOST, "1.2 % undelivered"), (MUTE, "nothing delivered")):
        assert re.search(rf"{model} .*│ +–: {why} +│", whole)
        assert f"–: {why}" in printed(months.over(session, [SNAPSHOT], [model]))
        assert re.search(rf"<td>{profiles.HEADLINE}</td><td class=\"n\">–: {why}", report.html(session, SNAPSHOT))
        assert f"| {model} | –: {why}" in report.markdown(session, SNAPSHOT)
        assert f"{model} no rate: {why} (was" in str(changes.of_results(session, SNAPSHOT))
        assert f"- {model}: –: {why}" in changes.note(session, SNAPSHOT)
    silent = "100.0 % of responses unread (100.0 % no answer), 0.0 % held for review; no rate: 100.0 % unread"
    for told in (report.html(session, SNAPSHOT), report.markdown(session, SNAPSHOT)):
        assert f"{SILENT}: {silent}" in told
        assert f"{REFUSED}: 5.0 % of responses unread (5.0 % refused by the API)" in told
        assert NO_RATE in told


def test_every_tab_of_the_page_says_why_and_the_cases_are_all_there(session: Session) -> None:
    overview = page.leaderboard(session)
    assert "no rate: 100.0 % unread</text>" in overview and "–: 100.0 % unread</td>" in overview
    assert "100.0 % no answer" in overview and NO_RATE in overview
    where = page.where(session, model="e1")
    assert "–<br><small>100.0 % unread, n " in where, "of a domain and rule together"
    assert '<td class="heat faint">–<br><small>100.0 % unread</small></td>' in where, "beside the other models"
    compare = page.compare(session)
    assert f"Not compared: <bdi>{SILENT}</bdi> (halluvault v1, plain, closed-book) has no hallucination rate" in compare
    assert f"against <bdi>{REFUSED}</bdi>" in compare and f"Not compared: <bdi>{OTHER}</bdi>" not in compare
    assert page.month(session) and page_suites.suites(session)
    listed = page_cases.cases(session, only=page_cases.Filter(model=SILENT))
    assert listed.count('unparseable <span class="bad">unparseable</span>') == page_cases.SHOWN
    case = str(page_cases.case(session, "x395"))
    assert "Refused by the API: <bdi>content_filter: &lt;i&gt;violence" in case and "They ask &lt;b&gt;me" in case
    assert "No answer: the response is empty." in case and "no answer</bdi>" in case


def test_no_comparison_holds_what_has_no_headline(session: Session) -> None:
    pairs = rows(session, "SELECT * FROM results_v1.pairs WHERE profile = :profile AND suite = 'headline'")
    assert [(row.model_a, row.model_b) for row in pairs] == [(OTHER, REFUSED)]
    against = printed(months.against(session, [SNAPSHOT], [SILENT, REFUSED], OTHER))
    assert f"–: {SILENT} has no rate, 100.0 % unread" in against and " points " in against
    assert f"–: {SILENT} has no rate" in printed(months.against(session, [SNAPSHOT], [REFUSED], SILENT))


@pytest.mark.parametrize(
    ("model", "baselines", "said"),
    [
        (SILENT, [OTHER], f"not compared with {OTHER}: {SILENT} has no rate, 100.0 % unread"),
        (OTHER, [SILENT], f"not compared with {SILENT}: {SILENT} has no rate, 100.0 % unread"),
        (OTHER, [LOST, REFUSED], f"not compared with {LOST}: {LOST} has no rate, 1.2 % undelivered"),
    ],
)
def test_the_gate_ends_with_status_4_and_one_line(run: Any, model: str, baselines: list[str], said: str) -> None:
    words = [word for name in baselines for word in ("--baseline", name)]
    found = run("gate", "--model", model, *words, "--max-regression", "0.5")
    assert found.exit_code == 4, found.output
    assert f"{model}: {said}" in found.output.splitlines()


def test_what_is_worse_than_one_baseline_is_worse_whatever_another_one_lacks(session: Session, run: Any) -> None:
    errs = tables.verdict.c.evaluation_id == "e2", tables.verdict.c.category != "unparseable"
    before = session.execute(select(tables.verdict.c.case_id, tables.verdict.c.profile, tables.verdict.c.category)
                             .where(*errs)).all()  # fmt: skip
    session.execute(update(tables.verdict).where(*errs).values(category="both"))
    session.commit()
    assert run("gate", "--model", REFUSED, "--baseline", SILENT, "--baseline", OTHER).exit_code == 1
    for case, profile, category in before:
        of_case = tables.verdict.c.case_id == case, tables.verdict.c.profile == profile
        session.execute(update(tables.verdict).where(*errs, *of_case).values(category=category))
    session.commit()


def test_show_and_compare_end_well_and_name_who_is_left_out(run: Any) -> None:
    assert run("show").exit_code == 0
    compared = run("compare")
    assert compared.exit_code == 0
    for model in (SILENT, LOST, MUTE):
        assert f"not compared: {model} has no hallucination rate in {SNAPSHOT}: " in compared.output


def test_one_incident_an_evaluation_has_the_way_out_and_may_be_an_alert(session: Session, run: Any) -> None:
    summarise(session, "e1")
    query = 'SELECT "where", message, way_out, snapshot FROM incident WHERE kind = :kind ORDER BY id'
    found = rows(session, query, kind=headlines.INCIDENT)
    assert [row.where for row in found] == [f"evaluation {one}" for one in ("e1", "e4", "e5")]
    assert found[0].message == f"{SILENT} has no hallucination rate in {SNAPSHOT}: 100.0 % unread"
    assert f"halluvault models check --model {SILENT}" in found[0].way_out
    rules = alerts.load(REPOSITORY / "config" / "alerts.yaml").alerts
    told = [one for one in alerts.judge(session, SNAPSHOT, rules) if one.kind == headlines.INCIDENT]
    assert [one.message.split()[0] for one in told] == [SILENT, LOST, MUTE]
    assert "no_headline: " in run("alerts").output


def test_a_sample_without_a_rate_says_why(session: Session) -> None:
    part = sorted(session.scalars(select(tables.cases.c.id)))
    asked = {"snapshot": SNAPSHOT, "variant_id": "v1", "text": "", "sha256": ""}
    session.execute(tables.prompt.insert(), [asked | {"case_id": case} for case in part])
    made = sampled.estimate(session, ["e1", "e2", "e4", "e5"], part, 400)
    assert [(one.evaluation_id, one.why) for one in made.without] == [
        ("e1", "100.0 % unread"), ("e4", "1.2 % undelivered"), ("e5", "nothing delivered"),
    ]  # fmt: skip
    shown = printed(made.table)
    assert "–: 100.0 % unread" in shown and "5.0 % refused by the API" in shown and "A dash instead of a rate" in shown
    session.rollback()


def test_a_scrape_and_an_inspect_log_know_who_has_no_headline(session: Session) -> None:
    family = next(one for one in metrics.FAMILIES if one.metrics[0][0] == "no_headline")
    of_headline = {row[1]: row[4] for row in metrics.rows(session, family.statement) if profiles.HEADLINE in row[3]}
    assert of_headline == {SILENT: 1, REFUSED: 0, OTHER: 0, LOST: 1, MUTE: 1}
    judged = next(one for one in metrics.FAMILIES if one.metrics[0][0] == "judged_total")
    names = [name for name, _ in judged.metrics]
    counts: Counter[tuple[str, str]] = Counter()
    for row in metrics.rows(session, judged.statement):
        for name, count in zip(names, row[4:], strict=True):
            counts[row[1], name] += count if profiles.HEADLINE in row[2] else 0
    assert counts[REFUSED, "api_refused_total"] == 20 and counts[SILENT, "no_answer_total"] == 400
    log = {"evaluation": "e1"}
    scores = [inspect_log._score(row) for row in session.execute(inspect_log._RATES, log).mappings()]
    assert scores and all(one["metadata"] == {"no_rate_reason": "100.0 % unread"} for one in scores)


def test_a_month_without_a_rate_breaks_the_line_and_is_no_change(session: Session) -> None:
    # The same evaluations a month later, without rows of their own: what the views say of them is enough.
    later = "2026-11"
    for table, key in ((tables.snapshot, "snapshot"), (tables.benchmark_part, "snapshot")):
        made = [dict(row) | {key: later} for row in session.execute(select(table)).mappings()]
        made = [row | ({"month": later} if table is tables.snapshot else {}) for row in made]
        session.execute(table.insert(), made)
    for one, of in (("f1", "e1"), ("f3", "e3")):
        for table, key in ((tables.evaluation, "id"), (tables.result_set, "evaluation_id"),
                           (tables.result, "evaluation_id")):  # fmt: skip
            copied = session.execute(select(table).where(table.c[key] == of)).mappings().all()
            changed = {key: one} | ({"snapshot": later} if table is tables.evaluation else {})
            session.execute(table.insert(), [dict(row) | changed for row in copied])
    headline = (tables.result.c.evaluation_id == "f3", tables.result.c.metric.in_(figures.OF_HEADLINE))
    session.execute(update(tables.result).where(*headline).values(value=None, low=None, high=None,
                                                                  no_rate_reason="12.0 % unread"))  # fmt: skip
    html = page.leaderboard(session, later)
    assert f"<title>{OTHER}, 2026-11: no rate, 12.0 % unread</title>" in html
    assert "A gap: that month has no rate." in html
    assert f"{SILENT}, 2026" not in html, "a line needs a rate"
    told = "no change is shown, since it has no hallucination rate in 2026-11, 12.0 % unread"
    month = page.month(session, later)
    assert f"<bdi>{OTHER}</bdi>: {told}" in month
    absent = [
        one for one in (SILENT, REFUSED, OTHER, LOST, MUTE) if f"<bdi>{one}</bdi>: asked in 2026-10, and" in month
    ]
    assert absent == [REFUSED, LOST, MUTE]
    session.rollback()
