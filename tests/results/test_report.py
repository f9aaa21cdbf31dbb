"""The report and the terminal's tables over a judged month, hostile texts included."""

import io
import re
from html.parser import HTMLParser
from pathlib import Path

import pytest
from rich.console import Console
from sqlalchemy import insert, text
from sqlalchemy.orm import Session

from halluvault_tasks.errors import UserError
from halluvault_tasks.oracles import paper
from halluvault_tasks.oracles.embedding import SentenceBert
from halluvault_tasks.oracles.stages import score
from halluvault_tasks.results import read, report, show, views
from halluvault_tasks.results.stages import summarise
from halluvault_tasks.storage import incidents, tables
from tests.oracles.material import SNAPSHOT, fill

HOSTILE = "evil/<script>alert(1)</script>$\\frac{1}{2}$[bold]\"'--><svg onload=alert(1)>{{ 7*7 }}"


@pytest.fixture(scope="module")
def embed() -> SentenceBert:
    return SentenceBert()


@pytest.fixture(autouse=True)
def judged(session: Session, embed: SentenceBert) -> None:
    views.install(session)
    right = [
        ("c1", "Yes.\n1. Charles Dickens was born in Portsmouth."),
        ("c2", "No.\n1. Charles Dickens was born in Portsmouth."),
        ("c3", "No.\n1. Charles Dickens was born in Portsmouth."),
        ("c4", "I don't know."),
    ]
    wrong = [("c1", "No."), ("c2", "Yes.\n1. Charles Dickens was born in London."), ("c3", "Yes."), ("c4", None)]
    for evaluation, name, answers in (("e1", "simulated/careful", right), ("e2", HOSTILE, wrong)):
        fill(session, answers, evaluation, name)
        score(session, evaluation, embed=embed)
        summarise(session, evaluation)
    incidents.record(session, "task_failed", HOSTILE, HOSTILE, HOSTILE, SNAPSHOT)


class Elements(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.attributes: list[tuple[str, str | None]] = []
        self.text = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.attributes += attrs

    def handle_data(self, data: str) -> None:
        self.text += data


def test_the_report_is_one_file_that_shows_hostile_text_as_text(session: Session, tmp_path: Path) -> None:
    path = report.write_report(session, SNAPSHOT, tmp_path / "deep" / "report.html")
    found = Elements()
    found.feed(path.read_text())
    assert "script" not in found.tags
    assert not [name for name, _ in found.attributes if name.startswith("on")]
    outside = [
        value
        for name, value in found.attributes
        if name in ("src", "href", "xlink:href") and not (value or "").startswith("#")
    ]
    assert outside == []
    assert HOSTILE in found.text
    assert found.tags.count("svg") == 7
    assert [each.name for each in path.parent.iterdir()] == ["report.html"]


def test_what_a_model_was_trained_on_stands_apart_in_the_report(session: Session) -> None:
    assert "by use for edits or training" not in report.html(session, SNAPSHOT)
    fact = {"snapshot": SNAPSHOT, "case_id": "c1", "group_id": "g1", "subject": 1, "property": 19}
    session.execute(insert(tables.mitigation_use), [{"model": HOSTILE, "kind": "train", "split": "train", **fact}])
    for evaluation in ("e1", "e2"):
        summarise(session, evaluation)
    found = Elements()
    found.feed(report.html(session, SNAPSHOT))
    for model, rate in (("simulated/careful", "0.0 %"), (HOSTILE, "100.0 %")):
        assert re.search(rf"{re.escape(model)}.*\(trained on, 1\): {rate} \[", found.text)
        assert re.search(rf"{re.escape(model)}.*\(neither, \d+\)", found.text)


def test_the_report_names_month_date_source_and_simulation(session: Session) -> None:
    text = report.html(session, SNAPSHOT)
    for part in (SNAPSHOT, "2026-10-31", "sample &lt;b&gt;", "<b>Simulated models.</b>", paper.JUDGED, "answer-gated"):
        assert part in text


def test_the_same_results_give_the_same_report(session: Session) -> None:
    assert report.html(session, SNAPSHOT) == report.html(session, SNAPSHOT)


def test_a_month_without_answers_has_a_report_that_says_so(session: Session) -> None:
    session.execute(text("DELETE FROM result_set"))
    assert "No model has been judged" in report.html(session, SNAPSHOT)
    session.rollback()


def test_an_unknown_month_is_named_with_those_that_exist(session: Session) -> None:
    with pytest.raises(UserError, match="snapshot 1999-01 has no benchmark; there are 2026-10"):
        report.html(session, "1999-01")


def test_the_tables_show_rates_with_intervals_and_hostile_names_as_text(session: Session) -> None:
    console = Console(file=io.StringIO(), width=250, color_system=None)
    for table in (*show.tables(session, SNAPSHOT), show.rule_table(session, SNAPSHOT)):
        console.print(table)
    printed = console.file.getvalue()  # type: ignore[attr-defined]
    assert HOSTILE in printed
    assert re.search(r"simulated/careful\s*│ +4/4 │ +75\.0 % │ +75\.0 % │", printed)
    assert "(planted faults, not model output): simulated/careful. A dash instead of a rate: more than 1 %" in " ".join(
        printed.split()
    )
    assert re.search(r"│ +–: 25\.0 % undelivered │", printed)
    assert "(always refuse)" in printed
    assert re.search(r"simulated/careful +│ paper/anchored/answer-gated +│ +0\.0–0\.0 % │", printed), "the band"
    assert max(map(len, _printed(session, 140).splitlines())) <= 140
    for heading in ("band", "rate among", "macro-", "right,", "wrong,", "faulty"):
        assert heading in _printed(session, 140)


def test_verdict_turns_are_shown_where_there_are_any(session: Session) -> None:
    assert "turn of their own" not in _printed(session, 140)
    session.execute(text(
        "UPDATE verdict SET detail = detail || jsonb_build_object('flags', jsonb_build_object("
        "'verdict_turn', true, 'text_opposes_verdict', case_id = 'c1')) WHERE evaluation_id = 'e1'"
    ))  # fmt: skip
    older = "SELECT (jsonb_populate_record(v, '{\"profile_version\": \"1\"}')).* FROM {0} v WHERE profile <> ''"
    for table in ("verdict", "result_set"):
        session.execute(text(f"INSERT INTO {table} " + older.replace("{0}", table)))
    for evaluation in ("e1", "e2"):
        summarise(session, evaluation)
    printed = _printed(session, 400)
    assert len(re.findall(r"simulated/careful +│ +4 │ +1 │", printed)) == 1, "of the newest version alone"
    assert re.search(r"simulated/careful +│ +4 │ +1 │ +25\.0 % │", printed)


def test_a_model_that_samples_says_so_wherever_it_is_named(session: Session) -> None:
    assert "(samples)" not in _printed(session, 200) + report.html(session, SNAPSHOT)
    session.execute(text("UPDATE evaluation SET decoding = 'samples', route = 'chat' WHERE id = 'e1'"))
    assert "simulated/careful (samples)" in _printed(session, 200)
    assert "simulated/careful (samples)" in report.html(session, SNAPSHOT)
    [row] = {tuple(row) for row in session.execute(text("SELECT route, decoding FROM results_by_model"
                                                        " WHERE evaluation_id = 'e1'"))}  # fmt: skip
    assert row == ("chat", "samples")


def test_a_model_asked_by_both_routes_has_both_in_its_names(session: Session) -> None:
    session.execute(text("UPDATE model SET name = 'twice'"))
    session.execute(text("UPDATE evaluation SET route = CASE id WHEN 'e1' THEN 'chat' ELSE 'completions' END"))
    assert read.names(read.models(session, SNAPSHOT)) == {"e1": "twice [chat]", "e2": "twice [completions]"}


def _printed(session: Session, width: int) -> str:
    console = Console(file=io.StringIO(), width=width, color_system=None)
    for table in show.tables(session, SNAPSHOT):
        console.print(table)
    return console.file.getvalue()  # type: ignore[attr-defined,no-any-return]


def test_the_report_says_what_changed_and_what_to_distrust(session: Session) -> None:
    text = report.html(session, SNAPSHOT)
    for part in ("Changed", "no model was asked in an earlier month", "What to distrust", "has not been measured"):
        assert part in text
    assert "premises are neither" in text


def test_the_report_for_a_pull_request_shows_hostile_text_as_text(session: Session, tmp_path: Path) -> None:
    path = report.write_report(session, SNAPSHOT, tmp_path / "r.md", "md")
    text = path.read_text()
    assert "### What to distrust" in text
    assert "| simulated/careful |" in text
    assert "<script" not in text
    assert r"evil/&lt;script\>alert\(1\)" in text
    lines = text.splitlines()
    table = lines[lines.index("|---|---|---|---|---|---|") + 1 :][:2]
    assert [len(re.findall(r"(?<!\\)\|", line)) for line in table] == [7, 7], "no name adds a column"
    with pytest.raises(UserError, match="format 'pdf' is unknown; the formats are html, md"):
        report.write_report(session, SNAPSHOT, tmp_path / "r.pdf", "pdf")
