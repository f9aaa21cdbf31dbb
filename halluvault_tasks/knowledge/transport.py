"""One SPARQL request over SPARQLWrapper, its whole answer read under one deadline.

A socket's timeout counts each read alone, so a service that drips a byte now and then would pass it for ever, in the
headers as in the body. A watchdog therefore ends the connection when the deadline of the whole request has passed.
"""

import http.client
import ipaddress
import socket
import threading
import time
import urllib.error
import urllib.parse
import urllib.request
import zlib
from collections.abc import Callable
from email.message import Message
from email.utils import parsedate_to_datetime
from typing import Any

from SPARQLWrapper import JSON, POST, SELECT, URLENCODED, SPARQLWrapper

from halluvault_tasks.errors import Unavailable, UserError
from halluvault_tasks.knowledge.answers import (
    TIMEOUT_MARKS,
    Broken,
    NoResults,
    ServerFault,
    Throttled,
    TimedOut,
    Unreachable,
    excerpt,
)

_CHUNK = 1 << 16
_LARGEST = 1 << 29  # bytes of a body, unpacked: beyond it a batch must be asked in halves
_LONGEST_WAIT = 900.0
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

    class Plain(http.client.HTTPConnection):
        def connect(self) -> None:
            super().connect()
            watchdog.watch(self.sock)

    class Encrypted(http.client.HTTPSConnection):
        def connect(self) -> None:
            super().connect()
            watchdog.watch(self.sock)

    class PlainHandler(urllib.request.HTTPHandler):
        def http_open(self, request: urllib.request.Request) -> http.client.HTTPResponse:
            return self.do_open(Plain, request)

    class EncryptedHandler(urllib.request.HTTPSHandler):
        def https_open(self, request: urllib.request.Request) -> http.client.HTTPResponse:
            return self.do_open(Encrypted, request)

    return urllib.request.build_opener(PlainHandler, EncryptedHandler)


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


def fetch(endpoint: str, query: str, *, agent: str, deadline: float, clock: Callable[[], float]) -> bytes:
    """Send one query by urlencoded POST and read the whole body.

    Args:
        endpoint: URL.
        query: SPARQL text.
        agent: the User-Agent.
        deadline: seconds for everything, from connecting to the last byte.
        clock: monotonic seconds.

    Raises:
        TimedOut: too heavy, by the service's word or by the deadline.
        Throttled, ServerFault, Broken: as their names say.
        UserError: refused.
        Unavailable: told to wait longer than a run can.
    """
    start = clock()
    late = TimedOut(f"no whole answer within {deadline:g} s")
    with Watchdog(deadline) as watchdog:
        try:
            wrapper = _Wrapper(endpoint, agent, _opener(watchdog), deadline)
            wrapper.setQuery(query)
            try:
                with wrapper.query().response as response:
                    body = _read(response, lambda: clock() - start > deadline, late)
                    _require_results(endpoint, response, body)
            except urllib.error.HTTPError as error:
                with error:
                    raise _of_status(endpoint, error, error.read(_CHUNK)) from error
        except TimeoutError as error:
            raise late from error
        except urllib.error.URLError as error:
            if watchdog.expired or isinstance(error.reason, TimeoutError):
                raise late from error
            raise Unreachable(f"no connection ({error.reason})") from error
        except (http.client.HTTPException, OSError, ValueError) as error:
            if watchdog.expired:
                raise late from error
            raise Broken(f"the connection broke ({type(error).__name__}: {error})") from error
        except Broken as error:
            # A body that ends early because the watchdog ended it is late, not broken.
            if watchdog.expired:
                raise late from error
            raise
    if watchdog.expired:
        raise late
    return body


def _read(response: http.client.HTTPResponse, is_late: Callable[[], bool], late: TimedOut) -> bytes:
    packed = response.headers.get("Content-Encoding", "").strip().lower() == "gzip"
    unpacker = zlib.decompressobj(31) if packed else None
    parts, size = [], 0
    while chunk := response.read1(_CHUNK):
        try:
            part = unpacker.decompress(chunk) if unpacker else chunk
        except zlib.error as error:
            raise Broken(f"the body is no gzip ({error})") from error
        parts.append(part)
        size += len(part)
        if size > _LARGEST:
            raise TimedOut(f"the answer has more than {_LARGEST >> 20} MB")
        if is_late():
            raise late
    if response.length:
        raise Broken(f"the body ended {response.length} bytes early")
    if unpacker and not unpacker.eof:
        raise Broken("the gzip body ended early")
    return b"".join(parts)


def _require_results(endpoint: str, response: http.client.HTTPResponse, body: bytes) -> None:
    kind = response.headers.get("Content-Type", "")
    if "json" not in kind and body.lstrip()[:1] != b"{":
        raise NoResults(f"{endpoint} answers {kind or 'nothing known'} instead of SPARQL JSON results: {excerpt(body)}")


def _of_status(endpoint: str, error: urllib.error.HTTPError, body: bytes) -> Exception:
    after = _retry_after(error.headers)
    if error.code == 429 or (error.code == 503 and after is not None):
        if after is not None and after > _LONGEST_WAIT:
            return Unavailable(
                f"{endpoint} asks to wait {after:.0f} s (HTTP {error.code})", "run the same command again after that"
            )
        return Throttled(f"HTTP {error.code}, too many requests", after)
    if error.code == 504 or (error.code >= 500 and any(mark in body for mark in TIMEOUT_MARKS)):
        return TimedOut(f"HTTP {error.code}: the query timed out on the service")
    if error.code >= 500:
        return ServerFault(f"HTTP {error.code}")
    if error.code == 400:
        return UserError(f"{endpoint} refuses the query: {excerpt(body)}")
    return UserError(
        f"{endpoint} answers HTTP {error.code} {error.reason}",
        "a 403 often means that the User-Agent names no contact: set HALLUVAULT_CONTACT" if error.code == 403 else "",
    )


def _retry_after(headers: Message | None) -> float | None:
    """Seconds of a Retry-After header, given as a number or a date (RFC 9110 §10.2.3); None without one."""
    value = headers.get("Retry-After") if headers else None
    if headers is None or value is None:
        return None
    if value.strip().isdigit():
        return float(value)
    try:
        until = parsedate_to_datetime(value).timestamp()
    except ValueError:
        return 60.0  # unreadable: a careful minute
    try:
        # By the service's own clock, where it tells it.
        now = parsedate_to_datetime(headers.get("Date", "")).timestamp()
    except ValueError:
        now = time.time()
    return max(0.0, until - now)
