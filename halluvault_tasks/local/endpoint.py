"""A SPARQL 1.1 Protocol endpoint over pyoxigraph, for one machine: the bundled sample, or an RDF file.

`python -m halluvault_tasks.local.endpoint --port P (--sample | --source FILE)`, the file being .nt or .ttl, plain or
.gz. Queries come by GET or by POST, results go out as JSON unless the Accept header asks for XML, CSV or TSV.
`GET /health` says what is served.
A source that lacks something (dates, property metadata, sitelinks) is served as it is.
"""

import argparse
import gzip
import json
import logging
import signal
import sys
import time
from collections.abc import Sequence
from datetime import date
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import IO, NamedTuple, cast
from urllib.parse import parse_qs, urlsplit

import pyoxigraph

from halluvault_tasks.errors import UserError
from halluvault_tasks.knowledge.iris import DATA_SET
from halluvault_tasks.local import rdf, sample

_log = logging.getLogger(__name__)
_MAX_QUERY = 16 << 20
_RESULTS = {
    "application/sparql-results+json": pyoxigraph.QueryResultsFormat.JSON,
    "application/json": pyoxigraph.QueryResultsFormat.JSON,
    "application/sparql-results+xml": pyoxigraph.QueryResultsFormat.XML,
    "text/csv": pyoxigraph.QueryResultsFormat.CSV,
    "text/tab-separated-values": pyoxigraph.QueryResultsFormat.TSV,
}
_FORMATS = {".nt": pyoxigraph.RdfFormat.N_TRIPLES, ".ttl": pyoxigraph.RdfFormat.TURTLE}


class Served(NamedTuple):
    """A loaded store and what it holds."""

    store: pyoxigraph.Store
    source: str
    """`bundled-sample` or the file's name."""
    as_of: date | None
    """Date of the data, where the source states one."""
    triples: int


def load_sample() -> Served:
    """The bundled sample as a store."""
    loaded = sample.load()
    store = pyoxigraph.Store()
    store.bulk_load(input="".join(rdf.n_triples(loaded)).encode(), format=pyoxigraph.RdfFormat.N_TRIPLES)
    return Served(store, "bundled-sample", loaded.as_of, len(store))


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
        raise UserError(f"cannot load {path}: {error}", "give a whole RDF file in Wikidata's shape") from error
    return Served(store, path.name, _stated_date(store), len(store))


def _stated_date(store: pyoxigraph.Store) -> date | None:
    """`schema:dateModified` of the data set, as Wikidata's dumps and query service state it."""
    found = store.quads_for_pattern(
        pyoxigraph.NamedNode(DATA_SET), pyoxigraph.NamedNode("http://schema.org/dateModified"), None
    )
    days = sorted(quad.object.value[:10] for quad in found if isinstance(quad.object, pyoxigraph.Literal))
    try:
        return date.fromisoformat(days[-1]) if days else None
    except ValueError:
        return None


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: "Endpoint"

    def do_GET(self) -> None:
        parts = urlsplit(self.path)
        if parts.path == "/health":
            self._send(200, "application/json", json.dumps(self.server.health()).encode())
        elif parts.path in {"/", "/sparql"}:
            self._answer(parse_qs(parts.query).get("query", []))
        else:
            self._refuse(404, f"no such path: {parts.path}; /sparql and /health are there")

    def do_POST(self) -> None:
        if not self.headers.get("Content-Length", "").isdigit():
            self.close_connection = True
            return self._refuse(411, "a POST needs a Content-Length")
        length = int(self.headers["Content-Length"])
        if length > _MAX_QUERY:
            self.close_connection = True
            return self._refuse(413, f"the query has {length} bytes; at most {_MAX_QUERY} are read")
        body = self.rfile.read(length).decode("utf-8", "replace")
        kind = self.headers.get("Content-Type", "").partition(";")[0].strip()
        if kind == "application/x-www-form-urlencoded":
            return self._answer(parse_qs(body).get("query", []))
        if kind == "application/sparql-query":
            return self._answer([body])
        return self._refuse(415, f"{kind or 'no type'}: send application/x-www-form-urlencoded or sparql-query")

    def _answer(self, queries: list[str]) -> None:
        if len(queries) != 1:
            return self._refuse(400, f"exactly one `query` parameter is needed, {len(queries)} came")
        start = time.monotonic()
        try:
            kind, body = self.server.answer(queries[0], self.headers.get("Accept", ""))
        except (SyntaxError, ValueError) as error:
            return self._refuse(400, f"bad query: {error}")
        except (OSError, RuntimeError) as error:  # an unsupported SERVICE, a broken store
            return self._refuse(500, f"the query failed: {error}")
        self.server.busy += time.monotonic() - start
        return self._send(200, kind, body)

    def _refuse(self, status: int, why: str) -> None:
        self._send(status, "text/plain; charset=utf-8", (why + "\n").encode())

    def _send(self, status: int, kind: str, body: bytes) -> None:
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:
        _log.debug(format, *args)


class Endpoint(ThreadingHTTPServer):
    """The server; `busy` is the time in seconds that it spent answering queries.

    Raises:
        UserError: the port is taken.
    """

    daemon_threads = True

    def __init__(self, served: Served, port: int, host: str = "127.0.0.1") -> None:
        self.served = served
        self.busy = 0.0
        try:
            super().__init__((host, port), _Handler)
        except OSError as error:
            raise UserError(
                f"port {port} for the SPARQL endpoint is taken or not allowed ({error.strerror})",
                "choose another with --port; 0 takes a free one",
            ) from error

    @property
    def url(self) -> str:
        """Where queries go."""
        return f"http://{self.server_address[0]!s}:{self.server_address[1]}/sparql"

    def health(self) -> dict[str, object]:
        """What `GET /health` says."""
        as_of = self.served.as_of.isoformat() if self.served.as_of else None
        return {"status": "ok", "source": self.served.source, "as_of": as_of, "triples": self.served.triples}

    def answer(self, query: str, accept: str) -> tuple[str, bytes]:
        """Media type and body for a query.

        Raises:
            SyntaxError: it is no SPARQL.
        """
        results = self.served.store.query(query)
        if isinstance(results, pyoxigraph.QueryTriples):
            return "application/n-triples", results.serialize(format=pyoxigraph.RdfFormat.N_TRIPLES) or b""
        wanted = next((kind for kind in _RESULTS if kind in accept), "application/sparql-results+json")
        return wanted, results.serialize(format=_RESULTS[wanted]) or b""


def main(arguments: Sequence[str] | None = None) -> int:
    """Serve until told to stop; returns the exit status."""
    parser = argparse.ArgumentParser(prog="halluvault-endpoint", description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--port", type=int, default=7878, help="TCP port; 0 takes a free one (default 7878)")
    parser.add_argument("--host", default="127.0.0.1", help="address to listen on (default 127.0.0.1)")
    what = parser.add_mutually_exclusive_group(required=True)
    what.add_argument("--sample", action="store_true", help="serve the bundled sample")
    what.add_argument("--source", type=Path, metavar="FILE", help="serve an RDF file (.nt, .nt.gz, .ttl, .ttl.gz)")
    given = parser.parse_args(arguments)
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(message)s")
    try:
        served = load_sample() if given.sample else load_file(given.source)
        server = Endpoint(served, given.port, given.host)
    except UserError as error:
        sys.stderr.write(f"halluvault: {error}\n")
        return 2
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
    _log.info("%s: %d triples at %s", served.source, served.triples, server.url)
    try:
        server.serve_forever()
    except KeyboardInterrupt:
        return 0
    finally:
        server.server_close()
    return 0


if __name__ == "__main__":
    sys.exit(main())
