"""A real Blazegraph, the engine of the Wikidata Query Service, and what it counts of its own work."""

import urllib.parse
import urllib.request
from collections.abc import Iterator
from html.parser import HTMLParser
from typing import NamedTuple

import pytest

from tests.peers.sparql import Engine, post, sample_lines

_NAMESPACE = """<?xml version="1.0" encoding="UTF-8" standalone="no"?>
<!DOCTYPE properties SYSTEM "http://java.sun.com/dtd/properties.dtd">
<properties>
<entry key="com.bigdata.rdf.sail.namespace">{name}</entry>
<entry key="com.bigdata.rdf.store.AbstractTripleStore.quads">false</entry>
<entry key="com.bigdata.rdf.store.AbstractTripleStore.statementIdentifiers">false</entry>
<entry key="com.bigdata.rdf.store.AbstractTripleStore.textIndex">false</entry>
<entry key="com.bigdata.rdf.store.AbstractTripleStore.axiomsClass">com.bigdata.rdf.axioms.NoAxioms</entry>
<entry key="com.bigdata.rdf.sail.truthMaintenance">false</entry>
</properties>
"""
TURTLE = "text/turtle; charset=utf-8"


class Work(NamedTuple):
    """What Blazegraph counts of one query, over all its operators."""

    read: int
    """Triples read from its indexes."""
    lookups: int
    """Ranges of an index that were opened."""
    solutions: int
    """Solutions that operators were given."""


@pytest.fixture(scope="session")
def blazegraph() -> Iterator[Engine]:
    """One server a session, with the bundled sample."""
    engine = Engine("blazegraph", "/bigdata/sparql", java="javac")
    try:
        post(engine.url, "".join(sample_lines()).encode(), TURTLE)
        yield engine
    finally:
        engine.close()


def namespace(engine: Engine, name: str, turtle: bytes) -> str:
    """A store of its own in the same server; returns its endpoint."""
    post(f"{engine.base}/bigdata/namespace", _NAMESPACE.format(name=name).encode(), "application/xml")
    url = f"{engine.base}/bigdata/namespace/{name}/sparql"
    post(url, turtle, TURTLE)
    return url


def work(url: str, query: str) -> Work:
    """What it costs Blazegraph to answer a query, by its own `explain`."""
    for _ in range(20):
        if found := _explained(url, query):
            return Work(*map(sum, zip(*found, strict=True)))
    raise AssertionError(f"Blazegraph counts nothing of {query}")


def _explained(url: str, query: str) -> list[Work]:
    """The totals of each part of a query; of one short query in fifteen Blazegraph's page has none."""
    body = urllib.parse.urlencode({"query": query}).encode()
    with urllib.request.urlopen(f"{url}?explain=details", body, timeout=120) as answer:
        page = _Tables()
        page.feed(answer.read().decode())
    return [
        Work(*(int(row[name]) for name in ("accessPathUnitsIn", "accessPathCount", "unitsIn")))
        for head, *rows in (table for table in page.tables if table and "bopId" in table[0])
        for row in (dict(zip(head, cells, strict=False)) for cells in rows)
        if row["bopId"] == "total"
    ]


class _Tables(HTMLParser):
    """The tables of a page, as rows of texts."""

    def __init__(self) -> None:
        super().__init__()
        self.tables: list[list[list[str]]] = []
        self._inside = False

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag == "table":
            self.tables.append([])
        elif tag == "tr" and self.tables:
            self.tables[-1].append([])
        elif tag in {"td", "th"} and self.tables and self.tables[-1]:
            self.tables[-1][-1].append("")
            self._inside = True

    def handle_endtag(self, tag: str) -> None:
        if tag in {"td", "th"}:
            self._inside = False

    def handle_data(self, data: str) -> None:
        if self._inside:
            self.tables[-1][-1][-1] += data.strip()
