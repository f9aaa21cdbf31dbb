"""A dump read from a file against the same triples asked of an endpoint, and everything that files are known to do."""

import bz2
import gzip
import random
from collections.abc import Callable, Iterator
from datetime import date
from itertools import count
from pathlib import Path

import pyoxigraph
import pytest
from sqlalchemy import func, select, text
from sqlalchemy.orm import Session

from halluvault_tasks.errors import UserError
from halluvault_tasks.knowledge import dump, dump_pull, snapshots, stages, summary
from halluvault_tasks.knowledge.client import WikidataClient
from halluvault_tasks.knowledge.config import Domains
from halluvault_tasks.local import endpoint, rdf, sample
from halluvault_tasks.reasoning.rule_typing import support
from halluvault_tasks.reasoning.rule_typing.reviewed import FunctionalEntry
from halluvault_tasks.storage import sessions, tables

DAY = date(2026, 11, 20)
WD, PROP, BASE = "http://www.wikidata.org/entity/", "http://www.wikidata.org/prop/", "http://wikiba.se/ontology#"
LABEL = "http://www.w3.org/2000/01/rdf-schema#label"
_years = count(1950)


def month() -> str:
    """A month that no other test of this module uses."""
    return f"{next(_years)}-10"


@pytest.fixture(scope="module")
def lines() -> list[str]:
    return list(rdf.n_triples(sample.load(sample.CHECKED)))


@pytest.fixture(scope="module")
def file(lines: list[str], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The sample as a dump."""
    path = tmp_path_factory.mktemp("dump") / "sample.nt.gz"
    path.write_bytes(gzip.compress("".join(lines).encode(), 1))
    return path


@pytest.fixture(scope="module")
def asked(database_url: str, small: Domains, sample_url: str) -> snapshots.SnapshotRow:
    """The sample under the small configuration, asked of an endpoint."""
    with sessions.session(database_url) as session:
        return stages.pull(
            session, month(), client=WikidataClient(sample_url), domains=small, source="asked", as_of=DAY
        )


def read(session: Session, path: Path, domains: Domains, key: str = "", **more: object) -> snapshots.SnapshotRow:
    return dump_pull.pull(session, key or month(), path=path, domains=domains, as_of=DAY, **more)


def written(folder: Path, name: str, content: str | bytes) -> Path:
    raw = content.encode() if isinstance(content, str) else content
    path = folder / name
    if name.endswith(".gz"):
        raw = gzip.compress(raw, 1)
    elif name.endswith(".bz2"):
        raw = bz2.compress(raw, 1)
    path.write_bytes(raw)
    return path


@pytest.mark.parametrize("name", ["sample.nt", "sample.nt.bz2", "sample.ttl.gz"])
def test_a_dump_gives_the_snapshot_that_an_endpoint_over_it_gives(
    session: Session, small: Domains, asked: snapshots.SnapshotRow, lines: list[str], tmp_path: Path, name: str
) -> None:
    # In any order of its lines: nothing says that a dump comes sorted.
    shuffled = random.Random(name).sample(lines, len(lines))
    content = "".join(shuffled).encode()
    if ".ttl" in name:
        store = pyoxigraph.Store()
        store.bulk_load(input=content, format=pyoxigraph.RdfFormat.N_TRIPLES)
        content = store.dump(format=pyoxigraph.RdfFormat.TURTLE, from_graph=pyoxigraph.DefaultGraph())
    row = read(session, written(tmp_path, name, content), small)
    assert (row.status, row.source, row.content_hash) == ("published", name, asked.content_hash)


def test_real_data_that_nobody_here_wrote_is_the_same_both_ways(
    session: Session, everything: Domains, faulty: Callable, shared_data: Path
) -> None:
    path = shared_data / "wikidata-codex-s" / "wikidata.nt.gz"
    some = {name: everything.require(name) for name in ("culture", "geography", "technology")}
    domains = everything.model_copy(update={"domains": some})
    by_dump = read(session, path, domains)
    client = WikidataClient(faulty(store=endpoint.load_file(path)).url)
    by_endpoint = stages.pull(session, month(), client=client, domains=domains, source="codex", as_of=DAY)
    assert by_dump.content_hash == by_endpoint.content_hash
    noted = snapshots.notes(session, by_dump.snapshot)["complete"]
    assert noted["triples"] == 166_100 and noted["shows_statements"] is True


class Killed(Exception):
    """Stands for `kill -9`: nothing in the project catches it."""


def test_a_reading_killed_anywhere_leaves_nothing_half_done_and_a_rerun_completes(
    session: Session, small: Domains, asked: snapshots.SnapshotRow, file: Path
) -> None:
    key = month()
    for stage in ("first pass", "second pass", "seeds", "statements", "entities", "chain"):

        def die(progress: object, wanted: str = stage) -> None:
            if progress.stage == wanted:
                raise Killed

        with pytest.raises(Killed):
            read(session, file, small, key, progress=die)
        session.rollback()
        assert snapshots.get(session, key).status == "pulling"
        assert session.scalar(text("SELECT count(*) FROM statement WHERE snapshot = :key"), {"key": key}) == 0
    assert read(session, file, small, key).content_hash == asked.content_hash
    assert read(session, file, small, key).content_hash == asked.content_hash  # published: a no-op


@pytest.mark.parametrize(
    ("name", "spoil"),
    [
        ("x.nt", lambda raw: raw[: len(raw) // 2]),
        ("x.nt", lambda raw: raw[: (at := raw.index(b"> <", len(raw) // 2) + 1)] + b"\n" + raw[at + 40 :]),
        ("x.nt", lambda raw: raw.replace(b"@en", b"\xff@en", 1)),
        ("x.nt.gz", lambda raw: gzip.compress(raw, 1)[:-2000]),
        ("x.nt.gz", lambda raw: gzip.compress(raw, 1)[:-9] + b"\0" * 9),
        ("x.nt.bz2", lambda raw: bz2.compress(raw, 1)[:-2000]),
        ("x.ttl", lambda raw: b"@prefix a: <http://a/> .\n" + raw + b"a:b a:c"),
        ("x.nt.gz", lambda raw: b"<html><title>503 Service Unavailable</title></html>"),
        ("x.nt", lambda raw: b"<html>not found</html>"),
    ],
)
def test_a_damaged_dump_is_named_and_refused_and_the_whole_one_then_goes_in(
    session: Session,
    small: Domains,
    asked: snapshots.SnapshotRow,
    lines: list[str],
    tmp_path: Path,
    name: str,
    spoil: Callable[[bytes], bytes],
) -> None:
    key, raw, path = month(), "".join(lines).encode(), tmp_path / name
    path.write_bytes(spoil(raw))
    with pytest.raises(UserError, match=rf"{name} cannot be read: .* truncated, damaged"):
        read(session, path, small, key)
    session.rollback()
    with pytest.raises(UserError, match=f"no snapshot '{key}'"):  # what failed keeps no month for itself
        snapshots.get(session, key)
    assert session.scalar(text("SELECT count(*) FROM entity WHERE snapshot = :key"), {"key": key}) == 0
    if name == "x.nt.bz2":
        assert read(session, written(tmp_path, name, raw), small, key).content_hash == asked.content_hash


def test_a_snapshot_is_of_one_file(session: Session, small: Domains, lines: list[str], tmp_path: Path) -> None:
    key, path = month(), written(tmp_path, "monthly.nt", "".join(lines))

    def die(progress: object) -> None:
        if progress.stage == "statements":
            raise Killed

    with pytest.raises(Killed):
        read(session, path, small, key, progress=die)
    session.rollback()
    written(tmp_path, "monthly.nt", "".join(lines[:-3]))  # nothing of the other was kept
    assert read(session, path, small, key).status == "published"
    assert read(session, path, small, key).status == "published"
    written(tmp_path, "monthly.nt", "".join(lines[:-4]))
    with pytest.raises(UserError, match=rf"snapshot {key} was made of another monthly\.nt .*--snapshot .*\.N"):
        read(session, path, small, key)
    session.rollback()

    def grow(progress: object) -> None:
        if progress.stage == "second pass":
            path.write_text("".join(lines[:-1]))

    with pytest.raises(UserError, match="changed while it was read"):
        read(session, path, small, month(), progress=grow)
    session.rollback()
    recorded = select(tables.snapshot.c.source_hash).where(tables.snapshot.c.snapshot == key)
    assert len(session.scalar(recorded)) == 64


def test_a_month_that_an_endpoint_gave_takes_no_file(
    session: Session, asked: snapshots.SnapshotRow, file: Path, small: Domains
) -> None:
    with pytest.raises(UserError, match=rf"{asked.snapshot} is published from asked, not from {file.name} .*\.N"):
        read(session, file, small, asked.snapshot, source="asked")


def test_a_truthy_dump_licenses_properties_functional_by_nature_alone(
    session: Session, everything: Domains, lines: list[str], tmp_path: Path
) -> None:
    hidden = (f"<{WD}statement/", f"<{PROP}P", "<http://www.wikidata.org/value/")
    truthy = [line for line in lines if not line.startswith(hidden) and f" <{PROP}P" not in line]
    row = read(session, written(tmp_path, "truthy.nt", "".join(truthy)), everything)
    noted = snapshots.notes(session, row.snapshot)["complete"]
    assert noted["shows_statements"] is False and noted["faults"]["time without precision"] > 300
    assert any("truthy dump" in line for line in summary.remarks(snapshots.notes(session, row.snapshot)))
    found = session.execute(select(tables.statement).where(tables.statement.c.snapshot == row.snapshot)).all()
    assert {r.rank for r in found} == {"normal"} and len(found) > 2000
    assert all(r.earliest is r.latest is None for r in found if r.kind == "time")
    assert any(r.kind == "none" for r in found) and any(r.kind == "unknown" for r in found)
    # Louis Armstrong's deprecated birthday is not there; Canberra hides Melbourne.
    assert sum(r.s == 1779 and r.p == 569 for r in found) == 1
    assert [r.o for r in found if (r.s, r.p) == (408, 36)] == [3114]
    measured = support.measure(session, row.snapshot, [], {19: FunctionalEntry(reason="born once")}, [])
    assert measured.shows_ranks is False


def test_a_full_dump_without_ranks_is_refused_with_the_figures(
    session: Session, small: Domains, lines: list[str], tmp_path: Path
) -> None:
    bare = [line for line in lines if f"<{BASE}rank>" not in line]
    key = month()
    with pytest.raises(UserError, match=r"fails its gates: (\d+) of \1 statements have no rank \(wikibase:rank\)"):
        read(session, written(tmp_path, "bare.nt", "".join(bare)), small, key)
    assert snapshots.get(session, key).status == "pulling"
    of_month = select(func.count()).select_from(tables.statement).where(tables.statement.c.snapshot == key)
    assert session.scalar(of_month) == 0, "none of them is taken for true"


def small_world() -> Iterator[str]:
    """What real dumps hold and the sample has not; one triple a line."""
    page = "https://www.wikidata.org/wiki/Special:EntityData/"
    yield f"<{BASE}Dump> <http://schema.org/dateModified> " + (
        '"2026-10-28T23:00:01Z"^^<http://www.w3.org/2001/XMLSchema#dateTime> .'
    )
    for qid, links in ((1, 40), (2, 3), (3, 40), (10, 0)):
        yield f"<{page}Q{qid}> <http://schema.org/about> <{WD}Q{qid}> ."
        yield f'<{page}Q{qid}> <{BASE}sitelinks> "{links}"^^<http://www.w3.org/2001/XMLSchema#integer> .'
        yield f'<{WD}Q{qid}> <{LABEL}> "Nummer {qid}"@de .'
    for qid in (1, 2, 3):
        yield f"<{WD}Q{qid}> <{PROP}direct/P31> <{WD}Q5> ."
    hostile = 'tab\\there, line\\nthere, quote\\"s, \\\\N, \\u202Eright to left, \\u0000, ' + "x" * 10_000
    yield f'<{WD}Q1> <{LABEL}> "{hostile}"@en .'
    yield f'<{WD}Q3> <{LABEL}> "three"@mul .'
    # Names of statements in small letters, of another item's, and of none's.
    for s, name, value in ((1, "q1-AAAA", 10), (3, "Q77-BBBB", 10), (3, "CCCC", 11), (2, "Q2-DDDD", 10)):
        yield f"<{WD}statement/{name}> <{PROP}statement/P19> <{WD}Q{value}> ."
        yield f"<{WD}Q{s}> <{PROP}P19> <{WD}statement/{name}> ."
        yield f"<{WD}Q{s}> <{PROP}direct/P19> <{WD}Q{value}> ."
        yield f"<{WD}statement/{name}> <{BASE}rank> <{BASE}NormalRank> ."
    yield f"<{WD}Q10> <{PROP}P131> <{WD}statement/Q10-E> ."
    yield f"<{WD}statement/Q10-E> <{PROP}statement/P131> <{WD}Q12> ."
    yield f"<{WD}statement/Q10-E> <{BASE}rank> <{BASE}NormalRank> ."
    yield f"<{WD}Q12> <http://www.w3.org/2002/07/owl#sameAs> <{WD}Q13> ."
    yield f'<{WD}Q13> <{LABEL}> "thirteen"@en .'
    yield "<http://an iri/with spaces {and} braces> <http://x/y> _:blank ."
    yield '<http://x/y> <http://x/z> "+1914-00-00T00:00:00Z"^^<http://www.w3.org/2001/XMLSchema#dateTime> .'


def test_what_real_dumps_hold_is_read_as_it_is_meant(session: Session, tmp_path: Path) -> None:
    domains = Domains.model_validate({
        "common": [],
        "domains": {"people": {"roots": [{"qid": "Q5"}], "sitelinks": 10, "properties": ["P19"]}},
    })
    path = written(tmp_path, "latest-all.nt", "\n".join(small_world()) + "\n")
    assert dump_pull.date_of(path, "") == date(2026, 10, 28)
    row = read(session, path, domains)
    here = tables.entity.c.snapshot == row.snapshot
    entities = {r.qid: r for r in session.execute(select(tables.entity).where(here))}
    assert {qid for qid, r in entities.items() if r.seed} == {1, 3}  # sitelinks are told by the page's node
    assert set(entities) == {1, 3, 5, 10, 11, 13}
    assert entities[1].label.startswith('tab\there, line\nthere, quote"s, \\N, right to left, , xxx')
    assert len(entities[1].label) > 10_000 and entities[3].label == "three" and entities[10].label is None
    found = {
        (r.s, r.p, r.o, r.guid)
        for r in session.execute(select(tables.statement).where(tables.statement.c.snapshot == row.snapshot))
    }
    assert found == {
        (1, 19, 10, "q1-AAAA"),
        (3, 19, 10, "Q77-BBBB"),
        (3, 19, 11, "CCCC"),
        (10, 131, 13, "Q10-E"),
    }


def test_a_dump_is_dated_by_its_top_or_by_hand_and_never_by_today(tmp_path: Path, file: Path) -> None:
    assert dump_pull.date_of(file, "") == DAY
    assert dump_pull.date_of(file, "2019-12-31") == date(2019, 12, 31)
    silent = written(tmp_path, "silent.nt", f'<{WD}Q1> <{LABEL}> "one"@en .\n')
    with pytest.raises(UserError, match=r"silent\.nt does not state the date .* --as-of"):
        dump_pull.date_of(silent, "")
    with pytest.raises(UserError, match="as_of 'yesterday' is not a date"):
        dump_pull.date_of(silent, "yesterday")
    with pytest.raises(UserError, match="as_of 9999-12-31 is still to come"):
        dump_pull.date_of(silent, "9999-12-31")


def test_the_date_of_a_pull_that_was_killed_holds_for_nothing_and_that_of_a_month_for_good(
    session: Session, file: Path, small: Domains
) -> None:
    key = month()
    stages.open_snapshot(session, key, source=file.name, as_of=date(2015, 1, 5), live=False)
    assert read(session, file, small, key).as_of == DAY
    with pytest.raises(UserError, match=rf"{key} is published with data as of {DAY}, not 2015-01-05"):
        dump_pull.pull(session, key, path=file, domains=small, as_of=date(2015, 1, 5))


def test_a_dump_far_older_than_its_month_must_be_meant(file: Path) -> None:
    assert dump_pull.date_of(file, "", "2026-12") == DAY
    with pytest.raises(UserError, match=r"goes to 2026-11-20, long before 2027-06 begins .*--as-of 2026-11-20"):
        dump_pull.date_of(file, "", "2027-06")
    assert dump_pull.date_of(file, "2026-11-20", "2027-06") == DAY


@pytest.mark.parametrize(
    ("name", "word"), [("x.csv", "must end in"), ("x.nt.zip", "must end in"), ("x.nt", "does not exist")]
)
def test_a_file_of_another_kind_or_none_at_all_is_refused(tmp_path: Path, name: str, word: str) -> None:
    with pytest.raises(UserError, match=word):
        dump.find(tmp_path / name)
