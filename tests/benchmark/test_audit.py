"""Reading sheets: what is ticked comes back as rates, whatever the labels look like; what does not count is named."""

import csv
import io
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sqlalchemy.orm import Session

from halluvault_tasks.benchmark.export import reading
from halluvault_tasks.benchmark.export.audit import NO, YES, audit
from halluvault_tasks.benchmark.export.audit_sheet import COLUMNS, FORMATS, TICKS, cells, sheet
from halluvault_tasks.benchmark.export.reading import CaseView
from halluvault_tasks.benchmark.stages import BenchmarkCounts
from halluvault_tasks.errors import UserError


@pytest.fixture
def drawn(session: Session, january: BenchmarkCounts) -> list[CaseView]:
    return reading.sample(session, "2040-01", count=20, seed=3)


def ticked(text: str, form: str, ticks: list[list[str]]) -> str:
    """The sheet as an auditor leaves it; `ticks` are the last columns of each row."""
    header, *rows = cells(text)
    rows = [[*row[: len(COLUMNS) - len(more)], *more] for row, more in zip(rows, ticks, strict=True)]
    if form == "md":
        return "\n".join("| " + " | ".join(c.replace("|", "\\|") for c in row) + " |" for row in [header, *rows])
    file = io.StringIO()
    csv.writer(file).writerows([header, *rows])
    return file.getvalue()


@pytest.mark.parametrize("form", FORMATS)
def test_ticks_come_back_as_rates_with_wilsons_interval(session: Session, drawn: list[CaseView], form: str) -> None:
    ticks = [["x", "yes", "✓", "1", ""] for _ in drawn]
    ticks[0] = ["x", "-", "x", "x", "two towns | of that name"]
    ticks[1] = ["x", "?", "no", "x", ""]
    found = audit(session, ticked(sheet(drawn, form), form, ticks))
    assert found.read == 20
    rates = {rate.what: rate for rate in found.rates}
    assert [rates[name].hits for name in (*TICKS, "clean")] == [20, 18, 19, 20, 18]
    # Wilson's interval of 18 of 20, from the literature's closed form.
    assert (round(rates["clean"].low, 4), round(rates["clean"].high, 4)) == (0.6990, 0.9721)
    assert sum(rate.of for name, rate in rates.items() if name.startswith("clean, ")) == 20
    assert [(fault.row, fault.failed) for fault in found.faults] == [("1", ("unambiguous",)), ("2", TICKS[1:3])]
    assert found.faults[0].note == "two towns | of that name"
    assert not found.bad


def test_rows_that_do_not_count_are_named_with_the_reason(session: Session, drawn: list[CaseView]) -> None:
    lines = ticked(sheet(drawn, "md"), "md", [["x", "x", "x", "x", ""] for _ in drawn]).splitlines()
    lines[1] = lines[1].replace(drawn[0].id, "0" * 16)
    lines[2] = lines[2].replace("| x | x | x | x |", "| x |  | x | x |")
    lines[3] = lines[3].replace("| x | x | x | x |", "| x | maybe | x | x |")
    lines[4] = lines[4].replace(drawn[3].question, "Was it so?")
    lines[5] += " one more |"
    lines[6] = lines[7].replace("| 7 |", "| 6 |", 1)
    found = audit(session, "\n".join(lines))
    assert found.read == 14
    assert [bad.row for bad in found.bad] == ["1", "2", "3", "4", "5", "7"]
    for bad, said in zip(
        found.bad,
        (f"no case has the id '{'0' * 16}'", "'unambiguous' is not ticked", "'maybe' in the column 'unambiguous'",
         "was changed", "has 11 cells, the header 10", "is on an earlier row"),
        strict=True,
    ):  # fmt: skip
        assert said in bad.why


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "'case' is missing"),
        ("hello", "'case' is missing"), ("| # | case |\n|-|-|\n", "'grammatical' is missing"),
        ("| " + " | ".join(COLUMNS) + " |\n", "it has no rows"),
    ],
)  # fmt: skip
def test_what_is_no_sheet_is_refused(session: Session, january: BenchmarkCounts, text: str, said: str) -> None:
    with pytest.raises(UserError, match=said):
        audit(session, text)


def test_a_sheet_that_nobody_ticked_has_no_rates(session: Session, drawn: list[CaseView]) -> None:
    with pytest.raises(UserError, match="no row of the sheet counts; row 1: the column 'grammatical' is not ticked"):
        audit(session, sheet(drawn, "md"))


def view(question: str, sentence: str) -> CaseView:
    premises: list[dict[str, Any]] = [{"sentence": sentence}]
    return CaseView(
        "s", "f" * 16, question, "yes", "g", "original", "same", "relation", "d", "k", "proved", {}, premises, ""
    )


@given(st.text(min_size=1, max_size=40), st.sampled_from(FORMATS))
def test_any_label_survives_the_sheet_and_none_becomes_a_formula(label: str, form: str) -> None:
    question = f"{label} is it so?"
    text = sheet([view(question, label)], form)
    header, row = cells(text)
    found = dict(zip(header, row, strict=True))
    assert " ".join(found["question"].split()) == " ".join(question.split())
    assert found["case"] == "f" * 16
    if form == "csv":
        assert not [cell for cell in next(csv.reader(io.StringIO(text.split("\n", 1)[1]))) if cell[:1] in set("=+-@\t")]


def test_no_mark_means_both_yes_and_no() -> None:
    assert not YES & NO
