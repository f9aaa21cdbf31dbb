"""The gate's four exits and the exports' files, as a pipeline and a notebook meet them."""

import csv
import json
from collections.abc import Iterator
from pathlib import Path

import duckdb
import pytest
from sqlalchemy import text, update
from sqlalchemy.orm import Session
from typer.testing import CliRunner, Result

from halluvault_tasks.cli import app, register
from halluvault_tasks.errors import UserError
from halluvault_tasks.oracles import profiles
from halluvault_tasks.results import comparing, months, views
from halluvault_tasks.results.stages import summarise
from halluvault_tasks.settings import settings
from halluvault_tasks.storage import sessions, tables
from halluvault_tasks.untrusted import visible
from tests.oracles.material import SNAPSHOT
from tests.results.random_month import evaluation_of, publish

HOSTILE = "evil/\x1b[31m\u202e<b>"


@pytest.fixture(scope="module", autouse=True)
def judged(database_url: str) -> None:
    """`worse` errs wherever it answers, `better` nowhere, `same` as `base`; all on the same questions."""
    with sessions.session(database_url) as session:
        views.install(session)
        for evaluation, name in (("e1", "base"), ("e2", "same"), ("e3", "worse"), ("e4", "better"), ("e5", HOSTILE)):
            evaluation_of(session, evaluation=evaluation, name=name, seed=3)
            category = {"worse": "both", "better": "normal"}.get(name)
            if category:
                answered = tables.verdict.c.evaluation_id == evaluation, tables.verdict.c.correct.is_not(None)
                session.execute(update(tables.verdict).where(*answered).values(category=category))
            summarise(session, evaluation)
        publish(session)
        session.execute(update(tables.snapshot).values(status="published"))
        session.commit()
        comparing.compare(session, SNAPSHOT)


@pytest.fixture
def run(database_url: str, monkeypatch: pytest.MonkeyPatch) -> Iterator[object]:
    monkeypatch.setenv("HALLUVAULT_DATABASE_URL", database_url)
    register("results")
    settings.cache_clear()

    def call(*words: str) -> Result:
        return CliRunner().invoke(app, ["results", *words])

    yield call
    settings.cache_clear()


@pytest.mark.parametrize(
    ("model", "baselines", "code", "said"),
    [
        ("better", ["base"], 0, "better: shown not worse than base: -"),
        ("worse", ["base"], 1, "worse: shown worse than base: +"),
        ("same", ["base"], 3, "same: undecided against base:"),
        ("better", ["base", "worse"], 0, "shown not worse than worse"),
        ("same", ["worse", "base"], 3, "undecided against base"),
        ("base", ["better", "same"], 1, "shown worse than better"),
    ],
)
def test_the_gate_says_shown_not_worse_shown_worse_or_undecided(
    run,
    model: str,
    baselines: list[str],
    code: int,
    said: str,  # type: ignore[no-untyped-def]
) -> None:
    words = [word for name in baselines for word in ("--baseline", name)]
    found = run("gate", "--model", model, *words, "--max-regression", "0.01")
    assert found.exit_code == code, found.output
    assert said in found.output


def test_an_undecided_gate_says_how_many_questions_would_decide(session: Session, run) -> None:  # type: ignore[no-untyped-def]
    some = text(
        "UPDATE verdict SET category = 'both' WHERE evaluation_id = 'e2' AND case_id BETWEEN 'x000' AND 'x012'"
        " AND profile = :profile"
    )
    session.execute(some, {"profile": profiles.HEADLINE})
    session.commit()
    found = run("gate", "--model", "same", "--baseline", "base", "--max-regression", "0.01")
    assert found.exit_code == 3
    assert "more questions would decide" in found.output


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--model", "nobody", "--baseline", "base"], "no results of 'nobody' in 2026-10"),
        (["--model", "base", "--baseline", "base"], "is the model itself"),
        (["--model", "base", "--baseline", "same", "--max-regression", "2"], "--max-regression is 2.0"),
        (["--model", "base", "--baseline", "same", "--max-regression", "nan"], "--max-regression is nan"),
        (
            ["--model", "base", "--baseline", "same", "--suite", "pressure"],
            "no judged question of suite pressure",
        ),
    ],
)
def test_bad_input_is_named(run, words: list[str], said: str) -> None:  # type: ignore[no-untyped-def]
    found = run("gate", *words)
    assert isinstance(found.exception, UserError)
    assert said in str(found.exception)


def test_a_baseline_may_have_left_the_registry_but_must_have_been_asked(session: Session) -> None:
    months.require_asked(session, [SNAPSHOT], "base")
    with pytest.raises(UserError, match=r"--baseline 'none' was not asked in \S+; asked were: .*base, .*→ name one"):
        months.require_asked(session, [SNAPSHOT], "none")


def test_a_models_name_sends_no_control_character_to_the_terminal(run) -> None:  # type: ignore[no-untyped-def]
    for words in (("show",), ("gate", "--model", HOSTILE, "--baseline", "base")):
        printed = run(*words).output
        assert "evil/" in printed
        assert "\x1b" not in printed
        assert "\u202e" not in printed
    assert visible("a\nb\tc\x00\u2066") == "a\nb\tc\\u0000\\u2066"


def test_every_format_holds_every_row_of_the_views(session: Session, run, tmp_path: Path) -> None:  # type: ignore[no-untyped-def]
    for to in ("csv", "jsonl", "parquet"):
        found = run("export", "--to", to, "--output", str(tmp_path / to))
        assert found.exit_code == 0, found.output
    for view in ("metrics", "pairs", "responses", "verdicts", "cases"):
        expected = session.scalar(text(f"SELECT count(*) FROM results_v1.{view}"))
        with (tmp_path / "csv" / f"{view}.csv").open(newline="") as file:
            assert len(list(csv.DictReader(file))) == expected
        lines = (tmp_path / "jsonl" / f"{view}.jsonl").read_text().splitlines()
        assert len(lines) == expected
        assert duckdb.sql(f"SELECT count(*) FROM '{tmp_path}/parquet/{view}.parquet'").fetchall() == [(expected,)]
    rate = duckdb.sql(
        f"SELECT typeof(month), value FROM '{tmp_path}/parquet/metrics.parquet' WHERE metric = 'hallucination_rate'"
        f" AND model = 'worse' AND scope = 'model' AND profile = '{profiles.HEADLINE}'"
    ).fetchall()
    ((kind, value),) = rate
    assert kind == "DATE"
    assert value == session.scalar(
        text("SELECT hallucination_rate FROM results_v1.by_model WHERE model = 'worse' AND profile = :profile"),
        {"profile": profiles.HEADLINE},
    )


def test_an_inspect_log_has_every_answer_and_verdict(session: Session, run, tmp_path: Path) -> None:  # type: ignore[no-untyped-def]
    run("export", "--to", "inspect", "--output", str(tmp_path / "logs"))
    logs = [json.loads(path.read_text()) for path in (tmp_path / "logs").glob("2*.json")]
    assert sorted(log["eval"]["model"] for log in logs) == sorted(["base", "same", "worse", "better", HOSTILE])
    log = next(log for log in logs if log["eval"]["model"] == "worse")
    assert len(log["samples"]) == 400
    values = [sample["scores"][profiles.HEADLINE]["value"] for sample in log["samples"]]
    score = next(score for score in log["results"]["scores"] if score["name"] == profiles.HEADLINE)
    assert score["metrics"]["hallucination_rate"]["value"] == pytest.approx(sum(values) / len(values))
    assert set(values) == {0, 1}
    # `inspect view` lists a log with the first score it has, which must be no constant verdict.
    assert log["results"]["scores"][0]["name"] == next(iter(log["samples"][0]["scores"])) == profiles.HEADLINE
    assert run("export", "--to", "xlsx", "--output", str(tmp_path / "x")).exception.message.startswith("format 'xlsx'")
