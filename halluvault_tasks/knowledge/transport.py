"""One SPARQL request over SPARQLWrapper, its whole answer read under one deadline.

A socket's timeout applies to each read alone, so a service that sends a byte now and then would never time out, in the
headers or in the body. A watchdog therefore ends the connection when the deadline of the whole request has passed.
"""

import http.client
import ipaddress
import socket
import threading
import urllib.error
import urllib.parse
import urllib.request
import zlib
from collections.abc import Callable
from email.message import Message
from typing import IO, Any, NamedTuple, cast

from SPARQLWrapper import JSON, POST, SELECT, URLENCODED, SPARQLWrapper

from halluvault_tasks.errors import UserError
from halluvault_tasks.knowledge import excess
from halluvault_tasks.knowledge.answer_failures import BrokenAnswer, NoResults, TimedOut, Unreachable
from halluvault_tasks.knowledge.counted_answers import VIRTUOSO, excerpt
from halluvault_tasks.knowledge.reasons import line, title
from halluvault_tasks.knowledge.refusals import of_status
from halluvault_tasks.untrusted import without_password

_CHUNK = 1 << 16
MOST_BYTES = 64 << 20
"""Of a body, unpacked: beyond it a batch must be asked in halves."""
_REASON = 1 << 20  # bytes of a refusal, unpacked: the reason comes after an echo of the query, which has up to 200 KB
_QUOTED = {code: urllib.parse.quote_plus(chr(code)) for code in range(128)}


def is_local(endpoint: str) -> bool:
    """Whether an endpoint (or the name of a source) is no public service: our own machine or network, or no URL."""
    host = urllib.parse.urlsplit(endpoint).hostname
    if host is None:
        return True
    try:
        return ipaddress.ip_address(host).is_private
    except ValueError:
        # A name without a dot is this machine's or a container network's; the public internet has none such.
        return "." not in host or host.endswith((".localhost", ".local", ".internal"))


class Watchdog:
    """Ends the connections of one request when its time is over.

    Args:
        seconds: for the whole request.
    """

    def __init__(self, seconds: float) -> None:
        self.expired = False
        self._sockets: list[socket.socket] = []
        self._lock = threading.Lock()
        self._timer = threading.Timer(seconds, self._end)
        self._timer.daemon = True

    def __enter__(self) -> "Watchdog":
        self._timer.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._timer.cancel()

    def watch(self, connected: socket.socket) -> None:
        """End this connection, too, when the time is over."""
        with self._lock:
            self._sockets.append(connected)
            if self.expired:
                _shut(connected)

    def _end(self) -> None:
        with self._lock:
            self.expired = True
            for connected in self._sockets:
                _shut(connected)


def _shut(connected: socket.socket) -> None:
    try:
        connected.shutdown(socket.SHUT_RDWR)
    except OSError:  # closed already
        return


def _opener(watchdog: Watchdog) -> urllib.request.OpenerDirector:
    """urllib as it is (proxies, redirects, certificates), with its connections under watch."""

    class PlainConnection(http.client.HTTPConnection):
        def connect(self) -> None:
            super().connect()
            watchdog.watch(self.sock)

    class Encrypted(http.client.HTTPSConnection):
        def connect(self) -> None:
            super().connect()
            watchdog.watch(self.sock)

    class PlainHandler(urllib.request.HTTPHandler):
        def http_open(self, request: urllib.request.Request) -> http.client.HTTPResponse:
            return self.do_open(PlainConnection, request)

    class EncryptedHandler(urllib.request.HTTPSHandler):
        def https_open(self, request: urllib.request.Request) -> http.client.HTTPResponse:
            return self.do_open(Encrypted, request)

    return urllib.request.build_opener(PlainHandler, EncryptedHandler, _Redirects)


class _Redirects(urllib.request.HTTPRedirectHandler):
    """Sends a query on only where it stays a query (307, 308), and only to the same host."""

    def redirect_request(
        self,
        req: urllib.request.Request,
        fp: IO[bytes],
        code: int,
        msg: str,
        headers: http.client.HTTPMessage,
        newurl: str,
    ) -> urllib.request.Request:
        """As the base class; 301, 302 and 303 would make a GET of the POST, and lose the query."""
        asked, target = urllib.parse.urlsplit(req.full_url), urllib.parse.urlsplit(newurl)
        same = asked.hostname == target.hostname and (asked.scheme, target.scheme) != ("https", "http")
        if code in {307, 308} and same:
            return urllib.request.Request(newurl, req.data, req.headers, req.origin_req_host, True, "POST")
        raise UserError(
            f"{without_password(req.full_url)} sends queries on to {line(without_password(newurl))} (HTTP {code})",
            "if that is the service's address, set HALLUVAULT_SPARQL_ENDPOINT to it; a SPARQL endpoint's often ends in "
            "/sparql",
        )


class ServiceReply(NamedTuple):
    """What came for one query, with HTTP 200."""

    body: bytes
    most: int | None = None
    """Most rows that the service sends, if it says so (Virtuoso's X-SPARQL-MaxRows)."""
    engine: str = ""
    """`VIRTUOSO` where header or body show that it is."""


class _Wrapper(SPARQLWrapper):  # type: ignore[misc]
    """SPARQLWrapper as it builds requests, sent through our own opener and with every status left to us."""

    def __init__(self, endpoint: str, agent: str, opener: urllib.request.OpenerDirector, deadline: float) -> None:
        super().__init__(endpoint, returnFormat=JSON, agent=agent)
        self.setMethod(POST)
        self.setRequestMethod(URLENCODED)
        self.setOnlyConneg(True)
        self.addCustomHttpHeader("Accept-Encoding", "gzip")
        self._opener = opener
        self._deadline = deadline

    def _parseQueryType(self, query: str) -> str:
        # Regular expressions over every query would cost more than the local endpoint's answer; ours are SELECTs.
        return str(SELECT)

    def _getRequestEncodedParameters(self, query: tuple[str, str] | None = None) -> str:
        # As the base class does, but not character by character: queries are long, and ASCII.
        if query is None or not query[1].isascii():
            return str(super()._getRequestEncodedParameters(query))
        return f"{query[0]}={query[1].translate(_QUOTED)}"

    def _query(self) -> tuple[Any, str]:
        return self._opener.open(self._createRequest(), timeout=self._deadline), self.returnFormat


def fetch(
    endpoint: str,
    query: str,
    *,
    agent: str,
    deadline: float,
    clock: Callable[[], float],
    most_bytes: int = MOST_BYTES,
) -> ServiceReply:
    """Send one query by urlencoded POST and read the whole body.

    Args:
        endpoint: URL.
        query: SPARQL text.
        agent: the User-Agent.
        deadline: seconds for everything, from connecting to the last byte.
        clock: monotonic seconds.
        most_bytes: of the body, unpacked; no more than that is ever held.

    Raises:
        TooMuch: too heavy, by the service's word or by the deadline, or too long.
        Throttled, ServerFault, Broken: as their names say.
        UserError: refused, or sent on to another address.
        Unavailable: told to wait longer than a run can.
    """
    start = clock()
    shown = without_password(endpoint)
    late = TimedOut(f"no complete answer within {deadline:g} s")
    with Watchdog(deadline) as watchdog:
        try:
            wrapper = _Wrapper(endpoint, agent, _opener(watchdog), deadline)
            wrapper.setQuery(query)
            try:
                with wrapper.query().response as response:
                    body = _read(response, lambda: clock() - start > deadline, late, most_bytes)
                    reply = _reply(shown, response.headers, body, query)
            except urllib.error.HTTPError as error:
                with error:
                    raise of_status(shown, error, _refusal(error), query) from error
        except TimeoutError as error:
            raise late from error
        except urllib.error.URLError as error:
            if watchdog.expired or isinstance(error.reason, TimeoutError):
                raise late from error
            raise Unreachable(f"no connection ({error.reason})") from error
        except (http.client.HTTPException, OSError, ValueError) as error:
            if watchdog.expired:
                raise late from error
            raise BrokenAnswer(f"the connection broke ({type(error).__name__}: {error})") from error
        except BrokenAnswer as error:
            # A body that ends early because the watchdog ended it is late, not broken.
            if watchdog.expired:
                raise late from error
            raise
    if watchdog.expired:
        raise late
    return reply


def _read(response: http.client.HTTPResponse, is_late: Callable[[], bool], late: TimedOut, most_bytes: int) -> bytes:
    unpacker = _unpacker(response.headers)
    parts, size = [], 0
    while chunk := response.read1(_CHUNK):
        try:
            # One byte more than may come tells too much from just enough, and a bomb is never unpacked.
            part = unpacker.decompress(chunk, most_bytes - size + 1) if unpacker else chunk
        except zlib.error as error:
            raise BrokenAnswer(f"the body is not gzip ({error})") from error
        parts.append(part)
        size += len(part)
        if size > most_bytes:
            raise TimedOut(f"the answer has more than {most_bytes / (1 << 20):g} MB")
        if is_late():
            raise late
    if response.length:
        raise BrokenAnswer(f"the body ended {response.length} bytes early")
    if unpacker and not unpacker.eof:
        raise BrokenAnswer("the gzip body ended early")
    return b"".join(parts)


def _refusal(error: urllib.error.HTTPError) -> bytes:
    """The body of a refusal, unpacked, to its end or to `_REASON`; what there is of it, where it breaks off."""
    unpacker, stream = _unpacker(error.headers), cast(http.client.HTTPResponse, error.fp)
    body = b""
    try:
        while len(body) < _REASON and (chunk := stream.read1(_CHUNK)):
            body += unpacker.decompress(chunk, _REASON) if unpacker else chunk
    except (http.client.HTTPException, OSError, zlib.error):
        pass
    return body[:_REASON]


def _unpacker(headers: Message) -> "zlib._Decompress | None":
    packed = (headers.get("Content-Encoding") or "").strip().lower() in {"gzip", "x-gzip"}
    return zlib.decompressobj(31) if packed else None


def _reply(endpoint: str, headers: Message, body: bytes, query: str) -> ServiceReply:
    kind = headers.get("Content-Type", "")
    if "json" not in kind and body.lstrip()[:1] != b"{":
        page = title(body)
        # A page for people is no service's word on a query: Blazegraph's Workbench speaks of time-outs, too.
        if not page and (much := excess.of_refusal(body, query)):
            raise much.error(f"no result, though with HTTP 200: {much.what}")
        shown = f'a page called "{page}"' if page else excerpt(body)
        raise NoResults(f"{endpoint} answers {kind or 'nothing known'} instead of SPARQL JSON results: {shown}")
    if headers.get("X-SQL-State", "").startswith("S1T"):
        raise TimedOut(f"the service gave up: {line(headers.get('X-SQL-Message', '')) or headers['X-SQL-State']}")
    most = headers.get("X-SPARQL-MaxRows", "").strip()
    # A key from a draft of SPARQL's JSON, which only this engine still uses; with quotes, it cannot occur in a text.
    is_virtuoso = "virtuoso" in headers.get("Server", "").lower() or b'"typed-literal"' in body
    return ServiceReply(body, int(most) if most.isdecimal() else None, VIRTUOSO if is_virtuoso else "")
