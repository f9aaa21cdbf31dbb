"""`halluvault temporal check` and `explain`: files in, answers out, mistakes named."""

import csv
import json
import subprocess
from pathlib import Path
from xml.etree import ElementTree

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


def test_the_manuals_examples_give_the_manuals_answers(tmp_path: Path) -> None:
    manual = (Path(__file__).parents[2] / "docs" / "temporal.md").read_text(encoding="utf-8")
    code = [line[4:] for line in manual.splitlines() if line.startswith("    ")]
    header = code.index("name,start,end")
    events = tmp_path / "events.csv"
    events.write_text("\n".join(code[header : header + 4]) + "\n", encoding="utf-8")
    lines = [json.loads(line) for line in code if line.startswith('{"id"')]
    queries, answers = [x for x in lines if "formula" in x], [x for x in lines if "answer" in x]
    assert len(queries) == len(answers) == 2
    assert check(events, queries) == answers
    shown = run(
        "explain", "dickens U[10,20] victorian_era", "--at", "1820", "--events", str(events)
    ).stdout.splitlines()
    drawn = [line for line in code if "█" in line or "▲" in line]
    assert len(drawn) == 5
    assert [line for line in shown if "█" in line or "▲" in line] == drawn


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
        (
            '{"id": 0, "formula": "dickens", "at": 1}\n{"id": 1, "formula": "F[1,2 dickens", "at": 1}',
            r"line 2: column 1: F needs a window, as in F\[0,40\]",
        ),
        (
            '{"id": 1, "formula": "dickens & X[1,2] dickens", "at": 1}',
            r"line 1: column 12: .*'\[1,2\] dickens' is not under",
        ),
        ('{"id": 1, "formula": "N dickens | \\"a b\\"", "at": 1}', "line 1: column 13: unknown event 'a b'"),
        ('{"id": 1, "formula": "dickens > consul", "at": 1}', "line 1: column 9: '> consul' is not understood"),
        ('{"id": 1, "formula": "dickens & (consul", "at": 1}', "line 1: column 11: this '\\(' is never closed"),
        (
            '{"id": 1, "formula": "dickens & F[-2,1] consul", "at": 1}',
            r"line 1: column 11: window \[-2,1\] is negative",
        ),
        (
            '{"id": 1, "formula": {"op": "F", "window": [true, 2], "args": [{"atom": "dickens"}]}, "at": 1}',
            r"line 1: window \[True,2\] is not a pair of integers",
        ),
        (
            '{"id": 1, "formula": "F[0,%s] dickens", "at": 1}' % ("9" * 10_000),
            "column 1: a window's bound has more than 18",
        ),
        (
            '{"id": 1, "formula": "%sdickens", "at": 1}' % ("!" * 10_000),
            "column 9800: the formula nests deeper than 200",
        ),
        (
            '{"id": 1, "formula": ' + '{"op":"!","args":[' * 10_000 + "1" + "]}" * 10_000 + ', "at": 1}',
            "deeper than 200 levels",
        ),
        ('{"id": 1, "formula": "dickens",, "at": 1}', "line 1: column 32: .* is not JSON: Expecting property name"),
        ('{"id": 1, "formula": "dickens", "at": %s}' % ("9" * 5_000), "line 1: .* cannot be read: Exceeds the limit"),
        ('{"id": 1, "formula": "F[5,2] dickens", "at": 1}', r"queries.jsonl line 1: column 1: window \[5,2\] is rev"),
        (
            '{"id": 1, "formula": "waterloo", "at": 1}',
            "line 1: column 1: unknown event 'waterloo'; known: 'a \"strange\", name'",
        ),
        ('{"id": 1, "formula": "dickens", "at": "1837-13"}', "date '1837-13' is not YYYY"),
        ('{"id": 1, "formula": "dickens", "at": 1.5}', "time point 1.5 is neither"),
        ('{"id": 1, "formula": "dickens", "at": true}', "time point True is neither"),
        ('{"id": 1, "formula": "dickens"}', "is not a query"),
        ("nonsense", "line 1: column 1: 'nonsense' is not JSON: Expecting value"),
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


def test_bytes_that_are_not_utf8_are_named_by_line_and_column(events: Path) -> None:
    queries = events.with_name("queries.jsonl")
    queries.write_bytes(b'{"id": 1, "formula": "dickens", "at": 1}\n{"id": 2, "formula": "\xff", "at": 1}\n')
    result = run("check", "--events", str(events), "--queries", str(queries))
    assert str(result.exception) == "queries.jsonl line 2: column 23: byte 0xff is not UTF-8"
    queries.write_text('{"id": 1, "formula": "dickens", "at": 1}', encoding="utf-8")
    events.write_bytes(b"name,start,end\ndickens,1812,1870\n\xe9t\xe9,1837,1901\n")
    result = run("check", "--events", str(events), "--queries", str(queries))
    assert str(result.exception) == "events.csv line 3: column 1: byte 0xe9 is not UTF-8"


def test_the_widest_windows_and_the_farthest_points_are_answered(events: Path) -> None:
    widest = 10**18 - 1
    queries = [
        {"id": 1, "formula": f"F[0,{widest}] victorian_era", "at": 1837 - widest},
        {"id": 2, "formula": f"dickens U[0,{widest}] victorian_era", "at": -(10**30)},
        {"id": 3, "formula": f"G[0,{widest}] !victorian_era", "at": 1902},
    ]
    assert [one["answer"] for one in check(events, queries)] == [True, False, True]


def test_tens_of_thousands_of_terms_of_one_event_are_answered(events: Path) -> None:
    terms = "".join(f"reign,{3 * n},{3 * n + 1}\n" for n in range(30_000))
    events.write_text("name,start,end\n" + terms, encoding="utf-8")
    queries = [{"id": 1, "formula": "reign", "at": 89_998}, {"id": 2, "formula": "G[0,1] !reign", "at": 2}]
    found = check(events, queries)
    assert [one["answer"] for one in found] == [True, False]
    assert len(found[0]["certain"]) == 30_000  # type: ignore[arg-type]


def test_the_drawing_is_xml_whatever_the_names_are(tmp_path: Path) -> None:
    names = ['a "quote"', "back\\slash", "line\nbreak", ":- halt.", "<script>alert(1)</script>", "& co", "\x01", "歴史"]
    events, drawn = tmp_path / "events.csv", tmp_path / "drawn.svg"
    with events.open("w", encoding="utf-8", newline="") as stream:
        csv.writer(stream).writerows([("name", "start", "end"), *((name, "1837", "1901") for name in names)])
    formula = " | ".join(json.dumps(name) for name in names)
    result = run("explain", formula, "--at", "1850", "--events", str(events), "--svg", str(drawn))
    assert result.exit_code == 0, result.output
    root = ElementTree.fromstring(drawn.read_text(encoding="utf-8"))
    tags = {element.tag.rpartition("}")[2] for element in root.iter()}
    assert tags == {"svg", "title", "style", "text", "line", "rect", "g"}
    assert sum("<script>alert(1)</script>" in (element.text or "") for element in root.iter()) >= 1


def test_the_drawing_shows_certain_and_possible_where_they_are(events: Path, tmp_path: Path) -> None:
    drawn = tmp_path / "drawn.svg"
    run("explain", "F[0,2] living", "--at", "1945", "--events", str(events), "--svg", str(drawn))
    root = ElementTree.fromstring(drawn.read_text(encoding="utf-8"))
    groups = [element for element in root if element.tag.endswith("}g")]
    assert [group[0].text for group in groups] == ["living", "F[0,2] living"]
    bars = {
        (n, one.get("class")): (float(one.get("x", 0)), float(one.get("width", 0)))
        for n, group in enumerate(groups)
        for one in group
        if one.get("class") in ("certain", "possible")
    }
    year = bars[0, "certain"][1]
    assert bars[1, "certain"] == pytest.approx((bars[0, "certain"][0] - 2 * year, 3 * year), abs=0.05)
    assert bars[1, "possible"][0] == pytest.approx(bars[1, "certain"][0])
    assert sum(bars[0, "possible"]) == sum(bars[1, "possible"]), "both stay open to the right"


def test_a_drawing_that_cannot_be_written_is_said(events: Path, tmp_path: Path) -> None:
    result = run("explain", "living", "--at", "1945", "--events", str(events), "--svg", str(tmp_path / "no" / "x.svg"))
    assert isinstance(result.exception, UserError)
    assert "cannot write" in str(result.exception)


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
