"""What the page shows, without Airflow: figures, cases, and hostile text as text."""

import re

from sqlalchemy import text
from sqlalchemy.orm import Session

from halluvault_tasks.results import page, store
from halluvault_tasks.results.figures import Figure
from halluvault_tasks.results.store import ResultSet

# The constants live in this folder's conftest, which no module can import by name; the hostile marks are plain enough.
SCRIPT = "<script>alert"
SHOWN = "&lt;script&gt;alert"


def test_the_overview_shows_models_domains_rules_cases_and_incidents(filled_url: str, session: Session) -> None:
    html = page.overview(session)
    assert "100.0 % [20.0, 100.0]" in html
    for word in ("2026-10", "simulated/careful", "people", "inverse", "always refuse", "task_failed", "1 of 1"):
        assert word in html
    assert "on planted faults, not on model output" in html


def test_hostile_text_is_shown_as_text_everywhere(filled_url: str, session: Session) -> None:
    for html in (page.overview(session), page.case(session, "c1"), page.case(session, "c2")):
        assert html is not None
        assert SHOWN in html
        assert SCRIPT not in html
        assert not re.search(r"<[^>]+onmouseover", html), "it broke out of an attribute"
        assert "{{ 7 * 7 }}" in html, "it was taken for a template"


def test_a_case_shows_question_gold_premises_proof_responses_and_verdicts(filled_url: str, session: Session) -> None:
    html = page.case(session, "c1", "2026-10")
    assert html is not None
    for word in ("Gold answer: <b>yes</b>", "was born in Bonn", ":- writeln(yes).", "No. ", "error_knowledge", "0.25"):
        assert word in html
    assert 'href="case?id=c2&amp;snapshot=2026-10"' in html, "the negated twin is one click away"


def test_a_prompt_without_response_says_why(filled_url: str, session: Session) -> None:
    assert "Not delivered after 5 attempts: HTTP 500" in (page.case(session, "c2") or "")


def test_an_unknown_case_is_none_and_unknown_choices_fall_back(filled_url: str, session: Session) -> None:
    assert page.case(session, "c1", "2026-09") is None
    assert page.case(session, "no such case") is None
    assert page.overview(session, snapshot="' OR 1=1 --", profile=SCRIPT) == page.overview(session)


def test_every_link_is_relative_so_the_page_works_under_any_prefix(filled_url: str, session: Session) -> None:
    links = re.findall(r'href="([^"]*)"', page.overview(session) + (page.case(session, "c1") or ""))
    assert links
    assert not [link for link in links if re.match(r"/|[a-z]+:", link)]


def test_the_page_loads_nothing_and_runs_nothing(filled_url: str, session: Session) -> None:
    html = page.overview(session) + (page.case(session, "c1") or "")
    assert not re.search(r"<(script|img|link|iframe|object)\b|\ssrc=", html)
    assert "default-src 'none'" in page.CONTENT_SECURITY_POLICY


def test_cases_can_be_narrowed_to_a_domain_or_rule_and_paged(filled_url: str, session: Session) -> None:
    assert "of domain people" in page.overview(session, domain="people")
    assert "case?id=" in page.overview(session, domain="people")
    assert "case?id=" not in page.overview(session, domain="health")
    assert "case?id=" not in page.overview(session, rule="inverse", page=2)


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
    assert "1 of 1" in page.overview(session)
    session.execute(text("UPDATE verdict SET category = 'normal' WHERE profile_version = '10'"))
    assert "0 of 1" in page.overview(session)
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
        assert html.count(name) == 3, "models, domains and rules name it"
    assert html.count("50.0 %") >= 3
    assert html.count("100.0 % [20.0") == 3
