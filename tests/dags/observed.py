"""What an Airflow tells beside its results: the spans that it exports, and all that it logs."""

import json
import threading
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import Any

from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest
from opentelemetry.proto.trace.v1.trace_pb2 import Span

from tests.dags.conftest import serving

SHORTEST, MARK = 15, 40
"""So many characters at the beginning of a text are found nowhere by chance; a mere "no" is."""


class Collector:
    """An OpenTelemetry collector over HTTP, as far as spans go."""

    def __init__(self) -> None:
        self.url = ""
        self.spans: list[Span] = []
        self._arrived = threading.Condition()

    def take(self, body: bytes) -> None:
        request = ExportTraceServiceRequest.FromString(body)
        with self._arrived:
            for resource in request.resource_spans:
                for scope in resource.scope_spans:
                    self.spans += scope.spans
            self._arrived.notify_all()

    def wait_for(self, name: str, seconds: float = 120.0) -> Span:
        """The first span of that name; a process exports its own every few seconds."""

        def found() -> Span | None:
            return next((span for span in self.spans if span.name == name), None)

        with self._arrived:
            span = self._arrived.wait_for(found, seconds)
            assert span, f"no span {name} among {sorted({span.name for span in self.spans})}"
            return span

    def named(self, name: str) -> list[Span]:
        with self._arrived:
            return [span for span in self.spans if span.name == name]

    def environment(self) -> dict[str, str]:
        """Airflow's own settings that send spans here."""
        return {
            "AIRFLOW__TRACES__OTEL_ON": "True",
            "OTEL_TRACES_EXPORTER": "otlp_proto_http",
            "OTEL_EXPORTER_OTLP_ENDPOINT": self.url,
        }


@contextmanager
def collecting() -> Iterator[Collector]:
    collector = Collector()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            collector.take(self.rfile.read(int(self.headers["Content-Length"])))
            self.send_response(200)
            self.end_headers()

        def log_message(self, *_: Any) -> None:
            pass

    server = HTTPServer(("127.0.0.1", 0), Handler)
    collector.url = f"http://127.0.0.1:{server.server_port}"
    with serving(server):
        yield collector


def logs(folder: Path) -> str:
    """Every log below a folder, in one text."""
    return "\n".join(file.read_text(errors="replace") for file in sorted(folder.rglob("*.log")))


def told(said: str, texts: Iterable[str]) -> list[str]:
    """Which texts a log tells: their beginning as it is, or as JSON writes it."""
    marks = {text: text.strip()[:MARK] for text in texts if len(text.strip()) >= SHORTEST}
    return [text for text, mark in marks.items() if mark in said or json.dumps(mark)[1:-1] in said]
