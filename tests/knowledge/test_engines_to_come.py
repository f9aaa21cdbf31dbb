"""A query service on another engine: large queries are halved whatever it says, and what its store lacks is named."""

import re
from collections.abc import Callable
from datetime import date
from itertools import count
from pathlib import Path

import pytest
from sqlalchemy import func, select
from sqlalchemy.orm import Session

from halluvault_tasks.errors import UserError
from halluvault_tasks.knowledge import dump_pull, fame, queries, snapshots, stages, store_shape, summary
from halluvault_tasks.knowledge.answer_failures import TooMuch
from halluvault_tasks.knowledge.client import WikidataClient
from halluvault_tasks.knowledge.config import Domains
from halluvault_tasks.knowledge.endpoint_answers import SPLIT
from halluvault_tasks.local import endpoint, rdf, sample
from halluvault_tasks.reasoning.rule_typing import support
from halluvault_tasks.reasoning.rule_typing.reviewed import FunctionalEntry
from halluvault_tasks.storage import sessions, tables
from halluvault_tasks.storage.tables import pull_batch
from halluvault_tasks.wikidata.iris import WIKIBASE
from tests.knowledge.qlever import FAULTS, qlever, size
from tests.knowledge.store import PROP, WD, serve

DAY = date(2026, 11, 20)
MOST = 20
"""Ids that the proxy answers about at a time."""
_years = count(1850)


def month() -> str:
    return f"{next(_years)}-10"


def pull(session: Session, url: str, domains: Domains, key: str = "") -> snapshots.SnapshotRow:
    client = WikidataClient(url, sleep=lambda _: None)
    return stages.pull(session, key or month(), client=client, domains=domains, source=url, as_of=DAY)


@pytest.fixture(scope="module")
def lines() -> list[str]:
    return list(rdf.n_triples(sample.load(sample.CHECKED)))


@pytest.fixture(scope="module")
def usual(database_url: str, small: Domains, sample_url: str) -> snapshots.SnapshotRow:
    with sessions.session(database_url) as session:
        return pull(session, sample_url, small)


@pytest.mark.parametrize("fault", FAULTS)
def test_a_query_that_is_too_large_is_too_much_whatever_is_said_of_it(sample_url: str, fault: str) -> None:
    query = queries.entities(range(1, 200))
    with qlever(sample_url, lambda asked: fault if size(asked) > MOST else "") as service:
        client = WikidataClient(service.url, sleep=lambda _: None)
        client.probe()
        if fault == "200 wrong media type":  # the answer is whole, and counted
            assert client.select(query).rows
        else:
            with pytest.raises(TooMuch):
                client.select(query)
        assert client.select(queries.entities(range(1, MOST))).rows


def test_a_month_through_every_fault_is_the_month_without_one(
    session: Session, small: Domains, sample_url: str, usual: snapshots.SnapshotRow
) -> None:
    names = [name for name in FAULTS if name != "400 body limit"]
    turn = count()
    given: dict[str, str] = {}

    def plan(query: str) -> str:
        if size(query) <= MOST:
            return ""
        if query not in given:
            given[query] = names[next(turn) % len(names)]
        return given[query]

    with qlever(sample_url, plan) as service:
        row = pull(session, service.url, small)
        assert set(names) <= service.done.keys(), "every fault befell some query"
    assert row.content_hash == usual.content_hash
    halved = select(func.count()).where(pull_batch.c.snapshot == row.snapshot, pull_batch.c.stage == SPLIT)
    assert session.scalar(halved) >= len(names) - 1


def test_what_is_never_answered_is_unknown_and_stops_the_month_by_name(
    session: Session, small: Domains, sample_url: str
) -> None:
    never = re.compile(r"wd:Q544\b")  # a single item of the configuration
    told = pytest.raises(UserError, match=r"quarantined: .*Q544.* more memory than the service gives it")
    key = month()
    with qlever(sample_url, lambda asked: "500 memory" if never.search(asked) else "") as service, told as caught:
        pull(session, service.url, small, key)
    assert "does not have" not in str(caught.value)
    assert snapshots.notes(session, key)["complete"]["unknown_ids"] == []
    assert snapshots.get(session, key).status == "pulling"


def of_pages(line: str) -> str:
    """A number of sitelinks as the dumps tell it: of the item's page."""
    match = re.fullmatch(rf"<{WD}(Q\d+)> <{re.escape(WIKIBASE)}sitelinks> (.*) \.\n", line)
    if match is None:
        return line
    page = f"<https://www.wikidata.org/wiki/Special:EntityData/{match[1]}>"
    article = f"<https://en.wikipedia.org/wiki/{match[1]}>"
    return (
        f"{page} <http://schema.org/about> <{WD}{match[1]}> .\n{page} <{WIKIBASE}sitelinks> {match[2]} .\n"
        f"{article} <http://schema.org/about> <{WD}{match[1]}> .\n"
    )


def test_a_store_of_the_dumps_tells_sitelinks_of_pages_and_gives_the_same_month(
    session: Session,
    small: Domains,
    lines: list[str],
    faulty: Callable,
    usual: snapshots.SnapshotRow,
    caplog: pytest.LogCaptureFixture,
) -> None:
    row = pull(session, faulty(store=serve(map(of_pages, lines))).url, small)
    assert row.content_hash == usual.content_hash
    noted = snapshots.notes(session, row.snapshot)
    assert noted["store"]["sitelinks"] == "of pages"
    assert store_shape.OF_PAGES.remark in summary.remarks(noted) and store_shape.OF_PAGES.remark in caplog.text


def test_a_store_without_sitelinks_is_named_at_the_beginning_and_fame_goes_by_what_is_stated(
    session: Session, small: Domains, lines: list[str], faulty: Callable, caplog: pytest.LogCaptureFixture
) -> None:
    bare = [line for line in lines if f"<{WIKIBASE}sitelinks>" not in line]
    server = faulty(store=serve(bare))
    row = pull(session, server.url, small)
    noted = snapshots.notes(session, row.snapshot)
    assert noted["store"]["sitelinks"] == "none" and store_shape.NOT_AT_ALL.remark in noted["store"]["remarks"]
    assert "sitelinks" in server.queries[0] and store_shape.NOT_AT_ALL.remark in caplog.text
    counted = fame.counts(session, row.snapshot)
    assert not counted.pages and len(fame.load(session, row.snapshot)) == len(counted.stated) > 100
    assert noted["complete"]["tail"] == {}


def content(session: Session, row: snapshots.SnapshotRow) -> list[str]:
    """Statements but for how an engine writes a number (`+47` is `47` here), which is in their made-up names, too."""
    columns = [column for column in tables.statement.c if column.name not in {"snapshot", "sid", "guid"}]
    found = session.execute(select(*columns).where(tables.statement.c.snapshot == row.snapshot))
    return sorted(str(row).replace("'+", "'") for row in found)


@pytest.mark.parametrize("kept", ["nothing but values of best rank", "statements without ranks"])
def test_a_store_without_ranks_is_read_as_a_truthy_dump_is(
    session: Session, small: Domains, lines: list[str], faulty: Callable, tmp_path: Path, kept: str
) -> None:
    truthy = [line for line in lines if "/statement/" not in line and f"> <{PROP}P" not in line]
    path = tmp_path / "truthy.nt"
    path.write_text("".join(truthy), encoding="utf-8")
    by_dump = dump_pull.pull(session, month(), path=path, domains=small, as_of=DAY)
    of_store = truthy if "best" in kept else [line for line in lines if f"<{WIKIBASE}rank>" not in line]
    row = pull(session, faulty(store=serve(of_store)).url, small)
    noted = snapshots.notes(session, row.snapshot)
    assert noted["store"]["statements"] == "truthy" and noted["complete"]["shows_statements"] is False
    assert any("functional by nature" in line for line in summary.remarks(noted))
    if "best" in kept:
        assert content(session, row) == content(session, by_dump)
    shown = support.measure(session, row.snapshot, [], {19: FunctionalEntry(reason="born once")}, [])
    assert shown.shows_ranks is False
    ranks = select(tables.statement.c.rank).where(tables.statement.c.snapshot == row.snapshot).distinct()
    assert session.scalars(ranks).all() == ["normal"]


def test_a_sample_that_is_not_answered_says_nothing_about_the_store() -> None:
    for unanswered in ("sitelinks", "ranks"):
        rows = [
            {"k": {"type": "literal", "value": name}, "s": {"type": "uri", "value": f"{WD}Q1"}}
            for name in store_shape.SAMPLES
            if not name.startswith(unanswered) and name != "sitelinks of pages"
        ]
        assert store_shape.told_by(rows, [unanswered]) == store_shape.USUAL
        assert store_shape.told_by(rows) != store_shape.USUAL
    assert store_shape.told_by([]) == store_shape.USUAL, "an empty store is told by its gates"


def test_a_store_that_has_a_few_sitelinks_of_items_beside_those_of_pages_is_asked_for_those_of_pages() -> None:
    rows = [
        {"k": {"type": "literal", "value": name}, "s": {"type": "uri", "value": subject}}
        for name, subject in (
            ("ranks", f"{WD}statement/Q1-a"),
            ("sitelinks", f"{WD}Q1"),
            ("sitelinks of pages", "https://www.wikidata.org/wiki/Special:EntityData/Q199"),
        )
    ]
    assert store_shape.told_by(rows).sitelinks is store_shape.OF_PAGES


def test_what_is_in_the_other_part_of_a_split_graph_is_named_and_no_more(
    session: Session, faulty: Callable, small: Domains, lines: list[str], sample_store: endpoint.Served
) -> None:
    """Wikidata's scholarly articles are in a graph of their own: statements point at them, nothing is said of them."""
    away = "Q1779"  # stands for an article: mentioned still, and itself elsewhere
    split = [line for line in lines if not line.startswith((f"<{WD}{away}>", f"<{WD}statement/{away}-"))]
    row = pull(session, faulty(store=serve(split)).url, small)
    found = session.execute(
        select(tables.entity).where(tables.entity.c.snapshot == row.snapshot, tables.entity.c.qid == int(away[1:]))
    ).first()
    assert found is None or (found.label is None and not found.seed and found.types == [])
    assert (
        session.scalar(
            select(func.count()).where(
                tables.statement.c.snapshot == row.snapshot, tables.statement.c.s == int(away[1:])
            )
        )
        == 0
    )
