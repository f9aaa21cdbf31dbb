"""The SPARQL 1.1 Protocol over HTTP: requests read and checked, answers, refusals and planted faults sent."""

import ipaddress
import json
import logging
import os
import socket
import struct
import threading
from collections import Counter
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs, urlsplit

from halluvault_tasks.errors import UserError
from halluvault_tasks.local import endpoint_faults
from halluvault_tasks.local.endpoint_faults import TRACE, EndpointFaults, FaultDraws, Picker
from halluvault_tasks.local.endpoint_store import JSON, QueryAnswer, Served
from halluvault_tasks.local.endpoint_workers import Crowded, Died, Late, WorkerPool

_log = logging.getLogger(__name__)
_MAX_QUERY = 16 << 20
_SLICES = 50
_PLAIN = "text/plain; charset=utf-8"
_FORM = "application/x-www-form-urlencoded"
_PAGE = b"<!doctype html><title>Wikidata Query Service</title><p>The service is being maintained."
_QUERY_PATHS = ("/", "/sparql")


class _Refused(Exception):
    def __init__(self, status: int, why: str) -> None:
        super().__init__(why)
        self.status = status


class Endpoint(ThreadingHTTPServer):
    """The server. It answers in worker processes; its own threads only carry bytes.

    Args:
        served: the loaded store.
        port: TCP port; 0 takes a free one.
        host: address to listen on.
        workers: queries that run at a time.
        deadline: seconds that one query may run.
        faults: decides which requests go wrong; None lets all pass.

    Raises:
        UserError: the port is taken.
    """

    daemon_threads = True

    def __init__(
        self,
        served: Served,
        port: int,
        host: str = "127.0.0.1",
        *,
        workers: int = 2,
        deadline: float = 60.0,
        faults: Picker | None = None,
    ) -> None:
        self.served = served
        self.faults: Picker = faults or FaultDraws(EndpointFaults())
        self.busy = 0.0
        """Seconds spent evaluating and serialising."""
        self.cpu = 0.0
        """Processor seconds of the same."""
        self.counts: Counter[str] = Counter()
        self.closing = threading.Event()
        try:
            super().__init__((host, port), _Handler)
        except OSError as error:
            raise UserError(
                f"port {port} for the SPARQL endpoint is in use or not allowed ({error.strerror})",
                "choose another with --port; 0 takes a free one",
            ) from error
        self.pool = WorkerPool(served, workers, deadline)

    @property
    def url(self) -> str:
        """Where queries go."""
        return f"http://{self.server_address[0]!s}:{self.server_address[1]}/sparql"

    def health(self) -> dict[str, object]:
        """What `GET /health` says."""
        return {
            "status": "ok",
            "source": self.served.source,
            "as_of": self.served.as_of.isoformat() if self.served.as_of else None,
            "triples": self.served.triples,
            "queries": self.counts["queries"],
            "busy_seconds": round(self.busy, 6),
            "cpu_seconds": round(self.cpu, 6),
            "timeouts": self.pool.killed,
            "faults": {kind: n for kind in endpoint_faults.KINDS if (n := self.counts[kind])},
        }

    def answer(self, query: str, accept: str = "") -> QueryAnswer:
        """Answer a query in a worker; raises as `WorkerPool.ask`."""
        found = self.pool.ask(query, accept)
        self.counts["queries"] += 1
        self.busy += found.seconds
        self.cpu += found.cpu
        return found

    def server_close(self) -> None:
        """Stop listening and end every worker."""
        super().server_close()
        self.closing.set()
        if hasattr(self, "pool"):  # not when the port was taken
            self.pool.close()


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    # Head and body leave in one piece: sent apart, the second waits for the first one's delayed acknowledgement.
    wbufsize = -1
    disable_nagle_algorithm = True
    server: Endpoint

    def do_GET(self) -> None:
        self._reply(self._get)

    def do_HEAD(self) -> None:
        self._reply(self._get)

    def do_POST(self) -> None:
        self._reply(self._post)

    def do_DELETE(self) -> None:
        self._reply(self._no_faults)

    def _reply(self, handle: Callable[[], None]) -> None:
        try:
            try:
                handle()
            except _Refused as refused:
                self._send(refused.status, _PLAIN, f"{refused}\n".encode())
            self.wfile.flush()
        except (BrokenPipeError, ConnectionResetError):
            self.close_connection = True

    def _get(self) -> None:
        parts = urlsplit(self.path)
        if parts.path == "/health":
            self._send_json(self.server.health())
        elif parts.path == "/faults":
            self._require_loopback()
            self._send_faults()
        elif parts.path in _QUERY_PATHS:
            self._answer(_only_query(_form(parts.query)))
        else:
            raise _Refused(404, f"no such path: {parts.path}; /sparql, /health and /faults are there")

    def _post(self) -> None:
        length = self.headers.get("Content-Length", "")
        if not length.isdigit():
            self.close_connection = True
            raise _Refused(411, "a POST needs a Content-Length")
        if int(length) > _MAX_QUERY:
            self.close_connection = True
            raise _Refused(413, f"the query has {length} bytes; at most {_MAX_QUERY} are read")
        raw = self.rfile.read(int(length))
        parts = urlsplit(self.path)
        if parts.path == "/faults":
            self._set_faults(raw)
            return
        if parts.path not in _QUERY_PATHS:
            raise _Refused(404, f"no such path: {parts.path}; queries go to /sparql")
        kind = self.headers.get("Content-Type", "").partition(";")[0].strip().lower()
        if kind not in {_FORM, "application/sparql-query"}:
            raise _Refused(415, f"{kind or 'no type'}: send {_FORM} or application/sparql-query")
        try:
            text = raw.decode()
        except UnicodeDecodeError as error:
            raise _Refused(400, f"the query is no UTF-8: {error.reason} at byte {error.start}") from error
        form = _form(text) if kind == _FORM else {"query": [text]}
        self._answer(_only_query(form | _form(parts.query)))

    def _answer(self, query: str) -> None:
        faults = self.server.faults
        fault = faults.pick(query, dict(self.headers))
        if fault:
            self.server.counts[fault] += 1
        if fault in _WITHOUT_ANSWER:
            return self._fail(fault, faults)
        try:
            answer = self.server.answer(query, self.headers.get("Accept", ""))
        except Late:
            return self._send(500, _PLAIN, TRACE)
        except Crowded as error:
            return self._send(503, _PLAIN, f"{error}\n".encode(), {"Retry-After": "5"})
        except Died as error:
            raise _Refused(500, str(error)) from error
        timing = {"Server-Timing": f"query;dur={answer.seconds * 1000:.3f}, cpu;dur={answer.cpu * 1000:.3f}"}
        if fault and answer.status == 200:
            return self._spoil(fault, faults, query, answer, timing)
        return self._send(answer.status, answer.kind, answer.body, timing)

    def _fail(self, fault: str, faults: Picker) -> None:
        if fault == "throttled":
            self._send(429, _PLAIN, b"Too Many Requests\n", {"Retry-After": str(faults.retry_after)})
        elif fault == "forbidden":
            self._send(403, _PLAIN, b"Please set a user-agent and respect our robot policy\n")
        elif fault == "html":
            self._send(200, "text/html", _PAGE)
        elif fault == "reset":
            # A linger of zero seconds makes the close a reset; it must come before the server's own good-bye.
            self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            self.close_connection = True
            os.close(self.connection.detach())
        else:
            self._send(500, _PLAIN, TRACE if fault == "heavy" else b"java.lang.NullPointerException\n")

    def _spoil(self, fault: str, faults: Picker, query: str, answer: QueryAnswer, timing: dict[str, str]) -> None:
        body, half = answer.body, len(answer.body) // 2
        if fault == "truncated":
            self._send(200, answer.kind, body[:half] + TRACE, timing)
        elif fault == "short":
            self._send(200, answer.kind, body[:half], timing)
        elif fault == "invalid":
            self._send(200, answer.kind, endpoint_faults.invalid(body), timing)
        elif fault == "dropped":
            less = endpoint_faults.dropped(body, query.encode()) if answer.kind == JSON else body
            self._send(200, answer.kind, less, timing)
        elif fault == "cut":
            self._head(200, answer.kind, len(body), timing)
            self.wfile.write(body[:half])
            self.close_connection = True
        elif fault == "drip":
            self._head(200, answer.kind, len(body), timing)
            step = max(1, -(-len(body) // _SLICES))
            for start in range(0, len(body), step):
                self.wfile.write(body[start : start + step])
                self.wfile.flush()
                if self.server.closing.wait(faults.drip / _SLICES):
                    self.close_connection = True
                    break
        else:
            raise ValueError(f"unknown fault {fault!r}")

    def _require_loopback(self) -> None:
        if not ipaddress.ip_address(self.client_address[0]).is_loopback:
            raise _Refused(403, "faults can be set only from this machine")

    def _set_faults(self, raw: bytes) -> None:
        self._require_loopback()
        try:
            self.server.faults = FaultDraws(endpoint_faults.parse(raw.decode()))
        except UnicodeDecodeError as error:
            raise _Refused(400, "the setting is no UTF-8") from error
        except UserError as error:
            raise _Refused(400, str(error)) from error
        self._send_faults()

    def _no_faults(self) -> None:
        if urlsplit(self.path).path != "/faults":
            raise _Refused(405, "only /faults can be deleted")
        self._require_loopback()
        self.server.faults = FaultDraws(EndpointFaults())
        self._send_faults()

    def _send_faults(self) -> None:
        drawn = self.server.faults
        self._send_json(drawn.faults._asdict() if isinstance(drawn, FaultDraws) else {"planned": type(drawn).__name__})

    def _send_json(self, value: object) -> None:
        self._send(200, "application/json", json.dumps(value).encode())

    def _head(self, status: int, kind: str, length: int, more: dict[str, str]) -> None:
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(length))
        for name, value in more.items():
            self.send_header(name, value)
        self.end_headers()

    def _send(self, status: int, kind: str, body: bytes, more: dict[str, str] | None = None) -> None:
        self._head(status, kind, len(body), more or {})
        if self.command != "HEAD":
            self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:
        _log.debug(format, *args)


def _form(text: str) -> dict[str, list[str]]:
    try:
        return parse_qs(text, keep_blank_values=True, errors="strict")
    except UnicodeDecodeError as error:
        raise _Refused(400, f"the query is no UTF-8: {error.reason} at byte {error.start}") from error


def _only_query(form: dict[str, list[str]]) -> str:
    if "update" in form:
        raise _Refused(403, "this endpoint is read-only: no SPARQL Update")
    if graphs := {"default-graph-uri", "named-graph-uri"} & set(form):
        raise _Refused(400, f"{min(graphs)}: there is one default graph and no choice of others")
    queries = form.get("query", [])
    if len(queries) != 1:
        raise _Refused(400, f"exactly one `query` parameter is needed, {len(queries)} came")
    return queries[0]


_WITHOUT_ANSWER = frozenset({"throttled", "failed", "heavy", "reset", "html", "forbidden"})
