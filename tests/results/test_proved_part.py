"""The headline stands over all licences, and beside every rate the same of the proved part alone."""

import io

import numpy as np
import pytest
from rich.console import Console
from sqlalchemy import select, text, update
from sqlalchemy.orm import Session

from halluvault_tasks.oracles import profiles
from halluvault_tasks.results import comparing, page, page_cases, report, show, views
from halluvault_tasks.results.stages import summarise
from halluvault_tasks.statistics import shares
from halluvault_tasks.storage import tables
from tests.oracles.material import SNAPSHOT
from tests.results.random_month import evaluation_of, publish

CONVICTED = ("error_knowledge", "error_inference", "both", "unattributed")
RATE = text("SELECT * FROM results_v1.by_model WHERE profile = :profile AND suite = 'headline' ORDER BY evaluation_id")


@pytest.fixture(autouse=True)
def judged(session: Session) -> None:
    """Two models on a month whose every fifth block is measured, and every seventh is from a list."""
    views.install(session)
    for seed, (evaluation, name) in enumerate([("e1", "real/one"), ("e2", "real/two")]):
        evaluation_of(session, evaluation=evaluation, name=name, seed=seed)
    case = tables.benchmark_case.c
    for every, licence in ((7, "list"), (5, "measured")):
        of_blocks = select(tables.cases.c.id).where(
            tables.cases.c.group_id.in_([f"gx{number}" for number in range(0, 200, every)])
        )
        session.execute(
            update(tables.benchmark_case)
            .where(case.snapshot == SNAPSHOT, case.case_id.in_(of_blocks))
            .values(licence=licence)
        )
    for evaluation in ("e1", "e2"):
        summarise(session, evaluation)
    publish(session)
    comparing.compare(session, SNAPSHOT)


def verdicts(session: Session, evaluation: str, licence: str) -> list[tuple[str, bool, bool]]:
    """Group, whether it is a hallucination, whether it is right: of the cases with a licence like this."""
    rows = session.execute(
        text(
            "SELECT c.group_id, v.category = ANY(:convicted), coalesce(v.correct, false) FROM verdict v"
            " JOIN cases c ON c.id = v.case_id"
            " JOIN benchmark_case b ON b.case_id = c.id AND b.snapshot = :snapshot"
            " WHERE v.evaluation_id = :evaluation AND v.profile = :profile AND b.licence LIKE :licence"
        ),
        {
            "convicted": list(CONVICTED), "snapshot": SNAPSHOT, "evaluation": evaluation,
            "profile": profiles.HEADLINE, "licence": licence,
        },
    )  # fmt: skip
    return [tuple(row) for row in rows]  # type: ignore[misc]


def test_the_headline_is_over_all_and_the_proved_part_beside_it_has_size_and_interval(session: Session) -> None:
    for row in session.execute(RATE, {"profile": profiles.HEADLINE}):
        whole, proved = (verdicts(session, row.evaluation_id, like) for like in ("%", "proved"))
        assert 0 < len(proved) < len(whole) == row.delivered
        for part, told in ((whole, (row.hallucination_rate, row.rate_low, row.rate_high)),
                           (proved, (row.proved_rate, row.proved_low, row.proved_high))):  # fmt: skip
            found = shares.rate((group, errs) for group, errs, _ in part)
            assert found is not None
            assert told == pytest.approx((found.rate, found.low, found.high))
        assert row.proved_delivered == len(proved)
        assert row.proved_accuracy == pytest.approx(np.mean([right for _, _, right in proved]))


def test_two_models_are_compared_on_the_proved_questions_as_well(session: Session) -> None:
    row = session.execute(
        text("SELECT * FROM results_v1.pairs WHERE profile = :p AND suite = 'headline'"), {"p": profiles.HEADLINE}
    ).one()
    rates = [np.mean([errs for _, errs, _ in verdicts(session, evaluation, "proved")]) for evaluation in ("e1", "e2")]
    assert row.proved_difference == pytest.approx(rates[0] - rates[1])
    assert row.proved_difference_low < row.proved_difference < row.proved_difference_high
    assert row.proved_shared == len(verdicts(session, "e1", "proved")) < row.shared


def test_every_table_picture_and_page_with_a_rate_has_the_proved_one(session: Session) -> None:
    (row, _) = session.execute(RATE, {"profile": profiles.HEADLINE}).all()
    told = f"{100 * row.proved_rate:.1f} % [{100 * row.proved_low:.1f}, {100 * row.proved_high:.1f}]"
    console = Console(file=io.StringIO(), width=200, color_system=None)
    for table in show.tables(session, SNAPSHOT):
        console.print(table)
    printed = console.file.getvalue()  # type: ignore[attr-defined]
    of = f"{told} of {row.proved_delivered}"
    for shown in (
        printed, page.leaderboard(session), report.html(session, SNAPSHOT), report.markdown(session, SNAPSHOT)
    ):  # fmt: skip
        assert of in shown
    assert "(proved " in page.where(session)
    assert "on the proved part" in page.compare(session)


def test_a_list_of_questions_is_narrowed_to_one_licence_and_a_question_says_its_own(session: Session) -> None:
    listed = {
        licence: page_cases.cases(session, only=page_cases.Filter(licence=licence))
        for licence in ("", "measured", "list")
    }
    assert "<td>measured</td>" in listed["measured"] and "<td>proved</td>" not in listed["measured"]
    assert "<td>list</td>" in listed["list"] and "<td>proved</td>" in listed[""]
    assert "licence measured: " in (page_cases.case(session, "x001") or "")
