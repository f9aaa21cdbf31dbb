"""Which months a backfill covers, and how an evaluation is cut."""

from datetime import date

import pytest
import typer
from sqlalchemy import insert, select
from sqlalchemy.orm import Session
from typer.testing import CliRunner

from halluvault_tasks.cli import evaluate
from halluvault_tasks.errors import UserError
from halluvault_tasks.querying import backfill, sizing
from halluvault_tasks.querying.registry import ModelServer
from halluvault_tasks.settings import REPOSITORY, settings
from halluvault_tasks.storage import sessions
from halluvault_tasks.storage.tables import benchmark_part, evaluation, model, response, snapshot
from tests.querying import support

KEYS = ("2025-12", "2026-01", "2026-03", "2026-10", "2026-10.2", "2026-10.10", "2026-11")


@pytest.fixture(scope="module", autouse=True)
def _months(database_url: str) -> None:
    with sessions.session(database_url) as session:
        for key in KEYS:
            month, _, revision = key.partition(".")
            status = "frozen" if key == "2026-11" else "published"
            session.execute(
                insert(snapshot).values(
                    snapshot=key, month=month, revision=int(revision or 1), as_of=date(2026, 1, 1), source="t",
                    status=status,
                )
            )  # fmt: skip
            session.execute(insert(benchmark_part).values(support.part(key, published=status == "published")))
        pulled_anew = {"month": "2026-03", "revision": 2, "as_of": date(2026, 1, 1), "source": "t"}
        session.execute(insert(snapshot).values(snapshot="2026-03.2", status="published", **pulled_anew))
        session.commit()


@pytest.mark.parametrize(
    ("wanted", "found"),
    [
        ("", ["2026-10.10"]),
        ("2026-03", ["2026-03"]),
        ("2026-10", ["2026-10.10"]),
        ("2026-10.2", ["2026-10.2"]),
        ("2026-10.2, 2026-01,2026-10.2", ["2026-01", "2026-10.2"]),
        ("2026-01..2026-10", ["2026-01", "2026-03", "2026-10.10"]),
        ("2025-12..2025-12,2026-10.2", ["2025-12", "2026-10.2"]),
        ("all", ["2025-12", "2026-01", "2026-03", "2026-10.10"]),
    ],
)
def test_months_are_named_by_key_list_range_or_all(session: Session, wanted: str, found: list[str]) -> None:
    assert backfill.months(session, wanted) == found


@pytest.mark.parametrize(
    ("wanted", "said"),
    [
        ("2026-02", "no snapshot of 2026-02 is published"),
        ("2026-04..2026-09", "no month of 2026-04..2026-09 has a published benchmark; there are: 2025-12, 2026-01, "
                             "2026-03, 2026-10, 2026-10.2, 2026-10.10"),
        ("2026-10..2026-01", "did you mean 2026-01..2026-10"),
        ("2026-10.2..2026-11", "is not a range of months"),
        ("october", "snapshot 'october' is neither YYYY-MM nor YYYY-MM.N"),
        (",", "names no month"),
    ],
)  # fmt: skip
def test_what_names_no_month_is_refused_with_those_that_exist(session: Session, wanted: str, said: str) -> None:
    with pytest.raises(UserError) as caught:
        backfill.months(session, wanted)
    assert said in str(caught.value)


HOME = ModelServer(name="gpu", pool="gpu", slots=4, in_flight=96)


@pytest.mark.parametrize(
    ("missing", "seconds", "beside", "shards"),
    [
        (0, None, 1, 1),
        (2000, None, 1, 2),  # 24 at a time, 15 s an answer: 1,920 in 20 minutes
        (2000, 2.0, 1, 1),  # quick answers: the row limit alone
        (20_000, 2.0, 1, 10),
        (20_000, 60.0, 1, 42),  # slow ones: 480 in 20 minutes
        (10_000_000, 60.0, 1, 250),
        (10_000_000, 60.0, 5, 50),
    ],
)
def test_a_shard_takes_some_twenty_minutes_and_there_are_never_too_many(
    missing: int, seconds: float | None, beside: int, shards: int
) -> None:
    assert sizing.shards(missing, HOME, seconds, beside) == shards


def test_the_time_of_an_answer_is_that_of_the_newest_evaluation_of_the_model(session: Session) -> None:
    assert sizing.seconds_per_answer(session, "llama") is None
    support.build_plain(session, "2026-12", 3)
    session.execute(insert(model).values(id="m1", name="llama", dialect="tgi", model_id="l"))
    ids = session.scalars(select(support.cases.c.id)).all()
    for number, seconds in enumerate((9, 2)):
        session.execute(
            insert(evaluation).values(
                id=f"e{number}", snapshot="2026-12", model_id="m1", variant_id=support.VARIANT, sampling={},
                created_at=date(2026, 12, 1 + number),
            )
        )  # fmt: skip
        session.execute(
            insert(response),
            [
                {"evaluation_id": f"e{number}", "case_id": case, "status": "delivered", "attempts": 1,
                 "total_ms": 1000 * seconds + extra}
                for extra, case in zip((-500, 0, 90_000), ids, strict=False)
            ],
        )  # fmt: skip
    assert sizing.seconds_per_answer(session, "llama") == 2.0
    session.rollback()


def test_of_a_range_the_months_that_cannot_be_asked_are_named_with_the_reason(session: Session) -> None:
    found = {
        one.month: (one.why, one.way_out) for one in backfill.lacking(session, "2025-11..2026-04,2026-11..2026-11")
    }
    assert sorted(found) == ["2025-11", "2026-02", "2026-04", "2026-11"]
    assert found["2026-02"] == ("never pulled", "a past month can only be read from a dump: halluvault pull --source")
    assert found["2026-11"] == ("its benchmark is not published", "halluvault benchmark build --snapshot 2026-11")
    frozen = backfill.lacking(session, "2025-11..2026-04,2026-11..2026-11", published=False)
    assert [one.month for one in frozen] == ["2025-11", "2026-02", "2026-04"], "a frozen benchmark will do"
    assert backfill.lacking(session, "2026-01,2026-03") == backfill.lacking(session, "all") == []


def test_a_range_with_holes_ends_with_3_before_anything_is_asked_unless_existing_ones_are_meant(
    database_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HALLUVAULT_DATABASE_URL", database_url)
    monkeypatch.setenv("HALLUVAULT_CONFIG_DIR", str(REPOSITORY / "config" / "demo"))
    settings.cache_clear()
    app = typer.Typer()
    evaluate.register(app)
    try:
        held = CliRunner().invoke(app, ["--snapshots", "2025-12..2026-03"])
        # On it goes to Airflow, which nobody named: so far nothing was asked of any model.
        gone_on = CliRunner().invoke(app, ["--snapshots", "2025-12..2026-03", "--existing", "--via-airflow"])
        monkeypatch.setenv("HALLUVAULT_AIRFLOW_API_URL", "http://admin:hun/ter2@hunter2@airflow:8080")
        monkeypatch.setenv("HALLUVAULT_AIRFLOW_API_PASSWORD", "hunter2")
        settings.cache_clear()
        refused = CliRunner().invoke(app, ["--snapshots", "2025-12..2026-03", "--existing", "--via-airflow"])
    finally:
        settings.cache_clear()
    assert isinstance(refused.exception, UserError) and "is 'http://…@airflow:8080'" in str(refused.exception)
    assert "ter2" not in str(refused.exception)
    assert held.exit_code == 3
    assert isinstance(gone_on.exception, UserError) and "HALLUVAULT_AIRFLOW_API_URL" in str(gone_on.exception)
