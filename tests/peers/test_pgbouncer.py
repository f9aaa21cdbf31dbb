"""A pooler changes nothing: every stage through a real PgBouncer in transaction mode, beside six busy clients.

The database behind it has defaults that a careful administrator sets, and that its sessions must bear: repeatable
read, and limits on a statement's and an idle transaction's time.
"""

import uuid
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager
from datetime import date
from pathlib import Path
from typing import Any

import psycopg2
import pytest
from sqlalchemy import text

from halluvault_tasks.benchmark.export import reading
from halluvault_tasks.errors import UserError
from halluvault_tasks.knowledge import diff, dump_pull, retire, snapshots, stages
from halluvault_tasks.knowledge.client import WikidataClient
from halluvault_tasks.local import endpoint, postgres, rdf, sample
from halluvault_tasks.local.simulator.model import SimulatedModel
from halluvault_tasks.local.simulator.server import serving as serving_models
from halluvault_tasks.reasoning import audit
from halluvault_tasks.results import report, views
from halluvault_tasks.storage import roles, sessions
from tests.conftest import PASSWORDS
from tests.knowledge.conftest import serving
from tests.peers import month, pgbouncer
from tests.querying import support
from tests.require import require
from tests.typed import CONTEXT, preload

STRICT = ("default_transaction_isolation = 'repeatable read'", "statement_timeout = '20s'",
          "idle_in_transaction_session_timeout = '10s'")  # fmt: skip
DAY = date(2026, 10, 31)


class Database:
    """A results database, and the pooler before its server."""

    def __init__(self, server: postgres.PostgresServer, name: str, pooler: pgbouncer.Pooler) -> None:
        self.direct = server.url(name, "halluvault", PASSWORDS["halluvault"])
        self.url = pooler.url(self.direct)
        self.pooler = pooler


@pytest.fixture(scope="module")
def pooler(postgres_server: postgres.PostgresServer) -> Iterator[pgbouncer.Pooler]:
    """The pooler, and six clients that keep it busy."""
    require(pgbouncer.BINARY, "PgBouncer is not on this machine: apt-get install pgbouncer")
    with (
        pgbouncer.pooling(postgres_server, "postgres", PASSWORDS) as running,
        pgbouncer.busy(running.url(postgres_server.url())),
    ):
        yield running


@contextmanager
def made(server: postgres.PostgresServer, pooler: pgbouncer.Pooler, *settings: str) -> Iterator[Database]:
    """A fresh database, its tables and views made through the pooler."""
    name = f"pooled_{uuid.uuid4().hex[:12]}"
    roles.create_database(server.url(), name, "halluvault", PASSWORDS)
    with closing(psycopg2.connect(server.url(name).replace("+psycopg2", ""))) as admin, admin, admin.cursor() as cursor:
        for setting in settings:
            cursor.execute(f"ALTER DATABASE {name} SET {setting}")
    database = Database(server, name, pooler)
    views.upgrade(database.url)
    yield database
    for url in (database.direct, database.url):
        sessions.engine(url).dispose()


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Callable[[str], month.Place]]:
    """Where months are made of the sample by a model that says yes and no, but for the database."""

    def echo(model: str, prompt: str, seed: int | None) -> str:
        return "Yes." if len(prompt) % 2 else "No."

    with (
        serving(endpoint.Endpoint(endpoint.load_sample(), 0)) as served,
        serving_models([SimulatedModel("echo", echo)]) as models,
    ):
        registry = support.registry(models, outage_seconds=60)

        def of(database_url: str) -> month.Place:
            scratch = tmp_path_factory.mktemp("scratch")
            return month.Place(database_url, served.url, registry.model_dump_json(), scratch, month.CONFIG)

        yield of


@pytest.fixture(scope="module")
def alone(
    postgres_server: postgres.PostgresServer, pooler: pgbouncer.Pooler, place: Callable[[str], month.Place]
) -> Iterator["Running"]:
    """Two months made without the pooler; they are under way."""
    preload("tests.peers.month", "tests.peers.loaded")
    with made(postgres_server, pooler) as database:
        running = Running(place(database.direct))
        yield running
        running.process.join()


@pytest.fixture(scope="module")
def pulled_alone(alone: "Running") -> str | None:
    """Content hash of a month that was pulled without the pooler."""
    alone.left()
    with sessions.session(alone.place.database_url) as session:
        return snapshots.get(session, month.NEXT).content_hash


class Running:
    """Two months under way in a process of their own: Prolog has one engine a process."""

    def __init__(self, place: month.Place, barrier: Any = None, months: int = 2) -> None:
        self.place = place
        self._told = CONTEXT.SimpleQueue()
        self._left: month.Left | None = None
        self.process = CONTEXT.Process(target=month.make, args=(place, self._told, barrier, months), daemon=True)
        self.process.start()

    def left(self) -> month.Left:
        """What is there once it has ended."""
        if self._left is None:
            while self._told.empty():
                assert self.process.is_alive(), "it ended without a word: see its traceback above"
                self.process.join(0.1)
            self._left = self._told.get()
        return self._left


@contextmanager
def locked(url: str, table: str) -> Iterator[Callable[[], bool]]:
    """A table that others may read and not write; yields whether somebody waits to."""
    with closing(psycopg2.connect(url.replace("+psycopg2", ""))) as connection, connection.cursor() as cursor:
        cursor.execute(f"LOCK TABLE {table} IN SHARE MODE")

        def waited_for() -> bool:
            cursor.execute("SELECT pg_sleep(0.05)")
            cursor.execute("SELECT count(*) FROM pg_locks WHERE NOT granted AND relation = %s::regclass", [table])
            return cursor.fetchone() != (0,)

        yield waited_for


def read(url: str) -> tuple[str, list[Any]]:
    """The month's report, and its benchmark as it is exported."""
    with sessions.session(url) as session:
        return report.html(session, month.MONTH), list(reading.export(session, month.MONTH))


def dropped(url: str) -> tuple[Any, dict[str, str]]:
    """What has changed from the one month to the other, and what the older leaves when it is dropped."""
    with sessions.session(url) as session:
        changed = diff.compare(session, month.MONTH, month.NEXT)
        retire.drop(session, month.MONTH)
        return changed, month.digests(session)


WRITTEN_LAST = (
    "property", "rule", "derived_fact_2026_09", "temporal_fact", "prompt", "response", "verdict", "result",
)  # fmt: skip
"""A table that each stage writes late: who holds it has the stage where there is most to lose."""


def test_a_month_during_which_the_pooler_is_killed_in_every_stage_is_the_month_without_one(
    postgres_server: postgres.PostgresServer,
    pooler: pgbouncer.Pooler,
    alone: Running,
    place: Callable[[str], month.Place],
) -> None:
    with made(postgres_server, pooler, *STRICT) as database:
        running = Running(place(database.url), months=1)
        for table in WRITTEN_LAST:
            with locked(database.direct, table) as waited_for:
                pooler.start()
                while not waited_for():
                    assert running.process.is_alive()
                pooler.kill()
        pooler.start()
        left = running.left()
        assert left.tables == alone.left().tables
        assert read(database.url) == read(alone.place.database_url)


def test_two_of_every_stage_at_once_make_one_month_and_the_second_says_whom_it_waits_for(
    postgres_server: postgres.PostgresServer,
    pooler: pgbouncer.Pooler,
    alone: Running,
    place: Callable[[str], month.Place],
) -> None:
    barrier = CONTEXT.Barrier(2)
    with made(postgres_server, pooler, *STRICT) as database:
        both = [Running(place(database.url), barrier) for _ in range(2)]
        found = [running.left() for running in both]
        assert [left.later for left in found] == [alone.left().later] * 2
        for one, other in (both, reversed(both)):
            assert all(f"process {other.process.pid} on" in said for said in one.left().waited)
        said = " ".join(line for left in found for line in left.waited)
        assert f"waiting: {month.MONTH} pull: process" in said
        assert dropped(database.url) == dropped(alone.place.database_url)


def pulled(place: month.Place, key: str) -> str | None:
    """Content hash of a month that is pulled."""
    with sessions.session(place.database_url) as session:
        client = WikidataClient(place.endpoint)
        row = stages.pull(session, key, client=client, domains=month.two_domains(), source=key, as_of=DAY)
    return row.content_hash


def test_two_months_pulled_at_once_are_each_what_they_are_alone(
    postgres_server: postgres.PostgresServer,
    pooler: pgbouncer.Pooler,
    pulled_alone: str | None,
    place: Callable[[str], month.Place],
) -> None:
    with made(postgres_server, pooler, *STRICT) as database, ThreadPoolExecutor() as pool:
        at_once = [pool.submit(pulled, place(database.url), key) for key in ("2026-08", "2026-09")]
        assert {one.result() for one in at_once} == {pulled_alone} != {None}


def test_a_dump_gives_the_same_month_and_an_audit_leaves_it_alone(
    postgres_server: postgres.PostgresServer, pooler: pgbouncer.Pooler, pulled_alone: str | None, tmp_path: Path
) -> None:
    dump = tmp_path / "sample.nt"
    dump.write_text("".join(rdf.n_triples(sample.load())))
    with made(postgres_server, pooler, *STRICT) as database, sessions.session(database.url) as session:
        row = dump_pull.pull(session, "2026-08", path=dump, domains=month.two_domains(), as_of=DAY)
        assert row.content_hash == pulled_alone
        before = month.digests(session)
        with audit.workspace(session) as inner:
            audit.copy_snapshot(inner, "public", "2026-08")
            inner.execute(text("DELETE FROM statement"))
            inner.commit()
            assert inner.scalar(text("SELECT count(*) FROM public.statement")) > 0
        assert month.digests(session) == before


def test_what_a_pooler_cannot_do_is_refused_before_anything_is_written(
    postgres_server: postgres.PostgresServer, pooler: pgbouncer.Pooler
) -> None:
    through = pooler.url(postgres_server.url())
    with pytest.raises(UserError, match=r"names a pooler.*→ give the server's own host and port"):
        roles.create_database(through, "never_made", "never_made", {"never_made": "secret"})
    with sessions.session(postgres_server.url()) as session:
        assert session.execute(text("SELECT FROM pg_roles WHERE rolname = 'never_made'")).first() is None
    by_statement = through.rpartition("/")[0] + f"/{pgbouncer.STATEMENT_MODE}"
    for url, said in (
        (by_statement, r"allows no transactions \(pool_mode = statement\)"),
        (f"{through}?options=-c%20jit%3Doff", "takes no such options.*ALTER ROLE"),
    ):
        with pytest.raises(UserError, match=said), sessions.session(url):
            pass
