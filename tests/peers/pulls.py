"""Whole pulls of the bundled sample, and what they must come to."""

import gzip
from datetime import date
from itertools import count
from pathlib import Path

import pytest
from sqlalchemy.orm import Session

from halluvault_tasks.knowledge import dump_pull, snapshots, stages
from halluvault_tasks.knowledge.client import WikidataClient
from halluvault_tasks.knowledge.config import Domains, load_domains
from halluvault_tasks.knowledge.snapshots import SnapshotRow
from halluvault_tasks.settings import REPOSITORY
from halluvault_tasks.storage import sessions
from tests.peers.sparql import sample_lines

DAY = date(2026, 11, 20)
_years = count(1960)


def month() -> str:
    """A month that no other test of this module uses."""
    return f"{next(_years)}-10"


def configuration() -> Domains:
    """The real one."""
    return load_domains(REPOSITORY / "config" / "domains.yaml")


def pull(session: Session, url: str, domains: Domains, key: str = "", **more: object) -> SnapshotRow:
    """Pull a month from an engine, without waiting for anything."""
    client = WikidataClient(url, **{"sleep": lambda _: None, **more})
    key = key or month()
    return stages.pull(session, key, client=client, domains=domains, source=f"engine {key}", as_of=DAY)


def faults(session: Session, row: SnapshotRow) -> dict[str, int]:
    """What could not be read."""
    found: dict[str, int] = snapshots.notes(session, row.snapshot)["complete"]["faults"]
    return found


@pytest.fixture(scope="module")
def by_dump(database_url: str, tmp_path_factory: pytest.TempPathFactory) -> str:
    """Content hash of the sample under the real configuration, by the reader of dumps: no engine has a part in it."""
    path: Path = tmp_path_factory.mktemp("dump") / "sample.nt.gz"
    path.write_bytes(gzip.compress("".join(sample_lines()).encode(), 1))
    with sessions.session(database_url) as session:
        row = dump_pull.pull(session, month(), path=path, domains=configuration(), as_of=DAY)
    assert row.content_hash
    return row.content_hash
