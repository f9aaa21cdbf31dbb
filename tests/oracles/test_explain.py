"""What people see of a verdict, and judging again: on a real Postgres, with hostile names and responses."""

from typing import Any

import pytest
from sqlalchemy import select, update
from sqlalchemy.orm import Session
from typer.testing import CliRunner

from halluvault_tasks.cli import scoring
from halluvault_tasks.errors import UserError
from halluvault_tasks.oracles import replay_profile, stages
from halluvault_tasks.oracles.embedding import SentenceBert
from halluvault_tasks.results import page_cases, views
from halluvault_tasks.settings import settings
from halluvault_tasks.storage.tables import cases, verdict
from tests.oracles.material import MODEL, SNAPSHOT, fill

HOSTILE = (
    "No.\n1. Charles Dickens was born in Leipzig. <script>alert(1)</script>\n"
    "2. “[bold]Landport[/bold] {{ 7*7 }}” is where Charles Dickens was born.\n3. Therefore the answer is no."
)


@pytest.fixture
def judged(session: Session, database_url: str, monkeypatch: pytest.MonkeyPatch) -> str:
    evaluation = fill(session, [("c1", HOSTILE), ("c4", "Yes.\n1. Charles Dickens was born in 1840.")])
    stages.score(session, evaluation, embed=SentenceBert())
    monkeypatch.setenv("HALLUVAULT_DATABASE_URL", database_url)
    settings.cache_clear()
    return evaluation


def run(*arguments: str) -> Any:
    import typer

    app = typer.Typer()
    scoring.register(app)
    return CliRunner().invoke(app, ["score", *arguments], catch_exceptions=False, env={"COLUMNS": "200"})


def test_explain_and_the_page_show_every_step_as_text(session: Session, judged: str) -> None:
    said = run("explain", f"{judged}:c1").output
    for piece in ("premise", "contradicted", "P19(Q1, Q6)", "Row W2", "error knowledge", "entails(no)"):
        assert piece in said
    assert "[bold]Landport" in said
    views.install(session)
    html = page_cases.case(session, "c1") or ""
    assert "row W2 of the decision table" in html
    assert "contradicted" in html
    assert "<script>alert" not in html
    assert "&lt;script&gt;" in html
    assert "{{ 7*7 }}" in html


def test_a_response_is_found_by_its_model_and_words_of_its_question(session: Session, judged: str) -> None:
    views.install(session)
    session.commit()
    whole = run("explain", f"{judged}:c1").output
    assert run("explain", "--model", MODEL, "--case", "c1", "--snapshot", SNAPSHOT).output == whole
    question = session.scalars(select(cases.c.question).where(cases.c.id == "c1")).one()
    assert run("explain", "--model", MODEL, "--case", question.upper(), "--snapshot", SNAPSHOT).output == whole
    for wrong, told in (
        (("--model", MODEL, "--case", "no such words"), "answered no question 'no such words'"),
        (("--model", MODEL, "--case", "Dickens"), "several questions hold 'Dickens'"),
        (("--model", MODEL), "one response is to be named"),
        ((f"{judged}:c1", "--model", MODEL), "one response is to be named"),
    ):
        with pytest.raises(UserError, match=told):
            run("explain", *wrong)


def test_judging_again_changes_nothing_and_mends_what_was_changed(session: Session, judged: str) -> None:
    def kept() -> list[Any]:
        return list(session.execute(select(verdict).order_by(verdict.c.profile, verdict.c.case_id)).all())

    before = kept()
    embed = SentenceBert()
    assert stages.rescore(session, judged, embed=embed)[1:5] == (0, 0, 0, 0)
    session.execute(
        update(verdict)
        .where(verdict.c.profile == replay_profile.PROFILE, verdict.c.case_id == "c1")
        .values(category="normal")
    )
    session.commit()
    assert stages.rescore(session, judged, [replay_profile.PROFILE], embed=embed, store=False)[1:5] == (0, 1, 0, 0)
    assert kept() != before
    assert stages.rescore(session, judged, [replay_profile.PROFILE], embed=embed)[1:5] == (0, 1, 1, 0)
    assert kept() == before


def test_rescore_check_fails_only_where_something_differs(session: Session, judged: str) -> None:
    assert run("rescore", "--check", "--profile", "replay/syntax").exit_code == 0
    session.execute(update(verdict).where(verdict.c.profile == "replay/syntax").values(sub_label="other"))
    session.commit()
    assert run("rescore", "--check", "--profile", "replay/syntax").exit_code == 1
