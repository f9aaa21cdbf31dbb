"""The sample month from a real Fuseki."""

from sqlalchemy.orm import Session

from tests.peers.fuseki import fuseki
from tests.peers.pulls import by_dump, configuration, faults, pull
from tests.peers.sparql import Engine

__all__ = ["by_dump", "fuseki"]


def test_the_sample_has_the_same_hash_from_fuseki(session: Session, fuseki: Engine, by_dump: str) -> None:
    row = pull(session, fuseki.url, configuration())
    assert row.content_hash == by_dump and faults(session, row) == {}
