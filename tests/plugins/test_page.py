"""What the pages show, without Airflow: figures, pictures, cases, and hostile text as text."""

import re
from collections.abc import Callable
from html.parser import HTMLParser

import pytest
from sqlalchemy import text
from sqlalchemy.orm import Session

from halluvault_tasks.results import page, page_cases, page_suites, page_words, store
from halluvault_tasks.results.figures import Figure
from halluvault_tasks.results.page_cases import Filter
from halluvault_tasks.results.store import ResultSet

# The constants live in this folder's conftest, which no module can import by name; the hostile marks are plain enough.
SCRIPT = "<script>alert"
SHOWN = "&lt;script&gt;alert"

PAGES: dict[str, Callable[[Session], str | None]] = {
    "overview": page.overview,
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
    html = page.overview(session)
    for word in ("2026-10", "simulated/careful", "always refuse", "task failed", "100.0 % [20.0, 100.0]"):
        assert word in html
    assert "simulated/careful: 100.0 %, 95 % interval 20.0 to 100.0</title>" in html
    assert "on planted faults, not on model output" in html


def test_a_case_shows_question_gold_premises_proof_responses_and_verdicts(filled_url: str, session: Session) -> None:
    html = page_cases.case(session, "c1", "2026-10")
    assert html is not None
    for word in ("Gold answer: <b>yes</b>", "was born in Bonn", ":- writeln(yes).", "No. ", "error knowledge", "0.25"):
        assert word in html
    assert 'href="case?id=c2&amp;snapshot=2026-10"' in html, "the negated twin is one click away"
    assert "Not delivered after 5 attempts: <bdi>HTTP 500" in (page_cases.case(session, "c2") or "")


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


def test_an_unknown_case_is_none_and_unknown_choices_fall_back(filled_url: str, session: Session) -> None:
    assert page_cases.case(session, "c1", "2026-09") is None
    assert page_cases.case(session, "no such case") is None
    assert page.overview(session, snapshot="' OR 1=1 --", profile=SCRIPT, suite="none") == page.overview(session)


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
    html = page.overview(session)
    session.rollback()
    for name in ("simulated/careful [e1]", "simulated/careful [f2seco]"):
        assert html.count(f"<bdi>{name}</bdi>") == 1
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


def test_symbols_and_ids_are_words() -> None:
    assert page_words.rule("|") == "or (|)"
    assert page_words.rule("negation.value") == "negation: value"
    assert page_words.rule("natural_science") == "natural science"
