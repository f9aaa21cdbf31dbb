"""What the tests of SPARQL engines share: a server of ours to be started and killed, and a proxy that does harm."""

import json
import os
import re
import shutil
import signal
import subprocess
import tempfile
import time
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

from halluvault_tasks.knowledge.queries import TOTAL, SelectQuery
from halluvault_tasks.local import processes, rdf, sample
from tests.conftest import SHARED
from tests.require import require

_START_SECONDS = 90.0


def kind(query: SelectQuery) -> str:
    """What tells a pull's kinds of query apart: columns, and the namespaces that they are taken from."""
    head = query.text.split(f" ?{TOTAL} WHERE", 1)[0]
    prefixes = re.findall(r"PREFIX (\w+):", head)
    return f"{head.rsplit('SELECT ', 1)[-1]} of {' '.join(prefixes)}"


class Engine:
    """A SPARQL engine started by its own script; it may be killed and started again on what it has stored.

    Args:
        name: folder of `../shared/peers`.
        path: of its SPARQL endpoint.
        more: arguments of the script after port and folder.
        java: the program that the script needs: `javac` comes with a JDK alone.
    """

    def __init__(self, name: str, path: str, *more: str, java: str = "java") -> None:
        self._script = SHARED / "peers" / name / "start"
        require(shutil.which(java), f"{java} is not installed (Debian: openjdk-17-jdk-headless)")
        require(self._script.is_file(), f"../shared/peers/{name} is not on this machine")
        self._folder = Path(tempfile.mkdtemp(prefix=f"halluvault-{name}-"))
        self._more = more
        self._port = processes.free_port()
        self.base = f"http://127.0.0.1:{self._port}"
        self.url = self.base + path
        self.start()

    def start(self) -> None:
        """Start it and wait until it answers."""
        log = (self._folder / "log").open("ab")
        command = [str(self._script), str(self._port), str(self._folder / "data"), *self._more]
        with log:
            self._process = subprocess.Popen(command, stdout=log, stderr=log, start_new_session=True)
        until = time.monotonic() + _START_SECONDS
        while not self._answers():
            if self._process.poll() is not None or time.monotonic() > until:
                raise AssertionError(f"{command} does not answer: {(self._folder / 'log').read_text()[-2000:]}")
            time.sleep(0.2)

    def kill(self) -> None:
        """`kill -9`."""
        os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait()

    def close(self) -> None:
        """End it for good, with all that it stored."""
        if self._process.poll() is None:
            self.kill()
        shutil.rmtree(self._folder)

    def _answers(self) -> bool:
        query = urllib.request.Request(f"{self.url}?query=ASK%7B%7D", headers={"Accept": "*/*"})
        try:
            with urllib.request.urlopen(query, timeout=5) as answer:
                return bool(answer.status == 200)
        except (urllib.error.URLError, OSError):
            return False


def post(url: str, body: bytes, kind: str) -> bytes:
    """POST a body of a media type."""
    request = urllib.request.Request(url, body, {"Content-Type": kind})
    with urllib.request.urlopen(request, timeout=120) as answer:
        return bytes(answer.read())


def rows_of(url: str, query: str) -> list[dict[str, dict[str, str]]]:
    """Rows of a query, as they come."""
    form = urllib.parse.urlencode({"query": query}).encode()
    request = urllib.request.Request(url, form, {"Accept": "application/sparql-results+json"})
    with urllib.request.urlopen(request, timeout=120) as answer:
        return list(json.load(answer)["results"]["bindings"])


def sample_lines() -> list[str]:
    """The bundled sample as N-Triples, which are Turtle, too."""
    return list(rdf.n_triples(sample.load(sample.CHECKED)))


Harm = Callable[[int, bytes], str]
"""What befalls the n-th request (from 1) with this body: a header to add, `cut`, or an empty string."""


@contextmanager
def harmed(url: str, harm: Harm) -> Iterator["Proxy"]:
    """A proxy before an engine."""
    proxy = Proxy(url, harm)
    thread = Thread(target=proxy.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    try:
        yield proxy
    finally:
        proxy.shutdown()
        thread.join()
        proxy.server_close()


class Proxy(ThreadingHTTPServer):
    """Passes POSTs on to an engine and its answers back."""

    daemon_threads = True

    def __init__(self, upstream: str, harm: Harm) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.upstream, self.harm = upstream, harm
        self.url = f"http://127.0.0.1:{self.server_address[1]}/sparql"
        self.statuses: list[int] = []
        """Of the engine's answers, in order."""
        self.count = 0


class _Handler(BaseHTTPRequestHandler):
    server: Proxy

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"]))
        self.server.count += 1
        harm = self.server.harm(self.server.count, body)
        headers = {name: self.headers[name] for name in ("Content-Type", "Accept", "User-Agent")}
        if ":" in harm:
            name, _, value = harm.partition(":")
            headers[name] = value.strip()
        request = urllib.request.Request(self.server.upstream, body, headers)
        try:
            with urllib.request.urlopen(request, timeout=120) as answer:
                status, kind, said = answer.status, answer.headers["Content-Type"], answer.read()
        except urllib.error.HTTPError as error:
            status, kind, said = error.code, error.headers["Content-Type"], error.read()
        except OSError:  # the engine is gone: so are we
            self.close_connection = True
            return
        self.server.statuses.append(status)
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(said)))
        self.end_headers()
        self.wfile.write(said[: len(said) // 2] if harm == "cut" else said)
        self.close_connection = True

    def log_message(self, format: str, *args: object) -> None:
        """Nobody reads it."""


def renamed(lines: Sequence[str], copies: int) -> Iterator[str]:
    """The same statements about other items, with other classes, other statements and other values' nodes.

    What is said of properties is left out: there is no more of that in a larger store.
    """
    items = re.compile(r"(?<=http://www\.wikidata\.org/entity/)((?:statement/)?Q)(\d+)")
    properties = re.compile(r"<http://www\.wikidata\.org/entity/(?:statement/)?P")
    nodes = re.compile(r"(?<=http://www\.wikidata\.org/value/)")
    for number in range(1, copies + 1):
        for line in (line for line in lines if not properties.match(line)):
            yield nodes.sub(f"{number}x", items.sub(rf"\g<1>{number}0000000\g<2>", line))
