"""One polite, suspicious reader of a SPARQL endpoint, over SPARQLWrapper.

SPARQLWrapper alone knows no deadline for a whole response, no Retry-After and no cut-off body, and the query
service of Wikidata is known to answer HTTP 200 with half a result and a stack trace. So: one wrapper object a
request, urlencoded POST, the whole body read under one deadline and parsed, every failure named for what it is.
"""

import http.client
import ipaddress
import json
import logging
import re
import threading
import time
import urllib.error
import urllib.parse
from collections.abc import Callable
from importlib.metadata import version
from typing import Any, NamedTuple

import tenacity
from SPARQLWrapper import JSON, POST, URLENCODED, SPARQLWrapper
from SPARQLWrapper import __version__ as wrapper_version
from SPARQLWrapper.SPARQLExceptions import EndPointInternalError, SPARQLWrapperException

from halluvault_tasks.errors import Unavailable, UserError

_log = logging.getLogger(__name__)
_CHUNK = 1 << 16
_TIMEOUT_MARKS = (b"TimeoutException", b"QueryTimeout")
_LONGEST_WAIT = 900.0

Cell = dict[str, str]
Row = dict[str, Cell]


class Answer(NamedTuple):
    """A complete answer to one SELECT query."""

    body: bytes
    """As received: SPARQL 1.1 Query Results JSON."""
    rows: list[Row]
    seconds: float
    """Wall time of the request that succeeded."""


class Transient(Exception):
    """A failure that the same query may survive when asked again."""


class Throttled(Transient):
    """HTTP 429, or 503 with a Retry-After: the service says how long to wait."""

    def __init__(self, message: str, seconds: float | None) -> None:
        super().__init__(message)
        self.seconds = seconds


class ServerFault(Transient):
    """HTTP 5xx."""


class Broken(Transient):
    """The connection was refused or reset, or the body was cut short or is no JSON."""


class TimedOut(Exception):
    """The query is too heavy for the service (or for our deadline): ask for less, never for the same again."""


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


def read_results(body: bytes) -> list[Row]:
    """Parse SPARQL JSON results.

    Raises:
        TimedOut: the body ends in the server's own timeout.
        Broken: it is cut short, or not what the protocol allows.
    """
    try:
        parsed: Any = json.loads(body)
        names, rows = parsed["head"]["vars"], parsed["results"]["bindings"]
        if isinstance(names, list) and isinstance(rows, list) and all(isinstance(row, dict) for row in rows):
            return rows
    except (ValueError, KeyError, TypeError) as error:
        if any(mark in body for mark in _TIMEOUT_MARKS):
            raise TimedOut("the service gave up in the middle of its answer (TimeoutException)") from error
        raise Broken(f"the body of {len(body)} bytes is no complete SPARQL result: {_excerpt(body)}") from error
    raise Broken(f"the body is JSON but no SPARQL result: {_excerpt(body)}")


class WikidataClient:
    """Asks one query at a time; every answer it returns is whole.

    Args:
        endpoint: URL of a SPARQL 1.1 Protocol endpoint.
        contact: mail address or page of the operator, sent in the User-Agent; required unless the endpoint is local.
        deadline: seconds for a whole response. The default leaves the public service's own minute some room.
        gap: least seconds between the end of one request and the start of the next; None means 1 for a public
            endpoint and 0 for a local one.
        attempts: how often a transient failure is met before giving up.
        sleep: waits that many seconds.
        clock: monotonic seconds.

    Raises:
        UserError: the URL is not http(s), or a public endpoint is used without a contact.
    """

    def __init__(
        self,
        endpoint: str,
        contact: str = "",
        *,
        deadline: float = 75.0,
        gap: float | None = None,
        attempts: int = 6,
        sleep: Callable[[float], None] = time.sleep,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        if urllib.parse.urlsplit(endpoint).scheme not in {"http", "https"}:
            raise UserError(
                f"SPARQL endpoint {endpoint!r} is no http:// or https:// URL",
                "set HALLUVAULT_SPARQL_ENDPOINT, for example to https://query.wikidata.org/sparql",
            )
        self.endpoint = endpoint
        self.local = is_local(endpoint)
        if not self.local and not re.search(r"\S+@\S+\.\S+|https?://\S+", contact):
            raise UserError(
                f"contact {contact!r} is neither a mail address nor a page, and {endpoint} is a public service",
                "set HALLUVAULT_CONTACT: Wikimedia's user-agent policy asks who runs this",
            )
        self.agent = f"HalluVault/{version('halluvault')} ({contact or 'local'}) SPARQLWrapper/{wrapper_version}"
        self.gap = (0.0 if self.local else 1.0) if gap is None else gap
        self.requests = 0
        self._deadline = deadline
        self._sleep = sleep
        self._clock = clock
        self._attempts = attempts
        self._ended: float | None = None
        self._lock = threading.Lock()

    def select(self, query: str) -> Answer:
        """Ask one SELECT query and return its whole answer.

        Raises:
            TimedOut: too heavy; ask for less.
            UserError: refused; names the endpoint and what it said.
            Unavailable: still failing after every attempt.
        """
        retrying = tenacity.Retrying(
            stop=tenacity.stop_after_attempt(self._attempts),
            wait=_wait,
            retry=tenacity.retry_if_exception_type(Transient),
            sleep=self._sleep,
            before_sleep=_say,
            reraise=True,
        )
        try:
            with self._lock:
                return retrying(self._once, query)
        except Transient as error:
            raise Unavailable(
                f"SPARQL endpoint {self.endpoint} still fails after {self._attempts} attempts: {error}",
                "nothing is lost: run the same command again once it answers (`halluvault doctor` checks it)",
            ) from error

    def _once(self, query: str) -> Answer:
        if self._ended is not None and (wait := self._ended + self.gap - self._clock()) > 0:
            self._sleep(wait)
        self.requests += 1
        start = self._clock()
        try:
            body = self._fetch(query, start)
        finally:
            self._ended = self._clock()
        return Answer(body, read_results(body), self._ended - start)

    def _fetch(self, query: str, start: float) -> bytes:
        wrapper = SPARQLWrapper(self.endpoint, returnFormat=JSON, agent=self.agent)
        wrapper.setMethod(POST)
        wrapper.setRequestMethod(URLENCODED)
        wrapper.setTimeout(max(1, int(self._deadline)))
        wrapper.setQuery(query)
        try:
            response = wrapper.query().response
            with response:
                return self._read(response, start)
        except urllib.error.HTTPError as error:
            raise _of_status(self.endpoint, error) from error
        except EndPointInternalError as error:
            if any(mark.decode() in str(error) for mark in _TIMEOUT_MARKS):
                raise TimedOut("HTTP 500: the query timed out on the service") from error
            raise ServerFault("HTTP 500") from error
        except SPARQLWrapperException as error:
            raise UserError(f"{self.endpoint} refuses the query: {_excerpt(str(error).encode())}") from error
        except TimeoutError as error:
            raise TimedOut(f"no answer within {self._deadline:g} s") from error
        except urllib.error.URLError as error:
            if isinstance(error.reason, TimeoutError):
                raise TimedOut(f"no answer within {self._deadline:g} s") from error
            raise Broken(f"no connection ({error.reason})") from error
        except (http.client.HTTPException, OSError) as error:
            raise Broken(f"the connection broke ({type(error).__name__}: {error})") from error

    def _read(self, response: http.client.HTTPResponse, start: float) -> bytes:
        parts = []
        # A socket's timeout counts each read alone: a slow drip would pass it for ever.
        while chunk := response.read1(_CHUNK):
            parts.append(chunk)
            if self._clock() - start > self._deadline:
                raise TimedOut(f"the answer took longer than {self._deadline:g} s")
        body = b"".join(parts)
        if response.length:
            raise Broken(f"the body ended {response.length} bytes early")
        if "json" not in (kind := response.headers.get("Content-Type", "")) and body.lstrip()[:1] != b"{":
            raise UserError(
                f"{self.endpoint} answers {kind or 'nothing known'} instead of SPARQL JSON results: {_excerpt(body)}",
                "is the URL that of the SPARQL endpoint, such as https://query.wikidata.org/sparql?",
            )
        return body


def _of_status(endpoint: str, error: urllib.error.HTTPError) -> Exception:
    after = _retry_after(error.headers.get("Retry-After") if error.headers else None)
    if error.code == 429 or (error.code == 503 and after is not None):
        if after is not None and after > _LONGEST_WAIT:
            return Unavailable(
                f"{endpoint} asks to wait {after:.0f} s (HTTP {error.code})", "run the same command again after that"
            )
        return Throttled(f"HTTP {error.code}, too many requests", after)
    if error.code == 504:
        return TimedOut("HTTP 504: the query timed out behind the service's gateway")
    if error.code >= 500:
        return ServerFault(f"HTTP {error.code}")
    return UserError(
        f"{endpoint} answers HTTP {error.code} {error.reason}",
        "a 403 often means that the User-Agent names no contact: set HALLUVAULT_CONTACT" if error.code == 403 else "",
    )


def _retry_after(value: str | None) -> float | None:
    """Seconds of a Retry-After header (RFC 9110 §10.2.3); a date is read as a careful minute."""
    if value is None:
        return None
    return float(value) if re.fullmatch(r"\d{1,9}", value.strip()) else 60.0


def _wait(state: tenacity.RetryCallState) -> float:
    error = state.outcome.exception() if state.outcome else None
    if isinstance(error, Throttled) and error.seconds is not None:
        return error.seconds
    return float(min(60.0, 2.0 ** (state.attempt_number - 1)))


def _say(state: tenacity.RetryCallState) -> None:
    error = state.outcome.exception() if state.outcome else None
    wait = state.next_action.sleep if state.next_action else 0.0
    _log.warning("SPARQL attempt %d failed: %s; next in %.0f s", state.attempt_number, error, wait)


def _excerpt(body: bytes) -> str:
    return repr(body[:160].decode("utf-8", "replace"))
