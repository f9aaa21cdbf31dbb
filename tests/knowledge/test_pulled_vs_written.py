"""What was pulled against what was written: a snapshot whose rows are not those of its bodies is not frozen."""

import tempfile
from collections.abc import Mapping
from datetime import date
from pathlib import Path

import pytest
from sqlalchemy import func, select, text
from sqlalchemy.orm import Session

from halluvault_tasks.errors import UserError
from halluvault_tasks.knowledge import load, pulled_vs_written, snapshots, stages
from halluvault_tasks.knowledge.client import WikidataClient
from halluvault_tasks.knowledge.config import Domains
from halluvault_tasks.knowledge.pulled_vs_written import Brought, PullAccount, StoredBody
from halluvault_tasks.local import sample
from halluvault_tasks.storage import sessions
from halluvault_tasks.storage.tables import deprecated_value, entity, incident, pull_batch, redirect, statement

DAY = date(2026, 11, 20)
KEY = "2026-10"

FAULTS = {
    "a statement lost": "DELETE FROM statement WHERE snapshot = :key AND sid = 7",
    "a statement of another month": "INSERT INTO statement (snapshot, sid, guid, s, p, kind, rank) "
    "VALUES (:key, 1000000, 'Q1-x', 1, 1, 'none', 'normal')",
    "a deprecated value lost": "DELETE FROM deprecated_value WHERE (snapshot, guid) = "
    "(SELECT snapshot, min(guid) FROM deprecated_value WHERE snapshot = :key GROUP BY snapshot)",
    "an entity lost": "DELETE FROM entity WHERE snapshot = :key AND qid = 5",
    "a property lost": "DELETE FROM property WHERE snapshot = :key AND pid = 19",
    "a redirect too many": "INSERT INTO redirect VALUES (:key, 1, 2)",
    "a body lost": "DELETE FROM pull_batch WHERE (snapshot, query_hash) = "
    "(SELECT snapshot, min(query_hash) FROM pull_batch WHERE snapshot = :key AND stage = 'entities' GROUP BY snapshot)",
    "a body replaced": "UPDATE pull_batch SET rows = rows + 1 WHERE (snapshot, query_hash) = "
    "(SELECT snapshot, min(query_hash) FROM pull_batch WHERE snapshot = :key AND stage = 'statements times' "
    "GROUP BY snapshot)",
}


@pytest.fixture(scope="module")
def completed(database_url: str, everything: Domains, sample_url: str) -> dict[str, int]:
    """The sample pulled up to its gates; its account."""
    with sessions.session(database_url) as session:
        client = WikidataClient(sample_url)
        stages.open_snapshot(session, KEY, source="sample", as_of=DAY)
        stages.pull_metadata(session, KEY, client=client, domains=everything)
        stages.complete(session, KEY, client=client, domains=everything)
        stages.check_gates(session, KEY, limits=everything.gates)
        return dict(snapshots.notes(session, KEY)["complete"]["account"])


def test_every_statement_and_entity_is_accounted_for(session: Session, completed: Mapping[str, int]) -> None:
    written = sum(
        session.scalar(select(func.count()).select_from(table).where(table.c.snapshot == KEY)) or 0
        for table in (statement, deprecated_value)
    )
    assert written == len(sample.load(sample.CHECKED).statements) == completed["statements"] - completed["again"]
    assert completed["dropped"] == 0 and completed["merged"] > 0
    entities = session.scalar(select(func.count()).select_from(entity).where(entity.c.snapshot == KEY))
    assert entities == completed["entities"] - completed["merged"]
    bodies, rows = session.execute(select(func.count(), func.sum(pull_batch.c.rows))).one()
    assert (bodies, rows) == (completed["bodies"], completed["rows"])


@pytest.mark.parametrize("fault", FAULTS)
def test_rows_that_are_not_those_of_the_bodies_are_never_frozen(
    session: Session, completed: Mapping[str, int], fault: str
) -> None:
    noted = snapshots.notes(session, KEY)["complete"]
    assert pulled_vs_written.failures(session, KEY, noted) == []
    session.execute(text(FAULTS[fault]), {"key": KEY})
    assert len(pulled_vs_written.failures(session, KEY, noted)) >= 1
    session.rollback()


def test_a_month_that_does_not_add_up_says_so_and_is_made_anew_of_its_bodies(
    session: Session, completed: Mapping[str, int], everything: Domains, sample_url: str
) -> None:
    session.execute(text(FAULTS["a statement lost"]), {"key": KEY})
    session.commit()
    promised = completed["statements"] - completed["again"]
    said = f"{KEY} does not hold what was pulled: statements: {promised} by the account, {promised - 1} there → "
    with pytest.raises(UserError, match=said + f"halluvault pull --snapshot {KEY}"):
        stages.freeze(session, KEY)
    assert snapshots.get(session, KEY).status == "pulling"
    assert session.scalars(select(incident.c.kind).where(incident.c.snapshot == KEY)).all() == ["gate_failed"]
    client = WikidataClient(sample_url)
    again = stages.pull(session, KEY, client=client, domains=everything, source="sample", as_of=DAY)
    assert (again.status, client.requests) == ("published", 0)
    anew = stages.pull(session, "2026-10.2", client=client, domains=everything, source="sample", as_of=DAY)
    assert again.content_hash == anew.content_hash


def test_what_two_domains_ask_for_is_given_twice_and_written_once(
    session: Session, small: Domains, sample_url: str
) -> None:
    people = small.require("people")
    fewer = people.model_copy(update={"properties": (19, 569)})
    twice = small.model_copy(update={"domains": {"people": people, "again": fewer}})
    client = WikidataClient(sample_url)
    stages.pull(session, "2026-07", client=client, domains=twice, source="twice", as_of=DAY)
    seeds = select(entity.c.qid).where(entity.c.snapshot == "2026-07", entity.c.seed)
    both = [
        session.scalar(
            select(func.count())
            .select_from(table)
            .where(table.c.snapshot == "2026-07", table.c.s.in_(seeds), table.c.p.in_(twice.asked_of_seeds("again")))
        )
        for table in (statement, deprecated_value)
    ]
    assert snapshots.notes(session, "2026-07")["complete"]["account"]["again"] == sum(map(int, both)) > 100


def test_answers_that_the_plan_no_longer_asks_for_are_not_in_the_account(
    session: Session, small: Domains, sample_url: str
) -> None:
    finer = small.model_copy(update={"batches": small.batches.model_copy(update={"seeds": 20})})
    client = WikidataClient(sample_url)
    stages.open_snapshot(session, "2026-08", source="finer", as_of=DAY)
    stages.pull_domain(session, "2026-08", "people", client=client, domains=finer)
    row = stages.pull(session, "2026-08", client=client, domains=small, source="finer", as_of=DAY)
    assert row.status == "published"
    unread = select(func.count()).where(pull_batch.c.snapshot == "2026-08", pull_batch.c.gives.is_(None))
    assert (session.scalar(unread) or 0) > 0


def test_a_month_is_written_beside_a_reader_of_the_others_until_its_statements_take_their_place(
    session: Session, database_url: str, small: Domains, sample_url: str
) -> None:
    """Who has read these tables may read statements next: were a pull to wait for them, both would, for ever."""
    month, client = "2026-06", WikidataClient(sample_url)
    stages.open_snapshot(session, month, source="beside", as_of=DAY)
    stages.pull_domain(session, month, "people", client=client, domains=small)
    with sessions.session(database_url) as reader:
        for table in (entity, deprecated_value, redirect):
            reader.execute(select(func.count()).select_from(table))
        session.execute(text("SET lock_timeout = '20s'"))
        row = stages.pull(session, month, client=client, domains=small, source="beside", as_of=DAY)
        session.execute(text("RESET lock_timeout"))
    assert row.status == "published"


def test_a_batch_of_which_other_rows_arrive_than_were_made_is_named() -> None:
    mine = PullAccount()
    mine.statements("a batch of statements (Q1-a …)", given=3, written=2, dropped=1)
    mine.entities("a batch of entities (Q7 …)", given=4, written=4, merged=0)
    bodies = {"a": StoredBody(5, statements=4), "b": StoredBody(9, entities=4)}
    figures = mine.figures(bodies, Brought({0: 2}, {1: 4}, again=1))
    assert figures == {
        "bodies": 2, "rows": 14, "statements": 4, "again": 2, "dropped": 1, "entities": 4, "merged": 0,
    }  # fmt: skip
    for brought, said in (
        (Brought({}, {1: 4}, 0), r"2 rows were made of a batch of statements \(Q1-a …\), 0 arrived"),
        (Brought({0: 2}, {1: 5}, 0), r"4 rows were made of a batch of entities \(Q7 …\), 5 arrived"),
        (Brought({0: 2, 9: 1}, {1: 4}, 0), "rows of 1 batches arrived that this pull did not make"),
    ):
        with pytest.raises(UserError, match=said):
            mine.figures(bodies, brought)
    with pytest.raises(UserError, match="gives 5, of which 3 became rows and 1 cannot"):
        mine.statements("a batch", given=5, written=3, dropped=1)


def test_a_full_scratch_disk_is_one_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "gone"))
    with pytest.raises(UserError, match=r"no space for the rows of the pull in '.*/gone'.*TMPDIR"):
        load.Loader(KEY)


def test_an_answer_that_is_not_stored_as_it_was_read_stops_the_month(
    session: Session, completed: Mapping[str, int]
) -> None:
    mine = select(pull_batch.c.query_hash, pull_batch.c.rows).where(pull_batch.c.snapshot == KEY)
    some = session.execute(mine.limit(2)).all()
    with pytest.raises(UserError, match="2 answers were read, 1 of them are stored as they were read"):
        pulled_vs_written.settle(
            session, KEY, {some[0].query_hash: StoredBody(some[0].rows), some[1].query_hash: StoredBody(-1)}
        )
    session.rollback()
