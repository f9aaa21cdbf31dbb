"""A real Apache Jena Fuseki on TDB2."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.peers.sparql import Engine, sample_lines


@pytest.fixture(scope="session")
def fuseki(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Engine]:
    """One server a session, with the bundled sample."""
    file: Path = tmp_path_factory.mktemp("fuseki") / "sample.ttl"
    file.write_text("".join(sample_lines()), encoding="utf-8")
    engine = Engine("fuseki", "/wikidata/sparql", str(file))
    try:
        yield engine
    finally:
        engine.close()
