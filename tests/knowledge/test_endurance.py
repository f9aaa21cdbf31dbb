"""A pull against a service that fails, and one that is killed: the same snapshot, or a clear refusal."""

import json
import random
import signal
import subprocess
import sys
from collections import Counter
from collections.abc import Callable
from datetime import date

import pytest
from sqlalchemy import func, select
from sqlalchemy.orm import Session

from halluvault_tasks.errors import UserError
from halluvault_tasks.knowledge import snapshots, stages
from halluvault_tasks.knowledge.client import ServiceLimits, WikidataClient
from halluvault_tasks.knowledge.config import Domains
from halluvault_tasks.local import endpoint
from halluvault_tasks.local.endpoint_faults import PASSING, EndpointFaults, FaultDraws
from halluvault_tasks.storage import sessions, tables
from tests.knowledge.conftest import serving

DAY = date(2026, 11, 20)


@pytest.fixture(scope="module")
def whole(database_url: str, everything: Domains, sample_url: str) -> snapshots.SnapshotRow:
    """The whole sample, pulled from a service that never fails."""
    with sessions.session(database_url) as session:
        client = WikidataClient(sample_url)
        return stages.pull(session, "1999-01", client=client, domains=everything, source="whole", as_of=DAY)


@pytest.mark.parametrize("seed", [1, 2])
def test_ten_percent_of_failing_requests_leave_no_trace(
    session: Session, everything: Domains, sample_store: endpoint.Served, whole: snapshots.SnapshotRow, seed: int
) -> None:
    # Small batches make many requests, so that every kind of fault has its chance.
    many = everything.model_copy(
        update={"batches": everything.batches.model_copy(update={"seeds": 30, "statements": 60, "entities": 40})}
    )
    faults = FaultDraws(EndpointFaults(rate=0.1, seed=seed, retry_after=0, drip=30))
    with serving(endpoint.Endpoint(sample_store, 0, faults=faults)) as server:
        client = WikidataClient(server.url, limits=ServiceLimits(1.0), sleep=lambda _: None)
        key = f"200{seed}-01"
        row = stages.pull(session, key, client=client, domains=many, source=f"faults {seed}", as_of=DAY)
        failed = Counter({kind: server.counts[kind] for kind in PASSING})
    assert failed.total() > 20 and len(+failed) >= 8
    assert row.content_hash == whole.content_hash
    assert (
        session.scalar(
            select(func.count())
            .select_from(tables.pull_batch)
            .where(tables.pull_batch.c.snapshot == key, tables.pull_batch.c.stage == "quarantine")
        )
        == 0
    )


def test_rows_missing_from_every_answer_are_a_refusal_and_never_a_short_snapshot(
    session: Session, small: Domains, sample_store: endpoint.Served
) -> None:
    # Only answers of statements lose rows: the service looks well, batches are halved and given up one by one.
    class Losing(FaultDraws):
        def pick(self, query: str, headers: object) -> str:
            return "dropped" if "wikibase:rank" in query and "p:P1086" in query else ""

    with serving(endpoint.Endpoint(sample_store, 0, faults=Losing(EndpointFaults()))) as server:
        client = WikidataClient(server.url, attempts=2, sleep=lambda _: None)
        with pytest.raises(
            UserError,
            match=r"quarantined: statements natural_science of .* not answered: .*(?:counted \d+ and|the count that)",
        ):
            stages.pull(session, "2010-01", client=client, domains=small, source="losing", as_of=DAY)
    assert snapshots.get(session, "2010-01").status == "pulling"
    incident = session.execute(select(tables.incident).where(tables.incident.c.snapshot == "2010-01")).one()
    assert "pull again" in incident.way_out


CHILD = """
import sys
from datetime import date
from halluvault_tasks.knowledge import stages
from halluvault_tasks.knowledge.client import WikidataClient
from halluvault_tasks.knowledge.config import Domains
from halluvault_tasks.storage import sessions
database, url, key, domains = sys.argv[1:]
with sessions.session(database) as session:
    stages.pull(session, key, client=WikidataClient(url), domains=Domains.model_validate_json(domains),
                source="kill -9", as_of=date(2026, 11, 20))
"""


def test_kill_9_at_ten_random_moments_leaves_the_same_snapshot(
    session: Session, database_url: str, small: Domains, faulty: Callable, sample_url: str
) -> None:
    healthy = stages.pull(
        session, "2011-01", client=WikidataClient(sample_url), domains=small, source="healthy", as_of=DAY
    )
    draw = random.Random(9)
    moments = sorted(draw.sample(range(2, 45), 7))
    child: list[subprocess.Popen[bytes]] = []

    def kill(number: int, _query: str) -> None:
        if number in moments:
            child[-1].kill()
            child[-1].wait()

    server, key = faulty(kill), "2012-01"
    command = [sys.executable, "-c", CHILD, database_url, server.url, key, json.dumps(as_written(small))]
    for _ in moments:
        child.append(subprocess.Popen(command))
        assert child[-1].wait() == -signal.SIGKILL
        assert snapshots.get(session, key).status == "pulling"
        session.rollback()
    # And at three moments of the clock: they may fall into start, normalising, gates or freezing.
    for _ in range(3):
        child.append(subprocess.Popen(command))
        try:
            child[-1].wait(timeout=draw.uniform(0.8, 2.5))
        except subprocess.TimeoutExpired:
            child[-1].kill()
            child[-1].wait()
    subprocess.run(command, check=True)
    assert snapshots.get(session, key).content_hash == healthy.content_hash
    # A kill loses at most the answer that was under way and the one that was being stored.
    assert len(server.queries) <= len(set(server.queries)) + 2 * len(child)


def as_written(domains: Domains) -> dict:
    """The configuration as a person would write it, with its letters."""
    return {
        "common": [f"P{pid}" for pid in domains.common],
        "batches": domains.batches.model_dump(),
        "domains": {
            name: {
                "roots": [root.model_dump() | {"qid": f"Q{root.qid}"} for root in domain.roots],
                "items": [f"Q{qid}" for qid in domain.items],
                "properties": [f"P{pid}" for pid in domain.properties],
                "limit": domain.limit,
            }
            for name, domain in domains.domains.items()
        },
    }
