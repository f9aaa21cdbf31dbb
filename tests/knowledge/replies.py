"""A service that says word for word what it is told to, over a real socket."""

import gzip
import http.client
import json
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import NamedTuple


class Asked(NamedTuple):
    """One request that came."""

    method: str
    path: str
    body: str


class Replies:
    """Sends whole HTTP replies, one a connection, and closes it; the last one again and again.

    Args:
        replies: from the status line to the last byte.
    """

    def __init__(self, *replies: bytes) -> None:
        self.asked: list[Asked] = []
        self._replies = list(replies)
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.host = f"127.0.0.1:{self._listener.getsockname()[1]}"
        self.url = f"http://{self.host}/sparql"
        self._thread = threading.Thread(target=self._serve, daemon=True)
        self._thread.start()

    def _serve(self) -> None:
        while True:
            try:
                connection, _ = self._listener.accept()
            except OSError:
                return
            with connection, connection.makefile("rb") as stream:
                request = stream.readline().decode()
                if not request:
                    continue
                method, path, _ = request.split(" ", 2)
                headers = http.client.parse_headers(stream)
                body = stream.read(int(headers.get("Content-Length", 0)))
                self.asked.append(Asked(method, path, body.decode()))
                reply = self._replies[min(len(self.asked), len(self._replies)) - 1]
                connection.sendall(reply.replace(b"HOST", self.host.encode()))

    def close(self) -> None:
        self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()
        self._thread.join()


@contextmanager
def replying(*replies: bytes) -> Iterator[Replies]:
    server = Replies(*replies)
    try:
        yield server
    finally:
        server.close()


def reply(status: str, body: str | bytes = b"", *headers: str, packed: bool = False) -> bytes:
    """One reply; its length is stated, and it may be packed."""
    raw = body.encode() if isinstance(body, str) else body
    lines = [f"HTTP/1.1 {status}", *headers]
    if packed:
        raw = gzip.compress(raw)
        lines.append("Content-Encoding: gzip")
    return "\r\n".join([*lines, f"Content-Length: {len(raw)}", "Connection: close", "", ""]).encode() + raw


def results(*rows: dict, total: int | None = None, kind: str = "literal") -> str:
    """SPARQL JSON results with the count that they ask for; None leaves it out."""
    count = {"total": {"type": kind, "value": str(total)}}
    bindings = [*rows, *([count] if total is not None else [])]
    return json.dumps({"head": {"vars": ["x", "total"]}, "results": {"bindings": bindings}})
