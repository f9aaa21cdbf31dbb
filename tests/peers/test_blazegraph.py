"""The sample month from a real Blazegraph, the engine of the Wikidata Query Service: whole, under faults, and cheap."""

import gzip
import shutil
import unicodedata
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest
from sqlalchemy import select
from sqlalchemy.orm import Session

from halluvault_tasks.errors import Unavailable, UserError
from halluvault_tasks.knowledge import dump_pull, queries, snapshots, stages
from halluvault_tasks.knowledge.client import WikidataClient
from halluvault_tasks.knowledge.config import Domains
from halluvault_tasks.knowledge.queries import SelectQuery
from halluvault_tasks.knowledge.snapshots import SnapshotRow
from halluvault_tasks.knowledge.store_shape import SAMPLES
from halluvault_tasks.knowledge.texts import clean
from halluvault_tasks.local import endpoint
from halluvault_tasks.storage import sessions, tables
from tests.conftest import SHARED
from tests.knowledge.conftest import serving
from tests.knowledge.store import claim, sitelinks
from tests.peers.blazegraph import TURTLE, blazegraph, namespace, work
from tests.peers.pulls import DAY, by_dump, configuration, faults, month, pull
from tests.peers.sparql import Engine, harmed, kind, post, renamed, rows_of, sample_lines
from tests.require import require

__all__ = ["blazegraph", "by_dump"]

FEW = Domains.model_validate({
    "common": ["P576", "P580", "P582"],
    "batches": {"seeds": 150, "statements": 1000, "entities": 300, "floor": 2},
    "domains": {
        "natural_science": {"roots": [{"qid": "Q11344"}], "properties": ["P1086", "P138"]},
        "people": {"roots": [{"qid": "Q5"}], "limit": 150, "properties": ["P19", "P26", "P39", "P569", "P570"]},
    },
})
"""Two domains: fewer requests, every kind of value."""


@pytest.fixture(scope="module")
def undisturbed(database_url: str, blazegraph: Engine) -> str:
    """Content hash of the few, when nothing goes wrong."""
    with sessions.session(database_url) as session:
        found = pull(session, blazegraph.url, FEW).content_hash
    assert found
    return found


class Recorder(WikidataClient):
    """Keeps the largest query of each kind."""

    asked: dict[str, tuple[int, SelectQuery]]

    def select(self, query: SelectQuery):
        answer = super().select(query)
        name = kind(query)
        self.asked[name] = max(self.asked.get(name, (-1, query)), (len(answer.rows), query), key=lambda one: one[0])
        return answer


class Pulled(NamedTuple):
    """The whole sample, pulled."""

    row: SnapshotRow
    largest: dict[str, SelectQuery]
    """The largest query of each kind that the pull asked."""


@pytest.fixture(scope="module")
def whole(database_url: str, blazegraph: Engine) -> Pulled:
    client = Recorder(blazegraph.url)
    client.asked = {}
    with sessions.session(database_url) as session:
        row = stages.pull(session, month(), client=client, domains=configuration(), source="whole", as_of=DAY)
    return Pulled(row, {name: query for name, (_, query) in client.asked.items()})


def test_the_sample_has_the_same_hash_from_blazegraph(session: Session, whole: Pulled, by_dump: str) -> None:
    assert whole.row.content_hash == by_dump and faults(session, whole.row) == {}
    given_up = select(tables.pull_batch.c.stage).where(tables.pull_batch.c.stage.in_(["split", "quarantine"]))
    assert session.scalars(given_up.where(tables.pull_batch.c.snapshot == whole.row.snapshot)).all() == []


def test_a_limit_of_time_a_query_halves_batches_and_leaves_no_trace(
    session: Session, blazegraph: Engine, undisturbed: str
) -> None:
    key, large = month(), 0

    def limited(_: int, body: bytes) -> str:
        nonlocal large
        large += len(body) > 4000
        # 100 ms, in which a fast machine answers everything; and so some get 1 ms, which no machine keeps.
        return f"X-BIGDATA-MAX-QUERY-MILLIS: {1 if len(body) > 4000 and large <= 4 else 100}"

    with harmed(blazegraph.url, limited) as proxy:
        try:
            pull(session, proxy.url, FEW, key)
        except UserError as error:  # a slow machine gives some up: named to the gates, and asked again
            assert "not answered: HTTP 500, the query timed out on the service: QueryTimeout" in str(error)
            session.rollback()
    assert proxy.statuses.count(500) >= 4
    split = select(tables.pull_batch.c.query_hash).where(tables.pull_batch.c.stage == "split")
    assert session.scalars(split.where(tables.pull_batch.c.snapshot == key)).all()
    assert pull(session, blazegraph.url, FEW, key).content_hash == undisturbed


def test_kill_9_of_the_engine_and_a_cut_body_leave_no_trace(
    session: Session, blazegraph: Engine, undisturbed: str
) -> None:
    key, killed = month(), [False]

    def harm(number: int, _body: bytes) -> str:
        if number == 15 and not killed[0]:
            blazegraph.kill()
            killed[0] = True
        return "cut" if number in {3, 8} else ""

    with harmed(blazegraph.url, harm) as proxy:
        with pytest.raises(Unavailable, match=r"still fails after several attempts.* → nothing is lost"):
            pull(session, proxy.url, FEW, key)
        session.rollback()
        assert snapshots.get(session, key).status == "pulling"
        blazegraph.start()
        asked = proxy.count
        assert pull(session, proxy.url, FEW, key).content_hash == undisturbed
        assert proxy.count > asked


@pytest.mark.parametrize(
    ("path", "why"),
    [
        ("/bigdata", r"sends queries on to http://[\d.:]+/bigdata/ \(HTTP 302\) → .*often ends in /sparql"),
        ("/bigdata/", r'a page called "Blazegraph Workbench" → is this the URL of the SPARQL endpoint'),
        ("/bigdata/sparql2", r"HTTP 404 Not Found: Not Found → is this the URL of the SPARQL endpoint"),
        ("/sparql", r"HTTP 404 Not Found: Not Found → is this the URL of the SPARQL endpoint"),
        ("/bigdata/namespace/nosuch/sparql", r"HTTP 404 .*DatasetNotFoundException: namespace=nosuch → "),
        ("/bigdata/namespace", r"HTTP 40\d|refuses the query"),
    ],
)
def test_a_wrong_address_is_one_line_and_nothing_is_stored(
    session: Session, blazegraph: Engine, path: str, why: str
) -> None:
    key = month()
    with pytest.raises(UserError, match=why) as caught:
        pull(session, blazegraph.base + path, FEW, key)
    assert "\n" not in str(caught.value) and len(str(caught.value)) < 500
    assert key not in {row.snapshot for row in snapshots.listing(session)}


# ---------------------------------------------------------------- what it costs, by Blazegraph's own counts


def test_no_query_grows_with_the_store_beyond_the_rows_it_returns(blazegraph: Engine, whole: Pulled) -> None:
    lines = sample_lines()
    # Four times as much again about other items: their statements, dates, ranks and labels.
    larger = namespace(blazegraph, "larger", "".join([*lines, *renamed(lines, 4)]).encode())
    some = {
        queries.statements([1], [2]),
        queries.times([1], [2]),
        queries.quantities([1], [2]),
        queries.qualifiers(["Q1-A"]),
        queries.entities([1]),
        queries.known([1]),
        queries.seeds([1], "instance", 0),
        queries.listed_seeds([1]),
    }
    assert len(set(map(kind, some))) == len(some) and set(map(kind, some)) <= whole.largest.keys()
    for name, query in whole.largest.items():
        found = [sorted(map(repr, rows_of(url, query.text))) for url in (blazegraph.url, larger)]
        small, large = (work(url, query.text) for url in (blazegraph.url, larger))
        if "LIMIT 1 " in query.text:
            # Of one example of each kind any is right, and the engine reads a chunk to find it.
            assert len(found[0]) == len(found[1]), name
            assert large.read <= 1000 * len(SAMPLES), (name, large)
            continue
        assert found[0] == found[1], name
        for one, other in zip(small, large, strict=True):
            assert other <= one * 1.05 + 20, (name, small, large)


def test_a_class_too_large_is_read_by_number_of_sitelinks_and_no_further(blazegraph: Engine) -> None:
    known = [claim(qid, 31, 5 if qid % 4 else 6) + sitelinks(qid, 10 + qid % 3) for qid in range(100, 500)]
    others = [claim(qid, 31, 5) + sitelinks(qid, 3) for qid in range(1000, 4000)]
    urls = [
        namespace(blazegraph, name, "".join(lines).encode())
        for name, lines in (("known", known), ("crowd", [*known, *others]))
    ]
    query = queries.seeds_with([10, 11, 12], "instance", 5)
    assert [len(WikidataClient(url).select(query).rows) for url in urls] == [300, 300]
    # Once for the rows and once for their number: what has so many sitelinks, and whether it is of the class.
    small, large = (work(url, query.text) for url in urls)
    assert small.read <= 2 * (400 + 300) and large.read == small.read


def test_of_a_class_only_those_with_the_ending_are_looked_up(blazegraph: Engine) -> None:
    lines = [claim(qid, 31, 5) + sitelinks(qid, 1 + qid % 9) for qid in range(10_000, 14_000)]
    url = namespace(blazegraph, "tail", "".join(lines).encode())
    query = queries.tail_seeds([5], "instance", (1, 5), "37")
    found = {row["s"]["value"].rpartition("Q")[2] for row in WikidataClient(url).select(query).rows}
    assert found == {str(qid) for qid in range(10_000, 14_000) if qid % 100 == 37 and 1 + qid % 9 <= 5}
    # Once for the rows and once for their number: the members' names, and the sitelinks of a hundredth of them.
    assert work(url, query.text).read <= 2 * (4000 + 3 * 40)
    listed = queries.listed_tail_seeds(range(10_037, 14_000, 100), "instance", 5, (1, 5))
    assert {row["s"]["value"].rpartition("Q")[2] for row in WikidataClient(url).select(listed).rows} == found
    assert work(url, listed.text).read <= 2 * 40 * 6


# ---------------------------------------------------------------- what it cannot tell apart


VISIBLE = {"Mn", "Mc", "Me", "Lo", "Lm", "Po"}
"""Categories of marks that can be seen: cantillation, Koranic signs, vowel and length signs, the tatweel."""
JOINERS = {"\u200c", "\u200d"}
SIGNS = {*map(chr, (*range(0x600, 0x606), 0x6DD, 0x70F, 0x8E2, 0x110BD, 0x110CD))}
"""Format characters that can be seen (Prepended_Concatenation_Mark)."""


def test_what_blazegraph_cannot_tell_apart_for_want_of_weight_a_snapshot_does_not_either(blazegraph: Engine) -> None:
    odd = [chr(code) for code in range(0x110000) if unicodedata.category(chr(code)) in {"Cc", "Cf", "Mn", "Me"}]
    odd += ["\u0640", "\u07fa", "\u180a"]
    lines = ['<urn:base> <urn:p> "ab"@en .\n']
    for char in odd:
        # Blazegraph's reader of Turtle knows \\u with four digits alone: larger ones are written as they are.
        written = char if ord(char) > 0xFFFF else f"\\u{ord(char):04x}"
        lines.append(f'<urn:{ord(char):x}> <urn:p> "a{written}b"@en .\n')
    url = namespace(blazegraph, "odd", "".join(lines).encode())
    names = [row["s"]["value"] for row in rows_of(url, 'SELECT ?s WHERE { ?s <urn:p> "ab"@en }')]
    blind = {chr(int(name.removeprefix("urn:"), 16)) for name in names if name != "urn:base"}
    assert {"\u200b", "\u200e", "\u00ad", *JOINERS} < blind
    kept = {char for char in blind if clean(f"a{char}b") != "ab"}
    assert kept >= JOINERS
    assert {char for char in kept - JOINERS - SIGNS if unicodedata.category(char) not in VISIBLE} == set()


# ---------------------------------------------------------------- the real excerpt


@pytest.fixture(scope="module")
def real(blazegraph: Engine, tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Path, str]]:
    """The real excerpt as a file, and served by Blazegraph."""
    packed = SHARED / "data" / "wikidata-real" / "wikidata-real.nt.gz"
    require(packed.is_file(), "../shared/data/wikidata-real is not on this machine")
    path = tmp_path_factory.mktemp("real") / "wikidata-real.nt"
    with gzip.open(packed) as source, path.open("wb") as target:
        shutil.copyfileobj(source, target)
    url = namespace(blazegraph, "real", b"")
    post(url, path.read_bytes(), TURTLE)
    yield path, url
    path.unlink()


@pytest.mark.slow
def test_the_real_excerpt_has_the_same_hash_from_blazegraph_our_endpoint_and_the_dump(
    session: Session, real: tuple[Path, str]
) -> None:
    path, url = real
    read = dump_pull.pull(session, month(), path=path, domains=configuration(), as_of=DAY)
    with serving(endpoint.Endpoint(endpoint.load_file(path), 0)) as server:
        ours = pull(session, server.url, configuration())
    theirs = pull(session, url, configuration())
    assert read.content_hash == ours.content_hash == theirs.content_hash
