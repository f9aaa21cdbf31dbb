"""A loopback server that speaks CoreNLP's JSON, with the faults that real servers were seen to have."""

import json
import re
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, NamedTuple
from urllib.parse import parse_qs, urlsplit

POISON = "POISON"


class Fault(NamedTuple):
    """A reply that is no reading."""

    status: int = 200
    body: bytes = b""
    location: str = ""
    missing: int = 0
    """Bytes that the head promises and that never come."""

    silent: bool = False
    """Nothing comes at all, until the test is over."""


_EMPTY_SENTENCE = b'{"sentences": [{"index": 0, "tokens": [], "openie": []}]}'
_LATE_TOKEN = {"index": 1, "word": "x", "characterOffsetBegin": 0, "characterOffsetEnd": 9999}

FAULTS = {
    "password": Fault(401),
    "no models": Fault(
        500,
        b"edu.stanford.nlp.io.RuntimeIOException: Error while loading a tagger model (probably missing model file)",
    ),
    "its own time-out": Fault(500, b"CoreNLP request timed out. Your document may be too long."),
    "too long": Fault(400, b"Request is too long to be handled by server: 100001 characters."),
    "busy": Fault(503),
    "another address": Fault(301, location="http://127.0.0.1:9/"),
    "not found": Fault(404, b"<html><body>nothing\nhere</body></html>"),
    "a page": Fault(200, b"<!doctype html>\n<title>Welcome to nginx!</title>"),
    "an empty body": Fault(200),
    "other JSON": Fault(200, b'{"status": "ok"}'),
    "no OpenIE": Fault(200, b'{"sentences": [{"index": 0, "tokens": []}]}'),
    "another text": Fault(200, json.dumps({"sentences": [{"tokens": [_LATE_TOKEN], "openie": []}]}).encode()),
    "a cut body": Fault(200, _EMPTY_SENTENCE[:30], missing=40),
    "a broken connection": Fault(200, _EMPTY_SENTENCE, missing=40),
    "silence": Fault(silent=True),
}


class Loopback:
    """The running server.

    Attributes:
        fault: what it answers instead of a reading; None: it reads.
        only: the fault is for texts with this word alone.
    """

    def __init__(self, url: str) -> None:
        self.url = url
        self.fault: Fault | None = None
        self.only = ""
        self.asked: list[tuple[str, dict[str, str]]] = []
        self.authorised: set[str] = set()
        self.connections = 0
        self.most_at_once = 0
        self.over = threading.Event()
        self._at_once = 0
        self._lock = threading.Lock()

    def connected(self) -> None:
        with self._lock:
            self.connections += 1

    @contextmanager
    def working(self, text: str, properties: dict[str, str]) -> Iterator[None]:
        with self._lock:
            self.asked.append((text, properties))
            self._at_once += 1
            self.most_at_once = max(self.most_at_once, self._at_once)
        try:
            yield
        finally:
            with self._lock:
                self._at_once -= 1

    def fault_for(self, text: str) -> Fault | None:
        return self.fault if self.only in text else None


def reply(text: str) -> dict[str, Any]:
    """Of each line one triple: its first word, what stands between, its last."""
    sentences, start = [], 0
    for line in text.split("\n"):
        found = [
            {
                "characterOffsetBegin": start + _units(line[: one.start()]),
                "characterOffsetEnd": start + _units(line[: one.end()]),
            }
            for one in re.finditer(r"[^\s.]+|\.", line)
        ]
        words = re.findall(r"[^\s.]+|\.", line)
        last = len(words) - (words[-1:] == ["."])
        triples = []
        if last > 2:
            triples = [
                {
                    "subject": words[0], "subjectSpan": [0, 1],
                    "relation": " ".join(words[1 : last - 1]), "relationSpan": [1, last - 1],
                    "object": words[last - 1], "objectSpan": [last - 1, last],
                }
            ]  # fmt: skip
        sentences.append({"tokens": found, "openie": triples})
        start += _units(line) + 1
    return {"sentences": sentences}


def _units(text: str) -> int:
    return len(text.encode("utf-16-le")) // 2


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: "_Server"

    def setup(self) -> None:
        super().setup()
        self.server.loopback.connected()

    def do_GET(self) -> None:
        self._send(200, b'<div id="version-num">version 4.5.7<br></div>')

    def do_POST(self) -> None:
        loopback = self.server.loopback
        text = self.rfile.read(int(self.headers["Content-Length"])).decode()
        loopback.authorised.add(self.headers.get("Authorization", ""))
        properties = json.loads(parse_qs(urlsplit(self.path).query)["properties"][0])
        with loopback.working(text, properties):
            fault = loopback.fault_for(text)
            if fault is None:
                self._send(200, json.dumps(reply(text)).encode())
            elif fault.silent:
                loopback.over.wait()
            else:
                self._send(fault.status, fault.body, fault.location, fault.missing)

    def _send(self, status: int, body: bytes, location: str = "", missing: int = 0) -> None:
        self.send_response(status)
        self.send_header("Content-Length", str(len(body) + missing))
        if location:
            self.send_header("Location", location)
        self.end_headers()
        self.wfile.write(body)
        self.close_connection = self.close_connection or bool(missing)

    def log_message(self, *_: object) -> None:
        pass


class _Server(ThreadingHTTPServer):
    loopback: Loopback


@contextmanager
def loopback() -> Iterator[Loopback]:
    """A server on a free port of this machine."""
    listening = _Server(("127.0.0.1", 0), _Handler)
    listening.loopback = Loopback(f"http://127.0.0.1:{listening.server_address[1]}")
    thread = threading.Thread(target=listening.serve_forever, args=(0.02,), daemon=True)
    thread.start()
    try:
        yield listening.loopback
    finally:
        listening.loopback.over.set()
        listening.shutdown()
        listening.server_close()
