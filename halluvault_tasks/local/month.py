"""A bundled sample's month on a Postgres of its own, without Airflow: for studies that need a benchmark."""

import logging
import secrets
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from sqlalchemy.orm import Session

from halluvault_tasks.benchmark import stages as benchmark_stages
from halluvault_tasks.benchmark.freeze import part_lookup
from halluvault_tasks.knowledge import stages as knowledge_stages
from halluvault_tasks.knowledge.client import WikidataClient
from halluvault_tasks.knowledge.config import load_domains
from halluvault_tasks.local import postgres, processes, sample, secret_files
from halluvault_tasks.local.endpoint import Endpoint, load_sample
from halluvault_tasks.reasoning import stages as reasoning_stages
from halluvault_tasks.reasoning.stages import exclusive_seats, settled_dates
from halluvault_tasks.results import views
from halluvault_tasks.storage import roles, sessions
from halluvault_tasks.temporal.generate import TemporalConfig
from halluvault_tasks.temporal.stages import derive_temporal
from halluvault_tasks.wikidata import snapshot_keys

_log = logging.getLogger(__name__)


class Month(NamedTuple):
    """A finished benchmark of the sample."""

    session: Session
    snapshot: str


@contextmanager
def sample_month(
    state: Path, *, config_dir: Path, prolog_dir: Path, size: str = "full", folder: Path = sample.CHECKED
) -> Iterator[Month]:
    """A bundled sample pulled, derived and made a benchmark of; what a killed run left is taken up again.

    Args:
        state: directory of the embedded Postgres (about 150 MB); kept, so that a second time takes a second.
        config_dir: domains, rules, quotas and lexicon.
        prolog_dir: the hand-written Prolog.
        size: of the benchmark; `full` has about 20 times the cases of `demo`.
        folder: the sample.

    Raises:
        UserError: Postgres did not start, or a stage found its input faulty.
    """
    pids = state / "pids"
    processes.reap(pids)
    server = postgres.start(state / "postgres", pids)
    try:
        url = _database(server, state)
        views.upgrade(url)
        with sessions.session(url) as session:
            # The sample's own month: the same wherever and whenever it is built.
            snapshot = snapshot_keys.last_closed_month(sample.stated_date(folder))
            if snapshot not in part_lookup.months(session):
                _log.info("making the sample's month %s in %s", snapshot, state)
                make(session, snapshot, state, config_dir, prolog_dir, size, folder)
            yield Month(session, snapshot)
        sessions.engine(url).dispose()
    finally:
        postgres.stop(server, pids)


def _database(server: postgres.PostgresServer, state: Path) -> str:
    path = state / "passwords"
    password = secret_files.read(path)
    if not password:
        password = {name: secrets.token_urlsafe(18) for name in ("halluvault", roles.READER, roles.SIMULATOR)}
        secret_files.write(path, password)
    roles.create_database(server.url(), "halluvault", "halluvault", password)
    return server.url("halluvault", "halluvault", password["halluvault"])


def make(
    session: Session,
    snapshot: str,
    state: Path,
    config_dir: Path,
    prolog_dir: Path,
    size: str,
    folder: Path = sample.CHECKED,
) -> None:
    """Pull a sample into a migrated database under a key, derive everything and build its benchmark."""
    derive(session, snapshot, state, config_dir, prolog_dir, folder)
    benchmark_stages.build(session, snapshot, config_dir=config_dir, size=size)


def derive(
    session: Session, snapshot: str, state: Path, config_dir: Path, prolog_dir: Path, folder: Path = sample.CHECKED
) -> None:
    """Pull a sample into a migrated database under a key and derive everything that questions are made of."""
    source = load_sample(folder)
    server = Endpoint(source, 0)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        knowledge_stages.pull(
            session,
            snapshot,
            client=WikidataClient(f"http://127.0.0.1:{server.server_address[1]}/sparql", ""),
            domains=load_domains(config_dir / "domains.yaml"),
            source=source.source,
            as_of=sample.stated_date(folder),
            progress=None,
        )
    finally:
        server.shutdown()
        server.server_close()
    reasoning_stages.type_rules(session, snapshot, rules_file=config_dir / "rules.yaml")
    scratch = state / "scratch"
    scratch.mkdir(parents=True, exist_ok=True)
    reasoning_stages.derive_shard(session, snapshot, prolog_dir=prolog_dir, scratch=scratch)
    reasoning_stages.check_derivation(session, snapshot, shards=1)
    derive_temporal(
        session,
        snapshot,
        config=TemporalConfig(),
        prolog_dir=prolog_dir,
        settled=settled_dates(session, snapshot),
        exclusive=exclusive_seats(session, snapshot),
    )
