"""What the local endpoint serves: a loaded store, and one query answered in the format asked for."""

import gzip
import time
from datetime import date
from pathlib import Path
from typing import IO, NamedTuple, cast

import pyoxigraph

from halluvault_tasks.errors import UserError
from halluvault_tasks.local import rdf, sample
from halluvault_tasks.wikidata.iris import DATA_SET

JSON = "application/sparql-results+json"
_RESULTS = {
    JSON: pyoxigraph.QueryResultsFormat.JSON,
    "application/json": pyoxigraph.QueryResultsFormat.JSON,
    "application/sparql-results+xml": pyoxigraph.QueryResultsFormat.XML,
    "application/xml": pyoxigraph.QueryResultsFormat.XML,
    "text/csv": pyoxigraph.QueryResultsFormat.CSV,
    "text/tab-separated-values": pyoxigraph.QueryResultsFormat.TSV,
}
_GRAPHS = {
    "application/n-triples": pyoxigraph.RdfFormat.N_TRIPLES,
    "text/turtle": pyoxigraph.RdfFormat.TURTLE,
    "application/rdf+xml": pyoxigraph.RdfFormat.RDF_XML,
}
_FORMATS = {".nt": pyoxigraph.RdfFormat.N_TRIPLES, ".ttl": pyoxigraph.RdfFormat.TURTLE}


class Served(NamedTuple):
    """A loaded store and what it holds."""

    store: pyoxigraph.Store
    source: str
    """`bundled-sample`, `checked-sample` or the file's name."""
    as_of: date | None
    """Date of the data, where the source states one."""
    triples: int


class QueryAnswer(NamedTuple):
    """What a query comes to."""

    status: int
    """HTTP: 200, 400 bad query, 406 no form that the client takes, 500 the query failed."""
    kind: str
    """Media type of the body."""
    body: bytes
    seconds: float
    """The endpoint's own time: evaluating and serialising, without transport."""
    cpu: float
    """Processor seconds of the same: what remains of it when others use the machine, too."""


def load_sample(folder: Path = sample.FOLDER) -> Served:
    """A bundled sample as a store: the one drawn from real Wikidata, or `sample.CHECKED`."""
    loaded = sample.load(folder)
    store = pyoxigraph.Store()
    store.bulk_load(input="".join(rdf.n_triples(loaded)).encode(), format=pyoxigraph.RdfFormat.N_TRIPLES)
    return Served(store, sample.stated(folder, "name"), loaded.as_of, len(store))


def load_file(path: Path) -> Served:
    """An RDF file as a store.

    Raises:
        UserError: the file cannot be read, has an unknown ending, or is no RDF of that kind.
    """
    name = path.name.removesuffix(".gz")
    kind = next((kind for ending, kind in _FORMATS.items() if name.endswith(ending)), None)
    if kind is None:
        raise UserError(f"source {path.name!r} ends in none of .nt, .nt.gz, .ttl, .ttl.gz")
    store = pyoxigraph.Store()
    try:
        with path.open("rb") as raw:
            # gzip's file is a binary stream to read from, though not typed as one.
            data = cast(IO[bytes], gzip.GzipFile(fileobj=raw)) if path.suffix == ".gz" else raw
            store.bulk_load(input=data, format=kind)
    except (OSError, EOFError, SyntaxError, ValueError) as error:
        raise UserError(f"cannot load {path}: {error}", "give a complete RDF file in Wikidata's format") from error
    return Served(store, path.name, _stated_date(store), len(store))


def evaluate(store: pyoxigraph.Store, query: str, accept: str) -> QueryAnswer:
    """Answer one query.

    Args:
        store: the data.
        query: SPARQL 1.1.
        accept: the Accept header; empty takes JSON, or N-Triples of a graph.
    """
    start = _Clock(time.perf_counter(), time.process_time())
    try:
        results = store.query(query)
        if isinstance(results, pyoxigraph.QueryTriples):
            graph = negotiate(accept, tuple(_GRAPHS))
            body = results.serialize(format=_GRAPHS[graph]) if graph else None
            kind = graph
        else:
            kind = negotiate(accept, tuple(_RESULTS))
            body = results.serialize(format=_RESULTS[kind]) if kind else None
    except SyntaxError as error:
        return _refusal(400, f"bad query: {error}", start)
    except (OSError, RuntimeError, ValueError) as error:  # an unknown function, a SERVICE that cannot be reached
        return _refusal(500, f"the query failed: {error}", start)
    if kind is None:
        return _refusal(406, f"none of {', '.join((*_RESULTS, *_GRAPHS))} is accepted by {accept!r}", start)
    return QueryAnswer(200, kind, body or b"", *start.since())


def negotiate(accept: str, offered: tuple[str, ...]) -> str | None:
    """The media type that a client likes best (RFC 9110 §12.5.1), or None where it takes none.

    Args:
        accept: the header; empty accepts everything.
        offered: what there is, the server's favourite first: it breaks ties.
    """
    if not accept.strip():
        return offered[0]
    likes: dict[str, float] = {}
    for part in accept.lower().split(","):
        name, *parameters = (piece.strip() for piece in part.split(";"))
        likes[name] = next((_quality(text) for text in parameters if text.startswith("q=")), 1.0)

    def liked(kind: str) -> float:
        return likes.get(kind, likes.get(kind.partition("/")[0] + "/*", likes.get("*/*", 0.0)))

    best = max(offered, key=liked)
    return best if liked(best) > 0 else None


def _quality(text: str) -> float:
    try:
        return min(1.0, max(0.0, float(text[2:])))
    except ValueError:
        return 0.0


class _Clock(NamedTuple):
    wall: float
    cpu: float

    def since(self) -> tuple[float, float]:
        return time.perf_counter() - self.wall, time.process_time() - self.cpu


def _refusal(status: int, why: str, start: _Clock) -> QueryAnswer:
    return QueryAnswer(status, "text/plain; charset=utf-8", (why + "\n").encode(), *start.since())


def _stated_date(store: pyoxigraph.Store) -> date | None:
    """`schema:dateModified` of the data set, as Wikidata's dumps and query service state it."""
    found = store.quads_for_pattern(
        pyoxigraph.NamedNode(DATA_SET), pyoxigraph.NamedNode("http://schema.org/dateModified"), None
    )
    days = sorted(swap.object.value[:10] for swap in found if isinstance(swap.object, pyoxigraph.Literal))
    try:
        return date.fromisoformat(days[-1]) if days else None
    except ValueError:
        return None
