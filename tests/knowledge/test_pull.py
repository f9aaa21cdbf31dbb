"""The stages against a real endpoint and a real Postgres."""

import gzip
import re
from collections.abc import Callable
from datetime import date
from itertools import count
from pathlib import Path

import pytest
from sqlalchemy import select, text
from sqlalchemy.orm import Session

from halluvault_tasks.errors import UserError
from halluvault_tasks.knowledge import key_counts, snapshots, source_dates, stages, summary
from halluvault_tasks.knowledge.client import WikidataClient
from halluvault_tasks.knowledge.config import Domains
from halluvault_tasks.knowledge.queries import SelectQuery
from halluvault_tasks.local import endpoint
from halluvault_tasks.settings import REPOSITORY
from halluvault_tasks.storage import sessions, tables
from tests.knowledge.store import claim, serve

SAMPLE = REPOSITORY / "halluvault_tasks" / "local" / "sample" / "checked"
DAY = date(2026, 11, 20)

_years = count(1990)


def month() -> str:
    """A month that no other test of this module uses."""
    return f"{next(_years)}-10"


def pull(session: Session, url: str, domains: Domains, snapshot: str, source: str, **more: object):
    client = WikidataClient(url, sleep=lambda _: None, **more)
    return stages.pull(session, snapshot, client=client, domains=domains, source=source, as_of=DAY), client


@pytest.fixture(scope="module")
def healthy(database_url: str, small: Domains, sample_url: str) -> snapshots.SnapshotRow:
    """What the small configuration gives when nothing goes wrong."""
    with sessions.session(database_url) as session:
        return pull(session, sample_url, small, month(), "healthy")[0]


def test_a_local_source_states_the_date_of_its_data(sample_url: str, faulty: Callable, lines: list[str]) -> None:
    assert source_dates.stated(WikidataClient(sample_url)) == DAY
    assert source_dates.stated(WikidataClient(faulty(store=thinned(lines, "dateModified", 1)).url)) is None


def test_the_same_content_has_the_same_hash_and_a_frozen_month_asks_nothing(
    session: Session, small: Domains, faulty: Callable
) -> None:
    server, key = faulty(), month()
    first, _ = pull(session, server.url, small, key, "twice")
    asked = len(server.queries)
    assert len(set(server.queries)) == asked  # no batch was asked twice
    again, client = pull(session, server.url, small, key, "twice")
    assert again == first and client.requests == 0 and len(server.queries) == asked
    second, _ = pull(session, server.url, small, f"{key}.2", "twice")
    assert second.content_hash == first.content_hash and second.snapshot == f"{key}.2"
    other = small.model_copy(update={"common": (571,)})
    third, _ = pull(session, server.url, other, f"{key}.3", "twice-other")
    assert third.content_hash != first.content_hash


class Killed(Exception):
    """Stands for `kill -9`: nothing in the project catches it."""


class Mortal(WikidataClient):
    def __init__(self, url: str, lives: int) -> None:
        super().__init__(url)
        self.lives = lives

    def select(self, query: SelectQuery):
        if self.requests >= self.lives:
            raise Killed
        return super().select(query)


def test_a_pull_killed_anywhere_goes_on_with_what_is_missing(
    session: Session, small: Domains, faulty: Callable, healthy: snapshots.SnapshotRow
) -> None:
    server, key = faulty(), month()
    for lives in (1, 3, 7, 11, 2, 5):
        with pytest.raises(Killed):
            stages.pull(session, key, client=Mortal(server.url, lives), domains=small, source="killed", as_of=DAY)
        session.rollback()
        assert snapshots.get(session, key).status == "pulling"
    done, _ = pull(session, server.url, small, key, "killed")
    assert done.content_hash == healthy.content_hash
    assert len(server.queries) == len(set(server.queries))


@pytest.mark.parametrize("fault", ["throttled", "failed", "short", "cut", "reset", "invalid", "dropped", "html"])
def test_a_faulty_service_ends_with_the_same_snapshot(
    session: Session, small: Domains, faulty: Callable, healthy: snapshots.SnapshotRow, fault: str
) -> None:
    server = faulty(lambda n, _: fault if n % 4 == 0 else None)
    row, _ = pull(session, server.url, small, month(), f"faulty-{fault}")
    assert server.done[fault] > 5
    assert row.content_hash == healthy.content_hash


@pytest.mark.parametrize("fault", ["truncated", "heavy"])
def test_a_batch_that_times_out_is_halved_until_it_passes(
    session: Session, small: Domains, faulty: Callable, healthy: snapshots.SnapshotRow, fault: str
) -> None:

    def too_heavy(_: int, query: str) -> str | None:
        return fault if len(re.findall(r"wd:Q\d|statement/Q", query)) > 30 else None

    server = faulty(too_heavy)
    row, _ = pull(session, server.url, small, month(), f"heavy-{fault}")
    assert row.content_hash == healthy.content_hash
    assert len(server.queries) == len(set(server.queries))  # never the same again


def test_a_batch_too_heavy_at_the_floor_fails_the_gate_and_leaves_last_month_published(
    session: Session, small: Domains, faulty: Callable
) -> None:
    key = month()
    good, _ = pull(session, faulty().url, small, key, "gated")
    following = month()
    broken = faulty(lambda _, query: "truncated" if "wd:Q556 " in query and "skos:altLabel" in query else None)
    with pytest.raises(UserError, match=r"1 batch\(es\) quarantined"):
        pull(session, broken.url, small, following, "gated")
    assert snapshots.get(session, following).status == "pulling"
    assert snapshots.find(session, key) == good
    incident = session.execute(select(tables.incident).where(tables.incident.c.snapshot == following)).one()
    assert incident.kind == "gate_failed" and "quarantined" in incident.message
    with pytest.raises(UserError, match="has not passed its gates"):
        stages.freeze(session, following)
    with pytest.raises(UserError, match="still being pulled"):
        stages.publish_snapshot(session, following)
    mended, client = pull(session, faulty().url, small, following, "gated")
    assert mended.content_hash == good.content_hash
    assert client.requests == 1  # only what was missing


def test_a_lasting_outage_is_a_refusal_and_never_a_short_snapshot(
    session: Session, small: Domains, faulty: Callable
) -> None:
    key = month()
    with pytest.raises(UserError, match="still fails"):
        pull(session, faulty(lambda n, _: "failed" if n > 9 else None).url, small, key, "outage")
    assert snapshots.get(session, key).status == "pulling"
    assert session.scalar(text("SELECT count(*) FROM statement WHERE snapshot = :key"), {"key": key}) == 0


def thinned(lines: list[str], predicate: str, every: int) -> endpoint.Served:
    """The sample with every n-th line that mentions a predicate left out."""
    import pyoxigraph

    seen, kept = 0, []
    for line in lines:
        seen += predicate in line
        if predicate not in line or seen % every:
            kept.append(line)
    store = pyoxigraph.Store()
    store.bulk_load(input="".join(kept).encode(), format=pyoxigraph.RdfFormat.N_TRIPLES)
    return endpoint.Served(store, "thinned", None, len(store))


@pytest.fixture(scope="module")
def lines() -> list[str]:
    from halluvault_tasks.local import rdf, sample

    return list(rdf.n_triples(sample.load(sample.CHECKED)))


def test_a_property_that_falls_against_last_month_is_held_back_and_nothing_else(
    session: Session, small: Domains, faulty: Callable, lines: list[str]
) -> None:
    pull(session, faulty().url, small, month(), "falling")
    less = thinned(lines, "/prop/P569>", 2)
    row, _ = pull(session, faulty(store=less).url, small, month(), "falling")
    assert row.status == "published"
    (held,) = key_counts.held(session, row.snapshot)
    assert re.match(r"P569 \d+ → \d+ statements since \d{4}-10: .*\d+ deleted$", held.words)
    row, _ = pull(session, faulty(store=less).url, small, month(), "another source")
    assert not key_counts.held(session, row.snapshot)


def test_seeds_that_lose_their_labels_are_not_frozen(
    session: Session, small: Domains, faulty: Callable, lines: list[str]
) -> None:
    bare = thinned(lines, "rdf-schema#label", 4)
    key = month()
    row = stages.open_snapshot(session, key, source="bare", as_of=DAY, live=True, today=date(int(key[:4]), 11, 2))
    client = WikidataClient(faulty(store=bare).url)
    stages.pull_metadata(session, key, client=client, domains=small)
    for domain in small.domains:
        stages.pull_domain(session, key, domain, client=client, domains=small)
    stages.complete(session, key, client=client, domains=small)
    with pytest.raises(UserError, match=r"% of \d+ seeds have no label, limit 3\.0%"):
        stages.check_gates(session, key, limits=small.gates)
    assert snapshots.get(session, row.snapshot).status == "pulling"
    # A person who adjusts the limit checks again, and nothing is pulled.
    asked = client.requests
    wide = small.gates.model_copy(update={"label_less": 1.0})
    assert stages.check_gates(session, key, limits=wide).passed
    assert client.requests == asked
    # The same holes in an excerpt are the excerpt's, known from its own seed queries: recorded, not refused.
    excerpt, _ = pull(session, faulty(store=bare).url, small, month(), "excerpt")
    assert summary.of(session, excerpt.snapshot).total.label_less > 10


def test_a_live_source_gives_only_the_last_closed_month(session: Session) -> None:
    source = "https://query.wikidata.org/sparql"
    with pytest.raises(UserError, match="--snapshot 2026-10"):
        stages.open_snapshot(session, "2026-09", source=source, as_of=DAY, today=DAY)
    with pytest.raises(UserError, match="--snapshot 2026-10"):
        stages.open_snapshot(session, "2026-11", source=source, as_of=DAY, today=DAY)
    assert stages.open_snapshot(session, "2026-10", source=source, as_of=DAY, today=DAY).status == "pulling"


def test_a_month_that_is_not_closed_is_taken_from_nobody(session: Session) -> None:
    for key in ("2026-11", "2027-01", "2026-11.2"):
        with pytest.raises(UserError, match=rf"{key[:7]} is not closed yet; .*2026-10.* → --snapshot 2026-10"):
            stages.open_snapshot(session, key, source="sample", as_of=DAY, live=False, today=DAY)
    assert stages.open_snapshot(session, "2026-09", source="sample", as_of=DAY, live=False, today=DAY).revision == 1


def test_months_of_two_sources_live_in_one_database(session: Session) -> None:
    key = month()
    demo = stages.open_snapshot(session, key, source="sample", as_of=DAY, live=False)
    real = stages.open_snapshot(session, key, source="file.nt.gz", as_of=DAY, live=False)
    assert (demo.snapshot, real.snapshot) == (key, f"{key}.2")
    for row in (demo, real):  # resumed, each finds its own
        assert stages.open_snapshot(session, key, source=row.source, as_of=DAY, live=False).snapshot == row.snapshot
    with pytest.raises(UserError, match=rf"{key}\.3"):
        stages.open_snapshot(session, f"{key}.1", source="file.nt.gz", as_of=DAY, live=False)


def test_a_live_endpoint_cannot_fill_a_snapshot_opened_as_local(session: Session, small: Domains) -> None:
    key = month()
    stages.open_snapshot(session, key, source="looks-local", as_of=DAY)
    client = WikidataClient("https://query.wikidata.org/sparql", "ops@example.org")
    with pytest.raises(UserError, match="live endpoint knows only the present"):
        stages.pull_metadata(session, key, client=client, domains=small)


def test_a_live_pull_is_not_resumed_once_another_month_has_closed(session: Session, small: Domains) -> None:
    source = "https://query.wikidata.org/sparql"
    stages.open_snapshot(session, "2020-01", source=source, as_of=date(2020, 2, 3), today=date(2020, 2, 3))
    client = WikidataClient(source, "ops@example.org")
    for go_on in (
        lambda: stages.pull_metadata(session, "2020-01", client=client, domains=small),
        lambda: stages.pull_domain(session, "2020-01", next(iter(small.domains)), client=client, domains=small),
        lambda: stages.complete(session, "2020-01", client=client, domains=small),
    ):
        with pytest.raises(UserError, match=r"2020-01 cannot be pulled .* pull the last closed month: --snapshot"):
            go_on()
    assert client.requests == 0


def test_the_date_given_wins_over_the_stated_one_and_that_over_today(
    sample_url: str, faulty: Callable, lines: list[str]
) -> None:
    client, today = WikidataClient(sample_url), date(2030, 1, 1)
    assert source_dates.settle(client, "2019-12-31", today) == date(2019, 12, 31)
    assert source_dates.settle(client, "", today) == DAY
    assert source_dates.settle(WikidataClient(faulty(store=thinned(lines, "dateModified", 1)).url), "", today) == today
    with pytest.raises(UserError, match="as_of '20191231x' is not a date"):
        source_dates.settle(client, "20191231x", today)


def test_every_stage_of_a_frozen_month_is_a_no_op(session: Session, small: Domains, faulty: Callable) -> None:
    server, key = faulty(), month()
    row, _ = pull(session, server.url, small, key, "no-op")
    runs = session.scalar(text("SELECT count(*) FROM stage_run"))
    client = WikidataClient(server.url)
    assert stages.pull_metadata(session, key, client=client, domains=small).asked == 0
    assert stages.pull_domain(session, key, "people", client=client, domains=small).asked == 0
    counts = stages.complete(session, key, client=client, domains=small)
    assert counts.asked == 0 and counts.statements > 300
    assert stages.check_gates(session, key, limits=small.gates).passed
    assert stages.freeze(session, key) == stages.publish_snapshot(session, key) == row
    assert client.requests == 0
    assert session.scalar(text("SELECT count(*) FROM stage_run")) == runs


def test_values_are_followed_upward_to_the_root_and_a_cycle_closes(session: Session, faulty: Callable) -> None:
    edges = {
        (1, 31, 5): "a person",
        (1, 19, 10): "born in a village",
        (10, 131, 11): "in a district",
        (11, 131, 12): "in a state",
        (12, 131, 11): "which someone put into its own district",
        (12, 17, 13): "of a country",
        (10, 31, 20): "a kind of village",
        (20, 279, 21): "which is a kind of settlement",
        (12, 1889, 30): "not to be confused with",
        (30, 131, 31): "a place that nothing here asks about",
    }
    domains = Domains.model_validate({
        "common": [],
        "domains": {"people": {"roots": [{"qid": "Q5"}], "properties": ["P19"]}},
    })
    key = month()
    pull(session, faulty(store=serve(claim(*edge) for edge in edges)).url, domains, key, "chain")
    found = {
        (r.s, r.p, r.o) for r in session.execute(select(tables.statement).where(tables.statement.c.snapshot == key))
    }
    assert found == {edge for edge in edges if edge[1] != 31 and edge[0] != 30}
    entities = {r.qid: r for r in session.execute(select(tables.entity).where(tables.entity.c.snapshot == key))}
    assert set(entities) == {1, 5, 10, 11, 12, 13, 20, 21, 30}
    assert entities[10].types == [20] and entities[1].seed and not entities[10].seed


def test_statements_are_numbered_in_canonical_order(session: Session, small: Domains, faulty: Callable) -> None:
    key = month()
    pull(session, faulty().url, small, key, "order")
    rows = session.execute(
        select(tables.statement.c.sid, tables.statement.c.p, tables.statement.c.s, tables.statement.c.guid)
        .where(tables.statement.c.snapshot == key)
        .order_by(tables.statement.c.sid)
    ).all()
    assert [row.sid for row in rows] == list(range(1, len(rows) + 1))
    assert [row[1:] for row in rows] == sorted(row[1:] for row in rows)


def test_real_data_that_nobody_here_wrote_is_pulled_whole(
    session: Session, everything: Domains, faulty: Callable, shared_data: Path
) -> None:
    source = shared_data / "wikidata-codex-s" / "wikidata.nt.gz"
    key = month()
    row, _ = pull(session, faulty(store=endpoint.load_file(source)).url, everything, key, source.name)
    assert row.status == "published"
    seeds = {
        r.qid: r.domain
        for r in session.execute(
            select(tables.entity.c.qid, tables.entity.c.domain).where(
                tables.entity.c.snapshot == key, tables.entity.c.seed
            )
        )
    }
    direct = re.compile(r"<http://www\.wikidata\.org/entity/Q(\d+)> <http://www\.wikidata\.org/prop/direct/P(\d+)> ")
    triples = set()
    with gzip.open(source, "rt", encoding="utf-8") as lines:
        for line in lines:
            if match := direct.match(line):
                triples.add((int(match[1]), int(match[2]), int(line.rsplit("/Q", 1)[1].split(">")[0])))
    humans = {s for s, p, o in triples if (p, o) == (31, 5)}
    assert humans <= set(seeds)
    asked = {domain: set(everything.asked_of_seeds(domain)) for domain in everything.domains}
    expected = {(s, p, o) for s, p, o in triples if s in seeds and p in asked[seeds[s]]}
    found = {
        (r.s, r.p, r.o)
        for r in session.execute(
            select(tables.statement.c.s, tables.statement.c.p, tables.statement.c.o).where(
                tables.statement.c.snapshot == key
            )
        )
    }
    assert expected <= found <= triples
    assert len(found) > 25_000
    assert {r.origin for r in session.execute(select(tables.property).where(tables.property.c.snapshot == key))} == {
        "bundled"
    }
    remarks = " ".join(summary.remarks(snapshots.notes(session, key)))
    assert "bundled" in remarks and "sitelink" in remarks


def test_a_pull_keeps_its_rows_whichever_connections_the_pool_hands_out(
    session: Session, database_url: str, small: Domains, faulty: Callable, healthy: snapshots.SnapshotRow
) -> None:
    # Other sessions of the process put connections back between two commits, and the pool hands out the oldest.
    others = [Session(sessions.engine(database_url)) for _ in range(3)]

    def shuffle(number: int, _query: str) -> None:
        other = others[number % 3]
        other.execute(text("SELECT 1"))
        other.commit()

    row, _ = pull(session, faulty(shuffle).url, small, month(), "shuffled")
    for other in others:
        other.close()
    assert row.content_hash == healthy.content_hash
