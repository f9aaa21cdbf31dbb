"""What the pages show, without Airflow: figures, pictures, cases, and hostile text as text."""

import json
import re
from collections.abc import Callable
from html import unescape
from html.parser import HTMLParser

import pytest
from sqlalchemy import insert, select, text, update
from sqlalchemy.orm import Session

from halluvault_tasks.results import page, page_cases, page_suites, page_words, store
from halluvault_tasks.results.export import inspect_log
from halluvault_tasks.results.figures import Figure
from halluvault_tasks.results.page_cases import Filter
from halluvault_tasks.results.store import ResultSet
from halluvault_tasks.storage import tables
from halluvault_tasks.wikidata.snapshot_keys import parse_key

# The constants live in this folder's conftest, which no module can import by name; the hostile marks are plain enough.
SCRIPT = "<script>alert"
SHOWN = "&lt;script&gt;alert"

PAGES: dict[str, Callable[[Session], str | None]] = {
    "leaderboard": page.leaderboard,
    "where": page.where,
    "compare": page.compare,
    "month": page.month,
    "suites": page_suites.suites,
    "cases": page_cases.cases,
    "case": lambda session: page_cases.case(session, "c1"),
    "undelivered": lambda session: page_cases.case(session, "c2"),
}


def html_of(session: Session, name: str) -> str:
    html = PAGES[name](session)
    assert html is not None
    return html


@pytest.mark.parametrize("name", PAGES)
def test_hostile_text_is_shown_as_text_everywhere(filled_url: str, session: Session, name: str) -> None:
    html = html_of(session, name)
    assert SHOWN in html
    assert SCRIPT not in html
    assert not re.search(r"<[^>]+onmouseover", html), "it broke out of an attribute"
    assert "{{ 7 * 7 }}" in html, "it was taken for a template"
    assert "\u202e" not in html, "a direction mark turned what stands beside it"


@pytest.mark.parametrize("name", PAGES)
def test_every_page_loads_nothing_runs_nothing_and_links_relatively(
    filled_url: str, session: Session, name: str
) -> None:
    html = html_of(session, name)
    assert not re.search(r"<(script|img|link|iframe|object)\b|\ssrc=", html)
    links = re.findall(r'(?:href|action)="([^"]*)"', html)
    assert links
    assert not [link for link in links if re.match(r"/|[a-z]+:", link)]
    assert "default-src 'none'" in page.CONTENT_SECURITY_POLICY


class Tables(HTMLParser):
    """Headers without a scope, tables without a caption, pictures without a title, links of one character."""

    def __init__(self) -> None:
        super().__init__()
        self.faults: list[str] = []
        self._open: list[str] = []
        self._link = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if self._open and self._open[-1] in ("table", "svg") and tag not in ("caption", "title"):
            self.faults.append(f"{self._open[-1]} begins with {tag}")
        if tag == "th" and "scope" not in dict(attrs):
            self.faults.append("th without scope")
        if tag not in ("meta", "br", "input", "line", "circle", "polyline"):
            self._open.append(tag)
        if self._open[-2:-1] and self._open[-2] in ("table", "svg"):
            self._open[-2] += "."
        self._link = ""

    def handle_data(self, data: str) -> None:
        self._link += data

    def handle_endtag(self, tag: str) -> None:
        if tag == "a" and len(self._link.strip()) < 2:
            self.faults.append(f"link {self._link!r}")
        while self._open and self._open.pop().rstrip(".") != tag:
            pass


@pytest.mark.parametrize("name", PAGES)
def test_tables_have_captions_and_scopes_pictures_titles_and_links_words(
    filled_url: str, session: Session, name: str
) -> None:
    found = Tables()
    found.feed(html_of(session, name))
    assert found.faults == []


def test_the_overview_shows_rates_with_intervals_as_a_picture_and_a_table(filled_url: str, session: Session) -> None:
    html = page.leaderboard(session)
    for word in ("2026-10", "simulated/careful", "always refuse", "task failed", "100.0 % [20.0, 100.0]"):
        assert word in html
    assert "simulated/careful: 100.0 %, 95 % interval 20.0 to 100.0</title>" in html
    assert "on planted faults, not on model output" in html


def test_a_new_revision_stands_beside_the_month_that_is_shown_as_not_judged_yet(
    filled_url: str, session: Session
) -> None:
    for table in (tables.snapshot, tables.benchmark_part):
        of_month = select(table).where(table.c.snapshot == "2026-10")
        changed = {"snapshot": "2026-10.2"} | ({"revision": 2} if table is tables.snapshot else {})
        session.execute(insert(table), [dict(row) | changed for row in session.execute(of_month).mappings()])
    html = page.leaderboard(session)
    session.rollback()
    assert '2026-10.2</a> <span class="tag">not judged yet</span>' in html
    assert 'aria-current="true">2026-10</a>' in html and "superseded" not in html


def test_a_case_shows_question_gold_premises_proof_responses_and_verdicts(filled_url: str, session: Session) -> None:
    html = page_cases.case(session, "c1", "2026-10")
    assert html is not None
    for word in ("Gold answer: <b>yes</b>", "was born in Bonn", ":- writeln(yes).", "No. ", "error knowledge", "0.25"):
        assert word in html
    assert 'href="case?id=c2&amp;snapshot=2026-10"' in html, "the negated twin is one click away"
    assert "Not delivered after 5 attempts: <bdi>HTTP 500" in (page_cases.case(session, "c2") or "")


def test_of_an_answer_in_two_turns_the_explanation_is_shown_with_its_claims_marked_and_exported(
    filled_url: str, session: Session
) -> None:
    said, asked = f"He was born in Paris. {SCRIPT}", {"role": "user", "content": "Was he born in Bonn?"}
    turns = [{"role": "assistant", "content": None}, {"role": "user", "content": "Yes or no?", "guide": "verdict"}]
    exchange = [asked, turns[0] | {"content": said}, {"role": "user", "content": "Yes or no?"}]
    session.execute(
        update(tables.response)
        .where(tables.response.c.case_id == "c1")
        .values(text="no", transcript=[*exchange, {"role": "assistant", "content": "no"}])
    )
    variant = {"snapshot": "2026-10", "variant_id": "v1", "sha256": "x"}
    session.execute(insert(tables.prompt).values(case_id="c1", text=json.dumps([asked, *turns]), **variant))
    claim = {"span": [0, 20], "status": "contradicted", "why": "he was not", "role": "premise", "denied": False,
             "subject": "He", "object": "Paris", "statement": 1}  # fmt: skip
    session.execute(update(tables.verdict).values(detail={"claims": [claim]}))
    found = page_cases.case(session, "c1") or ""
    assert re.search(
        r'<mark class="contradicted" title="premise, contradicted: he was not">He was born in Paris</mark>\. &lt;',
        found,
    )
    assert 'asked for in a separate turn: <b class="foreign">no</b>' in found
    row = session.execute(text("SELECT text, explanation FROM results_v1.responses WHERE case_id = 'c1'")).one()
    assert row == ("no", said)
    [sample, _] = inspect_log.samples(session, "2026-10", "e1", "m")
    assert [turn["content"] for turn in sample["messages"]] == [asked["content"], said, "Yes or no?", "no"]

    session.execute(update(tables.prompt).values(text=json.dumps([asked, turns[0], asked])))
    later = "SELECT explanation FROM results_v1.responses WHERE case_id = 'c1'"
    assert session.scalar(text(later)) is None, "a second question is no verdict turn: the answer to it is the text"


def test_claims_are_marked_in_the_text_by_status_and_the_worst_wins_where_they_overlap() -> None:
    claims = [
        {"span": [0, 6], "status": "supported", "role": "premise", "why": "stated"},
        {"span": [4, 9], "status": "contradicted", "role": "premise", "why": "Q1"},
        {"span": [50, 90], "status": "contradicted", "role": "side", "why": "beyond the end"},
    ]
    spans = page_words.marked("abcdefghij", claims)
    assert [(span.text, span.status) for span in spans] == [
        ("abcd", "supported"),
        ("ef", "contradicted"),
        ("ghi", "contradicted"),
        ("j", ""),
    ]
    assert "".join(span.text for span in page_words.marked("x" * 10, [])) == "x" * 10


def test_an_unknown_case_is_none_and_of_unknown_choices_it_is_said_that_they_are_not_there(
    filled_url: str, session: Session
) -> None:
    assert page_cases.case(session, "c1", "2026-09") is None
    assert page_cases.case(session, "no such case") is None
    found = page.leaderboard(session, snapshot="' OR 1=1 --", profile=SCRIPT, suite="none")
    lacking = re.findall(r"There is no <bdi>(.*?)</bdi>; the page shows what exists instead", found)
    assert [unescape(one) for one in lacking] == [
        """benchmark "' OR 1=1 --\"""", f"oracle profile {SCRIPT!r} in it", "suite 'none' in it"
    ]  # fmt: skip
    assert SCRIPT not in found
    assert re.sub(r"<p [^>]*>There is no .*?</p>", "", found) == page.leaderboard(session)


@pytest.mark.parametrize("key", [" 2026-10", "2026-10 ", "2026-10.1"])
def test_a_month_in_the_address_is_read_as_every_other_key(filled_url: str, session: Session, key: str) -> None:
    assert parse_key(key).row == "2026-10"
    assert page.leaderboard(session, snapshot=key) == page.leaderboard(session, snapshot="2026-10")
    assert page_cases.case(session, "c1", key) == page_cases.case(session, "c1", "2026-10") is not None
    assert "There is no" in page.leaderboard(session, snapshot="2026-10.2")


def test_cases_are_narrowed_searched_and_paged_by_key(filled_url: str, session: Session) -> None:
    def listed(**only: object) -> list[str]:
        return re.findall(r"case\?id=(c\d)", page_cases.cases(session, only=Filter(**only)))  # type: ignore[arg-type]

    assert listed() == ["c1", "c2"]
    assert listed(domain="people") == ["c1", "c2"]
    assert listed(domain="health") == []
    assert listed(rule="inverse") == ["c1", "c2"]
    assert listed(wrong=True) == ["c1"]
    assert listed(model="nobody", wrong=True) == []
    assert listed(search='"born in Bonn" not') == ["c1", "c2"], "a stop word asks for nothing"
    assert listed(search="Bonn -born") == []
    assert listed(search="' & | ! (") == ["c1", "c2"], "no word is no condition"
    assert listed(after="c1") == ["c2"]
    assert "1 of 1" in page_cases.cases(session)


def test_a_label_of_a_megabyte_is_cut_and_says_so(filled_url: str, session: Session) -> None:
    session.execute(
        text(
            "INSERT INTO cases (id, question, gold, group_id, mutation, relation, suite)"
            " SELECT 'c9', repeat('<b>long</b> ', 100000), gold, group_id, mutation, relation, suite FROM cases"
            " WHERE id = 'c1'"
        )
    )
    columns = "snapshot, suite, domain, rule_kind, fact, premises, proof"
    session.execute(
        text(f"INSERT INTO benchmark_case (case_id, {columns}) SELECT 'c9', {columns} FROM benchmark_case LIMIT 1")
    )
    for html in (page_cases.cases(session, only=Filter(search="long")), page_cases.case(session, "c9") or ""):
        assert "<b>long" not in html
        assert len(html) < 200_000
    assert "more characters" in (page_cases.case(session, "c9") or "")
    session.rollback()


def test_verdicts_of_an_older_profile_version_are_not_counted_again(filled_url: str, session: Session) -> None:
    for table in ("verdict", "result_set"):
        names = [
            row[0]
            for row in session.execute(
                text(
                    "SELECT column_name FROM information_schema.columns WHERE table_name = :table"
                    " AND is_generated = 'NEVER' AND column_name <> 'profile_version'"
                ),
                {"table": table},
            )
        ]
        listed = ", ".join(f'"{name}"' for name in names)
        for version in ("9", "10"):
            session.execute(
                text(
                    f"INSERT INTO {table} ({listed}, profile_version) SELECT {listed}, '{version}' FROM {table}"
                    " WHERE profile_version = '1'"
                )
            )
    assert "1 of 1" in page_cases.cases(session)
    session.execute(text("UPDATE verdict SET category = 'normal' WHERE profile_version = '10'"))
    assert "0 of 1" in page_cases.cases(session)
    session.rollback()


def test_each_evaluation_of_a_model_is_shown_by_its_own_name(filled_url: str, session: Session) -> None:
    session.execute(
        text(
            "INSERT INTO evaluation (id, snapshot, model_id, variant_id, sampling)"
            " SELECT 'f2second', snapshot, model_id, variant_id, sampling FROM evaluation WHERE id = 'e1'"
        )
    )
    figures = [
        Figure("headline", scope, key, metric, 0.5, 0.4, 0.6, 1, 2, 1, None)
        for scope, key in (("model", ""), ("domain", "people"), ("rule", "inverse"))
        for metric in ("delivered", "hallucination_rate")
    ]
    store.put(session, ResultSet("f2second", "paper/anchored", "1"), figures, ())
    html = page.leaderboard(session)
    session.rollback()
    for name in ("simulated/careful [e1]", "simulated/careful [f2seco]"):
        assert html.count(f"<bdi>{name}</bdi>") == 2, "in each of the two tables"
    assert html.count("50.0 % [40.0, 60.0]") == 1
    assert html.count("100.0 % [20.0, 100.0]") == 1


def test_what_cannot_be_shown_is_not_called_the_same() -> None:
    row = {
        "model_a": "a\u202e", "model_b": "b", "difference_low": -0.012, "difference_high": 0.02, "p_adjusted": 0.6,
        "needed": 1_300, "shared": 500,
    }  # fmt: skip
    said = page_words.compared(row)
    assert said == (
        "No difference can be shown: -1.2 to +2.0 points; "
        "800 more questions would decide, if it is as large as it looks."
    )
    shown = page_words.compared({**row, "difference_low": 0.01, "p_adjusted": 0.01})
    assert shown == "a\\u202e hallucinates more than b: +1.0 to +2.0 points."
    assert "not after adjusting" in page_words.compared({**row, "difference_high": -0.001})
    assert page_words.compared({**row, "needed": None}).endswith("-1.2 to +2.0 points.")


def test_no_p_value_is_shown_as_zero() -> None:
    assert [page_words.p_value(p) for p in (0.0, 0.00099, 0.001, 0.0456)] == ["<0.001", "<0.001", "0.001", "0.046"]


def test_symbols_and_ids_are_words() -> None:
    assert page_words.rule("|") == "or"
    assert page_words.rule("negation.value") == "negation: value"
    assert page_words.rule("natural_science") == "natural science"
