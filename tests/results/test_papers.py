"""The papers' figures: each block of docs/papers.md run as the reader, against the verdict rows."""

from collections.abc import Iterator

import psycopg2
import pytest
from sqlalchemy import text
from sqlalchemy.orm import Session

from halluvault_tasks.oracles import profiles
from halluvault_tasks.results import views
from halluvault_tasks.results.stages import summarise
from tests import papers
from tests.results.random_month import evaluation_of, publish

COMPANIONS = ("Memory consistency", "External memory consistency", "HELMA", "Hallucination Testing")
"""Papers whose suites this month has not; their blocks are run where the suites are (tests/benchmark)."""

BLOCKS = {heading: query for heading, query in papers.QUERIES.items() if not heading.startswith(COMPANIONS)}
NAMED = (
    "Figure 6(a)", "Figure 6(b)", "Figure 7", "Figure 11", "Fig. 13(a)", "Fig. 13(b)", "Fig. 14", "Fig. 18", "Fig. 19",
    "Fig. 20", "Fig. 21",
)  # fmt: skip

HALLUCINATED = "v.category IN ('error_knowledge', 'error_inference', 'both', 'unattributed')"


@pytest.fixture
def reader(session: Session) -> Iterator[psycopg2.extensions.cursor]:
    views.install(session)
    summarise(session, evaluation_of(session, unread=0.0))
    publish(session)
    with papers.reader(session) as cursor:
        yield cursor


def test_every_figure_of_the_papers_is_one_select_that_the_reader_may_run(
    reader: psycopg2.extensions.cursor, session: Session
) -> None:
    for name in NAMED:
        assert any(name in heading for heading in BLOCKS), name
    found = {}
    for heading, query in BLOCKS.items():
        assert query.strip().count(";") == 1
        reader.execute(query)
        found[heading.rpartition(": ")[2]] = reader.fetchall()
        assert reader.rowcount > 0, heading
    counted = session.execute(
        text(
            f"SELECT c.suite, b.domain, split_part(b.rule_kind, '.', 1) AS kind, avg(({HALLUCINATED})::int) AS rate,"
            " count(*) AS n FROM verdict v JOIN cases c ON c.id = v.case_id JOIN benchmark_case b USING (case_id)"
            " WHERE v.profile = :profile GROUP BY GROUPING SETS ((c.suite), (c.suite, b.domain), (c.suite, 3),"
            " (c.suite, b.domain, 3))"
        ),
        {"profile": profiles.HEADLINE},
    ).all()
    by = {(row.suite, row.domain, row.kind): row for row in counted}
    assert found["overall hallucination rate"][0].hallucination_rate == pytest.approx(
        float(by["relation", None, None].rate)
    )
    assert found["temporal questions"][0].hallucination_rate == pytest.approx(float(by["temporal", None, None].rate))
    for row in found["heatmap by domain"]:
        assert row.hallucination_rate == pytest.approx(float(by["relation", row.domain, None].rate))
    for row in found["by temporal operator"]:
        assert row.hallucination_rate == pytest.approx(float(by["temporal", None, row.operator].rate))
    for row in found["the rule that triggers most hallucinations, by model and domain"]:
        cells = [float(each.rate) for (suite, domain, kind), each in by.items()
                 if (suite, domain) == ("relation", row.domain) and kind]  # fmt: skip
        assert row.hallucination_rate == pytest.approx(max(cells))
    for suite, heading in (
        ("relation", "categories of hallucinations"),
        ("temporal", "categories of temporal hallucinations"),
    ):
        row = found[heading][0]
        shown = row.error_knowledge + row.error_inference + row.both_errors + row.unattributed
        assert shown == pytest.approx(float(by[suite, None, None].rate) * by[suite, None, None].n)
        assert row.delivered == by[suite, None, None].n
