"""A server on this machine that speaks JSON, for tests that stand in for one of today's."""

import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import Any


class JsonHandler(BaseHTTPRequestHandler):
    """Answers in JSON, and logs nothing."""

    def body(self) -> Any:
        """What was sent."""
        return json.loads(self.rfile.read(int(self.headers["content-length"])))

    def send(self, status: int, value: object, headers: Mapping[str, str] | None = None) -> None:
        """Answer."""
        written = json.dumps(value).encode()
        self.send_response(status)
        for name, told in (headers or {}).items():
            self.send_header(name, told)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(written)))
        self.end_headers()
        self.wfile.write(written)

    def log_message(self, *_: object) -> None: ...


@contextmanager
def listening(handler: type[BaseHTTPRequestHandler]) -> Iterator[str]:
    """The address of a server that answers by a handler."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}"
    finally:
        server.shutdown()
        server.server_close()
