"""Open questions in other people's harnesses: which texts are accepted, and what a format cannot hold."""

import ast
import json
import unicodedata
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import insert, select
from sqlalchemy.orm import Session

from halluvault_tasks.benchmark.export import export
from halluvault_tasks.benchmark.export.tasks import template
from halluvault_tasks.benchmark.prompts import store, variants
from halluvault_tasks.benchmark.suites.open import accepted
from halluvault_tasks.benchmark.suites.open.fact import OpenFact
from halluvault_tasks.errors import UserError
from halluvault_tasks.settings import REPOSITORY
from halluvault_tasks.storage.tables import benchmark_case, benchmark_part, cases
from halluvault_tasks.wikidata.days import day_number
from tests.querying import support

MONTH, PROLOG = "2047-10", REPOSITORY / "prolog_rules"
TURIN = {"guide": "name", "items": [{"qid": 495, "names": ["Turin", "Torino"]}]}
BOTH = {"guide": "name", "items": [*TURIN["items"], {"qid": 490, "names": ["Milan"]}]}
DAY = day_number(1879, 3, 14)


def fact(wanted: dict[str, Any]) -> dict[str, Any]:
    return {"asks": "where", "wanted": wanted, "licence": "proved", "hops": 1, "difficulty": {}, "told": "…"}


def date(earliest: int, latest: int, precision: int, julian: bool = False) -> dict[str, Any]:
    return {"guide": "date", "earliest": earliest, "latest": latest, "precision": precision, "julian": julian}


@pytest.mark.parametrize(
    ("wanted", "texts"),
    [
        (TURIN, [["Turin", "Torino"]]),
        (BOTH, [["Turin", "Torino"], ["Milan"]]),
        (date(DAY, DAY, 11), [["14 March 1879", "March 14, 1879", "1879-03-14"]]),
        (date(day_number(1879, 3, 1), day_number(1879, 3, 31), 10), [["March 1879", "March, 1879"]]),
        (date(day_number(-43, 1, 1), day_number(-43, 12, 31), 9), [["44 BC"]]),
        ({"guide": "number", "low": 41, "high": 42}, [["41", "42"]]),
    ],
)
def test_every_name_each_usual_form_of_a_date_and_every_open_number_is_accepted(
    wanted: dict[str, Any], texts: list[list[str]]
) -> None:
    assert accepted.texts(OpenFact.model_validate(fact(wanted))) == texts


def test_of_a_day_that_is_printed_in_the_julian_calendar_both_days_are_accepted() -> None:
    october = day_number(1917, 11, 7)
    [texts] = accepted.texts(OpenFact.model_validate(fact(date(october, october, 11, True))))
    assert {"7 November 1917", "25 October 1917"} <= set(texts)


@pytest.fixture(scope="module")
def named() -> Callable[[str, list[list[str]]], bool]:
    """How the exported task compares: its function alone, since inspect_ai is none of our packages."""
    tree = ast.parse(template("inspect_task.txt").replace("@VARIANTS@", "[]"))
    tree.body = [one for one in tree.body if isinstance(one, ast.FunctionDef) and one.name in ("named", "_plain")]
    space: dict[str, Any] = {"unicodedata": unicodedata}
    exec(compile(tree, "inspect_task", "exec"), space)
    found: Callable[[str, list[list[str]]], bool] = space["named"]
    return found


@pytest.mark.parametrize(
    ("reply", "right"),
    [
        ("Turin; Milan", True), ("milan;  **TORINO**.", True), ("Turin", False), ("Turin; Turin", False),
        ("Turin; Milan; Rome", False), ("", False), ("don't know", False), ("Turin and Milan", False),
    ],
)  # fmt: skip
def test_in_the_task_of_inspect_each_thing_must_be_named_once_and_none_besides(
    named: Callable[[str, list[list[str]]], bool], reply: str, right: bool
) -> None:
    assert named(reply, [["Turin", "Torino"], ["Milan"]]) == right


@pytest.fixture
def month(session: Session) -> Session:
    if session.scalar(select(benchmark_part.c.suite).where(benchmark_part.c.snapshot == MONTH).limit(1)):
        return session
    support.build(session, MONTH, 2)
    session.execute(insert(benchmark_part), [support.part(MONTH, "open")])
    for name, gold, wanted in (("both", "Turin; Milan", BOTH), ("day", "14 March 1879", date(DAY, DAY, 11))):
        row = {"id": f"export-{name}", "question": f"{name}?", "gold": gold, "suite": "open"}
        session.execute(insert(cases).values(group_id=name, mutation="original", relation="same", **row))
        placed = {"case_id": row["id"], "domain": "people", "rule_kind": "direct", "premises": [], "proof": ""}
        session.execute(insert(benchmark_case).values(snapshot=MONTH, suite="open", fact=fact(wanted), **placed))
    for variant in ("open/two-turn", "open/confidence"):
        store.add(session, MONTH, variants.parse(f"{variant}/chat/closed-book"), ["open"])
    session.commit()
    return session


def test_open_questions_are_exported_with_gold_instructions_and_accepted_texts(month: Session, tmp_path: Path) -> None:
    for to in ("jsonl", "parquet", "hf", "inspect"):
        written = export(month, MONTH, to, tmp_path / to, PROLOG, ["open"])
        assert "README.md" in written.files
    rows = [json.loads(line) for line in (tmp_path / "jsonl" / "cases.jsonl").read_text().splitlines()]
    assert {row["answer"] for row in rows} == {"Turin; Milan", "14 March 1879"}
    [path] = (tmp_path / "inspect").glob("*confidence*.jsonl")
    samples = {row["id"]: row for row in map(json.loads, path.read_text().splitlines())}
    assert samples["export-both"]["accepted"] == [["Turin", "Torino"], ["Milan"]]
    asked = [turn["content"] for turn in samples["export-day"]["messages"] if turn["role"] == "user"]
    assert asked[1:] == [
        "Answer with the date alone, or: don't know.",
        "How sure are you that this is right, from 0 to 100? Reply with the number alone.",
    ]


def test_lm_eval_which_has_one_turn_refuses_a_part_of_open_questions_and_says_what_to_do(
    month: Session, tmp_path: Path
) -> None:
    with pytest.raises(UserError, match="open questions are asked in two turns, and lm-eval has one") as refused:
        export(month, MONTH, "lm-eval", tmp_path / "x", PROLOG, ["open"])
    assert "--to inspect" in refused.value.way_out
