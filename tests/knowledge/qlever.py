"""A query service as QLever serves one: a proxy before an endpoint that refuses what it is told to in every known way.

What it says is what its documentation, its source and its issues have (docs/knowledge.md has the addresses).
"""

import gzip
import json
import re
import urllib.error
import urllib.request
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import NamedTuple

RESULTS = "application/sparql-results+json"


class Said(NamedTuple):
    """What the service says instead of, or after, an answer."""

    status: int
    kind: str
    """Media type."""
    body: bytes
    packed: bool = False


Fault = Callable[[str, bytes], Said]
"""(query, the whole answer) → what is said."""


def refused(status: int, message: str) -> Fault:
    """As it refuses: JSON with the reason and the query."""

    def say(query: str, _answer: bytes) -> Said:
        said = {"exception": message, "query": query, "status": "ERROR", "time": {"total": 30_012, "computeResult": 0}}
        return Said(status, "application/json", json.dumps(said).encode())

    return say


TRAILER = (
    "\n !!!!>># An error has occurred while exporting the query result. Unfortunately due to limitations in the HTTP "
    "1.1 protocol, there is no better way to report this than to append it to the incomplete result. The error "
    "message was:\n"
)

FAULTS: dict[str, Fault] = {
    "429 timed out": refused(429, "Operation timed out. Last operation: Sort on column 0"),
    "429 cancelled": refused(429, "Query was cancelled."),
    "500 memory": refused(
        500, "Tried to allocate 12.5 GB, but only 1.2 GB were available. Clear the cache or allow more"
    ),
    "400 body limit": refused(400, "Request body size exceeds the allowed size: body limit exceeded"),
    "200 exception": refused(200, "Operation timed out."),
    "200 text": lambda _q, _a: Said(200, "text/plain", b"Query cancelled: the allowed time of 30s was exceeded"),
    "200 other text": lambda _q, _a: Said(200, "text/plain; charset=utf-8", b"upstream went away"),
    "200 trailer": lambda _q, answer: Said(
        200, RESULTS, answer[: len(answer) // 2] + f"{TRAILER}Operation timed out.".encode()
    ),
    "200 no closing brackets": lambda _q, answer: Said(200, RESULTS, answer.rstrip().rstrip(b"]}\n ")),
    "200 another format": lambda _q, _a: Said(200, RESULTS, b"?s\t?c\t?total\n<http://x>\t<http://y>\t\n"),
    "200 rows missing": lambda _q, answer: Said(200, RESULTS, _without_first(answer)),
    "200 gzip cut short": lambda _q, answer: Said(200, RESULTS, gzip.compress(answer)[:-20], packed=True),
    "200 wrong media type": lambda _q, answer: Said(200, "text/html", answer),
}
"""Each fault by its name. The last is none: the answer is whole, whatever it is called."""


def _without_first(answer: bytes) -> bytes:
    parsed = json.loads(answer)
    parsed["results"]["bindings"] = parsed["results"]["bindings"][1:]
    return json.dumps(parsed).encode()


Plan = Callable[[str], str]
"""Query → the fault that befalls it; empty: none."""


class QLever(ThreadingHTTPServer):
    """Passes queries on to an endpoint."""

    daemon_threads = True

    def __init__(self, upstream: str, plan: Plan) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.upstream, self.plan = upstream, plan
        self.url = f"http://127.0.0.1:{self.server_address[1]}/api/wikidata"
        self.done: Counter[str] = Counter()
        """How often each fault befell a request."""


class _Handler(BaseHTTPRequestHandler):
    server: QLever

    def do_POST(self) -> None:
        form = self.rfile.read(int(self.headers["Content-Length"]))
        query = urllib.parse.parse_qs(form.decode())["query"][0]
        fault = self.server.plan(query)
        self.server.done[fault] += 1
        request = urllib.request.Request(
            self.server.upstream, form, {"Content-Type": self.headers["Content-Type"], "Accept": RESULTS}
        )
        with urllib.request.urlopen(request, timeout=60) as answer:
            whole = answer.read()
        said = FAULTS[fault](query, whole) if fault else Said(200, RESULTS, whole)
        self.send_response(said.status)
        self.send_header("Content-Type", said.kind)
        self.send_header("Content-Length", str(len(said.body)))
        if said.packed:
            self.send_header("Content-Encoding", "gzip")
        self.end_headers()
        self.wfile.write(said.body)

    def log_message(self, format: str, *args: object) -> None:
        """Quiet."""


@contextmanager
def qlever(upstream: str, plan: Plan) -> Iterator[QLever]:
    server = QLever(upstream, plan)
    thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    try:
        yield server
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


def size(query: str) -> int:
    """How many ids a query asks about."""
    first = re.search(r"VALUES \?\w+ \{([^}]*)\}", query)
    return len(first[1].split()) if first else 0
