"""A real endpoint on loopback, and one that misbehaves as the public service is known to."""

import socket
import struct
import threading
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from urllib.parse import parse_qs

import pytest

from halluvault_tasks.knowledge.config import Domains, load_domains
from halluvault_tasks.local import endpoint
from halluvault_tasks.settings import REPOSITORY

TRACE = b"SPARQL-QUERY: queryStr=SELECT\njava.util.concurrent.TimeoutException\n\tat java.util.concurrent.FutureTask\n"


class Faulty(endpoint.Endpoint):
    """Serves a store, except where `plan` names a fault for the n-th request (from 1) or the query."""

    def __init__(self, served: endpoint.Served, plan: Callable[[int, str], str | None]) -> None:
        super().__init__(served, 0)
        self.RequestHandlerClass = _FaultyHandler
        self.plan = plan
        self.queries: list[str] = []
        self.agents: set[str] = set()
        self.done: Counter[str] = Counter()


class _FaultyHandler(endpoint._Handler):
    server: Faulty

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"])).decode()
        assert self.headers["Content-Type"].startswith("application/x-www-form-urlencoded")
        (query,) = parse_qs(body)["query"]
        self.server.queries.append(query)
        self.server.agents.add(self.headers["User-Agent"])
        fault = self.server.plan(len(self.server.queries), query)
        self.server.done[fault or "none"] += 1
        _, answer = self.server.answer(query, "")
        if fault is None:
            return self._send(200, "application/sparql-results+json", answer)
        return getattr(self, f"_{fault}")(answer)

    def _throttled(self, _: bytes) -> None:
        self.send_response(429)
        self.send_header("Retry-After", "7")
        self.send_header("Content-Length", "0")
        self.end_headers()

    def _failed(self, _: bytes) -> None:
        self._send(500, "text/plain", b"SPARQL-QUERY: out of memory")

    def _heavy(self, _: bytes) -> None:
        self._send(500, "text/plain", TRACE)

    def _forbidden(self, _: bytes) -> None:
        self._send(403, "text/plain", b"please set a user-agent")

    def _html(self, _: bytes) -> None:
        self._send(200, "text/html", b"<!doctype html><title>Welcome</title>")

    def _invalid(self, answer: bytes) -> None:
        self._send(200, "application/sparql-results+json", answer[:-40] + b"\xff\xfe" + answer[-40:])

    def _timed_out(self, answer: bytes) -> None:
        self._send(200, "application/sparql-results+json", answer[: len(answer) // 2] + TRACE)

    def _short(self, answer: bytes) -> None:
        self._send(200, "application/sparql-results+json", answer[: len(answer) // 2])

    def _cut(self, answer: bytes) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "application/sparql-results+json")
        self.send_header("Content-Length", str(len(answer)))
        self.end_headers()
        self.wfile.write(answer[: len(answer) // 2])
        self.close_connection = True

    def _reset(self, _: bytes) -> None:
        self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self.connection.close()
        self.close_connection = True
        self.wfile = _Nowhere()


class _Nowhere:
    closed = True

    def flush(self) -> None: ...

    def close(self) -> None: ...

    def write(self, _: bytes) -> None: ...


@contextmanager
def serving(server: endpoint.Endpoint) -> Iterator[endpoint.Endpoint]:
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    try:
        yield server
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


@pytest.fixture(scope="session")
def sample_store() -> endpoint.Served:
    return endpoint.load_sample()


@pytest.fixture(scope="session")
def sample_url(sample_store: endpoint.Served) -> Iterator[str]:
    """A well-behaved endpoint over the sample."""
    with serving(endpoint.Endpoint(sample_store, 0)) as server:
        yield server.url


@pytest.fixture
def faulty(sample_store: endpoint.Served) -> Iterator[Callable[..., Faulty]]:
    """Make a server over the sample (or another store) that follows a plan of faults."""
    running: list[contextmanager] = []

    def make(
        plan: Callable[[int, str], str | None] = lambda _n, _q: None, store: endpoint.Served | None = None
    ) -> Faulty:
        manager = serving(Faulty(store or sample_store, plan))
        running.append(manager)
        return manager.__enter__()

    yield make
    for manager in running:
        manager.__exit__(None, None, None)


@pytest.fixture(scope="session")
def small() -> Domains:
    """Two domains of the sample: few requests, every kind of value."""
    return Domains.model_validate({
        "common": ["P576", "P580", "P582"],
        "batches": {"seeds": 40, "statements": 60, "entities": 80, "floor": 2},
        "domains": {
            "natural_science": {
                "roots": [{"qid": "Q11344"}, {"qid": "Q634", "depth": 1}],
                "items": ["Q544"],
                "properties": ["P1086", "P397", "P398", "P138"],
            },
            "people": {
                "roots": [{"qid": "Q5"}],
                "limit": 90,
                "properties": ["P19", "P20", "P26", "P39", "P40", "P569", "P570"],
            },
        },
    })


@pytest.fixture(scope="module")
def everything() -> Domains:
    """The real configuration."""
    return load_domains(REPOSITORY / "config" / "domains.yaml")
