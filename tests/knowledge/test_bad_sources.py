"""Sources and configurations as they come: named, counted, kept apart or refused; nothing half-frozen."""

from collections.abc import Callable
from datetime import date

import pytest
from sqlalchemy import Table, func, select
from sqlalchemy.orm import Session

from halluvault_tasks.errors import Unavailable, UserError
from halluvault_tasks.knowledge import queries, snapshots, stages, summary
from halluvault_tasks.knowledge.client import WikidataClient
from halluvault_tasks.knowledge.config import Domains
from halluvault_tasks.storage import tables
from halluvault_tasks.wikidata.iris import WIKIBASE
from tests.knowledge.store import PROP, WD, claim, labelled, merged, serve, sitelinks

DAY = date(2026, 11, 20)

HOSTILE = {
    101: 'O\'Brien "the \\ quoted"',
    102: "two\nlines\rand\ttabs",
    103: "NUL\0inside",
    104: "\u202eright to left\u202c",
    105: "long " * 2000,
    106: "'); DROP TABLE statement; --",
    107: ":- halt.",
    108: "<script>alert(1)</script>",
    109: "ＦＵＬＬ",
    110: "full",
}


def people(*properties: str, items: tuple[str, ...] = (), **more: object) -> Domains:
    return Domains.model_validate({
        "common": [],
        "domains": {"people": {"roots": [{"qid": "Q5"}], "items": list(items), "properties": list(properties), **more}},
    })


def test_a_label_is_kept_as_it_can_be_seen_whatever_is_in_it(session: Session, faulty: Callable) -> None:
    lines = [claim(qid, 31, 5) + labelled(qid, label) for qid, label in HOSTILE.items()]
    client = WikidataClient(faulty(store=serve(lines)).url)
    stages.pull(session, "2005-01", client=client, domains=people("P19"), source="hostile", as_of=DAY)
    found = {
        row.qid: row for row in session.execute(select(tables.entity).where(tables.entity.c.snapshot == "2005-01"))
    }
    for qid, label in HOSTILE.items():
        # All but what nobody can see: marks of direction, and NUL, which Postgres cannot hold.
        assert found[qid].label == "".join(char for char in label if char not in "\0\u202e\u202c")
    assert {qid for qid, row in found.items() if row.ambiguous} == {109, 110}


def test_a_live_source_without_a_configured_id_is_refused_with_its_name(
    session: Session, faulty: Callable, monkeypatch: pytest.MonkeyPatch
) -> None:
    lines = [claim(1, 31, 5) + labelled(1, "someone")]
    client = WikidataClient(faulty(store=serve(lines)).url)
    monkeypatch.setattr(client, "local", False)
    config = people("P19", items=("Q1", "Q999"))
    today = date(2006, 2, 3)
    stages.open_snapshot(session, "2006-01", source="live", as_of=DAY, live=True, today=today)
    monkeypatch.setattr(stages, "_closed", lambda *_: False)
    with pytest.raises(UserError, match=r"does not have: Q999 \(item of people\), P\d+.*a digit mistyped"):
        stages.pull_metadata(session, "2006-01", client=client, domains=config)
    assert snapshots.get(session, "2006-01").status == "pulling"
    # An excerpt may lack it: noted, and pulled all the same.
    excerpt = WikidataClient(faulty(store=serve(lines)).url)
    stages.pull(session, "2006-02", client=excerpt, domains=config, source="excerpt", as_of=DAY)
    remarks = "\n".join(summary.remarks(snapshots.notes(session, "2006-02")))
    assert "named in domains.yaml but not in the source: Q999 (item of people)" in remarks


def test_a_configured_id_that_was_merged_is_asked_for_under_its_new_number(session: Session, faulty: Callable) -> None:
    lines = [merged(900, 5), merged(901, 1), claim(1, 19, 20), claim(2, 31, 5), labelled(1, "one"), labelled(2, "two")]
    config = Domains.model_validate({
        "common": [],
        "domains": {"people": {"roots": [{"qid": "Q900"}], "items": ["Q901"], "properties": ["P19"]}},
    })
    client = WikidataClient(faulty(store=serve(lines)).url)
    stages.pull(session, "2007-01", client=client, domains=config, source="moved", as_of=DAY)
    seeds = session.scalars(
        select(tables.entity.c.qid)
        .where(tables.entity.c.snapshot == "2007-01", tables.entity.c.seed)
        .order_by(tables.entity.c.qid)
    ).all()
    assert seeds == [1, 2]
    remarks = "\n".join(summary.remarks(snapshots.notes(session, "2007-01")))
    assert "Q900 is now Q5, Q901 is now Q1" in remarks


def test_redirects_in_a_chain_and_in_a_circle_come_to_an_end(session: Session, faulty: Callable) -> None:
    lines = [claim(1, 31, 5), claim(1, 19, 50), labelled(1, "one"), labelled(52, "the place"), labelled(1, "one")]
    lines += [merged(50, 51), merged(51, 52), claim(1, 69, 60), merged(60, 61), merged(61, 60)]
    client = WikidataClient(faulty(store=serve(lines)).url)
    config = people("P19", "P69")
    stages.pull(session, "2008-01", client=client, domains=config, source="chain", as_of=DAY)
    found = dict(
        session
        .execute(select(tables.redirect.c.qid, tables.redirect.c.target).where(tables.redirect.c.snapshot == "2008-01"))
        .tuples()
        .all()
    )
    assert found[50] == found[51] == 52
    (born,) = session.scalars(
        select(tables.statement.c.o).where(tables.statement.c.snapshot == "2008-01", tables.statement.c.p == 19)
    )
    assert born == 52


@pytest.mark.parametrize("too_large", [1, 2])
def test_a_class_too_large_to_be_asked_whole_is_asked_by_number_of_sitelinks(
    session: Session, faulty: Callable, too_large: int
) -> None:
    people_with = {qid: 10 + qid % 400 for qid in range(1, 300)}
    lines = [claim(qid, 31, 5) + sitelinks(qid, count) for qid, count in people_with.items()]
    lines += [claim(500, 31, 5)]  # of whom the source has no count
    lines += [labelled(qid, f"person {qid}") for qid in (*people_with, 500)]
    whole = queries.seeds([5], "instance", 30).text

    def heavy(_: int, query: str) -> str | None:
        counts = query.partition("VALUES ?n {")[2].partition("}")[0].split()
        return "heavy" if query == whole or (too_large == 2 and len(counts) > 20) else None

    client = WikidataClient(faulty(heavy, store=serve(lines)).url, sleep=lambda _: None)
    key, config = f"2009-0{too_large}", people("P19", sitelinks=30)
    stages.pull(session, key, client=client, domains=config, source=f"large {too_large}", as_of=DAY)
    seeds = set(
        session.scalars(select(tables.entity.c.qid).where(tables.entity.c.snapshot == key, tables.entity.c.seed))
    )
    assert seeds == {qid for qid, count in people_with.items() if count >= 30} | {500}


def test_a_batch_given_up_gets_another_chance_before_the_gates_count_it(session: Session, faulty: Callable) -> None:
    lines = [claim(qid, 31, 5) + labelled(qid, f"person {qid}") + claim(qid, 19, 20) for qid in range(1, 4)]
    asked = 0

    def heavy_once(_: int, query: str) -> str | None:
        nonlocal asked
        if "p:P19 " not in query or "wdno:P19" not in query:
            return None
        asked += 1
        return "truncated" if asked == 1 else None

    slept: list[float] = []
    client = WikidataClient(faulty(heavy_once, store=serve(lines)).url, rest=77, sleep=slept.append)
    row = stages.pull(session, "2010-02", client=client, domains=people("P19"), source="chance", as_of=DAY)
    assert row.status == "published" and slept == [77]
    assert snapshots.notes(session, "2010-02")["gates"]["quarantined"] == 0


def test_what_was_not_answered_is_never_said_to_be_missing(
    session: Session, faulty: Callable, monkeypatch: pytest.MonkeyPatch
) -> None:
    lines = [claim(1, 31, 5) + labelled(1, "someone")]
    lookup = queries.known([1, 5]).text

    def source(key: str) -> WikidataClient:
        client = WikidataClient(faulty(lambda _, query: "heavy" if query == lookup else None, store=serve(lines)).url)
        stages.open_snapshot(session, key, source="busy", as_of=DAY)
        return client

    # A public service: nothing of the configuration is declared unknown, properties least of all.
    busy = source("2013-01")
    monkeypatch.setattr(busy, "local", False)
    monkeypatch.setattr(stages, "_closed", lambda *_: False)
    with pytest.raises(
        Unavailable, match=r"did not answer.*metadata of Q1, Q5 not answered: HTTP 500, the query timed"
    ):
        stages.pull_metadata(session, "2013-01", client=busy, domains=people("P19", items=("Q1",)))
    monkeypatch.undo()
    # An excerpt: what it lacks is noted, but not what it did not answer about.
    with pytest.raises(UserError, match=r"quarantined: metadata of Q1, Q5 not answered"):
        stages.pull(
            session, "2013-02", client=source("2013-02"), domains=people("P19", items=("Q1",)), source="busy", as_of=DAY
        )
    assert snapshots.notes(session, "2013-02")["complete"]["unknown_ids"] == []


def test_an_address_that_is_no_endpoint_leaves_nothing_behind(session: Session, faulty: Callable) -> None:
    page = WikidataClient(faulty(lambda *_: "html").url, sleep=lambda _: None)
    with pytest.raises(UserError, match=r"a page called .* → is this the URL of the SPARQL endpoint"):
        stages.pull(session, "2014-01", client=page, domains=people("P19"), source="page", as_of=DAY)
    assert [row.snapshot for row in snapshots.listing(session) if row.month == "2014-01"] == []
    # What was begun stays, whatever happens then.
    lines = [claim(1, 31, 5) + labelled(1, "someone")]
    banned = WikidataClient(faulty(lambda n, _: "forbidden" if n > 1 else None, store=serve(lines)).url)
    with pytest.raises(UserError, match="403"):
        stages.pull(session, "2014-01", client=banned, domains=people("P19"), source="banned", as_of=DAY)
    assert snapshots.get(session, "2014-01").status == "pulling"


def dated(qid: int, pid: int, text: str, precision: int = 9) -> str:
    """A statement with a time as an engine writes it."""
    name, node = f"<{WD}statement/Q{qid}-{pid}>", f"<http://www.wikidata.org/value/v{qid}-{pid}>"
    typed = f'"{text}"^^<http://www.w3.org/2001/XMLSchema#dateTime>'
    return (
        f"<{WD}Q{qid}> <{PROP}P{pid}> {name} .\n{name} <{PROP}statement/P{pid}> {typed} .\n"
        f"{name} <{WIKIBASE}rank> <{WIKIBASE}NormalRank> .\n"
        f"{name} <{PROP}statement/value/P{pid}> {node} .\n{node} <{WIKIBASE}timeValue> {typed} .\n"
        f'{node} <{WIKIBASE}timePrecision> "{precision}"^^<http://www.w3.org/2001/XMLSchema#integer> .\n'
        f"{node} <{WIKIBASE}timeCalendarModel> <{WD}Q1985727> .\n"
    )


def test_a_source_whose_times_cannot_be_read_does_not_get_through(session: Session, faulty: Callable) -> None:
    people_born = [claim(qid, 31, 5) + labelled(qid, f"person {qid}") for qid in range(1, 1001)]
    born = [dated(qid, 569, "1837-05-24T00:00:00Z") for qid in range(1, 1000)]

    def pull(key: str, *more: str) -> snapshots.SnapshotRow:
        client = WikidataClient(faulty(store=serve([*people_born, *born, *more])).url)
        return stages.pull(session, key, client=client, domains=people("P569"), source=key, as_of=DAY)

    # One in a thousand is borne; the second is not.
    assert pull("2015-01", dated(1000, 569, "944-01-01T00:00:00Z")).status == "published"
    gates = snapshots.notes(session, "2015-01")["gates"]
    assert (gates["times"], gates["unreadable_times"]) == (1000, 0.001)
    born.pop()
    with pytest.raises(UserError, match=r"0\.20% of 1000 times could not be read, limit 0\.10%: '944-01-01T00:00:00Z'"):
        pull("2015-02", dated(1000, 569, "944-01-01T00:00:00Z"), dated(999, 569, "944-01-01T00:00:00Z"))


def test_a_source_without_ranks_does_not_get_through_and_the_few_that_lack_one_support_nothing(
    session: Session, faulty: Callable, caplog: pytest.LogCaptureFixture
) -> None:
    people_born = [claim(qid, 31, 5) + claim(qid, 19, 7) + labelled(qid, f"person {qid}") for qid in range(1, 1001)]

    def pull(key: str, least: int, domains: Domains) -> snapshots.SnapshotRow:
        """From `least` on, the places of birth lack a rank."""
        lines = [line + "\n" for lines in people_born for line in lines.splitlines()]
        bare = {f"<{WD}statement/Q{qid}-19-7> <{WIKIBASE}rank>" for qid in range(least, 1001)}
        kept = [line for line in lines if " ".join(line.split()[:2]) not in bare]
        client = WikidataClient(faulty(store=serve(kept)).url)
        return stages.pull(session, key, client=client, domains=domains, source=key, as_of=DAY)

    def stored(key: str, table: Table) -> int:
        return session.scalar(select(func.count()).where(table.c.snapshot == key, table.c.p == 19))

    wanted = people("P19")
    assert pull("2017-01", 1001, wanted).status == "published" and "rank" not in caplog.text
    assert (stored("2017-01", tables.statement), stored("2017-01", tables.deprecated_value)) == (1000, 0)
    # One in a thousand is borne, is said, and supports nothing.
    assert pull("2017-02", 1000, wanted).status == "published"
    assert "the source gives statements without a rank (wikibase:rank), first in" in caplog.text
    assert (stored("2017-02", tables.statement), stored("2017-02", tables.deprecated_value)) == (999, 1)
    assert any(
        line.startswith("1 of 1000 statements have no rank in the source: as any of them may be deprecated")
        for line in summary.remarks(snapshots.notes(session, "2017-02"))
    )
    for key, least, count in (("2017-03", 999, 2), ("2017-04", 1, 1000)):
        with pytest.raises(UserError, match=rf"{count} of 1000 statements have no rank .*limit 0\.1%.*truthy"):
            pull(key, least, wanted)
        assert snapshots.get(session, key).status == "pulling"
    # Whoever wants them nonetheless gets none of them as a fact.
    lenient = wanted.model_copy(update={"gates": wanted.gates.model_copy(update={"rankless": 1.0})})
    assert pull("2017-05", 1, lenient).status == "published"
    assert (stored("2017-05", tables.statement), stored("2017-05", tables.deprecated_value)) == (0, 1000)
    noted = snapshots.notes(session, "2017-05")
    assert (noted["complete"]["rankless"], noted["complete"]["statements"], noted["gates"]["rankless"]) == (1000,) * 3


def test_the_engine_that_gets_dates_wrong_is_remembered_by_a_pull_that_goes_on(
    session: Session, faulty: Callable, monkeypatch: pytest.MonkeyPatch
) -> None:
    lines = [claim(1, 31, 5) + labelled(1, "Caesar") + dated(1, 570, "-0043-03-13T00:00:00Z", 11)]
    lines += [claim(2, 31, 5) + labelled(2, "Augustus") + dated(2, 570, "0014-08-17T00:00:00Z", 11)]
    server, config = faulty(store=serve(lines)), people("P570")
    stages.open_snapshot(session, "2016-01", source="virtuoso", as_of=DAY)
    # The very first answer shows it, and then the run is killed; the next run meets no answer that does.
    with monkeypatch.context() as patch:
        patch.setattr(server.RequestHandlerClass, "server_version", "Virtuoso/07.20.3229 (Linux)")
        stages.pull_metadata(session, "2016-01", client=WikidataClient(server.url), domains=config)
    row = stages.pull(
        session, "2016-01", client=WikidataClient(server.url), domains=config, source="virtuoso", as_of=DAY
    )
    kinds = {
        r.s: r.kind
        for r in session.execute(select(tables.statement).where(tables.statement.c.snapshot == row.snapshot))
        if r.p == 570
    }
    assert kinds == {1: "unknown", 2: "time"} and row.status == "published"
    remarks = "\n".join(summary.remarks(snapshots.notes(session, "2016-01")))
    assert "answered by Virtuoso" in remarks and "1 × time before Christ" in remarks
