"""`halluvault temporal check` and `explain`: files in, answers out, mistakes named."""

import json
import subprocess
from pathlib import Path

import pytest
import typer
from typer.testing import CliRunner, Result

from halluvault_tasks.cli import temporal
from halluvault_tasks.errors import UserError

EVENTS = """name,start,end
dickens,1812-02-07,1870-06-09
victorian_era,1837-06-20,1901-01-22
caesar,-0099,-0043
living,1950,
"a ""strange"", name",1900,1900
consul,1799,1804
consul,1806,1808
"""


def run(*arguments: str) -> Result:
    app = typer.Typer()
    app.callback()(lambda: None)
    temporal.register(app)
    return CliRunner().invoke(app, ["temporal", *arguments])


@pytest.fixture
def events(tmp_path: Path) -> Path:
    file = tmp_path / "events.csv"
    file.write_text(EVENTS, encoding="utf-8")
    return file


def check(events: Path, queries: list[object], *more: str) -> list[dict[str, object]]:
    file = events.with_name("queries.jsonl")
    file.write_text("".join(json.dumps(query) + "\n" for query in queries), encoding="utf-8")
    result = run("check", "--events", str(events), "--queries", str(file), *more)
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    assert result.exit_code == 0, result.output
    return [json.loads(line) for line in result.stdout.splitlines()]


def test_the_papers_queries_are_answered(events: Path) -> None:
    answers = check(
        events,
        [
            {"id": 1, "formula": "F[0,40] victorian_era", "at": 1800},
            {"id": "two", "formula": "dickens U[10,20] victorian_era", "at": 1816},
            {"id": 3, "formula": "living", "at": 1960},
            {"id": 4, "formula": {"op": "!", "args": [{"atom": 'a "strange", name'}]}, "at": "1900"},
            {"id": 5, "formula": "N caesar", "at": -44},
            {"id": 6, "formula": "consul", "at": 1805},
        ],
    )
    assert [answer["id"] for answer in answers] == [1, "two", 3, 4, 5, 6]
    assert [answer["answer"] for answer in answers] == [True, False, None, False, True, False]
    assert answers[0]["certain"] == answers[0]["possible"] == [[1797, 1901]]
    assert answers[2]["possible"] == [[1950, "sup"]]
    assert answers[3]["certain"] == [["inf", 1899], [1901, "sup"]]


def test_months_count_as_months(events: Path) -> None:
    queries = [
        {"id": 1, "formula": "victorian_era", "at": "1837-05"},
        {"id": 2, "formula": "victorian_era", "at": 22049},
    ]
    answers = check(events, queries, "--granularity", "month")
    assert [answer["answer"] for answer in answers] == [False, True]


def test_what_only_enumeration_decides_stands_in_the_sets_too(events: Path) -> None:
    (answer,) = check(events, [{"id": 1, "formula": "caesar | !caesar", "at": "-0099-05"}], "--granularity", "month")
    assert answer["answer"] is True
    month = -99 * 12 + 4
    assert any(a == month or a == "inf" or a <= month <= b for a, b in answer["certain"])  # type: ignore[attr-defined]


def test_open_terms_may_go_on_unlisted(events: Path) -> None:
    query = [{"id": 1, "formula": "consul", "at": 1805}]
    assert check(events, query, "--open")[0]["answer"] is None


def test_as_of_ends_what_is_known(events: Path) -> None:
    query = [{"id": 1, "formula": "living", "at": 1950}, {"id": 2, "formula": "dickens", "at": 2050}]
    assert [one["answer"] for one in check(events, query, "--as-of", "2026-10-15")] == [True, False]


@pytest.mark.parametrize(
    ("line", "complaint"),
    [
        ('{"id": 1, "formula": "F[5,2] dickens", "at": 1}', r"queries.jsonl line 1: column 1: window \[5,2\] is rev"),
        ('{"id": 1, "formula": "waterloo", "at": 1}', "line 1: unknown event 'waterloo'; known: 'a \"strange\", name'"),
        ('{"id": 1, "formula": "dickens", "at": "1837-13"}', "date '1837-13' is not YYYY"),
        ('{"id": 1, "formula": "dickens", "at": 1.5}', "time point 1.5 is neither"),
        ('{"id": 1, "formula": "dickens", "at": true}', "time point True is neither"),
        ('{"id": 1, "formula": "dickens"}', "is no query"),
        ("nonsense", "'nonsense' is no JSON"),
    ],
)
def test_a_bad_query_is_named(events: Path, line: str, complaint: str) -> None:
    file = events.with_name("queries.jsonl")
    file.write_text(line, encoding="utf-8")
    result = run("check", "--events", str(events), "--queries", str(file))
    assert isinstance(result.exception, UserError)
    with pytest.raises(UserError, match=complaint):
        raise result.exception


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("name,begin,end\n", "has no column start"),
        ("name,start,end\nx,1900,1800\n", "line 2, event 'x': it ends .at the latest 1800. before it starts"),
        ("name,start,end\nx,1837-06-31,\n", "line 2, event 'x': date '1837-06-31' is not YYYY"),
        ("name,start,end\n,1837,1840\n", "line 2: the name is empty"),
        ("name,start,end\nx,1837\n", "line 2 does not have the columns"),
    ],
)
def test_a_bad_event_is_named(tmp_path: Path, text: str, complaint: str) -> None:
    file = tmp_path / "events.csv"
    file.write_text(text, encoding="utf-8")
    result = run("explain", "x", "--at", "1900", "--events", str(file))
    assert isinstance(result.exception, UserError)
    with pytest.raises(UserError, match=complaint):
        raise result.exception


def test_explain_shows_rules_sets_and_a_timeline_and_saves_a_program(events: Path, tmp_path: Path) -> None:
    saved = tmp_path / "saved.pl"
    result = run(
        "explain", "dickens U[10,20] victorian_era", "--at", "1820", "--events", str(events), "--save", str(saved)
    )
    assert result.exit_code == 0, result.output
    assert "until_10_20_dickens_victorian_era(W, S) :-" in result.stdout
    assert "dickens U[10,20] victorian_era: certain [1817–1861]" in result.stdout
    assert "▲ 1820" in result.stdout
    assert result.stdout.rstrip().endswith("at 1820: yes")
    ran = subprocess.run(["swipl", str(saved)], capture_output=True, text=True, check=True, timeout=60)
    assert ran.stdout == "yes\n"
